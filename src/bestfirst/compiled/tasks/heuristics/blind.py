"""The blind heuristic, compiled: the twin of planning/heuristics/blind.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.tasks.heuristics import goal_count
from bestfirst.compiled.tasks.heuristics.goal_count import missing, new_scratch
from bestfirst.compiled.tasks.nodes import MOST_G, too_costly
from bestfirst.planning.heuristics.blind import cheapest

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, Int
    from bestfirst.planning.task import Task

__all__ = ["evaluate", "new_scratch", "parts", "tables"]


def evaluate(values: Array, tables: Arrays, scratch: Arrays) -> Int:  # noqa: ARG001
    """The cost of the cheapest operator; 0 for a goal."""
    goal, cost = tables
    return cost[0] if missing(values, goal, True) > 0 else np.int64(0)


parts = (missing,)


def tables(task: Task) -> Arrays:
    """The goal, as that of goal-count, and the cost of the cheapest operator.

    Raises NotCompilableError if that is too large.
    """
    cost = cheapest(task)
    if cost > MOST_G:
        raise too_costly("the cheapest operator costs")
    return *goal_count.tables(task), np.array([cost], np.int64)
