"""pdb:... in kernels: an index for each pattern, and the largest sum of what is found there (planning/pattern_heuristic.py)."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.tasks.evaluation import DEAD_END

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bestfirst.compiled.store.aliases import Array, Arrays, Int
    from bestfirst.planning.pattern_heuristic import Table
    from bestfirst.planning.task import Task

word = np.uint64
"""An index: unsigned, which saves the check for negative values."""


def evaluate(values: Array, tables: Arrays, scratch: Arrays) -> Int:
    """tables: where the weights of each pattern begin, their variables, the weights; where the entries of each begin, all entries,
    and that of a dead end; where each additive subset begins, and its patterns. scratch: the distance of each pattern.
    """
    first_weight, variables, weights, first_entry, entries, unknown, first_member, members = tables
    (distances,) = scratch
    for pattern in range(len(distances)):
        index = first_entry[pattern]
        for at in range(first_weight[pattern], first_weight[pattern + 1]):
            index += np.int64(values[word(variables[word(at)])]) * weights[word(at)]
        distance = np.int64(entries[word(index)])
        if distance == unknown[0]:
            return np.int64(DEAD_END)
        distances[pattern] = distance
    most = np.int64(0)
    for subset in range(len(first_member) - 1):
        total = np.int64(0)
        for at in range(first_member[subset], first_member[subset + 1]):
            total += distances[word(members[word(at)])]
        most = max(most, total)
    return min(most, np.int64(DEAD_END - 1))


parts = ()


def tables(task: Task, name: str) -> Arrays:
    """name: what follows "pdb:"."""
    from bestfirst.planning.pattern_heuristic import estimate_named  # noqa: PLC0415  (it imports the compiler)

    estimate = estimate_named(task, name)
    weights = [table.weights for table in estimate.tables]
    entries, unknown = _joined(estimate.tables)
    return (
        _array(accumulate(map(len, weights), initial=0)),
        _array(variable for one in weights for variable, _ in one),
        _array(weight for one in weights for _, weight in one),
        _array(accumulate((len(table.distances) for table in estimate.tables[:-1]), initial=0)),
        entries,
        _array([unknown]),
        _array(accumulate(map(len, estimate.subsets), initial=0)),
        _array(pattern for subset in estimate.subsets for pattern in subset),
    )


def new_scratch(task: Task, name: str) -> Arrays:
    """name: what follows "pdb:"."""
    from bestfirst.planning.patterns import patterns_named  # noqa: PLC0415

    return (np.zeros(len(patterns_named(task, name)), np.int64),)


def _joined(given: Sequence[Table]) -> tuple[Array, int]:
    """All entries as one array, and the entry of a dead end: bytes, unless a table has wider entries."""
    if len(given) == 1:
        return given[0].distances, given[0].unknown
    unknown = max(table.unknown for table in given)
    widest = max((table.distances.dtype for table in given), key=lambda kind: kind.itemsize)
    joined = [
        np.where(table.distances == table.unknown, unknown, table.distances.astype(widest)).astype(widest) for table in given
    ]
    return np.concatenate(joined), unknown


def _array(numbers: Iterable[int]) -> Array:
    return np.array(list(numbers), np.int64)
