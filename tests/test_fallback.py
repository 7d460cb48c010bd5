"""Where the compiled engine cannot make a search, the reference engine makes it, and the solution says why."""

from __future__ import annotations

import builtins
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import bestfirst as bf
from bestfirst.compiled.drivers.driver import CompiledDriver
from compilable import IntGraph

ROOT = Path(__file__).parent.parent
LENGTH = 2_500
"""Expansions, more than those after which the compiled engine takes over."""


class Texts(bf.Domain):
    """A corridor whose steps cannot be compiled."""

    class State(NamedTuple):
        place: int

    max_actions = 1
    initial = State(0)
    default_heuristic = "none"

    def step(self, state: State, action: int) -> Any:  # noqa: ARG002
        return len(f"{state.place}") > 0, self.State(state.place + 1), 1

    def is_goal(self, state: State) -> bool:
        return state.place == LENGTH

    @bf.heuristic(admissible=True, consistent=True)
    def none(self, state: State) -> int:  # noqa: ARG002
        return 0


class Ended(Texts):
    """One with an end, as a whole space has it."""

    def step(self, state: Texts.State, action: int) -> Any:  # noqa: ARG002
        return len(f"{state.place}") > 0 and state.place < LENGTH, self.State(state.place + 1), 1


class Corridor(Texts):
    """One whose steps can."""

    default_heuristic = "none"

    @bf.heuristic(admissible=True, consistent=True)
    def none(self, state: Texts.State) -> int:  # noqa: ARG002
        return 0

    def step(self, state: Texts.State, action: int) -> Any:  # noqa: ARG002
        return True, self.State(state.place + 1), 1


def corridor(cost: int) -> IntGraph:
    """A corridor of 2,500 steps of one cost."""
    domain = IntGraph({place: [(place + 1, cost)] for place in range(LENGTH)}, frozenset([LENGTH]), {}, LENGTH + 1)
    domain.default_heuristic = "given"
    return domain


def test_a_domain_that_cannot_be_compiled_is_solved_by_the_reference_engine() -> None:
    """However long it takes, with a warning that has the compiler's message; with engine="compiled" it is an error."""
    solution = bf.solve(Texts())
    assert (solution.engine, solution.cost, solution.status, solution.stats.expanded) == (
        "python",
        LENGTH,
        "optimal",
        LENGTH,
    )
    assert any("the reference engine ran this search" in text and "cannot be compiled" in text for text in solution.warnings)
    with pytest.raises(bf.CompileError):
        bf.solve(Texts(), engine="compiled")


def test_a_space_that_cannot_be_compiled_is_enumerated_by_the_reference_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same warning."""
    monkeypatch.setattr("bestfirst.enumeration.HEAD_START", 10)
    found = bf.enumerate_states(Ended())
    assert (found.engine, found.states, found.complete) == ("python", LENGTH + 1, True)
    assert "the reference engine ran this enumeration" in found.warnings[0] == found.to_dict()["warnings"][0]


@pytest.mark.parametrize("missing", [ImportError("no NumPy here"), RuntimeError("numba does not know this processor")])
def test_a_search_is_made_where_numpy_or_numba_is_missing_or_refuses(
    missing: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the reference engine, with the reason; asked for by name, the compiled engine is an error."""
    real = builtins.__import__

    def imported(name: str, *rest: Any) -> Any:
        if name == "bestfirst.compiled":
            raise missing
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", imported)
    solution = bf.solve(Corridor())
    assert (solution.engine, solution.cost) == ("python", LENGTH)
    assert str(missing) in solution.warnings[-1]
    if isinstance(missing, ImportError):
        with pytest.raises(bf.InputError, match="needs NumPy and Numba, one of which cannot be imported"):
            bf.solve(Corridor(), engine="compiled")


