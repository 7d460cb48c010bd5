"""Anytime beam search by several threads, compiled: a wide level is expanded by all of them, node for node as by one.

The nodes of a level are expanded in batches, each in phases. A phase has as many parts as share.parts says, which the threads
take one after another. The next one begins when all parts are done: a thread that does not run holds up the others only if it
has a part.

- EXPAND: make the children of a part of the batch, and drop those that are no better than known nodes.
- TAKE: take the other children whose states belong to a part of the table, in the order in which one thread would make them;
  compare them with the known nodes of their states, and note which of them become nodes.
- PLACE: enter the new nodes that come from a part of the batch, in the places that they have in a search by one thread.
- LINK: in chains of rivals (anytime_beam.py), replace rows by these places.

In EXPAND, nothing is written that other threads read. If a thread meets something else than nodes to expand (a goal, an invalid
cost, an error in a method, a child that replaces a node of this level), the batch ends before that node, and one thread
(anytime_beam.py) continues with it. So the search is that of one thread, to the node, whatever their number.

Nodes that fall outside the beam, or are pruned, leave in two phases: LOOK for goals among them, and LEAVE. A long level is
sorted in phases, too (shared_sort.py). The thread that does the last part of a phase says what comes next.

mine: (estimates, starts, order, hs, ends), with a row for each part: estimates and slots, for make_children(); the rows of all
children of the part, in order, and their h; and for each of its nodes the end of its children there.
boxes: (heads, slots, gains, placed, entered). Children in EXPAND and TAKE are in rows of the nodes from share.zone on: for each
part of the batch, and each part of the table, a box of share.box rows. heads: the number of children in each box. slots, gains,
placed: by row, from share.zone on, the slot in the table, the number of open nodes that the child adds, and its place as a node.
entered: by part of the table and part of the batch, the number of children that become nodes.
Source: Kuroiwa & Beck 2024, for layers that are distributed by hash.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.intrinsics import fetch_add, prefetch, put_if
from bestfirst.compiled.kernels.anytime_beam import CLOSED, OPEN, OUTSIDE, is_refused, without_dominated
from bestfirst.compiled.kernels.slices import FULL, STOPPED
from bestfirst.compiled.store import shared_sort
from bestfirst.compiled.store.children import BAD, fetch_twins, make_children
from bestfirst.compiled.store.inconsistent_edges import falls_to, note_fall
from bestfirst.compiled.store.levels import (
    LEVEL,
    SIZE,
    TAKEN,
    entered_in,
    key_of_total,
    left_in,
    total_of_key,
    turn,
    word,
)
from bestfirst.compiled.store.shared_sort import RANGE, SORT_FIELDS, begin_phase, is_sorted_after, part_of, sort_part
from bestfirst.compiled.store.state_table import NONE, find_from
from bestfirst.compiled.store.totals import as_total, no_total, total_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        HAS_RESOURCES,
        as_self,
        is_as_good,
        is_goal,
        load,
        max_actions,
        store,
    )
    from bestfirst.compiled.store.aliases import (
        Array,
        Arrays,
        Flag,
        Int,
        Levels,
        Nodes,
        Number,
        Search,
        Searches,
        Self,
        State,
        Table,
    )

SHARE_FIELDS = (
    "phase",
    "how",  # GOING, or how the threads end
    "parts",  # the number of parts of each phase
    "until",  # the number of expansions before which they stop
    "start",  # of the batch, among the entries of the level
    "end",
    "size",  # of each part
    "most",  # the current maximum of that, for nodes to be expanded
    "odd",  # whether the batch ended before a node for one thread
    "level",  # the number of nodes when the level began: those on it are before this place
    "zone",  # the first row for children
    "box",  # the number of rows of each box
    *SORT_FIELDS,
)
PART_FIELDS = (
    "number",
    "failed",  # whether a method raised an error in this phase
    "nodes",  # the row for the children of a node
    "at",  # the entry of the node at work
    "cut",  # where this part of the batch ends
    "odd",  # whether the node there is for one thread
    "sent",  # the number of children in boxes
    "fullest",  # the number of children in the fullest of them
    "joins",  # whether this part of the batch counts
    "place",  # the last node
    "first",  # the place of the first new node
    "run",  # the number of open nodes that were added
    "high",  # the maximum of that before any expansion
    "expanded",
    "generated",
    "duplicates",
    "reopened",
    "pruned",
    "dead_ends",
    "open",
    "falls",
    "fall_from",  # the places of the first inconsistent edge
    "fall_to",
    "was_generated",  # counts before the node at work
    "was_pruned",
    "was_dead_ends",
    "was_duplicates",
)
PART_TOTALS = ("lowest",)  # the lowest f that fell outside the beam
EXPAND, TAKE, PLACE, LINK, LOOK, LEAVE, BEGIN = range(7)
"""The phases; those of a sort follow."""
AWAY, NARROW, ODD, GOING = range(20, 24)
"""Further ends: other threads still do their parts; the next level is for one thread; so is the next node. GOING is no end."""

REFUSED = 3
"""The mark of a child that does not become a node."""
LIMIT, DONE, OVER, CLAIMS = range(0, 64, 16)
"""In the meeting, in cache lines of their own: the parts that can be done so far, since the beginning; those that are done;
whether the threads end; and for each part, what the first of these was when it was taken last."""
NOBODY = -1
STRIDE = 16
"""The rows of counts that different threads write are a multiple of this long, to be in different cache lines."""
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
AHEAD = 6
"""The node this far ahead on the level is fetched."""
LOWEST = -(1 << 62)


def row_of_counts(parts: Int) -> Int:
    """The length of a row of counts, one for each part."""
    return (parts + STRIDE - 1) // STRIDE * STRIDE


def fetch_node(nodes: Nodes, marks: Array, levels: Levels, at: Int, end: Int) -> None:
    """Begin to fetch the node of an entry."""
    if at < end:
        place = levels[0][word(at)].place
        prefetch(marks, place)
        prefetch(nodes[0][0], place)
        prefetch(nodes[1], place)


def keep_counts(part: Search) -> None:
    """Note the counts before a node."""
    part.was_generated, part.was_pruned = part.generated, part.pruned
    part.was_dead_ends, part.was_duplicates = part.dead_ends, part.duplicates


def stop_before(part: Search, at: Int) -> None:
    """End the part of the batch before a node for one thread, and forget what was counted for it."""
    part.generated, part.pruned = part.was_generated, part.was_pruned
    part.dead_ends, part.duplicates = part.was_dead_ends, part.was_duplicates
    part.cut, part.odd = at, 1


def hits_level(share: Search, nodes: Nodes, rivals: Array, marks: Array, first: Int, state: State, g: Number) -> Flag:
    """Whether a child replaces an open node of its parent's level. first: the node that the table has for its state."""
    rows, costs, _parents, _actions = nodes
    if not HAS_RESOURCES:
        return first < share.level and marks[first] == OPEN and g < costs[first]
    place = first
    while place != NONE:
        if place < share.level and marks[place] == OPEN and g <= costs[place] and is_as_good(state, load(rows, place)):
            return True
        place = rivals[place]
    return False


