"""The sequential probability ratio test: Wald's bounds, the likelihood by other ways, and how often it is wrong."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.errors import InputError
from bestfirst.games.playing.elo import expected_share
from bestfirst.games.playing.sprt import Sprt


def test_the_bounds_are_walds() -> None:
    """log(beta / (1 - alpha)) and log((1 - beta) / alpha): 2.944 for five per cent."""
    assert Sprt(0, 5).bounds == pytest.approx((-2.94444, 2.94444), abs=1e-5)
    assert Sprt(0, 5, alpha=0.01, beta=0.1).bounds == pytest.approx((math.log(0.1 / 0.99), math.log(90)))


@given(st.integers(1, 200), st.integers(1, 200))
def test_where_nothing_is_drawn_it_is_the_ratio_of_two_coins(won: int, lost: int) -> None:
    """The likelihood of wins and losses is then that of a coin, which needs no maximum."""
    test = Sprt(0, 60)
    under, over = expected_share(0), expected_share(60)
    expected = won * math.log(over / under) + lost * math.log((1 - over) / (1 - under))
    assert test.log_likelihood_ratio({1.0: won, 0.0: lost}) == pytest.approx(expected, abs=0.02)


def test_with_draws_it_is_the_maximum_over_all_distributions() -> None:
    """Found again by trying them: wins w, draws d, losses l with w + d / 2 = the mean."""
    counts = {1.0: 30, 0.5: 50, 0.0: 20}

    def best(mean: float) -> float:
        tried = (
            30 * math.log(mean - drawn / 2) + 50 * math.log(drawn) + 20 * math.log(1 - mean - drawn / 2)
            for drawn in (step / 20000 for step in range(1, 20000))
            if drawn / 2 < min(mean, 1 - mean)
        )
        return max(tried)

    expected = best(expected_share(30)) - best(expected_share(-10))
    assert Sprt(-10, 30).log_likelihood_ratio(counts) == pytest.approx(expected, abs=0.01)


def test_for_small_differences_it_is_nearly_that_of_a_normal_distribution() -> None:
    """n (s1 - s0) (2 mean - s0 - s1) / (2 variance)."""
    counts = {0.0: 40, 0.25: 210, 0.5: 480, 0.75: 220, 1.0: 50}
    number = sum(counts.values())
    mean = sum(result * times for result, times in counts.items()) / number
    variance = sum((result - mean) ** 2 * times for result, times in counts.items()) / number
    low, high = expected_share(0), expected_share(5)
    expected = number * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert Sprt(0, 5).log_likelihood_ratio(counts) == pytest.approx(expected, rel=0.01)


def test_nothing_is_accepted_without_results() -> None:
    """And each hypothesis after enough of them."""
    test = Sprt(0, 50)
    assert test.log_likelihood_ratio({}) == 0 and test.verdict({}) is None
    assert test.verdict({1.0: 30, 0.5: 10}) == "H1" and test.verdict({0.0: 30, 0.5: 10}) == "H0"


@pytest.mark.slow
@pytest.mark.parametrize(("truth", "wrong"), [(0.0, "H1"), (150.0, "H0")])
def test_it_is_seldom_wrong(truth: float, wrong: str) -> None:
    """200 matches in which one hypothesis is true: hardly more than one in twenty is decided for the other."""
    chance, test = random.Random(7), Sprt(0, 150)
    share = expected_share(truth)
    failures = 0
    for _ in range(200):
        counts: Counter[float] = Counter()
        verdict = None
        while verdict is None:
            counts[sum(chance.random() < share for _ in range(2)) / 2] += 1
            verdict = test.verdict(counts)
        failures += verdict == wrong
    assert failures <= 18  # 10 are expected, and 18 are exceeded in one of a hundred runs


def test_what_is_no_test_is_refused() -> None:
    """Hypotheses the wrong way round, and probabilities that are none."""
    with pytest.raises(InputError, match="elo0 must be less than elo1"):
        Sprt(10, 0)
    for beyond in (7000, 1e9, math.inf):
        with pytest.raises(InputError, match="elo1"):
            Sprt(elo1=beyond)
        with pytest.raises(InputError, match="elo0"):
            Sprt(elo0=-beyond)
    with pytest.raises(InputError, match=r"between 0 and 0\.5"):
        Sprt(0, 10, alpha=0.6)
