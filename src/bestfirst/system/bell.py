"""A bell that calls a function at a time, from a thread of its own; it can be set inside a signal handler."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from time import perf_counter


class Bell(threading.Thread):
    """Calls the function that it was last given, when its time has come.

    A Timer would not do: the code of a thread takes locks, so a signal handler that starts, cancels or joins one can wait for
    the code that it interrupts, forever. SimpleQueue.put() may be called in a signal handler.
    """

    def __init__(self) -> None:
        super().__init__(name="bestfirst bell", daemon=True)
        self._given: SimpleQueue[tuple[float, Callable[[], None]]] = SimpleQueue()

    def ring_at(self, when: float, ring: Callable[[], None]) -> None:
        """Call a function at a value of perf_counter(), instead of the one that was to be called so far."""
        self._given.put((when, ring))

    def run(self) -> None:
        """Wait and ring until the process ends."""
        when, ring = self._given.get()
        while True:
            try:
                when, ring = self._given.get(timeout=min(max(0.0, when - perf_counter()), threading.TIMEOUT_MAX))
            except Empty:
                ring()
                when, ring = self._given.get()


_BELLS: list[Bell] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_BELLS.clear)  # threads do not survive a fork


def bell() -> Bell:
    """The bell of this process. Not for signal handlers: it may have to be started."""
    if not _BELLS:
        made = Bell()
        made.start()
        _BELLS.append(made)
    return _BELLS[0]
