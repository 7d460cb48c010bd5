"""The scheduler of a distributed search: which worker searches which parts of an iteration, and what is known so far.

It is a function of the events that it is told, without a clock and without input or output; so the driver of real workers and
the simulation run the same code. Each event is answered with commands.

Parts are handed out in order. The first jobs have many parts, later ones few (guided self-scheduling: Polychronopoulos & Kuck
1987). If workers are idle and no part is waiting, others are asked to return what is left of theirs, in pieces (Rao & Kumar 1987).
The workers that are asked have the shallowest parts, which are likely to be the largest (Reinefeld & Schnecke 1994 also give
away nodes near the root).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import inf
from typing import NamedTuple, TypeAlias

from bestfirst.distributed.jobs import NO_COUNTS, Actions, Counts, Job, Outcome, Part, Place, Result, Searched, total

SHARE = 4
"""A job has at most this part of an equal share of what is waiting: workers and subtrees differ."""
MOST_PARTS = 64
"""The largest number of parts of a job, so that messages stay short."""
MOST_LOSSES = 5
"""A part that has been lost with so many workers is not given to another one."""
FEWEST_BEFORE_A_CUT = 20_000
"""The number of expansions of a job before it may be interrupted."""
LEAST_SHARE = 64
"""Nor is it interrupted before it has searched this part of its size: many workers would send too many messages."""
FEWEST_TO_SETTLE = 1_000


class Assign(NamedTuple):
    """Give a worker a job."""

    worker: int
    job: Job


class Cut(NamedTuple):
    """Ask a worker to return what is left of its job."""

    worker: int


Command: TypeAlias = Assign | Cut


@dataclass(frozen=True)
class End:
    """Where an iteration ends before its last node: the first goal, or a node whose expansion failed."""

    place: Place
    outcome: Outcome
    actions: Actions


class Scheduler:
    """The state of an iteration, and the workers.

    quantum: the number of expansions of a job; it may be changed at any time. allowance: the expansions that may still be given
    to workers. end: see End. next_bound, is_worthwhile: see Result. losses: the number of jobs that were lost with a worker.
    """

    def __init__(self, quantum: int, least: int = FEWEST_BEFORE_A_CUT) -> None:
        self.quantum = quantum
        self._least = least
        self.losses = 0
        self._idle: list[int] = []
        self._running: dict[int, Job] = {}
        self._cut: set[int] = set()
        self._numbers = 0
        self.begin(0, ())

    # Events.

    def begin(
        self,
        bound: float,
        parts: Sequence[Part],
        searched: Sequence[Searched] = (),
        *,
        is_pruned: bool = False,
        is_worthwhile: bool = False,
    ) -> None:
        """Begin an iteration of which these parts are left, and the others searched; nothing is given to workers before
        go_on()."""
        self._bound, self._is_pruned, self.is_worthwhile = bound, is_pruned, is_worthwhile
        self._waiting = [(part.place, part) for part in parts]
        heapify(self._waiting)
        self._searched = list(searched)
        self._settled, self._settle_at = NO_COUNTS, FEWEST_TO_SETTLE
        self._lost: dict[Place, int] = {}
        self._to_cut: list[tuple[int, int, int]] = []  # by depth, the jobs and their workers
        self.end: End | None = None
        self.next_bound = inf
        self.falls: list[Actions] = []
        self.allowance: float = 0

    def go_on(self, allowance: float) -> list[Command]:
        """Continue, with that many expansions that may be given to workers."""
        self.allowance = allowance - sum(job.budget for job in self._running.values())
        return self._commands()

    def pause(self) -> list[Command]:
        """Give no more work to workers, and ask all for what is left."""
        self.allowance = -inf
        return self._cut_all(list(self._running))

    def joined(self, worker: int) -> list[Command]:
        """A worker is ready."""
        self._idle.append(worker)
        return self._commands()

    def lost(self, worker: int) -> list[Command]:
        """A worker is gone: its job is as if it had never been given to it."""
        if worker in self._idle:
            self._idle.remove(worker)
        job = self._taken_from(worker)
        if job is not None:
            self.losses += 1
            self.allowance += job.budget
            for part in job.parts:
                self._lost[part.place] = self._lost.get(part.place, 0) + 1
                self._wait(part)
        return self._commands()

    def finished(self, worker: int, result: Result) -> list[Command]:
        """A worker answers; an answer to an earlier job of a worker that was lost is ignored."""
        job = self._running.get(worker)
        if job is None or job.number != result.number:
            return []
        self._taken_from(worker)
        self._idle.append(worker)
        self.allowance += job.budget - result.expanded
        self._searched += result.searched
        self.next_bound = min(self.next_bound, result.next_bound)
        self.is_worthwhile = self.is_worthwhile or result.is_worthwhile
        self.falls += result.falls
        if result.outcome != Outcome.RETURNED:
            self._end_at(End(result.searched[-1].place, result.outcome, result.actions))
        for part in result.rest:
            self._wait(part)
        if len(self._searched) > self._settle_at:
            self._settle()
        return [*self._commands(), *self._cut_after_the_end()]

    def dismissed(self) -> None:
        """All workers were told to end; what they had not answered is left to search."""
        parts = list(self._parts_at_work())
        self._idle.clear()
        self._running.clear()
        self._cut.clear()
        for part in parts:
            self._wait(part)

    # What is known.

    @property
    def is_over(self) -> bool:
        """Whether the iteration is searched, up to its end."""
        if self._waiting or (self._running and self.end is None):
            return False
        return not any(map(self._is_before_the_end, self._parts_at_work()))

    @property
    def is_at_rest(self) -> bool:
        """Whether no worker has a job."""
        return not self._running

    @property
    def counts(self) -> Counts:
        """The counts of all that is searched; once the iteration is over, those before its end."""
        kept = (one.counts for one in self._searched if self._is_before_the_end(one))
        return total([self._settled, *kept])

    @property
    def searched(self) -> list[Searched]:
        """What is searched, in no order: as few entries as can be; that of the first place has what comes before all that is
        left."""
        self._settle()
        return [Searched((), self._settled), *self._searched]

    @property
    def left(self) -> list[Part]:
        """What is left to search, in order; of a running job, all of it."""
        return sorted([*(part for _place, part in self._waiting), *self._parts_at_work()], key=lambda part: part.place)

    @property
    def hopeless(self) -> Part | None:
        """A part that has ended too many workers, if there is one."""
        too_often = {place for place, losses in self._lost.items() if losses >= MOST_LOSSES}
        return next((part for place, part in self._waiting if place in too_often), None) if too_often else None

    @property
    def workers(self) -> int:
        """The number of workers that are idle or at work."""
        return len(self._idle) + len(self._running)

    # Commands.

    def _commands(self) -> list[Command]:
        """Give work to idle workers; if there is none, ask for some."""
        commands: list[Command] = []
        while self._idle and self._waiting and self.allowance > 0:
            commands.append(self._assign(self._idle.pop()))
        if self._idle and not self._waiting and self.allowance > 0 and self.end is None:
            wanted = len(self._idle) - len(self._cut)
            while wanted > 0 and self._to_cut:
                _depth, number, worker = heappop(self._to_cut)
                if worker in self._running and self._running[worker].number == number and worker not in self._cut:
                    commands += self._cut_all([worker])
                    wanted -= 1
        return commands

    def _assign(self, worker: int) -> Assign:
        share = len(self._waiting) // (SHARE * (1 + self.workers))
        parts = tuple(heappop(self._waiting)[1] for _ in range(max(1, min(share, MOST_PARTS))))
        budget = int(min(self.quantum, self.allowance))
        self.allowance -= budget
        self._numbers += 1
        least = max(self._least, self.quantum // LEAST_SHARE)
        job = Job(self._numbers, self._bound, parts, budget, least, self.is_worthwhile, self._is_pruned)
        self._running[worker] = job
        heappush(self._to_cut, (parts[-1].base, job.number, worker))
        return Assign(worker, job)

    def _cut_all(self, workers: Sequence[int]) -> list[Command]:
        fresh = [worker for worker in workers if worker not in self._cut]
        self._cut.update(fresh)
        return [Cut(worker) for worker in fresh]

    def _cut_after_the_end(self) -> list[Command]:
        """Interrupt the workers whose work is no longer needed."""
        if self.end is None:
            return []
        return self._cut_all(
            [worker for worker, job in self._running.items() if not any(map(self._is_before_the_end, job.parts))]
        )

    # Parts.

    def _taken_from(self, worker: int) -> Job | None:
        self._cut.discard(worker)
        return self._running.pop(worker, None)

    def _parts_at_work(self) -> Iterator[Part]:
        return (part for job in self._running.values() for part in job.parts)

    def _wait(self, part: Part) -> None:
        if self._is_before_the_end(part):
            heappush(self._waiting, (part.place, part))

    def _is_before_the_end(self, one: Part | Searched) -> bool:
        return self.end is None or one.place <= self.end.place

    def _end_at(self, end: End) -> None:
        """The iteration ends here, unless it ends before."""
        if self.end is None or end.place < self.end.place:
            self.end = end
            self._waiting = [entry for entry in self._waiting if entry[0] < end.place]
            heapify(self._waiting)

    def _settle(self) -> None:
        """Add up the counts of what comes before all that is left: no end can come before it."""
        first = min((part.place for part in self.left), default=(inf,))
        first = first if self.end is None else min(first, self.end.place)
        self._settled = total([self._settled, *(one.counts for one in self._searched if one.place < first)])
        self._searched = [one for one in self._searched if one.place >= first]
        self._settle_at = max(FEWEST_TO_SETTLE, 2 * len(self._searched))
