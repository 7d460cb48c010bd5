"""Beside: work that another thread does, which neither a limit nor Ctrl-C has to wait for."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextvars import ContextVar
from threading import Event
from time import perf_counter

import pytest

import bestfirst as bf
from bestfirst.search_plan import HEAD_START
from bestfirst.system.beside import Beside


def test_the_result_comes_back_and_so_does_an_error() -> None:
    """In the thread that asks for it."""
    work = Beside(lambda: 1 + 1)
    assert work.wait(None)
    assert (work.is_finished, work.result()) == (True, 2)
    failing = Beside(lambda: 1 // 0)
    assert failing.wait(None)
    with pytest.raises(ZeroDivisionError):
        failing.result()


def test_a_deadline_ends_the_waiting_and_not_the_work() -> None:
    """Which can be waited for again."""
    may_end = Event()
    work = Beside(may_end.wait)
    started = perf_counter()
    assert not work.wait(started + 0.05)
    assert perf_counter() - started < 5
    may_end.set()
    assert work.wait(None)
    assert work.result() is True


def test_what_holds_within_a_with_statement_holds_for_the_work() -> None:
    """Such as the policy for databases."""
    policy = ContextVar("policy", default="usual")
    policy.set("own")
    work = Beside(policy.get)
    assert work.wait(None)
    assert work.result() == "own"


def test_ctrl_c_ends_the_waiting() -> None:
    """It is pressed from the work's own thread, and heard by the main one."""
    may_end = Event()

    def press() -> bool:
        time.sleep(0.1)
        signal.raise_signal(signal.SIGINT)
        return may_end.wait(5)

    work = Beside(press)
    with pytest.raises(KeyboardInterrupt):
        work.wait(None)
    may_end.set()
    assert work.wait(None)


@pytest.mark.slow
def test_the_end_of_the_process_ends_the_work() -> None:
    """Even where that would go on for ever and catches all errors; and nothing is written about it."""
    program = """
from bestfirst.system.beside import Beside
def endless():
    for _ in range(3):
        try:
            while True: pass
        except BaseException: pass
Beside(endless).wait(0)
print("over")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=20)
    assert (done.stdout, done.stderr, done.returncode) == ("over\n", "", 0)


@pytest.mark.parametrize("expanded", [HEAD_START - 1, HEAD_START])
def test_ctrl_c_at_the_end_of_the_head_start_is_not_lost(expanded: int) -> None:
    """There the engine stops for another reason, and would be asked to go on."""

    def press(search: bf.Search) -> None:
        if search.stats.expanded == expanded:
            signal.raise_signal(signal.SIGINT)

    endless = bf.Problem.of(0, lambda number: [("+", number + 1, 1)], lambda _number: False)
    solution = bf.solve(endless, progress=press, limits=bf.Limits(expansions=3 * HEAD_START))
    assert (solution.status, solution.stats.expanded) == ("interrupted", expanded)


COMPILING = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
import bestfirst as bf
hard = bf.SlidingTile("14 13 15 7 11 12 9 5 6 _ 2 1 4 8 10 3", goal=range(16))
search = bf.Search(hard, "astar", "manhattan", engine="compiled")
print("ready", flush=True)
print(search.run().status, flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("moment", [0.05, 0.4, 1.2])
def test_ctrl_c_while_code_is_compiled_always_stops(moment: float, tmp_path: object) -> None:
    """A search comes back as interrupted at once, wherever in the compiler, an import or the linker the signal comes."""
    environment = {**os.environ, "BESTFIRST_CACHE": str(tmp_path)}
    process = subprocess.Popen([sys.executable, "-c", COMPILING], stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(moment)
    process.send_signal(signal.SIGINT)
    pressed = perf_counter()
    assert process.stdout.readline() == "interrupted\n"
    assert perf_counter() - pressed < 5
    process.stdout.close()
    assert process.wait(20) == 0


def test_work_that_is_stopped_at_exit_prints_nothing() -> None:
    """Not even in a C extension, which prints an error of an import by itself."""
    program = (
        "import ctypes, threading, time\n"
        "from bestfirst.system.beside import Beside\n"
        "begun = threading.Event()\n"
        "def work():\n"
        "    begun.set()\n"
        "    try:\n"
        "        while True: time.sleep(0.001)\n"
        "    except BaseException as error:\n"
        "        import sys\n"
        "        sys.excepthook(type(error), error, error.__traceback__)\n"
        "        raise\n"
        "Beside(work)\n"
        "begun.wait()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == ""
