"""The tables of several pattern databases as one array: without it a search would copy them, and need their memory twice.

Their files are mapped into memory one after another.

Code that reads one of several tables, not known in advance, then only adds the table's offset. A choice between
arrays would take branches, which are sometimes mispredicted.
"""

from __future__ import annotations

import ctypes
import mmap
import os
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from bestfirst.patterns.storage.files import advise_huge_pages

HUGE_PAGE = 1 << 21
"""The alignment of a file in huge pages."""


def joined(paths: Sequence[Path]) -> tuple[Any, list[int]]:
    """The contents of .npy files of bytes in one read-only array, and the offset of each file's entries.

    The bytes between the tables have no meaning, but depend on the files only. On a system that cannot map
    files to given addresses the tables are copied.
    Raises OSError if there is not enough room.
    """
    lazy = [np.load(path, mmap_mode="r") for path in paths]
    if not hasattr(mmap, "MAP_SHARED"):
        content = np.concatenate(lazy)
        content.flags.writeable = False
        return content, [0, *accumulate(map(len, lazy[:-1]))]
    lengths = [path.stat().st_size for path in paths]
    whole = mmap.mmap(-1, sum(length + HUGE_PAGE for length in lengths) + HUGE_PAGE)
    start = ctypes.addressof(ctypes.c_char.from_buffer(whole))
    rooms = (-(-length // HUGE_PAGE) * HUGE_PAGE for length in lengths)
    *places, end = accumulate(rooms, initial=-start % HUGE_PAGE)
    for path, length, place in zip(paths, lengths, places, strict=True):
        _map_to(start + place, path, length)
    advise_huge_pages(whole)
    content = np.frombuffer(whole, np.uint8)[places[0] : end]
    content.flags.writeable = False
    return content, [place - places[0] + table.offset for place, table in zip(places, lazy, strict=True)]


def _map_to(address: int, path: Path, length: int) -> None:
    """Map a file to an address, as a part of the mapping there, with which it is unmapped."""
    call = ctypes.CDLL(None, use_errno=True).mmap
    call.restype = ctypes.c_void_p
    call.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
    with path.open("rb") as file:
        found = call(address, length, mmap.PROT_READ, mmap.MAP_SHARED | _MAP_FIXED, file.fileno(), 0)
    if found != address:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(path))


_MAP_FIXED = 0x10
"""The value on both Linux and macOS; the module mmap does not define it."""
