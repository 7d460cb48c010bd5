"""Costs and estimates as Python numbers, compared so that the rounding of floats is not taken for a fault."""

from __future__ import annotations

import math
import operator
import sys
from typing import Any

RELATIVE_ROUNDING = 1e-9
ABSOLUTE_ROUNDING = 1e-12
"""Two numbers that differ by no more than this may be equal except for rounding."""
EXACT_INTS = 2**53
"""Floats represent all ints up to this one."""
LARGEST = sys.float_info.max
"""The largest finite cost of an action: larger ints could not be added to floats."""
LARGEST_PART = LARGEST / 2
"""The largest finite cost of a path, and the largest finite estimate: their sum is finite, too."""
ROUNDED_DOWN = 1 - 2**-50
"""The factor that makes a number smaller by more than the roundings of its few operations."""
OWN_ROUNDINGS = 16
"""Roundings that a bound may have besides those of summing a path: those of its estimate."""


def as_number(value: Any) -> int | float:
    """An int or a float equal to a number of any type, such as a NumPy scalar, whose sums can overflow.

    Raises TypeError or ValueError if the value is not a number.
    """
    if value.__class__ is int or value.__class__ is float:
        return value
    if isinstance(value, str | bytes):
        raise TypeError("a string is not a number")
    if isinstance(value, complex) or getattr(getattr(value, "dtype", None), "kind", "") == "c":
        raise TypeError("a complex number is not a cost")  # float() of NumPy's would drop a part
    try:
        return operator.index(value)
    except TypeError:
        return int(value) if getattr(getattr(value, "dtype", None), "kind", "") == "b" else float(value)


def least_float(number: float) -> float:
    """The least float that is not below a number: a float is below it exactly if it is below the number."""
    nearest = float(number)
    return math.nextafter(nearest, math.inf) if nearest < number else nearest


def short_number(number: float) -> str:
    """A number for a message, with at most six digits if it is a float or fits into one."""
    return f"{number:g}" if abs(number) <= LARGEST or number in (math.inf, -math.inf) else str(number)


def told_apart(*numbers: float) -> tuple[str, ...]:
    """Different numbers for one message: as short as short_number() writes them, or with all digits if two would read alike."""
    short = tuple(map(short_number, numbers))
    return short if len(set(short)) == len(set(numbers)) else tuple(map(str, numbers))


def exceeds(one: float, other: float) -> bool:
    """Whether one number exceeds another: exactly for ints, otherwise by more than rounding explains."""
    if one <= other or (isinstance(one, int) and isinstance(other, int)):
        return one > other
    return not math.isclose(one, other, rel_tol=RELATIVE_ROUNDING, abs_tol=ABSOLUTE_ROUNDING)


def rounding(number: float, additions: int) -> float:
    """The largest rounding error of a float summed by this many additions of numbers >= 0, plus an estimate."""
    return (2 * additions + OWN_ROUNDINGS) * sys.float_info.epsilon * abs(number)


def exceeds_rounding(one: float, other: float, additions: int) -> bool:
    """Whether one number exceeds another by more than the rounding of this many additions; exactly for ints."""
    if one <= other or one == math.inf or (isinstance(one, int) and isinstance(other, int)):
        return one > other
    return one - other > rounding(one, additions)


def exceeds_distance(estimate: float, distance: float, additions: int) -> bool:
    """Whether an estimate exceeds a distance, a sum of `additions` costs >= 0, by more than rounding explains.

    A whole distance, an int, has no rounding. Only the estimate has that of its own few operations, less than a quarter: it
    cannot hide a difference of whole costs.
    """
    if not isinstance(distance, int):
        return exceeds_rounding(estimate, distance, additions)
    if estimate <= distance or isinstance(estimate, int) or estimate >= EXACT_INTS:
        return estimate > distance
    return estimate - distance > min(rounding(estimate, 0), 0.25)


def exceeds_bound(cost: float, bound: float, additions: int) -> bool:
    """Whether a cost, a sum of `additions` terms, exceeds a lower bound, so that a cheaper solution is not ruled out.

    A whole cost, an int, is compared exactly: below 2**53 a float bound is never rounded beyond a whole cost above it.
    """
    return cost > bound if isinstance(cost, int) else exceeds_rounding(cost, bound, additions)


def exceeds_part(one: float, part: float, whole: float, additions: int) -> bool:
    """Whether a number exceeds a part of a sum of `additions` terms by more than the rounding of the whole sum.

    A part computed as the difference of two sums carries their rounding error, however small it is.
    """
    if one <= part or one == math.inf or (isinstance(one, int) and isinstance(part, int)):
        return one > part
    return one - part > rounding(whole, additions) + rounding(one, 0)


def is_sum(total: float, said: float, additions: int) -> bool:
    """Whether a stated sum equals the total: exactly if both are ints, otherwise up to rounding."""
    return total == said or (
        not (isinstance(total, int) and isinstance(said, int)) and abs(total - said) <= rounding(total, additions)
    )


def sound_bound(bound: float) -> float:
    """A float bound of whole costs, lowered by its rounding error where floats do not represent all ints."""
    if isinstance(bound, int) or not EXACT_INTS <= bound < math.inf:
        return bound
    return int(bound) - math.ceil(rounding(bound, 0))
