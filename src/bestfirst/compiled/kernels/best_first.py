"""Best-first search, compiled: A*, weighted A*, uniform-cost and greedy search.

The twin of search/best_first.py. Nodes are records (records.py) in one array; a table (table.py) finds the node of a state.
The agenda consists of buckets if its order consists of ints (buckets.py), otherwise it is a heap (heap.py).

A cheaper path to a known state makes a new record. So the paths through the old one stay unchanged; if that is still
open, it is skipped when popped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.kernels.prefetch import (
    COSTLY,
    NONE,
    PARENT,
    WRONG,
    child_at,
    children_in,
    estimate_at,
    highest,
    look_ahead,
    parents_in,
)
from bestfirst.compiled.store.inconsistent_edges import falls_to
from bestfirst.compiled.store.records import most_cost
from bestfirst.compiled.store.table import fill_table, find, key_of, place_in, put
from bestfirst.compiled.store.totals import is_hopeless, no_total, total_in, total_of, word_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        BEYOND_COSTS,
        FLOATS,
        LEGAL_FIRST,
        MAX_ACTIONS,
        as_self,
        drop,
        enter,
        estimate,
        fetch,
        g_of,
        has_room,
        is_goal,
        is_waiting,
        leave,
        load_row,
        next_waiting,
        put_record,
        state_of,
        undo_of,
        upcoming,
    )

# The indices of the control array: counts and marks. AT is the current node when a slice ended.
NODES, OPEN, EXPANDED, GENERATED, DUPLICATES, REOPENED, PRUNED, PEAK, DEAD_ENDS, FALLS, FALL_FROM, FALL_TO, AT = range(13)
COUNTS = 13  # this many entries are saved unchanged
# For children that do not fit on the agenda: the largest g and h, and their number. The capacity for nodes.
MOST_G, MOST_H, CHILDREN, CAPACITY = range(13, 17)
# Totals as words: the largest f; the lowest on the agenda beside a goal; the best cost.
LOWER_BOUND, LOWEST, BEST = range(17, 20)
CONTROL_SIZE = 20

AHEAD = 6
"""Distances in a bucket: the node this far ahead is prepared for expansion, and the record of one twice as far is
fetched."""

START, REFILL, REENTER = -1, -2, -3
"""Special budgets: put the root on the agenda, which has room for it if its estimate is the one that Python returned; enter all
nodes into an empty table; enter all open nodes into an empty agenda."""

# How a slice ended.
STOPPED, EXHAUSTED, FOUND, FULL, NO_ROOM, TOO_DEAR, FAULTY = range(7)

# The indices of the array of reals: the largest g / weight + h, if the weight is not 1.
BOUND, WEIGHT = range(2)


def room_for(agenda: Any, ready: Any, control: Any, order: Any, entry: Any, g: Any) -> Any:
    """Whether the children of a node fit on the agenda; if not, the code with which the slice ends.

    entry: their index in ready. Nothing has been changed by then, so the expansion can be made later.
    """
    all_right, highest_cost, highest_h = highest(ready, entry)
    if not all_right:
        return FAULTY
    if FLOATS:
        if not g + highest_cost < BEYOND_COSTS:
            return FAULTY
    elif highest_cost > most_cost() - g:
        return TOO_DEAR
    children = children_in(ready, entry)
    if not has_room(agenda, order, g + highest_cost, highest_h, children):
        control[MOST_G] = 0 if FLOATS else np.int64(g + highest_cost)
        control[MOST_H] = 0 if FLOATS else np.int64(highest_h)
        control[CHILDREN] = children
        return NO_ROOM
    return STOPPED


def lowest_total(me: Any, nodes: Any, size: int, but: int) -> Any:
    """The lowest f of the nodes on the agenda, except one."""
    lowest = no_total()
    for place in range(size):
        if place != but and is_waiting(nodes, place):
            lowest = min(lowest, total_of(g_of(nodes, place), estimate(me, state_of(nodes, place))))
    return lowest


def reenter(me: Any, nodes: Any, agenda: Any, order: Any, size: int) -> None:
    """Insert all open nodes into an empty agenda, in order of creation."""
    for place in range(size):
        if is_waiting(nodes, place):
            enter(agenda, order, place, g_of(nodes, place), estimate(me, state_of(nodes, place)))


def best_first_slice(
    data: Any,
    nodes: Any,
    table_: Any,
    agenda: Any,
    ready: Any,
    control: Any,
    reals: Any,
    order: Any,
    reopen: bool,
    budget: int,
) -> int:
    """Search for at most `budget` expansions; return how it ended.

    nodes: the records, as ints and as floats. table_: finds the nodes by their states. order: (g_first, h_first, h_second);
    nodes leave the agenda in order of g_first * g + h_first * h, ties in order of h_second * h. ready: the prepared
    expansions.
    reopen: whether a cheaper path to a known state replaces the old one.
    """
    me = as_self(data)
    if budget == REFILL:
        fill_table(me, nodes, table_, control[NODES])
        return STOPPED
    if budget == REENTER:
        reenter(me, nodes, agenda, order, control[NODES])
        return STOPPED
    if budget == START:
        root = load_row(ready[0], 0)
        h = estimate(me, root)
        key = key_of(me, table_, root)
        put_record(nodes, 0, root, 0, 0, 1, 0)
        put(table_, find(nodes, table_, key, root), key, 0)
        if not has_room(agenda, order, g_of(nodes, 0), h, 1):
            return NO_ROOM
        enter(agenda, order, 0, g_of(nodes, 0), h)
        return STOPPED
    capacity = control[CAPACITY]
    size, waiting = control[NODES], control[OPEN]
    peak = control[PEAK]
    bound, weight = reals[BOUND], reals[WEIGHT]
    highest_f = total_in(control[LOWER_BOUND])
    place = 0
    expanded = 0
    generated = 0
    duplicates = 0
    how = STOPPED
    while True:
        if waiting == 0:
            how = EXHAUSTED
            break
        place = next_waiting(nodes, agenda)
        peak = max(peak, waiting - 1)
        state = state_of(nodes, place)
        if is_goal(me, state):
            how = FOUND
            if weight > 1:
                control[LOWEST] = word_of(lowest_total(me, nodes, size, place))
            break
        g = g_of(nodes, place)
        h = estimate(me, state)
        f = total_of(g, h)
        highest_f = max(highest_f, f)
        if weight != 1:
            bound = max(bound, g / weight + h)
        if expanded >= budget:
            break
        if size + MAX_ACTIONS > capacity:
            how = FULL
            break
        later = upcoming(agenda, 2 * AHEAD)
        if later >= 0:
            fetch(nodes, later)
        entry = 0
        for soon in (upcoming(agenda, AHEAD), place):
            if soon >= 0:
                soon_state = state_of(nodes, soon)
                soon_h = estimate(me, soon_state)
                entry = look_ahead(me, table_, ready, order, soon_state, undo_of(nodes, soon), soon_h)
        how = room_for(agenda, ready, control, order, entry, g)
        if how != STOPPED:
            break
        leave(nodes, place)
        drop(agenda)
        waiting -= 1
        undo = undo_of(nodes, place)
        parents = parents_in(ready, entry)
        generated += parents
        duplicates += parents
        for number in range(children_in(ready, entry)):
            kind, child, cost, key, child_undo = child_at(me, table_, ready, entry, state, undo, g, number)
            if kind == NONE:
                if LEGAL_FIRST:
                    break
                continue
            if kind in (WRONG, COSTLY):
                control[AT] = place
                return FAULTY if kind == WRONG else TOO_DEAR
            generated += 1
            if kind == PARENT:
                duplicates += 1
                continue
            child_g = g + cost
            slot = find(nodes, table_, key, child)
            twin = place_in(table_, slot)
            if twin >= 0 and (not reopen or child_g >= g_of(nodes, twin)):
                duplicates += 1
                continue
            child_h = estimate_at(me, ready, entry, number, child)
            if not child_h >= 0:
                control[AT] = place
                return FAULTY
            if is_hopeless(child_h):
                control[PRUNED] += 1
                control[DEAD_ENDS] += 1
                continue
            if twin >= 0:
                duplicates += 1
                if is_waiting(nodes, twin):
                    leave(nodes, twin)
                    waiting -= 1
                else:
                    control[REOPENED] += 1
            put(table_, slot, key, size)
            put_record(nodes, size, child, place + 1, child_undo, 1, child_g)
            enter(agenda, order, size, child_g, child_h)
            child_f = total_of(child_g, child_h)
            if falls_to(f, child_f):
                if control[FALLS] == 0:
                    control[FALL_FROM] = place
                    control[FALL_TO] = size
                control[FALLS] += 1
            size += 1
            waiting += 1
        expanded += 1
    control[AT] = place
    control[NODES], control[OPEN], control[PEAK] = size, waiting, peak
    control[EXPANDED] += expanded
    control[GENERATED] += generated
    control[DUPLICATES] += duplicates
    control[LOWER_BOUND] = word_of(highest_f)
    reals[BOUND] = bound
    return how
