"""The nodes of task searches, and the hash table that finds the node of a packed state.

nodes: (rows, parents, operators, nexts). A row is the words of the state, and after them the costs in one word: h, whether the
node is open, and g (see costs_of). parents, operators: how a node was reached. nexts: of the agenda.
A node never changes, except that it closes: a cheaper path to its state makes another node, which takes its place in the
table. A dead end is a closed node too, so that its state is evaluated only once.

table: for each slot, the number of a node + 1 in its lower half, and a part of the hash in its upper half; or 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.errors import NotCompilableError

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, Int, Nodes, Search, Table

WAITING = 1 << 31
"""The bit of the costs that marks an open node."""
LOW = (1 << 31) - 1
G_SHIFT = 32
MOST_G = LOW - 1
"""The cost of the most expensive path that a node can record."""
SLOTS = 2
"""Slots of the table for each node that fits: a power of two."""
NUMBER = (1 << 32) - 1
MOST_NODES = 1 << 31
FACTOR = -7046029254386353131
"""2**64 divided by the golden ratio, as a signed int."""


def new_nodes(width: int, size: int) -> Arrays:
    """Room for `size` nodes with states of `width` words."""
    return np.zeros(size * (width + 1), np.int64), *(np.zeros(size, np.int32) for _ in range(3))


def new_table(size: int) -> Array:
    """An empty table for `size` nodes, a power of two."""
    return np.zeros(size * SLOTS, np.int64)


def costs_of(g: Int, h: Int, flag: Int) -> Int:
    """The costs of a node in one word. flag: WAITING for an open one, else 0. A part of kernels."""
    return (np.int64(g) << G_SHIFT) | flag | h


def hash_of(words: Array, at: Int, width: Int) -> Int:
    """A hash of the packed state that begins at a place. A part of kernels."""
    mixed = np.int64(0)
    for number in range(width):
        mixed = (mixed ^ words[np.uint64(at + number)]) * FACTOR
        mixed ^= (mixed >> 32) & NUMBER
    return mixed


def find(rows: Array, width: Int, table: Table, mixed: Int, words: Array, at: Int) -> Int:
    """The slot of a packed state, which is free if the state is new. mixed: its hash. A part of kernels."""
    mask = len(table) - 1
    tag = (mixed >> 32) & LOW
    slot = mixed & mask
    while True:
        entry = table[np.uint64(slot)]
        if entry == 0:
            return slot
        if entry >> 32 == tag:
            row = ((entry & NUMBER) - 1) * (width + 1)
            same = True
            for number in range(width):
                if rows[np.uint64(row + number)] != words[np.uint64(at + number)]:
                    same = False
                    break
            if same:
                return slot
        slot = (slot + 1) & mask


def put(table: Table, slot: Int, mixed: Int, place: Int) -> None:
    """Let a slot lead to a node. A part of kernels."""
    table[np.uint64(slot)] = (((mixed >> 32) & LOW) << 32) | (place + 1)


def fill_table(rows: Array, width: Int, table: Table, count: Int) -> None:
    """Enter nodes into an empty table, later ones in place of earlier ones with the same state. A part of kernels."""
    for place in range(count):
        mixed = hash_of(rows, place * (width + 1), width)
        put(table, find(rows, width, table, mixed, rows, place * (width + 1)), mixed, place)


def add_node(search: Search, nodes: Nodes, width: Int, words: Array, at: Int, costs: Int, parent: Int, operator: Int) -> Int:
    """Make a node with the packed state that begins at a place; returns its number. A part of kernels."""
    rows, parents, operators, _nexts = nodes
    place = search.nodes
    row = place * (width + 1)
    for number in range(width):
        rows[np.uint64(row + number)] = words[np.uint64(at + number)]
    rows[np.uint64(row + width)] = costs
    parents[np.uint64(place)], operators[np.uint64(place)] = parent, operator
    search.nodes += 1
    return place


def too_costly(what: str) -> NotCompilableError:
    """The error for a task whose costs do not fit the compiled engine."""
    return NotCompilableError(
        f"{what} more than {MOST_G:,}, the largest sum of costs in the compiled engine; use engine='python'"
    )


PARTS = (costs_of, hash_of, find, put, fill_table, add_node)
