"""Verification of the nodes of a saved best-first search, and rebuilding of its table and agenda.

A node is verified by the step that made it: so by induction all states are reached from the start, at these costs. An
expanded node is verified by its children, each of which must be known at no higher a cost, or superfluous. That takes about
as long as the search did, so of more than VERIFIED nodes only a sample is checked in this second way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.store.growth import record_type
from bestfirst.compiled.store.heap import push
from bestfirst.compiled.store.open_list import is_waiting
from bestfirst.compiled.store.records import most_cost
from bestfirst.compiled.store.table import find, key_of, place_in, put
from bestfirst.compiled.store.totals import as_total, can_pay, is_hopeless, total_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        FLOATS,
        HAS_BY_F,
        LEGAL_FIRST,
        as_self,
        enter,
        estimate,
        fits,
        g_of,
        has_room,
        is_goal,
        load_row,
        max_actions,
        parent_of,
        prepared_for,
        state_of,
        step_with,
        undo_of,
    )
    from bestfirst.compiled.store.aliases import (
        Array,
        Expansions,
        Flag,
        Int,
        Nodes,
        Number,
        NumberType,
        OpenList,
        Order,
        Self,
        Table,
    )

# The ends of a call.
DONE, NO_ROOM, WRONG = range(3)

VERIFIED = 1 << 24


def new_rebuildings(total: NumberType) -> Array:
    """The record of a rebuilding, as an array of one. total: the type of totals."""
    rebuilding = record_type(
        ("place", np.int64),  # the current node
        ("most_g", np.int64),  # the g and the h that do not fit on the agenda
        ("most_h", np.int64),
        ("open", np.int64),  # the number of open nodes
        ("best", total),  # the cost of the best goal
        ("lowest", total),  # the lowest f of an open node
    )
    return np.zeros(1, rebuilding)


def can_be_paid(g: Number, cost: Number) -> Flag:
    """Whether the sum of a path's cost and another cost fits into a record."""
    return can_pay(g, cost) and (FLOATS or cost <= most_cost() - g)


def is_made_by(me: Self, nodes: Nodes, undo_by: Array, place: Int) -> Flag:
    """Whether the parent of a node precedes it, has been expanded, and has the node as a child."""
    parent = parent_of(nodes, place) - 1
    if parent < 0 or parent >= place or is_waiting(nodes, parent):
        return False
    state, before, g = state_of(nodes, place), state_of(nodes, parent), g_of(nodes, parent)
    pair = prepared_for(me, before)
    for action in range(max_actions(me)):
        legal, child, cost = step_with(me, before, action, pair)
        if LEGAL_FIRST and not legal:
            break
        is_it = (
            legal and can_be_paid(g, cost) and child == state and fits(child) and undo_by[action] == undo_of(nodes, place)
        )
        if is_it and g + cost == g_of(nodes, place):
            return True
    return False


def rebuild(
    data: Self,
    rebuildings: Array,
    nodes: Nodes,
    table_: Table,
    agenda: OpenList,
    by_f: OpenList,
    expansions: Expansions,
    order: Order,
    reopen: bool,
    size: int,
) -> int:
    """Verify the nodes by their parents, and enter them into the table, and open ones into the agenda.

    The arguments are those of best_first_slice. WRONG: the current node is impossible. NO_ROOM: as there.
    """
    me = as_self(data)
    rebuilding = rebuildings[0]
    _entries, _children, rows, _index, _line, undo_by = expansions
    for place in range(rebuilding.place, size):
        rebuilding.place = place
        state = state_of(nodes, place)
        g = g_of(nodes, place)
        if place == 0:
            if not (state == load_row(rows, 0) and parent_of(nodes, 0) == 0 and undo_of(nodes, 0) == 0 and g == 0):
                return WRONG
        elif not is_made_by(me, nodes, undo_by, place):
            return WRONG
        key = key_of(me, table_, state)
        if key < 0:
            return WRONG
        slot = find(nodes, table_, key, state)
        twin = place_in(table_, slot)
        if twin >= 0 and (not reopen or is_waiting(nodes, twin) or g >= g_of(nodes, twin)):
            return WRONG
        if is_waiting(nodes, place):
            h = estimate(me, state)
            if not h >= 0 or is_hopeless(h):
                return WRONG
            if not has_room(agenda, order, g, h, 1):
                rebuilding.most_g = 0 if FLOATS else np.int64(g)
                rebuilding.most_h = 0 if FLOATS else np.int64(h)
                return NO_ROOM
            enter(agenda, order, place, g, h)
            if HAS_BY_F:
                push(by_f, total_of(g, h), as_total(0), place)
            rebuilding.open += 1
            rebuilding.lowest = min(rebuilding.lowest, total_of(g, h))
        elif is_goal(me, state) and as_total(g) < rebuilding.best:
            return WRONG  # a goal ends the search before its expansion
        put(table_, slot, key, place)
    rebuilding.place = 0
    return DONE


def verify(data: Self, rebuildings: Array, nodes: Nodes, table_: Table, reopen: bool, size: int, every: int) -> int:
    """Verify that every `every`-th closed node has been expanded. DONE, or WRONG for the current node."""
    me = as_self(data)
    rebuilding = rebuildings[0]
    for place in range(0, size, every):
        if is_waiting(nodes, place):
            continue
        state, g = state_of(nodes, place), g_of(nodes, place)
        if place_in(table_, find(nodes, table_, key_of(me, table_, state), state)) != place:
            continue  # a cheaper path was found before or after its expansion
        if HAS_BY_F and total_of(g, estimate(me, state)) >= rebuilding.best:
            continue
        pair = prepared_for(me, state)
        for action in range(max_actions(me)):
            legal, child, cost = step_with(me, state, action, pair)
            if not legal:
                if LEGAL_FIRST:
                    break
                continue
            key = key_of(me, table_, child)
            if key < 0 or not fits(child):
                rebuilding.place = place
                return WRONG
            twin = place_in(table_, find(nodes, table_, key, child))
            if twin >= 0 and (not reopen or g_of(nodes, twin) <= g + cost):
                continue
            h = estimate(me, child)
            if is_hopeless(h):
                continue
            if HAS_BY_F and total_of(g + cost, h) >= rebuilding.best:
                continue
            rebuilding.place = place
            return WRONG
    return DONE


PARTS = (can_be_paid, is_made_by)
