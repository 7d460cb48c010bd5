"""Anytime beam search by several threads, compiled: a wide level is expanded by all of them, node for node as by one.

The nodes of a level are expanded in batches, each in phases (beam_phases.py). A phase has as many parts as share.parts says,
which the threads take one after another. The next one begins when all parts are done: a thread that does not run holds up the
others only if it has a part. The thread that does the last part of a phase says what comes next.

If a thread meets something else than nodes to expand (a goal, an invalid cost, an error in a method, a child that replaces a node
of this level), the batch ends before that node, and one thread (anytime_beam.py) continues with it. So the search is that of one
thread, to the node, whatever their number.

A long level is sorted in phases, too (shared_sort.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bestfirst.compiled.compiler.intrinsics import fetch_add, put_if
from bestfirst.compiled.kernels import beam_phases
from bestfirst.compiled.kernels.beam_phases import (
    EXPAND,
    LEAVE,
    LINK,
    LOOK,
    LOWEST,
    PLACE,
    STRIDE,
    TAKE,
    do_part,
    row_of_counts,
)
from bestfirst.compiled.kernels.slices import FULL, STOPPED
from bestfirst.compiled.store import shared_sort
from bestfirst.compiled.store.inconsistent_edges import note_fall
from bestfirst.compiled.store.levels import LEVEL, SIZE, TAKEN, entered_in, left_in, total_of_key, turn, word
from bestfirst.compiled.store.shared_sort import RANGE, begin_phase, is_sorted_after, part_of
from bestfirst.compiled.store.state_table import NONE
from bestfirst.compiled.store.totals import no_total

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import HAS_RESOURCES, as_self, load
    from bestfirst.compiled.store.aliases import Array, Arrays, Flag, Int, Levels, Nodes, Search, Searches, Self, Table

AWAY, NARROW, ODD, GOING = range(20, 24)
"""Further ends: other threads still do their parts; the next level is for one thread; so is the next node. GOING is no end."""
LIMIT, DONE, OVER, CLAIMS = range(0, 64, 16)
"""In the meeting, in cache lines of their own: the parts that can be done so far, since the beginning; those that are done;
whether the threads end; and for each part, what the first of these was when it was taken last."""
NOBODY = -1
SPINS = 20_000
"""How often a thread looks for a part before it lets other programs run."""
PART = 256
"""The maximum number of nodes that are expanded in a part."""
LEAST_PART = 16
"""Smaller batches are not worth sharing."""
WIDE = 256
"""The minimum number of nodes of a level that is worth sharing."""
SORTED_TOGETHER = 1 << 13
"""The smallest level that the threads sort together."""


# Between two phases, by the thread that arrives last.


def begin_level(search: Search, share: Search) -> None:
    """Begin with a level, which is sorted."""
    search.room = search.width
    share.level = search.nodes


def plan_batch(search: Search, share: Search, parts: Searches, levels: Levels) -> None:
    """Say what follows on a level."""
    ends = levels[2]
    left = left_in(levels)
    if search.room == 0 or total_of_key(levels[0][word(ends[TAKEN])].first) >= search.best:
        begin_phase(share, parts, LOOK, ends[TAKEN], left)
        return
    size = min(left, search.room, share.until - search.expanded, share.most * share.parts)
    if size <= 0:
        share.how = STOPPED
    elif share.most < LEAST_PART:
        share.how = ODD
    else:
        begin_phase(share, parts, EXPAND, ends[TAKEN], size)


def plan(search: Search, share: Search, parts: Searches, levels: Levels) -> None:
    """Say what follows after a batch, or at the beginning."""
    ends = levels[2]
    size = entered_in(levels)
    if left_in(levels) > 0:
        plan_batch(search, share, parts, levels)
    elif size < WIDE:
        share.how = NARROW
    elif size < SORTED_TOGETHER:
        turn(levels)
        begin_level(search, share)
        plan_batch(search, share, parts, levels)
    else:
        begin_phase(share, parts, RANGE, ends[LEVEL], size)


def cut_batch(share: Search, parts: Searches) -> Flag:
    """Cut the batch at the first node where a thread stopped; whether there was none."""
    is_whole = True
    for number in range(share.parts):
        part = parts[word(number)]
        part.joins = 1 if is_whole else 0
        if is_whole:
            cut, share.odd = part.cut, part.odd
            is_whole = part.cut == part_of(share, number + 1)
        else:
            part.generated = part.pruned = part.dead_ends = part.duplicates = part.sent = 0
    share.end = cut
    return is_whole


def forget_counts(share: Search, parts: Searches) -> None:
    """Begin to count anew, for a batch."""
    for number in range(share.parts):
        part = parts[word(number)]
        part.generated = part.duplicates = part.reopened = part.pruned = part.dead_ends = 0
        part.expanded = part.open = part.falls = part.run = part.sent = 0
        part.high, part.place, part.lowest = LOWEST, NONE, no_total()


def after_expanding(search: Search, share: Search, parts: Searches) -> None:
    """Go on with the children, if there is room for them."""
    if cut_batch(share, parts):
        share.most = min(PART, 2 * share.most)
    else:
        share.most = max(share.most // 2, (share.end - share.start) // share.parts)
    sent = 0
    for number in range(share.parts):
        sent += parts[word(number)].sent
    if search.nodes + sent > share.zone:
        share.how = FULL
        forget_counts(share, parts)
    elif share.end == share.start and share.odd:
        share.how = ODD
        forget_counts(share, parts)
    else:
        share.phase = TAKE


def after_taking(search: Search, share: Search, parts: Searches, boxes: Arrays) -> None:
    """Give each thread the place of its first new node, and the number of them."""
    entered, stride = boxes[4], row_of_counts(share.parts)
    place = search.nodes
    for sender in range(share.parts):
        part = parts[word(sender)]
        part.first, part.sent = place, 0
        for owner in range(share.parts):
            part.sent += entered[owner * stride + sender]
        place += part.sent
    share.phase = PLACE


def after_batch(search: Search, share: Search, parts: Searches, nodes: Nodes, levels: Levels, edge: Arrays) -> None:
    """Add up what the threads have done."""
    rows, costs, _parents, _actions = nodes
    ends = levels[2]
    for number in range(share.parts):
        part = parts[word(number)]
        if part.expanded > 0:
            search.peak = max(search.peak, search.open + part.high)
        if part.falls > 0:
            one, other = part.fall_from, part.fall_to
            note_fall(search, edge, load(rows, one), costs[one], load(rows, other), costs[other])
            search.falls += part.falls - 1
        if part.place != NONE:
            search.place = part.place
        search.lowest_outside = min(search.lowest_outside, part.lowest)
        search.open += part.run
        search.room -= part.expanded
        search.nodes += part.sent
        ends[SIZE] += part.sent
        search.expanded += part.expanded
        search.generated += part.generated
        search.duplicates += part.duplicates
        search.reopened += part.reopened
        search.pruned += part.pruned
        search.dead_ends += part.dead_ends
    ends[TAKEN] = share.end
    forget_counts(share, parts)


def begin_sorted_level(search: Search, share: Search, parts: Searches, levels: Levels) -> None:
    """Make the sorted entries the level."""
    ends = levels[2]
    ends[TAKEN], ends[LEVEL] = ends[LEVEL], ends[SIZE]
    begin_level(search, share)
    plan_batch(search, share, parts, levels)


def conclude(
    search: Search,
    share: Search,
    parts: Searches,
    nodes: Nodes,
    levels: Levels,
    boxes: Arrays,
    counts: Array,
    edge: Arrays,
) -> None:
    """Say what comes after a phase that all threads have finished."""
    phase = share.phase
    if phase == EXPAND:
        after_expanding(search, share, parts)
    elif phase == TAKE:
        after_taking(search, share, parts, boxes)
    elif phase == PLACE and HAS_RESOURCES:
        share.phase = LINK
    elif phase == LOOK:
        cut_batch(share, parts)
        share.phase = LEAVE
    elif phase >= RANGE:
        if is_sorted_after(share, parts, levels, counts):
            begin_sorted_level(search, share, parts, levels)
    else:
        after_batch(search, share, parts, nodes, levels, edge)
        if share.odd:
            share.how = ODD
        else:
            plan(search, share, parts, levels)


def taken_part(share: Search, meeting: Array, first: Int) -> Int:
    """Take a part of the phase, if possible the first one or one soon after it; NOBODY if all are taken.

    Each thread begins with parts of its own: what it reads in a phase, it has often written in one before.
    """
    limit = fetch_add(meeting, LIMIT, 0)
    for number in range(share.parts):
        part = (first + number) % share.parts
        before = meeting[CLAIMS + STRIDE * part]
        if before < limit and put_if(meeting, CLAIMS + STRIDE * part, before, limit) == before:
            return part
    return NOBODY


def shared_beam(
    data: Self,
    searches: Searches,
    shares: Searches,
    parts: Searches,
    held: Array,
    nodes: Nodes,
    table: Table,
    marks: Array,
    rivals: Array,
    levels: Levels,
    mine: Arrays,
    boxes: Arrays,
    counts: Array,
    window: Arrays,
    edge: Arrays,
    meeting: Array,
) -> int:
    """What one thread does in the search; return how it ended.

    nodes, table, marks, rivals, levels, window, edge: see anytime_beam_slice(). parts: their records. held: the part that the
    thread has, or NOBODY; and the first of its own. mine, boxes: see above. counts: see shared_sort.py. meeting: ints, whose
    atomic additions make what was written visible to the others.
    """
    me = as_self(data)
    search, share = searches[0], shares[0]
    looks = 0
    while looks < SPINS:
        if held[0] == NOBODY:
            if fetch_add(meeting, OVER, 0):
                how: int = share.how
                return how
            held[0] = taken_part(share, meeting, held[1])
            looks += 1
        if held[0] != NOBODY:
            looks = 0
            part = parts[word(held[0])]
            do_part(me, search, share, parts, part, nodes, table, marks, rivals, levels, mine, boxes, counts, window)
            held[0] = NOBODY
            if fetch_add(meeting, DONE, 1) == fetch_add(meeting, LIMIT, 0) - 1:
                conclude(search, share, parts, nodes, levels, boxes, counts, edge)
                fetch_add(meeting, LIMIT if share.how == GOING else OVER, share.parts)
    return AWAY


PARTS = (
    *shared_sort.PARTS,
    *beam_phases.PARTS,
    begin_level,
    plan_batch,
    plan,
    cut_batch,
    forget_counts,
    after_expanding,
    after_taking,
    after_batch,
    begin_sorted_level,
    conclude,
    taken_part,
)
