"""Paired comparisons: what they may conclude, and what not."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import pytest

from bestfirst.errors import InputError, UnknownNameError
from bestfirst.experiments.results import Results
from bestfirst.experiments.statistics import compare, p_value
from made_results import CUT_OFF, UNSOLVED, results


def two(first: Sequence[int | None], second: Sequence[int | None]) -> Results:
    """Two configurations with these numbers of expansions; None: not solved."""

    def runs(counts: Sequence[int | None]) -> list[dict[str, Any]]:
        return [UNSOLVED if count is None else {"expanded": count} for count in counts]

    return results({"a": runs(first), "b": runs(second)})


def test_the_ratio_is_a_geometric_mean_with_an_interval_around_it() -> None:
    """Twice as many nodes, with noise that the interval covers."""
    chance = random.Random(0)
    first = [round(1000 * chance.lognormvariate(0, 1)) for _ in range(50)]
    second = [round(2 * count * chance.lognormvariate(0, 0.2)) for count in first]
    found = compare(two(first, second), "a", "b")
    mean = math.exp(sum(math.log(b / a) for a, b in zip(first, second, strict=True)) / 50)
    assert found.ratio == pytest.approx(mean) and found.low < 2 < found.high and found.low > 1.8 and found.high < 2.2
    assert found.verdict == 1 and found.sentence().startswith("a expands fewer nodes than b: b expands ")
    other = compare(two(second, first), "a", "b")
    assert other.verdict == -1 and other.sentence().startswith("b expands fewer nodes than a: a expands ")
    assert compare(two(first, second), "a", "b") == found, "the bootstrap is repeatable"


def test_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    """In about 95 of 100 samples."""
    chance = random.Random(1)
    covered = 0
    for _ in range(60):
        first = [10_000] * 20
        second = [round(20_000 * chance.lognormvariate(0, 0.3)) for _ in first]
        found = compare(two([*first], [*second]), "a", "b")
        covered += found.low <= 2 <= found.high
    assert 50 <= covered <= 60


def test_no_difference_is_concluded_from_equal_or_few_or_contradictory_numbers() -> None:
    """The sentence says which."""
    assert "do not differ" in compare(two([5] * 9, [5] * 9), "a", "b").sentence()
    assert "so few instances" in compare(two([5] * 3, [9] * 3), "a", "b").sentence()
    mixed = compare(two([10] * 8, [5, 20] * 4), "a", "b")
    assert mixed.verdict == 0 and "No difference" in mixed.sentence() and "the interval includes 1:" in mixed.sentence()
    once = compare(two([10] * 20, [9] * 19 + [10**9]), "a", "b")
    assert once.ratio > 1 and once.verdict == 0, "a mean and a majority that disagree"
    beside = compare(two([10] * 7, [15] * 6 + [9]), "a", "b")
    assert beside.low > 1 and beside.p > 0.05 and beside.verdict == 0
    assert "the interval excludes 1, but the sign test does not agree" in beside.conclusion()
    alone = compare(two([10] * 9, [20] + [None] * 8), "a", "b")
    assert alone.verdict == 0 and "too few instances for an interval" in alone.conclusion()


def test_a_conclusion_is_short() -> None:
    """It has the factor but no other number; the configuration with lower values comes first."""
    found = two([10] * 9, [20] * 9)
    for one in (compare(found, "a", "b"), compare(found, "b", "a")):
        assert one.conclusion() == "a expands fewer nodes than b, by a factor of 2."


def test_an_instance_that_only_one_solved_counts_for_it_in_the_sign_test() -> None:
    """But not in the ratio, which needs two numbers."""
    found = compare(two([10] * 10, [20, 20] + [None] * 8), "a", "b")
    assert (found.both, found.only_a, found.only_b, found.less) == (2, 8, 0, 2)
    assert found.p == pytest.approx(2 / 2**10) and found.ratio == pytest.approx(2)
    assert "8 solved only by a, 0 only by b" in found.sentence()
    none = compare(two([10, None], [None, 10]), "a", "b")
    assert none.sentence().startswith("No instance was solved by both") and none.to_dict()["ratio"] is None


def test_a_search_that_a_limit_cut_off_does_not_win() -> None:
    """It expands fewer nodes because it did not end; its dearer solutions are compared."""
    found = results({"whole": [{"expanded": 50}] * 8, "cut": [CUT_OFF] * 8})
    expanded = compare(found, "whole", "cut")
    assert (expanded.both, expanded.only_a, expanded.only_b) == (0, 8, 0)
    assert "8 solved only by whole, 0 only by cut" in expanded.sentence()
    cost = compare(found, "whole", "cut", "cost")
    assert cost.both == 8 and cost.ratio == pytest.approx(1.2)
    assert cost.sentence().startswith("whole finds cheaper solutions than cut: cut finds solutions that cost 1.2 times")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("large", [1e308, 10**400], ids=["float", "whole number"])
def test_a_ratio_beyond_all_floats_is_told_as_such(large: float) -> None:
    """With and without an interval, in both directions; a ratio near the end of the floats is a number."""
    for many in (3, 8):
        found = results({"a": [{"cost": 1e-300}] * many, "b": [{"cost": large}] * (many - 1) + [{"cost": large // 2}]})
        for one, other in (("a", "b"), ("b", "a")):
            assert (
                "b finds solutions that cost more than 1e+301 times as much" in compare(found, one, other, "cost").sentence()
            )
    near = compare(results({"a": [{"cost": 1.0}] * 8, "b": [{"cost": 1e300}] * 8}), "b", "a", "cost")
    assert near.verdict == -1 and "cost 1e+300 times as much" in near.sentence()


def test_wrong_names_are_refused() -> None:
    """Of configurations and metrics; so is a metric that was not measured, and a pair without a common instance."""
    found = two([1], [2])
    with pytest.raises(UnknownNameError, match="did you mean seconds"):
        compare(found, "a", "b", "second")
    with pytest.raises(UnknownNameError, match="configuration"):
        compare(found, "a", "c")
    with pytest.raises(InputError, match="was not measured"):
        compare(results({"a": [{"peak_memory": None}], "b": [{}]}), "a", "b", "memory")
    with pytest.raises(InputError, match="no instance in common"):
        compare(results({"a": [{}, None], "b": [None, {}]}), "a", "b")


def test_the_beginning_of_a_name_is_understood_before_similar_names() -> None:
    """A* means one of the configurations of A*, not IDA*."""
    found = results({name: [{}] for name in ("A*, errands", "A*, fetch", "IDA*", "WA*")})
    with pytest.raises(UnknownNameError, match=r"did you mean A\*, errands or A\*, fetch\?"):
        compare(found, "A*", "IDA*")


def test_p_values_are_written_as_in_papers() -> None:
    """With two digits."""
    assert (p_value(0.0312), p_value(1e-9)) == ("p = 0.031", "p < 0.001")
