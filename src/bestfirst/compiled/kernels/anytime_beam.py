"""Anytime beam search, compiled: the twin of search/anytime_beam.py, and of the windows of search/large_neighbourhood_beam.py.

The nodes of a level leave in the order of (f, h); those of the next one are sorted when its turn comes. A superseded node
stays on its level with a mark, and is skipped. HAS_WINDOWS: whether the search may be that of a window.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.intrinsics import prefetch
from bestfirst.compiled.kernels.slices import AT_TARGET, EXHAUSTED, FAULTY, FOUND, FULL, STOPPED
from bestfirst.compiled.store.children import BAD, fetch_twins, make_children
from bestfirst.compiled.store.inconsistent_edges import falls_to, note_fall
from bestfirst.compiled.store.levels import (
    LEVEL,
    TAKEN,
    append,
    entered_in,
    first_total,
    last_total,
    leave_level,
    left_in,
    next_in,
    total_of_key,
    turn,
    word,
)
from bestfirst.compiled.store.nodes import add_node, enter_nodes
from bestfirst.compiled.store.state_table import NONE, find_from
from bestfirst.compiled.store.totals import as_total, total_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        HAS_RESOURCES,
        HAS_WINDOWS,
        as_self,
        fetch_state,
        is_as_good,
        is_goal,
        is_same,
        load,
        max_actions,
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

OWN_FIELDS = (
    "nodes",  # the number of nodes
    "open",  # of open nodes
    "room",  # the number of nodes of the level that may still be expanded
    "width",  # of the beam
    "place",  # the last selected node
    "is_pending",  # whether it is still to be expanded
)
OWN_TOTALS = (
    "best",  # the cost of the best goal
    "proved",  # the lower bound
    "lowest_outside",  # the lowest f that fell outside the beam
)
MADE_FIELDS = ("generated", "pruned", "dead_ends")
BATCH_FIELDS = (
    "at",  # the entry of the node
    "end",  # of its children, which begin where those of the node before end
    *MADE_FIELDS,
)
BATCH = 16
"""So many nodes are expanded together: what the children of one have to be compared with is fetched while others are made."""
WINDOW_FIELDS = ("has_target",)  # whether a state ends the window
WINDOW_TOTALS = ("limit",)  # nodes whose g is not below it are dropped

# The marks of nodes.
CLOSED, OPEN, OUTSIDE = range(3)

WIDEST = 2**31 - 1
AHEAD = 6
"""The node this far ahead on the level is fetched."""


def fetch_node(nodes: Nodes, marks: Array, levels: Levels, at: Int, end: Int) -> None:
    """Begin to fetch the node of an entry, if it is before the end of the level."""
    if at < end:
        place = levels[0][word(at)].place
        prefetch(marks, word(place))
        fetch_state(nodes[0], place)
        prefetch(nodes[1], word(place))


def compared(nodes: Nodes, rivals: Array, marks: Array, first: Int, state: State, g: Number) -> tuple[Int, Flag]:
    """The node with a state in the chain of rivals from a first node, or NONE; and whether a node of the chain dominates the
    state. The chain may hold nodes outside the beam.
    """
    rows, costs, _parents, _actions = nodes
    twin, is_dominated = NONE, False
    place = first
    while place != NONE:
        at = word(place)  # unsigned: no check for negative indices
        other = load(rows, at)
        if is_as_good(other, state):
            if other == state:
                twin = place
            if marks[at] != OUTSIDE and costs[at] <= g:
                is_dominated = True
        place = np.int64(rivals[at])
    return twin, is_dominated


def without_dominated(search: Search, nodes: Nodes, rivals: Array, marks: Array, first: Int, state: State, g: Number) -> Int:
    """Take the nodes that a new one dominates, and those outside the beam, out of the chain; returns its first node, or NONE."""
    rows, costs, _parents, _actions = nodes
    last, place = NONE, first
    while place != NONE:
        following = rivals[place]
        if marks[place] == OUTSIDE or (g <= costs[place] and is_as_good(state, load(rows, place))):
            if marks[place] == OPEN:
                search.open -= 1
                search.pruned += 1
            marks[place] = OUTSIDE
        else:
            if last == NONE:
                first = place
            else:
                rivals[last] = place
            last = place
        place = following
    if last == NONE:
        return NONE
    rivals[last] = NONE
    return first


def is_refused(search: Search, nodes: Nodes, rivals: Array, marks: Array, first: Int, state: State, g: Number) -> Flag:
    """Whether a path to a state is no better than a known one; otherwise the known node of the state is closed.

    first: the node that the table has for the state, or NONE.
    """
    costs = nodes[1]
    twin, is_dominated = first, False
    if HAS_RESOURCES:
        twin, is_dominated = compared(nodes, rivals, marks, first, state, g)
    is_known = twin != NONE and marks[word(twin)] != OUTSIDE
    if is_known and g >= costs[word(twin)]:
        search.duplicates += 1
        return True
    if is_dominated:
        search.pruned += 1
        return True
    if is_known:
        search.duplicates += 1
        if marks[twin] == OPEN:
            marks[twin] = CLOSED
            search.open -= 1
        else:
            search.reopened += 1
    return False


def is_target(rows: Arrays, state: State) -> Flag:
    """Whether a state equals the first of the rows, or dominates it."""
    if not is_same(rows, 0, state):
        return False
    return is_as_good(state, load(rows, 0)) if HAS_RESOURCES else True


def next_plain(me: Self, search: Search, nodes: Nodes, marks: Array, levels: Levels, window: Arrays, at: Int) -> Int:
    """The next entry, from a given one on, whose node is open; NONE if that is not simply to be expanded, or there is none."""
    rows, costs, _parents, _actions = nodes
    entries, _counts, ends = levels
    while at < ends[LEVEL]:
        fetch_node(nodes, marks, levels, at + AHEAD, ends[LEVEL])
        place = word(entries[word(at)].place)
        if marks[place] == OPEN:
            state = load(rows, place)
            if total_of_key(entries[word(at)].first) >= search.best or is_goal(me, state):
                return NONE
            if HAS_WINDOWS and (
                as_total(costs[place]) >= search.limit or (search.has_target and is_target(window[0], state))
            ):
                return NONE
            return at
        at += 1
    return NONE


def add_counts(search: Search, made: Search) -> None:
    """Add the counts of the children of a node."""
    search.generated += made.generated
    search.pruned += made.pruned
    search.dead_ends += made.dead_ends


def make_batch(
    me: Self,
    search: Search,
    made: Searches,
    nodes: Nodes,
    table: Table,
    marks: Array,
    levels: Levels,
    estimates: Array,
    slots: Array,
    batch: Searches,
    window: Arrays,
    most: Int,
) -> Int:
    """Make the children of the selected node and of those that follow it, up to `most`; returns of how many nodes.

    It is 0 if a cost or an estimate of the first is invalid. Only `made` and `batch` say what was counted: a child of one may
    still replace a later one.
    """
    rows, costs, _parents, _actions = nodes
    size, end, at, place = 0, 0, levels[2][TAKEN] - 1, search.place
    while True:
        counts = made[0]
        counts.generated = counts.pruned = counts.dead_ends = 0
        state, g = load(rows, place), costs[word(place)]
        number = make_children(me, search, counts, nodes, table, estimates, slots, end, state, g, search.best, window)
        if number == BAD:
            return size
        end += number
        entry = batch[word(size)]
        entry.at, entry.end = at, end
        entry.generated, entry.pruned, entry.dead_ends = counts.generated, counts.pruned, counts.dead_ends
        size += 1
        if size >= most or search.nodes + end + max_actions(me) > len(costs) or end + max_actions(me) > len(slots):
            return size
        at = next_plain(me, search, nodes, marks, levels, window, at + 1)
        if at == NONE:
            return size
        place = levels[0][word(at)].place


def enter_batch(
    search: Search,
    nodes: Nodes,
    table: Table,
    marks: Array,
    rivals: Array,
    levels: Levels,
    estimates: Array,
    slots: Array,
    batch: Searches,
    edge: Arrays,
    size: Int,
) -> None:
    """Expand the nodes of a batch, one after the other: enter their children, unless they are no better than known nodes."""
    entries, _counts, ends = levels
    fetch_twins(nodes, table, slots, batch[word(size - 1)].end)
    first_child, begin = search.nodes, 0
    for number in range(size):
        entry = batch[word(number)]
        at, end = entry.at, entry.end
        place = entries[word(at)].place
        if number > 0:
            ends[TAKEN] = at + 1
            if marks[word(place)] != OPEN:  # a child of an earlier one replaces it
                begin = end
                continue
            marks[word(place)] = CLOSED
            search.open -= 1
            search.place = place
            search.peak = max(search.peak, search.open)
            search.room -= 1
        search.is_pending = 0
        search.expanded += 1
        add_counts(search, entry)
        for child in range(begin, end):
            row, h, slot = first_child + child, estimates[word(child)], slots[word(child)]
            enter_child(search, nodes, table, marks, rivals, levels, edge, place, row, h, slot)
        begin = end


def enter_child(
    search: Search,
    nodes: Nodes,
    table: Table,
    marks: Array,
    rivals: Array,
    levels: Levels,
    edge: Arrays,
    parent: Int,
    row: Int,
    h: Number,
    slot: Int,
) -> None:
    """Make a node of a child, unless it is no better than a known one. row: of the child. slot: where the search for it begins."""
    rows, costs, _parents, actions = nodes
    child, g = load(rows, row), costs[word(row)]
    slot = find_from(rows, table, child, slot)
    first = np.int64(table[word(slot)])
    if is_refused(search, nodes, rivals, marks, first, child, g):
        return
    f, parent_f = total_of(g, h), last_total(levels)
    if falls_to(parent_f, f):
        note_fall(search, edge, load(rows, parent), costs[word(parent)], child, g)
    if HAS_RESOURCES:
        first = without_dominated(search, nodes, rivals, marks, first, child, g)
    entered = add_node(search, nodes, table, slot, child, g, parent, actions[word(row)])
    if HAS_RESOURCES:
        rivals[word(entered)] = first
    marks[word(entered)] = OPEN
    search.open += 1
    append(levels, f, as_total(h), entered)


def anytime_beam_slice(
    data: Self,
    searches: Searches,
    made: Searches,
    batch: Searches,
    nodes: Nodes,
    table: Table,
    marks: Array,
    rivals: Array,
    levels: Levels,
    estimates: Array,
    slots: Array,
    window: Arrays,
    edge: Arrays,
    budget: int,
) -> int:
    """Search for at most `budget` expansions, to a better goal or to the end of the iteration; return how it ended.

    made, batch: records of the children of a node, and of the nodes that are expanded together (BATCH_FIELDS); more than one
    in batch makes the search faster, never different. nodes: see Nodes. table: see state_table.py. marks: of the nodes.
    rivals: by node, the next one of a chain of states that differ in their resources only, which begins in the table; NONE at
    its end. levels: see levels.py. estimates, slots: room for those of the children of these nodes (children.py). window: the
    state that ends it, in rows, and by action whether it is left out. edge: the first inconsistent edge.
    """
    me = as_self(data)
    search = searches[0]
    rows, costs, _parents, _actions = nodes
    until = search.expanded + budget
    enter_nodes(search, nodes, table)
    while search.proved < search.best:
        if not search.is_pending:
            if left_in(levels) == 0:
                if entered_in(levels) == 0:
                    break
                turn(levels)
                search.room = search.width
            f = first_total(levels)
            place = next_in(levels)
            leave_level(levels)
            fetch_node(nodes, marks, levels, levels[2][TAKEN] + AHEAD, levels[2][LEVEL])
            if marks[word(place)] != OPEN:
                continue
            marks[word(place)] = CLOSED
            search.open -= 1
            if f >= search.best:
                search.pruned += 1
                continue
            if HAS_WINDOWS and as_total(costs[place]) >= search.limit:
                search.pruned += 1
                continue
            search.place = place
            if is_goal(me, load(rows, place)):
                search.peak = max(search.peak, search.open)
                search.best = as_total(costs[place])
                return FOUND
            if HAS_WINDOWS and search.has_target and is_target(window[0], load(rows, place)):
                return AT_TARGET
            if search.room == 0:
                marks[place] = OUTSIDE
                search.pruned += 1
                search.lowest_outside = min(search.lowest_outside, f)
                continue
            search.peak = max(search.peak, search.open)
            search.room -= 1
            search.is_pending = 1
        if search.expanded >= until:
            return STOPPED
        if search.nodes + max_actions(me) > len(costs):
            return FULL
        most = min(len(batch), until - search.expanded, search.room + 1)
        size = make_batch(me, search, made, nodes, table, marks, levels, estimates, slots, batch, window, most)
        if size == 0:
            search.is_pending = 0
            search.expanded += 1
            add_counts(search, made[0])
            return FAULTY
        enter_batch(search, nodes, table, marks, rivals, levels, estimates, slots, batch, edge, size)
    return EXHAUSTED
