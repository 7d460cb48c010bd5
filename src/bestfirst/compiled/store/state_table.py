"""A hash table that finds the indices of states: open addressing, linear probing. Parts of engine templates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import hash_of, is_same
    from bestfirst.compiled.store.aliases import Array, Arrays, Int, State, Table

NONE = -1
"""In a table: an empty slot. For a node: no parent."""


def first_slot(table: Table, state: State) -> Int:
    """The slot in which the search for a state begins."""
    return np.int64(hash_of(state) & np.uint64(len(table) - 1))


def find_from(rows: Arrays, table: Table, state: State, slot: Int) -> Int:
    """Like find(), if the state is in none of the slots before this one."""
    last = len(table) - 1
    while table[slot] >= 0 and not is_same(rows, table[slot], state):
        slot = (slot + 1) & last
    return slot


def find(rows: Arrays, table: Table, state: State) -> Int:
    """The slot with the index of a state in the rows, or the empty one where it belongs."""
    return find_from(rows, table, state, first_slot(table, state))


PARTS = (first_slot, find_from, find)


def empty_table(places: int) -> Array:
    """A table for up to `places` states, a power of two: at most half of it will be full."""
    return np.full(2 * places, NONE, np.int32)
