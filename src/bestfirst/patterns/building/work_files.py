"""The files of a build in progress: the table, and a note of the finished levels."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

import numpy as np

from bestfirst.errors import DatabaseError
from bestfirst.patterns.storage.checksummed import is_whole, sealed
from bestfirst.patterns.storage.hashed_table import EMPTY, bytes_of_slot, may_hold
from bestfirst.system import locking
from bestfirst.system.atomic import write_atomically
from bestfirst.system.mounts import GONE, is_there

if TYPE_CHECKING:
    from bestfirst.compiled.sweeps.distances import Sweep

WORKING, LARGER, PROGRESS, LOCK = "working.npy", "larger.npy", "progress.json", "lock"
PIECE = 1 << 20
SECONDS_BETWEEN_NOTES = 5.0
LONGEST_PART_OF_TIME = 10
"""The next note waits until this multiple of the time that the last one took has passed."""


CheckRoom: TypeAlias = Callable[[int, int, str], None]
"""Raises InputError if the needed bytes, some of them already in use, exceed a limit; the last argument says what needs
them."""


class RoomError(DatabaseError):
    """A build in progress would exceed a limit on memory or disk; with a higher limit it can resume."""


@dataclass
class Note:
    """The finished levels, for resuming a build. traits: see Sweep.traits()."""

    building: Path
    identity: dict[str, Any]
    levels: list[int] = field(default_factory=list)
    traits: dict[str, Any] = field(default_factory=dict)
    complete: bool = False
    due: float = field(default_factory=lambda: perf_counter() + SECONDS_BETWEEN_NOTES)

    def write_at_times(self, distances: Sweep, working: Any) -> None:
        """Note the levels if the build is complete, or if a note is due."""
        started = perf_counter()
        if distances.complete or started >= self.due:
            working.flush()
            self.levels, self.traits, self.complete = distances.levels, distances.traits(), distances.complete
            self.write()
            now = perf_counter()
            self.due = now + max(SECONDS_BETWEEN_NOTES, LONGEST_PART_OF_TIME * (now - started))

    def write(self) -> None:
        note = {"identity": self.identity, "levels": self.levels, "traits": self.traits, "complete": self.complete}
        write_atomically(self.building / PROGRESS, json.dumps(sealed(note)))


def read_note(building: Path, identity: dict[str, Any], is_there: Callable[[Path], bool]) -> Note | None:
    """The note of a resumable build of the same table, with finished levels. is_there: whether its working table is in the
    directory."""
    try:
        said = json.loads((building / PROGRESS).read_text())
        if not isinstance(said, dict) or not is_whole(said) or said["identity"] != json.loads(json.dumps(identity)):
            return None
        note = Note(building, identity, list(said["levels"]), dict(said["traits"]), bool(said["complete"]))
    except (OSError, ValueError, RecursionError, KeyError):
        return None
    return note if note.levels and is_there(building) else None


def has_table(building: Path, may_have: Callable[[int], bool]) -> bool:
    """Whether there is a working table in one file. may_have: whether it may have this many bytes."""
    try:
        working = np.lib.format.open_memmap(building / WORKING, mode="r")
    except Exception:  # NumPy does not document its errors for damaged headers
        return False
    return working.dtype == np.uint8 and working.ndim == 1 and may_have(len(working))


def new_table(path: Path, length: int, value: int) -> Any:
    """A file of equal bytes, mapped into memory; it is written first, since filling a mapping is slow."""
    piece = bytes([value]) * min(length, PIECE)
    with new_file(path, length) as file:
        for start in range(0, length, PIECE):
            file.write(piece[: length - start])
    return opened_table(path)


@contextmanager
def new_file(path: Path, length: int) -> Iterator[BinaryIO]:
    """A .npy file of a given length, to be written after its header; on failure it is removed, so that it does not fill the
    disk."""
    try:
        with path.open("wb") as file:
            np.lib.format.write_array_header_1_0(file, {"descr": "|u1", "fortran_order": False, "shape": (length,)})
            yield file
    except OSError:
        path.unlink(missing_ok=True)
        raise


def opened_table(path: Path) -> Any:
    """An existing file, mapped into memory for reading and writing."""
    return np.lib.format.open_memmap(path, mode="r+")


@dataclass
class GrowingTable:
    """The bytes of a working hash table, in a file that a larger one replaces when it fills up.

    check_room: called before it grows.
    """

    building: Path
    fields: int
    check_room: CheckRoom
    content: Any = None

    def begin(self, slots: int) -> None:
        """An empty table with this many slots."""
        self.content = new_hashed_table(self.building / WORKING, slots, self.fields)

    def go_on(self) -> None:
        """The existing table."""
        self.content = opened_table(self.building / WORKING)

    def larger(self) -> Any:
        """An empty table with twice as many slots, next to this one."""
        length = len(self.content)
        slots = length // bytes_of_slot(self.fields)
        self.check_room(3 * length, length, f"for more than {may_hold(slots):,} states")
        return new_hashed_table(self.building / LARGER, 2 * slots, self.fields)

    def another(self) -> Any:
        """An empty table with as many slots, next to this one."""
        length = len(self.content)
        self.check_room(2 * length, length, "to be resumed")
        return new_hashed_table(self.building / LARGER, length // bytes_of_slot(self.fields), self.fields)

    def replace(self, content: Any) -> None:
        """Replace this table with the one next to it."""
        content.flush()
        (self.building / LARGER).replace(self.building / WORKING)
        self.content = content


def new_hashed_table(path: Path, slots: int, fields: int) -> Any:
    """A file with an empty HashedTable."""
    length = slots * bytes_of_slot(fields)
    with new_file(path, length) as file:
        file.flush()
        if hasattr(os, "posix_fallocate"):  # a full disk must not kill the process on a write to a mapped page
            os.posix_fallocate(file.fileno(), file.tell(), length)
        else:
            file.truncate(file.tell() + length)
    content = opened_table(path)
    content[8 * fields * slots :] = EMPTY
    return content


class BeingBuiltError(DatabaseError):
    """A database that another process is building."""


@contextmanager
def locked(building: Path) -> Iterator[None]:
    """Keep other processes from building the same database, if the system can. Raises BeingBuiltError if one does."""
    being_built = BeingBuiltError(f"the pattern database {building.name!r} is being built by another process; wait for it")
    with ExitStack() as held:
        try:
            held.enter_context(locking.locked(building / LOCK, being_built))
        except OSError as error:
            if error.errno not in GONE:
                raise
            raise being_built from None  # it was finished meanwhile, and its directory renamed
        yield


def is_being_built(building: Path) -> bool:
    """Whether a process is working in a directory now; a killed one is not."""
    if not is_there(building / LOCK):
        return False
    try:
        with locked(building):
            return False
    except BeingBuiltError:
        return is_there(building)
