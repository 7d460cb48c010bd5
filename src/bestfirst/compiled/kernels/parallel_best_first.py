"""Parallel best-first search, compiled: A* and uniform-cost search by several threads.

Each state belongs to one thread, by its hash: hash-distributed A* (Kishimoto, Fukunaga and Botea, ICAPS 2009). A thread has
its own nodes, table and agenda. The search consists of phases, as in PRA* (Evett et al., 1995). In a phase, a thread takes
the messages that it was sent in the phase before, expands a number of its own best nodes, and sends each child to the
thread that owns it. So no two threads write to the same array, and the search does not depend on their timing. The children
that a thread owns itself wait in a ring, only until their slots in the table are fetched, and can be expanded in the same phase.

Between two phases, the threads wait for each other and compare their reports: the lowest f of all that is open or on its way
is a lower bound, and the search ends when the best goal costs no more. A thread does not know the best nodes of the others, so it
can expand nodes before a cheaper path to them is known. Such a path opens them again, whatever the heuristic.

boxes: (ends, messages, rows, undo_by). ends: by phase (even or odd), sender and owner, the first and the last message. messages: by
phase and sender, in the order in which they were sent; those to one owner are linked. rows: their states. So a thread can send
while others still read what it sent in the phase before. After them come the rings of the threads. undo_by: by action, the undo
of its child (prefetch.py).
reports: by meeting (even or odd) and thread. meeting: one int, the number of arrivals at all meetings so far.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.intrinsics import fetch_add, prefetch
from bestfirst.compiled.kernels.best_first import prepare, supersede
from bestfirst.compiled.kernels.slices import COSTLY, EXHAUSTED, FAULTY, FOUND, FULL, NO_ROOM, STOPPED
from bestfirst.compiled.store.inconsistent_edges import falls_to
from bestfirst.compiled.store.open_list import leave
from bestfirst.compiled.store.records import most_cost
from bestfirst.compiled.store.table import find, first_slot, key_of, place_in, put
from bestfirst.compiled.store.totals import is_hopeless, no_total, total_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        BEYOND_COSTS,
        FIELDS,
        FLOATS,
        LEGAL_FIRST,
        as_self,
        drop,
        enter,
        estimate,
        fetch,
        fits,
        g_of,
        has_room,
        is_goal,
        load_row,
        max_actions,
        next_action,
        next_waiting,
        prepared_for,
        put_record,
        state_of,
        step_with,
        store_row,
        undo_of,
        upcoming,
    )
    from bestfirst.compiled.store.aliases import (
        Array,
        Arrays,
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
    "agenda_is_new",  # whether the agenda is empty because it is new
    "capacity",  # for nodes
    "most_g",  # of a message that does not fit on the agenda: its g and h
    "most_h",
    "threads",  # their number
    "me",  # the index of this one
    "begins",  # whether the root is still to be sent
    "phase",
    "part",  # of the phase: TAKING, EXPANDING or READY
    "quota",  # the expansions left in this phase
    "sent",  # the messages sent to others in this phase
    "ring",  # the number of places in its ring, a power of two
    "own_sent",  # the messages that it has ever sent to itself, and how many of them it has taken
    "own_taken",
    "sender",  # whose messages are being taken
    "message",  # the next of them, NOTHING for the first
    "meetings",  # the number of meetings so far
    "how",  # what it last reported
    "arrived",  # whether it waits for the others to arrive
    "found",  # whether any thread has found a goal
    "goal",  # the node of the best goal found by this one, -1 for none
    "fall_phase",  # of the first inconsistent edge
    "fall_to",
    "peak_of_all",  # the largest number of nodes that were open or on their way, in all threads
)
OWN_TOTALS = (
    "proved",  # the largest lower bound
    "best",  # the best cost that is known
    "own_best",  # that of the best goal found by this thread
    "least_sent",  # the lowest f sent to others in this phase
)
REPORT_FIELDS = ("how", "open", "sent", "expanded", "found")
REPORT_TOTALS = ("least", "best")

TAKING, EXPANDING, READY = range(3)
"""The parts of a phase."""
NOTHING = -1
"""A link to no further message."""
AWAY, HELD_UP, OVER, DONE, GOING = range(10, 15)
"""Further ends of a slice: other threads have not arrived; a thread stopped in the middle of the phase; the next phase may
exceed the budget. DONE and GOING are not ends: the part of this thread in the phase is done; the next phase begins."""
UNLIMITED = 1 << 62

QUOTA = 1024
"""The maximum number of expansions of a thread in a phase. Fewer would be interrupted too often; with more, the threads would
dive for a goal less directly, since the child of another thread is expanded in the next phase at the earliest."""
SHARE = 64
"""A thread expands at most this fraction of its open nodes, so that a small search is hardly larger than by one thread."""
SPINS = 2_000
"""How often a thread looks whether the others have arrived before it lets other programs run."""
AHEAD = 12
"""Distances on the agenda: the node this far ahead is fetched."""
DELAY = 16
"""The number of messages of a thread to itself that wait for their slots, as long as there are other nodes to expand."""
FAR, NEAR = 16, 8
"""Distances in messages: the slot in the table is fetched this far ahead, and the node in it a little later."""
OWNER_SHIFT, OWNER_BITS = 31, 16
"""The bits of a key that determine the owner. The slot in the table depends on the lowest ones too; the tag has higher ones."""


def owner_of(key: Int, threads: Int) -> Int:
    """The index of the thread that owns a state."""
    return ((key >> OWNER_SHIFT) & ((1 << OWNER_BITS) - 1)) * threads >> OWNER_BITS


def first_end(search: Search, phase: Int, sender: Int) -> Int:
    """The index of the ends of a sender's messages to the first owner."""
    return ((phase & 1) * search.threads + sender) * search.threads


