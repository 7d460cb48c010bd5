"""The nodes of a compiled search, by index in arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from bestfirst.compiled.compiler.state_fields import words_of_state
from bestfirst.compiled.store.growth import grown
from bestfirst.compiled.store.state_table import NONE
from bestfirst.domain import Domain


class Nodes:
    """Nodes never change: a new path to the same state creates a new node.

    arrays: the states (one array per word), g, the indices of the parents, and the actions that led to the nodes. The first
    nodes are the roots, one for each of the domains.
    """

    def __init__(self, domains: Sequence[Domain], cost_type: type[np.number[Any]], size: int) -> None:
        roots = [words_of_state(domain, domain.initial) for domain in domains]
        rows = tuple(np.array(words, np.int64) for words in zip(*roots, strict=True))
        count = len(domains)
        self.arrays: tuple[Any, ...] = (
            rows,
            np.zeros(count, cost_type),
            np.full(count, NONE, np.int32),
            np.zeros(count, np.int32),
        )
        self.resize(size)

    def resize(self, size: int) -> None:
        """Make room for `size` nodes."""
        rows, *columns = self.arrays
        self.arrays = tuple(grown(row, size) for row in rows), *(grown(column, size) for column in columns)

    def way(self, place: int) -> list[int]:
        """The actions from the root to a node."""
        _rows, _costs, parents, actions = self.arrays
        way = []
        while parents[place] != NONE:
            way.append(int(actions[place]))
            place = parents[place]
        way.reverse()
        return way

    def __iter__(self) -> Iterator[Any]:
        """The arrays, one by one."""
        rows, *columns = self.arrays
        yield from (*rows, *columns)
