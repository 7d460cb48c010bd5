"""The driver of depth-first branch and bound."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.compiler.specialise import specialise
from bestfirst.compiled.compiler.state_fields import state_words, words_of_state
from bestfirst.compiled.drivers.memoised_depth_first import MemoisedDepthFirst
from bestfirst.compiled.drivers.slices import DoublingSearch
from bestfirst.compiled.kernels.depth_first_branch_and_bound import (
    ACTION_BITS,
    ACTION_MASK,
    OWN_FIELDS,
    OWN_TOTALS,
    branch_and_bound_slice,
)
from bestfirst.compiled.kernels.slices import FOUND, is_sound
from bestfirst.compiled.store import totals
from bestfirst.compiled.store.growth import grown
from bestfirst.compiled.store.inconsistent_edges import falls_to, note_fall
from bestfirst.compiled.store.saved_values import Saved, require
from bestfirst.compiled.store.state_table import PARTS as STATE_TABLE
from bestfirst.compiled.store.state_table import empty_table
from bestfirst.domain import Domain, single_step
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.search.incumbent import UpperBound
from bestfirst.search.node import Node, root_of

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, SavedState, Search


def depth_first_branch_and_bound(
    domain: Domain, heuristic: Heuristic | None, *, memo: bool = False, **options: Any
) -> DoublingSearch:
    """Depth-first branch and bound on a domain, with a memo or without one."""
    return (MemoisedDepthFirst if memo else DepthFirstBranchAndBound)(domain, heuristic, **options)


class DepthFirstBranchAndBound(DoublingSearch):
    """Depth-first branch and bound on a domain, in slices."""

    def __init__(
        self,
        domain: Domain,
        heuristic: Heuristic | None,
        *,
        incumbent: Any = None,
        upper_bound: float | UpperBound | None = None,
    ) -> None:
        super().__init__(domain, heuristic)
        parts = (*totals.PARTS, *STATE_TABLE, is_sound, falls_to, note_fall)
        self._compiled = specialise(branch_and_bound_slice, domain, self._estimate, parts=parts)
        self._begin_with(OWN_FIELDS, OWN_TOTALS, floats=self._compiled.has_float_costs)
        fields = state_words(domain)
        self._stack: Arrays = (
            tuple(np.zeros(1, np.int64) for _ in fields),
            np.zeros(1, self._cost_type),
            np.zeros(1, self._totals.dtype),
            np.zeros(1, np.int64),
        )
        self._path: Arrays = (
            tuple(np.zeros(1, np.int64) for _ in fields),
            np.zeros(1, np.int32),
            np.zeros(1, np.int64),
            empty_table(1),
        )
        self._make_room(self._size)
        self._put_root()
        self._begin_below(incumbent, upper_bound)
        self._advance(0)  # compiles, before the clock starts

    def _put_root(self) -> None:
        root = self._root
        rows, _costs, totals, _came_by = self._stack
        if root.h == inf:
            return
        for row, word in zip(rows, words_of_state(self._domain, root.state), strict=True):
            row[0] = word
        totals[0] = root.f
        self._search.stack = 1

    def _call(self, budget: int) -> int:
        arguments = self._searches, self._stack, self._path, self._edge, budget
        return int(self._compiled.run(self._compiled.data, *arguments))

    def _react(self, how: int) -> None:
        if how == FOUND:
            self._way_to_goal = self._way()
        else:
            self._end_with(self._totals.number(self._search.best))

    def _way(self) -> list[int]:
        _rows, _slots, actions, _table = self._path
        way: list[int] = actions[1 : self._search.depth + 1].tolist()
        return way

    def _arrays(self) -> Iterator[Array]:
        for rows, *columns in (self._stack, self._path):
            yield from (*rows, *columns)

    def _make_room(self, size: int) -> None:
        rows, *columns = self._stack
        self._stack = tuple(grown(row, size) for row in rows), *(grown(column, size) for column in columns)
        rows, slots, actions, _table = self._path
        self._path = tuple(grown(row, size) for row in rows), grown(slots, size), grown(actions, size), empty_table(size)

    def _saved_nodes(self) -> SavedState:
        size = int(self._search.stack)
        came_by = self._stack[3][:size]
        if not size:
            return {"way": [], "stack": came_by}
        last = int(came_by[-1])
        return {"way": [*self._path[2][1 : last >> ACTION_BITS].tolist(), *_action(last)], "stack": came_by}

    def _restore_nodes(self, saved: Saved, search: Search) -> None:
        """The nodes on the path follow from the actions; those on the stack are their children."""
        if self.ended:
            return
        size, way = saved.length("stack"), saved.wholes("way", self._domain.max_actions - 1)
        came_by = saved.array("stack", np.int64, size)
        require(size > 0 and size == search.stack, "its number of nodes on the stack is wrong")
        path = self._checked_path(way)
        self.bound, self._search.best = self._bound_at_start, self._best_known()
        last = path[-1]
        require([int(came_by[-1])] == [last.depth << ACTION_BITS | (way[-1] if way else 0)], "its current node is wrong")
        on_stack = [last]
        if way:
            on_stack = [*self._siblings(path, way, came_by[:-1].tolist()), last]
        require(len(on_stack) == size, "its stack has nodes that are not children of the path")
        self._make_room_for(max(size + self._domain.max_actions, len(path)) + 1)
        for place, node in enumerate(on_stack):
            self._put(self._stack, place, node)
            self._stack[1][place], self._stack[2][place] = node.g, node.f
        self._stack[3][:size] = came_by
        for place, node in enumerate(path[:-1]):
            self._put(self._path, place, node)
        self._path[2][: len(path)] = [0, *way]
        search.length, search.depth = len(way), len(way)

    def _put(self, columns: Arrays, place: int, node: Node) -> None:
        for row, word in zip(columns[0], words_of_state(self._domain, node.state), strict=True):
            row[place] = word

    def _checked_path(self, way: list[int]) -> list[Node]:
        """The nodes of a path from the start. Raises SavedError for an illegal action, and for a repeated state."""
        path = [root_of(self._domain, self._h)]
        for action in way:
            child = self._child(path[-1], action)
            require(child is not None and all(child.state != node.state for node in path), "its path is impossible")
            assert child is not None
            path.append(child)
        return path

    def _child(self, node: Node, action: int) -> Node | None:
        legal, state, cost = single_step(self._domain)(node.state, action)
        if not legal:
            return None
        child = Node(state, node, action, node.g + cost, node.depth + 1)
        child.h = self._h(state)
        child.f = child.g + child.h
        return child

    def _siblings(self, path: list[Node], way: list[int], came_by: list[int]) -> list[Node]:
        """The nodes on the stack below the last one, from the bottom.

        Those of a depth come after the node on the path, each before the ones below it; and no open one is
        missing. Raises SavedError otherwise.
        """
        found: list[Node] = []
        for depth, (parent, taken, action) in enumerate(zip(path, path[1:], way, strict=False), start=1):
            children = [self._child(parent, other) for other in range(self._domain.max_actions)]
            later = [
                (child.f, other, child)
                for other, child in enumerate(children)
                if child is not None and (child.f, other) > (taken.f, action)
            ]
            later.sort(key=lambda one: one[:2], reverse=True)
            there = {came & ACTION_MASK for came in came_by if came >> ACTION_BITS == depth}
            states = {node.state for node in path[:depth]}
            for f, other, child in later:
                is_wanted = f < self._search.best and child.h < inf and child.state not in states
                require(other in there or not is_wanted, "a node is missing from the stack")
                if other in there:
                    require(child.h < inf and child.state not in states, "its stack has a node that would have been pruned")
                    found.append(child)
        require([node.depth << ACTION_BITS | node.action for node in found] == came_by, "its stack is in the wrong order")
        return found


def _action(came_by: int) -> list[int]:
    """The last action of a path, as a list; empty for the start."""
    return [came_by & ACTION_MASK] if came_by >> ACTION_BITS else []
