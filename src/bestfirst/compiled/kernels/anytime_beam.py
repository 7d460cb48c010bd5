"""Anytime beam search, compiled: the twin of search/anytime_beam.py, and of the windows of search/large_neighbourhood_beam.py.

The nodes of a level leave in the order of (f, h); those of the next one are sorted when its turn comes. A superseded node
stays on its level with a mark, and is skipped. HAS_WINDOWS: whether the search may be that of a window.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bestfirst.compiled.kernels.slices import AT_TARGET, EXHAUSTED, FAULTY, FOUND, FULL, STOPPED
from bestfirst.compiled.store.children import BAD, fetch_twins, make_children
from bestfirst.compiled.store.inconsistent_edges import falls_to, note_fall
from bestfirst.compiled.store.levels import append, entered_in, first_total, last_total, leave_level, left_in, next_in, turn
from bestfirst.compiled.store.nodes import add_node, enter_nodes
from bestfirst.compiled.store.state_table import NONE, find_from
from bestfirst.compiled.store.totals import as_total, total_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        HAS_RESOURCES,
        HAS_WINDOWS,
        as_self,
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
WINDOW_FIELDS = ("has_target",)  # whether a state ends the window
WINDOW_TOTALS = ("limit",)  # nodes whose g is not below it are dropped

# The marks of nodes.
CLOSED, OPEN, OUTSIDE = range(3)

WIDEST = 2**31 - 1


def twin_in(nodes: Nodes, rivals: Array, first: Int, state: State) -> Int:
    """The node with a state in the chain of rivals from a first node, or NONE. The chain may hold nodes outside the beam."""
    place = first
    while place != NONE:
        other = load(nodes[0], place)
        if is_as_good(other, state) and other == state:  # most are no twins, and the first says so sooner
            return place
        place = rivals[place]
    return NONE


def is_dominated(nodes: Nodes, rivals: Array, marks: Array, first: Int, state: State, g: Number) -> Flag:
    """Whether a node of the chain dominates a new one."""
    rows, costs, _parents, _actions = nodes
    place = first
    while place != NONE:
        if marks[place] != OUTSIDE and costs[place] <= g and is_as_good(load(rows, place), state):
            return True
        place = rivals[place]
    return False


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
    twin = first
    if HAS_RESOURCES:
        twin = twin_in(nodes, rivals, first, state)
    is_known = twin != NONE and marks[twin] != OUTSIDE
    if is_known and g >= costs[twin]:
        search.duplicates += 1
        return True
    if HAS_RESOURCES and is_dominated(nodes, rivals, marks, first, state, g):
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


def anytime_beam_slice(
    data: Self,
    searches: Searches,
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

    nodes: see Nodes. table: see state_table.py. marks: of the nodes. rivals: by node, the next one of a chain of states that
    differ in their resources only, which begins in the table; NONE at its end. levels: see levels.py. estimates,
    slots: room for those of a node's children (children.py). window: the state that ends it, in rows, and by action whether it
    is left out. edge: the first inconsistent edge.
    """
    me = as_self(data)
    search = searches[0]
    rows, costs, _parents, actions = nodes
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
            if marks[place] != OPEN:
                continue
            marks[place] = CLOSED
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
        search.is_pending = 0
        search.expanded += 1
        place = search.place
        state = load(rows, place)
        g = costs[place]
        f = last_total(levels)
        made = make_children(me, search, nodes, table, estimates, slots, state, g, search.best, window)
        if made == BAD:
            return FAULTY
        fetch_twins(nodes, table, slots, made)
        first_child = search.nodes
        for number in range(made):
            child = load(rows, first_child + number)
            child_g, h = costs[first_child + number], estimates[number]
            slot = find_from(rows, table, child, slots[number])
            first = table[slot]
            if is_refused(search, nodes, rivals, marks, first, child, child_g):
                continue
            child_f = total_of(child_g, h)
            if falls_to(f, child_f):
                note_fall(search, edge, state, g, child, child_g)
            if HAS_RESOURCES:
                first = without_dominated(search, nodes, rivals, marks, first, child, child_g)
            entered = add_node(search, nodes, table, slot, child, child_g, place, actions[first_child + number])
            if HAS_RESOURCES:
                rivals[entered] = first
            marks[entered] = OPEN
            search.open += 1
            append(levels, child_f, as_total(h), entered)
    return EXHAUSTED
