"""Notices a file that is written to or truncated while it is mapped into memory: what is read there then changes, or is gone."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from mmap import mmap
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

Stamp = tuple[int, int, int, int]
"""The size, both times and the number of a file: all but the number change when it is written to."""
_PACKAGE = __name__.partition(".")[0]
_WITHOUT_DATA = sys.stdlib_module_names | {_PACKAGE}
"""Packages whose classes hold no data of users. From those of typing, its caches lead to every class of the process."""


@dataclass
class _Mapped:
    """A mapped file. is_right: whether its bytes are those that were mapped; error: what to raise otherwise."""

    path: Path
    stamp: Stamp
    is_right: Callable[[mmap], bool]
    error: Callable[[], Exception]
    is_spoilt: bool = False

    def look(self, pages: mmap) -> None:
        """Find out whether the file is spoilt. A file that has replaced it at its path says nothing about the mapped one."""
        now = stamp_at(self.path)
        if now is not None and now != self.stamp and now[-1] == self.stamp[-1]:
            self.stamp = now
            self.is_spoilt = now[0] < len(pages) or not self.is_right(pages)  # no byte beyond the end may be read


_MAPPED: WeakKeyDictionary[mmap, _Mapped] = WeakKeyDictionary()


def stamp_of(status: os.stat_result) -> Stamp:
    """The stamp of a file with this status."""
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def stamp_at(path: Path) -> Stamp | None:
    """The stamp of the file at a path; None if there is none."""
    try:
        return stamp_of(path.stat())
    except OSError:
        return None


def note_mapped(
    pages: mmap, path: Path, stamp: Stamp, is_right: Callable[[mmap], bool], error: Callable[[], Exception]
) -> None:
    """Have check_mapped() look after a mapped file, which had this stamp. is_right: whether the bytes are still the same."""
    _MAPPED[pages] = _Mapped(path.absolute(), stamp, is_right, error)


def check_mapped(*used: object) -> None:
    """Raise the error of a spoilt file to which something that is used refers."""
    error = spoilt_by(*used)
    if error is not None:
        raise error


def spoilt_by(*used: object) -> Exception | None:
    """The error of a mapped file that has been written to, if something that is used refers to it."""
    every = list(_MAPPED.items())
    for pages, mapped in every:
        mapped.look(pages)
    spoilt = {id(pages): mapped for pages, mapped in every if mapped.is_spoilt}
    found = (spoilt[id(thing)] for thing in _reached(used) if id(thing) in spoilt) if spoilt else iter(())
    first = next(found, None)
    return None if first is None else first.error()


def _reached(used: tuple[object, ...]) -> Iterator[object]:
    """All objects to which some refer, through their attributes, closures, and the global names in functions of users."""
    waiting, seen = [*used], set(map(id, used))
    kept: list[object] = []  # so that no number in `seen` is used again
    while waiting:
        thing = waiting.pop()
        kept.append(thing)
        yield thing
        for other in _referents(thing):
            if id(other) not in seen:
                seen.add(id(other))
                waiting.append(other)


def _referents(thing: Any) -> list[Any]:
    kind = type(thing)  # not isinstance(), which fails for a proxy of what no longer exists
    if issubclass(kind, ModuleType):
        return []
    if issubclass(kind, memoryview):
        return [thing.obj]
    if issubclass(kind, type) and str(thing.__module__).partition(".")[0] in _WITHOUT_DATA:
        return []
    if issubclass(kind, FunctionType):
        known = thing.__globals__
        is_own = str(known.get("__name__")).partition(".")[0] == _PACKAGE  # whose globals are caches of everything
        named = () if is_own else thing.__code__.co_names
        return [thing.__closure__, thing.__defaults__, thing.__kwdefaults__, vars(thing), *map(known.get, named)]
    is_array = kind.__module__ == "numpy"  # the garbage collector does not know what these refer to
    return [getattr(thing, "base", None)] if is_array else gc.get_referents(thing)
