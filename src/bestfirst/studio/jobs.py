"""The processes of the studio: one for questions, one for each job, and a bounded number of them."""

from __future__ import annotations

import asyncio
import json
import secrets
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from typing import Any

from bestfirst.studio.protocol import END, SPENT
from bestfirst.system.child_process import environment, python

MOST_JOBS = 3
MOST_IDLE = 2
"""Processes kept for the next jobs: they have the compiled code of the last ones."""
MOST_LINE = 128 << 20
"""Largest message, in bytes: a long recording."""
LONGEST_PAUSE = 3600.0
SECONDS_TO_START = 20.0
"""How much longer the first answer of a new process may take."""
SECONDS_TO_STOP = 8.0
"""Seconds after which a process that was asked to stop is killed: longer than a search waits for a method that does not return."""


class TooManyJobsError(Exception):
    """As many jobs are running as are allowed."""


class Worker:
    """A process that does one thing at a time: see worker.py."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self.is_fresh = True
        """Whether it can be given another request."""
        self._why = "the process of this task has ended, perhaps for lack of memory; its results are lost"

    @classmethod
    async def start(cls) -> Worker:
        process = await asyncio.create_subprocess_exec(
            *python("bestfirst.studio.worker"),
            stdin=PIPE,
            stdout=PIPE,
            limit=MOST_LINE,
            env=environment(),
            start_new_session=True,  # Ctrl-C in the terminal is for the server alone
        )
        return cls(process)

    async def run(self, request: Mapping[str, Any]) -> AsyncGenerator[bytes, None]:
        """The messages of a request, each a line. An error message if the process ends."""
        self.is_fresh = False
        self._send(request)
        assert self._process.stdout is not None
        while True:
            try:
                line = await self._process.stdout.readline()
            except ValueError:
                line = b""
                self.kill()
            if not line:
                yield error_line(self._why)
                return
            if line in (END, SPENT):
                self.is_fresh = line == END
                return
            yield line

    def act(self, action: str) -> None:
        """Pause, go on, take a step, or stop with the results so far."""
        self._send({"action": action})

    def kill(self, why: str | None = None) -> None:
        """End the process at once. why: what to tell whoever waits for its messages."""
        self.is_fresh = False
        self._why = why or self._why
        with suppress(ProcessLookupError):
            self._process.kill()

    def _send(self, request: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        with suppress(ConnectionError, RuntimeError):  # it has ended, as whoever reads its messages learns
            self._process.stdin.write(json.dumps(request).encode() + b"\n")

    async def ended(self) -> None:
        """Wait until the process has ended."""
        await self._process.wait()


class Jobs:
    """Runs requests, each in a process of its own, and kills what nobody waits for any more."""

    def __init__(self, most: int = MOST_JOBS) -> None:
        self._most = most
        self._running: dict[str, Worker | None] = {}
        self._stopped: set[str] = set()
        """The running jobs that were stopped before they had a process."""
        self._clocks: dict[str, tuple[asyncio.Timeout, float]] = {}
        """For each job, when it is killed, and after how many seconds of work."""
        self._all: set[Worker] = set()
        self._idle: list[Worker] = []
        self._starting: asyncio.Task[None] | None = None
        self._clerk: Worker | None = None
        self._one_question = asyncio.Lock()
        self._closed = False

    def warm_up(self) -> None:
        """Start the processes of the next jobs, which takes a second, before they are needed."""
        if len(self._idle) < MOST_IDLE and self._starting is None and not self._closed:
            self._starting = asyncio.create_task(self._start_one())

    async def ask(self, request: Mapping[str, Any], seconds: float = 10.0) -> bytes:
        """The answer to a question, the first message; an error message after the given time."""
        async with self._one_question:
            more = 0.0
            if self._clerk is None or not self._clerk.is_fresh:
                self._clerk, more = await self._new(), SECONDS_TO_START
            worker = self._clerk
            try:
                async with asyncio.timeout(seconds + more):
                    answers = [line async for line in worker.run(request)]
                    return answers[0] if answers else error_line("there is no answer")
            except TimeoutError:
                return error_line(f"reading the instance takes more than {seconds:g} seconds; use a smaller instance")
            finally:
                if not worker.is_fresh:
                    self._drop(worker)

    async def stream(
        self, request: Mapping[str, Any], seconds: float, silence: float | None = None
    ) -> AsyncGenerator[bytes, None]:
        """The messages of a job, after one that names it. It is killed after the given time, or if the iterator is closed.

        silence: the longest time between two messages. Raises TooManyJobsError.
        """
        if len(self._running) >= self._most:
            raise TooManyJobsError
        name = secrets.token_hex(8)
        self._running[name] = None
        worker = None
        try:
            yield json.dumps({"job": name}).encode() + b"\n"
            worker = self._running[name] = await self._taken()
            if name in self._stopped:
                yield error_line("stopped")
                return
            loop = asyncio.get_running_loop()
            end = loop.time() + seconds
            async with asyncio.timeout_at(end if silence is None else loop.time() + silence) as limit:
                self._clocks[name] = limit, seconds
                async for line in worker.run(request):
                    yield line
                    if silence is not None:
                        limit.reschedule(min(end, loop.time() + silence))
        except TimeoutError:
            least = seconds if silence is None else min(seconds, silence)
            yield error_line(f"no result came for {least:g} seconds, so the process was ended; its results are lost")
        finally:
            self._running.pop(name, None)
            self._clocks.pop(name, None)
            self._stopped.discard(name)
            if worker is not None and worker.is_fresh and len(self._idle) < MOST_IDLE:
                self._idle.append(worker)
            elif worker is not None:
                self._drop(worker)

    def stop(self, name: str) -> bool:
        """Ask a job to end with its results so far; return whether it was running."""
        if name not in self._running:
            return False
        worker = self._running[name]
        if worker is None:
            self._stopped.add(name)
            return True
        worker.act("stop")
        asyncio.get_running_loop().call_later(SECONDS_TO_STOP, self._kill_if_running, name, worker)
        return True

    def act(self, name: str, action: str) -> bool:
        """Pause a job, or let it go on; return whether it was running. A pause may last an hour."""
        worker, clock = self._running.get(name), self._clocks.get(name)
        if worker is None or clock is None:
            return False
        worker.act(action)
        limit, seconds = clock
        limit.reschedule(asyncio.get_running_loop().time() + max(seconds, LONGEST_PAUSE if action != "go" else 0.0))
        return True

    def _kill_if_running(self, name: str, worker: Worker) -> None:
        if self._running.get(name) is worker:
            worker.kill(
                f"it did not stop within {SECONDS_TO_STOP:g} seconds, so the process was ended; its results are lost"
            )

    async def close(self) -> None:
        """Kill all processes."""
        self._closed = True
        for worker in self._all:
            worker.kill()
        with suppress(TimeoutError):
            async with asyncio.timeout(1):
                if self._starting is not None:
                    await self._starting  # it is killed, too
                await asyncio.gather(*(worker.ended() for worker in self._all))

    async def _taken(self) -> Worker:
        """A process that is ready, the one used most recently; the next one is started."""
        while not self._idle:
            self.warm_up()
            assert self._starting is not None
            await asyncio.shield(self._starting)
        worker = self._idle.pop()
        self.warm_up()
        return worker

    async def _start_one(self) -> None:
        try:
            self._idle.append(await self._new())
        finally:
            self._starting = None
        self.warm_up()

    async def _new(self) -> Worker:
        worker = await Worker.start()
        self._all.add(worker)
        if self._closed:
            worker.kill()
        return worker

    def _drop(self, worker: Worker) -> None:
        worker.kill()
        self._all.discard(worker)


def error_line(words: str) -> bytes:
    """The message of an error."""
    return json.dumps({"error": words}).encode() + b"\n"
