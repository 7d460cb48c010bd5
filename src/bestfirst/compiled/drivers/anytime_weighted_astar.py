"""The driver of anytime weighted A*."""

from __future__ import annotations

from math import inf
from types import ModuleType
from typing import TYPE_CHECKING, Any

from bestfirst.compiled.drivers.best_first import BestFirst
from bestfirst.compiled.kernels import prefetch
from bestfirst.compiled.kernels.anytime_weighted_astar import anytime_slice, lowest_waiting
from bestfirst.compiled.store.heap import Heap
from bestfirst.compiled.store.open_list import Wanted
from bestfirst.compiled.store.saved_values import Saved, require
from bestfirst.domain import Domain
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.search.incumbent import UpperBound
from bestfirst.search.weighted_astar import check_weight, exact_weight

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Arrays, Template


class AnytimeWeightedAStar(BestFirst):
    """Anytime weighted A* on a domain, in slices."""

    def __init__(
        self,
        domain: Domain,
        heuristic: Heuristic | None,
        *,
        weight: float = 2.0,
        ties: str = "fifo",
        incumbent: Any = None,
        upper_bound: float | UpperBound | None = None,
    ) -> None:
        check_weight(weight)
        self._begins_with = incumbent, upper_bound
        super().__init__(domain, heuristic, order=(1, exact_weight(weight), 1), ties=ties)

    @property
    def _expansions_of(self) -> ModuleType:
        return prefetch

    def _template(self) -> tuple[Template, tuple[Template, ...]]:
        return anytime_slice, (lowest_waiting,)

    def _begin(self) -> None:
        self._agenda.has_buckets = False
        self._by_f = self._agenda.new_heap()
        super()._begin()
        self._begin_below(*self._begins_with)

    def _own_argument(self) -> Arrays:
        return self._by_f.arrays

    def _take_goal(self) -> None:
        self.goal = self._node(int(self._search.place))

    def _take_end(self) -> None:
        self._end_with(inf if self.goal is None else min(self.goal.g, self._upper_bound))

    def _bytes_to_grow(self, wanted: Wanted) -> int:
        return super()._bytes_to_grow(wanted) + self._by_f.bytes_to_grow(wanted)

    def _grow_heaps(self, wanted: Wanted) -> None:
        super()._grow_heaps(wanted)
        self._by_f.grow(wanted)

    @property
    def bytes(self) -> int:
        return super().bytes + self._by_f.bytes

    def _heap_by_f(self) -> Heap:
        self._by_f = self._agenda.new_heap()
        return self._by_f

    def _best_cost(self, saved: Saved) -> float:
        best = saved.number("best")
        if self.goal is None:
            at_start = self._best_at_start()
            require(min(best, self._totals.beyond) == at_start, "it has the cost of a solution, but no solution")
            return at_start
        require(best == self.goal.g, f"its solution costs {self.goal.g}, not {best}")
        return self._totals.checked(self.goal.g, "best")

    def _search_again_for_the_end(self) -> None:
        self.bound, self.ended = 0, False
        self._take_counts()
