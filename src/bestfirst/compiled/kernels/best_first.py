"""Best-first search, compiled: A*, weighted A*, uniform-cost and greedy search.

The twin of search/best_first.py. Nodes are records (records.py) in one array; a table (table.py) finds the node of a state.
The agenda consists of buckets if its order consists of ints (buckets.py), otherwise it is a heap (heap.py).

A cheaper path to a known state makes a new record. So the paths through the old one stay unchanged; if that is still
open, it is skipped when popped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.kernels.prefetch import (
    NONE,
    PARENT,
    TOO_COSTLY,
    WRONG,
    child_at,
    children_in,
    estimate_at,
    fetch_twins,
    highest,
    look_ahead,
    parents_in,
    prepared_at,
)
from bestfirst.compiled.kernels.slices import COSTLY, EXHAUSTED, FAULTY, FOUND, FULL, NO_ROOM, STOPPED, TOO_FAR
from bestfirst.compiled.store.fronts import compared, fill_fronts, without_dominated
from bestfirst.compiled.store.inconsistent_edges import falls_to
from bestfirst.compiled.store.open_list import is_waiting, leave
from bestfirst.compiled.store.records import most_cost
from bestfirst.compiled.store.table import clear_table, fill_table, find, place_in, put
from bestfirst.compiled.store.totals import is_hopeless, no_total, total_of
from bestfirst.rounding import ROUNDED_DOWN

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        BEYOND_COSTS,
        FLOATS,
        HAS_RESOURCES,
        LEGAL_FIRST,
        RANKED,
        SEVERAL_GOALS,
        as_self,
        drop,
        enter,
        estimate,
        fetch,
        g_of,
        has_room,
        is_goal,
        max_actions,
        next_waiting,
        put_record,
        set_rival,
        state_of,
        undo_of,
        upcoming,
    )
    from bestfirst.compiled.store.aliases import (
        Expansions,
        Flag,
        Int,
        Nodes,
        Number,
        OpenList,
        Order,
        Search,
        Searches,
        Self,
        State,
        Table,
        Total,
    )

OWN_FIELDS = (
    "nodes",  # the number of nodes
    "open",  # of open nodes
    "place",  # the last selected node
    "fall_from",  # the first inconsistent edge
    "fall_to",
    "agenda_is_new",  # whether the agenda is empty because it is new
    "capacity",  # for nodes
    "most_g",  # for children that do not fit on the agenda: the largest g and h, and their number
    "most_h",
    "children",
)
OWN_TOTALS = (
    "proved",  # the largest f
    "lowest",  # the lowest f on the agenda, except the goal's
    "best",  # the best cost
)
OWN_REALS = (
    "bound",  # the largest g / weight + h, if the weight is not 1
    "weight",
)

AHEAD = 6
"""Distances in a bucket: the node this far ahead is prepared for expansion, and the record of one twice as far is
fetched."""

PREPARE = -1
"""A budget: only enter the nodes into a new table and a new agenda."""
CLEAR = -2
"""A budget: only take the nodes out of a table by rank, for the next search."""


def prepare(me: Self, search: Search, nodes: Nodes, table_: Table, agenda: OpenList, order: Order) -> Flag:
    """Enter the nodes into a new table, and the open ones, in order of creation, into a new agenda. False without room."""
    if search.table_is_new:
        if HAS_RESOURCES:
            fill_fronts(me, nodes, table_, search.nodes)
        else:
            fill_table(me, nodes, table_, search.nodes)
        search.table_is_new = 0
    if search.agenda_is_new:
        for place in range(search.nodes):
            if is_waiting(nodes, place):
                g, h = g_of(nodes, place), estimate(me, state_of(nodes, place))
                if not has_room(agenda, order, g, h, 1):
                    return False
                enter(agenda, order, place, g, h)
        search.agenda_is_new = 0
    return True


def room_for(me: Self, agenda: OpenList, expansions: Expansions, search: Search, order: Order, entry: Int, g: Number) -> int:
    """Whether the children of a node fit on the agenda; if not, the code with which the slice ends.

    entry: that of the node in the expansions. Nothing has been changed by then, so the expansion can be made later.
    """
    all_right, highest_cost, highest_h = highest(expansions, entry)
    if not all_right:
        return FAULTY
    if FLOATS:
        if not g + highest_cost < BEYOND_COSTS:
            return FAULTY
    elif highest_cost > most_cost() - g:
        return COSTLY
    children = children_in(me, expansions, entry)
    if not has_room(agenda, order, g + highest_cost, highest_h, children):
        search.most_g = 0 if FLOATS else np.int64(g + highest_cost)
        search.most_h = 0 if FLOATS else np.int64(highest_h)
        search.children = children
        return NO_ROOM
    return STOPPED


def lowest_total(me: Self, search: Search, nodes: Nodes) -> Total:
    """The lowest f of the nodes on the agenda, except the selected one."""
    lowest = no_total()
    for place in range(search.nodes):
        if place != search.place and is_waiting(nodes, place):
            lowest = min(lowest, total_of(g_of(nodes, place), estimate(me, state_of(nodes, place))))
    return lowest


def supersede(search: Search, nodes: Nodes, twin: Int) -> None:
    """Count and close a known node, to whose state there is a cheaper path."""
    search.duplicates += 1
    if is_waiting(nodes, twin):
        leave(nodes, twin)
        search.open -= 1
    else:
        search.reopened += 1


def add_record(
    search: Search,
    nodes: Nodes,
    table_: Table,
    slot: Int,
    key: Int,
    state: State,
    undo: Int,
    g: Number,
    f: Total,
    child_f: Total,
) -> Int:
    """Make an open node, a child of the selected one; returns its index. f: of the selected one."""
    place = search.nodes
    put(table_, slot, key, place)
    put_record(nodes, place, state, search.place + 1, undo, 1, g)
    if falls_to(f, child_f):
        if search.falls == 0:
            search.fall_from, search.fall_to = search.place, place
        search.falls += 1
    search.nodes += 1
    search.open += 1
    return place


def best_first_slice(
    data: Self,
    searches: Searches,
    nodes: Nodes,
    table_: Table,
    agenda: OpenList,
    expansions: Expansions,
    order: Order,
    reopen: bool,
    budget: int,
) -> int:
    """Search for at most `budget` expansions; return how it ended.

    With SEVERAL_GOALS, search.passed is the index + 1 of a goal to be expanded, and search.farthest the largest f.
    nodes: the records, as ints and as floats. table_: finds the nodes by their states. expansions: the prepared ones.
    reopen: whether a cheaper path to a known state replaces the old one.
    """
    me = as_self(data)
    search = searches[0]
    if RANKED and budget == CLEAR:
        clear_table(me, nodes, table_, search.nodes)
        return STOPPED
    until = search.expanded + budget
    if not prepare(me, search, nodes, table_, agenda, order):
        return NO_ROOM
    if budget == PREPARE:
        return STOPPED
    while search.open > 0:
        place = next_waiting(nodes, agenda)
        search.place = place
        state = state_of(nodes, place)
        if SEVERAL_GOALS and total_of(g_of(nodes, place), estimate(me, state)) > search.farthest:
            return TOO_FAR
        search.peak = max(search.peak, search.open - 1)
        if is_goal(me, state) and not (SEVERAL_GOALS and search.passed == place + 1):
            if search.weight > 1:
                search.lowest = lowest_total(me, search, nodes)
            return FOUND
        g, h = g_of(nodes, place), estimate(me, state)
        f = total_of(g, h)
        search.proved = max(search.proved, f)
        if search.weight != 1:
            search.bound = max(search.bound, (g / search.weight + h) * ROUNDED_DOWN)
        if search.expanded >= until:
            return STOPPED
        if search.nodes + max_actions(me) > search.capacity:
            return FULL
        later = upcoming(agenda, 2 * AHEAD)
        if later >= 0:
            fetch(nodes, later)
        entry = 0
        for soon in (upcoming(agenda, AHEAD), place):
            if soon >= 0:
                soon_state = state_of(nodes, soon)
                soon_h = h if soon == place else estimate(me, soon_state)
                entry = look_ahead(me, table_, expansions, order, soon_state, undo_of(nodes, soon), soon_h)
        how = room_for(me, agenda, expansions, search, order, entry, g)
        if how != STOPPED:
            return how
        fetch_twins(me, nodes, table_, expansions, entry)
        leave(nodes, place)
        drop(agenda)
        search.open -= 1
        undo = undo_of(nodes, place)
        search.generated += parents_in(expansions, entry)
        search.duplicates += parents_in(expansions, entry)
        pair = prepared_at(me, state)
        for number in range(children_in(me, expansions, entry)):
            kind, child, cost, key, child_undo = child_at(me, table_, expansions, entry, state, undo, g, number, pair)
            if kind == NONE:
                if LEGAL_FIRST:
                    break
                continue
            if kind == WRONG:
                return FAULTY
            if kind == TOO_COSTLY:
                return COSTLY
            search.generated += 1
            if kind == PARENT:
                search.duplicates += 1
                continue
            child_g = g + cost
            slot = find(nodes, table_, key, child)
            first = place_in(table_, slot)
            twin, is_dominated = first, False
            if HAS_RESOURCES:
                twin, is_dominated = compared(nodes, first, child, child_g, reopen)
            if twin >= 0 and (not reopen or child_g >= g_of(nodes, twin)):
                search.duplicates += 1
                continue
            child_h = estimate_at(me, expansions, entry, number, child)
            if not child_h >= 0:
                return FAULTY
            if is_hopeless(child_h):
                search.pruned += 1
                search.dead_ends += 1
                continue
            if is_dominated:
                search.pruned += 1
                continue
            if twin >= 0:
                supersede(search, nodes, twin)
            if HAS_RESOURCES:
                first = without_dominated(search, nodes, first, child, child_g, reopen)
            child_f = total_of(child_g, child_h)
            made = add_record(search, nodes, table_, slot, key, child, child_undo, child_g, f, child_f)
            if HAS_RESOURCES:
                set_rival(nodes, made, first + 1)
            enter(agenda, order, made, child_g, child_h)
        search.expanded += 1
    return EXHAUSTED