def size_of_box(search: Search, boxes: Arrays) -> Int:
    """The number of messages that a thread can send to others in a phase."""
    return (len(boxes[1]) - search.threads * search.ring) // (2 * search.threads)


def first_message(search: Search, boxes: Arrays) -> Int:
    """The index of the first message that this thread sends to others in this phase."""
    return ((search.phase & 1) * search.threads + search.me) * size_of_box(search, boxes)


def place_in_ring(search: Search, boxes: Arrays, number: Int) -> Int:
    """The index of a message of this thread to itself."""
    return len(boxes[1]) - (search.threads - search.me) * search.ring + (number & (search.ring - 1))


def send(
    search: Search,
    table_: Table,
    boxes: Arrays,
    key: Int,
    state: State,
    g: Number,
    h: Number,
    parent: Int,
    undo: Int,
    falls: Int,
) -> None:
    """Send a node to its owner. parent: index + 1 among the nodes of this thread. falls: whether f falls to it."""
    ends, messages, rows, _undo_by = boxes
    owner = owner_of(key, search.threads)
    is_own = owner == search.me
    at = place_in_ring(search, boxes, search.own_sent) if is_own else first_message(search, boxes) + search.sent
    message = messages[np.uint64(at)]
    message.g, message.h, message.key = g, h, key
    message.parent, message.undo, message.falls, message.after = parent, undo, falls, NOTHING
    store_row(rows, at * FIELDS, state)
    if is_own:
        search.own_sent += 1
        prefetch(table_, first_slot(table_, key))
        return
    search.sent += 1
    search.least_sent = min(search.least_sent, total_of(g, h))
    end = ends[np.uint64(first_end(search, search.phase, search.me) + owner)]
    if end.first == NOTHING:
        end.first = at
    else:
        messages[np.uint64(end.last)].after = at
    end.last = at


def fetch_ahead(nodes: Nodes, table_: Table, boxes: Arrays, far: Int, near: Int) -> None:
    """Begin to fetch the slot of one message, and the node in that of another."""
    messages = boxes[1]
    if far != NOTHING:
        prefetch(table_, first_slot(table_, messages[np.uint64(far)].key))
    if near != NOTHING:
        known = place_in(table_, first_slot(table_, messages[np.uint64(near)].key))
        if known >= 0:
            fetch(nodes, known)


