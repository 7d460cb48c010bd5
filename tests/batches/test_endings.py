"""However a batch ends, by Ctrl-C, by being dropped, or with its program, no process is left behind."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.batches import batch as batches
from gone import all_gone, is_gone
from misbehaving import Count, Endless, Sleeps, WhereSolved

pytestmark = pytest.mark.slow

PROGRAM = """
import sys
import bestfirst as bf
from misbehaving import {last}, WhereSolved

problems = [WhereSolved() for _ in range(2)] + [{last}() for _ in range(1000)]
batch = bf.solve_many(problems, on="local", workers=2, verify=False)
print(*next(batch).actions, *next(batch).actions, flush=True)
for solution in batch:
    print(solution.status)
print("interrupted" if batch.interrupted else "to the end")
"""


def _begun(last: str) -> tuple[subprocess.Popen[str], list[int]]:
    """A program at work on a batch whose problems end in so many of a kind, and the numbers of its workers."""
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(last=last)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parent.parent,
    )
    assert program.stdout is not None
    pids = sorted({int(pid) for pid in program.stdout.readline().split()})
    assert pids
    return program, pids


def test_ctrl_c_gives_what_is_done() -> None:
    """The searches that are running end with the status interrupted, no other begins, and the program goes on."""
    program, pids = _begun("Endless")
    sleep(2)  # until it waits for the next solution
    program.send_signal(signal.SIGINT)
    out, _ = program.communicate(timeout=30)
    statuses = out.split("\n")[:-2]
    assert 1 <= len(statuses) <= 2
    assert set(statuses) == {"interrupted"}
    assert out.split("\n")[-2] == "interrupted"
    assert program.returncode == 0
    assert all_gone(pids)


@pytest.mark.parametrize("ordered", [True, False])
def test_an_interrupt_in_progress_leaves_the_results(ordered: bool) -> None:
    """Those that are there, the one that was told too."""

    def progress(_: Any) -> None:
        raise KeyboardInterrupt

    solve_many: Any = bf.solve_many
    batch = solve_many([Count(1), Endless()], on="local", workers=1, progress=progress, ordered=ordered)
    results = list(batch)
    assert batch.interrupted
    assert (results[0] if ordered else results[0][1]).cost == 1


def test_ctrl_c_does_not_wait_for_what_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A method that ignores it is ended after some seconds, and its solution says so, in its place; workers hear it even if
    the thread that has started them does not."""
    monkeypatch.setattr(batches, "SECONDS_TO_STOP", 0.3)
    problems: list[bf.Problem] = [WhereSolved(), Sleeps(), Endless()]
    batch = bf.solve_many(problems, on="local", workers=2, verify=False)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        pid = next(batch).actions[0]
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    assert not is_gone(pid)
    _press_ctrl_c_in(1.0)  # once it waits
    left = list(batch)
    assert batch.interrupted
    assert [solution.status for solution in left] == ["interrupted", "interrupted"]
    assert [solution.problem for solution in left] == problems[1:]
    assert (left[0].limit, left[0].reason, left[0].stats.expanded) == (None, None, 0)
    assert "Ctrl-C" in left[0].warnings[0]
    assert all_gone([pid], 0.5)


def _press_ctrl_c_in(seconds: float) -> None:
    signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    signal.setitimer(signal.ITIMER_REAL, seconds)


def test_a_killed_program_leaves_nothing() -> None:
    """Its workers notice, even within a method that does not return."""
    program, pids = _begun("Sleeps")
    program.kill()
    program.wait()
    assert program.stdout is not None
    program.stdout.close()
    assert all_gone(pids)


def test_a_batch_that_is_dropped_closed_or_left_ends_its_processes() -> None:
    """At once."""
    problems: list[bf.Problem] = [WhereSolved(), *(Endless() for _ in range(5))]
    batch = bf.solve_many(problems, on="local", workers=1, verify=False)
    pid = next(batch).actions[0]
    assert not is_gone(pid)
    del batch
    assert all_gone([pid], 0.5)
    with bf.solve_many(problems, on="local", workers=1, verify=False) as another:
        pid = next(another).actions[0]
    assert all_gone([pid], 0.5)
    assert next(another, None) is None


def test_a_batch_can_be_closed_while_another_thread_waits() -> None:
    """Which then gets no more results."""
    batch = bf.solve_many([WhereSolved(), Endless(), Endless()], on="local", workers=1, verify=False)
    pid = next(batch).actions[0]
    with ThreadPoolExecutor() as pool:
        left = pool.submit(list, batch)
        sleep(0.2)
        batch.close()
        assert left.result(timeout=5) == []
    assert all_gone([pid], 0.5)
    assert not batch.interrupted


def test_several_threads_share_a_batch() -> None:
    """Each result goes to one of them."""
    problems = [Count(number) for number in range(40)]
    with bf.solve_many(problems, on="local", workers=2, verify=False) as batch, ThreadPoolExecutor() as pool:
        taken = [pool.submit(list, batch) for _ in range(3)]
        costs = [int(solution.cost or 0) for part in taken for solution in part.result(timeout=20)]
    assert sorted(costs) == list(range(40))


def test_a_batch_is_not_asked_within_itself() -> None:
    """Its own progress, or problems, get an error that says so; and they may close it."""

    def problems() -> Iterator[bf.Problem]:
        yield Count(1)
        yield next(batch).problem

    batch: Any = bf.solve_many([Count(1)], on="local", workers=1, progress=lambda _: next(batch))
    with pytest.raises(bf.InputError, match="own progress"):
        list(batch)
    batch = bf.solve_many(problems(), on="local", workers=1)
    assert next(batch).cost == 1
    with pytest.raises(bf.InputError, match="own progress"):
        next(batch)
    batch = bf.solve_many([Count(1), Endless()], on="local", workers=1, progress=lambda _: batch.close())
    assert list(batch) == []


def test_a_function_is_called_with_each_solution() -> None:
    """When it is taken; True shows nothing unless standard error is a terminal."""
    told: list[bf.Solution[int, str]] = []
    batch = bf.solve_many([Count(1), Count(2)], on="local", workers=1, progress=told.append)
    assert list(batch) == told


def test_true_shows_a_line_on_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """With the numbers of those that are done, and that failed."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert len(bf.solve_many([Count(1), Count(2)], progress=True)) == 2
    shown = capsys.readouterr().err
    assert "2 of 2 done" in shown
    assert shown.endswith("\n")
