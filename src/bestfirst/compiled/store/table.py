"""The table that finds the node of a state: indices + 1 of the nodes, 0 for none.

If the domain has rank(), the table has an entry for each rank (RANKED). Otherwise it is a hash table with open addressing
and linear probing, whose size is a power of two. Its entries have 32 bits, of which an index needs as many as the size has;
the others hold a tag, a part of the state's hash, so that most other states are excluded without access to their records:

     31      tag      b b-1      place + 1     0       in a table of 2**b entries
    +------------------+------------------------+
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.intrinsics import prefetch
from bestfirst.domain import Domain

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import RANKED, attempt_rank, is_state, mix_of, rank, state_of
    from bestfirst.compiled.store.aliases import Int, Nodes, Self, State, Table

MOST_RANKS = 1 << 26
"""Above this ratio a table by rank would be mostly empty: then a hash table is smaller."""
ENTRY = np.uint32
TAG_SHIFT = 31
TAG_BITS = (1 << 32) - 1
KEY_BITS = (1 << 63) - 1
HIGH_SHIFT, HIGH_BITS = 32, 31
"""The high bits of a key that decide, with the lowest ones, about the slot."""
NO_NODE = -1
BATCH = 32
"""The number of entries for which memory is requested together when a table is filled."""


def key_of(me: Self, table: Table, state: State) -> Int:
    """The key of a state: its rank, -1 if that is invalid, or its hash."""
    if RANKED:
        number = rank(me, state)
        return number if 0 <= number < len(table) else -1
    return mix_of(state) & KEY_BITS


def attempt_key_of(me: Self, table: Table, state: State) -> Int:
    """Like key_of(), for a state that may never be met: -1 also if rank() stops."""
    if RANKED:
        has_answer, number = attempt_rank(me, state)
        return number if has_answer and 0 <= number < len(table) else -1
    return mix_of(state) & KEY_BITS


def first_slot(table: Table, key: Int) -> Int:
    """The first slot to check: of a hash, the lowest bits, each changed by one of the highest, which depend on all of the state.

    A low bit of a product depends on lower bits only: by the lowest bits alone, sets that differ in high members share slots.
    """
    return key if RANKED else ((key >> HIGH_SHIFT) * len(table) >> HIGH_BITS) ^ (key & (len(table) - 1))


def tag_of(table: Table, key: Int) -> Int:
    """The part of an entry besides the index, which entries with the same tag share."""
    return 0 if RANKED else (key >> TAG_SHIFT) & TAG_BITS & -len(table)


def place_in(table: Table, slot: Int) -> Int:
    """The node index in a slot, -1 for none."""
    entry = np.int64(table[slot])
    return (entry if RANKED else entry & (len(table) - 1)) - 1


def find(nodes: Nodes, table: Table, key: Int, state: State) -> Int:
    """The slot with the node of a state, or the empty one where it belongs."""
    slot = first_slot(table, key)
    if RANKED:
        return slot
    tag, others = tag_of(table, key), -len(table)
    while True:
        entry = np.int64(table[slot])
        if entry == 0 or (entry & others == tag and is_state(nodes, place_in(table, slot), state)):
            return slot
        slot = (slot + 1) & (len(table) - 1)


def put(table: Table, slot: Int, key: Int, place: Int) -> None:
    """Store a node in a slot."""
    table[slot] = tag_of(table, key) | (place + 1)


def fill_table(me: Self, nodes: Nodes, table: Table, size: int) -> None:
    """Enter the nodes into an empty table. Of several nodes with one state, the last is kept."""
    for place in range(size):
        if place + BATCH < size:
            prefetch(table, first_slot(table, key_of(me, table, state_of(nodes, place + BATCH))))
        state = state_of(nodes, place)
        key = key_of(me, table, state)
        put(table, find(nodes, table, key, state), key, place)


def clear_table(me: Self, nodes: Nodes, table: Table, size: int) -> None:
    """Empty a table by rank that has no other nodes than these: faster than to clear all of it if they are few."""
    for place in range(size):
        put(table, key_of(me, table, state_of(nodes, place)), 0, NO_NODE)


PARTS = (key_of, attempt_key_of, first_slot, tag_of, place_in, find, put, fill_table, clear_table)


def is_ranked(domain: Domain) -> bool:
    """Whether the table of a domain is by rank."""
    return domain.defines("rank") and 0 < domain.size <= MOST_RANKS