def expand_node(
    me: Self,
    search: Search,
    share: Search,
    part: Search,
    nodes: Nodes,
    table: Table,
    marks: Array,
    rivals: Array,
    mine: Arrays,
    boxes: Arrays,
    window: Arrays,
    place: Int,
) -> Flag:
    """Put the children of a node into boxes, except those that are no better than known ones; False if it is for one thread."""
    rows, costs, parents, actions = nodes
    number = part.number
    estimates, starts, order, hs = mine[0][number], mine[1][number], mine[2][number], mine[3][number]
    heads, slots = boxes[0], boxes[1]
    state, g = load(rows, place), costs[place]
    made = make_children(me, part, nodes, table, estimates, starts, state, g, search.best, window)
    if made == BAD:
        return False
    fetch_twins(nodes, table, starts, made)
    row = number * row_of_counts(share.parts)
    sent = part.sent
    for child_number in range(made):
        from_row = part.nodes + child_number
        child, child_g = load(rows, from_row), costs[from_row]
        slot = find_from(rows, table, child, starts[child_number])
        first = np.int64(table[slot])
        if first != NONE:
            if not HAS_RESOURCES and marks[first] != OUTSIDE and child_g >= costs[first]:
                part.duplicates += 1
                continue
            if hits_level(share, nodes, rivals, marks, first, child, child_g):
                for at in range(part.sent, sent):
                    box = (order[at] - share.zone) // share.box
                    heads[row + box - number * share.parts] -= 1
                return False
        owner = starts[child_number] * share.parts // len(table)
        held = heads[row + owner]
        to_row = share.zone + (number * share.parts + owner) * share.box + held
        heads[row + owner] = held + 1
        part.fullest = max(part.fullest, held + 1)
        store(rows, to_row, child)
        costs[to_row], parents[to_row], actions[to_row] = child_g, place, actions[from_row]
        slots[to_row - share.zone] = slot
        order[sent], hs[sent] = to_row, estimates[child_number]
        sent += 1
    part.sent = sent
    return True