def following(boxes: Arrays, at: Int, number: Int) -> Int:
    """The message some places after one; NOTHING after the last."""
    for _ in range(number):
        if at != NOTHING:
            at = boxes[1][np.uint64(at)].after
    return at


def take_message(
    search: Search, nodes: Nodes, table_: Table, agenda: OpenList, boxes: Arrays, order: Order, sender: Int, at: Int
) -> int:
    """Enter the node of a message, unless the path is no improvement; STOPPED, or the reason why it does not fit."""
    message = boxes[1][np.uint64(at)]
    state = load_row(boxes[2], at * FIELDS)
    g, h, key = message.g, message.h, message.key
    slot = find(nodes, table_, key, state)
    twin = place_in(table_, slot)
    if twin >= 0 and g >= g_of(nodes, twin):
        search.duplicates += 1
        return STOPPED
    if search.nodes >= search.capacity:
        return FULL
    if not has_room(agenda, order, g, h, 1):
        search.most_g = 0 if FLOATS else np.int64(g)
        search.most_h = 0 if FLOATS else np.int64(h)
        return NO_ROOM
    if twin >= 0:
        supersede(search, nodes, twin)
    place = search.nodes
    put(table_, slot, key, place)
    put_record(nodes, place, state, message.parent, message.undo, sender, 1, g)
    if message.falls:
        if search.falls == 0:
            search.fall_phase, search.fall_to = search.phase, place
        search.falls += 1
    search.nodes += 1
    search.open += 1
    enter(agenda, order, place, g, h)
    return STOPPED


def take_messages(search: Search, nodes: Nodes, table_: Table, agenda: OpenList, boxes: Arrays, order: Order) -> int:
    """Take the messages of the last phase, in order of their senders; DONE, or the reason why one does not fit."""
    while search.sender < search.threads:
        at = search.message
        if at == NOTHING:
            at = boxes[0][np.uint64(first_end(search, search.phase + 1, search.sender) + search.me)].first
        near = at
        for _ in range(NEAR):
            fetch_ahead(nodes, table_, boxes, near, NOTHING)
            near = following(boxes, near, 1)
        far = near
        for _ in range(FAR - NEAR):
            fetch_ahead(nodes, table_, boxes, far, NOTHING)
            far = following(boxes, far, 1)
        while at != NOTHING:
            fetch_ahead(nodes, table_, boxes, far, near)
            how = take_message(search, nodes, table_, agenda, boxes, order, search.sender, at)
            if how != STOPPED:
                search.message = at
                return how
            at, near, far = following(boxes, at, 1), following(boxes, near, 1), following(boxes, far, 1)
        search.message = NOTHING
        search.sender += 1
    return DONE


def take_own(search: Search, nodes: Nodes, table_: Table, agenda: OpenList, boxes: Arrays, order: Order, most: Int) -> int:
    """Take messages of this thread to itself until at most `most` are left; DONE, or the reason why one does not fit."""
    while search.own_sent - search.own_taken > most:
        if search.own_sent - search.own_taken > NEAR:
            fetch_ahead(nodes, table_, boxes, NOTHING, place_in_ring(search, boxes, search.own_taken + NEAR))
        at = place_in_ring(search, boxes, search.own_taken)
        how = take_message(search, nodes, table_, agenda, boxes, order, search.me, at)
        if how != STOPPED:
            return how
        search.own_taken += 1
    return DONE


