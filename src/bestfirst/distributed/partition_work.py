"""What a worker does in an enumeration on disk: see level_jobs.py."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from pathlib import Path
from time import perf_counter

from bestfirst.compiled.drivers.checkpoint import fingerprint
from bestfirst.compiled.sweeps.partitioned_states import OPTIONAL, PartitionedStates
from bestfirst.compiled.sweeps.partitions import Workplace
from bestfirst.distributed.charge import LevelsCharge
from bestfirst.distributed.level_jobs import Expand, Expanded, Job, Merge, Merged, Place
from bestfirst.stated import checked_domain
from bestfirst.system.watch import next_slice

FIRST_SLICE = 1_000


class PartitionWork:
    """The partitions in a shared directory, one of which is in memory. Raises InputError if this worker does not see them."""

    def __init__(self, charge: LevelsCharge) -> None:
        domain = checked_domain(charge.problem)
        if domain is None or fingerprint(domain, None, optional=OPTIONAL) != charge.fingerprint:
            raise charge.differs()
        self._place = Workplace(Path(charge.directory), "the enumeration")
        self._place.join(charge.run)
        assert charge.layout is not None
        self._states = PartitionedStates(domain)
        self._states.use(self._place, charge.layout, charge.run)
        self._tail = ""
        self._size = FIRST_SLICE

    def do(self, job: Job, is_asked: Callable[[], bool]) -> Expanded | Merged:
        """The result of a job; what is left of it, if it is asked for that."""
        self._states.begin(job.facts)
        with self._place.told():
            return self._expand(job, is_asked) if isinstance(job, Expand) else self._merge(job, is_asked)

    def _expand(self, job: Expand, is_asked: Callable[[], bool]) -> Expanded:
        search, updates = self._states.search, self._states.updates
        if job.tail != self._tail:
            self._tail = job.tail
            updates.begin_files(job.tail)
        search.kept = search.expanded = search.generated = 0
        places, before = list(job.places), updates.bytes
        while places and updates.bytes - before < job.most_bytes:
            number, search.at = places[0]
            since, expanded = perf_counter(), int(search.expanded)
            is_done = self._states.expand(number, job.level, self._size)
            places[:1] = [] if is_done else [Place(number, int(search.at))]
            if int(search.expanded) - expanded >= self._size:
                self._size = next_slice(self._size, perf_counter() - since, FIRST_SLICE)
            if is_asked():
                break
        updates.write_all()
        farthest = tuple(self._states.farthest[: search.kept].tolist())
        return Expanded(int(search.expanded), int(search.generated), farthest, tuple(places), updates.files())

    def _merge(self, job: Merge, is_asked: Callable[[], bool]) -> Merged:
        updates, partitions = self._states.updates, self._states.partitions
        left = list(job.updates)
        while left:
            number = left.pop(0)
            pieces = (updates.read(name, count) for name, count in job.updates[number].items())
            self._states.mark(number, job.level, chain.from_iterable(pieces))
            if is_asked():
                break
        partitions.sync()
        return Merged(dict(partitions.facts), tuple(left))
