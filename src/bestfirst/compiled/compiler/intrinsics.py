"""Processor instructions that Python lacks: their meaning, in Python. intrinsic_code.py contains their machine code."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Address, Array, Int


def prefetch(array: Array, place: Int) -> None:
    """Begin to fetch an element of an array from memory; changes nothing except timing."""


def lowest_bit(bits: Int) -> int:
    """The index of the lowest set bit of a non-zero int."""
    return (int(bits) & -int(bits)).bit_length() - 1


def fetch_add(array: Array, place: int, amount: int) -> Int:
    """Atomically add to an element of an array of int64, and return its old value."""
    before = array[place]
    array[place] += amount
    return before


def put_if(array: Array, place: int, expected: int, value: int) -> Int:
    """Atomically store a value in an element of an array of ints if it has the expected one; return the old one."""
    before = array[place]
    if before == expected:
        array[place] = value
    return before


def whole_number(value: Int) -> int:
    """The value of a field of a state, which must be an int; compiled code checks that by its types."""
    return int(value)


def call_host(address: int) -> Int:
    """Call a function of Python, made callable by ctypes as one without arguments that returns an int64; return its result."""
    return ctypes.CFUNCTYPE(ctypes.c_int64)(int(address))()


def kept_in_memory(value: object) -> Address:
    """A value as an argument that takes one word: compiled code passes its address; valid until the caller returns."""
    return value


def in_memory(address: Address) -> Any:
    """The value that kept_in_memory() was given."""
    return address
