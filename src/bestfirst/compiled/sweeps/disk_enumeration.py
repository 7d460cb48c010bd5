"""Breadth-first enumeration on disk, compiled: spaces whose states would not fit into memory at 2 bits each.

The states are in partitions (partitioned_states.py). The children of a level are carried out when the level is expanded, or
when the disk has many of them. A killed process loses only the level that it was in.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bestfirst.compiled.drivers.checkpoint import fingerprint
from bestfirst.compiled.sweeps.enumeration import Levels
from bestfirst.compiled.sweeps.partitioned_states import OPTIONAL, PartitionedStates, layout_within
from bestfirst.compiled.sweeps.partitions import Layout, Workplace
from bestfirst.domain import Domain
from bestfirst.errors import InputError

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import State

USUAL_MEMORY = 1 << 26
"""The bytes of memory that an enumeration on disk takes unless a limit is given."""


class DiskLevels(Levels):
    """An enumeration on disk: begun in an empty directory, or continued after the last finished level.

    memory: the bytes that its arrays may take. A run raises InputError if that is too little, and for a directory that cannot
    be used.
    """

    def __init__(self, domain: Domain, directory: Path, memory: int | None) -> None:
        super().__init__(domain)
        self._place = Workplace(directory, "the enumeration")
        self._memory = USUAL_MEMORY if memory is None else memory
        self._is_open = self._is_closed = False
        self._fingerprint = fingerprint(domain, None, optional=OPTIONAL)
        self._states = PartitionedStates(domain)
        self._compiled, self._search = self._states.compiled, self._states.search

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
        problem = {"domain": domain.name(), "digest": self._fingerprint, "size": int(domain.size)}
        progress = place.read(problem)
        self._layout = layout = self._layout_within(None if progress is None else progress.bits)
        self.disk = layout.disk
        if progress is None or not progress.complete:
            place.check_room(layout)
        self._progress = progress = progress or place.begin(problem, layout)
        self._states.use(place, self._own_layout(), progress.run)
        self._unmarked: list[int] = []
        self._is_expanded = False
        if progress.complete:
            place.remove_tables()
            self._take_noted()
            return
        self._states.partitions.find(progress.written)
        place.remove_updates()
        if progress.levels:
            self._take_noted()
            self._check_noted()
        else:
            self._states.put_start()
            self._write_progress()
        self._begin_level()

    def _layout_within(self, bits: int | None) -> Layout:
        """The layout within the limit on memory. bits: of existing files."""
        return layout_within(self._domain, self._memory, bits)

    def _own_layout(self) -> Layout:
        """That of the arrays of this process."""
        return self._layout

    def _take_noted(self) -> None:
        self._levels = list(self._progress.levels)
        self._keep(self._progress.farthest)
        if self._progress.complete:
            self._end_level()

    def _keep(self, farthest: list[int]) -> None:
        """Take these ranks for those of the farthest states."""
        self._search.kept = len(farthest)
        self._states.farthest[: len(farthest)] = farthest

    def _check_noted(self) -> None:
        found = sum(self._counts(len(self._levels) - 1, 0))
        if found != self._levels[-1]:
            raise self._place.damaged(f"its files have {found:,} states of the last level instead of {self._levels[-1]:,}")

    def _counts(self, level: int, which: int) -> list[int]:
        """For all partitions, the number of states of a level, or (which: 1) of the next one."""
        return [self._states.counts(number, level)[which] for number in self._states.partitions.facts]

    @property
    def _level(self) -> int:
        """The level that is being expanded."""
        return len(self._levels) - 1

    def _advance(self, budget: int) -> None:
        if self.ended:  # long ago
            return
        with self._place.told():
            self._advance_level(budget)
        self._take_counts(0)

    def _advance_level(self, budget: int) -> None:
        updates = self._states.updates
        if self._unmarked:
            number = self._unmarked.pop()
            self._states.mark(number, self._level, updates.take(number))
        elif self._unexpanded:
            if self._states.expand(self._unexpanded[-1], self._level, budget):
                self._unexpanded.pop()
            if updates.are_many:
                self._unmarked = updates.pending()
        elif self._is_expanded:
            self._end_level()
        else:
            self._is_expanded = True
            self._unmarked = updates.pending()

    def _end_level(self) -> None:
        if not self._progress.complete:
            self._met_next = sum(self._counts(self._level, 1))
            self._progress.complete = self._met_next == 0
            self._write_progress()
        super()._end_level()

    def _write_progress(self) -> None:
        """Note the finished levels; files that are no longer needed are removed."""
        progress, partitions = self._progress, self._states.partitions
        progress.levels = self.levels
        progress.farthest = self._states.farthest[: self._search.kept].tolist() if progress.complete else []
        progress.written = [] if progress.complete else sorted(partitions.facts)
        partitions.sync()
        self._place.write(progress)
        if progress.complete:
            self._place.remove_tables()

    def _begin_level(self) -> None:
        level, partitions = self._level, self._states.partitions
        self._unexpanded = [
            number for number in sorted(partitions.facts, reverse=True) if self._states.counts(number, level)[0]
        ]
        self._is_expanded = False
        self._search.at = self._search.kept = 0

    def antipodes(self) -> list[State]:
        kept = sorted(self._states.farthest[: self._search.kept].tolist())
        return [self._domain.unrank(number) for number in kept]

    def close(self) -> None:
        self._is_closed = True
        self._place.close()

    @property
    def bytes(self) -> int:
        return self._layout.memory if self._is_open else 0


def check_ranks(domain: Domain) -> None:
    """Raise InputError if a domain has no ranks."""
    if not (domain.defines("rank") and domain.defines("unrank") and domain.size > 0):
        raise InputError(
            f"{domain.name()} does not define rank() and unrank(), which an enumeration on disk needs; define them, or omit "
            "directory"
        )


def disk_levels_of(domain: Domain, directory: Path, memory: int | None) -> DiskLevels:
    """The enumeration of a domain's states in a directory. Raises InputError if the domain has no ranks."""
    check_ranks(domain)
    return DiskLevels(domain, directory, memory)
