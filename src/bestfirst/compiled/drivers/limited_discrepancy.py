"""The driver of limited-discrepancy search."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from bestfirst.compiled.drivers.memoised_depth_first import MemoisedDepthFirst
from bestfirst.compiled.kernels.anytime_beam import OPEN
from bestfirst.compiled.kernels.slices import FOUND
from bestfirst.errors import InputError
from bestfirst.search.incumbent import UpperBound
from bestfirst.solution import Iteration

if TYPE_CHECKING:
    from typing import Any

    from bestfirst.compiled.store.aliases import SavedState


class LimitedDiscrepancy(MemoisedDepthFirst):
    """Limited-discrepancy search on a domain, in slices."""

    _by_discrepancies = True

    def _begin_below(self, incumbent: Any, upper_bound: float | UpperBound | None) -> None:
        super()._begin_below(incumbent, upper_bound)
        search = self._search
        if self._root.f >= self._totals.number(search.best):
            self.dead_ends = int(self._root.h == inf)
            self._end_with(self._totals.number(search.best))
        else:
            search.proved = self._root.f
            self._start_iteration()

    def _start_iteration(self) -> None:
        self.stats.iterations.append(Iteration(len(self.stats.iterations)))
        self._note()

    def _react(self, how: int) -> None:
        if how == FOUND:
            self._way_to_goal = self._way()
            return
        search = self._search
        search.proved = max(search.proved, min(search.best, self._lowest_waiting()))
        if search.proved >= search.best:
            self._end_with(self._totals.number(search.best))
            return
        self.bound = max(self.bound, self._totals.number(search.proved))
        self._stack, self._waiting = self._waiting, self._stack
        search.stack, search.waiting = search.waiting, 0
        self._start_iteration()

    def _lowest_waiting(self) -> Any:
        """The lowest f of the open nodes that wait for the next iteration."""
        places, totals = (column[: self._search.waiting] for column in self._waiting)
        is_open = self._marks[places] == OPEN
        return totals[is_open].min() if is_open.any() else self._totals.beyond

    def _take_counts(self) -> None:
        expanded, generated = self.stats.expanded, self.stats.generated
        super()._take_counts()
        row = self.stats.iterations[-1]
        row.expanded += self.stats.expanded - expanded
        row.generated += self.stats.generated - generated

    def saved(self) -> SavedState:
        """Refuse: raises InputError."""
        raise InputError(
            "a search by limited-discrepancy cannot be saved; run it to the end, or use depth-first-branch-and-bound with "
            "memo=True"
        )
