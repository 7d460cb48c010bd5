"""A Ray actor of a batch: it supervises one worker process on its machine, and says what has become of each task."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

from bestfirst.batches.local import LocalTeam
from bestfirst.batches.process import SECONDS_TO_RECALL, Chunk, Ended, Event, Lost
from bestfirst.compiled.compiler.cache import read_cached

SECONDS_BETWEEN_REPORTS = 0.05
SECONDS_FOR_CODE = 60.0
"""How long a worker waits for code that another machine compiles."""
SECONDS_BETWEEN_TRIES = 0.1


class CodeShelf:
    """An actor on the machine of the caller: compiled code for all workers. Code for other processors has other names."""

    def __init__(self, directory: str) -> None:
        self._directory = Path(directory)
        self._code: dict[str, bytes] = {}
        self._in_the_making: set[str] = set()

    def fetch(self, name: str) -> tuple[bytes | None, bool]:
        """The code; whether to ask again, because somebody compiles it."""
        if name not in self._code and (content := read_cached(self._directory / Path(name).name)) is not None:
            self._code[name] = content
        if name in self._code:
            return self._code[name], False
        is_in_the_making = name in self._in_the_making
        self._in_the_making.add(name)
        return None, is_in_the_making

    def offer(self, name: str, content: bytes) -> None:
        """Keep code that somebody has compiled."""
        self._code[name] = content


class RemoteShelf:
    """A CodeShelf as the process of another actor sees it. If it cannot be reached, the code is compiled."""

    def __init__(self, actor: Any) -> None:
        self._actor = actor

    def fetch(self, name: str) -> bytes | None:
        import ray  # noqa: PLC0415  (an extra)

        deadline = perf_counter() + SECONDS_FOR_CODE
        with suppress(ray.exceptions.RayError):
            while perf_counter() < deadline:
                answer: tuple[bytes | None, bool] = ray.get(self._actor.fetch.remote(name), timeout=SECONDS_FOR_CODE)
                content, is_in_the_making = answer
                if content is not None or not is_in_the_making:
                    return content
                sleep(SECONDS_BETWEEN_TRIES)
        return None

    def offer(self, name: str, content: bytes) -> None:
        with suppress(Exception):
            self._actor.offer.remote(name, content)


class Supervisor:
    """See above. beginning: the first message to the worker. seconds, memory: the limits of each task. shelf: an actor."""

    def __init__(self, beginning: bytes, seconds: float | None, memory: int | None, shelf: Any) -> None:
        self._team = LocalTeam(beginning, seconds, memory, 1, RemoteShelf(shelf))
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
