"""Depth-first searches with a memo, compiled: the twin of search/depth_first_branch_and_bound.py with memo=True, and of
search/limited_discrepancy.py.

The nodes still to be visited are on a stack, the children of a node in order of f, the lowest on top. A superseded node
stays on the stack with a mark, and is skipped when popped. BY_DISCREPANCIES: whether only the best child enters the stack, and
the others wait on a second one for the next iteration.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.kernels.anytime_beam import CLOSED, OPEN, OUTSIDE, compared, without_dominated
from bestfirst.compiled.kernels.slices import EXHAUSTED, FAULTY, FOUND, FULL, STOPPED, is_sound
from bestfirst.compiled.store.inconsistent_edges import falls_to, note_fall
from bestfirst.compiled.store.nodes import add_node, enter_nodes
from bestfirst.compiled.store.state_table import NONE, find
from bestfirst.compiled.store.totals import as_total, is_hopeless, total_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        BY_DISCREPANCIES,
        HAS_RESOURCES,
        LEGAL_FIRST,
        as_self,
        estimate,
        is_goal,
        load,
        max_actions,
        next_action,
        prepared_for,
        step_with,
    )
    from bestfirst.compiled.store.aliases import Array, Arrays, Int, Nodes, Searches, Self, Table, Total

OWN_FIELDS = (
    "nodes",  # the number of nodes
    "open",  # of open nodes
    "stack",  # of nodes on the stack, superseded ones included
    "waiting",  # of those that wait for the next iteration, superseded ones included
    "place",  # the last selected node
)
OWN_TOTALS = (
    "best",  # the cost of the best goal
    "proved",  # the lower bound, if it can end the search
)


def put_in_order(stack: Arrays, base: Int, top: Int, place: Int, total: Total) -> Int:
    """Put a node among those of the stack from `base` on, the lowest f on top, an earlier one above its equals; returns the
    new top."""
    places, totals = stack
    at = top
    while at > base and totals[at - 1] <= total:
        places[at], totals[at] = places[at - 1], totals[at - 1]
        at -= 1
    places[at], totals[at] = place, total
    return top + 1


def memoised_slice(
    data: Self,
    searches: Searches,
    nodes: Nodes,
    table: Table,
    marks: Array,
    rivals: Array,
    depths: Array,
    stack: Arrays,
    waiting: Arrays,
    edge: Arrays,
    budget: int,
) -> int:
    """Search for at most `budget` expansions, to a better goal or to the end of the iteration; return how it ended.

    nodes, table, marks, rivals, edge: as in anytime_beam.py. depths: of the nodes. stack, waiting: nodes and their f.
    """
    me = as_self(data)
    search = searches[0]
    rows, costs, _parents, _actions = nodes
    places, totals = stack
    children = waiting if BY_DISCREPANCIES else stack
    best = search.best
    until = search.expanded + budget
    enter_nodes(search, nodes, table)
    while search.stack > 0 and not (BY_DISCREPANCIES and search.proved >= best):
        top = search.stack - 1
        place = places[top]
        if marks[place] != OPEN:
            search.stack = top
            continue
        if totals[top] >= best:
            marks[place] = CLOSED
            search.open -= 1
            search.stack = top
            search.pruned += 1
            continue
        search.place = place
        state = load(rows, place)
        if is_goal(me, state):
            marks[place] = CLOSED
            search.open -= 1
            search.stack = top
            if BY_DISCREPANCIES:
                search.peak = max(search.peak, search.open)
            search.best = as_total(costs[place])
            return FOUND
        depth = depths[place] + 1
        search.peak = max(search.peak, search.open - 1 if BY_DISCREPANCIES else depth)
        if search.expanded >= until:
            return STOPPED
        if search.nodes + max_actions(me) > len(costs):
            return FULL
        marks[place] = CLOSED
        search.open -= 1
        search.stack = top
        search.expanded += 1
        g, f = costs[place], totals[top]
        base = search.waiting if BY_DISCREPANCIES else top
        height = base
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
            h = estimate(me, child)
            if not is_sound(g, cost, h):
                return FAULTY
            search.generated += 1
            if is_hopeless(h):
                search.pruned += 1
                search.dead_ends += 1
                continue
            total = total_of(g + cost, h)
            if total >= best:
                search.pruned += 1
                continue
            slot = find(rows, table, child)
            first = np.int64(table[slot])
            twin, is_dominated = first, False
            if HAS_RESOURCES:
                twin, is_dominated = compared(nodes, rivals, marks, first, child, g + cost)
            is_known = twin != NONE and marks[twin] != OUTSIDE
            if is_known and g + cost >= costs[twin]:
                search.duplicates += 1
                continue
            if is_dominated:
                search.pruned += 1
                continue
            if is_known:
                search.duplicates += 1
                if marks[twin] == OPEN:
                    marks[twin] = CLOSED
                    search.open -= 1
                else:
                    search.reopened += 1
            if falls_to(f, total):
                note_fall(search, edge, state, g, child, g + cost)
            if HAS_RESOURCES:
                first = without_dominated(search, nodes, rivals, marks, first, child, g + cost)
            made = add_node(search, nodes, table, slot, child, g + cost, place, action)
            if HAS_RESOURCES:
                rivals[made] = first
            marks[made], depths[made] = OPEN, depth
            search.open += 1
            height = put_in_order(children, base, height, made, total)
        if BY_DISCREPANCIES:
            others, their_totals = children
            while height > base and marks[others[height - 1]] != OPEN:
                height -= 1
            if height > base:
                height -= 1
                places[top], totals[top] = others[height], their_totals[height]
                search.stack = top + 1
            search.waiting = height
        else:
            search.stack = height
    return EXHAUSTED
