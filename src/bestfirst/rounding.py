"""Costs and estimates as Python numbers, compared so that the rounding of floats is not taken for a fault."""

from __future__ import annotations

import math
import operator
import sys
from typing import Any

RELATIVE_ROUNDING = 1e-9
ABSOLUTE_ROUNDING = 1e-12
"""Numbers that differ by no more than this may be equal but for rounding."""
EXACT_INTS = 2**53
"""Floats hold all ints up to this one."""
LARGEST = sys.float_info.max
"""Costs and estimates are at most so large, unless infinite: ints beyond it could not be added to floats."""
OWN_ROUNDINGS = 16
"""Roundings, beside those of adding up a path, that a bound may have: those of the estimate in it."""


def as_number(value: Any) -> int | float:
    """An int or a float equal to a number of another type, such as NumPy's, whose small ints overflow when they are added.

    Raises TypeError or ValueError for what is no number.
    """
    if isinstance(value, str | bytes):
        raise TypeError("a text is no number")
    try:
        return operator.index(value)
    except TypeError:
        return float(value)


def exceeds(one: float, other: float) -> bool:
    """Whether a number is greater than another one: by more than rounding explains, where they are not both ints."""
    if one <= other or (isinstance(one, int) and isinstance(other, int)):
        return one > other
    return not math.isclose(one, other, rel_tol=RELATIVE_ROUNDING, abs_tol=ABSOLUTE_ROUNDING)


def rounding(number: float, additions: int) -> float:
    """By how much a float that is made by so many additions of numbers >= 0 can be off, if it is a bound with an estimate too."""
    return (2 * additions + OWN_ROUNDINGS) * sys.float_info.epsilon * abs(number)


def exceeds_rounding(one: float, other: float, additions: int) -> bool:
    """Whether a number is greater than another one by more than the roundings of so many additions can explain; ints: at all."""
    if one <= other or (isinstance(one, int) and isinstance(other, int)):
        return one > other
    return one - other > rounding(one, additions)


def exceeds_bound(cost: float, bound: float, additions: int) -> bool:
    """Whether a cost, the sum of so many, is greater than a lower bound, so that a cheaper one is not ruled out.

    A whole cost, an int, is compared exactly: below 2**53 a float bound is never rounded beyond a whole cost that it is below.
    """
    return cost > bound if isinstance(cost, int) else exceeds_rounding(cost, bound, additions)


def exceeds_part(one: float, part: float, whole: float, additions: int) -> bool:
    """Whether a number is greater than a part of a sum of so many, by more than the rounding of the whole sum can explain.

    A part that is a difference of two sums is off by as much as they are, however small it is.
    """
    if one <= part or one == math.inf or (isinstance(one, int) and isinstance(part, int)):
        return one > part
    return one - part > rounding(whole, additions) + rounding(one, 0)


def is_sum(total: float, said: float, additions: int) -> bool:
    """Whether the number that is said to be a sum is that sum: exactly if both are ints, otherwise up to rounding."""
    return total == said or (
        not (isinstance(total, int) and isinstance(said, int)) and abs(total - said) <= rounding(total, additions)
    )


def sound_bound(bound: float) -> float:
    """A float bound of whole costs, taken back by its rounding where floats do not hold all ints."""
    if isinstance(bound, int) or not EXACT_INTS <= bound < math.inf:
        return bound
    return int(bound) - math.ceil(rounding(bound, 0))
