"""Worker threads are used again; each piece of work is done once, also by several at the same time."""

from __future__ import annotations

import os
import threading
from threading import Barrier, Event

import pytest

from bestfirst.system import workers
from bestfirst.system.beside import Beside
from bestfirst.system.workers import begin


def _done(work_of: list[str]) -> None:
    done = Event()

    def work() -> None:
        work_of.append(threading.current_thread().name)
        done.set()

    begin(work)
    assert done.wait(30)


def test_a_worker_does_one_piece_of_work_after_another() -> None:
    """A hundred pieces need few threads."""
    names: list[str] = []
    for _ in range(100):
        _done(names)
    assert len(names) == 100 and len(set(names)) < 10


def test_work_at_the_same_time_has_workers_of_its_own() -> None:
    """None waits for another one to end."""
    together = Barrier(5)
    works = [Beside(lambda: together.wait(30)) for _ in range(5)]
    assert all(work.wait_for(30) for work in works)
    assert sorted(work.result() for work in works) == [0, 1, 2, 3, 4]


def test_an_error_ends_the_work_and_not_the_worker() -> None:
    """It is raised where the result is asked for."""
    failing: Beside[float] = Beside(lambda: 1 / 0)
    assert failing.wait_for(30)
    with pytest.raises(ZeroDivisionError):
        failing.result()
    _done([])


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_has_workers_of_its_own() -> None:
    """The threads of its parent are not there."""
    _done([])
    child = os.fork()
    if child == 0:
        os._exit(0 if not workers._IDLE and Beside(lambda: 1).wait_for(20) else 1)
    assert os.waitpid(child, 0)[1] == 0
