"""A worker process as its caller sees it, which ends it if it exceeds the limits of a task, so that nothing waits for ever."""

from __future__ import annotations

import pickle
import signal
import subprocess
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock, Thread
from time import perf_counter
from typing import Protocol

from bestfirst.batches.frames import Code, Pipe, read_frame
from bestfirst.batches.work import Failure
from bestfirst.batches.worker import ASK, FAILED, LATE, LEAVING, READY, RECALLED, REFUSED, RESULT, TELL, UNREADABLE
from bestfirst.errors import BestfirstError, InputError
from bestfirst.system.child_process import environment, how_it_ended, kill_group, leader, python
from bestfirst.system.impatience import PATIENCE
from bestfirst.system.memory import resident_bytes_of

GRACE = 2 * PATIENCE
"""Seconds after a limit until the process is ended: in half of them the search itself ends a method that does not return."""
SECONDS_TO_START = 120.0
"""Until a process that has not begun is ended."""
MEMORY_GRACE = 1.25
"""How many times its limit on memory a task may use until the process is ended."""
PREFETCHED_BYTES = 1 << 14
"""The largest chunk that is sent ahead: it fits into the buffer of a pipe, so sending it never waits."""

SECONDS_TO_RECALL = 0.1
"""Tasks that wait behind one that takes longer than this are given to an idle worker."""
_KILLED = ", so its process was ended"


@dataclass(frozen=True)
class Chunk:
    """Tasks that are sent together: their numbers, and their items in a parcel. seconds: left to the batch; None: no limit."""

    numbers: Sequence[int]
    parcel: bytes
    seconds: float | None


@dataclass(frozen=True)
class Ended:
    """A task has ended: with a parcel, a Failure, or None if it was not begun."""

    number: int
    result: bytes | Failure | None


@dataclass(frozen=True)
class Lost:
    """Tasks that must be done again, each alone."""

    numbers: Sequence[int]


@dataclass
class _Task:
    number: int
    is_recalled: bool = False


Event = Ended | Lost
Tell = Callable[["WorkerProcess", bytes | None], None]


class Shelf(Protocol):
    """Where compiled code is kept for workers on several machines."""

    def fetch(self, name: str) -> bytes | None: ...

    def offer(self, name: str, content: bytes) -> None: ...


