"""Distances by rank on disk, compiled: tables larger than the memory that their build may take.

As in distances.py, the states at distance d give their predecessors d + cost. But the table is divided into partitions
(partitions.py), and the distances of the predecessors go to the buffers of their partitions. At the end of a level, or when
the disk has many of them, they are carried out: an entry gets the smallest of its distances. Whatever is repeated has the same
result, so that a killed build resumes after the last noted level.

Only domains whose actions can be undone are built in this way, by one thread, or by workers (distributed/shared_distances.py).
Source: Korf 2008 (delayed duplicate detection).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.compiler.specialise import no_estimate, specialise
from bestfirst.compiled.drivers.faults import check_state
from bestfirst.compiled.kernels.disk_distances import (
    CARRY_OUT,
    CHECKSUM,
    COUNT,
    DISTANCE_SHIFT,
    FAULTY,
    FIELDS_OF_SCAN,
    FULL,
    GOALS,
    PER_WORD,
    SPREAD,
    distances_slice,
    entries_slice,
)
from bestfirst.compiled.kernels.disk_enumeration import checksum
from bestfirst.compiled.kernels.distances import UNKNOWN, is_step
from bestfirst.compiled.store.growth import record_type
from bestfirst.compiled.sweeps.distances import SECONDS_BETWEEN_LOOKS, Levels, Look
from bestfirst.compiled.sweeps.partitions import PROGRESS, Layout, Partitions, Updates, Workplace
from bestfirst.domain import Domain
from bestfirst.errors import InputError, ProblemError
from bestfirst.patterns.abstract_domain import as_abstract

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, State

ENTRY_BITS = 8
DISTANCES, ENTRIES = "distances", "entries"
_MESSAGES = "the build", "repeat the build, which starts from the beginning"


def layout_of(domain: Domain, memory: int, bits: int | None = None, workers: int | None = None) -> Layout:
    """The layout of the table of a domain. bits: those of an existing one. workers: see Layout.

    Raises InputError if the memory is too little.
    """
    return Layout.within(
        f"building a table of {domain.size:,} states on disk",
        domain.size,
        ENTRY_BITS,
        memory,
        least_room=2 * PER_WORD * domain.max_actions,
        most_bits=DISTANCE_SHIFT,
        bits=bits,
        workers=workers,
    )


class DiskDistances(Levels):
    """Distances by rank, in partitions in a directory: new ones, or, with levels, those of an interrupted build."""

    def __init__(self, domain: Domain, directory: Path, layout: Layout, *, levels: list[int] | None = None) -> None:
        self._get_ready(domain, layout, levels)
        self._directory = directory
        self._use(DISTANCES, self._own_layout(), domain.size)
        if not self.levels:
            self._mark_goals()

    def _own_layout(self) -> Layout:
        """That of the arrays of this process."""
        return self._layout

    def _get_ready(self, domain: Domain, layout: Layout, levels: list[int] | None) -> None:
        super().__init__(domain, np.full(layout.partition_bytes, UNKNOWN, np.uint8), levels)
        self._layout = layout
        self._scans = np.zeros(1, record_type(*((name, np.int64) for name in FIELDS_OF_SCAN)))
        self._scan = self._scans[0]
        self._counts = np.zeros(1 << ENTRY_BITS, np.int64)
        compiled = specialise(distances_slice, domain, no_estimate, optional=("rank", "unrank"), parts=(is_step, checksum))
        self._run = partial(compiled.run, compiled.data, self.table, self.table.view(np.uint64))

    @classmethod
    def joined(cls, domain: Domain, place: Workplace, layout: Layout, run: str) -> DiskDistances:
        """The distances in a directory, for a worker of the process that builds the table. run: the name of the work."""
        found = cls.__new__(cls)
        found._get_ready(domain, layout, [0])
        found._take(place, layout, run, domain.size)
        return found

    @staticmethod
    def is_in(directory: Path) -> bool:
        """Whether an interrupted build is in a directory."""
        return (directory / DISTANCES / PROGRESS).exists()

    @staticmethod
    def bits_in(directory: Path) -> int | None:
        """The bits of the layout of an interrupted build; None if there is none."""
        there = directory / DISTANCES
        progress = Workplace(there, *_MESSAGES).read(DISTANCES) if there.is_dir() else None
        return None if progress is None else progress.bits

    def _use(self, name: str, layout: Layout, size: int) -> None:
        """Make the partitions of one of the tables, which have the same size, those that updates are for."""
        place = Workplace(self._directory / name, *_MESSAGES)
        place.directory.mkdir(parents=True, exist_ok=True)
        place.wait_for_workers()
        progress = place.read(name) or place.begin(name, layout)
        self._take(place, layout, progress.run, size)
        self.partitions.find(progress.written)
        place.remove_updates()

    def _take(self, place: Workplace, layout: Layout, run: str, size: int) -> None:
        self._place, self.run = place, run
        self.partitions = Partitions(place, layout, run, self.table, UNKNOWN, partial(self._do, CHECKSUM))
        self.updates = Updates(place, layout)
        self._scan.shift, self._scan.room, self._scan.size = layout.bits, layout.room, size

    def _do(self, what: int, updates: Array | None = None) -> int:
        buffers = self.updates.buffers if updates is None else updates
        return int(self._run(buffers, self.updates.filled, self._counts, self._scans, what))

    def _load(self, number: int, source: Partitions | None = None) -> None:
        (source or self.partitions).load(number)
        self._scan.first = number << self._layout.bits

    def _save(self, number: int) -> None:
        self._do(COUNT)
        self.partitions.save(number, counts=self._counts.tolist())

    def _mark_goals(self) -> None:
        domain = self._domain
        goal = domain.goal_state()
        if goal is not None:
            check_state(domain, goal)
            number, place = self._layout.where(domain.rank(goal))
            self._load(number)
            self.table[place] = 0
            self._save(number)
            return
        given = 0
        for number in range(self._layout.partitions):
            self._load(number)
            self._scan.given = 0
            self._do(GOALS)
            given += int(self._scan.given)
            if self._scan.given:
                self._save(number)
        if given == 0:
            raise InputError(f"no state of {domain.name()} is a goal, so there are no goal distances")

    def traits(self) -> dict[str, Any]:
        """The partitions that have files; the checksum of a file shows damage to it."""
        return {"written": sorted(self.partitions.facts)}

    def resume(self, traits: dict[str, Any], *, complete: bool) -> bool:
        self.partitions.find(traits["written"])
        self.complete = complete
        return True

    def counts(self) -> Array:
        """The number of entries at each distance, with UNKNOWN those that have none."""
        counts = np.zeros(1 << ENTRY_BITS, np.int64)
        for facts in self.partitions.facts.values():
            counts += facts["counts"]
        counts[UNKNOWN] += int(self._scan.size) - counts.sum()  # in partitions without a file, minus padding
        return counts

    def _is_any_beyond(self, level: int) -> bool:
        return bool(self.counts()[level:UNKNOWN].any())

    def _look_through(self, level: int) -> Generator[float, None, Look]:
        self.begin(level)
        reserve = PER_WORD * self._domain.max_actions
        numbers = sorted(self._of_level(level))
        yield from self._spread(numbers, self.partitions, partial(self._do, SPREAD), reserve, self._complain)
        found, given, again, far = self.counted()
        return Look(found, given, again, None if far < 0 else self._domain.unrank(far))

    def _of_level(self, level: int) -> dict[int, int]:
        """How many states of a level each partition has that has some."""
        facts = self.partitions.facts
        return {number: of["counts"][level] for number, of in facts.items() if of["counts"][level]}

    def begin(self, level: int) -> None:
        """Count from 0 what is done with states of a level."""
        scan = self._scan
        scan.level, scan.found, scan.given, scan.again, scan.far = level, 0, 0, 0, 0
        self._loaded = -1

    def counted(self) -> tuple[int, int, int, int]:
        """What was counted, as in a Look, and the rank of a state that is too far, or -1."""
        scan = self._scan
        return int(scan.found), int(scan.given), int(scan.again), int(scan.culprit) if scan.far else -1

    def spread_some(self, number: int, at: int) -> int | None:
        """Put updates from states of the level in a partition into the buffers, from a word on, until one is full.

        Returns the word to continue with; None if there is none.
        """
        if self._loaded != number:
            self._load(number)
            self._loaded = number
        self._scan.at = at
        how = self._do(SPREAD)
        if how == FAULTY:
            self._complain(self._domain.unrank(int(self._scan.culprit)))
        self.updates.write_full(PER_WORD * self._domain.max_actions)
        return int(self._scan.at) if how == FULL else None

    def _spread(
        self,
        numbers: list[int],
        source: Partitions,
        spread: Callable[[], int],
        reserve: int,
        complain: Callable[[State], None],
    ) -> Iterator[float]:
        """Put updates from partitions into the buffers, and carry them out; yields the fraction done from time to time.

        reserve: the room that a buffer must keep. complain: raises the error for a faulty state.
        """
        looked = perf_counter()
        for done, number in enumerate(numbers):
            self._load(number, source)
            self._scan.at = 0
            how = FULL
            while how == FULL:
                how = spread()
                if how == FAULTY:
                    complain(self._domain.unrank(int(self._scan.culprit)))
                self.updates.write_full(reserve)
                if self.updates.are_many:
                    self._carry_out()
                    self._load(number, source)
                if perf_counter() - looked > SECONDS_BETWEEN_LOOKS:
                    yield done / len(numbers)
                    looked = perf_counter()
        self._carry_out()
        yield 1.0

    def _carry_out(self) -> None:
        for number in self.updates.pending():
            self.carry_out(number, self.updates.take(number))

    def carry_out(self, number: int, updates: Iterable[tuple[Array, int]]) -> None:
        """Carry out updates of a partition. updates: arrays, each with the number that it holds."""
        self._load(number)
        before = int(self._scan.given)
        for array, count in updates:
            self._scan.count = count
            if self._do(CARRY_OUT, array) == FAULTY:
                raise self._place.damaged(f"the updates of partition {number} were changed")
        if self._scan.given > before:
            self._save(number)

    def entries(self) -> Iterator[float]:
        """Turn the table into that of the entries, each with the minimum of the distances of its states; yields the fraction
        done."""
        domain, distances = self._domain, self.partitions
        size = as_abstract(domain).entries
        compiled = specialise(entries_slice, domain, no_estimate, optional=("unrank", "entry"))

        def complain(state: State) -> None:
            raise ProblemError(f"entry({state!r}) is {as_abstract(domain).entry(state)!r}; it must be in 0 .. {size - 1}")

        self._use(ENTRIES, replace(self._layout, size=size, workers=None), size)
        updates = self.updates
        spread = partial(compiled.run, compiled.data, self.table, updates.buffers, updates.filled, self._scans)
        yield from self._spread(sorted(distances.facts), distances, spread, 2, complain)

    def pieces(self, length: int) -> Iterator[Array]:
        """The first entries of the table, partition by partition, as the same array again and again."""
        for start in range(0, length, len(self.table)):
            self._load(start >> self._layout.bits)
            yield self.table[: length - start]

    def flush(self) -> None:
        """Make sure that what was written survives a loss of power."""
        self.partitions.sync()
