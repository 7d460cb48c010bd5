"""Workers that are actors of a Ray cluster: one search uses many machines."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from time import sleep
from typing import Any

from bestfirst.distributed.crew import MOST_STILLBORN, Answer, Crew, Event, Failed, Job, Joined, Lost, NoWorkersError
from bestfirst.distributed.sendable import sendable
from bestfirst.system.copies import Original
from bestfirst.system.ray_cluster import Connection, ConnectionEndedError, ended_of, imported


class RayWorker:
    """What an actor does; see worker.py for a process. Its methods run in threads, so that it can be interrupted."""

    def __init__(self) -> None:
        self._cut_job = 0
        self._work: Any = None
        self._original = Original()

    def get_ready(self, charge: bytes) -> Exception | None:
        """Make of the charge what does the jobs, or return the error."""
        try:
            self._work = import_module("bestfirst.distributed.unpacking").unpacked(charge)
        except Exception as error:
            return sendable(error)
        finally:
            self._original.end_copy()
        return None

    def do(self, job: Job) -> Any:
        """The result of a job, or the error of the problem's own code."""
        try:
            return self._work.do(job, lambda: self._cut_job == job.number)
        except Exception as error:
            return sendable(error)
        finally:
            self._original.end_copy()

    def cut(self, number: int) -> None:
        """Return what is left of the job of this number."""
        self._cut_job = number


@dataclass
class _Actor:
    """A worker as the driver sees it. job: the number of its last job."""

    handle: Any
    has_joined: bool = False
    job: int = 0


@dataclass
class RayCrew(Crew):
    """Actors with one processor each. size: their number; None: one for each processor of the cluster.

    They are on the cluster that ray_cluster.py connects to; one that it starts ends with this process.
    """

    size: int | None
    name = "ray"
    _actors: dict[int, _Actor] = field(default_factory=dict)
    _waiting: dict[Any, int] = field(default_factory=dict)
    _numbers: int = 0
    _stillborn: int = 0
    _is_wanted: bool = False
    _connected: Connection | None = None

    def __post_init__(self) -> None:
        self._ray = imported()

    def count(self) -> int:
        if self.size is None:
            self._connect()
            self.size = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        return self.size

    def _connect(self) -> None:
        if self._connected is None or self._connected.has_ended:
            self._connected = Connection(self._ray)

    @property
    def _connection(self) -> Connection:
        assert self._connected is not None
        return self._connected

    def start(self, charge: bytes) -> None:
        self._is_wanted = True
        self._connect()
        self._kind = self._ray.remote(RayWorker).options(num_cpus=1, max_concurrency=2, max_restarts=0)
        self._charge = self._ray.put(charge)
        self._stillborn = 0
        for _ in range(self.count()):
            self._start_one()
        self.is_started = True
        if not self._is_wanted:  # closed meanwhile: a cluster takes seconds to start
            self.close()

    def _start_one(self) -> None:
        self._numbers += 1
        actor = self._actors[self._numbers] = _Actor(self._kind.remote())
        self._waiting[actor.handle.get_ready.remote(self._charge)] = self._numbers

    def give(self, worker: int, job: Job) -> None:
        actor = self._actors[worker]
        actor.job = job.number
        with self._connection.used():
            self._waiting[actor.handle.do.remote(job)] = worker

    def cut(self, worker: int) -> None:
        actor = self._actors[worker]
        with self._connection.used():
            actor.handle.cut.remote(actor.job)

    def events(self, seconds: float) -> list[Event]:
        if not self._waiting:
            sleep(seconds)
            return []
        with self._connection.used():
            return [
                self._event(future, self._waiting.pop(future))
                for future in ended_of(self._ray, list(self._waiting), seconds)
            ]

    def _event(self, future: Any, worker: int) -> Event:
        actor = self._actors[worker]
        try:
            message = self._ray.get(future)
        except self._ray.exceptions.RayError as error:
            return self._replaced(worker, error)
        if isinstance(message, Exception):
            return Failed(worker, message)
        if actor.has_joined:
            return Answer(worker, message)
        actor.has_joined, self._stillborn = True, 0
        return Joined(worker)

    def _replaced(self, worker: int, error: Exception) -> Event:
        """Start another worker instead of one that has ended, or whose machine has."""
        if self._connection.has_ended:
            raise ConnectionEndedError
        actor = self._actors.pop(worker)
        self._stillborn += not actor.has_joined
        if self._stillborn >= MOST_STILLBORN:
            return Failed(worker, NoWorkersError(f"{self._stillborn} workers ended before they were ready: {error}"))
        self._start_one()
        return Lost(worker)

    def close(self) -> None:
        self._is_wanted = False
        if self.is_started:
            self.is_started = False
            for actor in () if self._connection.has_ended else self._actors.values():
                with suppress(Exception):  # the cluster may be gone
                    self._ray.kill(actor.handle)
            self._actors.clear()
            self._waiting.clear()
