"""What a worker does in an enumeration on disk, or in the build of a table on disk: see level_jobs.py."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from bestfirst.compiled.drivers.checkpoint import fingerprint
from bestfirst.compiled.sweeps.disk_distances import DiskDistances
from bestfirst.compiled.sweeps.partitioned_states import OPTIONAL, PartitionedStates
from bestfirst.compiled.sweeps.partitions import Partitions, Updates, Workplace
from bestfirst.distributed.charge import LEVELS, PartitionsCharge
from bestfirst.distributed.crew import NoWorkersError
from bestfirst.distributed.level_jobs import Counts, Expand, Expanded, Job, Merge, Merged, Place
from bestfirst.domain import Domain
from bestfirst.errors import InputError
from bestfirst.stated import checked_domain
from bestfirst.system.watch import next_slice

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array

FIRST_SLICE = 1_000


class PartitionWork(ABC):
    """The partitions in a shared directory, one of which is in memory."""

    _updates: Updates
    _partitions: Partitions

    def __init__(self, place: Workplace) -> None:
        self.place = place
        self._tail = ""

    def do(self, job: Job, is_asked: Callable[[], bool]) -> Expanded | Merged:
        """The result of a job; what is left of it, if it is asked for that."""
        self._partitions.facts = {number: dict(facts) for number, facts in job.facts.items()}
        self._begin(job.level)
        return self._expand(job, is_asked) if isinstance(job, Expand) else self._merge(job, is_asked)

    def _expand(self, job: Expand, is_asked: Callable[[], bool]) -> Expanded:
        updates = self._updates
        if job.tail != self._tail:
            self._tail = job.tail
            updates.begin_files(job.tail)
        places, before = list(job.places), updates.bytes
        while places and updates.bytes - before < job.most_bytes:
            at = self._expand_some(*places[0], job.level)
            places[:1] = [] if at is None else [Place(places[0].partition, at)]
            if is_asked():
                break
        updates.write_all()
        return Expanded(self._counts(), tuple(places), updates.files())

    def _merge(self, job: Merge, is_asked: Callable[[], bool]) -> Merged:
        left = list(job.updates)
        while left:
            number = left.pop(0)
            pieces = (self._updates.read(name, count) for name, count in job.updates[number].items())
            self._carry_out(number, job.level, chain.from_iterable(pieces))
            if is_asked():
                break
        self._partitions.sync()
        return Merged(self._counts(), dict(self._partitions.facts), tuple(left))

    @abstractmethod
    def _begin(self, level: int) -> None:
        """Begin a job, which counts from 0; other processes may have changed any partition."""

    @abstractmethod
    def _expand_some(self, number: int, at: int, level: int) -> int | None:
        """Expand some states of a partition, from a word on; return the word to continue with, None if there is none."""

    @abstractmethod
    def _carry_out(self, number: int, level: int, updates: Iterable[tuple[Array, int]]) -> None:
        """Carry out updates of a partition, given as arrays, each with the number that it holds."""

    @abstractmethod
    def _counts(self) -> Counts:
        """What the job has counted."""


class LevelsWork(PartitionWork):
    """Of an enumeration. Counts: expansions, children, and the first ranks that were expanded."""

    def __init__(self, charge: PartitionsCharge, place: Workplace) -> None:
        super().__init__(place)
        domain = _domain_of(charge)
        assert charge.layout is not None
        self._states = PartitionedStates(domain)
        self._states.use(place, charge.layout, charge.run)
        self._partitions, self._updates = self._states.partitions, self._states.updates
        self._size = FIRST_SLICE

    def _begin(self, level: int) -> None:
        del level
        search = self._states.search
        search.kept = search.expanded = search.generated = 0
        self._states.forget()

    def _expand_some(self, number: int, at: int, level: int) -> int | None:
        search = self._states.search
        search.at = at
        since, expanded = perf_counter(), int(search.expanded)
        is_done = self._states.expand(number, level, self._size)
        if int(search.expanded) - expanded >= self._size:
            self._size = next_slice(self._size, perf_counter() - since, FIRST_SLICE)
        return None if is_done else int(search.at)

    def _carry_out(self, number: int, level: int, updates: Iterable[tuple[Array, int]]) -> None:
        self._states.mark(number, level, updates)

    def _counts(self) -> Counts:
        search = self._states.search
        return (int(search.expanded), int(search.generated), *self._states.farthest[: search.kept].tolist())


class DistancesWork(PartitionWork):
    """Of the build of a table. Counts: those of a Look, and the rank of a state that is too far, or -1."""

    def __init__(self, charge: PartitionsCharge, place: Workplace) -> None:
        super().__init__(place)
        domain = _domain_of(charge)
        assert charge.layout is not None
        self._distances = DiskDistances.joined(domain, place, charge.layout, charge.run)
        self._partitions, self._updates = self._distances.partitions, self._distances.updates

    def _begin(self, level: int) -> None:
        self._distances.begin(level)

    def _expand_some(self, number: int, at: int, level: int) -> int | None:
        del level
        return self._distances.spread_some(number, at)

    def _carry_out(self, number: int, level: int, updates: Iterable[tuple[Array, int]]) -> None:
        del level
        self._distances.carry_out(number, updates)

    def _counts(self) -> Counts:
        return self._distances.counted()


def _domain_of(charge: PartitionsCharge) -> Domain:
    """The domain, if this worker finds the one of the driver."""
    domain = checked_domain(charge.problem)
    if domain is None or fingerprint(domain, None, optional=OPTIONAL) != charge.fingerprint:
        raise charge.differs()
    return domain


def partition_work(charge: PartitionsCharge) -> PartitionWork:
    """What a worker does. Raises NoWorkersError if it does not see the directory, InputError if it finds another problem."""
    what = "the enumeration" if charge.kind == LEVELS else "the build"
    place = Workplace(Path(charge.directory), what)
    try:
        place.join(charge.run)
    except InputError as error:
        raise NoWorkersError(str(error)) from None
    return LevelsWork(charge, place) if charge.kind == LEVELS else DistancesWork(charge, place)
