"""Models in the studio: instances that are typed, the commands that the page shows, the pictures of results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.makers import Kind
from bestfirst.models import MODELS
from bestfirst.studio.catalogue import catalogue
from bestfirst.studio.instances import problem_of
from bestfirst.studio.model_examples import MODEL_EXAMPLES
from bestfirst.studio.own import maker_of
from bestfirst.studio.searching import look, search
from bestfirst.text_instances import TYPED

INSTANCES = Path(__file__).parents[2] / "examples" / "instances"


def example(model: str) -> dict[str, Any]:
    """The request for the first example of a model, as the page sends it."""
    first = MODEL_EXAMPLES[model][0]
    return {"problem": model, "instance": first["instance"], "options": first["options"]}


def test_the_page_offers_the_models_whose_instances_are_texts() -> None:
    """All but those that need a second file."""
    offered = {one["name"]: one for one in catalogue()["problems"]}
    assert set(MODELS) - set(offered) == {"multi-agent"}
    assert all(offered[name]["examples"] and offered[name]["hint"] for name in TYPED)
    assert [option["name"] for option in offered["sequence-alignment"]["options"]] == ["gap", "mismatch"]  # no files
    assert all(option["hint"] for name in MODEL_EXAMPLES for option in offered[name]["options"])


@pytest.mark.parametrize("model", sorted(MODEL_EXAMPLES))
def test_the_example_of_each_model_is_drawn(model: str) -> None:
    """With its plan and the commands that repeat the search."""
    told: list[Any] = []
    look(example(model), told.append)
    assert told[0]["start"]["kind"] == "svg" and "plan" in told[0]
    assert f"bestfirst solve {model} instance.txt" in told[0]["commands"]["shell"]
    assert f"from bestfirst.models import {MODELS[model].__name__}\n" in told[0]["commands"]["python"]


def test_the_commands_find_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """Once the instance is in the file that they name."""
    told: list[Any] = []
    request = {**example("weighted-tardiness"), "engine": "python"}
    look(request, told.append)
    search(request, told.append)
    monkeypatch.chdir(tmp_path)
    Path("instance.txt").write_text(request["instance"])
    exec(told[0]["commands"]["python"], {})
    assert str(told[-1]["solution"]["cost"]) in capsys.readouterr().out
    assert "--jobs 10" in told[0]["commands"]["shell"]


def test_a_solution_has_the_picture_of_its_result() -> None:
    """A Gantt chart here; nothing for a tour of places without coordinates, or for a problem that is no model."""
    for request, kind in (
        (example("bin-packing"), "svg"),
        ({"problem": "tsp", "instance": (INSTANCES / "gr17.tsp").read_text(), "algorithm": "greedy"}, None),
        ({"problem": "pancake", "instance": "2 1"}, None),
    ):
        told: list[Any] = []
        search({**request, "engine": "python"}, told.append)
        picture = told[-1]["solution"]["result"]
        assert (picture and picture["kind"]) == kind


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"problem": "knapsack", "instance": "2 7\n9 5\n6 x"}, "the instance, line 3: the weight of item 2 is 'x'"),
        ({"problem": "knapsack", "instance": " "}, "the instance is empty"),
        ({"problem": "knapsack", "instance": "1 1\n1 1", "options": {"file": "/etc/passwd"}}, "has no option 'file'"),
        ({"problem": "sequence-alignment", "instance": ">a\nA", "options": {"scores": "/etc/passwd"}}, "no option 'scores'"),
    ],
)
def test_what_is_wrong_is_told(request_: dict[str, Any], message: str) -> None:
    """With the line of the text; no file is read, whatever a request names."""
    with pytest.raises(bf.InputError, match=message):
        problem_of(request_)


def test_a_model_that_needs_another_file_is_refused() -> None:
    """Since its instance names the file of a map."""
    with pytest.raises(bf.InputError, match="multi-agent"):
        maker_of("multi-agent", Kind.PROBLEM, {})


def test_examples_are_the_published_files() -> None:
    """Those that bear the name of a file, but for the width of their blanks."""
    published = {path.stem: path.read_text().split() for path in INSTANCES.iterdir()}
    for model, stem in (("tsp", "burma14"), ("cvrp", "P-n16-k8"), ("job-shop", "ft06"), ("talent-scheduling", "film105")):
        assert MODEL_EXAMPLES[model][0]["instance"].split() == published[stem]
