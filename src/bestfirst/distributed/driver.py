"""The driver of IDA* on many workers: node for node the search of one thread, whoever searches which part.

The driver searches the beginning of each iteration itself: most iterations are small. If an iteration is not over by then, and
workers are ready, the rest of it goes to the scheduler.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.kernels.idastar import EXHAUSTED, FAULTY, FOUND, STOPPED
from bestfirst.compiled.store.saved_values import MOST, Saved, require
from bestfirst.compiled.store.walks import COUNTS
from bestfirst.distributed.charge import SearchCharge
from bestfirst.distributed.crew import Answer, Crew, Event, Failed, Joined
from bestfirst.distributed.jobs import EXPANDED, Actions, Outcome, Part, Place, Searched
from bestfirst.distributed.part_search import PartSearch, counts_of
from bestfirst.distributed.scheduler import FEWEST_BEFORE_A_CUT, MOST_LOSSES, Assign, Command, End, Scheduler
from bestfirst.domain import Domain
from bestfirst.errors import ProblemError
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.problem import Problem
from bestfirst.solution import Limits

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, SavedState
    from bestfirst.search_plan import HeuristicChoice

FEWEST_SHARED = 200_000
"""The number of expansions of an iteration that the driver searches itself."""
FIRST_QUANTUM = 2_000_000
SECONDS_PER_JOB = 1.0
SECONDS_PER_JOB_AND_WORKER = 0.005
"""A job takes so long for each worker, so that the driver can answer all of them; but at least SECONDS_PER_JOB."""
SECONDS_BETWEEN_LOOKS = 0.05
SECONDS_TO_RETURN = 3.0
"""How long the driver waits at the end of a run for what is left of the jobs."""
_HOW = {Outcome.FOUND: FOUND, Outcome.FAULTY: FAULTY}


class DistributedIDAStar(PartSearch):
    """IDA* on a domain with a crew of workers, in slices. given: the heuristic as it was given, for the workers."""

    def __init__(
        self,
        domain: Domain,
        heuristic: Heuristic | None,
        *,
        crew: Crew,
        given: HeuristicChoice,
        problem: Problem | None = None,
        **options: Any,
    ) -> None:
        self._charge = SearchCharge.of(problem or domain, given, options, domain, heuristic).packed()
        self._crew = crew
        self._scheduler = Scheduler(FIRST_QUANTUM, FEWEST_BEFORE_A_CUT)
        self._is_shared = False  # whether the iteration is that of the scheduler
        self._is_going = False
        self._may_expand = inf
        self._given_at: dict[int, float] = {}
        super().__init__(domain, heuristic, problem=problem, **options)

    def run(self, limits: Limits, progress: Callable[[], None] | None) -> None:
        self._may_expand = inf if limits.expansions is None else self.stats.expanded + limits.expansions
        self._is_going = False
        try:
            super().run(limits, progress)
        finally:
            self._crew.close()

    def _begin(self, root: tuple[object, ...]) -> None:
        self._is_shared = False
        super()._begin(root)

    def _search(self, budget: int) -> int:
        if self._is_shared or (budget > 0 and self._may_share()):
            return self._search_together(budget)
        return super()._search(budget)

    def _may_share(self) -> bool:
        """Whether the rest of the iteration goes to workers now; until they are ready, the driver continues."""
        record = self._walk.record
        if record.expanded < FEWEST_SHARED or record.height == 0:
            return False
        self._look(0)
        if not self._scheduler.workers:
            return False
        self._hand_over(self.pieces(self._walk, 0), [Searched((), counts_of(self._walk))])
        return True

    def _hand_over(self, parts: Sequence[Part], searched: Sequence[Searched]) -> None:
        """Let the scheduler have the iteration."""
        walk, scheduler = self._walk, self._scheduler
        is_pruned = self._moves is not None and bool(self._moves.names)
        scheduler.begin(self._bound, parts, searched, is_pruned=is_pruned, is_worthwhile=walk.is_worthwhile)
        scheduler.next_bound = self._next_bound
        scheduler.falls = [tuple(walk.first_fall)] if walk.first_fall else []
        walk.begin(self._root_row())
        self._is_shared, self._is_going = True, False

    def _search_together(self, budget: int) -> int:
        """Let the workers search for a while; return how the iteration ended, or STOPPED if it is unfinished."""
        scheduler = self._scheduler
        until = perf_counter() + (SECONDS_BETWEEN_LOOKS if budget > 0 else 0)
        if budget > 0 and not self._is_going:
            self._do(scheduler.go_on(self._may_expand - self.stats.expanded))
            self._is_going = True
        while not scheduler.is_over and perf_counter() < until:
            self._look(max(0, until - perf_counter()))
            if scheduler.hopeless is not None:
                raise ProblemError(
                    f"{MOST_LOSSES} worker processes ended unexpectedly in the same part of the search tree; check that there is "
                    "enough memory, or omit on= and workers= and search with engine='python' to find the cause"
                )
        self._next_bound = scheduler.next_bound
        if not scheduler.is_over:
            return STOPPED
        return EXHAUSTED if scheduler.end is None else _HOW[scheduler.end.outcome]

    # Workers.

    def _look(self, seconds: float) -> None:
        """Answer what has happened, after waiting for some seconds until something happens."""
        if not self._crew.is_started:
            self._is_preparing = True  # a cluster takes seconds to start
            self._crew.start(self._charge)
            self._is_preparing = False
        for event in self._crew.events(seconds):
            self._do(self._answer(event))

    def _answer(self, event: Event) -> list[Command]:
        if isinstance(event, Failed):
            raise event.error
        if isinstance(event, Joined):
            return self._scheduler.joined(event.worker)
        if isinstance(event, Answer):
            self._set_quantum(event.result.expanded, perf_counter() - self._given_at[event.worker])
            return self._scheduler.finished(event.worker, event.result)
        return self._scheduler.lost(event.worker)

    def _set_quantum(self, expanded: int, seconds: float) -> None:
        """Set the size of the next jobs by the rate of the last one."""
        if expanded >= FEWEST_BEFORE_A_CUT:
            wanted = max(SECONDS_PER_JOB, SECONDS_PER_JOB_AND_WORKER * self._scheduler.workers)
            self._scheduler.quantum = max(FEWEST_BEFORE_A_CUT, int(expanded / seconds * wanted))

    def _do(self, commands: Sequence[Command]) -> None:
        for command in commands:
            if isinstance(command, Assign):
                self._given_at[command.worker] = perf_counter()
                self._crew.give(command.worker, command.job)
            else:
                self._crew.cut(command.worker)

    def _settle(self) -> None:
        self._gather()
        super()._settle()

    def _gather(self) -> None:
        """End the workers; unless the search is over, with what is left of their jobs."""
        if not self._crew.is_started:
            return
        if self._is_shared and not self.ended and self._broken is None:
            self._do(self._scheduler.pause())
            until = perf_counter() + SECONDS_TO_RETURN
            while not self._scheduler.is_at_rest and perf_counter() < until:
                self._look(until - perf_counter())
        self._crew.close()
        self._scheduler.dismissed()
        self._is_going = False
        self._show()

    # What is known.

    def _counts(self) -> Array:
        """Within an iteration, all counts, including those of jobs that may turn out to come after its end."""
        return np.array(self._scheduler.counts) if self._is_shared else super()._counts()

    def _is_worthwhile(self) -> bool:
        return self._scheduler.is_worthwhile if self._is_shared else super()._is_worthwhile()

    def _actions(self) -> list[int]:
        if not self._is_shared:
            return super()._actions()
        return [] if self._scheduler.end is None else list(self._scheduler.end.actions)

    def _stands_at(self) -> list[int] | None:
        """Within an iteration, workers stand at several nodes."""
        if not self._is_shared:
            return super()._stands_at()
        return self._actions() if self.goal is not None else None

    def _first_fall(self) -> list[int]:
        if not self._is_shared:
            return super()._first_fall()
        first: Actions = min(self._scheduler.falls, key=self._place_in_order)
        return list(first)

    # Saving.

    def saved(self) -> SavedState:
        """Of a job that a worker has, nothing is searched yet."""
        if not self._is_shared:
            return {**super().saved(), "shared": None}
        scheduler, end = self._scheduler, self._scheduler.end
        shared = {
            "searched": [[list(place), list(counts)] for place, counts in scheduler.searched],
            "left": [[list(part.actions), part.base] for part in scheduler.left],
            "falls": [list(fall) for fall in scheduler.falls],
            "is_worthwhile": scheduler.is_worthwhile,
            "end": None if end is None else [list(end.place), int(end.outcome), list(end.actions)],
        }
        return {"round": self._saved_round(), "shared": shared}

    def restore(self, saved: Saved) -> None:
        if self.ended or saved.is_none("shared"):
            super().restore(saved)
            return
        shared = saved.part("shared")
        self._restore_round(saved.part("round"))
        parts = [self._restored_part(part) for part in shared.items("left")]
        searched = [_restored_counts(entry) for entry in shared.items("searched")]
        self._hand_over(parts, searched)
        self._scheduler.is_worthwhile = shared.flag("is_worthwhile")
        for fall in shared.items("falls"):
            self._checked_nodes(_wholes(fall, self._domain.max_actions - 1))
            self._scheduler.falls.append(tuple(fall))
        if not shared.is_none("end"):
            place, outcome, actions = shared.items("end", 3)
            require(outcome in _HOW, "its end is unknown")
            self._checked_nodes(_wholes(actions, self._domain.max_actions - 1))
            self._scheduler.end = End(_place(place), Outcome(outcome), tuple(actions))
        self._check_falls(bool(self._scheduler.falls))
        counted = self._before[0] + int(self._counts()[EXPANDED])
        require(counted == self.stats.expanded, f"it has expanded {counted} nodes, not {self.stats.expanded}")

    def _restored_part(self, saved: Any) -> Part:
        require(isinstance(saved, tuple) and len(saved) == 2, "a remaining part is not described by actions and a depth")
        actions, base = _wholes(saved[0], self._domain.max_actions - 1), saved[1]
        require(type(base) is int and 0 <= base <= len(actions), "a remaining part begins above its root")
        return self.part_at(actions, base)


def _wholes(saved: Any, most: int) -> list[int]:
    return Saved({"numbers": saved}).wholes("numbers", most)


def _restored_counts(saved: Any) -> Searched:
    require(isinstance(saved, tuple) and len(saved) == 2, "its counts do not say where they belong")
    counts = _wholes(saved[1], MOST)
    require(len(counts) == len(COUNTS), "some of its counts are missing")
    return Searched(_place(saved[0]), tuple(counts))


def _place(saved: Any) -> Place:
    is_place = isinstance(saved, tuple) and all(type(number) in (int, float) for number in saved)
    require(is_place, "a place in the search is not described by numbers")
    return tuple(saved)
