"""The table in which a state is found again: places + 1 of the nodes, 0 where there is none.

Where the domain has rank(), the table has an entry for each rank (RANKED). Elsewhere it is a hash table with open addressing and
linear probing, whose size is a power of two. An entry of that has 32 bits, of which a place needs as many as the size has; the
others hold a tag, a part of the state's hash, so that most other states are told apart without a look at their records:

     31      tag      b b-1      place + 1     0       in a table of 2**b entries
    +------------------+------------------------+
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.compiler.intrinsics import prefetch
from bestfirst.domain import Domain

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import RANKED, attempt_rank, is_state, mix_of, rank, state_of

MOST_RANKS = 1 << 26
"""A larger table by rank would be mostly empty: then a hash table is smaller."""
ENTRY = np.uint32
TAG_SHIFT = 31
TAG_BITS = (1 << 32) - 1
KEY_BITS = (1 << 63) - 1
BATCH = 32
"""Entries of a table that is filled that memory is asked for at once."""


def key_of(me: Any, table: Any, state: Any) -> Any:
    """What a state is looked up by: its rank, -1 if that is none, or its hash."""
    if RANKED:
        number = rank(me, state)
        return number if 0 <= number < len(table) else -1
    return mix_of(state) & KEY_BITS


def attempt_key_of(me: Any, table: Any, state: Any) -> Any:
    """The same for a state that may never be met: -1 also where rank() cannot go on."""
    if RANKED:
        has_answer, number = attempt_rank(me, state)
        return number if has_answer and 0 <= number < len(table) else -1
    return mix_of(state) & KEY_BITS


def first_slot(table: Any, key: Any) -> Any:
    """The first slot to look in."""
    return key if RANKED else key & (len(table) - 1)


def tag_of(table: Any, key: Any) -> Any:
    """What an entry has in common with those of the same tag beside the place."""
    return 0 if RANKED else (key >> TAG_SHIFT) & TAG_BITS & -len(table)


def place_in(table: Any, slot: Any) -> Any:
    """The place of the node that a slot names, -1 for none."""
    entry = np.int64(table[slot])
    return (entry if RANKED else entry & (len(table) - 1)) - 1


def find(nodes: Any, table: Any, key: Any, state: Any) -> Any:
    """The slot that names the node of a state, or the empty one where it belongs."""
    slot = first_slot(table, key)
    if RANKED:
        return slot
    tag, others = tag_of(table, key), -len(table)
    while True:
        entry = np.int64(table[slot])
        if entry == 0 or (entry & others == tag and is_state(nodes, place_in(table, slot), state)):
            return slot
        slot = (slot + 1) & (len(table) - 1)


def put(table: Any, slot: Any, key: Any, place: Any) -> None:
    """Let a slot name a node."""
    table[slot] = tag_of(table, key) | (place + 1)


def fill_table(me: Any, nodes: Any, table: Any, size: int) -> None:
    """Enter the nodes into an empty table. Of several nodes of one state the last one counts."""
    for place in range(size):
        if place + BATCH < size:
            prefetch(table, first_slot(table, key_of(me, table, state_of(nodes, place + BATCH))))
        state = state_of(nodes, place)
        key = key_of(me, table, state)
        put(table, find(nodes, table, key, state), key, place)


PARTS = (key_of, attempt_key_of, first_slot, tag_of, place_in, find, put, fill_table)


def is_ranked(domain: Domain) -> bool:
    """Whether the table of a domain is one by rank."""
    return domain.defines("rank") and 0 < domain.size <= MOST_RANKS
