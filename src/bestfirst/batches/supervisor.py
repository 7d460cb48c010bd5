"""A Ray actor of a batch: it supervises one worker process on its machine, and says what has become of each task."""

from __future__ import annotations

import os
from time import perf_counter

from bestfirst.batches.local import LocalTeam
from bestfirst.batches.process import SECONDS_TO_RECALL, Chunk, Ended, Event, Lost

SECONDS_BETWEEN_REPORTS = 0.05


class Supervisor:
    """See above. beginning: the first message to the worker. seconds, memory: the limits of each task."""

    def __init__(self, beginning: bytes, seconds: float | None, memory: int | None) -> None:
        self._team = LocalTeam(beginning, seconds, memory, 1)
        self._left: set[int] = set()

    def begin(self) -> int:
        """Once this returns, the actor exists. Returns the number of its process."""
        return os.getpid()

    def do(self, chunk: Chunk | None) -> list[Event]:
        """Do a chunk, or go on with the last one, and say what has happened so far.

        Tasks that wait behind one that takes long are lost at once, so that others do them.
        """
        if chunk is not None:
            self._left = set(chunk.numbers)
            self._team.give(chunk)
        events: list[Event] = []
        started = perf_counter()
        while self._left and not (events and perf_counter() - started > SECONDS_BETWEEN_REPORTS):
            found = self._team.wait(SECONDS_TO_RECALL if len(self._left) > 1 else None)
            if not found:
                found = [Lost(self._team.recall())]
            for event in found:
                self._left -= {event.number} if isinstance(event, Ended) else set(event.numbers)
            events += found
        return events

    def interrupt(self) -> None:
        """Ask the worker to end its task with the results so far."""
        self._team.interrupt()
