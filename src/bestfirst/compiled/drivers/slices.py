"""The common base of most drivers: the record of a search, arrays that double, and the ends of a slice."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from math import ceil, inf
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from bestfirst.compiled.compiler.specialise import no_estimate
from bestfirst.compiled.drivers.driver import CompiledDriver
from bestfirst.compiled.drivers.faults import compiled_root, complain
from bestfirst.compiled.drivers.paths import decoded, follow
from bestfirst.compiled.kernels.slices import COUNTS, FAULTY, FIRST_SIZE, FOUND, FULL, STOPPED, is_sound, new_searches
from bestfirst.compiled.store.growth import doubled
from bestfirst.compiled.store.inconsistent_edges import child_at, empty_edge, falls_to, note_fall
from bestfirst.compiled.store.nodes import add_node, enter_nodes
from bestfirst.compiled.store.saved_values import Saved, require
from bestfirst.compiled.store.state_table import PARTS as STATE_TABLE
from bestfirst.compiled.store.totals import PARTS as TOTALS
from bestfirst.compiled.store.totals import Words
from bestfirst.domain import Domain
from bestfirst.errors import InputError
from bestfirst.heuristics.heuristic import ZERO, Heuristic
from bestfirst.rounding import least_float
from bestfirst.search.incumbent import UpperBound, gave_up, incumbent_of
from bestfirst.search.node import Node
from bestfirst.system.memory import available_bytes

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Method, NumberType, SavedState, Search

PARTS = (*TOTALS, *STATE_TABLE, add_node, enter_nodes, is_sound, falls_to, note_fall)
"""Parts of the kernels of searches whose nodes are Nodes."""


class SlicedSearch(CompiledDriver):
    """A compiled search of a domain, in slices: a slice is a call of the kernel."""

    def __init__(self, domain: Domain, heuristic: Heuristic | None) -> None:
        super().__init__()
        self._domain = domain
        self._heuristic = heuristic
        self._h = (heuristic or ZERO).checked()
        self._upper_bound = inf
        self._below = UpperBound()

    def _begin_with(
        self, fields: tuple[str, ...], totals: tuple[str, ...] = (), reals: tuple[str, ...] = (), *, floats: bool
    ) -> None:
        """Make the record of the search, with these fields besides the counts, and the root. floats: whether costs are floats."""
        self._totals = Words(floats=floats)
        self._cost_type: NumberType = np.float64 if floats else np.int64
        self._searches = new_searches(fields, totals, self._totals.dtype, reals)
        self._search: Search = self._searches[0]
        self._ints = *COUNTS, *fields
        for name in totals:
            self._search[name] = self._totals.beyond
        self._root = compiled_root(self._domain, self._h, floats=floats)
        self._search["generated"] = 1  # a field takes a quarter of the time of an attribute
        self._search["dead_ends"] = int(self._root.h == inf)

    @property
    def _estimate(self) -> Method:
        return self._heuristic.function if self._heuristic else no_estimate

    @abstractmethod
    def _call(self, budget: int) -> int:
        """Search in compiled code for at most `budget` expansions; return how that ended."""

    @abstractmethod
    def _react(self, how: int) -> None:
        """Handle an end of a slice that is specific to the algorithm."""

    @abstractmethod
    def _grow(self) -> None:
        """Make room for more nodes; or stop the search if that would exceed the limit on memory."""

    @abstractmethod
    def _current(self) -> Node:
        """The node that was being expanded."""

    @abstractmethod
    def _first_fall(self) -> Node:
        """The child at the first inconsistent edge."""

    @abstractmethod
    def _saved_nodes(self) -> SavedState:
        """The remaining data for restore(): as little as possible."""

    @abstractmethod
    def _restore_nodes(self, saved: Saved, search: Search) -> None:
        """Rebuild the arrays. search: the record, from the file; raises SavedError if it is invalid."""

    def _advance(self, budget: int) -> None:
        until = self.stats.expanded + budget
        how = FULL
        while how != STOPPED and not self.ended and self.stopped is None:
            if self._below.cost < self._upper_bound:
                self._lower(self._below.cost, self._below.actions)
            how = self._call(until - self.stats.expanded)
            self._take_counts()
            if how == FULL:
                self._grow()
            elif how == FAULTY:
                self._complain()
            elif how != STOPPED:
                self._react(how)
                cost = self._cost_found() if how == FOUND else None
                if cost is not None:  # otherwise it is known once the path is
                    self._note(cost)

    def _begin_below(self, incumbent: Any, upper_bound: float | UpperBound | None) -> None:
        """Begin with a known solution, or with a cost that is to be beaten; the arguments are those of the algorithm."""
        self._below = UpperBound.of(upper_bound)
        best = self._upper_bound = self._below.cost
        known = incumbent_of(self._domain, incumbent, self._h)
        self.stats.generated = 1
        self._search.best = self._best_at_start()
        self.bound = self._bound_at_start
        if known is not None and known.g < best:
            self._search.best = known.g
            self.bound = min(self._root.f, known.g)
            if self.goal is None or known.g < self.goal.g:  # otherwise the search begins again, with wider records
                self.goal = decoded(self._domain, known)
                self._note(known.g)

    @property
    def _bound_at_start(self) -> float:
        """A solution costs at least as much as the start promises, or as the cost that is to be beaten."""
        return min(self._root.f, self._upper_bound)

    def _lower(self, cost: float, actions: Sequence[Any] | None) -> None:  # noqa: ARG002  (some begin with them)
        """Seek only solutions that cost less than one that another search has found. actions: of that one."""
        self._upper_bound = cost
        self._search.best = min(self._search.best, self._best_at_start())

    def _best_at_start(self) -> float:
        """The cost that is to be beaten, as in the arrays."""
        best = self._upper_bound
        if best >= self._totals.beyond:
            return self._totals.beyond
        return least_float(best) if self._cost_type is np.float64 else ceil(best)

    def _end_with(self, best: float) -> None:
        """End with the cost of the best solution, or the one that was to be beaten, as the bound."""
        has_solution = self.goal is not None or self._cost_found() is not None
        if not has_solution:
            best = min(
                self._upper_bound, best
            )  # of equal numbers the first: that bound is exact, a float may have been rounded
        self.bound, self.ended = max(best, self.bound), True
        self.gave_up = gave_up(best, has_solution)

    def _cost_found(self) -> float | None:
        """The cost of the solution that was just found, if it is known already."""
        return None if self.goal is None else self.goal.g

    def _take_counts(self) -> None:
        stats = self.stats
        counts = self._searches.item()[: len(COUNTS)]
        stats.expanded, stats.generated, stats.duplicates, stats.reopened, stats.pruned, *others = counts
        self.dead_ends, stats.peak_agenda, self.falls = others
        if self.fall is None and self.falls:
            self.fall = self._first_fall()

    def _complain(self) -> NoReturn:
        """Raise the reference engine's error for an invalid cost or estimate."""
        measure = None if self._heuristic is None else self._heuristic.function
        complain(self._domain, self._h, measure, self._current())

    def saved(self) -> SavedState:
        return {"search": {name: int(self._search[name]) for name in self._ints}, **self._saved_nodes()}

    def restore(self, saved: Saved) -> None:
        told = saved.part("search")
        for name in self._ints:
            self._search[name] = told.whole(name)
        self._search.table_is_new = 1
        self._restore_nodes(saved, self._search)
        self._take_counts()


