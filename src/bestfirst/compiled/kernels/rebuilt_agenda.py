"""Verification of the nodes of a saved best-first search, and rebuilding of its table and agenda.

A node is verified by the step that made it: so by induction all states are reached from the start, at these costs. An
expanded node is verified by its children, each of which must be known at no higher a cost, or superfluous. That takes about
as long as the search did, so of more than VERIFIED nodes only a sample is checked in this second way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.store.records import most_cost
from bestfirst.compiled.store.table import find, key_of, place_in, put
from bestfirst.compiled.store.totals import as_total, can_pay, is_hopeless, total_in, total_of, word_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        FLOATS,
        HAS_BY_F,
        LEGAL_FIRST,
        MAX_ACTIONS,
        as_self,
        enter,
        enter_by_total,
        estimate,
        fits,
        g_of,
        has_room,
        is_goal,
        is_waiting,
        load_row,
        parent_of,
        state_of,
        step,
        undo_of,
    )

# The indices of the control array: the current node; the g and the h that do not fit on the agenda; the number of open
# nodes; and as words the cost of the best goal, and the lowest f of an open node.
AT, MOST_G, MOST_H, WAITING, BEST, LOWEST = range(6)
CONTROL_SIZE = 6

# The ends of a call.
DONE, NO_ROOM, WRONG = range(3)

VERIFIED = 1 << 24


def can_be_paid(g: Any, cost: Any) -> bool:
    """Whether the sum of a path's cost and another cost fits into a record."""
    return can_pay(g, cost) and (FLOATS or cost <= most_cost() - g)


def is_made_by(me: Any, nodes: Any, undo_by: Any, place: Any) -> bool:
    """Whether the parent of a node precedes it, has been expanded, and has such a child."""
    parent = parent_of(nodes, place) - 1
    if parent < 0 or parent >= place or is_waiting(nodes, parent):
        return False
    state, before, g = state_of(nodes, place), state_of(nodes, parent), g_of(nodes, parent)
    for action in range(MAX_ACTIONS):
        legal, child, cost = step(me, before, action)
        if LEGAL_FIRST and not legal:
            break
        is_it = (
            legal and can_be_paid(g, cost) and child == state and fits(child) and undo_by[action] == undo_of(nodes, place)
        )
        if is_it and g + cost == g_of(nodes, place):
            return True
    return False


def rebuild(
    data: Any,
    nodes: Any,
    table_: Any,
    agenda: Any,
    by_f: Any,
    ready: Any,
    control: Any,
    order: Any,
    reopen: bool,
    size: int,
) -> int:
    """Verify the nodes from control[AT] on by their parents, and enter them into the table, and open ones into the agenda.

    The arguments are those of best_first_slice. WRONG: the node control[AT] is impossible. NO_ROOM: as there.
    """
    me = as_self(data)
    lowest, best = total_in(control[LOWEST]), total_in(control[BEST])
    for place in range(control[AT], size):
        control[AT] = place
        state = state_of(nodes, place)
        g = g_of(nodes, place)
        if place == 0:
            if not (state == load_row(ready[0], 0) and parent_of(nodes, 0) == 0 and undo_of(nodes, 0) == 0 and g == 0):
                return WRONG
        elif not is_made_by(me, nodes, ready[3], place):
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
                control[MOST_G] = 0 if FLOATS else np.int64(g)
                control[MOST_H] = 0 if FLOATS else np.int64(h)
                return NO_ROOM
            enter(agenda, order, place, g, h)
            if HAS_BY_F:
                enter_by_total(by_f, place, total_of(g, h))
            control[WAITING] += 1
            lowest = min(lowest, total_of(g, h))
            control[LOWEST] = word_of(lowest)
        elif is_goal(me, state) and as_total(g) < best:
            return WRONG  # a goal ends the search before its expansion
        put(table_, slot, key, place)
    control[AT] = 0
    return DONE


def verify(data: Any, nodes: Any, table_: Any, control: Any, reopen: bool, size: int, every: int) -> int:
    """Verify that every `every`-th closed node has been expanded. DONE, or WRONG for the node control[AT]."""
    me = as_self(data)
    best = total_in(control[BEST])
    for place in range(0, size, every):
        if is_waiting(nodes, place):
            continue
        state, g = state_of(nodes, place), g_of(nodes, place)
        if place_in(table_, find(nodes, table_, key_of(me, table_, state), state)) != place:
            continue  # a cheaper path was found before or after its expansion
        if HAS_BY_F and total_of(g, estimate(me, state)) >= best:
            continue
        for action in range(MAX_ACTIONS):
            legal, child, cost = step(me, state, action)
            if not legal:
                if LEGAL_FIRST:
                    break
                continue
            key = key_of(me, table_, child)
            if key < 0 or not fits(child):
                control[AT] = place
                return WRONG
            twin = place_in(table_, find(nodes, table_, key, child))
            if twin >= 0 and (not reopen or g_of(nodes, twin) <= g + cost):
                continue
            h = estimate(me, child)
            if is_hopeless(h):
                continue
            if HAS_BY_F and total_of(g + cost, h) >= best:
                continue
            control[AT] = place
            return WRONG
    return DONE


PARTS = (can_be_paid, is_made_by)
