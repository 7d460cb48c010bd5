"""Depth-first branch and bound, compiled: the twin of search/depth_first_branch_and_bound.py.

The nodes still to be taken are on one stack, the children of a node in the order of f, the lowest on top. The states on the path
are found by a hash table; they leave it last in first out, so a slot is emptied without harm to those that were filled before.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled import totals
from bestfirst.compiled.arrays import grown
from bestfirst.compiled.best_first import no_estimate
from bestfirst.compiled.falls import falls_to, note_fall
from bestfirst.compiled.idastar import ACTION_BITS, ACTION_MASK
from bestfirst.compiled.saved_values import Saved, require
from bestfirst.compiled.slices import (
    DEAD_ENDS,
    EXPANDED,
    FAULTY,
    FRESH,
    FULL,
    GENERATED,
    OWN,
    PEAK,
    PRUNED,
    STOPPED,
    WAYS,
    SlicedSearch,
    is_sound,
)
from bestfirst.compiled.specialise import specialise
from bestfirst.compiled.state_table import NONE, empty_table, find
from bestfirst.compiled.totals import as_total, is_hopeless, total_of
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.node import Node, root_of
from bestfirst.problem import Domain

if TYPE_CHECKING:
    from bestfirst.compiled.names import LEGAL_FIRST, MAX_ACTIONS, as_self, estimate, is_goal, load, step, store

# Further places of the control array: nodes on the stack and on the path, and the depth of the node that was taken last.
STACK, LENGTH, DEPTH = range(OWN, OWN + 3)

# Further ways in which a slice ends.
BETTER, EXHAUSTED = range(WAYS, WAYS + 2)


def branch_and_bound_slice(data: Any, stack: Any, path: Any, falls: Any, control: Any, best_cost: Any, budget: int) -> int:
    """Search on, for at most `budget` expansions, or to a better goal: how it ended.

    stack: the states, g, f, and depth << ACTION_BITS | the action that led there. path: the states on the path, their slots in
    the table, the actions that led to them, and the table. best_cost: of the best goal, in place 0.
    """
    me = as_self(data)
    rows, costs, totals, came_by = stack
    path_rows, slots, path_actions, table = path
    best = best_cost[0]
    until = control[EXPANDED] + budget
    if control[FRESH]:
        for place in range(control[LENGTH]):
            slots[place] = find(path_rows, table, load(path_rows, place))
            table[slots[place]] = place
        control[FRESH] = 0
    while control[STACK] > 0:
        top = control[STACK] - 1
        depth = came_by[top] >> ACTION_BITS
        while control[LENGTH] > depth:
            control[LENGTH] -= 1
            table[slots[control[LENGTH]]] = NONE
        if totals[top] >= best:
            control[STACK] = top
            control[PRUNED] += 1
            continue
        if top + MAX_ACTIONS >= len(costs) or depth + 1 >= len(slots):
            return FULL
        control[DEPTH] = depth
        path_actions[depth] = came_by[top] & ACTION_MASK
        state = load(rows, top)
        if is_goal(me, state):
            control[STACK] = top
            best_cost[0] = as_total(costs[top])
            return BETTER
        control[PEAK] = max(control[PEAK], depth + 1)
        if control[EXPANDED] >= until:
            return STOPPED
        g, f = costs[top], totals[top]
        store(path_rows, depth, state)
        slots[depth] = find(path_rows, table, state)
        table[slots[depth]] = depth
        control[LENGTH] = depth + 1
        control[STACK] = top
        control[EXPANDED] += 1
        for action in range(MAX_ACTIONS):
            legal, child, cost = step(me, state, action)
            if not legal:
                if LEGAL_FIRST:
                    break
                continue
            h = estimate(me, child)
            if not is_sound(g, cost, h):
                return FAULTY
            control[GENERATED] += 1
            total = total_of(g + cost, h)
            if table[find(path_rows, table, child)] != NONE:
                control[PRUNED] += 1
            elif is_hopeless(h):
                control[PRUNED] += 1
                control[DEAD_ENDS] += 1
            elif total >= best:
                control[PRUNED] += 1
            else:
                if falls_to(f, total):
                    note_fall(falls, state, g, child, g + cost)
                place = control[STACK]
                while place > top and totals[place - 1] <= total:  # those before it stay above it
                    store(rows, place, load(rows, place - 1))
                    costs[place], totals[place], came_by[place] = costs[place - 1], totals[place - 1], came_by[place - 1]
                    place -= 1
                store(rows, place, child)
                costs[place], totals[place] = g + cost, total
                came_by[place] = (depth + 1) << ACTION_BITS | action
                control[STACK] += 1
    return EXHAUSTED


class DepthFirstBranchAndBound(SlicedSearch):
    """Depth-first branch and bound on a domain, in slices."""

    def __init__(self, domain: Domain, heuristic: Heuristic | None) -> None:
        compiled = specialise(
            branch_and_bound_slice,
            domain,
            heuristic.function if heuristic else no_estimate,
            parts=(*totals.PARTS, find, is_sound, falls_to, note_fall),
        )
        super().__init__(domain, heuristic, compiled, DEPTH + 1)
        fields = domain.State._fields
        self._stack: tuple[Any, ...] = (
            tuple(np.zeros(1, np.int64) for _ in fields),
            np.zeros(1, self._cost_type),
            np.zeros(1, self._totals.dtype),
            np.zeros(1, np.int64),
        )
        self._path: tuple[Any, ...] = (
            tuple(np.zeros(1, np.int64) for _ in fields),
            np.zeros(1, np.int32),
            np.zeros(1, np.int64),
            empty_table(1),
        )
        self._best_cost = np.full(1, self._totals.beyond, self._totals.dtype)
        self._make_room(self._size)
        self._put_root()
        self._advance(0)  # compiles, before the clock starts

    def _put_root(self) -> None:
        root = self._root
        rows, _costs, totals, _came_by = self._stack
        self._control[GENERATED] = 1
        self.bound = root.f
        if root.h == inf:
            self._control[DEAD_ENDS] = 1
            return
        for row, value in zip(rows, root.state, strict=True):
            row[0] = value
        totals[0] = root.f
        self._control[STACK] = 1

    def _call(self, budget: int) -> int:
        how = self._compiled.run(
            self._compiled.data, self._stack, self._path, self._falls.arrays, self._control, self._best_cost, budget
        )
        return int(how)

    def _react(self, how: int) -> None:
        if how == BETTER:
            self._way_to_goal = self._way()
        else:
            self.bound, self.ended = max(self.bound, self._totals.number(self._best_cost[0])), True

    def _way(self) -> list[int]:
        _rows, _slots, actions, _table = self._path
        way: list[int] = actions[1 : self._control[DEPTH] + 1].tolist()
        return way

    def _arrays(self) -> Iterator[Any]:
        for rows, *columns in (self._stack, self._path):
            yield from (*rows, *columns)

    def _make_room(self, size: int) -> None:
        rows, *columns = self._stack
        self._stack = tuple(grown(row, size) for row in rows), *(grown(column, size) for column in columns)
        rows, slots, actions, _table = self._path
        self._path = tuple(grown(row, size) for row in rows), grown(slots, size), grown(actions, size), empty_table(size)

    def _saved_nodes(self) -> dict[str, Any]:
        size = int(self._control[STACK])
        came_by = self._stack[3][:size]
        if not size:
            return {"way": [], "stack": came_by}
        last = int(came_by[-1])
        return {"way": [*self._path[2][1 : last >> ACTION_BITS].tolist(), *_action(last)], "stack": came_by}

    def _restore_nodes(self, saved: Saved, control: Any) -> None:
        """The nodes on the path follow from the actions, and those on the stack are children of theirs."""
        if self.ended:
            return
        size, way = saved.length("stack"), saved.wholes("way", self._domain.max_actions - 1)
        came_by = saved.array("stack", np.int64, size)
        require(size > 0 and size == control[STACK], "it does not say how many nodes are on the stack")
        path = self._checked_path(way)
        self.bound, self._best_cost[0] = path[0].f, self._best_known()
        last = path[-1]
        require([int(came_by[-1])] == [last.depth << ACTION_BITS | (way[-1] if way else 0)], "it stands at another node")
        on_stack = [last]
        if way:
            on_stack = [*self._siblings(path, way, came_by[:-1].tolist()), last]
        require(len(on_stack) == size, "nodes are on the stack that no node on the path has made")
        self._make_room_for(max(size + self._domain.max_actions, len(path)) + 1)
        for place, node in enumerate(on_stack):
            self._put(self._stack, place, node)
            self._stack[1][place], self._stack[2][place] = node.g, node.f
        self._stack[3][:size] = came_by
        for place, node in enumerate(path[:-1]):
            self._put(self._path, place, node)
        self._path[2][: len(path)] = [0, *way]
        control[LENGTH], control[DEPTH] = len(way), len(way)

    @staticmethod
    def _put(columns: tuple[Any, ...], place: int, node: Node) -> None:
        for row, value in zip(columns[0], node.state, strict=True):
            row[place] = value

    def _checked_path(self, way: list[int]) -> list[Node]:
        """The nodes of a path from the start. Raises SavedError for an action that is not legal, and for a state met twice."""
        path = [root_of(self._domain, self._h)]
        for action in way:
            child = self._child(path[-1], action)
            require(child is not None and all(child.state != node.state for node in path), "its path cannot be")
            assert child is not None
            path.append(child)
        return path

    def _child(self, node: Node, action: int) -> Node | None:
        legal, state, cost = self._domain.step(node.state, action)
        if not legal:
            return None
        child = Node(state, node, action, node.g + cost, node.depth + 1)
        child.h = self._h(state)
        child.f = child.g + child.h
        return child

    def _siblings(self, path: list[Node], way: list[int], came_by: list[int]) -> list[Node]:
        """The nodes on the stack below the last one, from the bottom.

        Those of a depth come after the node on the path, each before the ones below it; and none of them that is still wanted is
        missing. Raises SavedError where that is not so.
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
                is_wanted = f < self._best_cost[0] and child.h < inf and child.state not in states
                require(other in there or not is_wanted, "a node is missing on the stack")
                if other in there:
                    require(child.h < inf and child.state not in states, "a node is on the stack that is not wanted")
                    found.append(child)
        require([node.depth << ACTION_BITS | node.action for node in found] == came_by, "the stack is in another order")
        return found


def _action(came_by: int) -> list[int]:
    """The last action of a path; none for the start."""
    return [came_by & ACTION_MASK] if came_by >> ACTION_BITS else []
