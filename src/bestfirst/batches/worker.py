"""A worker process: it does the tasks of a batch that it is given, one after the other, and sends each result at once.

Messages arrive at standard input: the work and the circumstances, then chunks of tasks. Results leave through standard
output, so what a problem prints goes to standard error. Once standard input ends, whoever started the process has ended,
and it ends too, whatever it is doing.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from time import perf_counter
from traceback import extract_tb
from typing import Any, BinaryIO, NoReturn

from bestfirst.batches.frames import Code, Pipe, read_frame
from bestfirst.batches.parcels import packed, unpacked, unpacked_with_code
from bestfirst.batches.work import Failure, Work
from bestfirst.errors import BestfirstError, InputError, kind_and_text
from bestfirst.imported_code import OtherCodeError
from bestfirst.system.copies import Original
from bestfirst.system.gc_tuning import spare_what_is_loaded

READY, REFUSED = b"+", b"x"
"""The first byte of the first message: the process can begin, or not, for the reason that follows."""
ASK, TELL = b"?", b"!"
"""The first byte of a message about compiled code: its name is asked for; its name and itself."""
LEAVING = b"e"
"""That the process ends, since it was interrupted: what it was given otherwise is not begun."""
RESULT, FAILED, RECALLED, LATE, UNREADABLE = b"r", b"f", b"s", b"l", b"u"
"""The first byte of any other message: a result; a Failure; a task that was not begun, since its chunk was recalled or the
time of the batch is over; a Failure of the whole chunk."""


@dataclass(frozen=True)
class Chunk:
    """Tasks to do: the number of the chunk, the seconds left to the batch at a time, that time, and the items in a parcel."""

    number: int
    left: float | None
    since: float
    parcel: bytes

    def seconds(self) -> float | None:
        """The seconds that are left now."""
        return None if self.left is None else self.left - (perf_counter() - self.since)


class Results(Pipe):
    """The pipe to whoever gives the tasks."""

    def __init__(self, pipe: BinaryIO) -> None:
        super().__init__(pipe)
        self._original = Original()

    def write(self, content: bytes) -> None:
        """Write one message. Raises OSError if nobody reads any more."""
        self._original.end_copy()
        super().write(content)


class Requests:
    """The chunks that have arrived, and which of them were recalled."""

    def __init__(self) -> None:
        self.chunks: SimpleQueue[Chunk] = SimpleQueue()
        self.code: SimpleQueue[bytes | None] = SimpleQueue()
        self._arrived = self._recalled = 0

    def read(self, pipe: BinaryIO) -> None:
        """Queue the chunks as they arrive. At the end, end this process with all processes that it has started."""
        with suppress(Exception):
            while (request := read_frame(pipe)) is not None:
                content = pickle.loads(request)
                if content is None:
                    self._recalled = self._arrived
                elif isinstance(content, Code):
                    self.code.put(content.content)
                else:
                    self._arrived += 1
                    self.chunks.put(Chunk(self._arrived, content[0], perf_counter(), content[1]))
        _end_all()

    def why_not(self, chunk: Chunk) -> bytes | None:
        """Why tasks of a chunk must not be begun: RECALLED or LATE; None if they may be."""
        if chunk.number <= self._recalled:
            return RECALLED
        seconds = chunk.seconds()
        return LATE if seconds is not None and seconds <= 0 else None


def main() -> None:
    pipe, results = _own_pipes()
    _be_the_first_to_go()
    _hear_ctrl_c()
    try:
        circumstances, work_parcel = pickle.loads(read_frame(pipe) or b"")
        circumstances.take_on()
        work: Work = unpacked(work_parcel)
    except Exception as error:
        results.write(REFUSED + _why(error).encode())
        return
    requests = Requests()
    if circumstances.asks_for_code:
        _share_code(requests, results)
    Thread(target=requests.read, args=(pipe,), daemon=True).start()
    try:
        with suppress(KeyboardInterrupt):
            results.write(READY)
            while (chunk := _next(requests)) is not None and _do(work, chunk, requests, results):
                pass
            results.write(LEAVING)
    except OSError:  # nobody reads any more, or the problem has closed all files
        _end_all()


def _end_all() -> NoReturn:
    """End this process with all processes that it has started."""
    if hasattr(os, "killpg") and os.getpgid(0) == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _next(requests: Requests) -> Chunk | None:
    """The next chunk; None if this process is interrupted while it waits for one."""
    try:
        return requests.chunks.get()
    except KeyboardInterrupt:
        return None


def _share_code(requests: Requests, results: Results) -> None:
    """Ask the supervisor for compiled code that this machine lacks, and tell it of what is compiled here."""
    from bestfirst.compiled.compiler.cache import ELSEWHERE  # noqa: PLC0415  (it needs NumPy)

    one_question = Lock()

    def ask(name: str) -> bytes | None:
        with one_question:
            results.write(ASK + name.encode())
            return requests.code.get()

    ELSEWHERE.ask = ask
    ELSEWHERE.tell = lambda name, content: results.write(TELL + pickle.dumps((name, content)))


def _own_pipes() -> tuple[BinaryIO, Results]:
    """The pipes of this process, which the code of a problem then cannot reach by the standard streams."""
    requests, results = os.fdopen(os.dup(0), "rb"), Results(os.fdopen(os.dup(1), "wb"))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, results


def _hear_ctrl_c() -> None:
    """Even if the caller ignores it, or was a thread that blocks it, as those of Ray do."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_SETMASK, [])


def _be_the_first_to_go() -> None:
    """Let a system that runs out of memory end this process before its caller."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("800")


def _do(work: Work, chunk: Chunk, requests: Requests, results: Results) -> bool:
    """Do the tasks of a chunk; return whether another may follow: not once this process was interrupted."""
    try:
        items = unpacked_with_code(chunk.parcel)
    except BaseException as error:
        why = _why(error) if isinstance(error, OtherCodeError) else f"it cannot be read by a worker process: {_why(error)}"
        results.write(UNREADABLE + pickle.dumps(Failure(why)))
        return not isinstance(error, KeyboardInterrupt)
    for item in items:
        if why_not := requests.why_not(chunk):
            results.write(why_not)
            continue
        result, is_interrupted = _done(work, item, chunk.seconds())
        results.write(_message(result, work.known(item)))
        spare_what_is_loaded()
        if is_interrupted:
            return False
    return True


def _done(work: Work, item: Any, seconds: float | None) -> tuple[Any, bool]:
    """The result of a task, and whether it was interrupted."""
    try:
        result = work.do(item, seconds)
    except BaseException as error:  # SystemExit, too
        failure = Failure(_why(error), "memory" if isinstance(error, MemoryError) else None)
        return failure, isinstance(error, KeyboardInterrupt)
    return result, not isinstance(result, Failure) and work.is_interrupted(result)


def _message(result: Any, known: Sequence[Any]) -> bytes:
    if isinstance(result, Failure):
        return FAILED + pickle.dumps(result)
    try:
        return RESULT + packed(result, known)
    except InputError as error:
        return FAILED + pickle.dumps(Failure(f"its result cannot be sent back: {error}"))


def _why(error: BaseException) -> str:
    """An error with the line that raised it."""
    if isinstance(error, BestfirstError):
        return str(error)
    if isinstance(error, MemoryError):
        return "out of memory"
    places = extract_tb(error.__traceback__)
    where = f" ({places[-1].filename}:{places[-1].lineno}, in {places[-1].name})" if places else ""
    return kind_and_text(error) + where


if __name__ == "__main__":
    main()
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(0)
