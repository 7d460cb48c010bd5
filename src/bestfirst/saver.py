"""Saving a search from time to time while it runs: what it has done survives the end of its process."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Protocol

from bestfirst.arguments import check_path
from bestfirst.errors import CompileError, InputError, NotCompilableError

SECONDS_BETWEEN_SAVES = 60.0
LARGEST_SHARE = 0.05
"""The largest share of the time that saving takes: if it takes longer, it is done less often."""


class Save(Protocol):
    """A function that writes a search to a file."""

    def __call__(self, path: str | Path, /, *, only_compiled: bool) -> bool:
        """Write it, and return True; False if only_compiled, and the compiled engine has not taken over."""


class Saver:
    """Saves a search to a file. Raises InputError if that fails the first time; later, it warns, and the search continues."""

    def __init__(self, path: str | Path, save: Save) -> None:
        check_path("save_to", path)
        self._path, self._save = path, save
        self._next = -inf
        self._has_saved = False

    def before(self, tick: Callable[[], None] | None) -> Callable[[], None]:
        """What to call from time to time while the search runs: it saves the search when that is due, and then calls tick."""

        def save_and_tick() -> None:
            if perf_counter() >= self._next:
                self.save()
            if tick is not None:
                tick()

        return save_and_tick

    def end(self, *, is_over: bool) -> None:
        """Save the search at the end of a run, also if the compiled engine has not taken over yet; warn if that is impossible.

        Nobody needs the file of a search that is over.
        """
        if is_over or self._has_saved:
            self.save()
            return
        try:
            self._save(self._path, only_compiled=False)
        except (NotCompilableError, CompileError) as error:
            warnings.warn(f"nothing was written to {str(self._path)!r}: {error}", stacklevel=2)

    def save(self) -> None:
        """Save the search now."""
        started = perf_counter()
        try:
            if not self._save(self._path, only_compiled=True):
                return
            self._has_saved = True
        except InputError as error:
            if not self._has_saved:
                raise
            warnings.warn(f"the search continues, but was not saved: {error}", stacklevel=2)
        seconds = perf_counter() - started
        self._next = started + max(SECONDS_BETWEEN_SAVES, seconds / LARGEST_SHARE)
