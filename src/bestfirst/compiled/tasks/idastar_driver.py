"""The driver of IDA* on tasks."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.machine_code import Kept
from bestfirst.compiled.kernels.slices import FOUND
from bestfirst.compiled.store.growth import grown
from bestfirst.compiled.tasks.driver import TaskSearch
from bestfirst.compiled.tasks.idastar import NEVER, OWN_FIELDS, PARTS, idastar_slice
from bestfirst.search.idastar import Order, check_order
from bestfirst.search.node import Node
from bestfirst.solution import Iteration

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays
    from bestfirst.planning.task import Task

FIRST_PATH, FIRST_UNTRIED = 1 << 8, 1 << 10


class TaskIDAStar(TaskSearch):
    """IDA* on a task. order: of children, as in search/idastar.py."""

    def __init__(self, task: Task, heuristic: str | None, *, order: Order = "given") -> None:
        check_order(order)
        super().__init__(task, heuristic, idastar_slice, PARTS, OWN_FIELDS)
        _fields, tree, patch_ends, *_others = self._tables.arrays
        self._room = Kept(
            (
                np.zeros(len(task.variables) + 1, np.int32),
                np.zeros(len(patch_ends), np.int64),
                np.zeros(len(tree) // 3 + 1, np.int64),
                np.array([self._tables.words], np.int64),
            )
        )
        self._path: Arrays = Kept(np.zeros(FIRST_PATH * width, np.int64) for width in (self._tables.words, *[1] * 7))
        self._untried: Arrays = Kept(np.zeros(FIRST_UNTRIED, np.int64) for _ in range(2))
        self._search.by_f = int(order == "f")
        self._path[0][: self._tables.words] = self._tables.packed(self._root.state)
        self._take_counts()

    def _begin(self) -> None:
        self._begin_iteration(self._root.f)

    def _begin_iteration(self, bound: float) -> None:
        stats, search = self.stats, self._search
        self.bound = bound
        if bound == inf:
            self.ended = True
            return
        self._before = stats.expanded, stats.generated
        stats.iterations.append(Iteration(int(bound)))
        self._note()
        if self._task.is_goal(self._root.state):
            self.goal, self.ended = self._root, True
            self._note(self.goal.g)
            return
        self._path[2][0], search.bound = self._root.h, bound
        search.next_bound = search.repeated = NEVER
        search.depth = search.worthwhile = 0
        search.waits = 1

    def _arguments(self) -> tuple[object, ...]:
        return (self._searches, self._tables.arrays, self._path, self._untried, self._evaluation, self._room)

    def _grow(self) -> None:
        depth, needs = int(self._search.depth), len(self._room[1])  # at most so many operators
        if depth + 2 > len(self._path[1]) and self._may_grow(self._path):
            self._path = Kept(grown(array, 2 * len(array)) for array in self._path)
        needed = needs + (int(self._path[5][depth - 1]) if depth else 0)
        if self.stopped is None and needed > len(self._untried[0]) and self._may_grow(self._untried):
            size = max(needed, 2 * len(self._untried[0]))
            self._untried = Kept(grown(array, size) for array in self._untried)

    @property
    def bytes(self) -> int:
        return self._tables.bytes + sum(int(array.nbytes) for array in (*self._path, *self._untried))

    def _take_counts(self) -> None:
        super()._take_counts()
        stats = self.stats
        if stats.iterations:
            row, (expanded, generated) = stats.iterations[-1], self._before
            row.expanded, row.generated = stats.expanded - expanded, stats.generated - generated
        if self.fall is None and self.falls:
            self.fall = self._end_of(*self._path[6:], depth=int(self._search.fall_depth))

    def _react(self, how: int) -> None:
        if how == FOUND:
            _states, _gs, hs, operators, *_others = self._path
            self.goal, self.ended = self._end_of(operators, hs, depth=int(self._search.depth)), True
        elif self._search.worthwhile:
            self._begin_iteration(int(self._search.next_bound))
        else:
            self.bound, self.ended = inf, True

    def _end_of(self, operators: Array, hs: Array, *, depth: int) -> Node:
        """The last node of a path, given by the operator and h of each node."""
        return self._followed(zip(operators[1 : depth + 1].tolist(), hs[1 : depth + 1].tolist(), strict=True))
