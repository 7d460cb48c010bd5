"""Permutations and their numbers."""

from __future__ import annotations

from itertools import combinations, permutations
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.domains.shared.ranking import MOST_ITEMS, is_odd, lehmer_digits, permutation_of, permutation_rank, scale_for


def packed(items: tuple[int, ...]) -> int:
    return sum(item << 4 * place for place, item in enumerate(items))


@pytest.mark.parametrize("count", range(7))
def test_the_numbers_are_those_of_the_lexicographic_order(count: int) -> None:
    """Of all permutations; and from the number comes the permutation, and its parity."""
    for number, items in enumerate(permutations(range(1, count + 1))):
        digits = lehmer_digits(number, count, scale_for(count))
        assert permutation_rank(packed(items), count) == number
        assert permutation_of(digits, count) == packed(items)
        assert is_odd(digits) == sum(one > later for one, later in combinations(items, 2)) % 2


@given(st.integers(0, factorial(MOST_ITEMS) - 1))
def test_twelve_items_are_not_too_many(number: int) -> None:
    """No digit is lost to rounding, and nothing goes beyond 64 bits."""
    digits = lehmer_digits(number, MOST_ITEMS, scale_for(MOST_ITEMS))
    assert permutation_rank(permutation_of(digits, MOST_ITEMS), MOST_ITEMS) == number
    assert max(number * scale_for(MOST_ITEMS), (1 << 58) * MOST_ITEMS) < 2**63


def test_the_last_number_is_that_of_the_reverse_order() -> None:
    """The digits are as large as they can be."""
    last = factorial(MOST_ITEMS) - 1
    assert permutation_rank(packed(tuple(range(12, 0, -1))), 12) == last
    assert lehmer_digits(last, 12, scale_for(12)) == 0x0123_4567_89AB


def test_the_example_at_the_head_of_the_module() -> None:
    """The permutation 3 1 4 2."""
    assert lehmer_digits(13, 4, scale_for(4)) == 0x0102
    assert permutation_of(0x0102, 4) == 0x2413
    assert permutation_rank(0x2413, 4) == 13
