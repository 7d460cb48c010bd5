"""Building a pattern database: its cost, the build, and resuming an interrupted build.

The distances are computed in a memory-mapped file, in a directory of its own. Each finished level is noted in
progress.json, at most every few seconds, with what shows damage to the table: a build that was killed resumes from the last
noted level. Later work in the table is repeated, with the same result.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from bestfirst._version import __version__
from bestfirst.distributed.crew import NoWorkersError
from bestfirst.domain import Domain
from bestfirst.errors import BestfirstError, DatabaseError
from bestfirst.patterns.building.progress import Cost, HashedCost, Progress, size_text
from bestfirst.patterns.building.work_files import LOCK, PROGRESS, Note, RoomError, locked, read_note
from bestfirst.patterns.identity import Identity
from bestfirst.patterns.storage import files
from bestfirst.patterns.storage.files import BUILDING, HEADER, TABLE
from bestfirst.patterns.storage.table_kinds import TableKind
from bestfirst.system.atomic import write_atomically
from bestfirst.system.disk import bytes_in
from bestfirst.system.interrupt import CtrlC
from bestfirst.system.locking import remove_lock
from bestfirst.system.memory import available_bytes
from bestfirst.system.threads import check_threads
from bestfirst.system.trust import make_private_directory

if TYPE_CHECKING:
    from bestfirst.compiled.sweeps.distances import Sweep

TRIES = 9
"""How often the directory of a build is made again, if it has been renamed between two calls."""


@dataclass
class Builder:
    """A build of the table of an abstract domain.

    data: the directory of the databases. memory, disk: limits in bytes; default: what the machine has. on, workers: where a build
    on disk has workers, and how many.
    Raises InputError for a domain that cannot have a table.
    """

    domain: Domain
    data: Path
    threads: int = 1
    memory: int | None = None
    disk: int | None = None
    progress: Callable[[Progress], None] | None = None
    on: str | None = None
    workers: int | None = None
    identity: Identity = field(init=False)

    def __post_init__(self) -> None:
        check_threads(self.threads)
        self._kind = TableKind.of(self.domain, self.threads, self.memory, self.on, self.workers)
        self.identity = Identity.of(self.domain)

    @property
    def cost(self) -> Cost | HashedCost:
        """The cost of the build, without an estimate of the time."""
        return self._kind.cost

    def measured_cost(self) -> Cost | HashedCost:
        """What the build takes, with the time estimated by a short trial run, if possible."""
        return self._kind.measured_cost()

    def _what(self) -> str:
        return f"the pattern database of {self.identity}"

    def check_room(self) -> None:
        """Raise InputError if the build is known to exceed a limit, with a size that would fit."""
        cost = self.cost
        make_private_directory(self.data)
        for what, limit in self._limits():
            if not isinstance(cost, Cost):
                continue
            needed = cost.memory if what == "memory" else cost.disk_of_build
            if needed > limit:
                raise DatabaseError(
                    f"{self._what()} takes {size_text(needed)} of {what} while it is built, but "
                    f"{self._room(what, limit)}; use a pattern of at most {int(limit * cost.states / needed):,} abstract "
                    f"states instead of {cost.states:,}"
                )

    def _limits(self) -> list[tuple[str, float]]:
        """The bytes of memory and of disk that may be used now."""
        return [
            ("memory", available_bytes() if self.memory is None else self.memory),
            ("disk", self._free() if self.disk is None else self.disk),
        ]

    def _free(self) -> int:
        """The disk space that is left, and what an interrupted build of this table takes."""
        building = self.data / f"{self.identity.key}{BUILDING}"
        return shutil.disk_usage(self.data).free + bytes_in(building)

    def _is_limited(self, what: str) -> bool:
        """Whether a limit was given, which then replaces what the machine has."""
        return {"memory": self.memory, "disk": self.disk}[what] is not None

    def _room(self, what: str, room: float) -> str:
        text = size_text(int(room))
        return f"the limit is {text}" if self._is_limited(what) else f"only {text} is available"

    def _check_more(self, needed: int, there: int, why: str) -> None:
        """Raise InputError if a build in progress would exceed a limit.

        needed: bytes in total, of which `there` are already in use and not part of what the machine has left.
        """
        for what, limit in self._limits():
            allowed = limit if self._is_limited(what) else limit + there
            if needed > allowed:
                more = "raise the limit" if self._is_limited(what) else f"free more {what}"
                raise RoomError(
                    f"{self._what()} takes {size_text(needed)} of {what} {why}, but {self._room(what, allowed)}; "
                    f"{more} to resume the build, or use a smaller pattern (how much smaller is not known in advance)"
                )

    def build(self) -> Path:
        """Build the table, or resume an interrupted build; return the directory of the database.

        Ctrl-C stops it after the current slice, and raises KeyboardInterrupt.
        Raises InputError if the files cannot be written, for example on a full disk.
        """
        with files.writing_to(self.data):
            return self._build()

    def _build(self) -> Path:
        self.check_room()
        directory = self.data / self.identity.key
        building = self._working_directory(directory)
        with locked(building), CtrlC() as ctrl_c:
            report = _Reporter(self, ctrl_c)
            try:
                distances = self._distances(building, report)
                self._kind.dismiss()
                for part in self._kind.finish(building):
                    report.stage("entries", distances.levels, part)
            except BestfirstError as error:
                if not isinstance(error, RoomError | NoWorkersError):
                    self._kind.dismiss()
                    shutil.rmtree(building)  # the domain or a file is at fault, so resuming is pointless
                raise
            finally:
                self._kind.dismiss()
            header = self._header(building, distances)
            write_atomically(building / HEADER, json.dumps(header, indent=1))
            self._kind.clean(building)
            (building / PROGRESS).unlink(missing_ok=True)
            files.put_in_place(building, directory)
        remove_lock(directory / LOCK)
        files.note_checked(directory)
        return directory

    def _working_directory(self, directory: Path) -> Path:
        """The directory of the build; raises InputError if it cannot be created, or somebody else could write there."""
        files.check_place(directory)
        files.remove_leftovers(self.data)
        building = directory.with_name(directory.name + BUILDING)
        for is_last in [*[False] * TRIES, True]:
            try:
                files.check_place(building)
                files.make_directory(building)
            except DatabaseError:  # another process may have renamed it meanwhile, since its build has ended
                if is_last:
                    raise
            else:
                break
        return building

    def _distances(self, building: Path, report: _Reporter) -> Sweep:
        kind = self._kind
        note = read_note(building, asdict(self.identity), kind.is_begun)
        if note is None:
            (building / PROGRESS).unlink(missing_ok=True)  # it may be that of another kind of table
        distances = kind.begin(building, self._check_more, None if note is None else note.levels)
        if note is None:
            note = Note(building, asdict(self.identity))
            note.write()
        elif not distances.resume(note.traits, complete=note.complete):
            raise DatabaseError(
                f"the interrupted build of {self._what()} in {building} cannot be resumed: its working table was changed; "
                "repeat the build, which starts from the beginning"
            )
        report.begin(sum(distances.levels))
        while not distances.complete:
            for part in distances.next_level():
                report.level(distances.levels, part)
            note.write_at_times(distances, kind.working)
        return distances

    def _header(self, building: Path, distances: Sweep) -> dict[str, Any]:
        facts = self._kind.facts()
        levels = self._kind.levels()
        return {
            "format": files.FORMAT,
            "version": files.VERSION,
            **asdict(self.identity),
            "states": distances.levels,
            **facts,
            "levels": levels,
            "unreachable": facts["entries"] - sum(levels),
            "checksum": files.checksum_of(building / TABLE),
            "library": __version__,
        }


class _Reporter:
    """Reports the progress of a build, and stops it on Ctrl-C."""

    def __init__(self, builder: Builder, ctrl_c: CtrlC) -> None:
        self._tell = builder.progress
        self._ctrl_c = ctrl_c
        cost = builder.cost
        self._progress = Progress(cost.states if isinstance(cost, Cost) else None)
        self._started = perf_counter()

    def begin(self, known: int) -> None:
        self._progress.before = self._progress.known = known
        self._started = perf_counter()  # excludes compiling

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
