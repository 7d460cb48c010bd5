"""h_add, compiled: the twin of planning/heuristics/hadd.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.tasks.evaluation import DEAD_END
from bestfirst.compiled.tasks.heuristics import exploration
from bestfirst.compiled.tasks.heuristics.exploration import explore
from bestfirst.compiled.tasks.heuristics.hmax import new_scratch, tables

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, Int

__all__ = ["evaluate", "new_scratch", "parts", "tables"]


def evaluate(values: Array, tables: Arrays, scratch: Arrays) -> Int:
    """The sum of the costs of the goal facts, at most DEAD_END - 1."""
    if explore(values, tables, scratch, True, True) > 0:
        return np.int64(DEAD_END)
    costs, goal, total = scratch[0], tables[8], np.int64(0)
    for at in range(len(goal) - 1):
        total += costs[np.uint64(goal[np.uint64(at)])]
    return min(total, np.int64(DEAD_END - 1))


parts = exploration.parts
