"""A list of successors without end is stopped by the limits, which are otherwise examined between two expansions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

import pytest

import bestfirst as bf


class Endless(bf.Problem):
    """The start has successors without end."""

    initial = 0
    unit_cost = True

    def is_goal(self, state: int) -> bool:
        return state < 0

    def successors(self, state: int) -> Iterator[tuple[int, int, int]]:
        for number in count(1):
            yield number, state + 1, 1


LIMITS = [bf.Limits(seconds=0.5), bf.Limits(memory="30MiB")]


@pytest.mark.parametrize("limits", LIMITS, ids=["seconds", "memory"])
@pytest.mark.parametrize("algorithm", ["uniform-cost", "breadth-first", "depth-first-branch-and-bound"])
def test_a_search_stops_within_a_list_of_successors(algorithm: str, limits: bf.Limits) -> None:
    """It says where, gives back what it has, and cannot be resumed."""
    search = bf.Search(Endless(), algorithm)
    found = search.run(limits)
    assert found.status == bf.Status.LIMIT and found.limit == ("memory" if limits.memory else "seconds")
    assert any(
        "actions in 0;" in warning and "check that the list of successors ends" in warning for warning in found.warnings
    )
    with pytest.raises(ValueError, match="middle of a step"):
        search.run(limits)


def test_an_enumeration_stops_within_a_list_of_successors() -> None:
    with pytest.warns(UserWarning, match="check that the list of successors ends"):
        found = bf.enumerate_states(Endless(), limits=bf.Limits(seconds=0.5))
    assert found.limit == "seconds" and not found.complete


def test_a_long_list_that_ends_is_searched_whole() -> None:
    class Long(Endless):
        def is_goal(self, state: int) -> bool:
            return state == 25_000

        def successors(self, state: int) -> Iterator[tuple[int, int, int]]:
            for number in range(30_001 if state == 0 else 0):
                yield number, number, 1

    found = bf.solve(Long(), limits=bf.Limits(seconds=60))
    assert found.status == bf.Status.OPTIMAL and found.actions == [25_000]


class Wide(bf.Domain):
    """A thousand million actions, all illegal."""

    class State(NamedTuple):
        """A place."""

        at: int

    initial = State(0)
    max_actions = 10**9

    def step(self, state: Any, action: int) -> Any:
        return action < 0, state, 1

    def is_goal(self, state: Any) -> bool:
        return bool(state.at < 0)


def test_a_search_stops_within_illegal_actions() -> None:
    found = bf.solve(Wide(), "uniform-cost", engine="python", limits=bf.Limits(seconds=0.5))
    assert found.limit == "seconds"
