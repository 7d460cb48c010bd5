"""The paired comparison of two configurations: on the same instances, with a confidence interval and a sign test."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from typing import Any

from bestfirst.errors import InputError, UnknownNameError, counted
from bestfirst.experiments.extra import needing
from bestfirst.experiments.results import METRICS, Metric, Results

LEVEL = 0.95
RESAMPLES = 9_999
FEWEST = 6
"""With fewer instances, a sign test at this level cannot show a difference."""
LEAST = {"expanded": 1.0, "generated": 1.0, "seconds": 1e-5, "memory": 2.0**-8, "cost": 1e-9}
"""The smallest value of a metric that is told from 0: the resolution of the clock, a page of memory."""

LARGEST = 2.0**1000
"""A ratio that is larger, perhaps beyond all floats, counts as this, and its inverse as the inverse of this, which is exact."""


@dataclass(frozen=True)
class Paired:
    """Configuration a compared with b. ratio: the geometric mean of b's values divided by a's, over the instances that both solved.

    For costs, an instance counts as solved here if a solution was found, even if a limit then ended the search.
    low, high: its confidence interval, by the bootstrap (BCa; Efron 1987); NaN for fewer than FEWEST instances.
    less, more: on how many instances a is below or above b.
    p: the p-value of the two-sided sign test, in which an instance that only one of the two solved counts for that one.
    """

    a: str
    b: str
    metric: Metric
    both: int
    only_a: int
    only_b: int
    less: int
    more: int
    ratio: float
    low: float
    high: float
    p: float

    @property
    def verdict(self) -> int:
        """1 if a is better, -1 if b is, and 0 if nothing can be concluded: the interval and the sign test must agree."""
        if self.p > 1 - LEVEL or not math.isfinite(self.ratio):
            return 0
        wins, losses = self.less + self.only_a, self.more + self.only_b
        if wins > losses and self.low > 1:
            return 1
        return -1 if wins < losses and self.high < 1 else 0

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON values."""
        shown = {name: value for name, value in vars(self).items() if name != "metric"}
        finite = {
            name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in shown.items()
        }
        return {"metric": self.metric.name, **finite, "conclusion": self.sentence()}

    def sentence(self) -> str:
        """What may be concluded, in words, with the numbers."""
        if self.ratio < 1:
            return self._swapped().sentence()
        if self._are_equal or not self.both:
            return f"{self._claim()}."
        return f"{self._claim()}: {self._facts()}."

    def conclusion(self) -> str:
        """What may be concluded, in words: the numbers are in a table beside it."""
        if self.ratio < 1:
            return self._swapped().conclusion()
        return f"{self._claim()}{f', by a factor of {_times(self.ratio)}' if self.verdict else ''}."

    @property
    def _are_equal(self) -> bool:
        return self.both >= FEWEST and not (self.less or self.more or self.only_a or self.only_b)

    def _claim(self) -> str:
        pair = f"{self.a} and {self.b}"
        what = "the costs" if self.metric.of_solution else self.metric.title.lower()
        if self.both == 0:
            return f"No instance was {self.metric.done} by both {pair}: {self._coverage()}"
        if self.verdict:
            return f"{self.a} {self.metric.less if self.verdict > 0 else self.metric.more} than {self.b}"
        if self.both + self.only_a + self.only_b < FEWEST:
            return f"Nothing can be concluded about {what} of {pair} from so few instances"
        if self._are_equal:
            where = "the only instance with both values" if self.both == 1 else f"all {self.both:,} instances"
            return f"{pair} do not differ in {what}: the values are equal on {where}"
        return f"No difference in {what} can be claimed between {pair}, because {self._doubt()}"

    def _doubt(self) -> str:
        """Why no difference can be claimed."""
        if math.isnan(self.low):
            return "both have values on too few instances for an interval"
        is_beside_1, is_significant = not self.low <= 1 <= self.high, self.p <= 1 - LEVEL
        if is_beside_1 and is_significant:
            return "the interval and the sign test contradict each other"
        if is_beside_1:
            return "the interval excludes 1, but the sign test does not agree"
        return f"the interval includes 1{', although the sign test finds a difference' if is_significant else ''}"

    def _swapped(self) -> Paired:
        """The same comparison, of b with a."""
        return replace(
            self,
            a=self.b,
            b=self.a,
            only_a=self.only_b,
            only_b=self.only_a,
            less=self.more,
            more=self.less,
            ratio=1 / self.ratio,
            low=1 / self.high,
            high=1 / self.low,
        )

    def _facts(self) -> str:
        interval = "" if math.isnan(self.low) else f"; 95% confidence interval {_times(self.low)} to {_times(self.high)}"
        alone = f"; {self._coverage()}" if self.only_a or self.only_b else ""
        return (
            f"{self.b} {self.metric.times.format(_times(self.ratio))} {self.a} (geometric mean over the "
            f"{counted(self.both, 'instance')} that both {self.metric.reached}{interval}); {self.a} is lower on {self.less} "
            f"and higher on {self.more} (sign test: {p_value(self.p)}){alone}"
        )

    def _coverage(self) -> str:
        return f"{self.only_a} {self.metric.done} only by {self.a}, {self.only_b} only by {self.b}"


