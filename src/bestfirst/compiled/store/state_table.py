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
    """The slot in which the search for a state begins.

    The high half of the hash decides, scaled to the table: it depends on all bits of the state. A low bit of a product depends
    on lower bits only, so that sets which differ in their highest members would share slots.
    """
    half = np.uint64(32)
    return np.int64((hash_of(state) >> half) * np.uint64(len(table)) >> half)


def find_from(rows: Arrays, table: Table, state: State, slot: Int) -> Int:
    """Like find(), if the state is in none of the slots before this one."""
    last, one, at = np.uint64(len(table) - 1), np.uint64(1), np.uint64(slot)  # unsigned: no check for negative indices
    while table[at] >= 0 and not is_same(rows, table[at], state):
        at = at + one & last
    return np.int64(at)


def find(rows: Arrays, table: Table, state: State) -> Int:
    """The slot with the index of a state in the rows, or the empty one where it belongs."""
    return find_from(rows, table, state, first_slot(table, state))


PARTS = (first_slot, find_from, find)


def empty_table(places: int) -> Array:
    """A table for up to `places` states, a power of two: at most half of it will be full."""
    return np.full(2 * places, NONE, np.int32)
