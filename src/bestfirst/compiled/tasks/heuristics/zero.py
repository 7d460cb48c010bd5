"""The estimate of a search without a heuristic: 0 everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, Int
    from bestfirst.planning.task import Task


def evaluate(values: Array, tables: Arrays, scratch: Arrays) -> Int:  # noqa: ARG001  (those of every evaluation)
    """The estimate of a state."""
    return np.int64(0)


parts = ()


def tables(task: Task) -> Arrays:  # noqa: ARG001
    """One array, which is not read."""
    return (np.zeros(1, np.int64),)


def new_scratch(task: Task) -> Arrays:  # noqa: ARG001
    """One array, which is not used."""
    return (np.zeros(1, np.int64),)
