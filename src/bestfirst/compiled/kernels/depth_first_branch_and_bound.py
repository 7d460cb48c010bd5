"""Depth-first branch and bound, compiled: the twin of search/depth_first_branch_and_bound.py.

The nodes still to be visited are on one stack, the children of a node in order of f, the lowest on top. A hash table
finds the states on the path; they leave it last in, first out, so emptying a slot does not affect those filled before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bestfirst.compiled.kernels.slices import EXHAUSTED, FAULTY, FOUND, FULL, STOPPED, is_sound
from bestfirst.compiled.store.inconsistent_edges import falls_to, note_fall
from bestfirst.compiled.store.state_table import NONE, find
from bestfirst.compiled.store.totals import as_total, is_hopeless, total_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        LEGAL_FIRST,
        as_self,
        estimate,
        is_goal,
        load,
        max_actions,
        next_action,
        prepared_for,
        step_with,
        store,
    )
    from bestfirst.compiled.store.aliases import Arrays, Searches, Self

ACTION_BITS = 31
ACTION_MASK = (1 << ACTION_BITS) - 1

OWN_FIELDS = (
    "stack",  # the number of nodes on the stack
    "length",  # of nodes on the path
    "depth",  # of the last selected node
)
OWN_TOTALS = ("best",)  # the cost of the best goal


def branch_and_bound_slice(data: Self, searches: Searches, stack: Arrays, path: Arrays, edge: Arrays, budget: int) -> int:
    """Search for at most `budget` expansions, or to a better goal; return how it ended.

    stack: the states, g, f, and depth << ACTION_BITS | the action that led there. path: the states on the path, their slots
    in the table, the actions that led to them, and the table. edge: the first inconsistent edge.
    """
    me = as_self(data)
    search = searches[0]
    rows, costs, totals, came_by = stack
    path_rows, slots, path_actions, table = path
    best = search.best
    until = search.expanded + budget
    if search.table_is_new:
        for place in range(search.length):
            slots[place] = find(path_rows, table, load(path_rows, place))
            table[slots[place]] = place
        search.table_is_new = 0
    while search.stack > 0:
        top = search.stack - 1
        depth = came_by[top] >> ACTION_BITS
        while search.length > depth:
            search.length -= 1
            table[slots[search.length]] = NONE
        if totals[top] >= best:
            search.stack = top
            search.pruned += 1
            continue
        if top + max_actions(me) >= len(costs) or depth + 1 >= len(slots):
            return FULL
        search.depth = depth
        path_actions[depth] = came_by[top] & ACTION_MASK
        state = load(rows, top)
        if is_goal(me, state):
            search.stack = top
            search.best = as_total(costs[top])
            return FOUND
        search.peak = max(search.peak, depth + 1)
        if search.expanded >= until:
            return STOPPED
        g, f = costs[top], totals[top]
        store(path_rows, depth, state)
        slots[depth] = find(path_rows, table, state)
        table[slots[depth]] = depth
        search.length = depth + 1
        search.stack = top
        search.expanded += 1
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
            total = total_of(g + cost, h)
            if table[find(path_rows, table, child)] != NONE:
                search.pruned += 1
            elif is_hopeless(h):
                search.pruned += 1
                search.dead_ends += 1
            elif total >= best:
                search.pruned += 1
            else:
                if falls_to(f, total):
                    note_fall(search, edge, state, g, child, g + cost)
                place = search.stack
                while place > top and totals[place - 1] <= total:  # earlier ones stay above it
                    store(rows, place, load(rows, place - 1))
                    costs[place], totals[place], came_by[place] = costs[place - 1], totals[place - 1], came_by[place - 1]
                    place -= 1
                store(rows, place, child)
                costs[place], totals[place] = g + cost, total
                came_by[place] = (depth + 1) << ACTION_BITS | action
                search.stack += 1
    return EXHAUSTED
