"""The stages of a portfolio: its first member begins in this process, since small searches end soon; then all have workers."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any

from bestfirst.attempt import Progress
from bestfirst.batches.circumstances import Circumstances
from bestfirst.batches.parcels import packed, packed_with_code
from bestfirst.errors import BestfirstError, InputError
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.portfolio.budget import Budget
from bestfirst.portfolio.knowledge import Knowledge
from bestfirst.portfolio.messages import (
    Charge,
    Cheaper,
    Ended,
    Failed,
    Go,
    Improved,
    Lost,
    Message,
    Report,
    Stop,
)
from bestfirst.portfolio.team import Team, team_on
from bestfirst.problem import Problem
from bestfirst.replay import replay
from bestfirst.search import PORTFOLIO, Algorithm
from bestfirst.search.incumbent import UPPER_BOUND, checked_upper_bound, incumbent_of
from bestfirst.search_plan import COMPILED, HEAD_START, Plan
from bestfirst.solution import Limits, Solution, Stats, Status
from bestfirst.stages import Stages
from bestfirst.system.interrupt import CtrlC
from bestfirst.system.ray_cluster import ConnectionEndedError
from bestfirst.trace import Event, Trace
from bestfirst.verdict import equality_of, unconfirmed_proof

if TYPE_CHECKING:
    from bestfirst.patterns.policy import Policy

SECONDS_OF_HEAD_START = 0.2
SECONDS_BETWEEN_LOOKS = 0.05
SECONDS_TO_REPORT = 0.5
"""How long members that are stopped have for a last report."""
WORKERS = "workers"
"""What stopped a search all of whose workers have ended by themselves, as a solution names it."""
VERY_LONG = 1e8
"""In seconds. Each member has a limit, so that the reference engine searches while code is compiled for it."""
MOST_LOSSES = 2
"""A member is given up when so many of its workers have ended by themselves."""


class PortfolioStages(Stages):
    """See the docstring of stages.py. Its own stage is the beginning of the first member's search, in this process."""

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
        self.portfolio, shared = plan, plan.first.options
        first = _with(plan.members[0], shared)
        engine = first.engine or "python"  # it only begins
        with _of_member(0):
            super().__init__(
                problem, replace(first, engine=engine), seconds=seconds, databases=databases, trace=trace, verify=verify
            )
        self._shared = shared
        self._knowledge = Knowledge(
            [member.algorithm for member in plan.members], checked_upper_bound(shared.get("upper_bound"))
        )
        self._has_begun = False
        self._seconds = 0.0
        self._stopped: str | None = None  # what ended the last run
        self._gave_up: str | None = None  # the limit of a member that is over
        self._over: set[int] = set()  # the members that can find no more
        self._left: set[int] = set()  # those that search in this run
        self._losses: Counter[int] = Counter()

    # What is known.

    @property
    def algorithm(self) -> Algorithm:
        return PORTFOLIO

    @property
    def heuristic(self) -> Heuristic | None:
        return None

    @property
    def stats(self) -> Stats:
        stats = self._knowledge.stats
        stats.seconds = self._seconds
        return stats

    @property
    def cost(self) -> float | None:
        return self._knowledge.cost

    @property
    def is_over(self) -> bool:
        return self._unsolvable is not None or self._knowledge.is_proved or len(self._over) == len(self.portfolio.members)

    def proved(self) -> tuple[float, list[str]]:
        return self._knowledge.bound, self._knowledge.warnings

    # Running it.

    def check_savable(self) -> None:
        raise InputError(
            "a portfolio cannot be saved; save the search of a single algorithm, or pass the solution of this portfolio as "
            "incumbent= to a later search"
        )

    def events(self, _limits: Limits) -> Iterator[Event]:
        raise InputError("a portfolio runs several searches at once, so it has no single sequence of events; call run()")

    def run(self, limits: Limits, progress: Progress, spent: float) -> None:
        """Search until a member has proved the best solution optimal, or a limit or Ctrl-C stops all. spent: see Stages.

        A later run begins again with the best solution.
        """
        self._stopped = None
        self._losses.clear()
        before, started = self._seconds, perf_counter() - spent
        self._knowledge.begin(before + spent)
        course = _Course(inf if limits.seconds is None else started + limits.seconds, Budget(limits.expansions))

        def tell() -> None:
            self._seconds = before + perf_counter() - started
            if progress is not None:
                progress()

        try:
            self._check_sendable()
            self._take_incumbent()
            if not self._has_begun:
                self._begin(limits, course)
                tell()
            self._left = set(range(len(self.portfolio.members))) - self._over
            if not self._is_done(course):
                with CtrlC() as course.ctrl_c, self._team() as team:
                    self._work(team, limits, course, tell)
                if course.ctrl_c.pressed and not self.is_over:
                    self._stopped = "interrupted"
        except KeyboardInterrupt:  # a second Ctrl-C, or an interrupt in progress
            if not self.is_over:
                self._stopped = "interrupted"
        finally:
            for number in range(len(self.portfolio.members)):
                self._knowledge.lost(number)
            self._seconds = before + perf_counter() - started

    def _check_sendable(self) -> None:
        """Raise InputError for a problem or a heuristic that cannot be sent to workers."""
        for thing in (self.problem, *(member.first.heuristic for member in self.portfolio.members)):
            packed(thing)

    def _take_incumbent(self) -> None:
        """Take the solution that the user gave."""
        node = incumbent_of(self.problem, self._shared.get("incumbent"))
        if node is not None and self._knowledge.best is None:
            path = node.path()
            self._knowledge.found(
                0, Improved(node.g, [one.action for one in path[1:]], [one.state for one in path], None, "python")
            )

    def _begin(self, limits: Limits, course: _Course) -> None:
        """Begin the search of the first member in this process, unless only the compiled engine may search."""
        self._has_begun = True
        if self.plan.engine == COMPILED:
            return
        seconds = min(SECONDS_OF_HEAD_START, max(0.0, course.deadline - perf_counter()))
        total = course.budget.total
        with _of_member(0):
            super().run(
                replace(limits, seconds=seconds, expansions=HEAD_START if total is None else min(HEAD_START, total)), None, 0
            )
        solution = super().solution()
        if solution.cost is not None:
            found = Improved(solution.cost, solution.actions, solution.states, solution.heuristic, solution.engine)
            self._knowledge.found(0, found)
        limit = solution.limit if solution.status is Status.LIMIT else None
        report = Report(solution.stats, solution.lower_bound, solution.condition)
        is_over = self.attempt.driver.ended
        self._note_end(0, Ended(report, limit, solution.weight, solution.warnings if is_over else (), is_over))
        self._knowledge.lost(0)  # a worker begins again
        course.budget.spend(solution.stats.expanded)
        if solution.status is Status.INTERRUPTED:
            self._stopped = "interrupted"

    def _work(self, team: Team, limits: Limits, course: _Course, tell: Callable[[], None]) -> None:
        """Let the workers search. tell: called often. Raises ConnectionEndedError if nothing is known yet."""
        try:
            self._start(team, limits, course)
            while not self._is_done(course):
                self._look(team, course)
                tell()
            self._gather(team, course)
            tell()
        except ConnectionEndedError as ended:
            if self._is_done(course):
                return
            if self._knowledge.best is None:
                raise
            self._knowledge.warnings.append(str(ended))
            self._stopped = WORKERS

    @contextmanager
    def _team(self) -> Iterator[Team]:
        team = team_on(str(self.portfolio.first.on))
        try:
            yield team
        finally:
            team.close()

    def _start(self, team: Team, limits: Limits, course: _Course) -> None:
        """Start a worker for each member, with its share of the limits."""
        self._charges = {number: self._charge(number, limits, course.deadline) for number in sorted(self._left)}
        team.start([(number, self._beginning(charge)) for number, charge in self._charges.items()])
        for number, share in course.budget.begin(sorted(self._left)).items():
            team.tell(number, Go(share))

    def _charge(self, number: int, limits: Limits, deadline: float) -> Charge:
        member = self.portfolio.members[number].first
        of_member = Limits(
            seconds=max(0.0, min(deadline - perf_counter(), VERY_LONG)),
            memory=None if limits.memory is None else int(limits.memory) // len(self._left),
            depth=limits.depth,
        )
        return Charge(
            number,
            self.problem,
            member.algorithm.name,
            member.heuristic,
            member.options,
            self.portfolio.members[number].engine,
            self._verify,
            self._databases,
            of_member,
            self._knowledge.below,
            self._best_known(),
        )

    def _beginning(self, charge: Charge) -> bytes:
        """The first message to a worker. Raises InputError for a problem that cannot be sent."""
        place = self.portfolio.first.on
        return pickle.dumps((Circumstances.here(len(self._left) if place == "local" else 1), packed_with_code(charge)))

    def _is_done(self, course: _Course) -> bool:
        """Whether all members are to stop now; notes why."""
        if self.is_over or self._stopped is not None:
            return True
        if course.ctrl_c.pressed:
            self._stopped = "interrupted"
        elif perf_counter() >= course.deadline:
            self._stopped = "seconds"
        elif not self._left:
            self._stopped = self._gave_up or WORKERS
        elif course.budget.is_used_up(self._left):
            self._stopped = "expansions"
        return self._stopped is not None

    def _look(self, team: Team, course: _Course) -> None:
        """Take what members tell within some time, and let them go on."""
        seconds = min(SECONDS_BETWEEN_LOOKS, max(0.0, course.deadline - perf_counter()))
        for number, message in team.events(seconds):
            if isinstance(message, Lost):
                course.budget.ended(number, self._knowledge.expanded_by(number))
                self._replace(number, message, team)
                course.budget.began_again(number)
            else:
                self._take(number, message, team)
            if isinstance(message, Ended):
                course.budget.ended(number, message.report.stats.expanded)
                if message.is_over or message.limit not in ("expansions", "seconds"):
                    self._left.discard(number)
                    team.end(number)
        for number, share in course.budget.shares(self._left).items():
            team.tell(number, Go(share))

    def _take(self, number: int, message: Message, team: Team) -> None:
        """Take a message of a member; let the others know of a better solution."""
        if isinstance(message, Failed):
            with _of_member(number):
                raise message.error
        if isinstance(message, Report):
            self._knowledge.reported(number, message)
        elif isinstance(message, Ended):
            self._note_end(number, message)
        elif isinstance(message, Improved):
            solution = self._replayed(message)
            if self._knowledge.found(number, solution):
                for other in self._left - {number}:
                    team.tell(other, Cheaper(solution.cost, solution.actions))

    def _note_end(self, number: int, ended: Ended) -> None:
        self._knowledge.ended(number, ended)
        if ended.is_over:
            self._over.add(number)
        if ended.is_over or ended.limit == "memory":
            self._gave_up = self._gave_up or ended.limit

    def _replayed(self, found: Improved) -> Improved:
        """A solution of a member, with its cost along the problem's own successors."""
        if not self._verify:
            return found
        return found._replace(cost=replay(self.problem, found.actions, found.states, found.cost))

    def _replace(self, number: int, lost: Lost, team: Team) -> None:
        """Let a member whose worker has ended begin again, if that has not happened too often."""
        knowledge, name = self._knowledge, self._knowledge.name(number)
        knowledge.lost(number)
        self._losses[number] += 1
        if self._losses[number] < MOST_LOSSES:
            knowledge.warnings.append(f"the worker of {name} ended {lost.how}; the member was restarted")
            team.start([(number, self._beginning(replace(self._charges[number], known=self._best_known())))])
            return
        knowledge.warnings.append(f"the worker of {name} ended again, {lost.how}; the member was dropped")
        self._left.discard(number)
        if not self._left and knowledge.best is None:
            raise BestfirstError(
                f"the workers of all members ended unexpectedly, the last one {lost.how}; "
                "run the algorithm of one member without the portfolio to find the cause"
            )

    def _best_known(self) -> tuple[Sequence[Any], float] | None:
        """The actions and the cost of the best solution."""
        best = self._knowledge.best
        return None if best is None else (best.actions, best.cost)

    def _gather(self, team: Team, course: _Course) -> None:
        """Let all members that search report for the last time."""
        waiting = {number for number in self._left if not course.budget.is_waiting(number)}
        for number in waiting:
            team.tell(number, Stop())
        until = perf_counter() + SECONDS_TO_REPORT
        while waiting and not self.is_over and perf_counter() < until:
            for number, message in team.events(max(0.0, until - perf_counter())):
                if isinstance(message, Ended):
                    self._knowledge.reported(number, message.report)
                elif isinstance(message, Report | Improved):
                    self._take(number, message, team)
                waiting -= {number} if isinstance(message, Ended | Lost | Failed) else set()

    # The solution.

    def solution(self) -> Solution:
        """What is known so far, as a solution."""
        of_first = super().solution()
        if self._unsolvable is not None:
            return replace(of_first, algorithm=PORTFOLIO.name, plan=self.portfolio)
        knowledge = self._knowledge
        best, bound = knowledge.best, knowledge.bound
        status, limit, weight = self._verdict()
        warnings = [*knowledge.warnings, *(() if status is Status.OPTIMAL else knowledge.remarks)]
        assumed = knowledge.condition
        if assumed is not None and not any(assumed in warning for warning in warnings):
            warnings.append(unconfirmed_proof(assumed))
        return replace(
            of_first,
            algorithm=PORTFOLIO.name,
            heuristic=None if best is None else best.heuristic,
            engine=of_first.engine if best is None else best.engine,
            status=status,
            cost=None if best is None else best.cost,
            lower_bound=bound,
            actions=[] if best is None else list(best.actions),
            states=[] if best is None else list(best.states),
            stats=self.stats,
            limit=limit,
            weight=weight,
            condition=_conditions(knowledge) if status is Status.OPTIMAL else assumed,
            warnings=warnings,
            plan=self.portfolio,
            history=list(knowledge.history),
            head_start=0,
        )

    def _verdict(self) -> tuple[Status, str | None, float | None]:
        """The status, the limit that it names, and the weight."""
        knowledge = self._knowledge
        if knowledge.best is None and knowledge.is_proved:
            return (Status.UNSOLVABLE, None, None) if knowledge.bound == inf else (Status.LIMIT, UPPER_BOUND, None)
        if knowledge.is_proved:
            return Status.OPTIMAL, None, None
        if not self.is_over:
            if self._stopped == "interrupted":
                return Status.INTERRUPTED, None, None
            return Status.LIMIT, self._stopped or "paused", None
        if knowledge.best is None:
            return Status.LIMIT, self._gave_up, None
        return (Status.SOLVED, None, None) if knowledge.weight is None else (Status.BOUNDED, None, knowledge.weight)


@dataclass
class _Course:
    """The limits of a run. deadline: in perf_counter() time."""

    deadline: float
    budget: Budget
    ctrl_c: CtrlC = field(default_factory=CtrlC)


@contextmanager
def _of_member(number: int) -> Iterator[None]:
    """Say in an InputError which member was given what is wrong."""
    try:
        yield
    except InputError as error:
        raise InputError(f"member {number + 1} of the portfolio: {error}") from error


def _conditions(knowledge: Knowledge) -> str | None:
    """The assumptions on which the proof rests."""
    best = knowledge.best
    rounding = None if best is None else equality_of(best.cost, knowledge.bound, len(best.actions))
    return " and ".join(filter(None, (knowledge.condition, rounding))) or None


def _with(member: Plan, shared: Any) -> Plan:
    """The plan of a member with the options of the portfolio that its algorithm has."""
    known = {name: value for name, value in shared.items() if name in member.first.algorithm.options}
    first = replace(member.first, options={**member.first.options, **known})
    return replace(member, first=first)
