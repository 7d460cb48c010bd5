"""Depth-first branch and bound, compiled: the twin of search/depth_first_branch_and_bound.py.

The nodes still to be visited are on one stack, the children of a node in order of f, the lowest on top. A hash table
finds the states on the path; they leave it last in, first out, so emptying a slot does not affect those filled before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bestfirst.compiled.kernels.control import (
    DEAD_ENDS,
    EXPANDED,
    FAULTY,
    FRESH,
    FULL,
    GENERATED,
    OWN,
    PEAK,
    PRUNED,
    STOPPED,
    WAYS,
    is_sound,
)
from bestfirst.compiled.store.inconsistent_edges import falls_to, note_fall
from bestfirst.compiled.store.state_table import NONE, find
from bestfirst.compiled.store.totals import as_total, is_hopeless, total_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import LEGAL_FIRST, MAX_ACTIONS, as_self, estimate, is_goal, load, step, store

ACTION_BITS = 31
ACTION_MASK = (1 << ACTION_BITS) - 1

# Further indices of the control array: nodes on the stack and on the path, and the depth of the last selected node.
STACK, LENGTH, DEPTH = range(OWN, OWN + 3)

# Further ends of a slice.
BETTER, EXHAUSTED = range(WAYS, WAYS + 2)


def branch_and_bound_slice(data: Any, stack: Any, path: Any, falls: Any, control: Any, best_cost: Any, budget: int) -> int:
    """Search for at most `budget` expansions, or to a better goal; return how it ended.

    stack: the states, g, f, and depth << ACTION_BITS | the action that led there. path: the states on the path, their slots
    in the table, the actions that led to them, and the table. best_cost: of the best goal, at index 0.
    """
    me = as_self(data)
    rows, costs, totals, came_by = stack
    path_rows, slots, path_actions, table = path
    best = best_cost[0]
    until = control[EXPANDED] + budget
    if control[FRESH]:
        for place in range(control[LENGTH]):
            slots[place] = find(path_rows, table, load(path_rows, place))
            table[slots[place]] = place
        control[FRESH] = 0
    while control[STACK] > 0:
        top = control[STACK] - 1
        depth = came_by[top] >> ACTION_BITS
        while control[LENGTH] > depth:
            control[LENGTH] -= 1
            table[slots[control[LENGTH]]] = NONE
        if totals[top] >= best:
            control[STACK] = top
            control[PRUNED] += 1
            continue
        if top + MAX_ACTIONS >= len(costs) or depth + 1 >= len(slots):
            return FULL
        control[DEPTH] = depth
        path_actions[depth] = came_by[top] & ACTION_MASK
        state = load(rows, top)
        if is_goal(me, state):
            control[STACK] = top
            best_cost[0] = as_total(costs[top])
            return BETTER
        control[PEAK] = max(control[PEAK], depth + 1)
        if control[EXPANDED] >= until:
            return STOPPED
        g, f = costs[top], totals[top]
        store(path_rows, depth, state)
        slots[depth] = find(path_rows, table, state)
        table[slots[depth]] = depth
        control[LENGTH] = depth + 1
        control[STACK] = top
        control[EXPANDED] += 1
        for action in range(MAX_ACTIONS):
            legal, child, cost = step(me, state, action)
            if not legal:
                if LEGAL_FIRST:
                    break
                continue
            h = estimate(me, child)
            if not is_sound(g, cost, h):
                return FAULTY
            control[GENERATED] += 1
            total = total_of(g + cost, h)
            if table[find(path_rows, table, child)] != NONE:
                control[PRUNED] += 1
            elif is_hopeless(h):
                control[PRUNED] += 1
                control[DEAD_ENDS] += 1
            elif total >= best:
                control[PRUNED] += 1
            else:
                if falls_to(f, total):
                    note_fall(falls, state, g, child, g + cost)
                place = control[STACK]
                while place > top and totals[place - 1] <= total:  # earlier ones stay above it
                    store(rows, place, load(rows, place - 1))
                    costs[place], totals[place], came_by[place] = costs[place - 1], totals[place - 1], came_by[place - 1]
                    place -= 1
                store(rows, place, child)
                costs[place], totals[place] = g + cost, total
                came_by[place] = (depth + 1) << ACTION_BITS | action
                control[STACK] += 1
    return EXHAUSTED
