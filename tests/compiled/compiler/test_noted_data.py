"""Noted data: a compiled search whose problem has changed since its last run raises an InputError."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import bestfirst as bf
from compilable import Pancakes


class Stairs(bf.Domain):
    """Up by one or two steps, at costs from tables."""

    class State(NamedTuple):
        """A step."""

        number: int

    initial = State(0)
    max_actions = 2

    def __init__(self, cost: Any) -> None:
        self.cost = cost
        self.toll = (0, 0)

    def step(self, state: State, action: int) -> Any:
        return state.number + action < 5, self.State(state.number + 1 + action), self.cost[action, 0] + self.toll[action]

    def is_goal(self, state: State) -> bool:
        return state.number == 5


def column(*, rows: int = 2) -> Any:
    """A table whose first two elements are 1 and 2."""
    return np.arange(1, rows + 1).reshape(-1, 1)


def set_first(stairs: Any) -> None:
    stairs.cost[0, 0] = 0


def set_array(stairs: Any) -> None:
    stairs.cost = column() + 1


def set_tuple(stairs: Any) -> None:
    stairs.toll = (0, 1)


TABLES = {
    "plain": column(),
    "large": column(rows=2000),
    "in columns": np.asfortranarray(np.hstack([column(), column()])),
    "with gaps": np.repeat(column(), 3, axis=1)[:, ::2],
}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("change", [set_first, set_array, set_tuple])
def test_data_that_change_between_two_runs_end_the_search(table: Any, change: Callable[[Any], None]) -> None:
    """Whether an element, the array or a tuple is set anew, and however the array lies in memory."""
    stairs = Stairs(table.copy(order="K") if table.flags.owndata else np.repeat(column(), 3, axis=1)[:, ::2])
    search = bf.Search(stairs, "uniform-cost", engine="compiled")
    assert search.run(bf.Limits(expansions=2)).status == "limit"
    change(stairs)
    with pytest.raises(bf.InputError, match="of stairs has changed"):
        search.run()


def test_a_search_goes_on_with_equal_data() -> None:
    """Set anew, or set back to what they were."""
    stairs = Stairs(column())
    search = bf.Search(stairs, "uniform-cost", engine="compiled")
    assert search.run(bf.Limits(expansions=2)).status == "limit"
    stairs.cost = column()
    assert search.run(bf.Limits(expansions=1)).status == "limit"
    set_first(stairs)
    with pytest.raises(bf.InputError, match="cost of stairs has changed"):
        search.run()
    stairs.cost[0, 0] = 1
    assert search.run().cost == 5


@pytest.mark.parametrize("algorithm", ["idastar", "depth-first-branch-and-bound"])
def test_a_number_that_changes_between_two_runs_ends_the_search(algorithm: str) -> None:
    """Set back to what it was, the search goes on."""
    pancakes = Pancakes([2, 8, 5, 3, 7, 1, 4, 6])
    search = bf.Search(pancakes, algorithm, engine="compiled")
    assert search.run(bf.Limits(expansions=2)).status == "limit"
    goal, pancakes.goal = pancakes.goal, 0
    with pytest.raises(bf.InputError, match="goal of pancakes has changed"):
        search.run()
    pancakes.goal = goal
    assert search.run().cost is not None
