"""The driver of bidirectional A* (NBS)."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from bestfirst.compiled.compiler.specialise import specialise
from bestfirst.compiled.drivers.faults import check_start, compiled_root, complain
from bestfirst.compiled.drivers.paths import decoded, follow
from bestfirst.compiled.drivers.replayed_nodes import ReplayedNodes, read_places
from bestfirst.compiled.drivers.slices import PARTS, DoublingSearch
from bestfirst.compiled.kernels.bidirectional import (
    BACKWARD,
    CLOSED,
    CONTINUE,
    FORWARD,
    OWN_FIELDS,
    OWN_TOTALS,
    READY,
    SELECT,
    WAITING,
    enter_both,
    lowest,
    make_ready,
    nbs_slice,
    new_sides,
    prepare,
)
from bestfirst.compiled.kernels.slices import EXHAUSTED
from bestfirst.compiled.store.growth import grown
from bestfirst.compiled.store.heap import PARTS as HEAP
from bestfirst.compiled.store.heap import PLAIN, Heap
from bestfirst.compiled.store.inconsistent_edges import child_at
from bestfirst.compiled.store.nodes import Nodes
from bestfirst.compiled.store.saved_values import MOST, Saved, require
from bestfirst.compiled.store.state_table import empty_table
from bestfirst.domain import Domain
from bestfirst.errors import NotCompilableError
from bestfirst.heuristics.heuristic import ZERO, Heuristic
from bestfirst.search.bidirectional import join
from bestfirst.search.node import Node
from bestfirst.stated import checked_backward, checked_domain

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Method, SavedState, Search


class BidirectionalAStar(DoublingSearch):
    """NBS on a domain that has a backward() with the same methods, in slices."""

    def __init__(self, domain: Domain, heuristic: Heuristic | None) -> None:
        super().__init__(domain, heuristic)
        backward, back = _other_way(domain, heuristic)
        self._compiled = compiled = specialise(
            nbs_slice,
            domain,
            self._estimate,
            parts=(*PARTS, *HEAP, lowest, make_ready, prepare, enter_both),
            CHEAPEST_ACTION=int(domain.unit_cost),
            others=(backward,),
            LEGAL_FIRST=domain.stops_at_illegal() and backward.stops_at_illegal(),
            **PLAIN,
        )
        self._begin_with(OWN_FIELDS, OWN_TOTALS, floats=compiled.has_float_costs)
        self._domains = domain, backward
        self._estimates = self._h, (back or ZERO).checked()
        self._measures = heuristic.function if heuristic else None, back.function if back else None
        self._data = compiled.data, compiled.data_of(backward)
        self._sides = new_sides((domain.max_actions, backward.max_actions), self._totals.dtype)
        self._nodes = Nodes(self._domains, self._cost_type, self._size)
        self._side_of = np.zeros(self._size, np.int8)
        self._marks = np.zeros(self._size, np.int8)
        self._tables = self._two_tables(self._size)
        self._waiting, self._ready = ([Heap(entries=self._size) for _ in range(2)] for _ in range(2))
        self._put_roots()
        self._advance(0)  # compiles, before the clock starts

    def _put_roots(self) -> None:
        floats = self._compiled.has_float_costs
        roots = [compiled_root(domain, h, floats=floats) for domain, h in zip(self._domains, self._estimates, strict=True)]
        search = self._search
        search.nodes = search.generated = 2
        search.dead_ends = 0
        for side, root in enumerate(roots):
            self._side_of[side] = side
            if root.h == inf:
                search.dead_ends += 1
                continue
            search.open += 1
            self._marks[side] = WAITING
            self._waiting[side].fill(self._totals.array(root.f), self._totals.array(root.h), np.array([side]))
        bound = max(root.h for root in roots)
        if bound < inf:
            search.bound = bound
        forward, backward = (domain.key(domain.initial) for domain in self._domains)
        if forward == backward:
            self.goal = decoded(self._domain, roots[FORWARD])
            search.best = 0

    def _call(self, budget: int) -> int:
        heaps = [tuple(heap.arrays for heap in heaps) for heaps in (self._waiting, self._ready)]
        of_nodes = self._nodes.arrays, self._side_of, self._marks, self._tables
        how = self._compiled.run(self._data, self._searches, self._sides, *of_nodes, *heaps, self._edge, budget)
        if how != EXHAUSTED:
            self.bound = max(self.bound, self._totals.number(self._search.bound))
        return int(how)

    def _react(self, how: int) -> None:
        search = self._search
        if how == EXHAUSTED:
            self.bound, self.ended = max(self.bound, self._totals.number(search.best)), True
            return
        goal = join(self._domain, self._node(FORWARD, search.start), self._node(BACKWARD, search.end))
        if self.goal is None or goal.g < self.goal.g:
            self.goal = decoded(self._domain, goal)

    def _cost_found(self) -> float | None:
        return None if self.goal is None else self.goal.g

    def _node(self, side: int, place: int) -> Node:
        """A node of a side."""
        return follow(self._domains[side], self._estimates[side], self._nodes.way(int(place)))

    def _way(self) -> list[int]:
        return self._nodes.way(int(self._search.place))

    def _complain(self) -> NoReturn:
        side = int(self._search.turn)
        complain(self._domains[side], self._estimates[side], self._measures[side], self._node(side, self._search.place))

    def _first_fall(self) -> Node:
        side = int(self._search.side_of_fall)
        return child_at(self._edge, self._domains[side], self._estimates[side])

    def _arrays(self) -> Iterator[Array]:
        yield from (*self._nodes, self._side_of, self._marks, *self._tables)
        for heap in (*self._waiting, *self._ready):
            yield from heap.arrays

    def _make_room(self, size: int) -> None:
        self._nodes.resize(size)
        self._side_of, self._marks = grown(self._side_of, size), grown(self._marks, size)
        self._tables = self._two_tables(size)
        for heap in (*self._waiting, *self._ready):
            heap.make_room(size)

    def _saved_nodes(self) -> SavedState:
        size = int(self._search.nodes)
        return {
            **self._nodes.saved(size),
            "sides": self._side_of[:size],
            "marks": self._marks[:size],
            "waiting": [heap.places for heap in self._waiting],
            "ready": [heap.places for heap in self._ready],
            "readied": [heap.seconds for heap in self._ready],
            "bound": self._totals.number(self._search.bound),
        }

    def _restore_nodes(self, saved: Saved, search: Search) -> None:
        size = int(search.nodes)
        require(size == saved.length("parents"), "its number of nodes is wrong")
        self._make_room_for(size + self._domain.max_actions)
        require(search.side_of_fall <= 1, "its inconsistent edge is on an unknown side")
        if self.ended:
            return
        nodes = ReplayedNodes(saved, self._nodes, self._domains, self._estimate, self._data)
        for side, (domain, h) in enumerate(zip(self._domains, self._estimates, strict=True)):
            nodes.estimates[side] = h(domain.initial)
        f = nodes.totals(self._totals.dtype)
        marks = saved.array("marks", np.int8, size, most=READY)
        self._check_turn(nodes, marks, search)
        waiting, ready, readied = (
            Saved(dict(zip("01", saved.items(name, 2), strict=True)), name) for name in ("waiting", "ready", "readied")
        )
        require(search.action <= self._sides[search.turn].actions, "its next action does not exist")
        for side in range(2):
            name = str(side)
            own, known = read_places(waiting, name, size), read_places(ready, name, size)
            order = readied.array(name, np.int64, len(known), most=MOST)
            self._sides[side].readied = order.max(initial=-1) + 1
            self._check_waiting(nodes.sides == side, marks, own, known)
            self._waiting[side].fill(f[own], nodes.estimates[own].astype(f.dtype), own)
            self._ready[side].fill(nodes.costs[known].astype(f.dtype), order.astype(f.dtype), known)
        self._side_of[:size], self._marks[:size] = nodes.sides, marks
        bound = saved.number("bound")
        require(bound <= self.bound and bound < inf, "its bound exceeds what it has proved")
        search.bound = self._totals.checked(bound, "bound")
        search.best = self._best_known()

    @staticmethod
    def _check_turn(nodes: ReplayedNodes, marks: Array, search: Search) -> None:
        """Check the record against the nodes, and the last selected node."""
        require(search.open == (marks != CLOSED).sum(), "its counts contradict its nodes")
        require(search.turn <= 1 and search.next_step <= CONTINUE, "its next step is invalid")
        require(max(search.place, search.start, search.end) < nodes.size, "its current node does not exist")
        if search.next_step != SELECT:
            is_right = marks[search.place] == CLOSED and nodes.sides[search.place] == search.turn
            require(is_right, "its current node cannot be the next one")

    @staticmethod
    def _check_waiting(is_own: Array, marks: Array, waiting: Array, ready: Array) -> None:
        """Check that the open nodes of a side are on its heaps."""
        for places, mark in ((waiting, WAITING), (ready, READY)):
            require(is_own[places].all(), "an open node is on the other side's heap")
            require(np.isin(np.flatnonzero(is_own & (marks == mark)), places).all(), "an open node is on no heap")

    @staticmethod
    def _two_tables(size: int) -> tuple[Array, Array]:
        return empty_table(size), empty_table(size)


def _other_way(domain: Domain, heuristic: Heuristic | None) -> tuple[Domain, Heuristic | None]:
    """The domain of the backward problem, and its heuristic of the same name.

    Raises NotCompilableError unless the same methods make its states, steps and estimates.
    """
    reverse = checked_backward(domain)
    backward = None if reverse is None else checked_domain(reverse)
    is_alike = backward is not None and all(
        getattr(type(backward), name) is getattr(type(domain), name) for name in ("step", "prepare", "forced")
    )
    if backward is None or not is_alike or backward.State is not domain.State:
        raise NotCompilableError(
            "the compiled engine searches from both ends only if backward() returns a domain with the same State and "
            f"step, but backward() of {domain.name()} returns {None if reverse is None else type(reverse).__name__}; "
            "use engine='python'"
        )
    back = None if heuristic is None else backward.heuristics().get(heuristic.name)
    if heuristic is not None and (back is None or _method(back) is not _method(heuristic)):
        raise NotCompilableError(
            f"the backward problem of {domain.name()} has no heuristic {heuristic.name!r} with the same method; "
            "use engine='python'"
        )
    check_start(backward)
    return backward, back


def _method(heuristic: Heuristic) -> Method:
    return getattr(heuristic.function, "__func__", heuristic.function)
