"""Beside: long work runs in another thread, while the calling thread watches its limits and Ctrl-C.

Signals reach the main thread only. So a compiler, an import or a problem's method in another thread cannot lose a Ctrl-C,
and need not know about limits.
"""

from __future__ import annotations

import atexit
import ctypes
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import copy_context
from threading import Lock
from time import perf_counter
from types import TracebackType
from typing import Any, Generic, TypeVar

from bestfirst.system.interrupt import CtrlC
from bestfirst.system.workers import begin

SECONDS_BETWEEN_LOOKS = 0.02
SECONDS_UNWATCHED = 0.001
"""Much work ends this soon. Until then Ctrl-C has its usual effect: watching for it takes longer than beginning the work."""
SECONDS_OF_A_TURN = 0.0005
SECONDS_AT_EXIT = 10.0
"""How long the process waits at exit for work that cannot be stopped immediately, such as a compiler's optimiser."""

_Result = TypeVar("_Result")


class OutOfTime(Exception):  # noqa: N818  (it is not an error: a limit was reached)
    """The time limit expired during a preparation, which the exception names."""


class _Stopped(BaseException):
    """The process exits, and its work must end."""


class Beside(Generic[_Result]):
    """Work in another thread, started on creation. ends_at_exit: whether the process ends it before exiting."""

    def __init__(self, work: Callable[[], _Result], *, ends_at_exit: bool = True) -> None:
        self._results: list[_Result] = []
        self._errors: list[BaseException] = []
        self._is_finished = False
        self._at_work = Lock()  # an Event takes several times as long
        self._at_work.acquire()
        context = copy_context()  # keeps what a with statement sets, such as a policy for databases

        def do() -> None:
            try:
                self._results.append(context.run(work))
            except BaseException as error:
                self._errors.append(error)
            finally:
                _AT_WORK.pop(self, None)
                self._is_finished = True
                self._at_work.release()

        if ends_at_exit:
            _AT_WORK[self] = None
        self._worker = begin(do)

    @property
    def is_finished(self) -> bool:
        """Whether the work has ended, with or without an error."""
        return self._is_finished

    @property
    def has_failed(self) -> bool:
        """Whether the work has ended with an error."""
        return bool(self._errors)

    def wait_for(self, seconds: float) -> bool:
        """Whether the work ends within some seconds."""
        if not self._is_finished and self._at_work.acquire(timeout=seconds):
            self._at_work.release()  # for others that wait
        return self._is_finished

    def wait(self, deadline: float | None) -> bool:
        """Whether the work ends before a deadline of perf_counter(); None waits indefinitely.

        Ctrl-C ends the wait, not the work, and raises KeyboardInterrupt.
        """
        left = SECONDS_UNWATCHED if deadline is None else deadline - perf_counter()
        if self.wait_for(max(0.0, min(left, SECONDS_UNWATCHED))):
            return True
        with CtrlC() as ctrl_c:
            while not self.is_finished and not ctrl_c.pressed:
                left = SECONDS_BETWEEN_LOOKS if deadline is None else deadline - perf_counter()
                if left <= 0:
                    break
                self.wait_for(min(left, SECONDS_BETWEEN_LOOKS))
        if ctrl_c.pressed:
            raise KeyboardInterrupt
        return self.is_finished

    def result(self) -> _Result:
        """The result of the finished work; raises its error."""
        if self._errors:
            raise self._errors[0]
        return self._results[0]

    def _stop(self, deadline: float) -> None:
        """Raise an exception in the thread until it ends."""
        while not self.is_finished and perf_counter() < deadline:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._worker.ident or 0), ctypes.py_object(_Stopped))
            self.wait_for(SECONDS_BETWEEN_LOOKS)


def done_beside(work: Callable[[], _Result]) -> _Result:
    """The result of work that runs so that Ctrl-C interrupts the wait immediately."""
    beside = Beside(work)
    beside.wait(None)
    return beside.result()


@contextmanager
def giving_way() -> Iterator[None]:
    """Switch threads more often: work that makes many short library calls then waits less for each turn."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(min(before, SECONDS_OF_A_TURN))
    try:
        yield
    finally:
        sys.setswitchinterval(before)


_AT_WORK: dict[Beside[Any], None] = {}


@atexit.register
def stop_all() -> None:
    """End work in progress: the libraries that it uses are about to be unloaded."""
    tell, show = sys.unraisablehook, sys.excepthook

    def tell_others(unraisable: Any) -> None:
        if not issubclass(unraisable.exc_type, _Stopped):  # it may arrive inside a callback of the compiler
            tell(unraisable)

    def show_others(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if not issubclass(kind, _Stopped):  # or inside a C extension that is being imported, which prints it
            show(kind, error, trace)

    sys.unraisablehook, sys.excepthook = tell_others, show_others
    deadline = perf_counter() + SECONDS_AT_EXIT
    with suppress(KeyboardInterrupt):  # pressed again: then the process ends at once
        for work in list(_AT_WORK):
            work._stop(deadline)
    sys.unraisablehook, sys.excepthook = tell, show
