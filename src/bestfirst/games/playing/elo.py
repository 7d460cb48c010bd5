"""Elo: how much stronger one player is than another, from the results of their games, with its error.

A player who is d Elo stronger is expected to get the share 1 / (1 + 10**(-d / 400)) of the points.
Source: Elo 1978, with the logistic curve that is used now.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean

CONFIDENCE = 0.95


def expected_share(elo: float) -> float:
    """The share of the points that a player who is so much stronger is expected to get."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(share: float) -> float:
    """The difference in Elo at which a share of the points is expected; infinite for all or nothing."""
    if not 0 < share < 1:
        return math.inf if share >= 1 else -math.inf
    return -400 * math.log10(1 / share - 1)


@dataclass(frozen=True)
class EloDifference:
    """An estimated difference in Elo, and the interval that covers the true one with a confidence of 95 %."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{_in_words(self.value)} [{_in_words(self.low)}, {_in_words(self.high)}]"


def elo_difference(shares: Sequence[float]) -> EloDifference:
    """The difference from results that do not depend on one another, each a share between 0 and 1; at least one.

    Two games from one opening with sides swapped do depend on each other (an opening that favours a side does so in both), so
    such a pair is one result, the mean of the two. The interval is that of the normal distribution of the mean, by the spread
    of the results themselves; where all of them are alike, by the chance q**n that n results are (q the probability of one).
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
