"""Members on processes of this machine: they share solutions, die, are interrupted, and none is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import bestfirst as bf
from bestfirst.portfolio import local_team
from gone import all_gone, is_gone

pytestmark = pytest.mark.slow
LONG = bf.SlidingTile("14 13 15 7 11 12 9 5 6 _ 2 1 4 8 10 3", goal=range(16))
SHORT = bf.SlidingTile("8 6 7 2 5 4 3 _ 1")
"""Whose solution costs 31."""


@pytest.fixture
def pids(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The processes that are started, all of which must have ended at the end."""
    started: list[int] = []
    begin = local_team._Process.__init__

    def noted(self: local_team._Process, beginning: bytes) -> None:
        begin(self, beginning)
        started.append(self.pid)

    monkeypatch.setattr(local_team._Process, "__init__", noted)
    yield started
    assert started
    assert all_gone(started)


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_processes_solve_a_problem(engine: str, pids: list[int]) -> None:
    """The solution is optimal; the history says which member found what."""
    members = ["anytime-weighted-astar --weight 5", "astar"]
    solution = bf.solve(SHORT, bf.Portfolio(members), "manhattan", engine=engine)
    assert (solution.status, solution.cost, solution.engine) == ("optimal", 31, engine)
    assert {entry.member for entry in solution.history} <= {1, 2}
    assert len(pids) == 2
    solution.verify()


def test_a_killed_worker_costs_only_time(pids: list[int]) -> None:
    """Its member begins again, which a warning says; a second time, it is given up, and the others go on."""
    killed: list[int] = []

    def kill(search: bf.Search) -> None:
        if search.stats.expanded > 2500 * (len(killed) + 1) and (len(killed), len(pids)) in ((0, 2), (1, 3)):
            victim = pids[0] if not killed else pids[2]
            killed.append(victim)
            os.kill(victim, signal.SIGKILL)

    members = bf.Portfolio(["large-neighbourhood-beam", "anytime-weighted-astar --weight 5"])
    limits = bf.Limits(expansions=12_000)
    solution = bf.solve(LONG, members, "manhattan", engine="python", progress=kill, limits=limits)
    assert (solution.status, len(pids)) == ("limit", 3)
    assert solution.found
    first, second = solution.warnings[:2]
    assert "member 1 (large-neighbourhood-beam) ended by signal SIGKILL" in first
    assert "restarted" in first
    assert "dropped" in second


def test_the_limit_on_seconds_holds(pids: list[int]) -> None:
    """With the best solution so far."""
    started = time.perf_counter()
    solution = bf.solve(LONG, "portfolio", "manhattan", engine="python", workers=2, limits=bf.Limits(seconds=2.5))
    assert time.perf_counter() - started < 10  # on a busy machine
    assert (solution.status, solution.limit) == ("limit", "seconds")
    assert len(pids) == 2


PROGRAM = """
import signal
import bestfirst as bf
signal.signal(signal.SIGINT, signal.default_int_handler)  # which the children of a shell ignore
from bestfirst.portfolio.local_team import _Process
begin = _Process.__init__
def tell(self, beginning):
    begin(self, beginning)
    print(self.pid, flush=True)
_Process.__init__ = tell
puzzle = bf.SlidingTile("14 13 15 7 11 12 9 5 6 _ 2 1 4 8 10 3", goal=range(16))
tell_first = lambda solution: print("found", flush=True)
solution = bf.solve(puzzle, "portfolio", "manhattan", engine="python", workers=2, on_improvement=tell_first)
print(solution.status, solution.found, flush=True)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it looks for processes in /proc")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_outlives_the_portfolio(how: signal.Signals) -> None:
    """After Ctrl-C the best solution so far is returned; if the program is killed, its workers end too."""
    program = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert program.stdout is not None
    workers: list[int] = []
    try:
        lines = iter(program.stdout.readline, "")
        has_found = False
        while len(workers) < 2 or not has_found:
            line = next(lines)
            has_found |= line == "found\n"
            workers += [int(line)] if line.strip().isdigit() else []
        assert not any(map(is_gone, workers))
        program.send_signal(how)
        output, _ = program.communicate(timeout=20)
    finally:
        program.kill()
    assert all_gone(workers)
    assert ("interrupted True" in output) == (how == signal.SIGINT)


def test_workers_that_cannot_start_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """After two of each member, instead of trying for ever."""
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(
        bf.BestfirstError, match="the workers of all members ended unexpectedly, the last one with exit code 1"
    ):
        bf.solve(LONG, bf.Portfolio(["uniform-cost", "breadth-first"]))
