"""A table of distances in which a state is found by its hash, so that a domain without a rank can have a pattern database.

It is one array of bytes with a power of two of slots: the first fields of all states, 8 bytes each, then their second
fields, and so on, and then the distances, one byte each, 255 in an empty slot. A state is in the slot of its hash, or in one
of the next ones without an empty slot between (open addressing, linear probing; Knuth, The Art of Computer Programming 3,
6.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bestfirst.words import hash_of

EMPTY = 255
FULL_SHARE = 0.7
"""The maximum load: beyond this fraction of the slots, lookups take long."""


class HashedTable:
    """An array of bytes as a table. rows: for each field, its values by slot. distances: by slot."""

    def __init__(self, content: Any, fields: int) -> None:
        slots = len(content) // bytes_of_slot(fields)
        keys = content[: 8 * fields * slots].view("int64")
        self.rows = tuple(keys[field * slots : (field + 1) * slots] for field in range(fields))
        self.distances = content[8 * fields * slots :]

    def find(self, words: Sequence[int], telling: Sequence[int]) -> int:
        """The slot of a state, or an empty one if it is missing. telling: the indices of the fields that distinguish
        states."""
        last = len(self.distances) - 1
        slot = hash_of([words[field] for field in telling]) & last
        while self.distances[slot] != EMPTY and any(self.rows[field][slot] != words[field] for field in telling):
            slot = (slot + 1) & last
        return slot


def bytes_of_slot(fields: int) -> int:
    """The bytes of a slot, for states with this many fields."""
    return 8 * fields + 1


def bytes_to_sort(slot: int) -> int:
    """The bytes per state, besides the tables, for sorting the states: the state, its index, and working space."""
    return slot + 24


def may_hold(slots: int) -> int:
    """The maximum number of states in this many slots."""
    return int(FULL_SHARE * slots)


def slots_for(states: int) -> int:
    """The smallest power of two of slots that may hold this many states."""
    slots = 8
    while may_hold(slots) < states:
        slots *= 2
    return slots