def compare(results: Results, a: str, b: str, by: str = "expanded") -> Paired:
    """Compare two configurations on the instances on which both ran.

    by: expanded, generated, seconds, memory or cost.
    Raises InputError if there are none, or if this was not measured; UnknownNameError for an unknown name.
    """
    if by not in METRICS:
        raise UnknownNameError("metric", by, METRICS)
    metric = results.metric(by)
    a, b = results.checked(a), results.checked(b)
    places = results.of_both(a, b)
    if not places:
        raise InputError(f"{a} and {b} have no instance in common; compare configurations that ran on the same problem")
    pairs = [(results.cells[place, a], results.cells[place, b]) for place in places]
    measured = [
        (one.measure(metric), other.measure(metric)) for one, other in pairs if one.counts(metric) and other.counts(metric)
    ]
    known = [(first, second) for first, second in measured if first is not None and second is not None]
    if measured and not known:
        raise InputError(f"{metric.name} was not measured in these runs; compare another metric")
    only_a = sum(one.counts(metric) and not other.counts(metric) for one, other in pairs)
    only_b = sum(other.counts(metric) and not one.counts(metric) for one, other in pairs)
    less, more = sum(first < second for first, second in known), sum(first > second for first, second in known)
    least = LEAST[metric.name]
    ratios = [_logarithm(max(second, least), max(first, least)) for first, second in known]
    ratio, low, high = _interval(ratios)
    return Paired(
        a, b, metric, len(known), only_a, only_b, less, more, ratio, low, high, _sign_test(less + only_a, more + only_b)
    )


def _logarithm(numerator: float, denominator: float) -> float:
    """The logarithm of a ratio, which itself may be beyond all floats."""
    ratio = numerator / denominator
    is_exact = sys.float_info.min <= ratio <= sys.float_info.max
    return math.log(ratio) if is_exact else math.log(numerator) - math.log(denominator)


def _ratio(logarithm: float) -> float:
    """The ratio of a logarithm, within LARGEST and its inverse."""
    try:
        return min(max(math.exp(logarithm), 1 / LARGEST), LARGEST)
    except OverflowError:
        return LARGEST


def _interval(logarithms: list[float]) -> tuple[float, float, float]:
    """The geometric mean of ratios and its confidence interval, from their logarithms."""
    if not logarithms:
        return math.nan, math.nan, math.nan
    mean = math.fsum(logarithms) / len(logarithms)
    if len(logarithms) < FEWEST:
        return _ratio(mean), math.nan, math.nan
    if max(logarithms) == min(logarithms):
        return _ratio(mean), _ratio(mean), _ratio(mean)
    with needing("scipy"):
        import numpy as np  # noqa: PLC0415
        from scipy.stats import bootstrap  # noqa: PLC0415
    found = bootstrap(
        (np.array(logarithms),),
        np.mean,
        confidence_level=LEVEL,
        n_resamples=RESAMPLES,
        method="BCa",
        random_state=np.random.default_rng(0),
    ).confidence_interval
    return _ratio(mean), _ratio(found.low), _ratio(found.high)


def _sign_test(wins: int, losses: int) -> float:
    if wins + losses == 0:
        return 1.0
    with needing("scipy"):
        from scipy.stats import binomtest  # noqa: PLC0415
    return float(binomtest(wins, wins + losses).pvalue)


def _times(ratio: float) -> str:
    if ratio == LARGEST:
        return f"more than {ratio:.0e}"
    return f"{ratio:,.0f}" if 1000 <= ratio < 1e15 else f"{ratio:.3g}"


def p_value(p: float) -> str:
    """A p value as papers write it."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"
