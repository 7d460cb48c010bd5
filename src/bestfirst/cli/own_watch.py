"""Stops a method of a user's class that does not return: a limit on time is otherwise examined only between two calls."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from time import perf_counter
from types import FrameType

from bestfirst.cli.exit_codes import ExitCode
from bestfirst.own_errors import failed_at, is_own_call
from bestfirst.system.impatience import PATIENCE

SECONDS_BETWEEN_LOOKS = 0.02
"""Short, because a generator is not running while the search handles what it has yielded."""
SECONDS_AT_REST = 2.0
"""How long a call may be out of sight and still count as going on."""
LEAST_SECONDS = 1.0
"""How long a call may go on after the limit; if the limit itself is longer, as long again."""
AFTER_A_SEARCH = PATIENCE + 2.0
"""The same where a search may run, which ends such a call itself and keeps what it has found."""
SECONDS_TO_OBEY = 3.0
"""How long the call may catch the exception that is to stop it; then the process ends."""


_LAST_WORDS: list[Callable[[], None]] = []
"""The functions to call before the process ends because a call does not."""


class _Stopped(BaseException):
    """Ends the endless call. Not an Exception, which the user's code may catch."""


@contextmanager
def last_words(say: Callable[[], None]) -> Iterator[None]:
    """Call a function if the process must end meanwhile."""
    _LAST_WORDS.append(say)
    try:
        yield
    finally:
        _LAST_WORDS.remove(say)


@contextmanager
def watched(limits: Mapping[str, float | None], least: float = LEAST_SECONDS) -> Iterator[None]:
    """Raise OwnFileError if one call of the user's code, in this thread, takes much longer than a limit.

    limits: seconds, by the option that sets them; None: no limit. least: how long a call may go on after a limit.
    """
    given = {option: seconds for option, seconds in limits.items() if seconds is not None}
    if not given:
        yield
        return
    watch = _Watch(threading.get_ident(), *given.popitem(), least)
    try:
        yield
    except _Stopped:
        raise failed_at(*watch.last, watch.words) from None
    finally:
        with suppress(_Stopped):  # decided at the last moment
            watch.over.set()
            watch.join()


class _Watch(threading.Thread):
    """Looks from time to time at the outermost call of the user's code in a thread. last: that call, and the line it is at."""

    last: tuple[FrameType, int]

    def __init__(self, watched: int, option: str, limit: float, least: float) -> None:
        super().__init__(name="bestfirst watch", daemon=True)
        self.over = threading.Event()
        self.seconds = limit + max(limit, least)
        self.words = f"this call did not return within {self.seconds:g} s, and {option} is {limit:g}"
        self._watched = watched
        self.start()

    def run(self) -> None:
        seen, since, at_work = None, 0.0, 0.0
        while not self.over.wait(SECONDS_BETWEEN_LOOKS):
            frame, now = _outermost(sys._current_frames().get(self._watched)), perf_counter()
            if frame is not None:
                self.last, at_work = (frame, frame.f_lineno), now
                if frame is not seen:
                    seen, since = frame, now
            if seen is not None and at_work - since >= self.seconds and now - at_work < SECONDS_AT_REST:
                self._interrupt(seen)
                seen = None

    def _interrupt(self, call: FrameType) -> None:
        """Raise _Stopped in a call, again and again, since a bare except may catch it; at last end the process."""
        end = perf_counter() + SECONDS_TO_OBEY
        while not self.over.is_set() and perf_counter() < end:
            if _outermost(sys._current_frames().get(self._watched)) is not call:
                return
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._watched), ctypes.py_object(_Stopped))
            if self.over.wait(SECONDS_TO_OBEY / 10):
                return
        if not self.over.is_set():
            with suppress(Exception):
                for say in _LAST_WORDS:
                    say()
                sys.stdout.flush()
            sys.stderr.write(f"error: {failed_at(*self.last, f'{self.words}; it cannot be interrupted')}\n")
            sys.stderr.flush()
            os._exit(ExitCode.BAD_INPUT)


def _outermost(frame: FrameType | None) -> FrameType | None:
    found = None
    while frame is not None:
        if is_own_call(frame):
            found = frame
        frame = frame.f_back
    return found
