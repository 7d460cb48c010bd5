"""Breadth-first enumeration on disk, compiled: spaces whose states would not fit into memory at 2 bits each.

As in RankedLevels, a state has 2 bits, but the ranks are divided into partitions (partitions.py). The children of a level go
to the buffers of their partitions. When the level is expanded, or the disk has many of them, they are carried out: each
partition is loaded, and its new states get the mark of the next level. Both can be repeated with the same result, so that a
killed process loses only the level that it was in.

The file of a partition says of which level its marks are; they are advanced when it is loaded for a later one.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.specialise import no_estimate, specialise
from bestfirst.compiled.drivers.checkpoint import fingerprint
from bestfirst.compiled.kernels.disk_enumeration import (
    CHECKSUM,
    FAULTY,
    FIELDS_OF_SEARCH,
    MARK,
    PARTITION_DONE,
    TURN,
    checksum,
    partition_slice,
)
from bestfirst.compiled.kernels.enumeration import PER_WORD
from bestfirst.compiled.store.growth import record_type
from bestfirst.compiled.sweeps.enumeration import Levels
from bestfirst.compiled.sweeps.partitions import Layout, Partitions, Updates, Workplace
from bestfirst.domain import Domain
from bestfirst.enumerated import ANTIPODES
from bestfirst.errors import InputError

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, State

USUAL_MEMORY = 1 << 26
"""The bytes of memory that an enumeration on disk takes unless a limit is given."""
MOST_BITS = 32
"""An update has 32 bits for the rank in its partition."""


class DiskLevels(Levels):
    """An enumeration on disk: begun in an empty directory, or continued after the last finished level.

    memory: the bytes that its arrays may take. A run raises InputError if that is too little, and for a directory that cannot
    be used.
    """

    def __init__(self, domain: Domain, directory: Path, memory: int | None) -> None:
        super().__init__(domain)
        self._place, self._memory = Workplace(directory, "the enumeration"), memory
        self._is_open = self._is_closed = False
        self._searches = np.zeros(1, record_type(*((name, np.int64) for name in FIELDS_OF_SEARCH)))
        self._search = self._searches[0]
        self._farthest = np.zeros(ANTIPODES, np.int64)
        self._compiled = specialise(partition_slice, domain, no_estimate, optional=("rank", "unrank"), parts=(checksum,))
        self._codes, self._buffers, self._filled = np.zeros(1, np.uint64), np.zeros(1, np.uint32), np.zeros(1, np.int64)
        self._call(CHECKSUM)  # compiles, before the clock starts

    def _get_ready(self) -> None:
        if self._is_open:
            return
        self._place.open()
        with self._place.told():
            self._open(self._place)
        self._is_open = True
        if self._is_closed:  # by a time limit, meanwhile
            self._place.close()

    def _open(self, place: Workplace) -> None:
        domain = self._domain
        problem = {
            "domain": domain.name(),
            "digest": fingerprint(domain, None, optional=("rank", "unrank")),
            "size": int(domain.size),
        }
        progress = place.read(problem)
        self._layout = layout = Layout.within(
            f"the enumeration of {domain.size:,} ranks on disk",
            domain.size,
            2,
            USUAL_MEMORY if self._memory is None else self._memory,
            least_room=2 * PER_WORD * domain.max_actions,
            most_bits=MOST_BITS,
            bits=None if progress is None else progress.bits,
        )
        self.disk = layout.disk
        if progress is None or not progress.complete:
            place.check_room(layout)
        self._progress = progress = progress or place.begin(problem, layout)
        self._codes = np.zeros(layout.partition_bytes // 8, np.uint64)
        self._updates = Updates(place, layout)
        self._buffers, self._filled = self._updates.buffers, self._updates.filled
        self._search.states, self._search.shift, self._search.room = domain.size, layout.bits, layout.room
        self._loaded: int | None = None
        self._unmarked: list[int] = []
        self._is_expanded = False
        if progress.complete:
            place.remove_tables()
            self._take_noted()
            return
        self._partitions = Partitions(place, layout, progress, self._codes, 0, partial(self._call, CHECKSUM))
        if progress.levels:
            self._take_noted()
            self._check_noted()
            self._begin_level()
        else:
            self._put_start()

    def _take_noted(self) -> None:
        self._levels = list(self._progress.levels)
        self._search.kept = len(self._progress.farthest)
        self._farthest[: self._search.kept] = self._progress.farthest
        if self._progress.complete:
            self._end_level()

    def _check_noted(self) -> None:
        found = sum(self._counts(number, len(self._levels) - 1)[0] for number in self._partitions.facts)
        if found != self._levels[-1]:
            raise self._place.damaged(f"its files have {found:,} states of the last level instead of {self._levels[-1]:,}")

    def _put_start(self) -> None:
        number, place = self._layout.where(self._domain.rank(self._domain.initial))
        self._codes[:] = 0
        self._codes[place // PER_WORD] = 1 << 2 * (place % PER_WORD)
        self._partitions.save(number, level=0, current=1, next=0)
        self._write_progress()
        self._begin_level()

    def _call(self, budget: int, updates: Array | None = None) -> int:
        return int(
            self._compiled.run(
                self._compiled.data,
                self._codes,
                self._buffers if updates is None else updates,
                self._filled,
                self._farthest,
                self._searches,
                budget,
            )
        )

    def _counts(self, number: int, level: int) -> tuple[int, int]:
        """The number of states of a level in a partition, and of the next level, as far as its file knows."""
        facts = self._partitions.facts.get(number)
        if facts is None or facts["level"] < level - 1:
            return 0, 0
        return (facts["next"], 0) if facts["level"] == level - 1 else (facts["current"], facts["next"])

    @property
    def _level(self) -> int:
        """The level that is being expanded."""
        return len(self._levels) - 1

    def _load(self, number: int) -> None:
        """Load a partition, with the marks of the current level."""
        self._partitions.load(number)
        facts = self._partitions.facts.get(number)
        for _ in range(0 if facts is None else min(2, self._level - facts["level"])):  # after two, all are done
            self._call(TURN)

    def _advance(self, budget: int) -> None:
        if self.ended:  # long ago
            return
        with self._place.told():
            if self._unmarked:
                self._mark(self._unmarked.pop())
            elif self._unexpanded:
                self._expand(budget)
            elif self._is_expanded:
                self._end_level()
            else:
                self._is_expanded = True
                self._unmarked = self._updates.pending()
        self._take_counts(0)

    def _expand(self, budget: int) -> None:
        number = self._unexpanded[-1]
        if self._loaded != number:
            self._load(number)
            self._loaded, self._search.first = number, number << self._layout.bits
        how = self._call(budget)
        if how == FAULTY:
            self._raise_fault(self._domain.unrank(int(self._search.culprit)))
        if how == PARTITION_DONE:
            self._unexpanded.pop()
            self._loaded, self._search.at = None, 0
        self._updates.write_full(PER_WORD * self._domain.max_actions)
        if self._updates.are_many:
            self._unmarked = self._updates.pending()

    def _mark(self, number: int) -> None:
        """Carry out the updates of a partition."""
        self._loaded = None
        self._load(number)
        current, following = self._counts(number, self._level)
        self._search.marked = 0
        for updates, count in self._updates.take(number):
            self._search.count = count
            if self._call(MARK, updates) == FAULTY:
                raise self._place.damaged(f"the updates of partition {number} were changed")
        if self._search.marked:
            self._partitions.save(number, level=self._level, current=current, next=following + int(self._search.marked))

    def _end_level(self) -> None:
        if not self._progress.complete:
            self._met_next = sum(self._counts(number, self._level)[1] for number in self._partitions.facts)
            self._progress.complete = self._met_next == 0
            self._write_progress()
        super()._end_level()

    def _write_progress(self) -> None:
        """Note the finished levels; files that are no longer needed are removed."""
        progress = self._progress
        progress.levels = self.levels
        progress.farthest = self._farthest[: self._search.kept].tolist() if progress.complete else []
        progress.written = [] if progress.complete else sorted(self._partitions.facts)
        self._partitions.sync()
        self._place.write(progress)
        if progress.complete:
            self._place.remove_tables()

    def _begin_level(self) -> None:
        level = self._level
        numbers = sorted(self._partitions.facts, reverse=True)
        self._unexpanded = [number for number in numbers if self._counts(number, level)[0]]
        self._is_expanded = False
        self._search.at = self._search.kept = 0

    def antipodes(self) -> list[State]:
        kept = sorted(self._farthest[: self._search.kept].tolist())
        return [self._domain.unrank(number) for number in kept]

    def close(self) -> None:
        self._is_closed = True
        self._place.close()

    @property
    def bytes(self) -> int:
        return self._layout.memory if self._is_open else 0


def disk_levels_of(domain: Domain, directory: Path, memory: int | None) -> DiskLevels:
    """The enumeration of a domain's states in a directory. Raises InputError if the domain has no ranks."""
    if not (domain.defines("rank") and domain.defines("unrank") and domain.size > 0):
        raise InputError(
            f"{domain.name()} does not define rank() and unrank(), which an enumeration on disk needs; define them, or omit "
            "directory"
        )
    return DiskLevels(domain, directory, memory)
