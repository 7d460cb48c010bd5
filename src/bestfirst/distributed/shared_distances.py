"""The build of a table on disk with workers, who share the partitions of each level.

The files are those of a build in one process (disk_distances.py), which can continue them, and the other way round.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

from bestfirst.compiled.drivers.checkpoint import fingerprint
from bestfirst.compiled.sweeps.disk_distances import DISTANCES as TABLE
from bestfirst.compiled.sweeps.disk_distances import DiskDistances
from bestfirst.compiled.sweeps.distances import SECONDS_BETWEEN_LOOKS, Look
from bestfirst.compiled.sweeps.partitioned_states import OPTIONAL
from bestfirst.compiled.sweeps.partitions import Layout
from bestfirst.distributed.charge import DISTANCES, PartitionsCharge
from bestfirst.distributed.crew import Crew
from bestfirst.distributed.level_jobs import Expanded, Merged
from bestfirst.distributed.rounds import Rounds
from bestfirst.domain import Domain


class SharedDistances(DiskDistances):
    """Distances by rank, in partitions in a directory, with a crew of workers. layout: for all of them together."""

    def __init__(
        self, domain: Domain, directory: Path, layout: Layout, crew: Crew, *, levels: list[int] | None = None
    ) -> None:
        directory = directory.absolute()
        print_of = fingerprint(domain, None, optional=OPTIONAL)
        charge = PartitionsCharge(domain, print_of, DISTANCES, str(directory / TABLE))
        charge.packed()  # now, because it may be impossible
        super().__init__(domain, directory, layout, levels=levels)
        charge = charge.within(layout, self.run)
        self._rounds = Rounds(crew, self._place, layout, self.partitions, charge.packed, self._add)
        self._look = Look()

    def _own_layout(self) -> Layout:
        """One partition for the goals, and no buffers."""
        return replace(self._layout, room=1)

    def _look_through(self, level: int) -> Generator[float, None, Look]:
        self._look, before = Look(), self._of_level(level)
        self._rounds.begin(level, before)
        while not self._rounds.is_over:
            self._rounds.step(SECONDS_BETWEEN_LOOKS)
            yield self._rounds.part
        self._look.again = int(self._of_level(level) != before)  # also if the answer of a worker was lost
        return self._look

    def _add(self, result: Expanded | Merged) -> None:
        found, given, _again, far = result.counts
        look = self._look
        look.found, look.given = look.found + found, look.given + given
        look.far = look.far if far < 0 else self._domain.unrank(far)
