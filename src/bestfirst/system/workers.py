"""Worker threads, kept for the next piece of work: to start a thread takes longer than a small search."""

from __future__ import annotations

import os
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread


class Worker(Thread):
    """A thread that does one piece of work after another; it does not keep the process alive."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._given: SimpleQueue[Callable[[], None]] = SimpleQueue()

    def run(self) -> None:
        """Work until the process ends, or until told to end: an exception may be raised in a thread that has just finished."""
        try:
            while True:
                work = self._given.get()
                work()
                del work  # and what it holds
                _IDLE.append(self)
        except BaseException:
            if self in _IDLE:
                _IDLE.remove(self)

    def give(self, work: Callable[[], None]) -> None:
        """Give the worker work; it must be idle."""
        self._given.put(work)


_IDLE: list[Worker] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_IDLE.clear)  # threads do not survive a fork


def begin(work: Callable[[], None]) -> Worker:
    """Begin work in another thread; it must not raise an error."""
    try:
        worker = _IDLE.pop()
    except IndexError:
        worker = Worker()
        worker.start()
    worker.give(work)
    return worker