def broken_after(expansions: int, error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let compiled searches end with an error once they have made so many expansions."""
    run = CompiledDriver.run

    def limited(self: Any, limits: bf.Limits, progress: Any) -> None:
        run(self, bf.Limits(expansions=max(0, expansions - self.stats.expanded)), progress)
        if self.stats.expanded >= expansions:
            raise error
        run(self, limits, progress)

    monkeypatch.setattr(CompiledDriver, "run", limited)


ERRORS = [
    bf.errors.WordOverflowError("own.py", 3, "step", "x * y needs 70 bits"),
    bf.errors.NotCompilableError("costs are too large"),
]


@pytest.mark.parametrize("error", ERRORS)
def test_a_search_that_breaks_off_for_want_of_bits_is_begun_again(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the reference engine, which gives the counts of a search that it made alone; limits count over both."""
    broken_after(2_200, error, monkeypatch)
    solution = bf.solve(Corridor())
    assert (solution.engine, solution.cost, solution.stats.expanded) == ("python", LENGTH, LENGTH)
    assert str(error) in solution.warnings[-1]
    limited = bf.solve(Corridor(), limits=bf.Limits(expansions=2_300))
    assert (limited.limit, limited.stats.expanded, limited.lower_bound) == ("expansions", 2_300, 2_300)
    with pytest.raises(type(error)):
        bf.solve(Corridor(), engine="compiled")


def test_an_error_of_the_problem_is_no_reason_to_begin_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Costs, estimates and states that break the contract are errors in both engines."""
    broken_after(2_200, bf.CostError(0, 0, -1), monkeypatch)
    with pytest.raises(bf.CostError):
        bf.solve(Corridor())


def test_costs_beyond_what_records_hold_are_searched_all_the_same() -> None:
    """Sums of 2**40 and more, and of more than 64 bits, after the head start."""
    for cost in (2**30, 2**62):
        solution = bf.solve(corridor(cost), "astar")
        assert (solution.cost, solution.status) == (LENGTH * cost, "optimal")
        assert solution.engine == "compiled" or "the reference engine ran this search" in solution.warnings[-1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("bf.solve(board, 'astar', 'manhattan', engine='compiled')", "NotCompilableError.*NUMBA_"),
        ("bf.solve(board, 'astar', 'manhattan', engine=None).warnings or ['in time']", "in time"),
        ("bf.games.perft(bf.ConnectFour(), 6)", "UserWarning.*NUMBA_.*117649"),
        ("bf.games.perft(bf.TicTacToe(), 2, engine='compiled')", "NotCompilableError.*NUMBA_"),
    ],
)
def test_a_numba_that_cannot_be_imported_is_named(call: str, said: str, tmp_path: Path) -> None:
    """With what may be wrong; what the compiled engine was not asked for, the reference engine does."""
    board = "bf.SlidingTile('2 8 3 1 6 4 7 _ 5', '1 2 3 8 _ 4 7 6 5')"
    program = f"import bestfirst as bf; import bestfirst.games; board = {board}; print({call})"
    environment = {**os.environ, "NUMBA_NUM_THREADS": "0", "BESTFIRST_CACHE": str(tmp_path / "cache")}
    ran = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert re.search(said, ran.stderr + ran.stdout, re.DOTALL)


@pytest.mark.slow
def test_a_package_in_an_archive_searches_with_the_reference_engine(tmp_path: Path) -> None:
    """Its sources cannot be read there; the command says so, and a search that need not be compiled is made."""
    archive = shutil.make_archive(str(tmp_path / "bf"), "zip", ROOT / "src")
    run = [sys.executable, "-m", "bestfirst", "solve", "sliding-tile", "1 2 3 4 5 6 _ 7 8", "-a", "astar", "-H", "manhattan"]
    environment = {**os.environ, "PYTHONPATH": archive}
    done = subprocess.run(run, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    done = subprocess.run(
        [*run, "--engine", "compiled"], capture_output=True, text=True, env=environment, cwd=tmp_path, check=False
    )
    assert done.returncode == 2
    assert "install bestfirst as ordinary files" in done.stderr
