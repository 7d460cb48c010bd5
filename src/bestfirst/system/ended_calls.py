"""Calls that Ctrl-C ends: code of a user that does not return would otherwise be ended only by a second one, which loses
the results."""

from __future__ import annotations

import signal
import threading
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import ParamSpec, TypeVar

from bestfirst.system.interrupt import CtrlC

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


class CallEnded(KeyboardInterrupt):
    """Raised in a call by the first Ctrl-C."""


class OutOfSeconds(Exception):  # noqa: N818  (it is not an error: a limit was reached)
    """A call did not end within its limit."""


class CtrlCInCalls(CtrlC):
    """Like CtrlC, but the first Ctrl-C also ends a call() that is going on; later calls end immediately.

    ran_out: whether the time of going_on() has ended a call.
    """

    def __init__(self) -> None:
        super().__init__()
        self.ran_out = self._in_call = self._must_end = self._rings = False

    def __enter__(self) -> CtrlCInCalls:
        super().__enter__()
        return self

    def call(
        self, function: Callable[_Parameters, _Result], *given: _Parameters.args, **named: _Parameters.kwargs
    ) -> _Result:
        """What the function returns. Raises CallEnded on Ctrl-C."""
        self._in_call = True
        try:
            if self._must_end:
                raise CallEnded
            return function(*given, **named)
        finally:
            self._in_call = False

    def end(self) -> None:
        """Do what Ctrl-C does between two calls."""
        self.pressed = self._must_end = True

    @contextmanager
    def going_on(self, seconds: float) -> Iterator[None]:
        """A context for calls after Ctrl-C, or without one: they end when so many seconds have passed."""
        from bestfirst.system.workers import HAS_THREADS  # noqa: PLC0415  (it is rarely needed)

        if not (self._ours and HAS_THREADS):
            yield
            return
        self._must_end = False
        timer = threading.Timer(seconds, self._ring)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            self._must_end = True

    def _ring(self) -> None:
        """Interrupt the main thread, even if it waits for the system."""
        self._rings = True
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        else:
            interrupt_main()

    def _press(self, number: int, frame: FrameType | None) -> None:
        if self._rings:
            self._rings, self.ran_out = False, True
        else:
            super()._press(number, frame)
        self._must_end = True
        if self._in_call:
            raise CallEnded


def within(seconds: float | None, function: Callable[[], _Result]) -> _Result:
    """What the function returns. Raises OutOfSeconds if that takes longer (in the main thread only), CallEnded on Ctrl-C."""
    if seconds is None:
        return function()
    with CtrlCInCalls() as ctrl_c:
        try:
            with ctrl_c.going_on(seconds):
                return ctrl_c.call(function)
        except KeyboardInterrupt:  # a search raises its own
            if ctrl_c.pressed or not ctrl_c.ran_out:
                raise
            raise OutOfSeconds from None
