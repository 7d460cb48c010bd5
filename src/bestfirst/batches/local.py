"""Worker processes on this machine: they get chunks of tasks, and one that ends is replaced."""

from __future__ import annotations

import pickle
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event as Flag
from threading import Thread
from time import perf_counter

from bestfirst.batches.circumstances import Circumstances
from bestfirst.batches.parcels import packed
from bestfirst.batches.process import PREFETCHED_BYTES, Chunk, Event, Shelf, WorkerProcess
from bestfirst.batches.work import Work
from bestfirst.errors import BestfirstError

SECONDS_BETWEEN_CHECKS = 0.1
MOST_FALSE_STARTS = 5
"""Processes in a row that may end before they are ready."""


class LocalTeam:
    """So many worker processes, started when they are first needed.

    beginning: the first message to each. seconds, memory: the limits of each task. shelf: see WorkerProcess.
    """

    def __init__(
        self, beginning: bytes, seconds: float | None, memory: int | None, workers: int, shelf: Shelf | None = None
    ) -> None:
        self._beginning, self._seconds, self._memory = beginning, seconds, memory
        self.size, self._shelf = workers, shelf
        self._messages: SimpleQueue[tuple[WorkerProcess, bytes | None]] = SimpleQueue()
        self._workers: list[WorkerProcess] = []
        self._false_starts = 0
        self._is_over = Flag()
        Thread(target=_enforce, args=(self._workers, self._is_over), daemon=True).start()

    def takes(self, length: int) -> bool:
        """Whether a chunk with a parcel of this length can be given now."""
        return len(self._workers) < self.size or self._next(length) is not None

    def _next(self, length: int = 0) -> WorkerProcess | None:
        """The worker with the least to do, if it can be given another chunk."""
        found = min(self._workers, key=lambda worker: worker.chunks, default=None)
        most = 2 if length <= PREFETCHED_BYTES else 1
        return None if found is None or found.chunks >= most else found

    def give(self, chunk: Chunk) -> None:
        """Give a chunk to a worker; takes() must be true."""
        worker = self._next(len(chunk.parcel))
        if worker is None or (worker.chunks and len(self._workers) < self.size):
            worker = WorkerProcess(self._beginning, self._seconds, self._memory, self._tell, self._shelf)
            self._workers.append(worker)
        worker.give(chunk)

    def _tell(self, worker: WorkerProcess, message: bytes | None) -> None:
        self._messages.put((worker, message))

    def wait(self, seconds: float | None) -> list[Event]:
        """What happens next, within some seconds; None waits for ever."""
        events: list[Event] = []
        deadline = None if seconds is None else perf_counter() + seconds
        while not events:
            left = None if deadline is None else max(0.0, deadline - perf_counter())
            try:
                worker, message = self._messages.get(timeout=left)
            except Empty:
                break
            events += self._said(worker, message)
            with suppress(Empty):
                while True:
                    events += self._said(*self._messages.get_nowait())
        return events

    def _said(self, worker: WorkerProcess, message: bytes | None) -> list[Event]:
        events = worker.events(message)
        if message is None:
            self._workers.remove(worker)
            worker.close()
            self._count_start(worker.is_ready)
        return events

    def _count_start(self, is_ready: bool) -> None:
        self._false_starts = 0 if is_ready else self._false_starts + 1
        if self._false_starts >= MOST_FALSE_STARTS:
            raise BestfirstError(
                f"{MOST_FALSE_STARTS} worker processes in a row ended before they could start; their errors are on standard "
                "error"
            )

    @property
    def has_idle(self) -> bool:
        """Whether a worker has nothing to do, or has not been started yet."""
        return len(self._workers) < self.size or not all(worker.chunks for worker in self._workers)

    def recall(self) -> list[int]:
        """The tasks that wait behind others that take long."""
        return [number for worker in self._workers for number in worker.recall()]

    def interrupt(self) -> None:
        """Ask all tasks in hand to end with the results so far; no worker begins another."""
        for worker in self._workers:
            worker.interrupt()

    @property
    def is_idle(self) -> bool:
        """Whether no worker has anything to do."""
        return not any(worker.chunks for worker in self._workers)

    def close(self) -> None:
        """End all processes."""
        self._is_over.set()
        for worker in self._workers:
            worker.kill()
        for worker in self._workers:
            worker.close()


def beginning_of(work: Work, workers: int, *, asks_for_code: bool = False) -> bytes:
    """The first message to a worker. Raises InputError if the work cannot be sent."""
    return pickle.dumps((Circumstances.here(workers, asks_for_code=asks_for_code), packed(work)))


def _enforce(workers: list[WorkerProcess], is_over: Flag) -> None:
    """Enforce the limits, also while the caller does something else."""
    while not is_over.wait(SECONDS_BETWEEN_CHECKS):
        for worker in list(workers):
            worker.enforce()
