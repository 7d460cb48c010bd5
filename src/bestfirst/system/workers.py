"""Worker threads, kept for the next piece of work: starting a thread takes longer than a small search.

Python in a browser has no threads; there the work is done at once, and a search waits for it."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock, Thread

STACK_BYTES = 64 << 20
"""Enough for the compiled search of the longest game, which is recursive; only what is used takes memory."""

HAS_THREADS = sys.platform not in ("emscripten", "wasi")


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
_lock = Lock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_IDLE.clear)  # threads do not survive a fork


def _start(worker: Worker) -> None:
    with _lock:
        usual = threading.stack_size(STACK_BYTES)  # of the threads that are started from now on
        try:
            worker.start()
        finally:
            threading.stack_size(usual)


def begin(work: Callable[[], None]) -> Worker:
    """Begin work in another thread; it must not raise an error. Without threads, it is over when this returns."""
    if not HAS_THREADS:
        work()
        return Worker()  # which is never started
    try:
        worker = _IDLE.pop()
    except IndexError:
        worker = Worker()
        _start(worker)
    worker.give(work)
    return worker
