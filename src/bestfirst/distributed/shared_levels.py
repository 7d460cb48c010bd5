"""The driver of an enumeration on disk with workers, who share the partitions of each level.

The files are those of an enumeration in one process (disk_enumeration.py), which can continue them, and the other way round.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bestfirst.compiled.sweeps.disk_enumeration import DiskLevels, check_ranks
from bestfirst.compiled.sweeps.partitioned_states import layout_within
from bestfirst.compiled.sweeps.partitions import Layout
from bestfirst.distributed.charge import LEVELS, PartitionsCharge
from bestfirst.distributed.crew import Crew
from bestfirst.distributed.crews import crew_of
from bestfirst.distributed.level_jobs import Expanded, Merged
from bestfirst.distributed.rounds import Rounds
from bestfirst.domain import Domain
from bestfirst.enumerated import ANTIPODES
from bestfirst.problem import Problem

SECONDS_BETWEEN_LOOKS = 0.05


class SharedLevels(DiskLevels):
    """An enumeration on disk, with a crew of workers. memory: for the arrays of all workers together."""

    def __init__(self, problem: Problem, domain: Domain, directory: Path, memory: int | None, crew: Crew) -> None:
        super().__init__(domain, directory.absolute(), memory)
        self._crew = crew
        self._charge = PartitionsCharge(problem, self._fingerprint, LEVELS, str(directory.absolute()))
        self._charge.packed()  # now, because it may be impossible
        self._rounds: Rounds | None = None

    def _layout_within(self, bits: int | None) -> Layout:
        return layout_within(self._domain, self._memory, bits, self._crew.count())

    def _own_layout(self) -> Layout:
        """One partition for the start, and no buffers."""
        return replace(self._layout, room=1)

    def _begin_level(self) -> None:
        super()._begin_level()
        if self._rounds is None:
            charge = self._charge.within(self._layout, self._progress.run)
            partitions = self._states.partitions
            self._rounds = Rounds(self._crew, self._place, self._layout, partitions, charge.packed, self._take)
        self._rounds.begin(self._level, {number: self._states.counts(number, self._level)[0] for number in self._unexpanded})

    def _advance_level(self, budget: int) -> None:
        assert self._rounds is not None
        if self._rounds.is_over:
            self._end_level()
            return
        self._is_preparing = not self._crew.is_started  # a cluster takes seconds to start
        self._rounds.step(SECONDS_BETWEEN_LOOKS if budget > 0 else 0)
        self._is_preparing = False

    def _take(self, result: Expanded | Merged) -> None:
        if isinstance(result, Expanded):
            expanded, generated, *farthest = result.counts
            self._search.expanded += expanded
            self._search.generated += generated
            kept = self._states.farthest[: self._search.kept].tolist()
            self._keep(sorted({*kept, *farthest})[:ANTIPODES])

    def close(self) -> None:
        self._crew.close()
        super().close()


def shared_levels_of(
    problem: Problem, domain: Domain, directory: Path, memory: int | None, *, on: str, workers: int | None
) -> SharedLevels:
    """The enumeration of a domain's states by workers. Raises InputError if the domain has no ranks, or if it cannot be sent."""
    check_ranks(domain)
    return SharedLevels(problem, domain, directory, memory, crew_of(on, workers))
