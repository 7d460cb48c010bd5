"""The driver of compiled searches: runs them in slices, so that limits, progress, Ctrl-C and pauses work there too."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from math import inf
from time import perf_counter

from bestfirst.engine import Engine
from bestfirst.errors import InputError
from bestfirst.interrupt import CtrlC
from bestfirst.memory import resident_bytes
from bestfirst.solution import Limits
from bestfirst.trace import Event

SECONDS_PER_SLICE = 0.05
FIRST_SLICE = 1_000


class CompiledDriver(Engine):
    """The compiled engine at work on one search."""

    def __init__(self) -> None:
        super().__init__()
        self._broken: Exception | None = None
        self._limits = Limits()
        self._memory_at_start: int | None = None

    @abstractmethod
    def _advance(self, budget: int) -> None:
        """Search on for at most so many expansions; set ended when the search is over. Stats are brought up to date."""

    def _settle(self) -> None:
        """Make the statistics exact, when a run stops."""

    def run(self, limits: Limits, progress: Callable[[], None] | None) -> None:
        """Go on until the search is over or a limit or Ctrl-C stops it."""
        self._check(limits)
        self._limits = limits
        self.stopped = None
        stats = self.stats
        before, started = stats.seconds, perf_counter()
        may_expand = inf if limits.expansions is None else stats.expanded + limits.expansions
        size = FIRST_SLICE
        with CtrlC() as ctrl_c:
            try:
                while not self.ended and self.stopped is None:
                    self.stopped = self._limit_reached(limits, perf_counter() - started, may_expand, ctrl_c)
                    if self.stopped is not None:
                        break
                    since = perf_counter()
                    self._advance(int(min(size, may_expand - stats.expanded)))
                    size = _next_size(size, perf_counter() - since)
                    stats.seconds = before + perf_counter() - started
                    if progress is not None:
                        progress()
            except Exception as error:
                self._broken = error
                raise
            finally:
                self._settle()
                stats.seconds = before + perf_counter() - started

    def events(self, _limits: Limits) -> Iterator[Event]:
        """A compiled search has no events."""
        raise InputError("a compiled search cannot be gone through event by event; give engine='python'")

    def _check(self, limits: Limits) -> None:
        if self._broken is not None:
            raise InputError(f"this search ended with an error ({self._broken}); start a new one")
        if limits.depth is not None:
            raise InputError("the depth limit of a search cannot be changed between two runs; start a new one")
        if limits.memory is not None and self._memory_at_start is None:
            self._memory_at_start = resident_bytes()

    def _limit_reached(self, limits: Limits, seconds: float, may_expand: float, ctrl_c: CtrlC) -> str | None:
        if ctrl_c.pressed:
            return "interrupted"
        if limits.seconds is not None and seconds >= limits.seconds:
            return "seconds"
        if self._memory_at_start is not None and isinstance(limits.memory, int):
            growth = resident_bytes() - self._memory_at_start
            self.stats.peak_memory = max(self.stats.peak_memory or 0, growth)
            if growth > limits.memory:
                return "memory"
        return "expansions" if self._is_out_of(may_expand) else None

    def _is_out_of(self, may_expand: float) -> bool:
        """Whether no expansion is left, once the search has gone as far as it can without one."""
        if self.stats.expanded < may_expand:
            return False
        self._advance(0)
        return not self.ended


def _next_size(size: int, seconds: float) -> int:
    """The expansions of the next slice, so that it takes about SECONDS_PER_SLICE."""
    if seconds < SECONDS_PER_SLICE / 2:
        return size * 2
    return max(FIRST_SLICE, int(size * SECONDS_PER_SLICE / seconds))
