"""What the members of a portfolio have found and proved together: the best solution, the best bound, and all counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import inf
from time import perf_counter

from bestfirst.portfolio.messages import Ended, Improved, Report
from bestfirst.rounding import exceeds_bound, exceeds_rounding
from bestfirst.solution import Improvement, Stats


@dataclass
class _Known:
    """What one member has told. before: the counts of its workers that were lost. proved: its best bound, and the condition."""

    before: Stats = field(default_factory=Stats)
    stats: Stats = field(default_factory=Stats)
    proved: float = 0
    condition: str | None = None
    weight: float | None = None
    is_refuted: bool = False

    @property
    def counts(self) -> Stats:
        """The counts of all its workers, which ran one after the other."""
        return _sum([self.before, self.stats], most=max)


class Knowledge:
    """See above. best: the solution with the lowest cost, and cost: that cost; finder: the member that found it, from 0.

    below: only solutions that cost less were asked for. warnings: about members. remarks: warnings of their searches.
    """

    def __init__(self, names: Sequence[str], below: float) -> None:
        self._names, self.below = names, below
        self._members = [_Known() for _ in names]
        self.best: Improved | None = None
        self.finder = 0
        self.warnings: list[str] = []
        self.remarks: list[str] = []
        self.history: list[Improvement] = []
        self._origin = perf_counter()

    def begin(self, seconds: float) -> None:
        """Let time count from now on. seconds: already spent."""
        self._origin = perf_counter() - seconds

    @property
    def cost(self) -> float | None:
        """The cost of the best solution; None without one."""
        return None if self.best is None else self.best.cost

    def name(self, member: int) -> str:
        """A member as messages name it."""
        return f"member {member + 1} ({self._names[member]})"

    def found(self, member: int, solution: Improved) -> bool:
        """Take a solution, if it is better than the best one; returns whether it is."""
        if solution.cost >= (self.below if self.cost is None else self.cost):
            return False
        self.best, self.finder = solution, member
        for number in range(len(self._members)):
            self._check(number)
        self._note(member)
        return True

    def reported(self, member: int, report: Report) -> None:
        """Take a report of a member."""
        known = self._members[member]
        known.stats = report.stats
        if report.lower_bound > known.proved or (report.lower_bound == known.proved and report.condition is None):
            known.proved, known.condition = report.lower_bound, report.condition
        self._check(member)
        self._note(member)

    def ended(self, member: int, ended: Ended) -> None:
        """Take the last report of a member."""
        self._members[member].weight = ended.weight
        self.reported(member, ended.report)
        self.remarks += [f"{self.name(member)}: {warning}" for warning in ended.warnings]

    def lost(self, member: int) -> None:
        """The worker of a member has ended; its counts remain, and so does what it proved."""
        known = self._members[member]
        known.before, known.stats = known.counts, Stats()

    def _check(self, member: int) -> None:
        """Refute the bound of a member if a solution costs less: its heuristic overestimates."""
        known = self._members[member]
        if self.best is None or known.is_refuted or known.proved == 0:
            return
        if exceeds_rounding(known.proved, self.best.cost, len(self.best.actions)):
            known.is_refuted = True
            self.warnings.append(
                f"{self.name(member)} has the bound {known.proved:g}, but a solution costs {self.best.cost:g}, so the bound was "
                "dropped; check its heuristic with bestfirst.audit"
            )

    def _note(self, member: int) -> None:
        """Enter what is known into the history, if it is more than before."""
        last = self.history[-1] if self.history else None
        bound = self.bound
        if last is None or (last.cost, last.lower_bound) != (self.cost, bound):
            seconds = perf_counter() - self._origin
            self.history.append(Improvement(seconds, self.stats.expanded, self.cost, bound, member + 1))

    # Together.

    @property
    def stats(self) -> Stats:
        """The counts of all members."""
        return _sum([known.counts for known in self._members], most=sum)

    def expanded_by(self, member: int) -> int:
        """The number of expansions of a member's present worker."""
        return self._members[member].stats.expanded

    @property
    def bound(self) -> float:
        """The best lower bound that is not refuted, and not above the cost of the best solution."""
        bound = max((known.proved for known in self._members if not known.is_refuted), default=0)
        return bound if self.cost is None else min(bound, self.cost)

    @property
    def condition(self) -> str | None:
        """The assumption on which that bound rests; None if a member has proved it without one."""
        bound = self.bound
        conditions = [known.condition for known in self._members if not known.is_refuted and known.proved >= bound]
        return None if None in conditions else conditions[0] if conditions else None

    @property
    def is_proved(self) -> bool:
        """Whether no member can find anything better."""
        if self.best is None:
            return self.bound == inf or self.bound >= self.below
        return not exceeds_bound(self.best.cost, self.bound, len(self.best.actions))

    @property
    def weight(self) -> float | None:
        """The least w for which a member has proved that the solution costs at most w times the optimum; None if none has."""
        return min(
            (known.weight for known in self._members if known.weight is not None and not known.is_refuted), default=None
        )


def _sum(counts: Sequence[Stats], most: Callable[[Iterable[int]], int]) -> Stats:
    """The counts of several searches together. most: of their peaks; sum if side by side, max if in turn."""
    memories = [stats.peak_memory for stats in counts if stats.peak_memory is not None]
    return Stats(
        expanded=sum(stats.expanded for stats in counts),
        generated=sum(stats.generated for stats in counts),
        duplicates=sum(stats.duplicates for stats in counts),
        reopened=sum(stats.reopened for stats in counts),
        pruned=sum(stats.pruned for stats in counts),
        peak_agenda=most(stats.peak_agenda for stats in counts),
        peak_memory=most(memories) if memories else None,
    )
