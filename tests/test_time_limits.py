"""A limit on seconds holds whatever the time goes into: compiling, domain(), backward(), building of databases."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import pytest

import bestfirst as bf
from bestfirst.system import beside

HARD = bf.SlidingTile("14 13 15 7 11 12 9 5 6 _ 2 1 4 8 10 3", goal=range(16))
LATE = 0.5
"""Seconds by which a search may exceed its limit, on a busy machine."""


@pytest.fixture(autouse=True)
def nothing_is_left_at_work() -> Iterator[None]:
    """What a test has left to be compiled does not take the time of the next one."""
    yield
    for work in list(beside._AT_WORK):
        work.wait(perf_counter() + 20)


@pytest.fixture
def nothing_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of compiled code with nothing in it."""
    monkeypatch.setenv("BESTFIRST_CACHE", str(tmp_path / "compiled"))


class Line(bf.Domain):
    """From 0 to a number far away, or from there to 0."""

    class State(NamedTuple):
        number: int

    max_actions = 1
    default_heuristic = "none"
    offset = 0

    def __init__(self, goal: int = 10**7) -> None:
        self.initial, self.goal = self.State(0), goal
        self.seconds_for_domain = self.seconds_for_backward = 0.0

    def step(self, state: State, action: int) -> Any:  # noqa: ARG002
        return True, self.State(state.number + 1 + self.offset), 1

    def is_goal(self, state: State) -> bool:
        return state.number == self.goal

    @bf.heuristic(admissible=True, consistent=True)
    def none(self, state: State) -> int:  # noqa: ARG002
        return 0

    def domain(self) -> bf.Domain:
        time.sleep(self.seconds_for_domain)
        return self

    def backward(self) -> bf.Domain:
        time.sleep(self.seconds_for_backward)
        return Line()


def slow(**seconds: float) -> Line:
    line = Line()
    for name, value in seconds.items():
        setattr(line, name, value)
    return line


def limited(problem: bf.Problem, seconds: float, *arguments: Any, **options: Any) -> bf.Solution:
    """The solution of a search that has to end in time."""
    started = perf_counter()
    solution = bf.solve(problem, *arguments, limits=bf.Limits(seconds=seconds), **options)
    assert perf_counter() - started < seconds + LATE
    assert (solution.status, solution.limit) == ("limit", "seconds")
    assert solution.stats.seconds >= seconds
    return solution


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_compiled")
def test_the_reference_engine_searches_while_code_is_compiled() -> None:
    """So a limited search has something to show."""
    solution = limited(HARD, 1.0, "astar", "manhattan")
    assert solution.stats.expanded > 2_000  # which is where a search without a limit waits for the compiler


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_compiled")
def test_a_search_that_must_be_compiled_stops_while_it_is_and_loses_nothing() -> None:
    """It says what the time went into; the next run waits for the rest."""
    search = bf.Search(Line(), "astar", engine="compiled")
    stopped = search.run(bf.Limits(seconds=0.05))
    assert (stopped.limit, stopped.stats.expanded, stopped.engine) == ("seconds", 0, "compiled")
    assert "was being prepared" in stopped.warnings[0]  # usually the compiled engine, on a busy machine domain()
    going_on = search.run(bf.Limits(expansions=100))
    assert (going_on.limit, going_on.stats.expanded, going_on.warnings) == ("expansions", 100, [])


@pytest.mark.parametrize("algorithm", ["astar", "idastar", "bidirectional-astar"])
def test_a_limit_that_is_not_reached_changes_nothing(algorithm: str) -> None:
    """Wherever the compiled engine takes over, the counts are those of either engine alone."""
    puzzle = bf.SlidingTile("8 6 7 2 5 4 3 _ 1")
    expected = bf.solve(puzzle, algorithm, "manhattan", engine="python")
    solution = bf.solve(puzzle, algorithm, "manhattan", limits=bf.Limits(seconds=600))
    solution.stats.seconds = expected.stats.seconds
    assert (solution.actions, solution.stats) == (expected.actions, expected.stats)


@pytest.mark.slow
@pytest.mark.parametrize("engine", [None, "compiled"])
def test_domain_counts(engine: str | None) -> None:
    """It is asked for before anything is compiled."""
    limited(slow(seconds_for_domain=1.0), 0.1, "astar", engine=engine)


@pytest.mark.slow
@pytest.mark.parametrize("engine", [None, "python", "compiled"])
def test_backward_counts(engine: str | None) -> None:
    """Which a search from both ends begins with, in either engine."""
    limited(slow(seconds_for_backward=1.0), 0.1, "bidirectional-astar", engine=engine)


def test_backward_is_asked_for_once() -> None:
    """By the reference engine and the heuristic of the backward half together."""

    class Counted(Line):
        """How often."""

        asked = 0

        def backward(self) -> bf.Domain:
            type(self).asked += 1
            return Line(0)

    bf.solve(Counted(), "bidirectional-astar", engine="python", limits=bf.Limits(expansions=10), verify=False)
    assert Counted.asked == 1


def test_databases_that_are_built_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What they need is said; a search without them is made within the limit."""
    monkeypatch.setenv("BESTFIRST_DATA", str(tmp_path))
    started = perf_counter()
    with pytest.raises(bf.InputError, match=r"pdb:6-6-3.* 0\.2 s.*pdb build"):
        bf.solve(HARD, "idastar", "pdb:6-6-3", limits=bf.Limits(seconds=0.2))
    assert perf_counter() - started < 0.2 + LATE


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_compiled")
@pytest.mark.parametrize("engine", [None, "compiled"])
def test_an_enumeration_ends_in_time(engine: str | None) -> None:
    """With what the reference engine has met until then, unless the other one must be used."""
    started = perf_counter()
    found = bf.enumerate_states(HARD, engine=engine, limits=bf.Limits(seconds=0.3))
    assert perf_counter() - started < 0.3 + LATE
    assert (found.limit, found.complete) == ("seconds", False)
    assert found.states > 10_000 or engine == "compiled"
