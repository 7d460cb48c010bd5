"""What a worker must have in common with its caller: where modules are found, and the source code that is in no file."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bestfirst.batches import parcels
from bestfirst.own_files import loaded_files
from bestfirst.system.child_process import module_path
from bestfirst.system.threads import share_with

MOST_CHARACTERS = 1 << 22
"""Of all source code that is sent: a long session of a notebook has less."""


@dataclass(frozen=True)
class Circumstances:
    """The search path for modules, the user's files by module, and the sources of a script or a notebook by file name.

    workers: how many share a machine. asks_for_code: whether somebody answers a worker that lacks compiled code.
    """

    path: tuple[str, ...]
    own_files: Mapping[str, str]
    sources: Mapping[str, str]
    workers: int
    asks_for_code: bool

    @classmethod
    def here(cls, workers: int, *, asks_for_code: bool = False) -> Circumstances:
        """Those of this process."""
        return cls(module_path(), loaded_files(), _sources(), workers, asks_for_code)

    def take_on(self) -> None:
        """Make them those of this process, a worker."""
        sys.path[:] = [*self.path, *(place for place in sys.path if place not in self.path)]
        parcels.OWN_FILES.update(self.own_files)
        for name, text in self.sources.items():
            if not Path(name).exists():
                linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
        share_with(self.workers)


def _sources() -> dict[str, str]:
    """The text of this program's own file, and of code that is in no file, such as the cells of a notebook."""
    texts = {
        name: "".join(entry[2]) for name, entry in list(linecache.cache.items()) if len(entry) == 4 and entry[1] is None
    }
    main = getattr(sys.modules.get("__main__"), "__file__", None)
    if main is not None and Path(main).is_file():
        texts[main] = Path(main).read_text(encoding="utf-8", errors="replace")
    kept: dict[str, str] = {}
    left = MOST_CHARACTERS
    for name in reversed(texts):  # the latest first
        if len(texts[name]) <= left:
            kept[name] = texts[name]
            left -= len(texts[name])
    return kept
