"""The number of goal facts that do not hold, compiled: the twin of planning/heuristics/goal_count.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, Int
    from bestfirst.planning.task import Task


def missing(values: Array, goal: Array, stop: bool) -> Int:
    """The number of goal facts that do not hold. stop: whether to count only up to 1."""
    count = np.int64(0)
    for at in range(0, len(goal) - 1, 2):
        if values[np.uint64(goal[at])] != goal[at + 1]:
            count += 1
            if stop:
                break
    return count


def evaluate(values: Array, tables: Arrays, scratch: Arrays) -> Int:  # noqa: ARG001
    """The number of goal facts that do not hold."""
    return missing(values, tables[0], False)


parts = (missing,)


def tables(task: Task) -> Arrays:
    """The variables and values of the goal, in turn; and a 0, so that it is not empty."""
    return (np.array([number for fact in task.goal for number in fact] + [0], np.int32),)


def new_scratch(task: Task) -> Arrays:  # noqa: ARG001
    """One array, which is not used."""
    return (np.zeros(1, np.int64),)
