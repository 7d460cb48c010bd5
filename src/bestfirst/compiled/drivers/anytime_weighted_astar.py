"""The driver of anytime weighted A*."""

from __future__ import annotations

from math import inf
from types import ModuleType
from typing import TYPE_CHECKING, Any

from bestfirst.compiled.drivers.best_first import BestFirst
from bestfirst.compiled.kernels import prefetch
from bestfirst.compiled.kernels.best_first import (
    AT,
    CHILDREN,
    FOUND,
)
from bestfirst.compiled.store.buckets import Wanted
from bestfirst.compiled.store.heap import Heap
from bestfirst.compiled.store.saved_values import Saved, require
from bestfirst.domain import Domain
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.search.weighted_astar import check_weight

if TYPE_CHECKING:
    pass


from bestfirst.compiled.kernels.anytime_weighted_astar import anytime_slice, enter_both, lowest_waiting


class AnytimeWeightedAStar(BestFirst):
    """Anytime weighted A* on a domain, in slices."""

    def __init__(self, domain: Domain, heuristic: Heuristic | None, *, weight: float = 2.0, ties: str = "fifo") -> None:
        check_weight(weight)
        super().__init__(domain, heuristic, order=(1, weight, 1), ties=ties)

    def _suits_buckets(self) -> bool:
        return False

    @property
    def _expansions(self) -> ModuleType:
        return prefetch

    def _template(self) -> tuple[Any, tuple[Any, ...]]:
        return anytime_slice, (lowest_waiting, enter_both)

    def _begin(self) -> None:
        self._by_f = Heap(lifo=False, wide=self._is_wide)
        super()._begin()

    def _special_arguments(self) -> tuple[Any, ...]:
        return (self._by_f.arrays,)

    def _advance(self, budget: int) -> None:
        before = self.stats.expanded
        while self._go_on(budget - (self.stats.expanded - before)) == FOUND:
            pass

    def _take_goal(self) -> None:
        self.goal = self._node(int(self._control[AT]))

    def _take_end(self) -> None:
        self.bound, self.ended = inf if self.goal is None else self.goal.g, True

    def _grow_agenda(self) -> None:
        wanted = Wanted(0, 0, int(self._control[CHILDREN]))
        if self._agenda.bytes_to_grow(wanted) + self._by_f.bytes_to_grow(wanted) > self._memory_left():
            self.stopped = "memory"
        else:
            self._agenda.grow(wanted)
            self._by_f.grow(wanted)

    @property
    def bytes(self) -> int:
        return super().bytes + self._by_f.bytes

    def _heap_by_f(self) -> Heap:
        self._by_f = Heap(lifo=False, wide=self._is_wide)
        return self._by_f

    def _best_cost(self, saved: Saved) -> float:
        best = saved.number("best")
        if self.goal is None:
            require(best == inf, "it has the cost of a solution, but no solution")
            return self._totals.beyond
        require(best == self.goal.g, f"its solution costs {self.goal.g}, not {best}")
        return self._totals.checked(self.goal.g, "best")

    def _search_again_for_the_end(self) -> None:
        self.bound, self.ended = 0, False
        self._take_counts()
