"""Anytime beam search, compiled: the twin of search/anytime_beam.py.

The nodes of a level and those of the next one are on two heaps, by (f, h), which swap at the end of a level. A superseded
node stays on its heap with a mark, and is skipped when popped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bestfirst.compiled.kernels.slices import EXHAUSTED, FAULTY, FOUND, FULL, STOPPED, is_sound
from bestfirst.compiled.store.heap import lowest_key, pop, push, size_of
from bestfirst.compiled.store.inconsistent_edges import falls_to, note_fall
from bestfirst.compiled.store.nodes import add_node, enter_nodes
from bestfirst.compiled.store.state_table import NONE, find
from bestfirst.compiled.store.totals import as_total, is_hopeless, total_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        HAS_RESOURCES,
        LEGAL_FIRST,
        as_self,
        estimate,
        is_as_good,
        is_goal,
        load,
        max_actions,
        step,
    )
    from bestfirst.compiled.store.aliases import (
        Array,
        Arrays,
        Flag,
        Int,
        Nodes,
        Number,
        OpenList,
        Search,
        Searches,
        Self,
        State,
        Table,
    )

OWN_FIELDS = (
    "nodes",  # the number of nodes
    "open",  # of open nodes
    "swapped",  # whether the heaps are swapped
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

# The marks of nodes.
CLOSED, OPEN, OUTSIDE = range(3)

WIDEST = 2**31 - 1


def twin_in(nodes: Nodes, rivals: Array, first: Int, state: State) -> Int:
    """The node with a state in the chain of rivals from a first node, or NONE. The chain may hold nodes outside the beam."""
    place = first
    while place != NONE and not load(nodes[0], place) == state:  # noqa: SIM201  (compiled code has no != of states)
        place = rivals[place]
    return place


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


def anytime_beam_slice(
    data: Self,
    searches: Searches,
    nodes: Nodes,
    table: Table,
    marks: Array,
    rivals: Array,
    level: OpenList,
    following: OpenList,
    edge: Arrays,
    budget: int,
) -> int:
    """Search for at most `budget` expansions, to a better goal or to the end of the iteration; return how it ended.

    nodes: see Nodes. table: see state_table.py. marks: of the nodes. rivals: by node, the next one of a chain of states that
    differ in their resources only, which begins in the table; NONE at its end. level, following: the heaps. edge: the first
    inconsistent edge.
    """
    me = as_self(data)
    search = searches[0]
    rows, costs, _parents, _actions = nodes
    until = search.expanded + budget
    enter_nodes(search, nodes, table)
    if search.swapped:
        level, following = following, level
    while search.proved < search.best:
        if not search.is_pending:
            if size_of(level) == 0:
                if size_of(following) == 0:
                    break
                level, following = following, level
                search.swapped = 1 - search.swapped
                search.room = search.width
            f = lowest_key(level)
            place = pop(level)
            if marks[place] != OPEN:
                continue
            marks[place] = CLOSED
            search.open -= 1
            if f >= search.best:
                search.pruned += 1
                continue
            search.place = place
            if is_goal(me, load(rows, place)):
                search.peak = max(search.peak, search.open)
                search.best = as_total(costs[place])
                return FOUND
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
        f = total_of(g, estimate(me, state))
        for action in range(max_actions(me)):
            legal, child, cost = step(me, state, action)
            if not legal:
                if LEGAL_FIRST:
                    break
                continue
            h = estimate(me, child)
            if not is_sound(g, cost, h):
                return FAULTY
            search.generated += 1
            if is_hopeless(h):
                search.pruned += 1
                search.dead_ends += 1
                continue
            child_f = total_of(g + cost, h)
            if child_f >= search.best:
                search.pruned += 1
                continue
            slot = find(rows, table, child)
            first = table[slot]
            twin = first
            if HAS_RESOURCES:
                twin = twin_in(nodes, rivals, first, child)
            is_known = twin != NONE and marks[twin] != OUTSIDE
            if is_known and g + cost >= costs[twin]:
                search.duplicates += 1
                continue
            if HAS_RESOURCES and is_dominated(nodes, rivals, marks, first, child, g + cost):
                search.pruned += 1
                continue
            if is_known:
                search.duplicates += 1
                if marks[twin] == OPEN:
                    marks[twin] = CLOSED
                    search.open -= 1
                else:
                    search.reopened += 1
            if falls_to(f, child_f):
                note_fall(search, edge, state, g, child, g + cost)
            if HAS_RESOURCES:
                first = without_dominated(search, nodes, rivals, marks, first, child, g + cost)
            made = add_node(search, nodes, table, slot, child, g + cost, place, action)
            if HAS_RESOURCES:
                rivals[made] = first
            marks[made] = OPEN
            search.open += 1
            push(following, child_f, as_total(h), made)
    return EXHAUSTED
