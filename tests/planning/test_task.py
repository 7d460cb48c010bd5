"""Tasks: states, successors and goals."""

from __future__ import annotations

import bestfirst as bf
from planning_tasks import switches, towers


def test_operators_are_applied_where_their_preconditions_hold() -> None:
    """Only the next switch can be turned on."""
    task = switches(3)
    assert list(task.successors((1, 0, 0))) == [("turn-on 1", (1, 1, 0), 2)]


def test_a_search_finds_a_cheapest_plan() -> None:
    """Four blocks on a table become a tower in three moves."""
    solution = bf.solve(towers(4), "uniform-cost", engine="python")
    assert solution.actions == ["move 2 4 3", "move 1 4 2", "move 0 4 1"]
    assert bf.solve(switches(4), "uniform-cost", engine="python").cost == 1 + 2 + 3 + 4
