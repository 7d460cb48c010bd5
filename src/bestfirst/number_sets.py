"""Sets of small numbers as ints, as methods of a Domain use them: bit i is 1 if i is a member."""

from __future__ import annotations

from collections.abc import Iterator

from bestfirst.errors import InputError


def members(numbers: int) -> Iterator[int]:
    """The members of a set of numbers, in ascending order: 0, 2 and 3 of 0b1101.

    Compiled code can loop over them, too: `for place in bf.members(state.unvisited)`.
    Raises InputError for a negative number, in which infinitely many bits are 1.
    """
    if numbers < 0:
        raise InputError(f"numbers is {numbers}; pass an int >= 0, in which bit i is 1 if i is a member")
    while numbers:
        lowest = numbers & -numbers
        yield lowest.bit_length() - 1
        numbers ^= lowest
