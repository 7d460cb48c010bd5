"""SPRT: the sequential probability ratio test, which stops a match as soon as it is decided."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bestfirst.arguments import suggesting_fields
from bestfirst.errors import InputError, shown
from bestfirst.games.playing.elo import expected_share

Verdict: TypeAlias = Literal["H0", "H1"]
Counts: TypeAlias = Mapping[float, float]
"""The frequency of each result; a result is a share between 0 and 1."""

RESULTS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The possible mean scores of a pair of games."""
UNSEEN = 1e-3
"""The pseudo-count of a result that has not occurred, so that it is not considered impossible."""

MOST_ELO = 1000
"""A player who is this much stronger is expected to get 99.7% of the points; to test for more, no match is needed."""
BISECTIONS = 60
"""Enough bisections for double precision."""


@suggesting_fields
@dataclass(frozen=True)
class Sprt:
    """A test between two hypotheses about the Elo difference: H0, that it is elo0, and H1, that it is elo1.

    alpha: the probability of accepting H1 if H0 is true; beta: the probability of accepting H0 if H1 is true.
    Raises InputError unless -1000 <= elo0 < elo1 <= 1000, and alpha and beta lie between 0 and 1/2.
    Source: Wald 1945. The probabilities of the results are unknown, so they are replaced by their maximum-likelihood
    estimates with the mean of each hypothesis (the generalised test: Li, Liu, Xu and Ying 2014; for matches: M. Van den
    Bergh, "Comments on the generalised SPRT for chess engines", 2020).
    """

    elo0: float = 0.0
    elo1: float = 50.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise InputError(f"{name} is {shown(value)}; use a number")
        if not self.elo0 < self.elo1:
            raise InputError(
                f"elo0 is {self.elo0:g} and elo1 is {self.elo1:g}; elo0 must be less than elo1, such as 0 and 50"
            )
        for name in ("elo0", "elo1"):
            value = getattr(self, name)
            if not -MOST_ELO <= value <= MOST_ELO:
                raise InputError(f"{name} is {value:g}; use a number of Elo points from {-MOST_ELO} to {MOST_ELO}")
        for name in ("alpha", "beta"):
            value = getattr(self, name)
            if not 0 < value < 0.5:
                raise InputError(f"{name} is {shown(value)}; use a probability between 0 and 0.5, such as 0.05")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def log_likelihood_ratio(self, counts: Counts) -> float:
        """The natural logarithm of the likelihood ratio of H1 to H0; 0.0 if there are no results."""
        if not any(counts.values()):
            return 0.0
        seen = {result: max(counts.get(result, 0), UNSEEN) for result in {*RESULTS, *counts}}
        under = [_most_likely(seen, expected_share(elo)) for elo in (self.elo0, self.elo1)]
        return sum(number * math.log(under[1][result] / under[0][result]) for result, number in seen.items())

    def verdict(self, counts: Counts) -> Verdict | None:
        """The accepted hypothesis; None while the test is undecided."""
        ratio, (low, high) = self.log_likelihood_ratio(counts), self.bounds
        return "H1" if ratio >= high else "H0" if ratio <= low else None


def _most_likely(counts: Counts, mean: float) -> dict[float, float]:
    """The maximum-likelihood probabilities for the counts, among those with the given mean.

    By Lagrange multipliers they are p / (1 + t * (result - mean)), where p is the frequency of a result, for the t that
    gives that mean.
    """
    total = sum(counts.values())
    shares = {result - mean: number / total for result, number in counts.items()}

    def excess(t: float) -> float:
        return sum(share * ahead / (1 + t * ahead) for ahead, share in shares.items())

    low, high = -1 / max(shares), -1 / min(shares)  # the denominators vanish there; excess decreases between them
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    t = (low + high) / 2
    return {result: number / total / (1 + t * (result - mean)) for result, number in counts.items()}
