"""Results: what is solved, what is measured, and on which instances configurations may be compared."""

from __future__ import annotations

import pytest

from bestfirst.errors import InputError, UnknownNameError
from bestfirst.experiments.results import METRICS, Results, geometric_mean
from bestfirst.experiments.task import SEARCH, Task
from made_results import CUT_OFF, UNSOLVED, results, row


def test_only_instances_that_all_solved_are_compared() -> None:
    """A proof that there is no solution counts as solved, a limit does not, nor does an error."""
    unsolvable = {"status": "unsolvable", "cost": None}
    found = results({"a": [{}, UNSOLVED, unsolvable, {}], "b": [{}, {}, unsolvable, {"status": "error", "cost": None}]})
    assert found.common(METRICS["expanded"]) == [("p", 1), ("p", 3)]
    assert found.solved("a") == (3, 4) and found.solved("b", "p") == (3, 4)


def test_a_run_that_a_limit_cut_off_is_not_solved_even_with_a_solution() -> None:
    """Its nodes and seconds say where the limit is; the cost of its solution counts."""
    found = results({"a": [{"status": status} for status in ("optimal", "bounded", "solved")], "b": [CUT_OFF] * 3})
    assert found.solved("a") == (3, 3) and found.solved("b") == (0, 3) and found.found("b") == (3, 3)
    assert found.common(METRICS["seconds"]) == [] and len(found.common(METRICS["cost"])) == 3
    assert found.values("b", METRICS["expanded"], found.places) == []
    assert found.values("b", METRICS["cost"], found.places) == [12.0] * 3


def test_repetitions_give_their_median_and_seeds_their_mean() -> None:
    """In this order."""
    seconds = {(0, 1): 1.0, (0, 2): 2.0, (0, 3): 90.0, (1, 1): 4.0, (1, 2): 4.0, (1, 3): 4.0}
    rows = [
        (Task(SEARCH, "p", "a", "pancake", "1", "1", 1, seed=seed, repetition=repetition), row(seconds=value))
        for (seed, repetition), value in seconds.items()
    ]
    assert Results(rows, {}, "x").values("a", METRICS["seconds"], [("p", 1)]) == [3.0]


def test_missing_runs_are_counted_and_no_run_is_refused() -> None:
    """A report of an experiment that goes on is possible."""
    assert results({"a": [{}, None]}).missing == 1
    with pytest.raises(InputError, match="no run of"):
        results({"a": [None]})


def test_the_baseline_is_that_of_the_spec_or_the_first_configuration() -> None:
    """If the one of the spec has not run yet, the first."""
    assert results({"a": [{}], "b": [{}]}).baseline() == "a"
    assert results({"a": [{}], "b": [{}]}, {"baseline": "b"}).baseline() == "b"
    assert results({"a": [{}], "b": [None]}, {"baseline": "b"}).baseline() == "a"
    with pytest.raises(UnknownNameError, match="no configuration"):
        results({"a": [{}]}).checked("c")


def test_a_geometric_mean_takes_what_is_too_small_for_the_least() -> None:
    """Zero seconds are less than the clock can tell."""
    assert geometric_mean([1, 100], 1) == pytest.approx(10)
    assert geometric_mean([0, 100], 1) == pytest.approx(10)
