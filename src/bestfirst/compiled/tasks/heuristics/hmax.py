"""h_max, compiled: the twin of planning/heuristics/hmax.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.tasks.evaluation import DEAD_END
from bestfirst.compiled.tasks.heuristics import exploration
from bestfirst.compiled.tasks.heuristics.exploration import explore, new_exploration, tables_of
from bestfirst.planning.heuristics.relaxation import merged_relaxation

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, Int
    from bestfirst.planning.task import Task


def evaluate(values: Array, tables: Arrays, scratch: Arrays) -> Int:
    """The greatest cost of a goal fact."""
    if explore(values, tables, scratch, False, True) > 0:
        return np.int64(DEAD_END)
    costs, goal, greatest = scratch[0], tables[8], np.int64(0)
    for at in range(len(goal) - 1):
        greatest = max(greatest, np.int64(costs[np.uint64(goal[np.uint64(at)])]))
    return greatest


parts = exploration.parts


def tables(task: Task) -> Arrays:
    """The arrays of the delete relaxation (exploration.py)."""
    return tables_of(task, merged_relaxation(task))


def new_scratch(task: Task) -> Arrays:
    """The arrays of an exploration."""
    return new_exploration(task, merged_relaxation(task))
