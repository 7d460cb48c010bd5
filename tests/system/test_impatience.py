"""Methods that do not return are ended after a limit on seconds and after Ctrl-C, and the search keeps what it has."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.system import impatience
from bestfirst.system.bell import bell
from bestfirst.system.beside import Beside
from bestfirst.system.interrupt import CtrlC

pytestmark = pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="the system cannot interrupt a thread")


class Line(bf.Problem[int, str]):
    """Numbers to 50; the successors of 20 never come."""

    initial = 0

    def is_goal(self, state: int) -> bool:
        return state == 50

    def successors(self, state: int) -> Any:
        while state == 20:
            time.sleep(0.01)
        yield "+", state + 1, 1


def test_a_limit_on_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solution holds the bound, and a warning names the line; the search cannot be resumed."""
    monkeypatch.setattr(impatience, "PATIENCE", 0.1)
    search = bf.Search(Line(), "uniform-cost", limits=bf.Limits(seconds=0.1))
    solution = search.run()
    assert (solution.status, solution.limit, solution.lower_bound) == ("limit", "seconds", 20)
    assert any("test_impatience.py" in warning and "successors" in warning for warning in solution.warnings)
    with pytest.raises(bf.InputError, match="start a new search"):
        search.run()


def test_slow_progress_is_not_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """A progress function may take longer: only methods of the problem are ended."""
    monkeypatch.setattr(impatience, "PATIENCE", 0.05)
    seen = []

    def progress(search: bf.Search) -> None:
        time.sleep(0.3 if search.stats.expanded == 3 else 0)
        seen.append(search.stats.expanded)

    solution = bf.solve(Line(), "uniform-cost", limits=bf.Limits(seconds=0.1), progress=progress)
    assert solution.limit == "seconds"
    assert seen[-1] == 3


def test_handler_and_threads_are_left_as_they_were() -> None:
    """After a search with a limit, Ctrl-C means what it meant before, and no timer is left."""
    before = threading.active_count()
    bf.solve(bf.Problem.of(0, lambda n: [("+", n + 1, 1)], lambda n: n == 5), limits=bf.Limits(seconds=60))
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert not [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]
    assert threading.active_count() <= before + 1


PROGRAM = """
import sys
import bestfirst as bf
from bestfirst.system import impatience
from bestfirst.system.bell import bell
from bestfirst.system.beside import Beside
from bestfirst.system.interrupt import CtrlC
impatience.PATIENCE = 0.2

def successors(n):
    if n == 20:
        print("here", flush=True)
    while n == 20:
        pass
    yield "+", n + 1, 1

print(bf.solve(bf.Problem.of(0, successors, lambda n: n == 50)))
"""


def test_ctrl_c() -> None:
    """One Ctrl-C ends a search whose method does not return; the solution is interrupted."""
    process = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "here\n"
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=20)
    assert "interrupted" in said
    assert process.returncode == 0


def test_a_slow_call_is_not_ended_by_a_part_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """While code is compiled, the reference engine runs in short parts: only the limit of the user ends a call."""
    monkeypatch.setattr(impatience, "PATIENCE", 0.05)
    search = bf.Search(bf.Problem.of(0, slowly, lambda n: n == 5), limits=bf.Limits(seconds=60))
    attempt = search._stages.attempt
    left = attempt.part(bf.Limits(seconds=60), None, seconds=0.01)
    assert left is not None
    assert attempt.driver.warning is None


def slowly(number: int) -> Any:
    time.sleep(0.2)
    yield "+", number + 1, 1


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_ctrl_c_while_a_part_of_a_search_ends_is_not_lost(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does it wait for what it interrupts; another limit was reached at the same time."""
    end = CtrlC.__exit__

    def pressed_late(ctrl_c: Any, *given: Any) -> None:
        ctrl_c._press(signal.SIGINT, None)
        end(ctrl_c, *given)

    search = bf.Search(bf.SlidingTile("8 6 7 2 5 4 3 _ 1"), "astar", "manhattan", engine=engine)
    limits = bf.Limits(seconds=60, expansions=20)
    assert search.run(limits).status == "limit"
    with monkeypatch.context() as patched:
        patched.setattr(CtrlC, "__exit__", pressed_late)
        assert search.run(limits).status == "interrupted"
    assert search.run().status == "optimal"


def test_ctrl_c_while_waiting_ends_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """For work in another thread whose time is over in the same moment."""
    end = CtrlC.__exit__

    def pressed_late(ctrl_c: Any, *given: Any) -> None:
        ctrl_c._press(signal.SIGINT, None)
        end(ctrl_c, *given)

    monkeypatch.setattr(CtrlC, "__exit__", pressed_late)
    work = Beside(lambda: time.sleep(0.2))
    with pytest.raises(KeyboardInterrupt):
        work.wait(time.perf_counter() + 0.02)


def test_the_bell_takes_the_last_wish() -> None:
    """It can be set again while it waits, and calls no function that was replaced."""
    rung: list[str] = []
    now = time.perf_counter()
    bell().ring_at(now + 60, lambda: rung.append("first"))
    bell().ring_at(now + 0.01, lambda: rung.append("second"))
    until = now + 10
    while not rung and time.perf_counter() < until:
        time.sleep(0.005)
    assert rung == ["second"]
