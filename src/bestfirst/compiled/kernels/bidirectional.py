"""Bidirectional A* (NBS), compiled: the twin of search/bidirectional.py.

The two sides are two domains with the same methods and different data, so the same compiled code expands on both. A
superseded node stays on its heap with a mark, and is skipped when popped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.kernels.slices import EXHAUSTED, FAULTY, FOUND, FULL, STOPPED, is_sound
from bestfirst.compiled.store.growth import record_type
from bestfirst.compiled.store.heap import first_in, lowest_key, pop, push, remove, size_of
from bestfirst.compiled.store.inconsistent_edges import falls_to, note_fall
from bestfirst.compiled.store.nodes import add_node
from bestfirst.compiled.store.state_table import NONE, find
from bestfirst.compiled.store.totals import as_total, is_hopeless, no_total, total_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        CHEAPEST_ACTION,
        LEGAL_FIRST,
        as_self,
        estimate,
        load,
        prepared_for,
        step_with,
    )
    from bestfirst.compiled.store.aliases import Array, Arrays, Nodes, NumberType, OpenList, Search, Searches, Total

FORWARD, BACKWARD = range(2)

OWN_FIELDS = (
    "nodes",  # the number of nodes
    "open",  # of open nodes
    "turn",  # the side whose turn it is
    "place",  # the last selected node
    "next_step",  # what to do with it: see below
    "action",  # the next action of its expansion
    "start",  # the forward node at which the sides met last
    "end",  # and the backward one
    "side_of_fall",  # that of the first inconsistent edge
)
OWN_TOTALS = (
    "bound",  # the lower bound
    "best",  # the cost of the best path on which the sides have met
)
# The next step: select a node; expand it; continue its expansion.
SELECT, EXPAND, CONTINUE = range(3)

# The marks of nodes.
CLOSED, WAITING, READY = range(3)


def new_sides(actions: tuple[int, ...], total: NumberType) -> Array:
    """The records of both sides. actions: the numbers of actions of their domains."""
    side = record_type(
        ("actions", np.int64),
        ("readied", np.int64),  # the number of nodes that were ever ready
        ("lowest_f", total),  # of a waiting node
        ("lowest_g", total),  # of a ready node
    )
    sides = np.zeros(len(actions), side)
    sides["actions"] = actions
    return sides


def lowest(heap: OpenList, marks: Array, mark: int) -> Total:
    """The first key of a heap after popping entries without the mark; infinite if it is empty."""
    while size_of(heap) > 0 and marks[first_in(heap)] != mark:
        remove(heap)
    return lowest_key(heap) if size_of(heap) > 0 else no_total()


def make_ready(waiting: OpenList, ready: OpenList, side: Search, costs: Array, marks: Array) -> None:
    """Move the first waiting node, which `lowest` has found, to the ready nodes: by g, first in, first out."""
    place = pop(waiting)
    marks[place] = READY
    push(ready, as_total(costs[place]), as_total(side.readied), place)
    side.readied += 1


def prepare(search: Search, sides: Array, waiting: Arrays, ready: Arrays, costs: Array, marks: Array) -> Total:
    """The bound, raised until a pair of ready nodes has it; infinite if one side has no open node left."""
    bound = search.bound
    for side in range(2):
        while lowest(waiting[side], marks, WAITING) < bound:
            make_ready(waiting[side], ready[side], sides[side], costs, marks)
    while True:
        for side in range(2):
            sides[side].lowest_f = lowest(waiting[side], marks, WAITING)
            sides[side].lowest_g = lowest(ready[side], marks, READY)
        forward, backward = sides[FORWARD], sides[BACKWARD]
        if min(forward.lowest_f, forward.lowest_g) == no_total() or min(backward.lowest_f, backward.lowest_g) == no_total():
            return no_total()
        pair = no_total()
        if forward.lowest_g < no_total() and backward.lowest_g < no_total():
            pair = forward.lowest_g + backward.lowest_g + as_total(CHEAPEST_ACTION)
        if pair <= bound:
            return bound
        for side in range(2):
            if sides[side].lowest_f <= bound:
                make_ready(waiting[side], ready[side], sides[side], costs, marks)
                break
        else:
            bound = min(forward.lowest_f, backward.lowest_f, pair)


def enter_both(search: Search, nodes: Nodes, tables: Arrays, side_of: Array) -> None:
    """Enter the nodes into the tables of their sides if these are new and empty."""
    rows, _costs, _parents, _actions = nodes
    if search.table_is_new:
        for place in range(search.nodes):
            table = tables[side_of[place]]
            table[find(rows, table, load(rows, place))] = place
        search.table_is_new = 0


def nbs_slice(
    data: Arrays,
    searches: Searches,
    sides: Array,
    nodes: Nodes,
    side_of: Array,
    marks: Array,
    tables: Arrays,
    waiting: Arrays,
    ready: Arrays,
    edge: Arrays,
    budget: int,
) -> int:
    """Search for at most `budget` expansions, or to a better path; return how it ended.

    nodes: of both sides, see Nodes. side_of, marks: of the nodes. edge: the first inconsistent edge. For each side: data: of
    its domain; sides: its record; tables: see state_table.py; waiting, ready: the heaps of the waiting nodes, by f, and of the
    ready ones, by g.
    """
    search = searches[0]
    rows, costs, _parents, _actions = nodes
    until = search.expanded + budget
    enter_both(search, nodes, tables, side_of)
    while search.next_step == CONTINUE or search.bound < search.best:
        turn = search.turn
        if search.next_step == SELECT:
            if turn == FORWARD:
                search.bound = prepare(search, sides, waiting, ready, costs, marks)
                if search.bound >= search.best:
                    break
            search.place = pop(ready[turn])
            marks[search.place] = CLOSED
            search.open -= 1
            search.peak = max(search.peak, search.open)
            search.next_step = EXPAND
        if search.next_step == EXPAND:
            if search.expanded >= until:
                return STOPPED
            if search.nodes + sides[turn].actions > len(costs):
                return FULL
            search.expanded += 1
            search.action = 0
            search.next_step = CONTINUE
        table, other_table = tables[turn], tables[BACKWARD - turn]
        me = as_self(data[turn])
        place = search.place
        state = load(rows, place)
        g = costs[place]
        f = total_of(g, estimate(me, state))
        pair = prepared_for(me, state)
        for action in range(search.action, sides[turn].actions):
            legal, child, cost = step_with(me, state, action, pair)
            if not legal:
                if LEGAL_FIRST:
                    break
                continue
            h = estimate(me, child)
            if not is_sound(g, cost, h):
                return FAULTY
            search.generated += 1
            child_g = g + cost
            child_f = total_of(child_g, h)
            slot = find(rows, table, child)
            twin = table[slot]
            if is_hopeless(h):
                search.pruned += 1
                search.dead_ends += 1
                continue
            if twin != NONE and child_g >= costs[twin]:
                search.duplicates += 1
                continue
            if child_f >= search.best:
                search.pruned += 1
                continue
            if twin != NONE:
                search.duplicates += 1
                if marks[twin] == CLOSED:
                    search.reopened += 1
                else:
                    marks[twin] = CLOSED
                    search.open -= 1
            if falls_to(f, child_f):
                if search.falls == 0:
                    search.side_of_fall = turn
                note_fall(search, edge, state, g, child, child_g)
            made = add_node(search, nodes, table, slot, child, child_g, place, action)
            side_of[made], marks[made] = turn, WAITING
            search.open += 1
            push(waiting[turn], child_f, as_total(h), made)
            meeting = other_table[find(rows, other_table, child)]
            if meeting != NONE and total_of(child_g, costs[meeting]) < search.best:
                search.best = total_of(child_g, costs[meeting])
                search.peak = max(search.peak, search.open)
                search.start, search.end = (made, meeting) if turn == FORWARD else (meeting, made)
                search.action = action + 1
                return FOUND
        search.next_step = SELECT
        search.turn = BACKWARD - turn
    search.peak = max(search.peak, search.open)
    return EXHAUSTED
