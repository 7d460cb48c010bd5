"""The two storage forms of an abstract domain's table: by rank, or by hash if the domain has no rank."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.compiler.state_fields import state_words
from bestfirst.domain import Domain
from bestfirst.errors import DatabaseError, InputError
from bestfirst.lost_claims import why_not
from bestfirst.patterns.abstract_domain import as_abstract
from bestfirst.patterns.building.methods import is_ranked, shares_entries
from bestfirst.patterns.building.progress import Cost, DiskCost, HashedCost
from bestfirst.patterns.building.work_files import (
    WORKING,
    CheckRoom,
    GrowingTable,
    RoomError,
    has_table,
    new_file,
    new_hashed_table,
    new_table,
    opened_table,
)
from bestfirst.patterns.storage.files import TABLE
from bestfirst.patterns.storage.hashed_table import EMPTY, HashedTable, bytes_of_slot, bytes_to_sort, slots_for

if TYPE_CHECKING:
    from bestfirst.compiled.sweeps.distances import Sweep
    from bestfirst.compiled.sweeps.partitions import Layout
    from bestfirst.distributed.crew import Crew

FIRST_SLOTS = 1 << 12
SECONDS_OF_TRIAL = 0.2
USUAL_LEVELS = 50
TIMES_AS_LONG = 4
"""A build on disk takes about this much longer."""
PARTITIONS = "partitions"
BYTES_PER_SECOND = 4e9
"""The rate at which a table is scanned for the states of a level."""


class TableKind(ABC):
    """The working table, in a directory. threads: used where possible."""

    def __init__(self, domain: Domain, threads: int) -> None:
        self.domain = domain
        self.threads = threads

    @staticmethod
    def of(domain: Domain, threads: int, memory: int | None, on: str | None = None, workers: int | None = None) -> TableKind:
        """The kind for a domain. memory: the limit of the build, in bytes; a table by rank that exceeds it is built on disk if
        the actions can be undone. on, workers: of a build on disk.

        Raises InputError if the domain has no rank, and its table cannot be stored by hash either.
        """
        if not is_ranked(domain):
            return HashedKind(domain, threads)
        if as_abstract(domain).regressions() is not None:
            return RegressedKind(domain, 1)
        ranked = RankedKind(domain, threads)
        if memory is None or ranked.cost.memory <= memory or not domain.can_be_undone():
            return ranked
        if on is not None:
            from bestfirst.distributed.crews import crew_of  # noqa: PLC0415  (most builds have no workers)

            return DiskKind(domain, memory, crew_of(on, workers))
        try:
            return DiskKind(domain, memory)
        except InputError:  # too little for that, too
            return ranked

    @property
    @abstractmethod
    def cost(self) -> Cost | HashedCost:
        """The cost of the build, without an estimate of the time."""

    @abstractmethod
    def measured_cost(self) -> Cost | HashedCost:
        """The cost of the build, with the time estimated by a short trial run, if possible."""

    def is_begun(self, building: Path) -> bool:
        """Whether the working table is there."""
        return has_table(building, self._may_have)

    def _may_have(self, length: int) -> bool:
        """Whether the working table may have this many bytes."""
        raise NotImplementedError

    @abstractmethod
    def begin(self, building: Path, check_room: CheckRoom, levels: list[int] | None) -> Sweep:
        """The working table: a new one, or, with levels, the existing one in which these are finished."""

    @property
    @abstractmethod
    def working(self) -> Any:
        """The working table: its bytes, with flush()."""

    def clean(self, building: Path) -> None:
        """Remove the working table."""
        (building / WORKING).unlink(missing_ok=True)

    crew: Crew | None = None
    """The workers of the build."""

    def dismiss(self) -> None:
        """End the workers, if there are some: the distances are known, or the build ends."""
        if self.crew is not None:
            self.crew.close()

    @abstractmethod
    def finish(self, building: Path) -> Iterator[float]:
        """Make the final table; yields the fraction done."""

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """The header fields of the final table."""

    kept: Any
    """The distances in the final table, once it is finished."""

    def levels(self) -> list[int]:
        """The number of entries of the final table at each distance."""
        from bestfirst.compiled.sweeps.distances import histogram  # noqa: PLC0415  (it imports NumPy)

        counts = histogram(self.kept)
        known = np.flatnonzero(counts[:-1])
        return counts[: known[-1] + 1].tolist()  # type: ignore[no-any-return]


class RankedKind(TableKind):
    """A table by rank: one byte per entry."""

    @property
    def cost(self) -> Cost:
        return Cost(self.domain.size, as_abstract(self.domain).entries or self.domain.size)

    def measured_cost(self) -> Cost:
        from bestfirst.compiled.sweeps.distances import expansion_rate  # noqa: PLC0415  (it imports NumPy)

        states = self.domain.size
        passes = 1 if self.domain.can_be_undone() else USUAL_LEVELS
        try:
            rate = expansion_rate(self.domain, SECONDS_OF_TRIAL)
        except MemoryError:  # then it cannot be built either
            return self.cost
        seconds = passes * states / rate / self.threads
        return Cost(states, self.cost.entries, seconds + USUAL_LEVELS * states / BYTES_PER_SECOND)

    def _may_have(self, length: int) -> bool:
        from bestfirst.compiled.sweeps.distances import rounded_up  # noqa: PLC0415

        return length == rounded_up(self.domain.size)

    def begin(self, building: Path, check_room: CheckRoom, levels: list[int] | None) -> Sweep:
        from bestfirst.compiled.kernels.distances import UNKNOWN  # noqa: PLC0415
        from bestfirst.compiled.sweeps.distances import Distances, rounded_up  # noqa: PLC0415

        del check_room  # its room is known in advance
        path = building / WORKING
        if levels is None:
            rmtree(building / PARTITIONS, ignore_errors=True)  # of a build on disk
            self._working = new_table(path, rounded_up(self.domain.size), UNKNOWN)
        else:
            self._working = opened_table(path)
        self._distances = Distances(self.domain, np.asarray(self._working), threads=self.threads, levels=levels)
        return self._distances

    @property
    def working(self) -> Any:
        return self._working

    def levels(self) -> list[int]:
        return super().levels() if shares_entries(self.domain) else self._distances.levels

    def finish(self, building: Path) -> Iterator[float]:
        """Each entry gets the smallest of the distances of the states that share it."""
        if not shares_entries(self.domain):
            (building / WORKING).rename(building / TABLE)
            self.kept = self._distances.table[: self.domain.size]
            return
        least = new_table(building / TABLE, as_abstract(self.domain).entries, EMPTY)
        self.kept = np.asarray(least)
        yield from self._distances.entries(self.kept)
        least.flush()

    def facts(self) -> dict[str, Any]:
        return {"entries": len(self.kept)}


class DiskKind(TableKind):
    """A table by rank that is built in partitions, by one thread, or by workers. memory: the limit of the build, in bytes.

    Raises DatabaseError if that is too little.
    """

    def __init__(self, domain: Domain, memory: int, crew: Crew | None = None) -> None:
        super().__init__(domain, 1)
        self._memory, self.crew = memory, crew
        self._layout = self._layout_with(None)
        self._entries = as_abstract(domain).entries or domain.size

    def _layout_with(self, bits: int | None) -> Layout:
        from bestfirst.compiled.sweeps.disk_distances import layout_of  # noqa: PLC0415  (it imports NumPy)

        try:
            return layout_of(self.domain, self._memory, bits, None if self.crew is None else self.crew.count())
        except InputError as error:
            raise (DatabaseError if bits is None else RoomError)(str(error)) from None

    @property
    def cost(self) -> DiskCost:
        layout = self._layout
        of_entries = replace(layout, size=self._entries, workers=None).disk if shares_entries(self.domain) else 0
        files = layout.table + max(layout.disk - layout.table, of_entries)
        return DiskCost(self.domain.size, self._entries, arrays=layout.memory, files=files)

    def measured_cost(self) -> DiskCost:
        seconds = RankedKind(self.domain, 1).measured_cost().seconds
        return replace(self.cost, seconds=None if seconds is None else TIMES_AS_LONG * seconds)

    def is_begun(self, building: Path) -> bool:
        from bestfirst.compiled.sweeps.disk_distances import DiskDistances  # noqa: PLC0415  (it imports NumPy)

        return DiskDistances.is_in(building / PARTITIONS)

    def begin(self, building: Path, check_room: CheckRoom, levels: list[int] | None) -> Sweep:
        from bestfirst.compiled.sweeps.disk_distances import DiskDistances  # noqa: PLC0415  (it imports NumPy)

        del check_room  # its room is known in advance
        directory = building / PARTITIONS
        if levels is None:
            self.clean(building)
            super().clean(building)
        self._layout = self._layout_with(DiskDistances.bits_in(directory))
        if self.crew is None:
            self._distances = DiskDistances(self.domain, directory, self._layout, levels=levels)
        else:
            from bestfirst.distributed.shared_distances import SharedDistances  # noqa: PLC0415  (most builds have no workers)

            self._distances = SharedDistances(self.domain, directory, self._layout, self.crew, levels=levels)
        return self._distances

    @property
    def working(self) -> Any:
        return self._distances

    def clean(self, building: Path) -> None:
        rmtree(building / PARTITIONS, ignore_errors=True)

    def finish(self, building: Path) -> Iterator[float]:
        """The entries, as in RankedKind; then the partitions are put together."""
        from bestfirst.compiled.sweeps.distances import rounded_up  # noqa: PLC0415  (it imports NumPy)

        length = rounded_up(self.domain.size)
        if shares_entries(self.domain):
            yield from self._distances.entries()
            length = self._entries
        with new_file(building / TABLE, length) as file:
            for piece in self._distances.pieces(length):
                file.write(piece.data)
                yield file.tell() / length

    def facts(self) -> dict[str, Any]:
        return {"entries": self._entries}

    def levels(self) -> list[int]:
        counts = self._distances.counts()[:-1]
        return counts[: np.flatnonzero(counts)[-1] + 1].tolist()  # type: ignore[no-any-return]


class RegressedKind(TableKind):
    """A table by rank that is built backward over operators that cannot be undone, by one thread.

    An interrupted build begins anew.
    """

    def __init__(self, domain: Domain, threads: int) -> None:
        super().__init__(domain, threads)
        self._regressions = as_abstract(domain).regressions()

    @property
    def cost(self) -> DiskCost:
        from bestfirst.compiled.sweeps.regressions import BYTES_PER_STATE  # noqa: PLC0415  (it imports NumPy)

        size = self.domain.size
        return DiskCost(size, size, arrays=BYTES_PER_STATE * size, files=size)

    def measured_cost(self) -> DiskCost:
        return self.cost

    def is_begun(self, building: Path) -> bool:
        del building
        return False

    def begin(self, building: Path, check_room: CheckRoom, levels: list[int] | None) -> Sweep:
        from bestfirst.compiled.sweeps.regressions import RegressedLevels  # noqa: PLC0415  (it imports NumPy)

        del building, check_room, levels  # its room is known in advance, and no level is on disk
        assert self._regressions is not None
        self._distances = RegressedLevels(self.domain, self._regressions)
        return self._distances

    @property
    def working(self) -> Any:
        return self._distances

    def finish(self, building: Path) -> Iterator[float]:
        yield 0.0
        self.kept = self._distances.table
        with new_file(building / TABLE, len(self.kept)) as file:
            file.write(self.kept.data)

    def facts(self) -> dict[str, Any]:
        return {"entries": len(self.kept)}


class HashedKind(TableKind):
    """A table by hash: a HashedTable, whose size is known only at the end. It is built by one thread."""

    def __init__(self, domain: Domain, threads: int) -> None:
        super().__init__(domain, threads)
        if not domain.can_be_undone() or not domain.goal_states():
            ignored = next(
                filter(None, (why_not(domain, name) for name in ("undirected", "goal_state", "goal_states"))), None
            )
            if ignored is not None:
                raise InputError(f"{domain.name()} has no rank() and unrank(); {ignored}")
            raise InputError(
                f"{domain.name()} cannot have a table: it defines neither rank() and unrank(), nor what a search from the goal "
                "needs. Define rank() and unrank(), or a goal (goal_state() or goal_states()) and a way back "
                "(undirected = True or inverse(action))"
            )
        self._fields = len(state_words(domain))

    @property
    def cost(self) -> HashedCost:
        return HashedCost(bytes_of_slot(self._fields))

    def measured_cost(self) -> HashedCost:
        return self.cost

    def _may_have(self, length: int) -> bool:
        slots, rest = divmod(length, bytes_of_slot(self._fields))
        return rest == 0 and slots > 0 and slots & (slots - 1) == 0

    def begin(self, building: Path, check_room: CheckRoom, levels: list[int] | None) -> Sweep:
        from bestfirst.compiled.sweeps.hashed_distances import HashedDistances  # noqa: PLC0415  (it imports NumPy)

        self._check_room = check_room
        self._table = GrowingTable(building, self._fields, check_room)
        if levels is None:
            self._table.begin(FIRST_SLOTS)
        else:
            self._table.go_on()
        self._distances = HashedDistances(self.domain, self._table, levels=levels)
        return self._distances

    @property
    def working(self) -> Any:
        return self._table.content

    def finish(self, building: Path) -> Iterator[float]:
        yield 0.0
        states = sum(self._distances.levels)
        slots = slots_for(states)
        sorting = states * bytes_to_sort(bytes_of_slot(self._fields))
        there = len(self.working)
        needed = there + slots * bytes_of_slot(self._fields) + sorting
        self._check_room(needed, there, f"to sort its {states:,} states")
        content = new_hashed_table(building / TABLE, slots, self._fields)
        table = HashedTable(np.asarray(content), self._fields)
        self._distances.put_in_order(table)
        content.flush()
        self._slots, self.kept = slots, table.distances

    def facts(self) -> dict[str, Any]:
        return {"entries": int(np.count_nonzero(self.kept != EMPTY)), "slots": self._slots, "fields": self._fields}
