"""The numbers of a search in compiled code: costs of paths, and totals, which are sums of two such numbers.

If costs and estimates are ints, a cost or an estimate is an int64, and a total such as f = g + h is a uint64, which can hold
every sum of two ints below 2**63: so no total overflows, whatever the estimate of a dead end. Otherwise all are float64.
Arrays of int64 store a total by its bits, as a word.

The functions above Words are parts of engine templates.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.store.saved_values import require

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import BEYOND_COSTS, FLOATS
    from bestfirst.compiled.store.aliases import Array, Flag, Number, NumberType, Total

GREATEST_COST = 2**63 - 1
"""The maximum of int path costs and int estimates."""
BEYOND_TOTALS = 2**64 - 1
"""Larger than every int total."""


def can_pay(g: Number, cost: Number) -> Flag:
    """Whether a cost is a number >= 0 that can be added to the cost of a path."""
    return cost >= 0 and g + cost < BEYOND_COSTS if FLOATS else cost >= 0 and cost <= GREATEST_COST - g


def total_of(g: Number, h: Number) -> Total:
    """The sum of two numbers, both >= 0."""
    return g + h if FLOATS else np.uint64(g) + np.uint64(h)


def as_total(number: Number) -> Total:
    """A cost or an estimate >= 0 as a total."""
    return np.float64(number) if FLOATS else np.uint64(number)


def no_total() -> Total:
    """Larger than every total of finite numbers."""
    return inf if FLOATS else np.uint64(BEYOND_TOTALS)


def is_hopeless(h: Number) -> Flag:
    """Whether an estimate marks a dead end: only a float can."""
    return FLOATS and h == inf


PARTS = (can_pay, total_of, as_total, no_total, is_hopeless)


class Words:
    """Totals in Python and in arrays: of ints or of floats."""

    def __init__(self, *, floats: bool) -> None:
        self._floats = floats
        self.beyond: float = inf if floats else BEYOND_TOTALS

    @property
    def dtype(self) -> NumberType:
        """The type of an array of totals."""
        return np.float64 if self._floats else np.uint64

    def array(self, *totals: float) -> Array:
        """Totals as an array."""
        return np.array(totals, self.dtype)

    def checked(self, total: float, name: str) -> float:
        """A total >= 0 from a file. Raises SavedError if it is too large, or not an int if totals are ints."""
        is_right = self._floats or (isinstance(total, int) and total <= self.beyond) or total == inf
        require(is_right, f"{name} of the search is {total}")
        return min(total, self.beyond)

    def number(self, total: Total) -> float:
        """A total from an array as a Python number; math.inf for no_total()."""
        number: float = total.item()
        return inf if number == self.beyond else number
