"""Problems that do to a worker process what it must survive, or what its caller must."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any, ClassVar

import bestfirst as bf
from bestfirst.batches.process import SECONDS_TO_RECALL


class Count(bf.Problem[int, str]):
    """Up to a number, by ones; what happens at 1 is up to subclasses."""

    initial = 0

    def __init__(self, number: int = 2) -> None:
        self.number = number

    def is_goal(self, state: int) -> bool:
        return state == self.number

    def successors(self, state: int) -> Iterator[tuple[str, int, int]]:
        if state == 1:
            self.happen()
        yield "up", state + 1, 1

    def happen(self) -> None:
        """Nothing."""


class Exits(Count):
    def happen(self) -> None:
        os._exit(7)


class Crashes(Count):
    def happen(self) -> None:
        os.kill(os.getpid(), signal.SIGSEGV)


class Forks(Count):
    """Its copy goes on with the search, or raises an error."""

    def __init__(self, number: int = 2, *, raises: bool = False) -> None:
        super().__init__(number)
        self.raises = raises

    def happen(self) -> None:
        if os.fork() == 0 and self.raises:
            raise KeyError("in the copy")


class Raises(Count):
    def happen(self) -> None:
        raise KeyError("no such thing")


class ExitsPython(Count):
    def happen(self) -> None:
        sys.exit("enough")


class RaisesCtrlC(Count):
    def happen(self) -> None:
        raise KeyboardInterrupt


class BeginsWithCtrlC(Count):
    """Before there is a search."""

    @property
    def initial(self) -> int:  # type: ignore[override]
        raise KeyboardInterrupt


class SendsCtrlC(Count):
    """To its own process."""

    def happen(self) -> None:
        os.kill(os.getpid(), signal.SIGINT)


class EndsReadingByCtrlC(Count):
    def __reduce__(self) -> Any:
        return signal.raise_signal, (signal.SIGINT,)


class ClosesFiles(Count):
    """But those of the standard streams."""

    def happen(self) -> None:
        os.closerange(3, 1000)


class Sleeps(Count):
    """Longer than any limit, and no signal can end it."""

    def happen(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        time.sleep(1000)


class Waits(Count):
    """Until Ctrl-C."""

    def happen(self) -> None:
        time.sleep(1000)


class Endless(Count):
    """Never a goal, and little work."""

    def is_goal(self, state: int) -> bool:
        del state
        time.sleep(0.001)
        return False


class Leaks(Count):
    """Takes memory and does not come back."""

    kept: ClassVar[list[bytes]] = []

    def happen(self) -> None:
        while True:
            self.kept.append(b"x" * (8 << 20))
            time.sleep(0.01)


class EndsWhenRead(Count):
    """Ends the process that unpacks it."""

    def __reduce__(self) -> Any:
        return os._exit, (9,)


class SlowToRead(Count):
    """Takes longer to unpack than tasks wait behind it."""

    def __reduce__(self) -> Any:
        return _slowly, (self.number,)


def _slowly(number: int) -> SlowToRead:
    time.sleep(4 * SECONDS_TO_RECALL)
    return SlowToRead(number)


class Unpackable(Count):
    def __reduce__(self) -> Any:
        raise TypeError("it stays here")


class BadAnswer(Count):
    """A solution that cannot be sent back."""

    def successors(self, state: int) -> Iterator[Any]:
        yield threading.Lock(), state + 1, 1


class WhereSolved(bf.Problem[int, int]):
    """The action is the number of the process that solves it, in no less than some seconds."""

    initial = 0

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds

    def is_goal(self, state: int) -> bool:
        return state == 1

    def successors(self, state: int) -> Iterator[tuple[int, int, int]]:
        time.sleep(self.seconds)
        yield os.getpid(), state + 1, 1


class HasChild(WhereSolved):
    """Starts a process, which would outlive it; the action is its number."""

    def successors(self, state: int) -> Iterator[tuple[int, int, int]]:
        yield subprocess.Popen(["sleep", "1000"]).pid, state + 1, 1
