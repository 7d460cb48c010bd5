"""The driver of compiled searches: runs them in slices, so that limits, progress, Ctrl-C and pauses work there too."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from bestfirst.compiled.compiler.specialise import Compiled
from bestfirst.compiled.store.saved_values import Saved
from bestfirst.engine import Engine
from bestfirst.errors import InputError, ProblemError
from bestfirst.looking_once import stop_trusting
from bestfirst.search.node import Node
from bestfirst.solution import Limits
from bestfirst.system.beside import Beside
from bestfirst.system.interrupt import CtrlC
from bestfirst.system.watch import MemoryGrowth, Watch, next_slice
from bestfirst.trace import Event

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import SavedState

SECONDS_BETWEEN_LOOKS = 0.1
PATIENCE = 5.0
"""Seconds after which a slice that was asked to stop is abandoned; compiling a search takes less."""
SECONDS_TO_END = 0.5
"""How long a second Ctrl-C waits for the end of a slice, which usually takes a tenth of that."""
FIRST_SLICE = 100
SECONDS_HERE = 0.03
"""A slice that is expected to take longer is searched in another thread: Ctrl-C could be pressed twice meanwhile."""

_INTERRUPTED_TWICE = InterruptedError("it was interrupted twice")


class CompiledDriver(Engine):
    """The compiled engine, running one search."""

    _compiled: Compiled

    @property
    def compiled(self) -> Compiled:
        """The kernel, for the domain and the heuristic of the search."""
        return self._compiled

    def __init__(self) -> None:
        super().__init__()
        self._broken: Exception | None = None
        self._limits = Limits()
        self._growth = MemoryGrowth()
        self._is_preparing = False  # such as compiling: it ends by itself, so after a limit the next run can wait for it
        self._left_at_work: Beside[None] | None = None
        self._is_at_work = False  # also while its thread is being started
        self.methods_return = False  # whether the methods of the domain are those of this package, which return soon
        # whether the heuristic is a formula of this package: then no path needs to show that it is a bound
        self.trusts_estimates = False
        self._origin: float | None = None  # when the search would have begun without its pauses; None before its first run

    @abstractmethod
    def _advance(self, budget: int) -> None:
        """Search for at most `budget` expansions; set ended when the search is over. Updates the statistics."""

    def _note(self, cost: float | None = None) -> None:
        """Enter what is known into the history. cost: of a solution that was just found."""
        self.note(cost, self.stats.seconds if self._origin is None else perf_counter() - self._origin)

    @property
    def _needs_nothing_first(self) -> bool:
        """Whether a slice needs no preparations, such as compiling: then the thread that watches can search a short one."""
        return False

    def _get_ready(self) -> None:
        """Do long preparations before the search continues."""

    @property
    def bytes(self) -> int:
        """The bytes of the search's arrays, as far as known."""
        return 0

    def _settle(self) -> None:
        """Make the statistics exact when a run stops."""

    def saved(self) -> SavedState:
        """The state of the search beyond that of Engine, for a checkpoint: numbers, strings, arrays, and sequences of them.

        Raises InputError for a search that cannot be saved.
        """
        raise InputError("this search cannot be saved; run it to the end")

    def restore(self, saved: Saved) -> None:
        """Restore the state of a search of the same domain, from the result of saved(); lists have become tuples.

        The state of Engine has been restored already. Raises SavedError for a state that no search can have saved.
        """
        raise NotImplementedError(f"{type(self).__name__} cannot be saved")

    @property
    def fall_from_start(self) -> Node | None:
        """The first inconsistent edge with its path from the start, for a checkpoint; None if saved() contains it."""
        return self.fall

    def run(self, limits: Limits, progress: Callable[[], None] | None) -> None:
        """Search until the search is over or a limit or Ctrl-C stops it."""
        stop_trusting()
        self._check(limits)
        self._limits = limits
        self.stopped = None
        stats = self.stats
        before, started = stats.seconds, perf_counter()
        self._origin = started - before
        may_expand = inf if limits.expansions is None else stats.expanded + limits.expansions
        size, is_telling, seconds_of_one = FIRST_SLICE, False, 0.0
        with CtrlC() as ctrl_c:
            watch = Watch(limits.seconds, limits.memory, self._look_at_memory, ctrl_c)
            try:
                while not self.ended and self.stopped is None:
                    reached = watch.reached() or ("expansions" if self._is_out_of(may_expand) else None)
                    self.stopped = self.stopped or reached  # a search that stops by itself, as it looks for more, says why
                    if self.stopped is not None:
                        break
                    since, expanded = perf_counter(), stats.expanded
                    budget = int(min(size, may_expand - stats.expanded))
                    is_short = budget * seconds_of_one < SECONDS_HERE
                    if not self._advance_watched(budget, watch.deadline, ctrl_c, is_short=is_short):
                        self.stopped = "interrupted" if ctrl_c.pressed else "seconds"
                        break
                    seconds_of_one = (perf_counter() - since) / max(1, stats.expanded - expanded)
                    if stats.expanded - expanded >= size:  # otherwise the slice ended early, and its time says nothing
                        size = next_slice(size, perf_counter() - since, FIRST_SLICE)
                    stats.seconds = before + perf_counter() - started
                    if progress is not None:
                        is_telling = True
                        progress()
                        is_telling = False
                self._look_at_memory()
            except Exception as error:
                if not is_telling:  # an error of progress() leaves the search as it is
                    self._broken = error
                raise
            finally:
                if self._is_whole:
                    self._settle()
                if not self.ended:
                    self.compiled.noted.complete()
                stats.seconds = before + perf_counter() - started
        if ctrl_c.pressed and not self.ended:  # possibly while another limit was reached, or at the end of the context
            self.stopped = "interrupted"

    def _advance_watched(self, budget: int, deadline: float | None, ctrl_c: CtrlC, *, is_short: bool) -> bool:
        """Search in another thread, so that an endless method of the domain does not block Ctrl-C and limits.

        A short slice is searched here if no method can be endless: waking a thread takes as long as a small search.
        False if it was abandoned, or is still preparing something: then the next run waits for it.
        """
        if is_short and self.methods_return and self._is_whole and self._needs_nothing_first:
            self._advance_here(budget)
            return True
        self._is_at_work = True
        try:
            slice_ = self._left_at_work or Beside(partial(self._get_ready_and_advance, budget), ends_at_exit=False)
            self._left_at_work = slice_
            if not self._waited_for(slice_, deadline, ctrl_c):
                return False
        except KeyboardInterrupt:  # nothing may read or write its arrays until it has ended
            left = self._left_at_work
            if left is None:
                self._broken = _INTERRUPTED_TWICE
            elif left.wait_for(SECONDS_TO_END) and not left.has_failed:  # the next run raises its error
                self._left_at_work, self._is_at_work = None, False
            raise
        self._left_at_work, self._is_at_work = None, False
        slice_.result()
        return True

    def _waited_for(self, slice_: Beside[None], deadline: float | None, ctrl_c: CtrlC) -> bool:
        overdue_since = None
        while not slice_.wait_for(SECONDS_BETWEEN_LOOKS):
            now = perf_counter()
            if overdue_since is None and (ctrl_c.pressed or (deadline is not None and now > deadline)):
                overdue_since = now
            if overdue_since is not None and self._is_preparing and not slice_.is_finished:
                return False
            if overdue_since is not None and now - overdue_since > PATIENCE and not slice_.is_finished:
                self.is_stuck = True
                self._broken = ProblemError("a step, goal test or heuristic did not return")
                return False
        return True

    def _advance_here(self, budget: int) -> None:
        """Search in this thread. If a second Ctrl-C interrupts it, the search cannot go on."""
        try:
            self._advance(budget)
        except KeyboardInterrupt:
            self._is_at_work = True
            self._broken = _INTERRUPTED_TWICE
            raise

    def check_at_rest(self) -> None:
        """Raise InputError if a thread still changes the arrays after a second Ctrl-C, and does not end soon."""
        if self._is_whole or self.is_stuck or self._is_preparing:
            return
        if self._left_at_work is None or not self._left_at_work.wait_for(SECONDS_TO_END):
            raise InputError("a second Ctrl-C interrupted this search before it could stop; start a new search")

    @property
    def _is_whole(self) -> bool:
        """Whether nothing changes the arrays, and no change was cut short."""
        return not (self.is_stuck or self._is_at_work)

    def _get_ready_and_advance(self, budget: int) -> None:
        try:
            self._is_preparing = True
            self._get_ready()
            self._is_preparing = False
            self._advance(budget)
        finally:
            self._is_preparing = False

    def events(self, _limits: Limits) -> Iterator[Event]:
        """A compiled search has no events."""
        raise InputError("a compiled search does not report events; use engine='python'")

    def _check(self, limits: Limits) -> None:
        if self._broken is not None:
            raise InputError(f"this search ended with an error ({self._broken}); start a new search")
        if limits.depth is not None:
            raise InputError("the depth limit cannot be changed between runs; start a new search")
        if limits.memory is not None:
            self._growth.begin()

    def _look_at_memory(self) -> int:
        """The growth of the process in bytes since the first run with a limit on memory; 0 before."""
        grown = self._growth.bytes()
        if grown is None:
            return 0
        growth = max(self.bytes, grown)
        self.stats.peak_memory = max(self.stats.peak_memory or 0, growth)
        return growth

    def _is_out_of(self, may_expand: float) -> bool:
        """Whether no expansion is left, once the search has advanced as far as it can without one."""
        if self.stats.expanded < may_expand:
            return False
        self._advance_here(0)
        return not self.ended
