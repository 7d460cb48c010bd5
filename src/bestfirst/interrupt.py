"""Ctrl-C as a flag, so that a search can stop between two steps and be gone on with."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType


class CtrlC:
    """While it is entered, the first Ctrl-C only sets `pressed`; a second one raises KeyboardInterrupt at once.

    It does nothing outside the main thread, or where the program has a handler of its own.
    """

    def __init__(self) -> None:
        self.pressed = False
        self._ours = False

    def __enter__(self) -> CtrlC:
        self._ours = (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        )
        if self._ours:
            signal.signal(signal.SIGINT, self._press)
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        if self._ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _press(self, _signal: int, _frame: FrameType | None) -> None:
        if self.pressed:
            raise KeyboardInterrupt
        self.pressed = True
