"""A task that ignores its limits, takes too much memory, or ends its process fails alone: all others have their solutions."""

from __future__ import annotations

import re

import pytest

import bestfirst as bf
from bestfirst.batches import process
from gone import all_gone
from misbehaving import (
    BadAnswer,
    BeginsWithCtrlC,
    ClosesFiles,
    Count,
    Crashes,
    EndsReadingByCtrlC,
    EndsWhenRead,
    Exits,
    ExitsPython,
    HasChild,
    Leaks,
    Raises,
    RaisesCtrlC,
    SendsCtrlC,
    Sleeps,
    Unpackable,
)

pytestmark = pytest.mark.slow


def test_only_the_guilty_task_fails() -> None:
    """Whether it raises, exits, crashes, or cannot be sent there or back; its solution says so, and the rest is solved."""
    guilty: dict[int, tuple[Count, str]] = {
        1: (Exits(), "exit code 7"),
        40: (Crashes(), "SIGSEGV"),
        41: (Raises(), "KeyError.*misbehaving.py:"),
        42: (ExitsPython(), "SystemExit: enough"),
        90: (Unpackable(), "cannot be sent.*it stays here"),
        91: (EndsWhenRead(), "exit code 9"),
        92: (BadAnswer(), "cannot be sent back"),
        119: (Exits(), "exit code 7"),
    }
    problems = [guilty[number][0] if number in guilty else Count(number % 5) for number in range(120)]
    solutions = list(bf.solve_many(problems, on="local", workers=2, verify=False))
    assert len(solutions) == len(problems)
    for number, (problem, solution) in enumerate(zip(problems, solutions, strict=True)):
        assert solution.problem is problem
        if number in guilty:
            assert (solution.status, solution.found, solution.algorithm) == ("failed", False, "uniform-cost")
            assert _says(solution.reason, guilty[number][1])
            assert str(solution.reason) in str(solution)
        else:
            assert solution.cost == number % 5


def test_ctrl_c_in_one_worker_is_felt_by_its_task_alone() -> None:
    """Whether a method raises KeyboardInterrupt, or the process gets the signal, during the search, before, or in reading."""
    guilty: dict[int, Count] = {
        1: RaisesCtrlC(),
        10: SendsCtrlC(10**9),
        20: BeginsWithCtrlC(),
        30: EndsReadingByCtrlC(),
    }
    problems = [guilty.get(number, Count(number % 5)) for number in range(40)]
    batch = bf.solve_many(problems, on="local", workers=2, verify=False)
    solutions = list(batch)
    numbers = list(guilty)
    assert not batch.interrupted
    assert [number for number, solution in enumerate(solutions) if solution.cost != number % 5] == numbers
    assert [solutions[number].status for number in numbers] == ["interrupted", "interrupted", "failed", "failed"]
    assert all("KeyboardInterrupt" in str(solutions[number].reason) for number in (20, 30))


def _says(reason: str | None, pattern: str) -> bool:
    return re.search(pattern, reason or "") is not None


def test_limits_are_enforced_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process of a method that does not return, or that takes memory without end, is ended."""
    monkeypatch.setattr(process, "GRACE", 0.5)
    problems = [Count(1), Sleeps(), Count(2), Leaks(), Count(3)]
    limits = bf.Limits(seconds=0.5, memory="60MB")
    solutions = list(bf.solve_many(problems, on="local", workers=2, limits=limits))
    assert [solution.cost for solution in solutions] == [1, None, 2, None, 3]
    assert [(solution.status, solution.limit) for solution in (solutions[1], solutions[3])] == [
        ("limit", "seconds"),
        ("limit", "memory"),
    ]
    assert "0.5 s" in solutions[1].warnings[0]
    assert "60,000,000" in solutions[3].warnings[0]
    assert solutions[1].lower_bound == 0


def test_the_limit_of_the_whole_batch_is_enforced_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that no method can keep it from ending."""
    monkeypatch.setattr(process, "GRACE", 0.5)
    solutions = list(bf.solve_many([Count(1), Sleeps()], on="local", workers=1, seconds=2.5))
    assert [(solution.status, solution.limit) for solution in solutions] == [("optimal", None), ("limit", "seconds")]


def test_a_task_that_closes_all_files_fails_in_silence(capfd: pytest.CaptureFixture[str]) -> None:
    """Its result cannot be sent; the solution says so, and no traceback does."""
    solutions = list(bf.solve_many([Count(1), ClosesFiles(), Count(2)], on="local", workers=1))
    assert [solution.status for solution in solutions] == ["optimal", "failed", "optimal"]
    assert "ended" in str(solutions[1].reason)
    assert capfd.readouterr().err == ""


def test_processes_that_a_task_has_started_end_with_its_worker() -> None:
    """They belong to its group."""
    (solution,) = bf.solve_many([HasChild()], on="local", workers=1, verify=False)
    assert all_gone(solution.actions)
