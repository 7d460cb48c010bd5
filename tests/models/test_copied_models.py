"""Models as other objects of Python: they can be pickled and copied, and their searches can be saved."""

from __future__ import annotations

import copy
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.cli.instances import read_instance
from bestfirst.makers import Kind, maker_named

ROOT = Path(__file__).parents[2]
COMMANDS = re.findall(
    r"^\$ bestfirst solve (\S+) (examples/instances/\S+)(.*)$", (ROOT / "docs/models.md").read_text(), re.M
)


def model_of(name: str, file: str, options: str) -> Any:
    """The model of a command in the docs."""
    words = iter(options.replace("--method conflict-based", "").split())
    given = {word.removeprefix("--"): str(ROOT / value) if "/" in (value := next(words)) else value for word in words}
    known = maker_named(name, Kind.PROBLEM).options
    return read_instance(name, str(ROOT / file), {option: value for option, value in given.items() if option in known})


@pytest.mark.parametrize("command", COMMANDS, ids=[name for name, *_ in COMMANDS])
def test_a_model_can_be_pickled_and_copied(command: tuple[str, str, str]) -> None:
    """So that it can be sent to other processes by any library."""
    model = model_of(*command)
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert type(other) is type(model) and other.initial == model.initial and dict(other.bits) == dict(model.bits)


def test_a_search_of_a_model_can_be_saved(tmp_path: Path) -> None:
    """And goes on from there with the same counts."""
    (command,) = (one for one in COMMANDS if one[0] == "weighted-tardiness")
    model, limits = model_of(*command), bf.Limits(expansions=50)
    whole = bf.solve(model, "astar", engine="compiled")
    assert whole.stats.expanded > 50
    bf.solve(model, "astar", engine="compiled", limits=limits, save_to=tmp_path / "saved")
    resumed = bf.Search.load(tmp_path / "saved", unpickle=True).run(bf.Limits())
    assert (resumed.cost, resumed.stats.expanded) == (whole.cost, whole.stats.expanded)
