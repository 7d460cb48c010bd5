"""Beside: work that may take long is done by another thread, while this one looks at its limits and at Ctrl-C.

Signals come to the main thread only. So a compiler, an import or a method of a problem that is at work in another one cannot lose
a Ctrl-C, and need not know of limits.
"""

from __future__ import annotations

import atexit
import ctypes
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from threading import Event, Thread
from time import perf_counter
from typing import Any, Generic, TypeVar

from bestfirst.system.interrupt import CtrlC

SECONDS_BETWEEN_LOOKS = 0.02
SECONDS_OF_A_TURN = 0.0005
SECONDS_AT_EXIT = 10.0
"""How long the end of the process waits for work that cannot be stopped at once, such as the optimiser of a compiler."""

_Result = TypeVar("_Result")


class OutOfTime(Exception):  # noqa: N818  (it is no error: a limit was reached)
    """The limit on seconds passed while something was being prepared, which it names."""


class _Stopped(BaseException):
    """The process ends, and so does its work."""


class Beside(Generic[_Result]):
    """Work that a thread of its own does, from the moment this is made."""

    def __init__(self, work: Callable[[], _Result]) -> None:
        self._results: list[_Result] = []
        self._errors: list[BaseException] = []
        self._finished = Event()
        context = copy_context()  # for what holds within a with statement, such as a policy for databases

        def do() -> None:
            try:
                self._results.append(context.run(work))
            except BaseException as error:
                self._errors.append(error)
            finally:
                _AT_WORK.pop(self, None)
                self._finished.set()

        self._thread = Thread(target=do, daemon=True)
        _AT_WORK[self] = None
        self._thread.start()

    @property
    def is_finished(self) -> bool:
        """Whether the work is done, be it with an error."""
        return self._finished.is_set()

    def wait(self, deadline: float | None) -> bool:
        """Whether the work is finished before a moment of perf_counter(); None waits as long as it takes.

        Ctrl-C ends the waiting, not the work, and raises KeyboardInterrupt.
        """
        with CtrlC() as ctrl_c:
            while not self.is_finished:
                left = SECONDS_BETWEEN_LOOKS if deadline is None else deadline - perf_counter()
                if left <= 0:
                    return False
                self._finished.wait(min(left, SECONDS_BETWEEN_LOOKS))
                if ctrl_c.pressed:
                    break
        if ctrl_c.pressed:
            raise KeyboardInterrupt
        return True

    def result(self) -> _Result:
        """What the finished work gave; raises its error."""
        if self._errors:
            raise self._errors[0]
        return self._results[0]

    def _stop(self, deadline: float) -> None:
        """Raise an exception in the thread until it ends."""
        while not self.is_finished and perf_counter() < deadline:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread.ident or 0), ctypes.py_object(_Stopped))
            self._finished.wait(SECONDS_BETWEEN_LOOKS)


def done_beside(work: Callable[[], _Result]) -> _Result:
    """What some work gives, during which Ctrl-C is heard at once."""
    beside = Beside(work)
    beside.wait(None)
    return beside.result()


@contextmanager
def giving_way() -> Iterator[None]:
    """While entered, threads take turns more often: work that makes many short calls of a library waits less for each turn."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(min(before, SECONDS_OF_A_TURN))
    try:
        yield
    finally:
        sys.setswitchinterval(before)


_AT_WORK: dict[Beside[Any], None] = {}


@atexit.register
def stop_all() -> None:
    """End what is still at work: the libraries that it uses are about to be taken down."""
    tell = sys.unraisablehook

    def tell_others(unraisable: Any) -> None:
        if not issubclass(unraisable.exc_type, _Stopped):  # it may come while a callback of the compiler is at work
            tell(unraisable)

    sys.unraisablehook = tell_others
    deadline = perf_counter() + SECONDS_AT_EXIT
    for work in list(_AT_WORK):
        work._stop(deadline)
    sys.unraisablehook = tell
