"""The rounds of a level on disk: which worker expands which partitions, and then carries out updates in which.

The driver has the facts of all partitions, and knows all files of updates; workers get with each job what they need of that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

from bestfirst.compiled.sweeps.partitions import UPDATE_BYTES, Layout, Partitions, Workplace
from bestfirst.distributed.crew import Answer, Crew, Event, Failed, Joined, NoWorkersError
from bestfirst.distributed.level_jobs import Expand, Expanded, Facts, Job, Merge, Merged, Place
from bestfirst.distributed.scheduler import MOST_LOSSES

JOBS_PER_WORKER = 8
"""In a round, if there are enough partitions: the last jobs end at about the same time."""
_Item = TypeVar("_Item")


class Rounds:
    """The rounds of one level after another.

    charge: for the workers, asked for before they start. take: told what each answer counts.
    """

    def __init__(
        self,
        crew: Crew,
        place: Workplace,
        layout: Layout,
        partitions: Partitions,
        charge: Callable[[], bytes],
        take: Callable[[Expanded | Merged], None],
    ) -> None:
        self._crew, self._place, self._layout, self._partitions = crew, place, layout, partitions
        self._charge, self._tell = charge, take
        self._workers = crew.count()
        self._numbers = self._round = self._level = 0
        self._places: list[Place] = []
        self._weights: dict[int, int] = {}
        self._files: dict[int, dict[str, int]] = {}
        self._pending: list[Job] = []
        self._given: dict[int, Job] = {}
        self._seats: dict[int, int] = {}
        self._losses: Counter[int] = Counter()

    def begin(self, level: int, weights: Mapping[int, int]) -> None:
        """Begin a level. weights: how many states it has in each partition that has some."""
        self._level, self._weights = level, dict(weights)
        self._places = [Place(number, 0) for number in sorted(weights)]

    @property
    def is_over(self) -> bool:
        """Whether all states of the level are expanded, and all updates carried out."""
        return not (self._pending or self._given or self._files or self._places)

    @property
    def part(self) -> float:
        """The fraction of the level that is not waiting to be expanded."""
        left = [*self._places, *(place for job in self._pending if isinstance(job, Expand) for place in job.places)]
        return 1 - sum(self._weights[place.partition] for place in left) / max(1, sum(self._weights.values()))

    def step(self, seconds: float) -> None:
        """Hand out jobs, and take what was answered, after waiting for some seconds until something happens."""
        if not (self._pending or self._given):
            self._begin_round()
        if not self._crew.is_started:
            self._crew.start(self._charge())
        for event in self._crew.events(seconds):
            self._hear(event)
        self._hand_out()

    # Planning.

    def _begin_round(self) -> None:
        self._round += 1
        if self._files:
            sizes = [self._layout.partition_bytes + self._bytes_for(number) for number in sorted(self._files)]
            for group in self._groups(sorted(self._files), sizes):
                self._plan_merge({number: self._files[number] for number in group})
            return
        places, self._places = self._places, []
        for of_group in self._groups(places, [self._weights[place.partition] for place in places]):
            facts = self._facts(place.partition for place in of_group)
            self._pending.append(Expand(self._number(), self._level, tuple(of_group), facts, "", 0))

    def _plan_merge(self, updates: Mapping[int, Mapping[str, int]]) -> None:
        self._pending.append(Merge(self._number(), self._level, updates, self._facts(updates)))

    def _number(self) -> int:
        self._numbers += 1
        return self._numbers

    def _facts(self, numbers: Iterable[int]) -> dict[int, Facts]:
        known = self._partitions.facts
        return {number: known[number] for number in numbers if number in known}

    def _bytes_for(self, number: int) -> int:
        return UPDATE_BYTES * sum(self._files[number].values())

    def _groups(self, items: Sequence[_Item], weights: Sequence[int]) -> list[list[_Item]]:
        """Neighbours together, of about the same weight."""
        most = sum(weights) / (JOBS_PER_WORKER * self._workers)
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
            raise NoWorkersError(
                f"{MOST_LOSSES} workers ended while they worked on the same partitions of {self._place.what}; look for the "
                "cause, such as too little memory, and repeat the call, which resumes after the last finished level"
            )
        if isinstance(job, Merge):  # some partitions may be written already
            for number in job.updates:
                self._partitions.read_facts(number)
            job = job._replace(facts=self._facts(job.updates))
        self._pending.append(job)

    def _hand_out(self) -> None:
        """Give each idle worker a job: of its own part of the ranks, or if there is none, of that of another worker."""
        for worker, seat in self._seats.items():
            if worker in self._given:
                continue
            left = self._layout.most_updates - sum(map(self._bytes_for, self._files))
            if left <= 0:
                self._put_back()
            if not self._pending:
                return
            own = (at for at, job in enumerate(self._pending) if self._owner(job) == seat)
            job = self._pending.pop(next(own, 0))
            if isinstance(job, Expand):
                most = max(1, left // self._workers)
                job = job._replace(tail=f"-{self._round}-{worker}", most_bytes=most)
            self._given[worker] = job
            self._crew.give(worker, job)

    def _owner(self, job: Job) -> int:
        """The seat in whose part of the ranks a job begins."""
        first = job.places[0].partition if isinstance(job, Expand) else next(iter(job.updates))
        return first * self._workers // self._layout.partitions

    def _put_back(self) -> None:
        """Expand the rest of the level in another round: the disk has many updates."""
        self._places += [place for job in self._pending if isinstance(job, Expand) for place in job.places]
        self._pending = [job for job in self._pending if isinstance(job, Merge)]

    def _take(self, job: Job, result: Expanded | Merged) -> None:
        """Take an answer into account."""
        self._tell(result)
        if isinstance(result, Expanded):
            self._places += result.rest
            for number, (name, count) in result.files.items():
                self._files.setdefault(number, {})[name] = count
        elif isinstance(job, Merge):
            self._partitions.facts.update({number: dict(facts) for number, facts in result.facts.items()})
            if result.rest:
                self._plan_merge({number: job.updates[number] for number in result.rest})
            for number in set(job.updates) - set(result.rest):
                for name in self._files.pop(number):
                    with suppress(FileNotFoundError):
                        (self._place.directory / name).unlink()
            if not self._files:
                self._place.remove_updates()  # of workers that ended
