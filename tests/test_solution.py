"""Solution, Limits, Stats."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.arguments import parse_bytes
from bestfirst.solution import effective_branching_factor

PUZZLE = bf.SlidingTile("1 2 3 8 _ 4 7 6 5", goal="1 2 3 _ 8 4 7 6 5")


@pytest.fixture
def solution() -> bf.Solution:
    return bf.solve(PUZZLE)


def test_a_true_solution_verifies(solution: bf.Solution) -> None:
    """Nothing is raised."""
    solution.verify()


class OfInts(NamedTuple):
    """A state of ints."""

    cells: Any
    blank: Any


@pytest.mark.parametrize("cells", [7, (1, (2, 3)), True, 2.0, "a", np.int64(3), (1, np.int64(3)), (1, OfInts(1, 2))])
def test_states_have_the_same_types_after_pickling(cells: Any) -> None:
    """Ints and tuples of ints, which are written as such, and all other values."""
    solution = replace(bf.solve(PUZZLE), states=[OfInts(cells, 0), OfInts(cells, 2**70)])
    states = pickle.loads(pickle.dumps(solution)).states
    assert states == solution.states
    assert repr(states) == repr(solution.states)
    assert type(states[0]) is OfInts


LIES: list[tuple[dict[str, Any], str]] = [
    ({"actions": ["R"]}, "step 1: action 'R' does not lead"),
    ({"cost": 2}, "the actions cost 1, but the cost of the solution is 2"),
    ({"lower_bound": 3}, "lower bound 3 exceeds the cost 1"),
    ({"states": [PUZZLE.initial]}, "must be one more state than actions"),
    ({"states": [PUZZLE.goal, PUZZLE.goal]}, "does not start at the initial state"),
    ({"actions": [], "states": [PUZZLE.initial], "cost": 0, "lower_bound": 0}, "which is not a goal"),
    ({"cost": None}, "a path but no cost"),
]


@pytest.mark.parametrize(("lie", "message"), LIES)
def test_a_false_solution_does_not_verify(solution: bf.Solution, lie: dict[str, Any], message: str) -> None:
    """Each way in which a solution can be wrong is found."""
    with pytest.raises(bf.VerificationError, match=message):
        replace(solution, **lie).verify()


def test_a_solution_is_true_if_a_path_was_found(solution: bf.Solution) -> None:
    """It can be tested, counted, and gone through step by step."""
    assert solution and len(solution) == 1
    assert list(solution) == [("L", PUZZLE.goal)]
    assert not bf.solve(bf.SlidingTile("2 1 3 4 5 6 7 8 _"))


def test_the_summary_is_one_line_with_status_and_counts(solution: bf.Solution) -> None:
    """print(solution) tells the outcome."""
    assert str(solution).startswith("cost 1, 1 action, optimal: 1 expanded, 5 generated, ")
    stopped = bf.solve(bf.SlidingTile("8 6 7 2 5 4 3 _ 1"), limits=bf.Limits(expansions=3))
    assert "limit (expansions), lower bound 23" in str(stopped)
    weighted = bf.solve(bf.SlidingTile("8 6 7 2 5 4 3 _ 1"), "weighted-astar", weight=3)
    assert "at most 3 times the optimum" in str(weighted)


@pytest.mark.parametrize(
    ("text", "number"),
    [("2GiB", 2 * 2**30), ("500MB", 500_000_000), ("1.5 kib", 1536), (" 7 ", 7), (12, 12), ("3b", 3)],
)
def test_memory_is_read_in_the_usual_units(text: Any, number: int) -> None:
    """Powers of 1000 and of 1024, in any case."""
    assert parse_bytes(text) == number


@pytest.mark.parametrize("text", ["much", "2 gallons", "", "-1MB", True])
def test_memory_that_is_no_amount_is_refused(text: Any) -> None:
    """The error shows how to write it."""
    with pytest.raises(bf.InputError, match="such as 500MB or 2GiB"):
        parse_bytes(text)


@pytest.mark.parametrize(
    "limits",
    [{"seconds": -1}, {"seconds": "5"}, {"expansions": 1.5}, {"expansions": True}, {"depth": -2}, {"seconds": math.nan}],
)
def test_a_limit_that_is_no_amount_is_refused(limits: dict[str, Any]) -> None:
    """The error names the limit and its value."""
    name, value = next(iter(limits.items()))
    with pytest.raises(bf.InputError, match=f"the limit {name} is {value!r}"):
        bf.Limits(**limits)


def test_the_effective_branching_factor_fits_a_uniform_tree() -> None:
    """A tree of 1 + 2 + 4 + 8 nodes has factor 2; Russell & Norvig's 52 nodes at depth 5 have 1.92."""
    assert effective_branching_factor(15, 3) == pytest.approx(2)
    assert effective_branching_factor(53, 5) == pytest.approx(1.92, abs=0.005)
    assert math.isnan(effective_branching_factor(1, 0))
