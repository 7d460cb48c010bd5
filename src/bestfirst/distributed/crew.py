"""The crew: what the driver sees of its workers, wherever they run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TypeAlias

from bestfirst.errors import BestfirstError


class Job(Protocol):
    """What a worker is asked to do. number: no other job of the driver has it."""

    @property
    def number(self) -> int: ...


class Work(Protocol):
    """What a worker makes of the charge (charge.py): it does jobs."""

    def do(self, job: Any, is_asked: Callable[[], bool]) -> Any:
        """The result of a job. is_asked: whether it is asked to return what is left; to be called from time to time, since it also
        notices that the driver has ended."""


class Joined(NamedTuple):
    """A worker is ready for its first job."""

    worker: int


class Lost(NamedTuple):
    """A worker has ended unexpectedly; another one will take its place."""

    worker: int


class Answer(NamedTuple):
    """A worker has finished a job."""

    worker: int
    result: Any


class Failed(NamedTuple):
    """A worker cannot work, or a method of the problem raised an error."""

    worker: int
    error: Exception


Event: TypeAlias = Joined | Lost | Answer | Failed


MOST_STILLBORN = 3
"""Workers in a row that end before they are ready: then no other one is started."""


class NoWorkersError(BestfirstError):
    """Workers cannot be started, or all of them end."""


class Crew(ABC):
    """Workers of one search. name: where they run. is_started: whether start() was called, and close() was not since."""

    name: str
    is_started = False

    @abstractmethod
    def count(self) -> int:
        """How many workers there will be; this may connect to a cluster, which takes seconds."""

    @abstractmethod
    def start(self, charge: bytes) -> None:
        """Begin to start all workers; each of them joins later. charge: see charge.py."""

    @abstractmethod
    def give(self, worker: int, job: Job) -> None:
        """Give a job to a worker that has none."""

    @abstractmethod
    def cut(self, worker: int) -> None:
        """Ask a worker to return what is left of its job."""

    @abstractmethod
    def events(self, seconds: float) -> list[Event]:
        """What has happened since the last call, after waiting for some seconds until something happens."""

    @abstractmethod
    def close(self) -> None:
        """End all workers; may be called again."""
