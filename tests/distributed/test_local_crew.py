"""Workers that are processes: they die, are interrupted, and are left by their driver, and nothing is lost or left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.distributed import crews, driver
from bestfirst.distributed.crew import Event, Failed, Job, Joined, Lost
from bestfirst.distributed.local_crew import LocalCrew
from gone import all_gone, is_gone

KORF_79 = bf.SlidingTile("_ 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", goal=range(16))
GENERATED = 540_860
"""Korf's count for this instance."""


class MortalCrew(LocalCrew):
    """Two processes, which are waited for, and of which the one that is given the third job is killed."""

    given = 0

    def start(self, charge: bytes) -> None:
        super().start(charge)
        self._early: list[Event] = []
        while len(self._early) < self._size:
            self._early += super().events(10)
        assert all(isinstance(event, Joined) for event in self._early)

    def events(self, seconds: float) -> list[Event]:
        early, self._early = self._early, []
        return early or super().events(seconds)

    def give(self, worker: int, job: Job) -> None:
        self.given += 1
        if self.given == 3:
            os.kill(self._workers[worker]._process.pid, signal.SIGKILL)
        super().give(worker, job)


@pytest.fixture
def mortal(monkeypatch: pytest.MonkeyPatch) -> list[MortalCrew]:
    """The crews that are made: small iterations are shared, in small jobs."""
    made: list[MortalCrew] = []

    def crew(_on: str, _workers: int | None) -> MortalCrew:
        made.append(MortalCrew(2))
        return made[-1]

    monkeypatch.setattr(crews, "crew_of", crew)
    monkeypatch.setattr(driver, "FEWEST_SHARED", 1_000)
    monkeypatch.setattr(driver, "FIRST_QUANTUM", 10_000)
    monkeypatch.setattr(driver, "SECONDS_PER_JOB", 0)
    return made


def test_a_killed_worker_costs_only_its_job(mortal: list[MortalCrew]) -> None:
    """Another one takes its place, and the counts are Korf's."""
    search = bf.Search(KORF_79, "idastar", "manhattan", engine="compiled", on="local")
    solution = search.run()
    solution.verify()
    assert (solution.cost, solution.stats.generated) == (42, GENERATED)
    assert mortal[0].given > 10
    assert search._stages.attempt.driver._scheduler.losses == 1  # type: ignore[attr-defined]
    assert not mortal[0]._workers


PROGRAM = """
import signal
import bestfirst as bf
signal.signal(signal.SIGINT, signal.default_int_handler)  # which the children of a shell ignore
from bestfirst.distributed.local_crew import _Process
begin = _Process.__init__
def tell(self, charge):
    begin(self, charge)
    print(self._process.pid, flush=True)
_Process.__init__ = tell
puzzle = bf.SlidingTile("15 2 12 11 14 13 9 5 1 3 8 7 _ 10 6 4", goal=range(16))
solution = bf.solve(puzzle, "idastar", "manhattan", engine="compiled", on="local", workers=2, save_to={path!r})
print(solution.status, solution.stats.expanded, flush=True)
"""


def _begun(path: Path) -> tuple[subprocess.Popen[str], list[int]]:
    """A program that searches for long, and its workers."""
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(path=str(path))],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert program.stdout is not None
    return program, [int(program.stdout.readline()) for _ in range(2)]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it looks for processes in /proc")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_outlives_its_driver(tmp_path: Path, how: signal.Signals) -> None:
    """After Ctrl-C the driver reports what it has done; if it is killed, the file has the search."""
    program, workers = _begun(tmp_path / "saved")
    try:
        time.sleep(1)
        assert not any(map(is_gone, workers))
        program.send_signal(how)
        output, _ = program.communicate(timeout=20)
    finally:
        program.kill()
    assert all_gone(workers)
    assert ("interrupted" in output) == (how == signal.SIGINT)
    loaded = bf.Search.load(tmp_path / "saved", bf.SlidingTile("15 2 12 11 14 13 9 5 1 3 8 7 _ 10 6 4", goal=range(16)))
    assert loaded.plan.stages[-1].on == "local"
    assert loaded.stats.iterations


class Unsendable(bf.SlidingTile):
    """A problem that cannot be pickled."""

    def __reduce__(self) -> Any:
        raise TypeError("it holds an open file")


def test_a_problem_that_cannot_be_sent_is_refused() -> None:
    """The message says why, and what to do."""
    with pytest.raises(bf.InputError, match=r"cannot be sent to workers.*open file.*module level"):
        bf.solve(Unsendable("8 6 7 2 5 4 3 _ 1"), "idastar", "manhattan", on="local", engine="compiled")


def test_a_heuristic_that_cannot_be_sent_is_refused() -> None:
    """A function of the program is not in the compiled engine at all."""
    with pytest.raises(bf.InputError, match="not given by the name"):
        bf.solve(KORF_79, "idastar", lambda _state: 0, on="local", engine="compiled")


def test_workers_that_cannot_start_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """After three of them, instead of trying for ever."""
    monkeypatch.setattr(sys, "executable", "/bin/false")
    crew = LocalCrew(1)
    crew.start(b"")
    events: list[Event] = []
    while not any(isinstance(event, Failed) for event in events):
        events += crew.events(5)
    crew.close()
    assert [type(event) for event in events] == [Lost, Lost, Failed]
    assert "exit code 1" in str(events[-1].error)  # type: ignore[union-attr]
