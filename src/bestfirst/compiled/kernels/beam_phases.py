"""What the threads of an anytime beam search do in the phases of a batch (parallel_anytime_beam.py).

- EXPAND: make the children of a part of the batch, and drop those that are no better than known nodes.
- TAKE: take the other children whose states belong to a part of the table, in the order in which one thread would make them;
  compare them with the known nodes of their states, and note which of them become nodes.
- PLACE: enter the new nodes that come from a part of the batch, in the places that they have in a search by one thread.
- LINK: in chains of rivals (anytime_beam.py), replace rows by these places.

In EXPAND, nothing is written that other threads read.

Nodes that fall outside the beam, or are pruned, leave in two phases: LOOK for goals among them, and LEAVE.

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

from bestfirst.compiled.compiler.intrinsics import put_if
from bestfirst.compiled.kernels.anytime_beam import AHEAD, CLOSED, OPEN, OUTSIDE, fetch_node, is_refused, without_dominated
from bestfirst.compiled.store.children import BAD, fetch_twins, make_children
from bestfirst.compiled.store.inconsistent_edges import falls_to
from bestfirst.compiled.store.levels import SIZE, key_of_total, total_of_key, word
from bestfirst.compiled.store.shared_sort import RANGE, SORT_FIELDS, part_of, sort_part
from bestfirst.compiled.store.state_table import NONE, find_from
from bestfirst.compiled.store.totals import as_total, total_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        HAS_RESOURCES,
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
    "how",  # GOING, or how the threads end (parallel_anytime_beam.py)
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

REFUSED = 3
"""The mark of a child that does not become a node."""
STRIDE = 16
"""The rows of counts that different threads write are a multiple of this long, to be in different cache lines."""
LOWEST = -(1 << 62)


def row_of_counts(parts: Int) -> Int:
    """The length of a row of counts, one for each part."""
    return (parts + STRIDE - 1) // STRIDE * STRIDE


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


def take_back(share: Search, part: Search, order: Array, heads: Array, row: Int, sent: Int) -> None:
    """Take the first children of a node out of their boxes again. sent: the number of those in boxes, with these."""
    for at in range(part.sent, sent):
        box = (order[at] - share.zone) // share.box
        heads[row + box - part.number * share.parts] -= 1


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
    made = make_children(me, part, part, nodes, table, estimates, starts, 0, state, g, search.best, window)
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
                take_back(share, part, order, heads, row, sent)
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
        if not parts[word(sender)].joins:
            continue
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
        if marks[place] != OPEN:
            continue
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
        if marks[place] != OPEN:
            continue
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


PARTS = (
    row_of_counts,
    keep_counts,
    stop_before,
    hits_level,
    take_back,
    expand_node,
    expand,
    claim,
    take,
    place_children,
    link,
    look,
    leave_together,
    do_part,
)
