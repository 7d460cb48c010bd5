"""The driver of best-first search of tasks: A*, weighted A*, uniform-cost and greedy search."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.machine_code import Kept
from bestfirst.compiled.kernels.slices import FOUND
from bestfirst.compiled.tasks.best_first import (
    OWN_FIELDS,
    OWN_REALS,
    OWN_TOTALS,
    PARTS,
    best_first_slice,
    new_room,
)
from bestfirst.compiled.tasks.driver import GraphSearch
from bestfirst.compiled.tasks.nodes import LOW, WAITING, costs_of, new_nodes, new_table
from bestfirst.compiled.tasks.open_list import AT_END, AT_FRONT, enter, grown_agenda, new_agenda, primary_key
from bestfirst.errors import NotCompilableError
from bestfirst.search.node import Node
from bestfirst.search.open_list import check_ties
from bestfirst.search.weighted_astar import bound_of, check_weight

if TYPE_CHECKING:
    from bestfirst.planning.task import Task

FIRST_NODES, FIRST_BUCKETS = 1 << 12, 1 << 8
MOST_WEIGHT = 1 << 30
"""The greatest int weight: its products with estimates fit into 64 bits."""


class TaskBestFirst(GraphSearch):
    """Best-first search on a task.

    order: the factors of g and h in the first key, and that of h in the second one; a float h factor makes keys floats.
    proves: whether g / weight + h of the node that leaves is a lower bound on the cost of every solution.
    """

    def __init__(
        self,
        task: Task,
        heuristic: str | None,
        *,
        order: tuple[int, float, int],
        ties: str = "fifo",
        reopen: bool = True,
        proves: bool = True,
        weight: float = 1,
    ) -> None:
        check_ties(ties)
        if isinstance(weight, int) and weight > MOST_WEIGHT:
            raise NotCompilableError(f"weight is {weight:,}; use at most {MOST_WEIGHT:,}, or engine='python'")
        super().__init__(task, heuristic, best_first_slice, PARTS, OWN_FIELDS, OWN_TOTALS, OWN_REALS)
        self._proves, self._weight = proves, weight
        g_first, h_first, h_second = order
        is_float = isinstance(h_first, float)
        end = AT_END if ties == "fifo" else AT_FRONT
        factors = (g_first, 0 if is_float else h_first, h_second)
        self._order = np.array([*factors, is_float, self._tables.words, reopen, end], np.int64)
        self._room = Kept(new_room(self._tables))
        self._nodes = Kept(new_nodes(self._tables.words, FIRST_NODES))
        self._table = new_table(FIRST_NODES)
        self._agenda = Kept(new_agenda(FIRST_BUCKETS))
        search, rows = self._search, self._nodes[0]
        rows[: self._tables.words] = self._tables.packed(task.initial)
        search.weight, search.unpacked, search.table_is_new = float(weight), -1, 0
        search.capacity, search.bucket_capacity = FIRST_NODES, FIRST_BUCKETS
        self._take_counts()

    def _begin(self) -> None:
        """Put the root on the agenda, unless it is a dead end."""
        search, root = self._search, self._root
        if root.h == inf:
            return
        rows, parents, operators, nexts = self._nodes
        h = int(root.h)
        rows[self._tables.words] = costs_of(0, h, WAITING)
        parents[0] = operators[0] = -1
        search.nodes = search.open = search.table_is_new = 1
        first = primary_key(self._order, search.weight, self._agenda, 0, h)
        enter(search, self._agenda, nexts, 0, first, self._order[2] * h, AT_END)

    def _arguments(self) -> tuple[object, ...]:
        task, room = self._tables.arrays, self._room
        return (self._searches, task, self._nodes, self._table, self._agenda, self._evaluation, room, self._order)

    def _grow(self) -> None:
        search = self._search
        needs = len(self._room[1])  # at most so many children
        if search.buckets + needs > search.bucket_capacity and self._may_grow(self._agenda[:3]):
            while search.buckets + needs > search.bucket_capacity:
                search.bucket_capacity *= 2
            self._agenda = Kept(grown_agenda(self._agenda, int(search.bucket_capacity), int(search.buckets)))
        self._grow_nodes(needs)

    @property
    def bytes(self) -> int:
        arrays = (*self._nodes, self._table, *self._agenda)
        return self._tables.bytes + sum(int(array.nbytes) for array in arrays)

    def _take_counts(self) -> None:
        super()._take_counts()
        search = self._search
        if self._proves:
            self.bound = int(search.proved) if self._weight == 1 else float(search.bound)
        if self.fall is None and self.falls:
            self.fall = self._fall()

    def _react(self, how: int) -> None:
        self.ended = True
        if how != FOUND:
            self.bound = inf
            return
        self.goal = goal = self._node(int(self._search.place))
        if self._proves:
            found = goal.g
            if self._weight != 1:
                found = max(bound_of(goal.g, goal.h, self._weight), min(goal.g, int(self._search.lowest)))
            self.bound = max(self.bound, found)

    def _node(self, place: int) -> Node:
        """A node with its path."""
        parents, way = self._nodes[1], []
        while place > 0:
            way.append(self._step_to(place))
            place = int(parents[place])
        return self._followed(reversed(way))

    def _step_to(self, place: int) -> tuple[int, int]:
        """The operator that led to a node, and its estimate."""
        rows, _parents, operators, _nexts = self._nodes
        width = self._tables.words
        return int(operators[place]), int(rows[place * (width + 1) + width]) & LOW

    def _fall(self) -> Node:
        """The child at the first inconsistent edge."""
        start, end = int(self._search.fall_from), int(self._search.fall_to)
        return self._followed([self._step_to(end)], self._node(start))


def astar(task: Task, heuristic: str | None, *, ties: str = "fifo") -> TaskBestFirst:
    """A*: the twin of search/astar.py."""
    return TaskBestFirst(task, heuristic, order=(1, 1, 1), ties=ties)


def uniform_cost(task: Task, heuristic: str | None, *, ties: str = "fifo") -> TaskBestFirst:
    """Uniform-cost search: the twin of search/uniform_cost.py."""
    return TaskBestFirst(task, heuristic, order=(1, 0, 0), ties=ties)


def greedy(task: Task, heuristic: str | None, *, ties: str = "fifo") -> TaskBestFirst:
    """Greedy search: the twin of search/greedy.py."""
    return TaskBestFirst(task, heuristic, order=(0, 1, 0), ties=ties, reopen=False, proves=False)


def weighted_astar(task: Task, heuristic: str | None, *, weight: float = 1.5, ties: str = "fifo") -> TaskBestFirst:
    """Weighted A*: the twin of search/weighted_astar.py."""
    check_weight(weight)
    return TaskBestFirst(task, heuristic, order=(1, weight, 1), ties=ties, weight=weight)
