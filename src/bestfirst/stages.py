"""Stages: the searches of a plan, one after the other, within the limits of each run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from bestfirst.attempt import Attempt, Progress
from bestfirst.claims import without_broken
from bestfirst.errors import CompileError, InputError, VerificationError, changed
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.heuristics.naming import find_heuristic
from bestfirst.lost_claims import notice
from bestfirst.objectives.objective import RestatedForm
from bestfirst.preparations import Preparations
from bestfirst.problem import Problem
from bestfirst.recycled import Recycled
from bestfirst.replay import check_repeatable
from bestfirst.search import Algorithm
from bestfirst.search_plan import COMPILED, HEAD_START, Choice, Plan, using
from bestfirst.slow_heuristics import found_in_time, long_search_heuristic
from bestfirst.solution import Limits, Solution, Stats, Status
from bestfirst.stated import checked_unsolvable
from bestfirst.system.beside import OutOfTime
from bestfirst.system.threads import processors
from bestfirst.trace import Event, Trace
from bestfirst.verdict import Evidence, condition_of, history_of, proved, stats_of, status_of

if TYPE_CHECKING:
    from bestfirst.patterns.policy import Policy

_LONG_HEURISTIC = "the long search"


class Stages:
    """A plan in progress.

    attempt: the current search. is_long: whether it is the long one. known: a lower bound that the first search proved.
    head_start: the expansions of the first search, once the long one has begun. preparation: see Solution.
    stayed: why the long search kept the first heuristic, if it did. databases: the given policy. recycled: the arrays of
    an earlier search.
    """

    def __init__(
        self,
        problem: Problem,
        plan: Plan,
        *,
        seconds: float | None,
        databases: Policy | None,
        trace: Trace | None,
        verify: bool,
    ) -> None:
        problem = without_broken(problem)
        self.problem, self.plan = problem, plan
        self.is_long = False
        self.known: float = 0
        self.head_start = 0
        self.stayed: str | None = None
        self._databases, self._trace, self._verify = databases, trace, verify
        self.recycled: Recycled | None = None
        self._late: str | None = None
        self._preparations = Preparations()
        self._unsolvable = checked_unsolvable(problem)
        self._unclaimed = notice(problem.original if isinstance(problem, RestatedForm) else problem)
        self._start_hash = hash(problem.initial)
        started = perf_counter()
        heuristic = self._first_heuristic(seconds)
        self.preparation = perf_counter() - started
        self.attempt = self._attempt(plan.first, heuristic)

    def _first_heuristic(self, seconds: float | None) -> Heuristic | None:
        wanted = self.plan.first.heuristic
        if wanted is None:
            return None
        find = partial(find_heuristic, self.problem, wanted)
        with using(self._databases):
            return find() if seconds is None else found_in_time(find, self.problem, wanted, seconds)

    def _attempt(self, choice: Choice, heuristic: Heuristic | None) -> Attempt:
        is_needed = (self.plan.long or self.plan.first).needs_compiling
        engine = self.plan.engine
        return Attempt(
            self.problem,
            choice,
            heuristic,
            self._preparations,
            engine=engine,
            must_compile=engine == COMPILED or is_needed,
            trace=self._trace,
            recycled=lambda: self.recycled,
        )

    @property
    def algorithm(self) -> Algorithm:
        """The algorithm in use."""
        return self.attempt.algorithm

    @property
    def heuristic(self) -> Heuristic | None:
        """The heuristic in use."""
        return self.attempt.heuristic

    @property
    def stats(self) -> Stats:
        """What the search has done so far."""
        return self.attempt.driver.stats

    @property
    def cost(self) -> float | None:
        """The cost of the best solution, as the engine adds it up; None without one."""
        goal = self.attempt.driver.goal
        return None if goal is None else goal.g

    def check_savable(self) -> None:
        """Raise InputError for a kind of search that cannot be saved at all."""
        self.attempt.check_savable()

    @property
    def is_over(self) -> bool:
        """Whether the search has found what it looked for, or nothing is left to expand."""
        return self._unsolvable is not None or self.attempt.driver.ended

    @property
    def is_ahead(self) -> bool:
        """Whether the long search may still begin."""
        return self.plan.long is not None and not self.is_long and self.attempt.driver.goal is None

    def check(self, limits: Limits) -> None:
        """Check that the search can run at all, if nothing else will."""
        if self._unsolvable is not None:
            self.attempt.settle(limits)
            self.attempt.start(self.problem)

    def check_unsolvable(self) -> None:
        """Raise InputError if the problem was unsolvable and is no longer."""
        if self._unsolvable is not None and checked_unsolvable(self.problem) is None:
            raise changed("the result of unsolvable()", self.problem)

    def run(self, limits: Limits, progress: Progress, spent: float) -> None:
        """Search until the search is over, or a limit or Ctrl-C stops it. spent: seconds already used of the limit."""
        self._late = None
        before, began = self.attempt.driver.stats.seconds, perf_counter()
        started = began - spent
        self._preparations.deadline = None if limits.seconds is None else started + limits.seconds
        try:
            with using(self._databases):
                self._run(limits, progress)
        except KeyboardInterrupt:  # during building or compiling
            self.attempt.driver.stopped = "interrupted"
        except OutOfTime as late:
            self.attempt.driver.stopped = "seconds"
            self._late = f"the time limit expired while {late} was being prepared; the next run continues it"
        finally:
            self._preparations.deadline = None
            self.preparation += perf_counter() - began - (self.attempt.driver.stats.seconds - before)
            if limits.seconds is not None:
                self.attempt.driver.stats.seconds = before + perf_counter() - started

    def _run(self, limits: Limits, progress: Progress) -> None:
        left: Limits | None = limits
        if self.is_ahead:
            left = self.attempt.begin(limits, progress)
            if left is not None and self.is_ahead:
                left = limits  # the expansions of the long search are counted separately
                self._begin_long(limits)
        if left is not None:
            self.attempt.run(left, progress)

    def events(self, limits: Limits) -> Iterator[Event]:
        """Run the search in the reference engine, and yield its events one by one."""
        self.attempt.stay()
        return self._events(limits)

    def _events(self, limits: Limits) -> Iterator[Event]:
        if self.is_ahead:
            driver = self.attempt.driver
            left = max(0, HEAD_START - driver.stats.expanded)
            is_whole = limits.expansions is None or limits.expansions > left
            yield from driver.events(replace(limits, expansions=left) if is_whole else limits)
            if driver.ended or not is_whole or driver.stopped != "expansions":
                return
            if self.is_ahead:
                with using(self._databases):
                    self._begin_long(limits)
                self.attempt.stay()
        yield from self.attempt.driver.events(limits)

    def _begin_long(self, limits: Limits) -> None:
        """Begin the long search. The bound proved by the first one still holds; its seconds count, its expansions do not."""
        assert self.plan.long is not None
        usual, wanted = self.attempt.heuristic, self.plan.long.heuristic
        try:
            find = partial(long_search_heuristic, self.problem, str(wanted), limits.memory)
            in_time = self._preparations.deadline is not None
            self.begin_long(self._preparations.in_time(_LONG_HEURISTIC, find) if in_time else find())
        except (InputError, CompileError) as error:  # where this package has no sources, its domains cannot be compiled
            kept = "had no heuristic" if usual is None else f"kept heuristic {usual.name!r}"
            self.stayed = f"the search {kept}: {error}"
            self.begin_long(usual)

    def begin_long(self, heuristic: Heuristic | None, threads: int | None = None) -> None:
        """Replace the first search with the long one, at its start. threads: their number, if the plan leaves it open."""
        choice = self.plan.long
        assert choice is not None
        first = self.attempt
        if not self.is_long and first.heuristic is not None and first.heuristic.admissible:
            self.known = self.proved()[0]
        self.head_start = first.driver.stats.expanded
        deadline = self._preparations.deadline
        self._preparations = Preparations()
        self._preparations.deadline = deadline
        if choice.may_share:
            choice = replace(choice, threads=threads or processors())
        attempt = self._attempt(choice, heuristic)
        attempt.driver.stats.seconds = first.driver.stats.seconds
        attempt.settle(Limits())
        self.is_long, self.attempt = True, attempt

    # What is known.

    def evidence(self) -> Evidence:
        """What is known so far."""
        attempt = self.attempt
        said = (attempt.backward_warning, self.stayed, self._late, attempt.fallback, self._unclaimed, attempt.driver.warning)
        known = self.known
        if self._unsolvable is None and attempt.at_start is not None:
            known = max(known, attempt.at_start)
        return Evidence(
            problem=self.problem,
            algorithm=attempt.algorithm,
            engine=attempt.driver,
            heuristic=attempt.heuristic,
            backward=attempt.backward,
            reverse=attempt.reverse,
            cost=attempt.cost(verify=self._verify),
            unsolvable=self._unsolvable,
            known=known,
            said=tuple(warning for warning in said if warning is not None),
        )

    def proved(self) -> tuple[float, list[str]]:
        """The lower bound, and the warnings about it."""
        return proved(self.evidence())

    def solution(self) -> Solution:
        """What is known so far, as a solution."""
        attempt, evidence = self.attempt, self.evidence()
        driver = attempt.driver
        bound, warnings = proved(evidence)
        status, limit = status_of(evidence, bound)
        path = driver.goal.path() if driver.goal else []
        self._check_start_again(status)
        if status is Status.SOLVED and attempt.algorithm.promise == "fewest actions":
            warnings.append(
                "the solution has the fewest actions, but it is not known to be the cheapest: use uniform-cost, or "
                "set unit_cost = True on the problem if every action costs 1"
            )
        return Solution(
            problem=self.problem,
            algorithm=attempt.algorithm.name,
            heuristic=attempt.heuristic.name if attempt.heuristic else None,
            engine=attempt.engine_name,
            status=status,
            cost=evidence.cost,
            lower_bound=bound + 0,  # not -0.0
            actions=[node.action for node in path[1:]],
            states=[node.state for node in path],
            stats=stats_of(evidence),
            limit=limit,
            reason=self._unsolvable,
            weight=attempt.algorithm.weight if status is Status.BOUNDED else None,
            condition=condition_of(evidence, status, bound),
            warnings=warnings,
            trace=self._trace,
            plan=self.plan,
            history=history_of(evidence, bound + 0),
            head_start=self.head_start,
            preparation=self.preparation,
        )

    def _check_start_again(self, status: Status) -> None:
        """Raise VerificationError if the start has changed, or has different successors each time."""
        if not self._verify:
            return
        if hash(self.problem.initial) != self._start_hash:
            raise VerificationError(
                f"the initial state changed during the search: it is now {self.problem.initial!r}, with a different hash; "
                "successors() must create new states, and never change one in place"
            )
        driver = self.attempt.driver
        if status is Status.UNSOLVABLE and driver.stats.expanded:
            check_repeatable(self.problem, driver.first_child)
