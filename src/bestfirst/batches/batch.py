"""Batch: the results of many tasks, one after the other, while workers do the next ones; its input is read as it is needed."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import GEN_RUNNING, getgeneratorstate
from threading import RLock
from time import perf_counter
from types import TracebackType
from typing import Any, Protocol, TypeVar

from bestfirst.batches.parcels import Used, packed, packed_with_code, unpacked, used_by
from bestfirst.batches.process import PREFETCHED_BYTES, Chunk, Ended, Event
from bestfirst.batches.work import INTERRUPTED, Failure, Work
from bestfirst.errors import InputError

MOST_AHEAD = 64
"""Tasks for each worker that may be read before the next result is taken."""
MOST_IN_CHUNK = 32
SECONDS_OF_CHUNK, SECONDS_OF_LARGE = 0.02, 0.2
"""The aims for the work of a chunk, and of one with a large parcel, such as a map: sending it then takes a small part of the
time."""
SECONDS_BETWEEN_LOOKS = 0.1
"""While it waits for a result: whether another thread has closed the batch, or tasks should be recalled."""
SECONDS_TO_STOP = 3.0
"""How long Ctrl-C waits for tasks to end with the results so far."""

_STOPPED = Failure("Ctrl-C ended the batch before this task had a result", INTERRUPTED)
_LATE = Failure("the time limit of the batch was reached before this task began", "seconds")

ResultT = TypeVar("ResultT")


@dataclass(frozen=True)
class _NotBegun:
    """In place of a result: the time of the batch was over."""

    item: Any


class Team(Protocol):
    """Workers, on this machine or on others. size: their number."""

    size: int

    def takes(self, length: int) -> bool: ...

    def give(self, chunk: Chunk) -> None: ...

    def wait(self, seconds: float | None) -> list[Event]: ...

    def recall(self) -> list[int]: ...

    def interrupt(self) -> None: ...

    @property
    def has_idle(self) -> bool: ...

    @property
    def is_idle(self) -> bool: ...

    def close(self) -> None: ...


class Batch(Iterator[ResultT]):
    """An iterator of the results of a batch. Closing or dropping it, or the end of the program, ends its workers.

        with bf.solve_many(problems, on="local") as batch:
            for solution in batch: ...

    interrupted: whether Ctrl-C ended it; it has then returned what was done.
    Several threads may share it: each result goes to one of them. Its own progress or problems get InputError if they ask it
    for a result.
    """

    def __init__(self, run: Run, *, ordered: bool) -> None:
        self._run = run
        self._results: Generator[ResultT, None, None] = run.results(ordered=ordered)
        self._lock = RLock()
        self._process = os.getpid()

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C has ended the batch."""
        return self._run.is_interrupted

    def __next__(self) -> ResultT:
        if os.getpid() != self._process:
            raise InputError(
                "this process is a copy (os.fork) of the one that started this batch, and cannot use its workers; start another "
                "batch here"
            )
        with self._lock:
            if self._is_at_work():  # further out in this thread
                raise InputError(
                    "the results of a batch cannot be read by its own progress function, or by the generator of its input; read "
                    "them in a loop over the batch"
                )
            return next(self._results)

    def __enter__(self) -> Batch[ResultT]:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all workers; no more results come, not even for another thread that waits for one."""
        self._run.is_closed = True
        if os.getpid() != self._process:
            return
        with self._lock:
            if not self._is_at_work():  # its own progress or problems: it ends when they return
                self._results.close()

    def _is_at_work(self) -> bool:
        return getgeneratorstate(self._results) == GEN_RUNNING


class Run:
    """The state of a batch: what was read, what the workers have, and what is done.

    hire: starts the team. seconds: wall-clock time of the whole batch, from its first task. tell: called with each result.
    close: called at the end.
    """

    def __init__(
        self,
        items: Iterable[Any],
        work: Work,
        hire: Callable[[], Team],
        *,
        seconds: float | None,
        tell: Callable[[Any], None],
        close: Callable[[], None],
    ) -> None:
        self._unread, self._work, self._hire = iter(items), work, hire
        self._seconds, self._tell, self._close = seconds, tell, close
        self._deadline: float | None = None
        self._read = 0
        self._is_read = False
        self._input_error: BaseException | None = None
        self._items: dict[int, Any] = {}
        """The items of tasks that have no result yet."""
        self._again: deque[int] = deque()
        """Tasks that must be done again, each alone."""
        self._unsent: Chunk | None = None
        self._used_by_work: Used = {}
        self._done: dict[int, Any] = {}
        self._following = 0
        self._gap: list[tuple[int, Any]] = []
        """The items of tasks that were not begun, since the last result, in order."""
        self._pace = _Pace()
        self.is_interrupted = self.is_closed = False

    def results(self, *, ordered: bool) -> Generator[Any, None, None]:
        """The results in order; or pairs of a number and a result, as they come."""
        if not self._read_first():
            return
        team, process = self._hire(), os.getpid()
        self._deadline = None if self._seconds is None else perf_counter() + self._seconds
        try:
            while self._is_unfinished() and not self.is_closed:
                with self._interruptible(team, ordered=ordered):
                    self._advance(team)
                for number, result in self._ready(ordered=ordered):
                    with self._interruptible(team, ordered=ordered):
                        self._tell(result)
                    if self.is_closed:
                        return
                    yield result if ordered else (number, result)
                if self.is_interrupted:
                    return
        finally:
            if os.getpid() == process:  # not in a copy (os.fork), which drops the batch when it ends
                team.close()
                self._close()
        if self._input_error is not None and not self.is_closed:
            raise self._input_error

    @contextmanager
    def _interruptible(self, team: Team, *, ordered: bool) -> Iterator[None]:
        """On Ctrl-C, the results so far remain."""
        try:
            yield
        except KeyboardInterrupt:
            self._stop(team)
            if ordered:
                self._close_gaps()

    def _ready(self, *, ordered: bool) -> Iterator[tuple[int, Any]]:
        """The results that can be given to the caller now.

        A task that was not begun has one only if it is ordered before another that has: so the nth result is that of the nth
        item.
        """
        while self._done:
            number = self._following if ordered else min(self._done)
            if number not in self._done:
                return
            self._following = number + 1
            result = self._done.pop(number)
            if isinstance(result, _NotBegun):
                self._gap.append((number, result.item))
                continue
            if ordered:
                yield from ((earlier, self._work.failed(item, _LATE)) for earlier, item in self._gap)
            self._gap.clear()
            yield number, result

    def _is_unfinished(self) -> bool:
        return bool(self._items or self._done) or not self._is_read

    # Reading.

    def _read_first(self) -> bool:
        """Read the first item, whose arguments are checked before a worker starts; return whether there is one."""
        for item in self._unread:
            self._work.check(item)
            self._used_by_work = used_by(self._work)
            packed([item])
            self._add(item)
            self._again.append(0)
            return True
        return False

    def _add(self, item: Any) -> int:
        number, self._read = self._read, self._read + 1
        self._items[number] = item
        return number

    def _next_chunk(self, team: Team) -> Chunk | None:
        """Tasks to repeat, or new ones from the input. None if there are none, or if the workers have enough."""
        while self._again:
            number = self._again.popleft()
            if number in self._items:
                return self._chunk([number])
        numbers: list[int] = []
        room = min(self._pace.chunk, MOST_AHEAD * team.size - len(self._items) - len(self._done))
        while len(numbers) < room and not self._is_read and not self._is_late():
            try:
                numbers.append(self._add(next(self._unread)))
            except StopIteration:
                self._is_read = True
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # SystemExit, too; raised once everything before it is done
                self._input_error, self._is_read = error, True
        if self._is_late():
            self._is_read = True
        return self._chunk(numbers) if numbers else None

    def _chunk(self, numbers: list[int]) -> Chunk | None:
        try:
            parcel = packed_with_code([self._items[number] for number in numbers], self._used_by_work)
        except InputError as error:
            if len(numbers) > 1:
                self._again.extend(numbers)
            else:
                self._settle(Ended(numbers[0], Failure(str(error))))
            return None
        self._pace.is_large = len(parcel) > PREFETCHED_BYTES
        return Chunk(numbers, parcel, self._left())

    def _left(self) -> float | None:
        return None if self._deadline is None else self._deadline - perf_counter()

    def _is_late(self) -> bool:
        left = self._left()
        return left is not None and left <= 0

    # Working.

    def _advance(self, team: Team) -> None:
        """Give one chunk if a worker has room for it, and learn what has happened; wait only if nothing can be given."""
        has_given = self._give(team)
        if not has_given and self._unsent is None and team.has_idle:
            self._again.extend(team.recall())
        at_once = has_given or team.is_idle or self._again
        for event in team.wait(0.0 if at_once else SECONDS_BETWEEN_LOOKS):
            self._learn(event, team.size)

    def _give(self, team: Team) -> bool:
        if self._unsent is None and team.takes(0):
            self._unsent = self._next_chunk(team)
        chunk = self._unsent
        if chunk is None or not team.takes(len(chunk.parcel)):
            return False
        self._unsent = None
        team.give(chunk)
        return True

    def _learn(self, event: Event, workers: int) -> None:
        if isinstance(event, Ended):
            self._pace.count(workers)
            self._settle(event)
        else:
            self._again.extendleft(number for number in reversed(event.numbers) if number in self._items)

    def _settle(self, ended: Ended) -> None:
        """Turn what a worker says about a task into its result."""
        if ended.number not in self._items:  # it was recalled too late, and done twice
            return
        self._done[ended.number] = self._result(self._items[ended.number], ended.result)
        del self._items[ended.number]  # only now, since Ctrl-C may come at any time

    def _result(self, item: Any, found: bytes | Failure | None) -> Any:
        if found is None:
            return _NotBegun(item)
        if isinstance(found, bytes):
            try:
                result = unpacked(found, self._work.known(item))
            except Exception as error:
                found = Failure(f"its result cannot be read: {error}")
            else:
                fault = self._work.fault(item, result)
                if fault is None:
                    return result
                found = Failure(fault)
        return self._work.failed(item, found)

    def _stop(self, team: Team) -> None:
        """After Ctrl-C: let the tasks in hand end with the results so far, for some seconds; a second Ctrl-C ends this at
        once."""
        self.is_interrupted = True
        team.interrupt()
        deadline = perf_counter() + SECONDS_TO_STOP
        while not team.is_idle and perf_counter() < deadline:
            for event in team.wait(deadline - perf_counter()):
                if isinstance(event, Ended) and not isinstance(event.result, Failure):
                    self._settle(event)

    def _close_gaps(self) -> None:
        """After Ctrl-C: a result for each task without one that is ordered before another that has one."""
        last = max(self._done, default=-1)
        for number in [number for number in self._items if number < last and number not in self._done]:
            self._done[number] = self._work.failed(self._items[number], _STOPPED)


class _Pace:
    """How many tasks are sent together: more of short ones, so that sending takes a small part of the time."""

    def __init__(self) -> None:
        self.chunk = 1
        self.is_large = False
        self._since = perf_counter()
        self._ended = 0

    def count(self, workers: int) -> None:
        """A task of one of so many workers has ended."""
        self._ended += 1
        now = perf_counter()
        if now - self._since >= SECONDS_OF_CHUNK:
            rate = self._ended / (now - self._since) / workers
            most = min(MOST_IN_CHUNK, 2 * self.chunk)
            aim = SECONDS_OF_LARGE if self.is_large else SECONDS_OF_CHUNK
            self.chunk = max(1, min(most, int(aim * rate)))
            self._since, self._ended = now, 0
