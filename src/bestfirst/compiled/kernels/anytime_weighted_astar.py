"""Anytime weighted A*, compiled: the twin of search/anytime_weighted_astar.py.

It is best-first search (best_first.py) with a second heap of the same nodes by f: the lowest f of an open node is a lower
bound.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bestfirst.compiled.kernels.best_first import PREPARE, add_record, prepare, room_for, supersede
from bestfirst.compiled.kernels.prefetch import child_at, children_in, estimate_at, look_ahead, parents_in
from bestfirst.compiled.kernels.slices import EXHAUSTED, FOUND, FULL, NO_ROOM, STOPPED
from bestfirst.compiled.store.fronts import compared, without_dominated
from bestfirst.compiled.store.heap import first_in, lowest_key, push, remove, size_of
from bestfirst.compiled.store.open_list import is_waiting, leave
from bestfirst.compiled.store.table import find, place_in
from bestfirst.compiled.store.totals import as_total, is_hopeless, no_total, total_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        HAS_RESOURCES,
        as_self,
        enter,
        estimate,
        g_of,
        has_room,
        is_goal,
        max_actions,
        next_waiting,
        set_rival,
        state_of,
        undo_of,
    )
    from bestfirst.compiled.store.aliases import Expansions, Nodes, OpenList, Order, Searches, Self, Table, Total


def lowest_waiting(nodes: Nodes, by_f: OpenList) -> Total:
    """The lowest f of an open node; greater than any total without one."""
    while size_of(by_f) > 0 and not is_waiting(nodes, first_in(by_f)):
        remove(by_f)
    return lowest_key(by_f) if size_of(by_f) > 0 else no_total()


def anytime_slice(
    data: Self,
    searches: Searches,
    nodes: Nodes,
    table_: Table,
    agenda: OpenList,
    expansions: Expansions,
    order: Order,
    by_f: OpenList,
    budget: int,
) -> int:
    """Search for at most `budget` expansions, or to a better goal; return how it ended. The arguments are those of
    best_first_slice.

    by_f: the second heap. A goal that ended the slice is off the agenda, and its cost is search.best.
    """
    me = as_self(data)
    search = searches[0]
    until = search.expanded + budget
    if search.agenda_is_new:
        push(by_f, total_of(g_of(nodes, 0), estimate(me, state_of(nodes, 0))), as_total(0), 0)
    prepare(me, search, nodes, table_, agenda, order)
    if budget == PREPARE:
        return STOPPED
    while search.open > 0:
        lowest = min(search.best, lowest_waiting(nodes, by_f))
        if lowest >= search.best:
            break
        place = next_waiting(nodes, agenda)
        search.place = place
        state = state_of(nodes, place)
        g, h = g_of(nodes, place), estimate(me, state)
        f = total_of(g, h)
        if f >= search.best:
            leave(nodes, place)
            search.open -= 1
            search.pruned += 1
            continue
        search.peak = max(search.peak, search.open - 1)
        search.proved = max(search.proved, lowest)
        if is_goal(me, state):
            leave(nodes, place)
            search.open -= 1
            search.best = as_total(g)
            return FOUND
        if search.expanded >= until:
            return STOPPED
        if search.nodes + max_actions(me) > search.capacity:
            return FULL
        if not has_room(by_f, order, g, h, max_actions(me)):
            search.children = max_actions(me)
            return NO_ROOM
        undo = undo_of(nodes, place)
        entry = look_ahead(me, table_, expansions, order, state, undo, h)
        how = room_for(me, agenda, expansions, search, order, entry, g)
        if how != STOPPED:
            return how
        leave(nodes, place)
        search.open -= 1
        search.generated += children_in(me, expansions, entry) + parents_in(expansions, entry)
        search.duplicates += parents_in(expansions, entry)
        for number in range(children_in(me, expansions, entry)):
            _new, child, cost, key, child_undo = child_at(me, table_, expansions, entry, state, undo, g, number, 0)
            child_g, child_h = g + cost, estimate_at(me, expansions, entry, number, child)
            if is_hopeless(child_h):
                search.pruned += 1
                search.dead_ends += 1
                continue
            slot = find(nodes, table_, key, child)
            first = place_in(table_, slot)
            twin, is_dominated = first, False
            if HAS_RESOURCES:
                twin, is_dominated = compared(nodes, first, child, child_g, True)
            if twin >= 0 and child_g >= g_of(nodes, twin):
                search.duplicates += 1
                continue
            child_f = total_of(child_g, child_h)
            if child_f >= search.best:
                search.pruned += 1
                continue
            if is_dominated:
                search.pruned += 1
                continue
            if twin >= 0:
                supersede(search, nodes, twin)
            if HAS_RESOURCES:
                first = without_dominated(search, nodes, first, child, child_g, True)
            made = add_record(search, nodes, table_, slot, key, child, child_undo, child_g, f, child_f)
            if HAS_RESOURCES:
                set_rival(nodes, made, first + 1)
            enter(agenda, order, made, child_g, child_h)
            push(by_f, child_f, as_total(0), made)
        search.expanded += 1
    search.peak = max(search.peak, search.open)
    return EXHAUSTED
