"""The nodes of a compiled search, by index in arrays, and their hash table. add_node and enter_nodes are parts of kernels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.state_fields import words_of_state
from bestfirst.compiled.store.growth import grown
from bestfirst.compiled.store.state_table import NONE, find
from bestfirst.domain import Domain

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import load, store
    from bestfirst.compiled.store.aliases import Array, Arrays, Int, Number, NumberType, Search, State, Table
    from bestfirst.compiled.store.aliases import Nodes as NodeArrays


def add_node(
    search: Search, nodes: NodeArrays, table: Table, slot: Int, state: State, g: Number, parent: Int, action: Int
) -> Int:
    """Make a node, which the table finds from now on; returns its index."""
    rows, costs, parents, actions = nodes
    place = np.uint64(search.nodes)  # unsigned: no check for negative indices
    search.nodes += 1
    table[np.uint64(slot)] = place
    store(rows, place, state)
    costs[place], parents[place], actions[place] = g, parent, action
    return np.int64(place)


def enter_nodes(search: Search, nodes: NodeArrays, table: Table) -> None:
    """Enter the nodes into the table if it is new and empty."""
    rows, _costs, _parents, _actions = nodes
    if search.table_is_new:
        for place in range(search.nodes):
            table[find(rows, table, load(rows, place))] = place
        search.table_is_new = 0


class Nodes:
    """Nodes never change: a new path to the same state creates a new node.

    arrays: the states (one array per word), g, the indices of the parents, and the actions that led to the nodes. The first
    nodes are the roots, one for each of the domains.
    """

    def __init__(self, domains: Sequence[Domain], cost_type: NumberType, size: int) -> None:
        roots = [words_of_state(domain, domain.initial) for domain in domains]
        rows = tuple(np.array(words, np.int64) for words in zip(*roots, strict=True))
        count = len(domains)
        columns = np.zeros(count, cost_type), np.full(count, NONE, np.int32), np.zeros(count, np.int32)
        self.arrays: Arrays = rows, *columns
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

    def saved(self, size: int) -> dict[str, Array]:
        """The data from which ReplayedNodes makes the first `size` nodes again."""
        _rows, _costs, parents, actions = self.arrays
        return {"parents": parents[:size], "actions": actions[:size]}

    def __iter__(self) -> Iterator[Array]:
        """The arrays, one by one."""
        rows, *columns = self.arrays
        yield from (*rows, *columns)
