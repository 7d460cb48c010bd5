"""A hash table that finds the indices of states: open addressing, linear probing. Parts of engine templates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import hash_of, is_same
    from bestfirst.compiled.store.aliases import Array, Arrays, Int, State, Table

NONE = -1
"""In a table: an empty slot. For a node: no parent."""


def find(rows: Arrays, table: Table, state: State) -> Int:
    """The slot with the index of a state in the rows, or the empty one where it belongs."""
    last = len(table) - 1
    slot = np.int64(hash_of(state) & np.uint64(last))
    while table[slot] >= 0 and not is_same(rows, table[slot], state):
        slot = (slot + 1) & last
    return slot


def empty_table(places: int) -> Array:
    """A table for up to `places` states, a power of two: at most half of it will be full."""
    return np.full(2 * places, NONE, np.int32)
