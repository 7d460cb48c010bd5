"""Words: ints as the 64 bits in which compiled code holds them, and the hash of several."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

WORD = (1 << 64) - 1
HASH_FACTOR = 0xBF58476D1CE4E5B9
HASH_SHIFT = 29


def signed(number: int) -> int:
    """The signed 64-bit int that equals a number modulo 2**64."""
    return (number + (1 << 63) & WORD) - (1 << 63)


def words_of(key: Any) -> tuple[int, ...]:
    """A key as signed words, as stored in the table: those of an int, of a tuple of ints, or of a tuple of such tuples."""
    if not isinstance(key, tuple):
        return (signed(key),)
    if tuple in map(type, key):
        key = tuple(word for part in key for word in (part if isinstance(part, tuple) else (part,)))
    return tuple(map(signed, key))


def hash_of(values: Iterable[int]) -> int:
    """The hash of several ints, from 0 to 2**64 - 1. compiled/store/hashing.py has it for compiled code."""
    mixed = 0
    for value in values:
        mixed = (mixed ^ (value & WORD)) * HASH_FACTOR & WORD
        mixed ^= mixed >> HASH_SHIFT
    return mixed
