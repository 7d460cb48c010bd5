"""The common base of most drivers: a control array, arrays that double, and the ends of a slice."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from math import inf
from typing import Any, NoReturn

import numpy as np

from bestfirst.compiled.compiler.specialise import Compiled
from bestfirst.compiled.drivers.driver import CompiledDriver
from bestfirst.compiled.drivers.faults import compiled_root, complain
from bestfirst.compiled.drivers.paths import decoded, follow
from bestfirst.compiled.kernels.control import (
    DEAD_ENDS,
    DUPLICATES,
    EXPANDED,
    FAULTY,
    FIRST_SIZE,
    FRESH,
    FULL,
    GENERATED,
    PEAK,
    PRUNED,
    REOPENED,
    STOPPED,
    WAYS,
)
from bestfirst.compiled.store.inconsistent_edges import Falls
from bestfirst.compiled.store.saved_values import MOST, Saved, require
from bestfirst.compiled.store.totals import Words
from bestfirst.domain import Domain
from bestfirst.heuristics.heuristic import ZERO, Heuristic
from bestfirst.search.node import Node
from bestfirst.system.memory import available_bytes


class SlicedSearch(CompiledDriver):
    """A compiled search of a domain.

    A slice is a call of the compiled template. Its arrays have room for `size` nodes; they are doubled when they are full,
    unless old and new ones together would exceed the limit on memory.
    """

    def __init__(self, domain: Domain, heuristic: Heuristic | None, compiled: Compiled, places: int) -> None:
        """places: of the control array."""
        super().__init__()
        self._domain = domain
        self._heuristic = heuristic
        self._h = (heuristic or ZERO).checked()
        self._compiled = compiled
        self._cost_type: Any = np.float64 if compiled.has_float_costs else np.int64
        self._totals = Words(floats=compiled.has_float_costs)
        self._root = compiled_root(domain, self._h, floats=compiled.has_float_costs)
        self._falls = Falls(domain, self._cost_type)
        self._control = np.zeros(places, np.int64)
        self._control[FRESH] = 1
        self._way_to_goal: list[int] | None = None
        self._size = FIRST_SIZE

    @abstractmethod
    def _call(self, budget: int) -> int:
        """Search in compiled code for at most `budget` expansions; return how that ended."""

    @abstractmethod
    def _react(self, how: int) -> None:
        """Handle an end of a slice that is specific to the algorithm."""

    @abstractmethod
    def _way(self) -> list[int]:
        """The actions to the node that was being expanded or was just found to be a goal."""

    @abstractmethod
    def _arrays(self) -> Iterator[Any]:
        """The arrays that grow."""

    @abstractmethod
    def _make_room(self, size: int) -> None:
        """Make room for `size` nodes, keeping the content; the hash table is then empty."""

    def _advance(self, budget: int) -> None:
        until = self.stats.expanded + budget
        how = WAYS
        while how != STOPPED and not self.ended and self.stopped is None:
            how = self._call(until - self.stats.expanded)
            self._take_counts()
            if how == FULL:
                self._grow()
            elif how == FAULTY:
                self._complain()
            elif how != STOPPED:
                self._react(how)
        if self._way_to_goal is not None:  # only at the end, because the path can be long, and better ones may follow
            self.goal = decoded(self._domain, follow(self._domain, self._h, self._way_to_goal))
            self._way_to_goal = None

    def _take_counts(self) -> None:
        stats, control = self.stats, self._control
        counts = (int(control[at]) for at in (EXPANDED, GENERATED, DUPLICATES, REOPENED, PRUNED, DEAD_ENDS, PEAK))
        (
            stats.expanded,
            stats.generated,
            stats.duplicates,
            stats.reopened,
            stats.pruned,
            self.dead_ends,
            stats.peak_agenda,
        ) = counts
        self.falls = len(self._falls)
        if self.fall is None and self.falls:
            self.fall = self._first_fall()

    def _first_fall(self) -> Node | None:
        return self._falls.first(self._domain, self._h)

    def _complain(self) -> NoReturn:
        """Raise the reference engine's error for an invalid cost or estimate."""
        measure = None if self._heuristic is None else self._heuristic.function
        complain(self._domain, self._h, measure, follow(self._domain, self._h, self._way()))

    def _grow(self) -> None:
        now = sum(array.nbytes for array in self._arrays())
        limit = self._limits.memory if isinstance(self._limits.memory, int) else inf
        if 3 * now > limit or 2 * now > available_bytes():  # the old arrays and the new ones
            self.stats.peak_memory = max(self.stats.peak_memory or 0, now)
            self.stopped = "memory"
            return
        self._size *= 2
        self._make_room(self._size)
        self._control[FRESH] = 1

    def saved(self) -> dict[str, Any]:
        return {"control": self._control, "falls": list(self._falls), **self._saved_nodes()}

    def restore(self, saved: Saved) -> None:
        control = saved.array("control", np.int64, len(self._control), most=MOST)
        arrays = list(self._falls)
        for array, kept in zip(arrays, saved.items("falls", len(arrays)), strict=True):
            is_like_it = isinstance(kept, np.ndarray) and kept.dtype == array.dtype and kept.shape == array.shape
            require(is_like_it, "its inconsistent edges are not described by numbers")
            array[:] = kept
        require(len(self._falls) >= 0, "its number of inconsistent edges is negative")
        require(
            self.ended is False or self.goal is not None or self.gave_up is not None or self.bound == inf,
            "its end is missing",
        )
        self._restore_nodes(saved, control)
        control[FRESH] = 1
        self._control[:] = control
        self._take_counts()

    @abstractmethod
    def _saved_nodes(self) -> dict[str, Any]:
        """The remaining data for restore(): as little as possible."""

    @abstractmethod
    def _restore_nodes(self, saved: Saved, control: Any) -> None:
        """Rebuild the arrays. control: from the file; raises SavedError if it is invalid."""

    def _best_known(self) -> Any:
        """The cost of the best solution, as in the arrays; infinite without one."""
        return self._totals.beyond if self.goal is None else self._totals.checked(self.goal.g, "the cost")

    def _make_room_for(self, size: int) -> None:
        while self._size < size:
            self._size *= 2
        self._make_room(self._size)

    @property
    def fall_from_start(self) -> None:
        return None
