"""Elo and its error: formulas, known figures, and intervals that cover what they say."""

from __future__ import annotations

import math
import random
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.games.playing.elo import elo_difference, elo_of, expected_share


def test_known_figures() -> None:
    """200 Elo are 76 % of the points, 400 are 10 : 1, and three quarters are 191 Elo."""
    assert expected_share(0) == 0.5
    assert expected_share(200) == pytest.approx(0.7597, abs=1e-4)
    assert expected_share(400) == pytest.approx(10 / 11)
    assert elo_of(0.75) == pytest.approx(190.849, abs=1e-3)
    assert (elo_of(1), elo_of(0)) == (math.inf, -math.inf)


@given(st.floats(-800, 800))
def test_shares_and_elo_are_inverse_and_odd(elo: float) -> None:
    """Whoever is d stronger is met by someone who is -d."""
    assert elo_of(expected_share(elo)) == pytest.approx(elo, abs=1e-6)
    assert expected_share(elo) + expected_share(-elo) == pytest.approx(1)


def test_the_interval_is_1_96_standard_errors_of_the_mean() -> None:
    """By hand: 10 results with mean 0.7."""
    shares = [1.0, 1.0, 1.0, 1.0, 1.0, 0.5, 0.5, 0.5, 0.5, 0.0]
    found = elo_difference(shares)
    reach = 1.959964 * stdev(shares) / math.sqrt(10)
    assert found.value == pytest.approx(-400 * math.log10(1 / 0.7 - 1))
    assert found.low == pytest.approx(elo_of(fmean(shares) - reach), abs=1e-3)
    assert found.high == pytest.approx(elo_of(fmean(shares) + reach), abs=1e-3)
    assert str(found).startswith("+147 [")


def test_where_all_results_are_alike_the_interval_is_not_a_point() -> None:
    """59 wins of 59: the share is more than 0.95 (the rule of three, 3 / n); nothing bounds it from above."""
    won = elo_difference([1.0] * 59)
    assert (won.value, won.high) == (math.inf, math.inf)
    assert expected_share(won.low) == pytest.approx(0.95, abs=1e-3)
    assert all(elo_difference([1.0] * number).high == math.inf for number in range(1, 100))
    drawn = elo_difference([0.5] * 10)
    assert drawn.value == 0 and drawn.low == pytest.approx(-drawn.high) and drawn.high > 0


def test_19_of_20_intervals_cover_the_truth() -> None:
    """1000 matches of 100 pairs between players 60 Elo apart, a third of the games drawn."""
    chance = random.Random(1)
    share = expected_share(60)
    won = share - 1 / 6

    def game() -> float:
        roll = chance.random()
        return 1.0 if roll < won else 0.5 if roll < won + 1 / 3 else 0.0

    found = [elo_difference([(game() + game()) / 2 for _ in range(100)]) for _ in range(1000)]
    assert 0.93 < fmean(interval.low <= 60 <= interval.high for interval in found) < 0.97