class WorkerProcess:
    """See worker.py. tell: called in another thread with each message of the process, and with None when it has ended.

    beginning: the first message, with the circumstances and the work. seconds, memory: the limits of each task. shelf: answers
    the process if it asks for compiled code.
    Raises BestfirstError if the system starts no process.
    """

    def __init__(self, beginning: bytes, seconds: float | None, memory: int | None, tell: Tell, shelf: Shelf | None) -> None:
        self._seconds, self._memory = seconds, memory
        self._chunks: deque[deque[_Task]] = deque()
        self._is_first_of_chunk = True
        self._lock = Lock()
        self._answered = self._unanswered = 0
        self._is_cut_off = self._is_leaving = False
        self._deadline: float | None = None
        self._since = perf_counter()
        self._memory_before: int | None = None
        self._killed_for: tuple[Failure, int] | None = None
        self.is_ready = False
        try:
            self._process = leader(
                subprocess.Popen(
                    python("bestfirst.batches.worker"),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    env=environment(),
                    start_new_session=True,  # Ctrl-C in the terminal is for the caller alone
                )
            )
        except OSError as error:
            raise BestfirstError(
                f"no worker process can be started: {error.strerror or error}; use fewer workers"
            ) from error
        assert self._process.stdin is not None
        self._pipe, self._shelf = Pipe(self._process.stdin), shelf
        with suppress(OSError):  # it has ended, as the thread learns
            self._pipe.write(beginning)
        Thread(target=self._read, args=(tell,), daemon=True).start()

    def _read(self, tell: Tell) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as pipe:
            while (message := read_frame(pipe)) is not None:
                if message[:1] in (ASK, TELL):
                    Thread(target=self._answer, args=(message[:1], message[1:]), daemon=True).start()  # which may wait
                    continue
                with self._lock:
                    self._since = perf_counter()
                    self._memory_before = self._resident()
                    self._answered += message[:1] not in (READY, LEAVING)
                    self._unanswered -= message[:1] not in (READY, LEAVING)
                tell(self, message)
        tell(self, None)

    def _answer(self, kind: bytes, content: bytes) -> None:
        assert self._shelf is not None
        if kind == TELL:
            self._shelf.offer(*pickle.loads(content))
        else:
            self._send(Code(self._shelf.fetch(content.decode())))

    @property
    def chunks(self) -> int:
        """The number of chunks that it has not finished."""
        return len(self._chunks)

    def give(self, chunk: Chunk) -> None:
        """Send a chunk; only a small one if there is another."""
        self._chunks.append(deque(map(_Task, chunk.numbers)))
        with self._lock:
            self._deadline = None if chunk.seconds is None else perf_counter() + chunk.seconds
            if not self._unanswered:
                self._since = perf_counter()
                self._memory_before = self._resident()
            self._unanswered += len(chunk.numbers)
        self._send((chunk.seconds, chunk.parcel))

    def _send(self, request: tuple[float | None, bytes] | Code | None) -> None:
        try:
            self._pipe.write(pickle.dumps(request))
        except OSError:  # it has ended, as the thread learns
            self._is_cut_off = True

    def recall(self) -> list[int]:
        """The tasks that wait behind one that takes long, for others to do; this process will not begin them."""
        with self._lock:
            if not self.is_ready or perf_counter() - self._since < SECONDS_TO_RECALL:
                return []
        waiting = [task for chunk in self._chunks for task in chunk if not task.is_recalled][1:]
        for task in waiting:
            task.is_recalled = True
        if waiting:
            self._send(None)
        return [task.number for task in waiting]

    def events(self, message: bytes | None) -> list[Event]:
        """What a message, or the end of the process, says about its tasks. Raises InputError if it cannot do this work."""
        if message is None:
            return self._at_the_end()
        kind, content = message[:1], message[1:]
        if kind == READY:
            self.is_ready = True
            return []
        if kind == REFUSED:
            raise InputError(f"a worker process cannot start: {content.decode()}")
        if kind == LEAVING:
            self._is_leaving = True
            return []
        chunk = self._chunks[0]
        if kind == UNREADABLE:
            return self._unreadable(pickle.loads(content))
        task = chunk.popleft()
        self._is_first_of_chunk = not chunk
        if not chunk:
            self._chunks.popleft()
        if kind in (RECALLED, LATE) and task.is_recalled:
            return []
        if kind == RECALLED:  # with those behind it: it seemed to be in hand, but was still being read
            return [Lost([task.number])]
        results = {RESULT: content, LATE: None}
        return [Ended(task.number, pickle.loads(content) if kind == FAILED else results[kind])]

    def _unreadable(self, failure: Failure) -> list[Event]:
        tasks = self._chunks.popleft()
        with self._lock:
            self._unanswered -= len(tasks) - 1
        return [Ended(tasks[0].number, failure)] if len(tasks) == 1 else [_lost(tasks)]

    def _at_the_end(self) -> list[Event]:
        """The process has ended: the task in hand is to blame, if it is known which one; all others are lost."""
        code = self._process.wait()
        tasks = [task for chunk in self._chunks for task in chunk]
        if not tasks:
            return []
        killed_for, answered = self._killed_for or (None, self._answered)
        is_first = self._is_first_of_chunk and len(self._chunks[0]) > 1  # any may have ended it when the chunk was read
        is_known = self.is_ready and answered == self._answered and not (is_first and killed_for is None)
        is_unread = self._is_cut_off and len(self._chunks) == 1
        if self._is_leaving or is_unread or not is_known or tasks[0].is_recalled:
            return [_lost(tasks)]
        return [Ended(tasks[0].number, killed_for or Failure(_ending(code))), _lost(tasks[1:])]

    def enforce(self) -> None:
        """End the process if its task has exceeded its limits; safe to call from another thread."""
        with self._lock:
            busy = perf_counter() - self._since
            if self.is_ready:
                failure = self._excess(busy) if self._unanswered else None
            else:
                failure = Failure("its process did not start") if busy > SECONDS_TO_START else None
            if failure is not None:
                self._killed_for = self._killed_for or (failure, self._answered)
        if failure is not None:
            self.kill()

    def _excess(self, busy: float) -> Failure | None:
        """The limit that the task in hand has exceeded after so many seconds; None if it has not."""
        if self._seconds is not None and busy > self._seconds + GRACE:
            return Failure(
                f"it did not end within {GRACE:g} s after its time limit of {self._seconds:g} s{_KILLED}", "seconds"
            )
        if self._deadline is not None and perf_counter() > self._deadline + GRACE:
            return Failure(f"it did not end within {GRACE:g} s after the time limit of the whole batch{_KILLED}", "seconds")
        if self._memory is not None and self._memory_before is not None:
            grown = (self._resident() or 0) - self._memory_before
            if grown > MEMORY_GRACE * self._memory:
                return Failure(
                    f"it took {grown:,} bytes of memory, more than its limit of {self._memory:,}{_KILLED}", "memory"
                )
        return None

    def interrupt(self) -> None:
        """Ask the process to end its task with the results so far, and then itself, as Ctrl-C does."""
        if not self.is_ready:
            self.kill()
        with suppress(OSError):
            self._process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """End the process and those that it has started."""
        kill_group(self._process)

    def close(self) -> None:
        """End the process, and wait until it has ended."""
        self.kill()
        self._process.wait()
        self._pipe.close()

    def _resident(self) -> int | None:
        """The resident memory of the process, in bytes; None if it is not needed, or unknown."""
        return None if self._memory is None else resident_bytes_of(self._process.pid)


def _lost(tasks: Iterable[_Task]) -> Lost:
    return Lost([task.number for task in tasks if not task.is_recalled])


def _ending(code: int) -> str:
    how = how_it_ended(code)
    remark = ", perhaps for lack of memory" if "SIGKILL" in how else ""
    return f"its process ended {how}{remark}"
