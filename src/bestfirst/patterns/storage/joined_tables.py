"""The tables of several pattern databases as one array: without it a search would copy them, and need their memory twice.

Their files are mapped into memory one after another.

Code that looks in one of several tables, and cannot foretell in which, only adds where in the array that begins. To choose between
arrays takes branches, each of them guessed wrong now and then.
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
"""What a file in huge pages is aligned to."""


def joined(paths: Sequence[Path]) -> tuple[Any, list[int]]:
    """The contents of .npy files of bytes in one array that cannot be written to, and where in it the entries of each begin.

    What lies between the tables has no meaning, but for the same files it is always the same. On a system that does not map
    files to given places the tables are copied.
    Raises OSError where there is not enough room.
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
    """Map a file to an address, in place of what is mapped there; it goes when that would."""
    call = ctypes.CDLL(None, use_errno=True).mmap
    call.restype = ctypes.c_void_p
    call.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
    with path.open("rb") as file:
        found = call(address, length, mmap.PROT_READ, mmap.MAP_SHARED | _MAP_FIXED, file.fileno(), 0)
    if found != address:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(path))


_MAP_FIXED = 0x10
"""On Linux and on macOS alike; the module mmap does not name it."""