def begin_expanding(me: Self, search: Search, table_: Table, boxes: Arrays, root: Array) -> None:
    """Empty the boxes for this phase, and send the root in the first one."""
    start = first_end(search, search.phase, search.me)
    for owner in range(search.threads):
        boxes[0][np.uint64(start + owner)].first = NOTHING
    search.sent = 0
    search.least_sent = no_total()
    search.quota = min(QUOTA, 1 + search.open // SHARE)
    if search.begins:
        state, g = load_row(root, 0), 0.0 if FLOATS else 0
        h = estimate(me, state)
        send(search, table_, boxes, key_of(me, table_, state), state, g, h, 0, 0, 0)
        search.begins = 0
    search.part = EXPANDING


def send_children(
    me: Self, search: Search, table_: Table, boxes: Arrays, place: Int, state: State, undo: Int, g: Number, h: Number
) -> int:
    """Send the children of a node to their owners; STOPPED, or FAULTY or COSTLY."""
    f = total_of(g, h)
    pair = prepared_for(me, state)
    following = next_action(me, state, pair, -1)
    while following < max_actions(me):
        action = following
        following = next_action(me, state, pair, action)
        legal, child, cost = step_with(me, state, action, pair)
        if not legal:
            if LEGAL_FIRST:
                break
            continue
        if not cost >= 0:
            return FAULTY
        if action + 1 == undo:
            search.generated += 1
            search.duplicates += 1
            continue
        if FLOATS:
            if not g + cost < BEYOND_COSTS:
                return FAULTY
        elif cost > most_cost() - g:
            return COSTLY
        child_h = estimate(me, child)
        if not (child_h >= 0 and fits(child)):
            return FAULTY
        search.generated += 1
        if is_hopeless(child_h):
            search.pruned += 1
            search.dead_ends += 1
            continue
        child_g = g + cost
        falls = 1 if falls_to(f, total_of(child_g, child_h)) else 0
        key, child_undo = key_of(me, table_, child), boxes[3][np.uint64(action)]
        send(search, table_, boxes, key, child, child_g, child_h, place + 1, child_undo, falls)
    return STOPPED


def expand_own(
    me: Self, search: Search, nodes: Nodes, table_: Table, agenda: OpenList, boxes: Arrays, order: Order, until: Int
) -> int:
    """Expand the best nodes of this thread, up to its quota; DONE, or why that stopped: STOPPED, before an expansion beyond
    `until`, FAULTY, COSTLY, or the reason why a child of its own does not fit."""
    most_sent = size_of_box(search, boxes) - max_actions(me)
    while search.quota > 0 and search.sent <= most_sent:
        how = take_own(search, nodes, table_, agenda, boxes, order, DELAY if search.open > 0 else 0)
        if how != DONE:
            return how
        if search.open == 0:
            break
        place = next_waiting(nodes, agenda)
        search.place = place
        state = state_of(nodes, place)
        g, h = g_of(nodes, place), estimate(me, state)
        f = total_of(g, h)
        if search.found and f >= search.best:
            if search.own_sent == search.own_taken:
                break
            how = take_own(search, nodes, table_, agenda, boxes, order, 0)  # one of these may be better
            if how != DONE:
                return how
            continue
        is_over = is_goal(me, state)
        if not is_over:
            if search.expanded >= until:
                return STOPPED
            later = upcoming(agenda, AHEAD)
            if later >= 0:
                fetch(nodes, later)
            how = send_children(me, search, table_, boxes, place, state, undo_of(nodes, place), g, h)
            if how != STOPPED:
                return how
            search.expanded += 1
            search.quota -= 1
        else:
            search.found, search.goal = 1, place
            search.best = search.own_best = f
        leave(nodes, place)
        drop(agenda)
        search.open -= 1
    return DONE


def lowest_open(me: Self, search: Search, nodes: Nodes, agenda: OpenList, boxes: Arrays) -> Total:
    """The lowest f of the open nodes of this thread, and of those in its ring."""
    lowest = no_total()
    for number in range(search.own_taken, search.own_sent):
        message = boxes[1][np.uint64(place_in_ring(search, boxes, number))]
        lowest = min(lowest, total_of(message.g, message.h))
    if search.open == 0:
        return lowest
    place = next_waiting(nodes, agenda)
    return min(lowest, total_of(g_of(nodes, place), estimate(me, state_of(nodes, place))))


def do_part(
    me: Self,
    search: Search,
    nodes: Nodes,
    table_: Table,
    agenda: OpenList,
    boxes: Arrays,
    order: Order,
    root: Array,
    until: Int,
) -> int:
    """Do what is left of this thread's part of the phase; DONE, or why it stopped."""
    if not prepare(me, search, nodes, table_, agenda, order):
        return NO_ROOM
    if search.part == TAKING:
        how = take_messages(search, nodes, table_, agenda, boxes, order)
        if how != DONE:
            return how
        begin_expanding(me, search, table_, boxes, root)
    if search.part == EXPANDING:
        how = expand_own(me, search, nodes, table_, agenda, boxes, order, until)
        if how != DONE:
            return how
        search.part = READY
    return DONE


def arrive(
    me: Self, search: Search, nodes: Nodes, agenda: OpenList, boxes: Arrays, reports: Array, meeting: Array, how: int
) -> None:
    """Write a report for the others, and arrive at the meeting. The atomic addition makes all that was written visible."""
    report = reports[np.uint64((search.meetings & 1) * search.threads + search.me)]
    report.how, report.open, report.sent = how, search.open, search.sent + search.own_sent - search.own_taken
    report.expanded, report.found = search.expanded, 1 if search.goal >= 0 else 0
    report.least = min(search.least_sent, lowest_open(me, search, nodes, agenda, boxes))
    report.best = search.own_best
    search.how, search.arrived = how, 1
    fetch_add(meeting, 0, 1)


def meet(search: Search, meeting: Array, spins: Int) -> Flag:
    """Whether all threads have arrived; looks `spins` times."""
    all_arrivals = search.threads * (search.meetings + 1)
    for _ in range(spins):
        if fetch_add(meeting, 0, 0) >= all_arrivals:
            search.meetings += 1
            search.arrived = 0
            return True
    return False


def conclude(search: Search, reports: Array, until: Int) -> int:
    """What the reports say, which each thread finds out for itself; GOING if the next phase begins."""
    least, best, found = no_total(), no_total(), 0
    waiting, expanded = 0, 0
    start = ((search.meetings - 1) & 1) * search.threads
    for other in range(search.threads):
        report = reports[np.uint64(start + other)]
        if report.how != DONE:
            return HELD_UP
        least = min(least, report.least)
        expanded += report.expanded
        waiting += report.open + report.sent
        if report.found:
            best, found = min(best, report.best), 1
    search.best, search.found = best, found
    search.proved = max(search.proved, min(least, best))
    search.peak_of_all = max(search.peak_of_all, waiting)
    if found and best <= least:
        return FOUND
    if waiting == 0:
        return EXHAUSTED
    search.phase += 1
    search.part, search.sender, search.message = TAKING, 0, NOTHING
    return OVER if expanded + QUOTA * search.threads > until else GOING


def parallel_slice(
    data: Self,
    searches: Searches,
    nodes: Nodes,
    table_: Table,
    agenda: OpenList,
    boxes: Arrays,
    reports: Array,
    meeting: Array,
    root: Array,
    order: Order,
    own_until: int,
    until: int,
) -> int:
    """The part of one thread in the search; return how it ended.

    own_until: if not UNLIMITED, the thread works alone: it stops before an expansion beyond this number of its own, and when it
    would have to wait. until: otherwise the threads stop before a phase in which they might together exceed this number.
    """
    me = as_self(data)
    search = searches[0]
    is_alone = own_until < UNLIMITED
    while True:
        if not search.arrived:
            how = do_part(me, search, nodes, table_, agenda, boxes, order, root, own_until)
            if is_alone and how != DONE:
                return how
            arrive(me, search, nodes, agenda, boxes, reports, meeting, how)
            if is_alone:
                return AWAY
        if not meet(search, meeting, 1 if is_alone else SPINS):
            return AWAY
        how = conclude(search, reports, until)
        if how != GOING:
            return how


PARTS = (
    owner_of,
    first_end,
    size_of_box,
    first_message,
    place_in_ring,
    send,
    fetch_ahead,
    following,
    take_message,
    take_messages,
    take_own,
    begin_expanding,
    send_children,
    expand_own,
    lowest_open,
    do_part,
    arrive,
    meet,
    conclude,
)
