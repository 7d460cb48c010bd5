"""The nodes of a saved best-first search, verified; table and agenda are made anew from them.

A node is verified by the step that made it: so by induction all states are reached from the start, at these costs. A node that was
expanded is verified by its children, each of which is known at no higher a cost, or need not be. That takes about as long as the
search has taken, so of more than VERIFIED nodes only every few are looked at in this second way.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.table import find, key_of, place_in, put

if TYPE_CHECKING:
    from bestfirst.compiled.names import (
        FLOATS,
        HAS_BY_F,
        MAX_ACTIONS,
        as_self,
        enter,
        estimate,
        fits,
        g_of,
        has_room,
        is_waiting,
        load_row,
        parent_of,
        state_of,
        step,
        undo_of,
    )

# The places of the control array: the node at work; the order that the agenda has no room for; how many nodes wait.
AT, PRIMARY, SECONDARY, WAITING = range(4)
CONTROL_SIZE = 4

# How a call ends.
DONE, NO_ROOM, WRONG = range(3)

VERIFIED = 1 << 24

# The places of the array of reals: the cost of the best goal, and the lowest f of a node that waits.
BEST, LOWEST = range(2)


def is_made_by(me: Any, nodes: Any, undo_by: Any, place: Any) -> bool:
    """Whether the parent of a node comes before it, has been expanded, and has such a child."""
    parent = parent_of(nodes, place) - 1
    if parent < 0 or parent >= place or is_waiting(nodes, parent):
        return False
    state, before, g = state_of(nodes, place), state_of(nodes, parent), g_of(nodes, parent)
    for action in range(MAX_ACTIONS):
        legal, child, cost = step(me, before, action)
        is_it = legal and cost >= 0 and child == state and fits(child) and undo_by[action] == undo_of(nodes, place)
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
    reals: Any,
    order: Any,
    reopen: bool,
    size: int,
) -> int:
    """Verify the nodes from control[AT] on by their parents, and enter them into the table and those that wait into the agenda.

    The arguments are those of best_first_slice. WRONG: the node control[AT] cannot be. NO_ROOM: as there.
    """
    me = as_self(data)
    g_first, h_first, h_second = order
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
            if not h >= 0 or (FLOATS and h == inf):
                return WRONG
            primary, secondary = g_first * g + h_first * h, h_second * h
            if not has_room(agenda, primary, secondary):
                control[PRIMARY] = 0 if FLOATS else np.int64(primary)
                control[SECONDARY] = 0 if FLOATS else np.int64(secondary)
                return NO_ROOM
            enter(agenda, place, primary, secondary)
            if HAS_BY_F:
                enter(by_f, place, g + h, 0)
            control[WAITING] += 1
            reals[LOWEST] = min(reals[LOWEST], float(g + h))
        put(table_, slot, key, place)
    control[AT] = 0
    return DONE


def verify(data: Any, nodes: Any, table_: Any, control: Any, reals: Any, reopen: bool, size: int, every: int) -> int:
    """Verify that nodes which wait no longer, one of so many, have been expanded. DONE, or WRONG for the node control[AT]."""
    me = as_self(data)
    for place in range(0, size, every):
        if is_waiting(nodes, place):
            continue
        state, g = state_of(nodes, place), g_of(nodes, place)
        if place_in(table_, find(nodes, table_, key_of(me, table_, state), state)) != place:
            continue  # a cheaper path was found before it was expanded, or after that
        if HAS_BY_F and g + estimate(me, state) >= reals[BEST]:
            continue
        for action in range(MAX_ACTIONS):
            legal, child, cost = step(me, state, action)
            if not legal:
                continue
            key = key_of(me, table_, child)
            if key < 0 or not fits(child):
                control[AT] = place
                return WRONG
            twin = place_in(table_, find(nodes, table_, key, child))
            if twin >= 0 and (not reopen or g_of(nodes, twin) <= g + cost):
                continue
            h = estimate(me, child)
            if FLOATS and h == inf:
                continue
            if HAS_BY_F and g + cost + h >= reals[BEST]:
                continue
            control[AT] = place
            return WRONG
    return DONE


PARTS = (is_made_by,)
