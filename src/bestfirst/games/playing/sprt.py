"""SPRT: the sequential probability ratio test, which stops a match as soon as it is decided which player is stronger."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bestfirst.errors import InputError
from bestfirst.games.playing.elo import expected_share

Verdict: TypeAlias = Literal["H0", "H1"]
Counts: TypeAlias = Mapping[float, float]
"""How often each result came up; a result is a share between 0 and 1."""

RESULTS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""What one player can get of the points of a pair of games."""
UNSEEN = 1e-3
"""What a result that has not come up counts, so that it is not taken to be impossible."""

MOST_ELO = 1000
"""A player who is so much stronger is expected to get 99.7 % of the points; a test of more needs no match."""
BISECTIONS = 60
"""Until two numbers of double precision cannot be told apart."""


@dataclass(frozen=True)
class Sprt:
    """A test between two hypotheses about the difference in Elo: H0, that it is elo0, and H1, that it is elo1.

    alpha: the probability of accepting H1 where H0 is true; beta: that of accepting H0 where H1 is true.
    Raises InputError unless -1000 <= elo0 < elo1 <= 1000, and alpha and beta lie between 0 and 1/2.
    Source: Wald 1945. The probabilities of the single results are not known, so the most likely ones that have the mean of each
    hypothesis take their place (the generalised test: Li, Liu, Xu and Ying 2014; for matches: M. Van den Bergh, "Comments on
    the generalised SPRT for chess engines", 2020).
    """

    elo0: float = 0.0
    elo1: float = 50.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise InputError(f"{name} is {value!r}; write a number")
        if not self.elo0 < self.elo1:
            raise InputError(f"elo0 is {self.elo0:g} and elo1 is {self.elo1:g}; write elo0 < elo1, such as 0 and 50")
        for name in ("elo0", "elo1"):
            value = getattr(self, name)
            if not -MOST_ELO <= value <= MOST_ELO:
                raise InputError(f"{name} is {value:g}; write a number of Elo points from {-MOST_ELO} to {MOST_ELO}")
        for name in ("alpha", "beta"):
            value = getattr(self, name)
            if not 0 < value < 0.5:
                raise InputError(f"{name} is {value!r}; write a probability between 0 and 0.5, such as 0.05")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def log_likelihood_ratio(self, counts: Counts) -> float:
        """How much more likely the results are under H1 than under H0, as a natural logarithm; 0.0 where there are none."""
        if not any(counts.values()):
            return 0.0
        seen = {result: max(counts.get(result, 0), UNSEEN) for result in {*RESULTS, *counts}}
        under = [_most_likely(seen, expected_share(elo)) for elo in (self.elo0, self.elo1)]
        return sum(number * math.log(under[1][result] / under[0][result]) for result, number in seen.items())

    def verdict(self, counts: Counts) -> Verdict | None:
        """The hypothesis that is accepted; None as long as the match has to go on."""
        ratio, (low, high) = self.log_likelihood_ratio(counts), self.bounds
        return "H1" if ratio >= high else "H0" if ratio <= low else None


def _most_likely(counts: Counts, mean: float) -> dict[float, float]:
    """The probabilities under which the counts are the most likely, among those whose mean is given.

    By Lagrange they are p / (1 + t * (result - mean)), where p is the share of a result, for the t at which they have that mean.
    """
    total = sum(counts.values())
    shares = {result - mean: number / total for result, number in counts.items()}

    def excess(t: float) -> float:
        return sum(share * ahead / (1 + t * ahead) for ahead, share in shares.items())

    low, high = -1 / max(shares), -1 / min(shares)  # there the denominators vanish; between, excess falls
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    t = (low + high) / 2
    return {result: number / total / (1 + t * (result - mean)) for result, number in counts.items()}
