"""Bidirectional A* (NBS), compiled: the twin of search/bidirectional.py.

The two sides are two domains with the same methods and data of their own, so the same compiled code expands on both. A node that a
cheaper path has made useless stays on its heap, and is skipped when its turn comes: its mark tells.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from bestfirst.compiled import totals
from bestfirst.compiled.arrays import grown
from bestfirst.compiled.binary_heap import empty_heap, pop, push
from bestfirst.compiled.falls import falls_to, note_fall
from bestfirst.compiled.faults import check_start, compiled_root, complain
from bestfirst.compiled.nodes import Nodes
from bestfirst.compiled.paths import decoded, follow
from bestfirst.compiled.replayed_nodes import ReplayedNodes, filled_heap, read_places
from bestfirst.compiled.saved_values import Saved, require
from bestfirst.compiled.slices import (
    DEAD_ENDS,
    DUPLICATES,
    EXPANDED,
    FAULTY,
    FRESH,
    FULL,
    GENERATED,
    OWN,
    PEAK,
    PRUNED,
    REOPENED,
    STOPPED,
    WAYS,
    SlicedSearch,
    is_sound,
)
from bestfirst.compiled.specialise import specialise
from bestfirst.compiled.state_table import NONE, empty_table, find
from bestfirst.compiled.totals import as_total, is_hopeless, no_total, total_of
from bestfirst.errors import NotCompilableError
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.node import Node
from bestfirst.problem import Domain
from bestfirst.search.bidirectional import join
from bestfirst.stated import checked_backward, checked_domain

if TYPE_CHECKING:
    from bestfirst.compiled.names import CHEAPEST_ACTION, LEGAL_FIRST, as_self, estimate, load, step, store

FORWARD, BACKWARD = range(2)

# Further places of the control array: how many nodes there are, and how many of them are open; the side whose turn it is; the node
# that was taken last, and what is to be done with it; the action to go on with where its expansion was broken off; the two nodes
# by which the sides have met last; and the side of the first fall of f.
NODES, OPEN, TURN, TAKEN, PENDING, ACTION, START, END, FALL_SIDE = range(OWN, OWN + 9)

# For each side, FORWARD and BACKWARD places further on: the entries on its heaps, how many nodes have ever been ready, its actions.
ON_WAITING, ON_READY, READIED, ACTIONS = range(FALL_SIDE + 1, FALL_SIDE + 9, 2)
CONTROLS = FALL_SIDE + 9

# With the node that was taken last: nothing any more; it is to be expanded; its expansion is to be gone on with.
DONE, TO_EXPAND, EXPANDING = range(3)

# The totals: the lower bound, and that of the best path on which the sides have met.
BOUND, BEST = range(2)

# Further ways in which a slice ends.
BETTER, EXHAUSTED = range(WAYS, WAYS + 2)

# The marks of nodes.
CLOSED, WAITING, READY = range(3)


def lowest(heap: Any, entries: Any, marks: Any, mark: Any, control: Any) -> Any:
    """The first key of a heap, which is then that of a node with the mark; infinite if there is none. entries: where in control."""
    firsts, _seconds, places = heap
    while control[entries] > 0 and marks[places[0]] != mark:
        pop(heap, control[entries])
        control[entries] -= 1
    return firsts[0] if control[entries] > 0 else no_total()


def make_ready(waiting: Any, ready: Any, side: Any, costs: Any, marks: Any, control: Any) -> None:
    """Put the first node that waits, which `lowest` has found, among those that are ready: by g, first in first out."""
    place = pop(waiting, control[ON_WAITING + side])
    control[ON_WAITING + side] -= 1
    marks[place] = READY
    push(ready, control[ON_READY + side], as_total(costs[place]), as_total(control[READIED + side]), place)
    control[ON_READY + side] += 1
    control[READIED + side] += 1


def prepare(waiting: Any, ready: Any, costs: Any, marks: Any, control: Any, bound: Any) -> Any:
    """Raise the bound until a pair of ready nodes has it; infinite when one side has no open node left."""
    for side in range(2):
        while lowest(waiting[side], ON_WAITING + side, marks, WAITING, control) < bound:
            make_ready(waiting[side], ready[side], side, costs, marks, control)
    while True:
        forward_f = lowest(waiting[FORWARD], ON_WAITING + FORWARD, marks, WAITING, control)
        backward_f = lowest(waiting[BACKWARD], ON_WAITING + BACKWARD, marks, WAITING, control)
        forward_g = lowest(ready[FORWARD], ON_READY + FORWARD, marks, READY, control)
        backward_g = lowest(ready[BACKWARD], ON_READY + BACKWARD, marks, READY, control)
        if min(forward_f, forward_g) == no_total() or min(backward_f, backward_g) == no_total():
            return no_total()
        pair = no_total()
        if forward_g < no_total() and backward_g < no_total():
            pair = forward_g + backward_g + as_total(CHEAPEST_ACTION)
        if pair <= bound:
            return bound
        if forward_f <= bound:
            make_ready(waiting[FORWARD], ready[FORWARD], FORWARD, costs, marks, control)
        elif backward_f <= bound:
            make_ready(waiting[BACKWARD], ready[BACKWARD], BACKWARD, costs, marks, control)
        else:
            bound = min(forward_f, backward_f, pair)


def nbs_slice(
    data: Any,
    nodes: Any,
    sides: Any,
    marks: Any,
    tables: Any,
    waiting: Any,
    ready: Any,
    falls: Any,
    control: Any,
    bounds: Any,
    budget: int,
) -> int:
    """Search on, for at most `budget` expansions, or to a better path: how it ended.

    nodes: of both sides, see Nodes. sides, marks: of the nodes. For each side: data: of its domain; tables: see state_table.py;
    waiting, ready: the heaps of the nodes that wait, by f, and of those that are ready, by g.
    """
    rows, costs, parents, actions = nodes
    until = control[EXPANDED] + budget
    if control[FRESH]:
        for place in range(control[NODES]):
            table = tables[sides[place]]
            table[find(rows, table, load(rows, place))] = place
        control[FRESH] = 0
    while control[PENDING] == EXPANDING or bounds[BOUND] < bounds[BEST]:
        side = control[TURN]
        if control[PENDING] == DONE:
            if side == FORWARD:
                bounds[BOUND] = prepare(waiting, ready, costs, marks, control, bounds[BOUND])
                if bounds[BOUND] >= bounds[BEST]:
                    break
            control[TAKEN] = pop(ready[side], control[ON_READY + side])
            control[ON_READY + side] -= 1
            marks[control[TAKEN]] = CLOSED
            control[OPEN] -= 1
            control[PEAK] = max(control[PEAK], control[OPEN])
            control[PENDING] = TO_EXPAND
        if control[PENDING] == TO_EXPAND:
            if control[EXPANDED] >= until:
                return STOPPED
            if control[NODES] + control[ACTIONS + side] > len(costs):
                return FULL
            control[EXPANDED] += 1
            control[ACTION] = 0
            control[PENDING] = EXPANDING
        table, other_table = tables[side], tables[BACKWARD - side]
        me = as_self(data[side])
        place = control[TAKEN]
        state = load(rows, place)
        g = costs[place]
        f = total_of(g, estimate(me, state))
        for action in range(control[ACTION], control[ACTIONS + side]):
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
            slot = find(rows, table, child)
            twin = table[slot]
            if is_hopeless(h):
                control[PRUNED] += 1
                control[DEAD_ENDS] += 1
                continue
            if twin != NONE and g + cost >= costs[twin]:
                control[DUPLICATES] += 1
                continue
            if total >= bounds[BEST]:
                control[PRUNED] += 1
                continue
            if twin != NONE:
                control[DUPLICATES] += 1
                if marks[twin] == CLOSED:
                    control[REOPENED] += 1
                else:
                    marks[twin] = CLOSED
                    control[OPEN] -= 1
            if falls_to(f, total):
                if falls[2][0] == 0:
                    control[FALL_SIDE] = side
                note_fall(falls, state, g, child, g + cost)
            made = control[NODES]
            table[slot] = made
            store(rows, made, child)
            costs[made], parents[made], actions[made] = g + cost, place, action
            sides[made], marks[made] = side, WAITING
            control[NODES] += 1
            control[OPEN] += 1
            push(waiting[side], control[ON_WAITING + side], total, as_total(h), made)
            control[ON_WAITING + side] += 1
            meeting = other_table[find(rows, other_table, child)]
            if meeting != NONE and total_of(g + cost, costs[meeting]) < bounds[BEST]:
                bounds[BEST] = total_of(g + cost, costs[meeting])
                control[PEAK] = max(control[PEAK], control[OPEN])
                control[START], control[END] = (made, meeting) if side == FORWARD else (meeting, made)
                control[ACTION] = action + 1
                return BETTER
        control[PENDING] = DONE
        control[TURN] = BACKWARD - side
    control[PEAK] = max(control[PEAK], control[OPEN])
    return EXHAUSTED


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
        """The node of a side whose place is in the control array."""
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
        require(size == saved.length("parents"), "it does not say how many nodes there are")
        self._make_room_for(size + self._domain.max_actions)
        require(control[FALL_SIDE] <= 1, "f fell on a side that is not there")
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
                "its heaps are not so long",
            )
            require(control[ACTIONS + side] == self._domains[side].max_actions, "it has other actions")
            filled_heap(self._heaps[0][side], f[own], nodes.estimates[own], own)
            filled_heap(self._heaps[1][side], nodes.costs[known], order, known)
        self._sides[:size], self._marks[:size] = nodes.sides, marks
        bound = saved.number("bound")
        require(bound <= self.bound and bound < inf, "it has proved less than that")
        self._bounds[BOUND] = self._totals.checked(bound, "bound")
        self._bounds[BEST] = self._best_known()

    @staticmethod
    def _check_turn(nodes: ReplayedNodes, marks: Any, control: Any) -> None:
        """Check what the control array says of the nodes, and of the one that was taken last."""
        size = nodes.size
        require(control[OPEN] == (marks != CLOSED).sum(), "its counts are not those of its nodes")
        require(control[TURN] <= 1 and control[PENDING] <= EXPANDING, "it does not say what comes next")
        require(max(control[TAKEN], control[START], control[END]) < size, "it stands at a node that is not there")
        if control[PENDING] != DONE:
            is_right = marks[control[TAKEN]] == CLOSED and nodes.sides[control[TAKEN]] == control[TURN]
            require(is_right, "it stands at a node that cannot come next")
        require(control[ACTION] <= control[ACTIONS + control[TURN]], "it goes on with an action that is not there")

    @staticmethod
    def _check_waiting(is_own: Any, marks: Any, waiting: Any, ready: Any) -> None:
        """Check that the nodes of a side that wait are on its heaps."""
        for places, mark in ((waiting, WAITING), (ready, READY)):
            require(is_own[places].all(), "a node waits on the other side")
            require(np.isin(np.flatnonzero(is_own & (marks == mark)), places).all(), "a node waits nowhere")

    @staticmethod
    def _two_tables(size: int) -> tuple[Any, Any]:
        return empty_table(size), empty_table(size)


def _other_way(domain: Domain, heuristic: Heuristic) -> tuple[Domain, Heuristic]:
    """The domain of the backward problem, and its heuristic of the same name.

    Raises NotCompilableError where its states, steps and estimates are not made by the same methods.
    """
    reverse = checked_backward(domain)
    backward = None if reverse is None else checked_domain(reverse)
    if backward is None or backward.State is not domain.State or type(backward).step is not type(domain).step:
        raise NotCompilableError(
            "the compiled engine searches from both ends only where backward() gives a domain that has the same State and "
            f"step, and that of {domain.name()} gives {None if reverse is None else type(reverse).__name__}; "
            "give engine='python'"
        )
    back = backward.heuristics().get(heuristic.name)
    if back is None or _method(back) is not _method(heuristic):
        raise NotCompilableError(
            f"the backward problem of {domain.name()} offers no heuristic {heuristic.name!r} by the same method; "
            "give engine='python'"
        )
    check_start(backward)
    return backward, back


def _method(heuristic: Heuristic) -> Any:
    return getattr(heuristic.function, "__func__", heuristic.function)
