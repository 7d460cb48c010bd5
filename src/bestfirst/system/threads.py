"""Threads: how many may be asked for, how many run at once, and tasks done side by side."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from threading import Thread
from typing import TypeVar

from bestfirst.errors import InputError

_Result = TypeVar("_Result")

MOST_THREADS = 256
"""More than that only get in each other's way on any machine there is."""


def check_threads(threads: object) -> None:
    """Raise InputError for what is no number of threads."""
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= MOST_THREADS:
        raise InputError(f"threads is {threads!r}; write a whole number from 1 to {MOST_THREADS}")


def processors() -> int:
    """How many threads of this process can run at once."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(allowed, MOST_THREADS)


def side_by_side(tasks: Sequence[Callable[[], _Result]]) -> list[_Result]:
    """The results of the tasks, each done by a thread of its own; threads that never end do not keep the process alive.

    A single one is done by the caller's. Compiled code and NumPy do not hold Python's lock, so they use as many processors as
    there are.
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
