"""Costs and estimates as Python numbers, and comparing them."""

from __future__ import annotations

import math
import operator
from typing import Any

RELATIVE_ROUNDING = 1e-9
ABSOLUTE_ROUNDING = 1e-12
"""Numbers that differ by no more than this may be equal but for rounding."""


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
