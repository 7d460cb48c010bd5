"""Driver: carries out the steps of an algorithm one by one within limits, counts them and records events."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from math import inf
from time import perf_counter

from bestfirst.engine import Engine
from bestfirst.errors import InputError, hashable_states, kind_and_text
from bestfirst.looking_once import stop_trusting
from bestfirst.problem import Problem
from bestfirst.replay import tested
from bestfirst.rounding import exceeds
from bestfirst.search.depth_fence import DepthFence
from bestfirst.search.steps import (
    DEAD_END,
    DEAD_END_IN_TURN,
    DUPLICATE,
    GENERATE,
    REOPEN,
    Drop,
    End,
    Expand,
    Goal,
    Prune,
    Round,
    Step,
    Try,
)
from bestfirst.solution import Iteration, Limits
from bestfirst.system.gc_tuning import seldom_collecting
from bestfirst.system.impatience import ImpatientCtrlC
from bestfirst.system.long_calls import StoppedInside, stopping
from bestfirst.system.watch import MemoryGrowth, Watch
from bestfirst.trace import Event, Trace
from bestfirst.trace.events import event_of, events_of_made

GOALS_TESTED = 16
"""The number of expanded states for which the driver checks that is_goal returns a bool."""
EXPANSIONS_BETWEEN_LOOKS_AT_MEMORY = 1000


class Driver(Engine):
    """The reference engine, running one search."""

    def __init__(
        self,
        problem: Problem,
        start: Callable[[Problem], Iterator[Step]],
        trace: Trace | None,
        *,
        tests_goals: bool = True,
    ) -> None:
        """tests_goals: whether the algorithm calls is_goal for the nodes that it expands."""
        super().__init__()
        self._problem = problem
        self._start = start
        self._steps: Iterator[Step] | None = None
        self._fence: DepthFence | None = None
        self._pending: Expand | None = None  # announced by the algorithm, not yet allowed by a limit
        self._broken: BaseException | None = None
        self._growth = MemoryGrowth()
        self._watch: Watch | None = None
        self._trace = trace
        self._listener: deque[Event] | None = None
        self._goals_to_test = GOALS_TESTED if tests_goals else 0
        self._origin = self._paused = 0.0  # when the search would have begun without its pauses; when the last one began
        self.calls_until: float | None = None  # the user's deadline, during a part of a run that has a closer one
        self._turn = 0  # counts runs and loops: only the latest may continue

    def run(self, limits: Limits, progress: Callable[[], None] | None) -> None:
        """Search until the search is over or a limit or Ctrl-C stops it."""
        stop_trusting()
        deadline = self.calls_until
        if deadline is None and limits.seconds is not None:
            deadline = perf_counter() + limits.seconds
        with ImpatientCtrlC(deadline) as ctrl_c, seldom_collecting(), stopping(self._reached):
            started, before = perf_counter(), self.stats.seconds
            self._resume_clock()
            try:
                for _ in self._carry_out(limits, ctrl_c):
                    if progress is not None:
                        self.stats.seconds = before + self._pause_clock() - started
                        progress()
                        self._resume_clock()
            except KeyboardInterrupt:  # the solution reports it
                self.stopped = self.stopped or "interrupted"
            finally:
                self.stats.seconds = before + self._pause_clock() - started
        if ctrl_c.pressed and not self.ended:  # possibly while another limit was reached, or at the end of the context
            self.stopped = "interrupted"

    def events(self, limits: Limits) -> Iterator[Event]:
        """Run the search, and yield its events one by one."""
        self._listener = deque()
        steps = self._carry_out(limits, ImpatientCtrlC())
        going: object = True
        try:
            while going:
                started = perf_counter()
                self._resume_clock()
                with stopping(self._reached):
                    going = next(steps, None)
                self.stats.seconds += self._pause_clock() - started
                while self._listener:
                    yield self._listener.popleft()
        finally:
            self._listener = None

    def _resume_clock(self) -> None:
        """Let time count for events again, which it does not while the search is paused or shown."""
        self._origin += perf_counter() - self._paused

    def _pause_clock(self) -> float:
        self._paused = perf_counter()
        return self._paused

    def _carry_out(self, limits: Limits, ctrl_c: ImpatientCtrlC) -> Iterator[Step]:
        """Yield each step once it is counted and no limit forbids it."""
        self._watch = watch = Watch(limits.seconds, limits.memory, lambda: self._growth.bytes() or 0, ctrl_c)
        deadline = watch.deadline
        steps = self._begin(limits)
        turn = self._turn
        stats = self.stats
        may_expand = inf if limits.expansions is None else stats.expanded + limits.expansions
        look_at_memory = None if limits.memory is None else stats.expanded
        row = stats.iterations[-1] if stats.iterations else None
        try:
            if self._goals_to_test == GOALS_TESTED:
                tested(self._problem, self._problem.initial)
            while True:
                if turn != self._turn:
                    raise InputError("this search has since been resumed elsewhere; start a new loop over the search")
                step: Step | None = self._pending
                if step is None:
                    ctrl_c.is_in_call = True
                    step = next(steps, None)
                    ctrl_c.is_in_call = False
                    if step is None:
                        self.ended = True
                        return
                    self._count(step)
                self._pending = None
                if isinstance(step, Expand):
                    if stats.expanded >= may_expand:
                        self._stop("expansions", step)
                    elif deadline is not None and perf_counter() >= deadline:
                        self._stop("seconds", step)
                    elif ctrl_c.pressed:
                        self._stop("interrupted", step)
                    elif look_at_memory is not None and stats.expanded >= look_at_memory:
                        look_at_memory += EXPANSIONS_BETWEEN_LOOKS_AT_MEMORY
                        if self._memory_exceeds(limits.memory):
                            self._stop("memory", step)
                    if self._pending is not None:
                        return
                    if self._fence is not None and not isinstance(step, Try) and self._fence.bars(step.node):
                        self._bar(step)
                        continue
                    stats.expanded += 1
                    if self._goals_to_test:
                        self._goals_to_test -= 1
                        tested(self._problem, step.node.state)
                    if row is not None:
                        row.expanded += 1
                elif isinstance(step, Goal):
                    if self.goal is None or step.node.g < self.goal.g:
                        self.goal = step.node
                        self.note(step.node.g, perf_counter() - self._origin)
                elif isinstance(step, Round):
                    row = Iteration(step.limit)
                    stats.iterations.append(row)
                    self.note(None, perf_counter() - self._origin)
                elif isinstance(step, End):
                    self.gave_up = step.gave_up
                if self._is_watched():
                    self._emit(event_of(step), step)
                yield step
        except KeyboardInterrupt as error:
            self.stopped, self._broken = "interrupted", error
            raise
        except StoppedInside as stop:
            self.stopped, self._broken, self.warning = stop.why, stop, str(stop)
            if limits.memory is not None:
                self._memory_exceeds(limits.memory)
        except MemoryError:
            self.stopped, self._broken = "memory", MemoryError("it ran out of memory")
            self._steps = self._pending = None  # free the memory they hold
        except GeneratorExit as error:
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:
                self._broken = error  # of the problem; otherwise the caller's loop over the events has ended
            raise
        except TypeError as error:
            self._broken = error
            with hashable_states():
                self._name_hidden(error)
                raise
        except BaseException as error:
            if turn == self._turn:
                self._broken = error
            if isinstance(error, StopIteration | RuntimeError):
                from bestfirst.raised import raised_stop  # noqa: PLC0415  (it is seldom needed)

                named = raised_stop(error)
                if named is not None:
                    raise named from error
            if isinstance(error, AttributeError | LookupError | ValueError):
                self._name_hidden(error)
            raise

    def _name_hidden(self, error: Exception) -> None:
        """Raise an InputError in place of an error that follows from data which a user's class hides, if it does."""
        from bestfirst.raised import raised_by_hidden  # noqa: PLC0415

        named = raised_by_hidden(self._problem, error)
        if named is not None:
            raise named from error

    def _begin(self, limits: Limits) -> Iterator[Step]:
        if isinstance(self._broken, KeyboardInterrupt | StoppedInside):
            raise InputError("this search was stopped in the middle of a step; start a new search")
        if self._broken is not None:
            raise InputError(f"this search ended with an error ({kind_and_text(self._broken)}); start a new search")
        self.stopped = None
        self._turn += 1
        if self._steps is None:
            self._steps = self.prepared(limits)
        elif limits.depth != (self._fence.depth if self._fence else None):
            raise InputError("the depth limit cannot be changed between runs; start a new search")
        if limits.memory is not None:
            self._growth.begin()
        return self._steps

    @property
    def is_prepared(self) -> bool:
        """Whether the algorithm is ready to make its first step."""
        return self._steps is not None

    def prepared(self, limits: Limits) -> Iterator[Step]:
        """Let the algorithm prepare, which may take a while: it may build the backward problem or look for sequences to
        prune."""
        problem, fence = self._problem, None
        if limits.depth is not None:
            problem = fence = DepthFence(problem, limits.depth)
        self._steps = self._start(problem)
        self._problem, self._fence = problem, fence
        return self._steps

    def _reached(self) -> str | None:
        return self._watch.reached() if self._watch is not None else None

    def _count(self, step: Step) -> None:
        """Count, check and record the children that came with a step."""
        stats = self.stats
        made = step.made
        dropped = 0
        for fate, child in made:
            if fate is not GENERATE:
                if fate is DUPLICATE:
                    stats.duplicates += 1
                    continue
                if isinstance(fate, Prune):
                    stats.pruned += 1
                    self.dead_ends += fate is DEAD_END or fate is DEAD_END_IN_TURN
                    dropped += isinstance(fate, Drop)
                    continue
                stats.duplicates += 1
                stats.reopened += fate is REOPEN
            parent = child.parent
            if parent is None:
                self.dead_ends += child.h == inf
            elif child.f < parent.f and exceeds(parent.f, child.f):
                self.falls += 1
                self.fall = self.fall or child
        if self.first_child is None and made and made[-1][1].parent is not None:
            self.first_child = made[-1][1]
        generated = len(made) - dropped
        stats.generated += generated
        if stats.iterations:
            stats.iterations[-1].generated += generated
        waiting = len(step.agenda)
        stats.peak_agenda = max(stats.peak_agenda, waiting)
        if self._is_watched():
            for event in events_of_made(step):
                self._emit(event, step)
        if step.bound > self.bound:
            self.bound = step.bound
            self._emit(Event("bound", None, waiting, step.bound), step)

    def _is_watched(self) -> bool:
        return self._trace is not None or self._listener is not None

    def _emit(self, event: Event, step: Step) -> None:
        if self._trace is not None:
            self._trace.record(event, step.agenda, perf_counter() - self._origin)
        if self._listener is not None:
            self._listener.append(event)

    def _stop(self, why: str, step: Expand) -> None:
        self.stopped, self._pending = why, step
        self._emit(Event("limit", None, len(step.agenda), self.bound, why), step)

    def _bar(self, step: Expand) -> None:
        """Record that the depth limit prevents the expansion of a node."""
        assert self._fence is not None
        self.stats.pruned += 1
        if self.bound_when_barred is None:
            self.bound_when_barred = self.bound
        reason = f"depth {step.node.depth} >= {self._fence.depth}"
        self._emit(Event("prune", step.node, len(step.agenda), step.bound, reason), step)

    def _memory_exceeds(self, limit: int | str | None) -> bool:
        growth = self._growth.bytes()
        assert growth is not None and isinstance(limit, int)
        self.stats.peak_memory = max(self.stats.peak_memory or 0, growth)
        return growth > limit
