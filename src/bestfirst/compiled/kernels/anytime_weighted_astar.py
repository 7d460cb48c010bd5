"""Anytime weighted A*, compiled: the twin of search/anytime_weighted_astar.py.

It is best-first search (best_first.py) with a second heap of the same nodes by f: the lowest f of an open node is a lower
bound.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bestfirst.compiled.kernels.best_first import (
    AT,
    BEST,
    CAPACITY,
    CHILDREN,
    DEAD_ENDS,
    DUPLICATES,
    EXHAUSTED,
    EXPANDED,
    FALL_FROM,
    FALL_TO,
    FALLS,
    FOUND,
    FULL,
    GENERATED,
    LOWER_BOUND,
    NO_ROOM,
    NODES,
    OPEN,
    PEAK,
    PRUNED,
    REFILL,
    REOPENED,
    START,
    STOPPED,
    room_for,
)
from bestfirst.compiled.kernels.prefetch import COST, COUNT, KEY, PARENTS, TAIL, UNDO_OF, H, children_at, look_ahead, word
from bestfirst.compiled.store.heap import CONTROL, PLACES, ROOT
from bestfirst.compiled.store.inconsistent_edges import falls_to
from bestfirst.compiled.store.table import fill_table, find, key_of, place_in, put
from bestfirst.compiled.store.totals import as_total, is_hopeless, no_total, total_in, total_of, word_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        FIELDS,
        MAX_ACTIONS,
        as_self,
        drop,
        enter,
        enter_by_total,
        estimate,
        g_of,
        has_room,
        is_goal,
        is_waiting,
        leave,
        load_row,
        lowest_key,
        next_waiting,
        put_record,
        state_of,
        undo_of,
    )


def lowest_waiting(nodes: Any, by_f: Any) -> Any:
    """The lowest f of an open node; greater than any total without one."""
    places, control = by_f[PLACES], by_f[CONTROL]
    while control[0] > 0 and not is_waiting(nodes, places[ROOT]):
        drop(by_f)
    return lowest_key(by_f) if control[0] > 0 else no_total()


def enter_both(agenda: Any, by_f: Any, order: Any, place: Any, g: Any, h: Any) -> None:
    """Put a node on the agenda and into the heap by f."""
    enter(agenda, order, place, g, h)
    enter_by_total(by_f, place, total_of(g, h))


def anytime_slice(
    data: Any,
    nodes: Any,
    table_: Any,
    agenda: Any,
    ready: Any,
    control: Any,
    reals: Any,  # noqa: ARG001  (as best_first_slice takes them)
    order: Any,
    by_f: Any,
    budget: int,
) -> int:
    """Search for at most `budget` expansions; return how it ended. The arguments are those of best_first_slice.

    by_f: the second heap. A goal that ended the slice is off the agenda, and its cost is control[BEST].
    """
    me = as_self(data)
    words, numbers, _line, _undo_by, _index = ready
    if budget == REFILL:
        fill_table(me, nodes, table_, control[NODES])
        return STOPPED
    if budget == START:
        root = load_row(words, 0)
        h = estimate(me, root)
        key = key_of(me, table_, root)
        put_record(nodes, 0, root, 0, 0, 1, 0)
        put(table_, find(nodes, table_, key, root), key, 0)
        enter_both(agenda, by_f, order, 0, g_of(nodes, 0), h)
        return STOPPED
    size, waiting = int(control[NODES]), int(control[OPEN])
    best = total_in(control[BEST])
    bound = total_in(control[LOWER_BOUND])
    place = 0
    expanded = 0
    generated = 0
    duplicates = 0
    pruned = 0
    how = STOPPED
    while True:
        lowest = no_total() if waiting == 0 else min(best, lowest_waiting(nodes, by_f))
        if lowest >= best or waiting == 0:
            control[PEAK] = max(control[PEAK], waiting)
            how = EXHAUSTED
            break
        place = next_waiting(nodes, agenda)
        state = state_of(nodes, place)
        g = g_of(nodes, place)
        h = estimate(me, state)
        f = total_of(g, h)
        if f >= best:
            leave(nodes, place)
            waiting -= 1
            pruned += 1
            continue
        control[PEAK] = max(control[PEAK], waiting - 1)
        bound = max(bound, lowest)
        if is_goal(me, state):
            leave(nodes, place)
            waiting -= 1
            control[BEST] = word_of(as_total(g))
            how = FOUND
            break
        if expanded >= budget:
            break
        if size + MAX_ACTIONS > control[CAPACITY]:
            how = FULL
            break
        if not has_room(by_f, order, g, h, MAX_ACTIONS):
            control[CHILDREN] = MAX_ACTIONS
            how = NO_ROOM
            break
        entry = look_ahead(me, table_, ready, order, state, undo_of(nodes, place), h)
        head = entry + FIELDS
        how = room_for(agenda, ready, control, order, entry, g)
        if how != STOPPED:
            break
        leave(nodes, place)
        waiting -= 1
        generated += words[word(head + COUNT)] + words[word(head + PARENTS)]
        duplicates += words[word(head + PARENTS)]
        for number in range(words[word(head + COUNT)]):
            at = children_at(entry) + number * (FIELDS + TAIL)
            child, tail = load_row(words, at), at + FIELDS
            child_g, child_h = g + numbers[word(tail + COST)], numbers[word(tail + H)]
            if is_hopeless(child_h):
                pruned += 1
                control[DEAD_ENDS] += 1
                continue
            key = words[word(tail + KEY)]
            slot = find(nodes, table_, key, child)
            twin = place_in(table_, slot)
            if twin >= 0 and child_g >= g_of(nodes, twin):
                duplicates += 1
                continue
            child_f = total_of(child_g, child_h)
            if child_f >= best:
                pruned += 1
                continue
            if twin >= 0:
                duplicates += 1
                if is_waiting(nodes, twin):
                    leave(nodes, twin)
                    waiting -= 1
                else:
                    control[REOPENED] += 1
            put(table_, slot, key, size)
            put_record(nodes, size, child, place + 1, words[word(tail + UNDO_OF)], 1, child_g)
            enter_both(agenda, by_f, order, size, child_g, child_h)
            if falls_to(f, child_f):
                if control[FALLS] == 0:
                    control[FALL_FROM] = place
                    control[FALL_TO] = size
                control[FALLS] += 1
            size += 1
            waiting += 1
        expanded += 1
    control[AT] = place
    control[LOWER_BOUND] = word_of(bound)
    control[NODES], control[OPEN] = size, waiting
    control[EXPANDED] += expanded
    control[GENERATED] += generated
    control[DUPLICATES] += duplicates
    control[PRUNED] += pruned
    return how
