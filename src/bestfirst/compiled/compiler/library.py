"""Functions of math about ints, in plain Python: compiled code calls these in their place."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import cast


def isqrt(number: int) -> int:
    """Newton's method, from above."""
    if number < 0:
        raise ValueError
    if number == 0:
        return 0
    root = 1 << ((number.bit_length() + 1) // 2)
    while True:
        lower = (root + number // root) // 2
        if lower >= root:
            return root
        root = lower


def gcd(one: int, other: int) -> int:
    """Euclid's algorithm."""
    one, other = abs(one), abs(other)
    while other != 0:
        one, other = other, one % other
    return one


def lcm(one: int, other: int) -> int:
    """The product without the common divisors."""
    if one == 0 or other == 0:
        return 0
    return abs(one // gcd(one, other) * other)


def comb(number: int, chosen: int) -> int:
    """Each product is a binomial coefficient: common factors are divided out before multiplying."""
    if number < 0 or chosen < 0:
        raise ValueError
    if chosen > number:
        return 0
    made = 1
    for turn in range(min(chosen, number - chosen)):
        common = gcd(made, turn + 1)
        made = made // common * ((number - turn) // ((turn + 1) // common))
    return made


def perm(number: int, chosen: int) -> int:
    """The product of the largest factors."""
    if number < 0 or chosen < 0:
        raise ValueError
    if chosen > number:
        return 0
    made = 1
    for turn in range(chosen):
        made *= number - turn
    return made


def factorial(number: int) -> int:
    """The product of all factors."""
    if number < 0:
        raise ValueError
    made = 1
    for factor in range(2, number + 1):
        made *= factor
    return made


WHOLE_MATH: Mapping[str, Callable[..., int]] = {
    function.__name__: function for function in (isqrt, gcd, lcm, comb, perm, factorial)
}
"""These functions, by their names in math."""


def in_place_of(called: object) -> FunctionType | None:
    """The function that compiled code calls in place of a function of math; None if there is none."""
    name = next((name for name in WHOLE_MATH if getattr(math, name) is called), None)
    return None if name is None else cast("FunctionType", WHOLE_MATH[name])
