"""A table of distances in which a state is found by its hash, so that a domain without a rank can have a pattern database.

It is one array of bytes, for so many slots, a power of two: the first fields of the states, 8 bytes each, then their second fields,
and so on, and then the distances, a byte each, 255 where a slot is empty. A state is in the slot that its hash says, or in one of
the next: there is no empty slot between (open addressing, linear probing; Knuth, The Art of Computer Programming 3, 6.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bestfirst.words import hash_of

EMPTY = 255
FULL_SHARE = 0.7
"""Of the slots: beyond that, looking for a state takes long."""


class HashedTable:
    """An array of bytes as a table. rows: by field, its values by slot. distances: by slot."""

    def __init__(self, content: Any, fields: int) -> None:
        slots = len(content) // bytes_of_slot(fields)
        keys = content[: 8 * fields * slots].view("int64")
        self.rows = tuple(keys[field * slots : (field + 1) * slots] for field in range(fields))
        self.distances = content[8 * fields * slots :]

    def find(self, state: Sequence[int], telling: Sequence[int]) -> int:
        """The slot of a state, or an empty one if it is not there. telling: the places of the fields that tell states apart."""
        last = len(self.distances) - 1
        slot = hash_of([state[field] for field in telling]) & last
        while self.distances[slot] != EMPTY and any(self.rows[field][slot] != state[field] for field in telling):
            slot = (slot + 1) & last
        return slot


def bytes_of_slot(fields: int) -> int:
    """What a slot takes, for states of so many fields."""
    return 8 * fields + 1


def bytes_to_sort(slot: int) -> int:
    """What a state takes beside the tables while states are put in order: itself, its place, and what sorting takes."""
    return slot + 24


def may_hold(slots: int) -> int:
    """How many states may be in so many slots."""
    return int(FULL_SHARE * slots)


def slots_for(states: int) -> int:
    """The fewest slots that may hold so many states: a power of two."""
    slots = 8
    while may_hold(slots) < states:
        slots *= 2
    return slots
