"""Words: ints as the 64 bits in which compiled code holds them, and the hash of several."""

from __future__ import annotations

from collections.abc import Iterable

WORD = (1 << 64) - 1
HASH_FACTOR = 0xBF58476D1CE4E5B9
HASH_SHIFT = 29


def signed(number: int) -> int:
    """The signed 64-bit int that equals a number modulo 2**64."""
    return (number + (1 << 63) & WORD) - (1 << 63)


def hash_of(values: Iterable[int]) -> int:
    """The hash of several ints, from 0 to 2**64 - 1. compiled/store/hashing.py writes the same for compiled code."""
    mixed = 0
    for value in values:
        mixed = (mixed ^ (value & WORD)) * HASH_FACTOR & WORD
        mixed ^= mixed >> HASH_SHIFT
    return mixed
