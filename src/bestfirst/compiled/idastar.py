"""IDA*, compiled: the twin of search/idastar.py.

All children of a node are put on one explicit stack at once, the first one on top. So they leave in the order of the
reference engine, which makes them one at a time; children that it would not have made yet are taken off the counts when
a run stops (see IDAStar._settle).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.driver import CompiledDriver
from bestfirst.compiled.specialise import specialise
from bestfirst.errors import ProblemError
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.node import Node, expand, root_of
from bestfirst.problem import Domain
from bestfirst.search.idastar import closes_a_zero_cycle, meets_a_state_twice
from bestfirst.solution import Iteration

if TYPE_CHECKING:
    from bestfirst.compiled.names import (
        FIELDS,
        HAS_INVERSE,
        INVERSE,
        MAX_ACTIONS,
        UNIT_COST,
        as_self,
        estimate,
        is_goal,
        load,
        step,
        store,
    )

# The places of the control array: nodes on the stack, the depth of the one on top, counts, and the longest path.
STACK, DEPTH, EXPANDED, GENERATED, PRUNED, LONGEST = range(6)

# How a slice ended.
STOPPED, EXHAUSTED, FOUND, FULL, FAULTY = range(5)

ACTION_BITS = 20
ACTION_MASK = (1 << ACTION_BITS) - 1

FIRST_PATH = 256


def is_same(rows: Any, place: int, state: Any) -> bool:
    """Whether a row holds a state."""
    for field in range(FIELDS):  # noqa: SIM110  (compiled code has no all())
        if rows[field][place] != state[field]:
            return False
    return True


def is_zero_cycle(path_rows: Any, path_costs: Any, depth: int, child: Any, g: Any) -> bool:
    """Whether a child of the node at the depth comes back to a state on the path without having paid anything."""
    place = depth
    while place >= 0 and path_costs[place] >= g:
        if is_same(path_rows, place, child):
            return True
        place -= 1
    return False


def idastar_slice(
    data: Any,
    rows: Any,
    costs: Any,
    came_by: Any,
    path_rows: Any,
    path_costs: Any,
    path: Any,
    control: Any,
    bound: Any,
    next_bound: Any,
    budget: int,
) -> Any:
    """Search on, for at most `budget` expansions: (how it ended, the lowest f beyond the bound).

    rows: the states on the stack, one array for each field; costs: their g; came_by: their depth << ACTION_BITS | the action
    that led to them. path_rows, path_costs, path: the states on the path to the node last expanded, their g, the actions.
    The stack has room for the children of every node on a path. The goal it ended at is on top of the stack.
    """
    me = as_self(data)
    size = control[STACK]
    depth = 0
    longest = control[LONGEST]
    expanded = 0
    generated = 0
    pruned = 0
    deepest = len(path) - 2
    how = EXHAUSTED
    while size > 0:
        top = size - 1
        state = load(rows, top)
        g = costs[top]
        last = came_by[top] & ACTION_MASK
        depth = came_by[top] >> ACTION_BITS
        path[depth] = last
        if depth > 0 and is_goal(me, state):
            how = FOUND
            break
        if expanded >= budget:
            how = STOPPED
            break
        if not UNIT_COST and depth > deepest:
            how = FULL
            break
        if not HAS_INVERSE or not UNIT_COST:
            store(path_rows, depth, state)
            path_costs[depth] = g
        size = top
        expanded += 1
        undo = INVERSE[last]
        for turn in range(MAX_ACTIONS):
            action = MAX_ACTIONS - 1 - turn
            if HAS_INVERSE and action == undo:
                continue
            legal, child, cost = step(me, state, action)
            if not legal:
                continue
            if not HAS_INVERSE and depth > 0 and is_same(path_rows, depth - 1, child):
                continue
            generated += 1
            h = estimate(me, child)
            f = g + cost + h
            if f > bound:
                pruned += 1
                next_bound = min(next_bound, f)
                continue
            if not (cost >= 0 and h >= 0) or (UNIT_COST and cost != 1):
                how = FAULTY
                break
            if not UNIT_COST and cost == 0 and is_zero_cycle(path_rows, path_costs, depth, child, g + cost):
                pruned += 1
            else:
                store(rows, size, child)
                costs[size] = g + cost
                came_by[size] = (depth + 1) << ACTION_BITS | action
                size += 1
        if how == FAULTY:
            break
        longest = max(longest, depth)
    control[STACK] = size
    control[DEPTH] = depth
    control[EXPANDED] += expanded
    control[GENERATED] += generated
    control[PRUNED] += pruned
    control[LONGEST] = longest
    return how, next_bound


class IDAStar(CompiledDriver):
    """IDA* on a domain, in slices."""

    def __init__(self, domain: Domain, heuristic: Heuristic | None) -> None:
        super().__init__()
        assert heuristic is not None
        self._domain = domain
        self._h = heuristic.checked()
        inverse = tuple(domain.inverse(action) for action in range(domain.max_actions))
        self._compiled = specialise(
            idastar_slice,
            domain,
            heuristic.function,
            parts=(is_same, is_zero_cycle),
            INVERSE=(*inverse, -1),
            HAS_INVERSE=all(action >= 0 for action in inverse),
            UNIT_COST=domain.unit_cost,
        )
        self._root = root_of(domain, self._h)
        self._bound = self._root.f
        self._next_bound: float = inf
        self._control = np.zeros(6, np.int64)
        self._arrays: tuple[Any, ...] = ()
        self._make_room(FIRST_PATH)
        self._overcount = (0, 0)
        self.stats.generated = 1
        self._start_round()
        if not self.ended:
            self._advance(0)  # compiles, before the clock starts

    def _make_room(self, longest_path: int) -> None:
        """Make room for paths of so many nodes and the children of each, keeping what is there."""
        fields = len(self._domain.State._fields)
        stack = longest_path * self._domain.max_actions + 1
        cost_type = np.float64 if self._compiled.has_float_costs else np.int64
        arrays = (
            tuple(np.zeros(stack, np.int64) for _ in range(fields)),
            np.zeros(stack, cost_type),
            np.zeros(stack, np.int64),
            tuple(np.zeros(longest_path, np.int64) for _ in range(fields)),
            np.zeros(longest_path, cost_type),
            np.zeros(longest_path, np.int64),
        )
        for fresh, kept in zip(_flat(arrays), _flat(self._arrays), strict=False):
            fresh[: len(kept)] = kept
        self._arrays = arrays
        self._longest_path = longest_path

    def _start_round(self) -> None:
        if self._domain.unit_cost and self._bound < inf:  # then no path is longer than the bound, so there need be no test
            while self._longest_path < self._bound + 2:
                self._make_room(2 * self._longest_path)
        rows, costs, came_by, *_path = self._arrays
        for field, value in zip(rows, self._root.state, strict=True):
            field[0] = value
        costs[0], came_by[0] = 0, self._domain.max_actions
        self._control[:] = 0
        self._control[STACK] = 1
        self._next_bound = inf
        self.bound = self._bound
        if self._bound == inf:
            self.ended = True
            return
        self.stats.iterations.append(Iteration(self._bound))
        if self._domain.is_goal(self._root.state):
            self.goal, self.ended = self._decoded([self._root]), True

    def _advance(self, budget: int) -> None:
        self._put_back_overcount()
        before = self._control[[EXPANDED, GENERATED, PRUNED]].copy()
        number = np.float64 if self._compiled.has_float_costs else np.int64
        unbounded = number(inf) if self._compiled.has_float_costs else np.int64(2**62)
        next_bound = unbounded if self._next_bound == inf else number(self._next_bound)
        how, next_bound = self._compiled.run(
            self._compiled.data, *self._arrays, self._control, number(self._bound), next_bound, budget
        )
        self._next_bound = (
            inf if next_bound >= unbounded else next_bound.item() if hasattr(next_bound, "item") else next_bound
        )
        self._take_counts(self._control[[EXPANDED, GENERATED, PRUNED]] - before)
        if how == FULL:
            self._make_room(2 * self._longest_path)
        elif how == FOUND:
            self.goal = self._decoded(self._path())
            self.ended = True
        elif how == FAULTY:
            self._raise_fault()
        elif how == EXHAUSTED:
            if self._is_worthwhile():
                self._bound = self._next_bound
                self._start_round()
            else:
                self.bound, self.ended = inf, True

    def _is_worthwhile(self) -> bool:
        """Whether the round cut some path that met no state twice: only then can a higher bound bring anything new.

        The first path to the bound will do as a rule, so the reference engine's code is fast enough to look for it.
        """
        untried = [expand(self._domain, self._root)]
        while untried:
            child = next(untried[-1], None)
            if child is None:
                untried.pop()
                continue
            if meets_a_state_twice(child):
                continue
            f = child.g + self._h(child.state)
            if f <= self._bound:
                untried.append(expand(self._domain, child))
            elif f < inf:
                return True
        return False

    def _take_counts(self, counts: Any) -> None:
        expanded, generated, pruned = (int(count) for count in counts)
        stats, row = self.stats, self.stats.iterations[-1]
        stats.expanded += expanded
        row.expanded += expanded
        stats.generated += generated
        row.generated += generated
        stats.pruned += pruned
        stats.peak_agenda = max(stats.peak_agenda, int(self._control[LONGEST]) + 1)

    def _path(self) -> list[Node]:
        """The path to the node on top of the stack."""
        path = self._arrays[-1]
        depth = int(self._control[DEPTH])
        nodes = [self._root]
        for action in path[1 : depth + 1].tolist():
            node = nodes[-1]
            _legal, state, cost = self._domain.step(node.state, action)
            child = Node(state, node, self._domain.action_name(action), node.g + cost, node.depth + 1)
            child.h = self._h(state)
            child.f = child.g + child.h
            nodes.append(child)
        return nodes

    def _decoded(self, path: list[Node]) -> Node:
        """The last node of a path, in the states of the problem whose domain this is."""
        goal = None
        for node in path:
            copy = Node(self._domain.decode(node.state), goal, node.action, node.g, node.depth)
            copy.h, copy.f = node.h, node.f
            goal = copy
        assert goal is not None
        return goal

    def _settle(self) -> None:
        """Take the children off the counts that the reference engine would not have made yet.

        These are, for each node on the path, the children after the one that the path goes on with.
        """
        self._put_back_overcount()
        if self._control[STACK] == 0 or self.bound == inf or self._broken is not None:
            return
        if not self.ended:  # the reference engine has announced the node on top of the stack
            self.stats.peak_agenda = max(self.stats.peak_agenda, int(self._control[DEPTH]) + 1)
        nodes = self._path()
        generated = pruned = 0
        for node, following in pairwise(nodes):
            reached = False
            for child in expand(self._domain, node):
                if node.parent is not None and child.state == node.parent.state:
                    continue
                if reached:
                    generated += 1
                    pruned += child.g + self._h(child.state) > self._bound or (
                        child.g == node.g and closes_a_zero_cycle(child)
                    )
                reached = reached or child.action == following.action
        self._overcount = (generated, pruned)
        self._apply_overcount(-1)

    def _put_back_overcount(self) -> None:
        self._apply_overcount(1)
        self._overcount = (0, 0)

    def _apply_overcount(self, sign: int) -> None:
        generated, pruned = self._overcount
        self.stats.generated += sign * generated
        self.stats.pruned += sign * pruned
        if self.stats.iterations:
            self.stats.iterations[-1].generated += sign * generated

    def _raise_fault(self) -> None:
        """Do the expansion that went wrong once more in the reference engine, which knows how to complain."""
        node = self._path()[-1]
        for child in expand(self._domain, node):
            self._h(child.state)
            if self._domain.unit_cost and child.g - node.g != 1:
                raise ProblemError(
                    f"action {child.action!r} in state {node.state!r} costs {child.g - node.g!r}, but unit_cost says that every "
                    "action costs 1; leave unit_cost out"
                )


def _flat(arrays: Any) -> Iterator[Any]:
    for array in arrays:
        if isinstance(array, tuple):
            yield from array
        else:
            yield array
