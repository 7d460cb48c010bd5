"""Threads: how many are allowed, how many can run at once, and parallel tasks."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from threading import Thread
from typing import TypeVar

from bestfirst.errors import InputError

_Result = TypeVar("_Result")

MOST_THREADS = 256
"""More threads would only contend with each other on any machine."""
_sharing = [1]
"""The number of processes of a batch that share this machine."""


def check_threads(threads: object) -> None:
    """Raise InputError unless the value is a valid number of threads."""
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= MOST_THREADS:
        raise InputError(f"threads is {threads!r}; use a whole number from 1 to {MOST_THREADS}")


def processors() -> int:
    """The number of threads of this process that can run at once: its share, if it is one of several workers."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(allowed, MOST_THREADS) // _sharing[0])


def share_with(workers: int) -> None:
    """Take only a share of the processors from now on, as one of so many processes."""
    _sharing[0] = workers


def side_by_side(tasks: Sequence[Callable[[], _Result]]) -> list[_Result]:
    """The results of the tasks, each run in its own thread; threads that never end do not keep the process alive.

    A single task runs in the calling thread. Compiled code and NumPy release the GIL, so they use as many processors
    as are available.
    """
    if len(tasks) == 1:
        return [tasks[0]()]
    results: dict[int, _Result] = {}
    errors: list[BaseException] = []

    def do(number: int) -> None:
        try:
            results[number] = tasks[number]()
        except BaseException as error:
            errors.append(error)

    threads = [Thread(target=do, args=(number,), daemon=True) for number in range(len(tasks))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return [results[number] for number in range(len(tasks))]
