"""Algorithms as objects have the options of the algorithms that they name."""

from __future__ import annotations

from dataclasses import MISSING, fields
from inspect import Parameter, signature
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.algorithms import CHOICES, AlgorithmChoice

BOARD = bf.SlidingTile("1 3 _ / 4 2 5 / 7 8 6")


def test_there_is_one_for_each_algorithm() -> None:
    """In the same order, each at the top of the package."""
    assert [choice.name for choice in CHOICES] == list(bf.ALGORITHMS)
    assert all(getattr(bf, choice.__name__) is choice for choice in CHOICES)


@pytest.mark.parametrize("choice", CHOICES)
def test_options_and_defaults_are_those_of_the_algorithm(choice: type[AlgorithmChoice]) -> None:
    """Threads are an argument of solve(); the backward heuristic is zero unless given."""
    algorithm = bf.ALGORITHMS[choice.name]
    expected = {
        "backward_heuristic" if name == "backward_h" else name: None if name == "backward_h" else parameter.default
        for name, parameter in signature(algorithm.run).parameters.items()
        if parameter.kind is Parameter.KEYWORD_ONLY
    }
    found = {field.name: Parameter.empty if field.default is MISSING else field.default for field in fields(choice)}
    found.pop("threads", None)
    assert found == expected


@pytest.mark.parametrize("choice", CHOICES)
def test_an_object_makes_the_same_search_as_the_name(choice: type[AlgorithmChoice]) -> None:
    """With all options at their defaults; depth-limited search needs its depth."""
    given: dict[str, Any] = {"depth": 5} if choice is bf.DepthLimited else {}
    limits = bf.Limits(expansions=300)
    by_object = bf.solve(BOARD, choice(**given), limits=limits)
    by_name = bf.solve(BOARD, choice.name, limits=limits, **given)
    by_object.stats.seconds = by_name.stats.seconds
    assert (by_object.actions, by_object.stats, by_object.algorithm) == (by_name.actions, by_name.stats, choice.name)


def test_options_reach_the_search() -> None:
    """Also the weight, which the promise of the solution depends on."""
    assert bf.solve(BOARD, bf.WeightedAStar(weight=3)).algorithm == "weighted-astar"
    assert bf.Search(BOARD, bf.WeightedAStar(weight=3)).algorithm.weight == 3
    assert bf.plan(BOARD, bf.IDAStar(threads=2)).threads == 2


@pytest.mark.parametrize(
    ("choice", "beside", "what"),
    [(bf.IDAStar(prune=8), {"prune": 4}, "prune"), (bf.IDAStar(threads=2), {"threads": 3}, "threads")],
)
def test_an_option_that_is_given_twice_is_an_error(choice: Any, beside: dict[str, Any], what: str) -> None:
    """In the object and beside it: nobody knows which is meant."""
    with pytest.raises(bf.InputError, match=f"{what} is given twice"):
        bf.solve(BOARD, choice, **beside)


def test_a_depth_that_is_none_is_refused() -> None:
    """When the object is made."""
    with pytest.raises(bf.InputError, match="depth"):
        bf.DepthLimited(depth=-1)
