"""Impatience: a method of the problem that does not return is ended some time after a limit on seconds, or after Ctrl-C."""

from __future__ import annotations

import signal
import threading
from math import inf
from pathlib import Path
from time import perf_counter
from types import FrameType, TracebackType

from bestfirst.system import workers
from bestfirst.system.bell import Bell, bell
from bestfirst.system.interrupt import CtrlC
from bestfirst.system.long_calls import StoppedInside

_PACKAGE = str(Path(__file__).parents[1])
PATIENCE = 5.0
"""Seconds from a limit, or from Ctrl-C, until a call is ended: long enough for one that is only slow, after which the search
can be resumed."""


class CallStopped(StoppedInside):
    """Raised in a method of the problem that did not return. why: the limit, or "interrupted"; frame: where it was."""

    def __init__(self, why: str, frame: FrameType | None) -> None:
        while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
            frame = frame.f_back
        where = "" if frame is None else f" ({frame.f_code.co_filename}:{frame.f_lineno}, in {frame.f_code.co_name})"
        BaseException.__init__(
            self,
            f"a method of the problem{where} did not return within {PATIENCE:g} s and was ended, so the search cannot be resumed",
        )
        self.why = why


class ImpatientCtrlC(CtrlC):
    """Like CtrlC, but a call that goes on while `is_in_call` is set is ended PATIENCE after the deadline, or after Ctrl-C.

    deadline: a value of perf_counter(); None: none. It does nothing outside the main thread, or where the system cannot
    interrupt a thread.
    """

    def __init__(self, deadline: float | None = None) -> None:
        super().__init__()
        self.is_in_call = False
        self._deadline = deadline
        self._bell: Bell | None = None
        self._rings = self._is_over = False
        self._at_ringing = threading.Lock()  # never taken in the signal handler, which would wait for itself

    def __enter__(self) -> ImpatientCtrlC:
        super().__enter__()
        if self._ours and workers.HAS_THREADS and hasattr(signal, "pthread_kill"):
            self._bell = bell()
            if self._deadline is not None and self._deadline < inf:
                self._ring_at(max(self._deadline, perf_counter()) + PATIENCE)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with self._at_ringing:
            self._is_over = True
        super().__exit__(kind, error, traceback)

    def _ring_at(self, when: float) -> None:
        """Interrupt the main thread at that time, even if it waits for the system."""
        if self._bell is not None:
            self._bell.ring_at(when, self._ring)

    def _ring(self) -> None:
        with self._at_ringing:
            if not self._is_over:
                self._rings = True
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    def _press(self, number: int, frame: FrameType | None) -> None:
        if self._rings:
            self._rings = False
            self._ring_at(perf_counter() + PATIENCE)  # in case the method catches the exception
            if self.is_in_call:
                raise CallStopped("interrupted" if self.pressed else "seconds", frame)
            return
        super()._press(number, frame)
        self._ring_at(perf_counter() + PATIENCE)