def expand(
    me: Self,
    search: Search,
    share: Search,
    part: Search,
    nodes: Nodes,
    table: Table,
    marks: Array,
    rivals: Array,
    levels: Levels,
    mine: Arrays,
    boxes: Arrays,
    window: Arrays,
) -> None:
    """Make the children of a part of the batch."""
    if part.failed:
        stop_before(part, part.at)
        return
    entries, ends = levels[0], mine[4][part.number]
    begin, end = part_of(share, part.number), part_of(share, part.number + 1)
    row = part.number * row_of_counts(share.parts)
    for owner in range(share.parts):
        boxes[0][row + owner] = 0
    part.sent = part.fullest = part.odd = 0
    part.cut = end
    for at in range(begin, end):
        part.at = at
        fetch_node(nodes, marks, levels, at + AHEAD, end)
        place = entries[word(at)].place
        if marks[place] == OPEN:
            if total_of_key(entries[word(at)].first) >= search.best or part.fullest + max_actions(me) > share.box:
                part.cut = at
                break
            keep_counts(part)
            if is_goal(me, load(nodes[0], place)) or not expand_node(
                me, search, share, part, nodes, table, marks, rivals, mine, boxes, window, place
            ):
                stop_before(part, at)
                break
        ends[at - begin] = part.sent


def claim(rows: Arrays, table: Table, slot: Int, state: State, row: Int) -> Int:
    """Put a row into the table for a state that it does not have yet; returns the slot. Other threads do so, too."""
    while put_if(table, slot, NONE, row) != NONE:
        slot = find_from(rows, table, state, slot)
    return slot


def take(
    share: Search, parts: Searches, part: Search, nodes: Nodes, table: Table, marks: Array, rivals: Array, boxes: Arrays
) -> None:
    """Decide which of the children that belong to a part of the table become nodes."""
    heads, slots, gains, _placed, entered = boxes
    rows, costs, _parents, _actions = nodes
    stride = row_of_counts(share.parts)
    for sender in range(share.parts):
        entered[part.number * stride + sender] = 0
        if parts[word(sender)].joins:
            begin = share.zone + (sender * share.parts + part.number) * share.box
            became = 0
            for row in range(begin, begin + heads[sender * stride + part.number]):
                child, g, at = load(rows, row), costs[row], row - share.zone
                slot = find_from(rows, table, child, slots[at])
                first = np.int64(table[slot])
                was_open = part.open
                if is_refused(part, nodes, rivals, marks, first, child, g):
                    marks[row] = REFUSED
                    continue
                if first == NONE:
                    slot = claim(rows, table, slot, child, row)
                if HAS_RESOURCES:
                    rivals[row] = without_dominated(part, nodes, rivals, marks, first, child, g)
                table[slot] = row
                marks[row], slots[at] = OPEN, slot
                part.open += 1
                gains[at] = part.open - was_open
                became += 1
            entered[part.number * stride + sender] = became


