"""Tables of 4 bits per entry with the full information of one byte each: half the size.

Entry n is in byte n // 2, even entries in the lower half. It is the distance itself, at most 14; or half of the
difference from a base, a lower bound that is easily computed, such as the Manhattan distance; 15 if no goal can be reached.
Source: Korf 1997 (4 bits for each entry).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.cached import cached_property
from bestfirst.errors import InputError
from bestfirst.patterns.abstract_domain import Base, as_abstract
from bestfirst.patterns.building.work_files import LOCK, locked
from bestfirst.patterns.storage import files
from bestfirst.patterns.storage.files import BUILDING, HEADER, PACKING, TABLE
from bestfirst.system.atomic import write_atomically
from bestfirst.system.locking import remove_lock
from bestfirst.system.threads import side_by_side

if TYPE_CHECKING:
    from bestfirst.domain import Domain

DISTANCE = "distance"
"""The header's packing of a table without a base."""
NO_WAY = 15
_BYTE_NO_WAY = 255
CHUNK = 1 << 20
"""Entries that are packed at a time; must be even."""


class PackedTable:
    """A table of 4 bits per entry, which is read like one of bytes.

    content: its bytes. packing: as in the header. make: creates the domain, if needed.
    """

    def __init__(self, content: Any, entries: int, packing: str, make: Callable[[], Domain]) -> None:
        self.content = content
        self.packing = packing
        self._entries = entries
        self._make = make

    @cached_property
    def _base(self) -> Base:
        """The base of the differences."""
        base = as_abstract(self._make()).table_base()
        if base is None or base.name != self.packing:
            raise InputError(
                f"the table stores differences from {self.packing!r}, but its domain has another table_base(); rebuild the "
                "database"
            )
        return base

    def __len__(self) -> int:
        return self._entries

    def half(self, number: int) -> int:
        """The 4 bits of an entry."""
        return int(self.content[number >> 1]) >> 4 * (number & 1) & 15

    def __getitem__(self, number: int) -> int:
        half = self.half(number)
        if half == NO_WAY:
            return _BYTE_NO_WAY
        return half if self.packing == DISTANCE else 2 * half + int(self._base.of_entries(number, number + 1)[0])

    def unpacked(self, start: int, stop: int) -> Any:
        """A range of entries, unpacked to one byte each."""
        content = np.asarray(self.content[start >> 1 : (stop + 1) >> 1])
        halves = np.stack([content & 15, content >> 4], axis=1).ravel()[start & 1 :][: stop - start]
        values = halves if self.packing == DISTANCE else 2 * halves + self._base.of_entries(start, stop)
        return np.where(halves == NO_WAY, _BYTE_NO_WAY, values).astype(np.uint8)


def packed(table: Any, base: Base | None, *, threads: int = 1) -> Iterator[Any]:
    """The bytes of a packed table, piece by piece, several of which are made in parallel.

    Raises InputError for an entry that does not fit.
    """
    starts = range(0, len(table), CHUNK)
    for number in range(0, len(starts), threads):
        yield from side_by_side([partial(_packed, table, base, start) for start in starts[number : number + threads]])


def _packed(table: Any, base: Base | None, start: int) -> Any:
    """The bytes of the piece of a packed table that begins with an entry."""
    piece = np.asarray(table[start : start + CHUNK])
    known = piece != _BYTE_NO_WAY
    if base is None:
        halves = piece
    else:
        least = base.of_entries(start, start + len(piece))
        more = piece - least  # in bytes, like the rest: this takes a while for large tables
        if (((more & 1 != 0) | (piece < least)) & known).any():
            raise InputError(
                f"distances minus {base.name} are not all even and >= 0, as compression requires; do not compress the table"
            )
        halves = more >> 1
    greatest = int(np.where(known, halves, 0).max(initial=0))
    if greatest >= NO_WAY:
        what = "distances" if base is None else f"halves of the differences from {base.name}"
        raise InputError(
            f"the table cannot be compressed: 4 bits hold numbers below {NO_WAY}, but {what} go up to {greatest}; "
            "do not compress the table"
        )
    halves = np.where(known, halves, np.uint8(NO_WAY)).astype(np.uint8, copy=False)
    if len(halves) % 2:
        halves = np.append(halves, np.uint8(0))
    pairs = halves.view("<u2")
    return (pairs | pairs >> 4).astype(np.uint8)


def compress(directory: Path, base: Base | None, *, threads: int = 1) -> None:
    """Replace the table of a database with a packed one. Raises InputError if an entry does not fit."""
    header = files.read_header(directory)
    table = files.read_table(directory, header)
    if "slots" in header:
        raise InputError(
            f"{directory.name} is a hash table, which cannot be compressed, because it consists mostly of states; do not "
            "compress it"
        )
    building = directory.with_name(directory.name + BUILDING)
    files.check_place(building)
    files.make_directory(building)
    with locked(building):
        try:
            _write(building / TABLE, table, base, threads)
        except InputError:
            shutil.rmtree(building)
            raise
        checksum = files.checksum_of(building / TABLE)
        changed = {**header, PACKING: DISTANCE if base is None else base.name, "checksum": checksum}
        write_atomically(building / HEADER, json.dumps(changed, indent=1))
        files.put_in_place(building, directory)
    remove_lock(directory / LOCK)
    files.note_checked(directory)


def _write(path: Path, table: Any, base: Base | None, threads: int) -> None:
    shape = (files.bytes_of_packed(len(table)),)
    target = np.lib.format.open_memmap(path, mode="w+", dtype=np.uint8, shape=shape)
    at = 0
    for piece in packed(table, base, threads=threads):
        target[at : at + len(piece)] = piece
        at += len(piece)
    target.flush()
