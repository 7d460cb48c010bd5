"""Building a pattern database: what it will cost, the build itself, and going on with one that was stopped.

The distances are worked out in a file, mapped into memory, in a directory of their own. Once a level is finished it is noted in
progress.json, at most every few seconds: a build that was killed goes on after the last level noted. What the table held beyond
that is done again, with the same result.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from math import inf
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.atomic import write_atomically
from bestfirst.errors import InputError
from bestfirst.interrupt import CtrlC
from bestfirst.memory import available_bytes
from bestfirst.patterns import files
from bestfirst.patterns.files import BUILDING, HEADER, TABLE
from bestfirst.patterns.identity import Identity
from bestfirst.patterns.progress import Cost, Progress, size_text
from bestfirst.problem import Domain

if TYPE_CHECKING:
    from bestfirst.compiled.distances import Distances

WORKING, PROGRESS, LOCK = "working.npy", "progress.json", "lock"
SECONDS_BETWEEN_NOTES = 5.0
LONGEST_PART_OF_TIME = 10
"""Noting a level is put off until so many times what the last note took has gone by."""
SECONDS_OF_TRIAL = 0.2
USUAL_LEVELS = 50
BYTES_PER_SECOND = 4e9
"""At which a table is looked through for the states of a level."""


@dataclass
class Builder:
    """A build of the table of an abstract domain.

    data: the directory of the databases. memory, disk: bytes that it may take; what the machine has, unless given.
    """

    domain: Domain
    data: Path
    threads: int = 1
    memory: int | None = None
    disk: int | None = None
    progress: Callable[[Progress], None] | None = None
    identity: Identity = field(init=False)

    def __post_init__(self) -> None:
        if not (self.domain.defines("rank") and self.domain.defines("unrank")):
            raise InputError(f"{self.domain.name()} has no rank and unrank, so its table cannot be kept by rank")
        if isinstance(self.threads, bool) or not isinstance(self.threads, int) or self.threads < 1:
            raise InputError(f"threads is {self.threads!r}; write a whole number >= 1")
        self.identity = Identity.of(self.domain)

    @property
    def cost(self) -> Cost:
        """What the build takes, without an estimate of the time."""
        return Cost(self.domain.size, self.domain.entries or self.domain.size)

    def measured_cost(self) -> Cost:
        """What the build takes, with the time as a short trial run on states spread over the domain tells it."""
        from bestfirst.compiled.distances import expansion_rate, is_undirected  # noqa: PLC0415  (it imports Numba)

        states = self.domain.size
        passes = 1 if is_undirected(self.domain) else USUAL_LEVELS
        seconds = passes * states / expansion_rate(self.domain, SECONDS_OF_TRIAL) / self.threads
        return Cost(states, self.cost.entries, seconds + USUAL_LEVELS * states / BYTES_PER_SECOND)

    def check_room(self) -> None:
        """Raise InputError where the build goes over a limit, saying what would fit."""
        cost = self.cost
        self.data.mkdir(parents=True, exist_ok=True)
        limits = [
            ("memory", cost.memory, available_bytes() if self.memory is None else self.memory),
            ("disk", cost.memory, shutil.disk_usage(self.data).free if self.disk is None else self.disk),
        ]
        for what, needed, limit in limits:
            if needed > limit:
                raise InputError(
                    f"the pattern database of {self.domain.name()} {dict(self.identity.parameters)} takes {size_text(needed)} of "
                    f"{what} while it is built, and {size_text(int(limit))} are allowed: {cost}; what fits is a pattern of at "
                    f"most {int(limit * cost.states / cost.memory):,} abstract states instead of {cost.states:,}"
                )

    def build(self) -> Path:
        """Build the table, or go on with a build that was stopped; the directory of the database.

        Ctrl-C stops it after the slice that is being done, and raises KeyboardInterrupt.
        """
        self.check_room()
        directory = self.data / self.identity.key
        building = directory.with_name(directory.name + BUILDING)
        building.mkdir(exist_ok=True)
        with _locked(building), CtrlC() as ctrl_c:
            report = _Reporter(self, ctrl_c)
            distances = self._distances(building, report)
            least = self._least(building, distances, report)
            header = self._header(building, distances, least)
            write_atomically(building / HEADER, json.dumps(header, indent=1))
            for name in (WORKING, PROGRESS):
                (building / name).unlink(missing_ok=True)
            files.put_in_place(building, directory)
        (directory / LOCK).unlink(missing_ok=True)
        files.note_checked(directory)
        return directory

    def _distances(self, building: Path, report: _Reporter) -> Distances:
        from bestfirst.compiled.distances import UNKNOWN, Distances, rounded_up  # noqa: PLC0415  (it imports Numba)

        note = _read_note(building, asdict(self.identity), rounded_up(self.domain.size))
        if note is None:
            working = _new_table(building / WORKING, rounded_up(self.domain.size), UNKNOWN)
            note = _Note(building, asdict(self.identity))
            note.write([], complete=False)
        else:
            working = np.lib.format.open_memmap(building / WORKING, mode="r+")
        distances = Distances(self.domain, np.asarray(working), threads=self.threads, levels=note.levels)
        report.begin(sum(note.levels))
        distances.complete = note.complete
        while not distances.complete:
            for looked in distances.next_level():
                report.level(distances.levels, looked / len(working))
            note.write_at_times(distances.levels, working, complete=distances.complete)
        return distances

    def _least(self, building: Path, distances: Distances, report: _Reporter) -> Any:
        """The table that is kept: of each entry the least of the distances of the states that share it."""
        from bestfirst.compiled.distances import UNKNOWN  # noqa: PLC0415

        if not self.domain.defines("entry") or self.domain.entries == self.domain.size:
            (building / WORKING).rename(building / TABLE)
            return distances.table[: self.domain.size]
        least = _new_table(building / TABLE, self.domain.entries, UNKNOWN)
        for part in distances.entries(np.asarray(least)):
            report.stage("entries", distances.levels, part)
        least.flush()
        return least

    def _header(self, building: Path, distances: Distances, least: Any) -> dict[str, Any]:
        import bestfirst  # noqa: PLC0415  (which imports this)
        from bestfirst.compiled.distances import histogram  # noqa: PLC0415

        counts = histogram(least)
        known = np.flatnonzero(counts[:-1])
        return {
            "format": files.FORMAT,
            "version": files.VERSION,
            **asdict(self.identity),
            "states": distances.levels,
            "entries": len(least),
            "levels": counts[: known[-1] + 1].tolist(),
            "unreachable": int(counts[-1]),
            "checksum": files.checksum_of(building / TABLE),
            "library": bestfirst.__version__,
        }


class _Reporter:
    """Tells how a build gets on, and stops it on Ctrl-C."""

    def __init__(self, builder: Builder, ctrl_c: CtrlC) -> None:
        self._tell = builder.progress
        self._ctrl_c = ctrl_c
        self._progress = Progress(builder.domain.size)
        self._started = perf_counter()

    def begin(self, known: int) -> None:
        self._progress.before = self._progress.known = known
        self._started = perf_counter()  # what was compiled before does not count

    def level(self, levels: list[int], part: float) -> None:
        self._progress.level = len(levels)
        self.stage("distances", levels, part)

    def stage(self, stage: str, levels: list[int], part: float) -> None:
        if self._ctrl_c.pressed:
            raise KeyboardInterrupt
        progress = self._progress
        progress.stage, progress.part, progress.known = stage, part, sum(levels)
        progress.seconds = perf_counter() - self._started
        if self._tell is not None:
            self._tell(progress)


@dataclass
class _Note:
    """The levels that are finished, for a build that goes on."""

    building: Path
    identity: dict[str, Any]
    levels: list[int] = field(default_factory=list)
    complete: bool = False
    due: float = -inf

    def write_at_times(self, levels: list[int], working: Any, *, complete: bool) -> None:
        """Note the levels if they are all, or if it is time."""
        started = perf_counter()
        if complete or started >= self.due:
            working.flush()
            self.write(levels, complete=complete)
            now = perf_counter()
            self.due = now + max(SECONDS_BETWEEN_NOTES, LONGEST_PART_OF_TIME * (now - started))

    def write(self, levels: list[int], *, complete: bool) -> None:
        note = {"identity": self.identity, "levels": levels, "complete": complete}
        write_atomically(self.building / PROGRESS, json.dumps(note))


def _read_note(building: Path, identity: dict[str, Any], length: int) -> _Note | None:
    """The note of a build of the same table that can be gone on with."""
    try:
        said = json.loads((building / PROGRESS).read_text())
        working = np.lib.format.open_memmap(building / WORKING, mode="r")
        if said["identity"] != json.loads(json.dumps(identity)) or working.shape != (length,):
            return None
        return _Note(building, identity, list(said["levels"]), bool(said["complete"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _new_table(path: Path, length: int, value: int) -> Any:
    table = np.lib.format.open_memmap(path, mode="w+", dtype=np.uint8, shape=(length,))
    table[:] = value
    return table


@contextmanager
def _locked(building: Path) -> Iterator[None]:
    """Keep other processes from building the same database, where the system can."""
    try:
        import fcntl  # noqa: PLC0415  (not there on Windows)
    except ImportError:
        yield
        return
    with os.fdopen(os.open(building / LOCK, os.O_RDWR | os.O_CREAT, 0o666), "r+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(
                f"the pattern database {building.name!r} is being built by another process; wait for it"
            ) from None
        yield
