"""The fields of requests: whatever is sent, the answer is in words."""

from __future__ import annotations

import json
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.studio import worker
from bestfirst.studio.app import MOST_SECONDS, _seconds
from bestfirst.studio.fields import LISTS, MAPPINGS, TEXTS, fields_of
from profiles import examples

PANCAKES = {"problem": "pancake", "instance": "2 1"}
QUICK: dict[str, dict[str, Any]] = {
    "look": PANCAKES,
    "search": PANCAKES,
    "compare": {"problem": "pancake", "instances": [{"instance": "2 1"}], "algorithms": ["astar"]},
    "laboratory": PANCAKES,
    "random": {"problem": "pancake", "size": "5", "seed": 1},
    "position": {"game": "tic-tac-toe"},
    "think": {"game": "tic-tac-toe", "level": 0},
    "tree": {"game": "tic-tac-toe", "depth": 1},
    "lesson": {"lesson": "none"},
}
WRONG = [
    5,
    -(10**400),
    10**400,
    "abc",
    "",
    [1],
    [[]],
    [{"problem": "pddl"}],
    {"trace": True},
    {"problem": 1},
    True,
    1.5,
    None,
]
NUMBERS = ("seconds", "expansions", "memory", "threads", "level", "depth", "states", "seed")


def told(**request: Any) -> list[dict[str, Any]]:
    """The messages of the work of a request, in this process."""
    messages = BytesIO()
    worker.IN_HAND.begin()
    worker.serve({"own": [], "may_run": False, "engine": "python", "seconds": 1, **request}, messages.write)
    return [json.loads(line) for line in messages.getvalue().splitlines()][:-1]


@pytest.mark.parametrize("work", QUICK)
def test_no_value_of_a_field_is_a_bug(work: str) -> None:
    """Each field in turn has each of some wrong values."""
    for name, value in product((*TEXTS, *MAPPINGS, *LISTS, *NUMBERS, "steps", "paused"), WRONG):
        if name != "paused" or not value:  # it would wait for ever
            assert "bug in bestfirst" not in str(told(work=work, **{**QUICK[work], name: value})), (name, value)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"problem": ["pancake"]}, r"problem is \['pancake'\]; pass text"),
        ({"options": 5}, "options is 5; pass values by name"),
        ({"choices": [1]}, r"choices is \[1\]; pass values by name"),
        ({"choices": {"trace": True}}, "no option is called 'trace'"),
        ({"choices": {"weigth": 2}}, "did you mean weight"),
        ({"algorithms": "astar"}, "algorithms is 'astar'; pass a list"),
        ({"instances": [{}, 5]}, r"instances\[1\] is 5; pass its fields by name"),
        ({"instances": [{"options": 5}]}, "options is 5; pass values by name"),
        ({"seconds": -1}, "the limit seconds is -1; use a number >= 0"),
        ({"seconds": "5"}, "the limit seconds is '5'; use a number >= 0"),
        ({"expansions": 1.5}, "the limit expansions is 1.5; use a whole number"),
        ({"memory": "much"}, "memory is 'much'; use a number of bytes"),
    ],
)
def test_a_wrong_field_is_named(fields: dict[str, Any], words: str) -> None:
    """With its value, and what to send instead."""
    with pytest.raises(bf.InputError, match=words):
        fields_of(fields)


@examples(30)
@given(st.dictionaries(st.sampled_from(NUMBERS[3:]), st.none() | st.integers()))
def test_null_is_no_value(fields: dict[str, Any]) -> None:
    """Other values are passed on as they are."""
    assert fields_of(fields) == {name: value for name, value in fields.items() if value is not None}


@pytest.mark.parametrize("name", ["pddl", "multi-agent", "none", "../x.py"])
def test_a_problem_that_the_studio_lacks_is_said_to_be_missing(name: str) -> None:
    """The names to choose from are those of the page."""
    (answer,) = told(work="look", problem=name, instance="x")
    assert f"the studio has no problem {name!r}; " in answer["error"]
    assert "pddl" not in answer["error"].partition("; ")[2]


def test_an_instance_of_a_comparison_names_no_file(tmp_path: Path) -> None:
    """Only its instance and its options count."""
    file = tmp_path / "mine.py"
    file.write_text("raise SystemExit('this was run')")
    request = {"problem": "pancake", "algorithms": ["astar"]}
    instance = {"instance": "2 1", "problem": f"{file}:Mine", "own": [str(file)]}
    assert [row["row"]["cost"] for row in told(work="compare", instances=[instance], **request) if "row" in row] == [1]


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(-(10**400), 0.0), (10**400, MOST_SECONDS), (float("nan"), MOST_SECONDS), (2, 2.0), ("2", MOST_SECONDS), (-1, 0.0)],
)
def test_the_longest_time_of_a_job_is_a_float_whatever_is_sent(seconds: object, expected: float) -> None:
    """The job itself says what is wrong."""
    assert _seconds({"work": "search", "seconds": seconds}) == expected
