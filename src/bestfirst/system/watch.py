"""What stops a run: a time or memory limit, or Ctrl-C, checked in the same way by every engine."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from bestfirst.system.interrupt import CtrlC
from bestfirst.system.memory import resident_bytes

SECONDS_PER_SLICE = 0.05
"""Seconds between two checks: a person does not notice so short a wait."""


class MemoryGrowth:
    """The growth of this process since a search began."""

    def __init__(self) -> None:
        self._at_start: int | None = None

    def begin(self) -> None:
        """Start measuring, unless that has begun already. Raises InputError if the system does not report memory."""
        if self._at_start is None:
            self._at_start = resident_bytes()

    def bytes(self) -> int | None:
        """The growth in bytes, None if not measured. Memory reused from an earlier search is counted too."""
        return None if self._at_start is None else resident_bytes() - self._at_start


class Watch:
    """The time and memory limits of one run, and Ctrl-C.

    seconds, memory: the limits; None means unlimited. grown: the bytes that count against memory.
    """

    def __init__(self, seconds: float | None, memory: int | str | None, grown: Callable[[], int], ctrl_c: CtrlC) -> None:
        self._deadline = None if seconds is None else perf_counter() + seconds
        self._memory, self._grown, self._ctrl_c = memory, grown, ctrl_c

    @property
    def deadline(self) -> float | None:
        """The value of perf_counter() at which the run must end; None if there is no deadline."""
        return self._deadline

    def is_late(self) -> bool:
        """Whether the limit on seconds is reached; quick, in contrast to a look at the memory."""
        return self._deadline is not None and perf_counter() >= self._deadline

    def reached(self) -> str | None:
        """Why the run must stop now: "interrupted", "seconds" or "memory"; None if it can go on."""
        if self._ctrl_c.pressed:
            return "interrupted"
        if self.is_late():
            return "seconds"
        if isinstance(self._memory, int) and self._grown() > self._memory:
            return "memory"
        return None


def next_slice(size: int, seconds: float, least: int) -> int:
    """The size of the next slice of work, after one of this size, so that it takes about SECONDS_PER_SLICE.

    As the first slices also take the time between two of them, they say little about large ones.
    """
    for factor in (64, 8, 2):
        if seconds < SECONDS_PER_SLICE / (2 * factor):
            return size * factor
    return max(least, int(size * SECONDS_PER_SLICE / seconds))
