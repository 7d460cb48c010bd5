"""The driver of an enumeration on disk with workers: it hands out the partitions of each level, and notes finished levels.

The files are those of an enumeration in one process (disk_enumeration.py), which can continue them, and the other way round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from bestfirst.compiled.sweeps.disk_enumeration import DiskLevels, check_ranks
from bestfirst.compiled.sweeps.partitioned_states import layout_within
from bestfirst.compiled.sweeps.partitions import UPDATE_BYTES, Layout
from bestfirst.distributed.charge import LevelsCharge
from bestfirst.distributed.crew import Answer, Crew, Event, Failed, Joined
from bestfirst.distributed.crews import crew_of
from bestfirst.distributed.level_jobs import Expand, Expanded, Facts, Job, Merge, Merged, Place
from bestfirst.distributed.scheduler import MOST_LOSSES
from bestfirst.domain import Domain
from bestfirst.enumerated import ANTIPODES
from bestfirst.errors import BestfirstError
from bestfirst.problem import Problem

JOBS_PER_WORKER = 8
"""In a round, if there are enough partitions: the last jobs end at about the same time."""
SECONDS_BETWEEN_LOOKS = 0.05
_Item = TypeVar("_Item")


class SharedLevels(DiskLevels):
    """An enumeration on disk, with a crew of workers. memory: for the arrays of all workers together."""

    def __init__(self, problem: Problem, domain: Domain, directory: Path, memory: int | None, crew: Crew) -> None:
        super().__init__(domain, directory.absolute(), memory)
        self._crew = crew
        self._charge = LevelsCharge(problem, self._fingerprint, str(directory.absolute()), None, "")
        self._charge.packed()  # now, because it may be impossible
        self._numbers = self._round = 0
        self._pending: list[Job] = []
        self._given: dict[int, Job] = {}
        self._seats: dict[int, int] = {}
        self._losses: Counter[int] = Counter()
        self._files: dict[int, dict[str, int]] = {}
        self._places: list[Place] = []

    # Preparations.

    def _layout_within(self, bits: int | None) -> Layout:
        return layout_within(self._domain, self._memory, bits, self._crew.count())

    def _own_layout(self) -> Layout:
        """One partition for the start, and no buffers."""
        return replace(self._layout, room=1)

    def _begin_level(self) -> None:
        super()._begin_level()
        self._places = [Place(number, 0) for number in reversed(self._unexpanded)]

    # Rounds.

    def _advance_level(self, budget: int) -> None:
        if self._pending or self._given:
            self._look(SECONDS_BETWEEN_LOOKS if budget > 0 else 0)
        elif self._files:
            self._begin_merging()
        elif self._places:
            self._begin_expanding()
        else:
            self._end_level()

    def _begin_expanding(self) -> None:
        self._round += 1
        level, places = self._level, self._places
        counts = [self._states.counts(place.partition, level)[0] for place in places]
        self._places = []
        for group in self._groups(places, counts):
            facts = self._facts(place.partition for place in group)
            self._plan(lambda number, group=group, facts=facts: Expand(number, level, tuple(group), facts, "", 0))  # type: ignore[misc]

    def _begin_merging(self) -> None:
        self._round += 1
        level, files = self._level, self._files
        sizes = [self._layout.partition_bytes + UPDATE_BYTES * sum(of.values()) for of in files.values()]
        for group in self._groups(sorted(files), sizes):
            self._plan_merge(level, {number: files[number] for number in group})

    def _plan_merge(self, level: int, updates: Mapping[int, Mapping[str, int]]) -> None:
        self._plan(lambda number: Merge(number, level, updates, self._facts(updates)))

    def _facts(self, numbers: Iterable[int]) -> dict[int, Facts]:
        known = self._states.partitions.facts
        return {number: known[number] for number in numbers if number in known}

    def _plan(self, job: Callable[[int], Job]) -> None:
        self._numbers += 1
        self._pending.append(job(self._numbers))

    def _groups(self, items: Sequence[_Item], weights: Sequence[int]) -> list[list[_Item]]:
        """Neighbours together, of about the same weight."""
        most = sum(weights) / (JOBS_PER_WORKER * (self._layout.workers or 1))
        groups: list[list[_Item]] = []
        weight = most
        for item, own in zip(items, weights, strict=True):
            if weight + own > most:
                groups.append([])
                weight = 0
            groups[-1].append(item)
            weight += own
        return groups

    # Workers.

    def _look(self, seconds: float) -> None:
        """Hand out jobs, and take what was answered, after waiting for some seconds until something happens."""
        if not self._crew.is_started:
            self._is_preparing = True  # a cluster takes seconds to start
            charge = replace(self._charge, layout=replace(self._layout, workers=None), run=self._progress.run)
            self._crew.start(charge.packed())
            self._is_preparing = False
        for event in self._crew.events(seconds):
            self._hear(event)
        self._hand_out()

    def _hear(self, event: Event) -> None:
        if isinstance(event, Failed):
            raise event.error
        if isinstance(event, Joined):
            free = set(range(len(self._seats) + 1)) - set(self._seats.values())
            self._seats[event.worker] = min(free)
        elif isinstance(event, Answer):
            self._take(self._given.pop(event.worker), event.result)
        else:
            self._seats.pop(event.worker, None)
            if event.worker in self._given:
                self._repeat(self._given.pop(event.worker))

    def _repeat(self, job: Job) -> None:
        """Hand a job out again, whose worker has ended."""
        self._losses[job.number] += 1
        if self._losses[job.number] >= MOST_LOSSES:
            raise BestfirstError(
                f"{MOST_LOSSES} workers ended while they worked on the same partitions of {self._place.what}; finished levels are "
                "kept: look for the cause, such as too little memory, and repeat the call"
            )
        if isinstance(job, Merge):  # some partitions may be written already, and their updates count once
            for number in job.updates:
                self._states.partitions.read_facts(number)
            job = job._replace(facts=self._facts(job.updates))
        self._pending.append(job)

    def _hand_out(self) -> None:
        """Give each idle worker a job: of its own partitions, or if there is none, of those of another worker."""
        for worker, seat in self._seats.items():
            if worker in self._given:
                continue
            left = self._layout.most_updates - self._bytes_of_files()
            if left <= 0 and any(isinstance(job, Expand) for job in self._pending):
                self._put_back()
            if not self._pending:
                return
            place = min(range(len(self._pending)), key=lambda at: (self._owner(self._pending[at]) != seat, at))
            job = self._pending.pop(place)
            if isinstance(job, Expand):
                share = max(1, left // (self._layout.workers or 1))
                job = job._replace(tail=f"-{self._round}-{worker}", most_bytes=share)
            self._given[worker] = job
            self._crew.give(worker, job)

    def _owner(self, job: Job) -> int:
        """The worker whose part of the ranks a job begins in."""
        first = job.places[0].partition if isinstance(job, Expand) else next(iter(job.updates))
        return first * (self._layout.workers or 1) // self._layout.partitions

    def _put_back(self) -> None:
        """Expand the rest of the level in another round: the disk has many updates."""
        self._places += [place for job in self._pending if isinstance(job, Expand) for place in job.places]
        self._pending.clear()

    def _bytes_of_files(self) -> int:
        return UPDATE_BYTES * sum(sum(of.values()) for of in self._files.values())

    def _take(self, job: Job, result: Expanded | Merged) -> None:
        """Take an answer into account."""
        if isinstance(result, Expanded):
            self._search.expanded += result.expanded
            self._search.generated += result.generated
            kept = self._states.farthest[: self._search.kept].tolist()
            self._keep(sorted({*kept, *result.farthest})[:ANTIPODES])
            self._places += result.rest
            for number, (name, count) in result.files.items():
                self._files.setdefault(number, {})[name] = count
        elif isinstance(job, Merge):
            self._states.partitions.facts.update({number: dict(facts) for number, facts in result.facts.items()})
            if result.rest:
                self._plan_merge(job.level, {number: job.updates[number] for number in result.rest})
            for number in set(job.updates) - set(result.rest):
                for name in self._files.pop(number):
                    with suppress(FileNotFoundError):
                        (self._place.directory / name).unlink()
            if not self._files:
                self._place.remove_updates()  # of workers that ended

    def close(self) -> None:
        self._crew.close()
        super().close()


def shared_levels_of(
    problem: Problem, domain: Domain, directory: Path, memory: int | None, *, on: str, workers: int | None
) -> SharedLevels:
    """The enumeration of a domain's states by workers. Raises InputError if the domain has no ranks, or if it cannot be sent."""
    check_ranks(domain)
    return SharedLevels(problem, domain, directory, memory, crew_of(on, workers))
