"""Elo: the difference in strength between two players, estimated from the results of their games, with its error.

A player who is d Elo stronger is expected to score the share 1 / (1 + 10**(-d / 400)) of the points.
Source: Elo 1978, with today's logistic curve.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean

CONFIDENCE = 0.95


def expected_share(elo: float) -> float:
    """The share of the points that a player stronger by `elo` is expected to score."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(share: float) -> float:
    """The Elo difference for an expected share of the points; infinite for shares of 0 and 1."""
    if not 0 < share < 1:
        return math.inf if share >= 1 else -math.inf
    return -400 * math.log10(1 / share - 1)


@dataclass(frozen=True)
class EloDifference:
    """An estimated Elo difference with its 95% confidence interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{_in_words(self.value)} [{_in_words(self.low)}, {_in_words(self.high)}]"


def elo_difference(shares: Sequence[float]) -> EloDifference:
    """The difference from at least one independent result, each a share between 0 and 1.

    Two games from one opening with sides swapped are dependent (an opening that favours a side does so in both), so such a
    pair is one result, the mean of the two. The interval assumes a normal distribution of the mean, with the sample variance
    of the results. If all n results are equal, it uses the probability q**n of that event (q: the probability of one
    result).
    """
    number, mean = len(shares), fmean(shares)
    spread = sum((share - mean) ** 2 for share in shares)
    if spread < 1e-12:
        same = (1 - CONFIDENCE) ** (1 / number)
        low, high = mean * same, 1 - (1 - mean) * same
    else:
        reach = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * math.sqrt(spread / (number - 1) / number)
        low, high = mean - reach, mean + reach
    return EloDifference(elo_of(mean), elo_of(low), elo_of(high))


def _in_words(elo: float) -> str:
    return f"{round(elo):+d}" if math.isfinite(elo) else "+inf" if elo > 0 else "-inf"
