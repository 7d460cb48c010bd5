"""The drivers of task searches with preferred operators: lazy greedy, lazy anytime, and greedy search with two queues."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, inf
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.compiler.machine_code import Kept
from bestfirst.compiled.kernels.slices import FOUND
from bestfirst.compiled.store.growth import grown
from bestfirst.compiled.store.heap import Heap
from bestfirst.compiled.store.open_list import Wanted
from bestfirst.compiled.tasks import lazy, preferring_greedy, two_queues
from bestfirst.compiled.tasks.driver import GraphSearch, TaskSearch
from bestfirst.compiled.tasks.lazy import BEYOND
from bestfirst.compiled.tasks.nodes import LOW, costs_of, new_nodes, new_table
from bestfirst.errors import InputError, NotCompilableError
from bestfirst.heuristics.naming import find_heuristic
from bestfirst.search.incumbent import UpperBound, gave_up, incumbent_of
from bestfirst.search.lazy_anytime import WEIGHTS, checked_weights
from bestfirst.search.node import Node
from bestfirst.search.open_list import check_ties
from bestfirst.search.preferred import BOOST
from bestfirst.solution import Iteration

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, Template
    from bestfirst.planning.task import Task

FIRST_NODES = 1 << 12
MOST_WEIGHT = 1 << 20
"""The greatest weight whose products with estimates are exact as floats."""
NONE = -1


def new_room(task: Task, tree: Array, words: int) -> Arrays:
    """Room for an expansion: (values, operators, forks, words, marks, names). names: the first operator with the same name."""
    operators = len(task.operators) + 1
    first: dict[str, int] = {}
    names = [first.setdefault(operator.name, number) for number, operator in enumerate(task.operators)]
    return (
        np.zeros(len(task.variables) + 1, np.int32),
        np.zeros(operators, np.int64),
        np.zeros(len(tree) // 3 + 1, np.int64),
        np.zeros(words, np.int64),
        np.zeros(operators, np.int64),
        np.array([*names, 0], np.int64),
    )


class _PreferringSearch(GraphSearch):
    """What these searches have in common: nodes and two heaps, from the start on, and their growth."""

    def __init__(
        self,
        task: Task,
        heuristic: str | None,
        template: Template,
        parts: Sequence[Template],
        fields: tuple[str, ...],
        *,
        lifo: bool = False,
    ) -> None:
        super().__init__(task, heuristic, template, parts, fields, constants=two_queues.heap_constants(lifo=lifo))
        self._room = Kept(new_room(task, self._tables.arrays[1], self._tables.words))
        self._most_children = len(task.operators)
        self._take_counts()

    def _begin_at_root(self) -> None:
        """Empty arrays, with the number 0 waiting for the root, unless that is a dead end."""
        search = self._search
        self._nodes = Kept(new_nodes(self._tables.words, FIRST_NODES))
        self._table = new_table(FIRST_NODES)
        heap, other = Heap(), Heap()
        self._heaps = heap, other
        search.nodes = search.open = search.turns = search.preferred_turns = search.table_is_new = 0
        search.capacity, search.pending, search.lowest = FIRST_NODES, NONE, BEYOND
        self._room[3][:] = self._tables.packed(self._root.state)
        if self._root.h < inf:
            search.open = 1
            heap.fill(np.zeros(1), np.zeros(1), np.zeros(1, np.int64))

    def _grow(self) -> None:
        most = self._most_children
        for heap in self._heaps:
            if len(heap) + most + 2 * 3 >= len(heap.arrays[0]) and self._may_grow(heap.arrays):
                heap.grow(Wanted(0, 0, most))
        self._grow_nodes(most)

    def _arrays(self) -> Iterator[Array]:
        yield from (*self._nodes, self._table, *self._heaps[0].arrays, *self._heaps[1].arrays)

    @property
    def bytes(self) -> int:
        return self._tables.bytes + sum(int(array.nbytes) for array in self._arrays())

    @property
    def _open(self) -> tuple[Arrays, Arrays]:
        return self._heaps[0].arrays, self._heaps[1].arrays

    def _goal_found(self) -> Node:
        """The goal, with its path and the estimates that the search made."""
        rows, parents, operators, _waits = self._nodes
        width, place, way = self._tables.words, int(self._search.place), []
        while place > 0:
            way.append((int(operators[place]), int(rows[place * (width + 1) + width]) & LOW))
            place = int(parents[place])
        return self._followed(reversed(way))

    def _react(self, how: int) -> None:
        self.ended = True
        if how == FOUND:
            self.goal = self._goal_found()
        else:
            self.bound = inf


class _LazySearch(_PreferringSearch):
    """A lazy search, which begins again with another order where an algorithm has several."""

    def __init__(self, task: Task, heuristic: str | None, *, preferred: bool = True) -> None:
        super().__init__(task, heuristic, lazy.lazy_slice, lazy.PARTS, lazy.OWN_FIELDS)
        self._search.prefers = int(preferred and self._evaluator.prefers)
        self._search.best = BEYOND
        self._begin_with((0, 1, 1), reopens=False)

    def _begin(self) -> None:
        self._search.open = int(self._root.h < inf)

    def _begin_with(self, order: tuple[float, float, float], *, reopens: bool) -> None:
        """Begin a search from the start. order: see store/heap.py."""
        self._begin_at_root()
        self._order = Kept(map(float, order))
        self._entries: Arrays = Kept(np.zeros(FIRST_NODES, kind) for kind in (np.int32, np.int32, np.uint8))
        self._search.reopens, self._search.entries = int(reopens), 1
        self._entries[0][0] = self._entries[1][0] = NONE
        self._entries[2][0] = 1

    def _arguments(self) -> tuple[object, ...]:
        nodes = self._nodes, self._table, self._entries
        return (self._searches, self._tables.arrays, *nodes, self._open, self._order, self._evaluation, self._room)

    def _arrays(self) -> Iterator[Array]:
        yield from (*super()._arrays(), *self._entries)

    def _grow(self) -> None:
        super()._grow()
        needed = self._search.entries + self._most_children
        if self.stopped is None and needed > len(self._entries[0]) and self._may_grow(self._entries):
            size = max(2 * len(self._entries[0]), int(needed))
            self._entries = Kept(grown(column, size) for column in self._entries)


class LazyGreedy(_LazySearch):
    """The twin of search/lazy_greedy.py."""


class LazyAnytime(_LazySearch):
    """The twin of search/lazy_anytime.py."""

    def __init__(
        self,
        task: Task,
        heuristic: str | None,
        *,
        weights: Sequence[float] = WEIGHTS,
        preferred: bool = True,
        incumbent: Any = None,
        upper_bound: float | UpperBound | None = None,
    ) -> None:
        self._weights = checked_weights(weights)
        if max(self._weights) > MOST_WEIGHT:
            raise NotCompilableError(f"a weight is {max(self._weights):,}; use at most {MOST_WEIGHT:,}, or engine='python'")
        self._before = (0, 0)
        super().__init__(task, heuristic, preferred=preferred)
        is_bound = heuristic is None or find_heuristic(task, heuristic).admissible is True
        self._search.is_bound = int(is_bound)
        self._below = UpperBound.of(upper_bound)
        self._best = self._below.cost
        known = incumbent_of(task, incumbent, self._h)
        if known is not None and known.g < self._best:
            self.goal, self._best = known, known.g

    def _begin(self) -> None:
        self._provable = self._root.f if self._search.is_bound else 0
        if self.goal is not None:
            self.bound = min(self._provable, self._best)
            self._note(self._best)
        self._begin_iteration(0)

    def _begin_iteration(self, number: int) -> None:
        self._number = number
        weight = self._weights[number - 1] if number else inf
        self.bound = max(self.bound, min(self._provable, self._best))
        self.stats.iterations.append(Iteration(weight))
        self._before = self.stats.expanded, self.stats.generated
        self._note()
        self._tell_best()
        self._begin_with((1, weight, 1) if number else (0, 1, 1), reopens=number > 0)

    def _tell_best(self) -> None:
        """Tell the kernel the cost that is to be beaten."""
        self._search.best = BEYOND if self._best == inf else min(ceil(self._best), BEYOND - 1)

    def _look_at_others(self) -> None:
        if self._below.cost < self._best:
            self._best = self._below.cost
            self._tell_best()

    def _take_counts(self) -> None:
        super()._take_counts()
        if self.stats.iterations:
            row, (expanded, generated) = self.stats.iterations[-1], self._before
            row.expanded, row.generated = self.stats.expanded - expanded, self.stats.generated - generated

    def _react(self, how: int) -> None:
        if how == FOUND:
            self.goal = self._goal_found()
            self._best = self.goal.g
            self.bound = max(self.bound, min(self._provable, self._best))
            self._note(self._best)
            if self._number < len(self._weights):
                self._begin_iteration(self._number + 1)
        elif self._number > 0 or self._best == inf:
            self.bound, self.ended = max(self.bound, self._best), True
            self.gave_up = gave_up(self._best, self.goal is not None)
        else:
            self._begin_iteration(1)


class PreferringGreedy(_PreferringSearch):
    """The twin of search/greedy.py with preferred=True."""

    def __init__(self, task: Task, heuristic: str | None, *, ties: str = "fifo") -> None:
        check_ties(ties)
        kernel, fields = preferring_greedy.preferring_greedy_slice, preferring_greedy.OWN_FIELDS
        super().__init__(task, heuristic, kernel, preferring_greedy.PARTS, fields, lifo=ties == "lifo")
        if not self._evaluator.prefers:
            raise InputError(f"preferred is True, but the heuristic {heuristic!r} has no preferred actions; omit preferred")
        self._begin_at_root()
        self._order = Kept((0.0, 1.0, 1.0))

    def _begin(self) -> None:
        self._search.open = int(self._root.h < inf)
        if self._root.h < inf:
            search, width, h = self._search, self._tables.words, int(self._root.h)
            rows, parents, operators, waits = self._nodes
            rows[:width], rows[width] = self._tables.packed(self._root.state), costs_of(0, h, 0)
            parents[0] = operators[0] = NONE
            waits[0] = search.nodes = search.table_is_new = 1
            search.lowest, search.preferred_turns = h, -BOOST

    def _arguments(self) -> tuple[object, ...]:
        nodes = self._nodes, self._table
        return (self._searches, self._tables.arrays, *nodes, self._open, self._order, self._evaluation, self._room)


def greedy(task: Task, heuristic: str | None, *, ties: str = "fifo", preferred: bool = False) -> TaskSearch:
    """Greedy search, with or without preferred operators."""
    if preferred:
        return PreferringGreedy(task, heuristic, ties=ties)
    from bestfirst.compiled.tasks import best_first_driver  # noqa: PLC0415  (one of the two is enough)

    return best_first_driver.greedy(task, heuristic, ties=ties)