class DoublingSearch(SlicedSearch):
    """A search whose arrays have room for `size` nodes.

    They are doubled when they are full, unless old and new ones together would exceed the limit on memory.
    """

    def __init__(self, domain: Domain, heuristic: Heuristic | None) -> None:
        super().__init__(domain, heuristic)
        self._way_to_goal: list[int] | None = None
        self._size = FIRST_SIZE

    def _begin_with(
        self, fields: tuple[str, ...], totals: tuple[str, ...] = (), reals: tuple[str, ...] = (), *, floats: bool
    ) -> None:
        super()._begin_with(fields, totals, reals, floats=floats)
        self._edge = empty_edge(self._domain, self._cost_type)

    @abstractmethod
    def _way(self) -> list[int]:
        """The actions to the node that was being expanded or was just found to be a goal."""

    @abstractmethod
    def _arrays(self) -> Iterator[Array]:
        """The arrays that grow."""

    @abstractmethod
    def _make_room(self, size: int) -> None:
        """Make room for `size` nodes, keeping the content; the hash table is then empty."""

    def _advance(self, budget: int) -> None:
        super()._advance(budget)
        if self._way_to_goal is not None:  # only at the end, because the path can be long, and better ones may follow
            self.goal = decoded(self._domain, follow(self._domain, self._h, self._way_to_goal))
            if not self.history or self.history[-1].cost != self.goal.g:
                self._note(self.goal.g)
            self._way_to_goal = None

    def _cost_found(self) -> float | None:
        if self._way_to_goal is None or "best" not in self._searches.dtype.names:
            return None
        return self._totals.number(self._search.best)

    def _first_fall(self) -> Node:
        return child_at(self._edge, self._domain, self._h)

    @property
    def fall_from_start(self) -> None:
        return None

    def _current(self) -> Node:
        return follow(self._domain, self._h, self._way())

    def _may_double(self) -> bool:
        """Whether there is memory for the old arrays and the new ones."""
        now = sum(array.nbytes for array in self._arrays())
        limit = self._limits.memory if isinstance(self._limits.memory, int) else inf
        return not (3 * now > limit or 2 * now > available_bytes())

    def _grow(self) -> None:
        if not self._may_double():
            now = sum(array.nbytes for array in self._arrays())
            self.stats.peak_memory = max(self.stats.peak_memory or 0, now)
            self.stopped = "memory"
            return
        self._size *= 2
        self._make_room(self._size)
        self._search.table_is_new = 1

    def saved(self) -> SavedState:
        rows, costs = self._edge
        return {"edge": [*rows, costs], **super().saved()}

    def restore(self, saved: Saved) -> None:
        rows, costs = self._edge
        for array, kept in zip((*rows, costs), saved.items("edge", len(rows) + 1), strict=True):
            is_like_it = isinstance(kept, np.ndarray) and kept.dtype == array.dtype and kept.shape == array.shape
            require(is_like_it, "its inconsistent edge is not described by numbers")
            array[:] = kept
        is_over = self.goal is not None or self.gave_up is not None or self.bound == inf
        require(self.ended is False or is_over, "its end is missing")
        super().restore(saved)

    def _best_known(self) -> float:
        """The cost of the best solution, as in the arrays; infinite without one."""
        return self._best_at_start() if self.goal is None else self._totals.checked(self.goal.g, "the cost")

    def _make_room_for(self, size: int) -> None:
        self._size = doubled(self._size, size)
        self._make_room(self._size)


def refuse_resources(domain: Domain) -> None:
    """Raise InputError for a search that cannot be saved, because it compares states by resources."""
    if domain.resources:
        raise InputError(
            f"a search of {domain.name()} cannot be saved, because the domain declares resources "
            "(with path_cost = 'max', the largest cost so far is one); run the search to the end"
        )
