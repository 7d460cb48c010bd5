"""The driver of bidirectional A* (NBS)."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from bestfirst.compiled.compiler.specialise import specialise
from bestfirst.compiled.drivers.faults import check_start, compiled_root, complain
from bestfirst.compiled.drivers.paths import decoded, follow
from bestfirst.compiled.drivers.replayed_nodes import ReplayedNodes, filled_heap, read_places
from bestfirst.compiled.drivers.slices import SlicedSearch
from bestfirst.compiled.kernels.control import (
    DEAD_ENDS,
    GENERATED,
    is_sound,
)
from bestfirst.compiled.store import totals
from bestfirst.compiled.store.binary_heap import empty_heap, pop, push
from bestfirst.compiled.store.growth import grown
from bestfirst.compiled.store.inconsistent_edges import falls_to, note_fall
from bestfirst.compiled.store.nodes import Nodes
from bestfirst.compiled.store.saved_values import Saved, require
from bestfirst.compiled.store.state_table import empty_table, find
from bestfirst.domain import Domain
from bestfirst.errors import NotCompilableError
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.search.bidirectional import join
from bestfirst.search.node import Node
from bestfirst.stated import checked_backward, checked_domain

if TYPE_CHECKING:
    pass

from bestfirst.compiled.kernels.bidirectional import (
    ACTION,
    ACTIONS,
    BACKWARD,
    BEST,
    BOUND,
    CLOSED,
    CONTROLS,
    DONE,
    END,
    EXHAUSTED,
    EXPANDING,
    FALL_SIDE,
    FORWARD,
    NODES,
    ON_READY,
    ON_WAITING,
    OPEN,
    PENDING,
    READIED,
    READY,
    START,
    TAKEN,
    TURN,
    WAITING,
    lowest,
    make_ready,
    nbs_slice,
    prepare,
)


class BidirectionalAStar(SlicedSearch):
    """NBS on a domain that has a backward() with the same methods, in slices."""

    def __init__(self, domain: Domain, heuristic: Heuristic | None) -> None:
        assert heuristic is not None
        backward, back = _other_way(domain, heuristic)
        parts = (*totals.PARTS, find, is_sound, falls_to, note_fall, push, pop, lowest, make_ready, prepare)
        compiled = specialise(
            nbs_slice,
            domain,
            heuristic.function,
            parts=parts,
            CHEAPEST_ACTION=int(domain.unit_cost),
            LEGAL_FIRST=domain.stops_at_illegal() and backward.stops_at_illegal(),
        )
        super().__init__(domain, heuristic, compiled, CONTROLS)
        self._domains = domain, backward
        self._estimates = self._h, back.checked()
        self._measures = heuristic.function, back.function
        self._data = compiled.data, compiled.data_of(backward)
        self._nodes = Nodes(self._domains, self._cost_type, self._size)
        self._sides = np.zeros(self._size, np.int8)
        self._marks = np.zeros(self._size, np.int8)
        self._tables = self._two_tables(self._size)
        self._heaps: list[tuple[Any, ...]] = [
            (empty_heap(self._size, self._totals.dtype), empty_heap(self._size, self._totals.dtype)) for _ in range(2)
        ]
        self._bounds = np.full(2, self._totals.beyond, self._totals.dtype)
        self._put_roots()
        self._advance(0)  # compiles, before the clock starts

    def _put_roots(self) -> None:
        floats = self._compiled.has_float_costs
        roots = [compiled_root(domain, h, floats=floats) for domain, h in zip(self._domains, self._estimates, strict=True)]
        waiting, _ready = self._heaps
        control = self._control
        control[[NODES, GENERATED]] = 2
        for side, root in enumerate(roots):
            self._sides[side] = side
            control[ACTIONS + side] = self._domains[side].max_actions
            if root.h == inf:
                control[DEAD_ENDS] += 1
                continue
            control[OPEN] += 1
            control[ON_WAITING + side] = 1
            self._marks[side] = WAITING
            firsts, seconds, places = waiting[side]
            firsts[0], seconds[0], places[0] = root.f, root.h, side
        bound = max(root.h for root in roots)
        if bound < inf:
            self._bounds[BOUND] = bound
        forward, backward = (domain.key(domain.initial) for domain in self._domains)
        if forward == backward:
            self.goal = decoded(self._domain, roots[FORWARD])
            self._bounds[BEST] = 0

    def _call(self, budget: int) -> int:
        how = self._compiled.run(
            self._data,
            self._nodes.arrays,
            self._sides,
            self._marks,
            self._tables,
            *self._heaps,
            self._falls.arrays,
            self._control,
            self._bounds,
            budget,
        )
        if how != EXHAUSTED:
            self.bound = max(self.bound, self._totals.number(self._bounds[BOUND]))
        return int(how)

    def _react(self, how: int) -> None:
        if how == EXHAUSTED:
            self.bound, self.ended = max(self.bound, self._totals.number(self._bounds[BEST])), True
            return
        goal = join(self._domain, self._node(FORWARD, START), self._node(BACKWARD, END))
        if self.goal is None or goal.g < self.goal.g:
            self.goal = decoded(self._domain, goal)

    def _node(self, side: int, at: int) -> Node:
        """The node of a side at an index of the control array."""
        return follow(self._domains[side], self._estimates[side], self._nodes.way(int(self._control[at])))

    def _way(self) -> list[int]:
        return self._nodes.way(int(self._control[TAKEN]))

    def _complain(self) -> NoReturn:
        side = int(self._control[TURN])
        complain(self._domains[side], self._estimates[side], self._measures[side], self._node(side, TAKEN))

    def _first_fall(self) -> Node | None:
        side = int(self._control[FALL_SIDE])
        return self._falls.first(self._domains[side], self._estimates[side])

    def _arrays(self) -> Iterator[Any]:
        yield from (*self._nodes, self._sides, self._marks, *self._tables)
        for heaps in self._heaps:
            for heap in heaps:
                yield from heap

    def _make_room(self, size: int) -> None:
        self._nodes.resize(size)
        self._sides, self._marks = grown(self._sides, size), grown(self._marks, size)
        self._tables = self._two_tables(size)
        self._heaps = [tuple(tuple(grown(column, size) for column in heap) for heap in heaps) for heaps in self._heaps]

    def _saved_nodes(self) -> dict[str, Any]:
        _rows, _costs, parents, actions = self._nodes.arrays
        size = int(self._control[NODES])
        waiting, ready = self._heaps
        return {
            "parents": parents[:size],
            "actions": actions[:size],
            "sides": self._sides[:size],
            "marks": self._marks[:size],
            "waiting": [heap[2][: self._control[ON_WAITING + side]] for side, heap in enumerate(waiting)],
            "ready": [heap[2][: self._control[ON_READY + side]] for side, heap in enumerate(ready)],
            "readied": [heap[1][: self._control[ON_READY + side]].astype(np.int64) for side, heap in enumerate(ready)],
            "bound": self._totals.number(self._bounds[BOUND]),
        }

    def _restore_nodes(self, saved: Saved, control: Any) -> None:
        size = int(control[NODES])
        require(size == saved.length("parents"), "its number of nodes is wrong")
        self._make_room_for(size + self._domain.max_actions)
        require(control[FALL_SIDE] <= 1, "its inconsistent edge is on an unknown side")
        if self.ended:
            return
        assert self._heuristic is not None
        nodes = ReplayedNodes(saved, self._nodes, self._domains, self._heuristic.function, self._data)
        for side, (domain, h) in enumerate(zip(self._domains, self._estimates, strict=True)):
            nodes.estimates[side] = h(domain.initial)
        f = nodes.totals(self._totals.dtype)
        marks = saved.array("marks", np.int8, size, most=READY)
        self._check_turn(nodes, marks, control)
        waiting, ready, readied = (
            Saved(dict(zip("01", saved.items(name, 2), strict=True)), name) for name in ("waiting", "ready", "readied")
        )
        for side in range(2):
            name = str(side)
            own, known = read_places(waiting, name, size), read_places(ready, name, size)
            order = readied.array(name, np.int64, len(known), most=int(control[READIED + side]))
            is_own = nodes.sides == side
            self._check_waiting(is_own, marks, own, known)
            require(
                len(own) == control[ON_WAITING + side] and len(known) == control[ON_READY + side],
                "its heaps have other lengths",
            )
            require(control[ACTIONS + side] == self._domains[side].max_actions, "its actions differ")
            filled_heap(self._heaps[0][side], f[own], nodes.estimates[own], own)
            filled_heap(self._heaps[1][side], nodes.costs[known], order, known)
        self._sides[:size], self._marks[:size] = nodes.sides, marks
        bound = saved.number("bound")
        require(bound <= self.bound and bound < inf, "its bound exceeds what it has proved")
        self._bounds[BOUND] = self._totals.checked(bound, "bound")
        self._bounds[BEST] = self._best_known()

    @staticmethod
    def _check_turn(nodes: ReplayedNodes, marks: Any, control: Any) -> None:
        """Check the control array against the nodes, and the last selected node."""
        size = nodes.size
        require(control[OPEN] == (marks != CLOSED).sum(), "its counts contradict its nodes")
        require(control[TURN] <= 1 and control[PENDING] <= EXPANDING, "its next step is invalid")
        require(max(control[TAKEN], control[START], control[END]) < size, "its current node does not exist")
        if control[PENDING] != DONE:
            is_right = marks[control[TAKEN]] == CLOSED and nodes.sides[control[TAKEN]] == control[TURN]
            require(is_right, "its current node cannot be the next one")
        require(control[ACTION] <= control[ACTIONS + control[TURN]], "its next action does not exist")

    @staticmethod
    def _check_waiting(is_own: Any, marks: Any, waiting: Any, ready: Any) -> None:
        """Check that the open nodes of a side are on its heaps."""
        for places, mark in ((waiting, WAITING), (ready, READY)):
            require(is_own[places].all(), "an open node is on the other side's heap")
            require(np.isin(np.flatnonzero(is_own & (marks == mark)), places).all(), "an open node is on no heap")

    @staticmethod
    def _two_tables(size: int) -> tuple[Any, Any]:
        return empty_table(size), empty_table(size)


def _other_way(domain: Domain, heuristic: Heuristic) -> tuple[Domain, Heuristic]:
    """The domain of the backward problem, and its heuristic of the same name.

    Raises NotCompilableError unless the same methods make its states, steps and estimates.
    """
    reverse = checked_backward(domain)
    backward = None if reverse is None else checked_domain(reverse)
    if backward is None or backward.State is not domain.State or type(backward).step is not type(domain).step:
        raise NotCompilableError(
            "the compiled engine searches from both ends only if backward() returns a domain with the same State and "
            f"step, but that of {domain.name()} returns {None if reverse is None else type(reverse).__name__}; "
            "use engine='python'"
        )
    back = backward.heuristics().get(heuristic.name)
    if back is None or _method(back) is not _method(heuristic):
        raise NotCompilableError(
            f"the backward problem of {domain.name()} has no heuristic {heuristic.name!r} with the same method; "
            "use engine='python'"
        )
    check_start(backward)
    return backward, back


def _method(heuristic: Heuristic) -> Any:
    return getattr(heuristic.function, "__func__", heuristic.function)
