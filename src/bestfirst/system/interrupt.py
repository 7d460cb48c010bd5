"""Ctrl-C as a flag, so that a search can stop between two steps and be resumed; it also works during the start of the
command."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager, suppress

TYPE_CHECKING = False
if TYPE_CHECKING:  # until the command handles Ctrl-C, each import is time in which it would show a traceback
    from collections.abc import Iterator
    from types import FrameType, TracebackType

INTERRUPTED = 130
"""The command's exit code after Ctrl-C."""


_PRESSES = [0]


def presses() -> int:
    """How often Ctrl-C was pressed in contexts of this module.

    A loop over searches compares it: a search that ends just then is complete, and does not say that it was interrupted.
    """
    return _PRESSES[0]


class CtrlC:
    """A context in which the first Ctrl-C only sets `pressed`; a second one raises KeyboardInterrupt immediately.

    Look at `pressed` after the context: the key may be pressed while it ends, which takes a while on a busy machine.
    It does nothing outside the main thread, or if the program has its own handler.
    """

    def __init__(self) -> None:
        self.pressed = False
        self._ours = False

    def __enter__(self) -> CtrlC:
        self._ours = _may_be_handled()
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

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Leave Ctrl-C to contexts entered meanwhile, such as that of an engine; otherwise they would not handle it."""
        if self._ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            yield
        finally:
            if self._ours:
                signal.signal(signal.SIGINT, self._press)

    def _press(self, _signal: int, _frame: FrameType | None) -> None:
        if self.pressed:
            raise KeyboardInterrupt
        self.pressed = True
        _PRESSES[0] += 1


class QuietStart:
    """During the command's start, from begin() to over(), Ctrl-C ends it immediately with one line: nothing can be lost
    yet."""

    def __init__(self) -> None:
        self._ours = False

    def begin(self) -> None:
        """Begin, or go on with what another one has begun."""
        self._ours = signal.getsignal(signal.SIGINT) is _end or _may_be_handled()
        if self._ours:
            signal.signal(signal.SIGINT, _end)

    def over(self) -> None:
        if self._ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            self._ours = False


def is_the_command() -> bool:
    """Whether this process was started as `bestfirst` or `python -m bestfirst`; works before the module is found."""
    name = sys.argv[0] if sys.argv else ""
    stem = os.path.splitext(os.path.basename(name))[0]  # noqa: PTH119, PTH122  (pathlib takes long to import)
    return stem == "bestfirst" or (name == "-m" and "bestfirst" in sys.orig_argv)


def _may_be_handled() -> bool:
    """Whether Ctrl-C arrives in this thread and raises KeyboardInterrupt, as it does by default."""
    threading = sys.modules.get("threading")  # without it, there is one thread; at the start, importing it takes too long
    is_main = threading is None or threading.current_thread() is threading.main_thread()
    return is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def _end(_signal: int, _frame: FrameType | None) -> None:
    with suppress(OSError):
        os.write(2, b"error: interrupted\n")
    os._exit(INTERRUPTED)
