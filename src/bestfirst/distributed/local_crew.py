"""Workers that are processes of this machine: one search uses several processors without threads, and survives their end."""

from __future__ import annotations

import socket
import subprocess
from contextlib import suppress
from multiprocessing.connection import Connection, wait

from bestfirst.distributed.crew import MOST_STILLBORN, Answer, Crew, Event, Failed, Job, Joined, Lost, NoWorkersError
from bestfirst.system.child_process import environment, how_it_ended, module_path, python

SECONDS_TO_END = 2.0


class LocalCrew(Crew):
    """A number of processes."""

    name = "local"

    def __init__(self, workers: int) -> None:
        self._size = workers
        self._workers: dict[int, _Process] = {}
        self._numbers = 0
        self._stillborn = 0
        self._charge = b""

    def count(self) -> int:
        return self._size

    def start(self, charge: bytes) -> None:
        self.is_started, self._charge, self._stillborn = True, charge, 0
        for _ in range(self._size):
            self._start_one()

    def _start_one(self) -> None:
        self._numbers += 1
        self._workers[self._numbers] = _Process(self._charge)

    def give(self, worker: int, job: Job) -> None:
        self._tell(worker, job)

    def cut(self, worker: int) -> None:
        self._tell(worker, None)

    def _tell(self, worker: int, message: Job | None) -> None:
        with suppress(OSError):  # it has ended, which the next call of events() reports
            self._workers[worker].connection.send(message)

    def events(self, seconds: float) -> list[Event]:
        by_connection = {process.connection: worker for worker, process in self._workers.items()}
        return [self._event(by_connection[ready]) for ready in wait(list(by_connection), seconds)]  # type: ignore[index]

    def _event(self, worker: int) -> Event:
        try:
            message = self._workers[worker].connection.recv()
        except (EOFError, OSError):
            return self._replaced(worker)
        if isinstance(message, Exception):
            return Failed(worker, message)
        if self._workers[worker].has_joined:
            return Answer(worker, message)
        self._workers[worker].has_joined, self._stillborn = True, 0
        return Joined(worker)

    def _replaced(self, worker: int) -> Event:
        """Start another worker instead of one that has ended."""
        process = self._workers.pop(worker)
        how = how_it_ended(process.end())
        self._stillborn += not process.has_joined
        if self._stillborn >= MOST_STILLBORN:
            return Failed(
                worker, NoWorkersError(f"{self._stillborn} workers ended before they were ready, the last one {how}")
            )
        self._start_one()
        return Lost(worker)

    def close(self) -> None:
        self.is_started = False
        for process in self._workers.values():
            process.end()
        self._workers.clear()


class _Process:
    """A worker and the connection to it: see worker.py."""

    def __init__(self, charge: bytes) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                python("bestfirst.distributed.worker", str(theirs.fileno())),
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env=environment(module_path()),
                process_group=0,  # Ctrl-C in the terminal is for the driver alone; a session would get its own share of time
            )
        self.connection = Connection(ours.detach())
        self.has_joined = False
        with suppress(OSError):
            self.connection.send(charge)

    def end(self) -> int:
        """End it, and return its exit code: it notices that the connection is closed, unless it is stuck."""
        self.connection.close()
        self._process.terminate()
        try:
            return self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()
