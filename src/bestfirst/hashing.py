"""How states are hashed: alike in both engines and on disk, so that each finds what the other has put into a table."""

from __future__ import annotations

from collections.abc import Sequence

FACTOR = 0xBF58476D1CE4E5B9
SHIFT = 29
_WORD = (1 << 64) - 1


def hash_of(values: Sequence[int]) -> int:
    """The hash of a state with these fields; compiled code has the same (domain_methods.py)."""
    mixed = 0
    for value in values:
        mixed = (mixed ^ (value & _WORD)) * FACTOR & _WORD
        mixed ^= mixed >> SHIFT
    return mixed