def place_children(
    search: Search,
    share: Search,
    part: Search,
    nodes: Nodes,
    table: Table,
    marks: Array,
    rivals: Array,
    levels: Levels,
    mine: Arrays,
    boxes: Arrays,
) -> None:
    """Enter the new nodes that come from a part of the batch, and close the nodes of the part."""
    if not part.joins:
        return
    rows, costs, parents, actions = nodes
    entries = levels[0]
    _heads, slots, gains, placed, _entered = boxes
    order, hs, ends = mine[2][part.number], mine[3][part.number], mine[4][part.number]
    begin = part_of(share, part.number)
    to, next_child = part.first, 0
    entry_of = levels[2][SIZE] - search.nodes
    run, high, expanded = 0, LOWEST, 0
    for at in range(begin, part.cut):
        place = entries[word(at)].place
        if marks[place] == OPEN:
            marks[place] = CLOSED
            part.place = place
            run -= 1
            expanded += 1
            high = max(high, run)
            f = total_of_key(entries[word(at)].first)
            for child in range(next_child, ends[at - begin]):
                row = np.int64(order[child])
                if marks[row] == REFUSED:
                    continue
                g, h, box = costs[row], hs[child], row - share.zone
                store(rows, to, load(rows, row))
                costs[to], parents[to], actions[to], marks[to] = g, place, actions[row], marks[row]
                if table[slots[box]] == row:
                    table[slots[box]] = to
                if HAS_RESOURCES:
                    rivals[to] = rivals[row]
                    placed[box] = to
                child_f = total_of(g, h)
                if falls_to(f, child_f):
                    if part.falls == 0:
                        part.fall_from, part.fall_to = place, to
                    part.falls += 1
                entry = entries[word(entry_of + to)]
                entry.first, entry.second, entry.place = key_of_total(child_f), key_of_total(as_total(h)), to
                run += gains[box]
                to += 1
            next_child = ends[at - begin]
    part.run, part.high, part.expanded = run, high, expanded


def link(share: Search, part: Search, rivals: Array, boxes: Arrays) -> None:
    """Replace rows by the places of their nodes, in the chains that begin with the new nodes of a part."""
    if not part.joins:
        return
    placed = boxes[3]
    for place in range(part.first, part.first + part.sent):
        if rivals[place] >= share.zone:
            rivals[place] = placed[rivals[place] - share.zone]


def look(me: Self, search: Search, share: Search, part: Search, nodes: Nodes, marks: Array, levels: Levels) -> None:
    """Look for goals among the nodes that leave."""
    entries = levels[0]
    if part.failed:
        part.cut, part.odd = part.at, 1
        return
    begin, end = part_of(share, part.number), part_of(share, part.number + 1)
    part.cut, part.odd = end, 0
    for at in range(begin, end):
        part.at = at
        fetch_node(nodes, marks, levels, at + AHEAD, end)
        if total_of_key(entries[word(at)].first) >= search.best:
            break
        place = entries[word(at)].place
        if marks[place] == OPEN and is_goal(me, load(nodes[0], place)):
            part.cut, part.odd = at, 1
            break


def leave_together(search: Search, share: Search, part: Search, marks: Array, levels: Levels) -> None:
    """Let the nodes of a part leave the level."""
    if not part.joins:
        return
    entries = levels[0]
    run = 0
    for at in range(part_of(share, part.number), part.cut):
        place = entries[word(at)].place
        if marks[place] == OPEN:
            run += 1
            f = total_of_key(entries[word(at)].first)
            if f >= search.best:
                marks[place] = CLOSED
            else:
                marks[place] = OUTSIDE
                part.place = place
                part.lowest = min(part.lowest, f)
    part.run = -run
    part.pruned += run


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


def do_part(
    me: Self,
    search: Search,
    share: Search,
    parts: Searches,
    part: Search,
    nodes: Nodes,
    table: Table,
    marks: Array,
    rivals: Array,
    levels: Levels,
    mine: Arrays,
    boxes: Arrays,
    counts: Array,
    window: Arrays,
) -> None:
    """Do a part of the phase."""
    phase = share.phase
    if phase == EXPAND:
        expand(me, search, share, part, nodes, table, marks, rivals, levels, mine, boxes, window)
    elif phase == TAKE:
        take(share, parts, part, nodes, table, marks, rivals, boxes)
    elif phase == PLACE:
        place_children(search, share, part, nodes, table, marks, rivals, levels, mine, boxes)
    elif phase == LINK:
        link(share, part, rivals, boxes)
    elif phase == LOOK:
        look(me, search, share, part, nodes, marks, levels)
    elif phase == LEAVE:
        leave_together(search, share, part, marks, levels)
    elif phase >= RANGE:
        sort_part(share, part, levels, counts)


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
    row_of_counts,
    fetch_node,
    keep_counts,
    stop_before,
    hits_level,
    expand_node,
    expand,
    claim,
    take,
    place_children,
    link,
    look,
    leave_together,
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
    do_part,
    taken_part,
)
