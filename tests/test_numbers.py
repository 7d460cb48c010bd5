"""Costs and estimates as Python numbers, and comparing them."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.numbers import as_number, exceeds


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (3, 3, False),
        (4, 3, True),
        (0.1 + 0.2, 0.3, False),
        (0.3001, 0.3, True),
        (9e-10, 1e-10, True),
        (1e-15, 0.0, False),
        (math.inf, 3, True),
        (math.inf, math.inf, False),
        (3, math.inf, False),
        (10**18 + 1, 10**18, True),
    ],
)
def test_a_number_exceeds_another_by_more_than_rounding_explains(one: float, other: float, expected: bool) -> None:
    """Ints are compared exactly; sums of floats may differ in their last digits; infinity exceeds all but itself."""
    assert exceeds(one, other) is expected


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (np.uint8(200), 200),
        (np.int8(-3), -3),
        (np.float32(0.5), 0.5),
        (True, 1),
        (Fraction(1, 4), 0.25),
        (Decimal("0.5"), 0.5),
    ],
)
def test_other_numbers_become_ints_or_floats(value: Any, number: float) -> None:
    """NumPy's small ints, which overflow when they are added, become ints that do not."""
    assert as_number(value) == number
    assert type(as_number(value)) in (int, float)


@pytest.mark.parametrize("value", ["7", None, [1, 2], 1j])
def test_what_is_no_number_is_refused(value: Any) -> None:
    """Texts too, though they could be read as numbers."""
    with pytest.raises((TypeError, ValueError)):
        as_number(value)


def test_costs_of_small_numpy_ints_do_not_overflow() -> None:
    """100 + 200 is 300, also where the costs are single bytes, as in a map read from a picture."""
    roads = {"S": [("A", 100), ("B", 60)], "A": [("T", 200)], "B": [("T", 60)]}

    def successors(city: str) -> Any:
        return [(to, to, np.uint8(cost)) for to, cost in roads.get(city, [])]

    problem = bf.Problem.of("S", successors, lambda city: city == "T")
    solution = bf.solve(problem)
    solution.verify()
    assert (solution.cost, solution.states) == (120, ["S", "B", "T"])


def test_costs_whose_sum_is_infinite_are_refused() -> None:
    """A path of infinite cost would look like no path at all."""
    problem = bf.Problem.of(0, lambda state: [("on", state + 1, 1e308)], lambda state: state == 3)
    with pytest.raises(bf.CostError):
        bf.solve(problem)
