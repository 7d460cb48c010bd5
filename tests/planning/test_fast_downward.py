"""A* expands and generates as many nodes as Fast Downward, whose counts are written here: no Fast Downward is needed."""

from __future__ import annotations

import re
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

import bestfirst as bf
from bestfirst.planning import examples
from translated import needs_translator, sas_text, translated

FILES = Path(__file__).parent.parent.parent / "examples" / "planning"


class Facts(NamedTuple):
    """What `downward --search "astar(blind())"` and `"astar(hmax())"` print of a task: the cost, and nodes expanded and generated.

    These are the program of up-fast-downward 1.0.0, and tasks translated by fast-downward-translate 26.6.0.
    """

    cost: int
    blind: tuple[int, int]
    hmax: tuple[int, int]


FAST_DOWNWARD = {
    "barman": Facts(28, (1930, 7429), (224, 1047)),
    "blocks": Facts(10, (998, 3495), (150, 553)),
    "briefcase": Facts(12, (717, 2902), (470, 1986)),
    "depots": Facts(18, (1244, 4563), (309, 1202)),
    "ferry": Facts(13, (468, 1470), (332, 1053)),
    "gripper": Facts(15, (694, 2558), (684, 2538)),
    "hanoi": Facts(31, (210, 626), (175, 521)),
    "logistics": Facts(15, (1725, 9797), (741, 4297)),
    "miconic": Facts(13, (933, 5558), (625, 3729)),
    "rovers": Facts(8, (2745, 27095), (588, 5883)),
    "satellite": Facts(13, (452, 2532), (244, 1377)),
    "sokoban": Facts(3, (663, 1854), (20, 57)),
    "tiles": Facts(16, (4818, 12846), (899, 2553)),
    "transport": Facts(52, (5179, 32429), (1124, 6966)),
    "visitall": Facts(12, (1766, 4667), (268, 749)),
    "zenotravel": Facts(8, (3317, 29852), (862, 8085)),
}
"""By domain: the task in examples/planning."""


@needs_translator
@pytest.mark.parametrize("heuristic", ["blind", "hmax"])
@pytest.mark.parametrize("name", examples.NAMES)
def test_counts_are_those_of_fast_downward(name: str, heuristic: str) -> None:
    """It also counts the goal as expanded, and does not count the start as generated. The plan is optimal, and verified."""
    facts = FAST_DOWNWARD[name]
    expanded, generated = facts.blind if heuristic == "blind" else facts.hmax
    solution = bf.solve(translated(FILES / name / "domain.pddl", FILES / name / "problem.pddl"), "astar", heuristic)
    assert (solution.status, solution.cost) == ("optimal", facts.cost)
    assert (solution.stats.expanded, solution.stats.generated) == (expanded - 1, generated + 1)
    solution.verify()


@needs_translator
@pytest.mark.skipif(find_spec("up_fast_downward") is None, reason="up-fast-downward is not installed")
def test_the_counts_are_what_fast_downward_prints(tmp_path: Path) -> None:
    """Of one of the tasks, by the program that is installed."""
    package = find_spec("up_fast_downward")
    assert package is not None
    assert package.origin is not None
    program = Path(package.origin).parent / "downward" / "builds" / "release" / "bin" / "downward"
    text = sas_text(FILES / "sokoban" / "domain.pddl", FILES / "sokoban" / "problem.pddl")
    for heuristic, counts in (("blind", FAST_DOWNWARD["sokoban"].blind), ("hmax", FAST_DOWNWARD["sokoban"].hmax)):
        command = [str(program), "--search", f"astar({heuristic}())"]
        printed = subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd=tmp_path).stdout
        numbers = [re.search(rf"{word} (\d+) state", printed) for word in ("Expanded", "Generated")]
        assert tuple(int(number[1]) for number in numbers if number is not None) == counts
