"""What the processor can do and Python has no word for: what it means, in Python. intrinsic_code.py says how it is compiled."""

from __future__ import annotations

from typing import Any


def prefetch(array: Any, place: Any) -> None:
    """Begin to fetch an element of an array from memory; it changes nothing but the time until that is there."""


def lowest_bit(bits: Any) -> Any:
    """The place of the lowest bit that is set in an int that is not 0."""
    return (int(bits) & -int(bits)).bit_length() - 1


def fetch_add(array: Any, place: int, amount: int) -> Any:
    """Add to an element of an array of int64, and give what it was before, at one go: no other thread comes in between."""
    before = array[place]
    array[place] += amount
    return before


def whole_number(value: Any) -> int:
    """The value of a field of a state, which must be an int; compiled code is told so by its types."""
    return int(value)
