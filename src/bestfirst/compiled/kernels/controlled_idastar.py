"""IDA* on a domain with a control field, compiled: the search of idastar.py, with code for each value of that field.

The legal actions of a state, and what they change, often depend on a small field such as the blank's cell: the control field
(Domain.control). Here a node is searched by a recursive function, and the compiler makes a copy of it for each value of
the control field and each action that undoes the last one. So in most calls, the callee and much of what it does are constants,
and the processor predicts where a call returns to.

The stack of idastar.py holds the nodes from which a slice begins. Whatever ends a slice, or needs attention, ends all calls;
each puts the nodes that it has not searched yet back on the stack. The counts are those of idastar.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bestfirst.compiled.compiler.guards import FIRST_STOP
from bestfirst.compiled.compiler.intrinsics import in_memory, kept_in_memory
from bestfirst.compiled.kernels.idastar import (
    FAULTY,
    FOUND,
    STOPPED,
    WORTHWHILE,
    idastar_slice,
    note_on_path,
)
from bestfirst.compiled.store.inconsistent_edges import falls_to
from bestfirst.compiled.store.totals import is_hopeless, total_of
from bestfirst.compiled.store.walks import Node, Records, node_at, put_node

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        FLOATS,
        as_self,
        aside,
        attempt_estimate,
        attempt_prepared_for,
        attempt_step_with,
        estimate,
        is_goal,
        max_actions,
        prepared_for,
        step_with,
        visit_child,
        visit_first,
    )
    from bestfirst.compiled.store.aliases import Address, Array, Int, Number, Self, State

# The ends of a call. SEARCHED: the subtree is searched. HANDED_OVER: idastar.py must continue. The others are those of a slice.
SEARCHED, GOAL, PAUSED, UNSOUND, HANDED_OVER = range(5)
MOST_CALLS = 200
"""The depth of the recursion; below that, it begins again."""
FEWEST_CALLS = 8
FEW = 64
"""The number of expansions for which the other kernel takes over."""


class Descent(NamedTuple):
    """What all calls share."""

    data: Self
    inverses: Array
    walks: Records
    stack: Records
    path: Records


def leave(descent: Address, state: State, undo: Int, depth: Int, action: Int, how: Int) -> Int:
    """Push the children of a node, from this action on, back onto the stack; return how the search of the first of them ended.

    The others have not been searched yet. They go below the nodes at the stack's end, in the order in which the calls end.
    how: of UNSOUND children, step or the estimate may have failed; here they fail again, and it is noted why.
    """
    if how >= FIRST_STOP:
        return how
    shared = in_memory(descent)
    walk, stack, me = shared.walks[0], shared.stack, as_self(shared.data)
    pair = prepared_for(me, state)
    for later in range(action, max_actions(me)):
        if later == undo:
            continue
        legal, child, cost = step_with(me, state, later, pair)
        if not legal:
            continue
        h = estimate(me, child)
        if not (cost == 1 and h >= 0):
            walk.depth = depth
            return UNSOUND
        f = total_of(depth + 1, h)
        node = Node(child, depth + 1, later, f, depth + 1, 0)
        if later == action:
            note_on_path(shared.path, node)
            if how > 0:
                continue
        elif f > walk.bound:
            walk.pruned += 1
            walk.next_bound = min(walk.next_bound, f)
            walk.dead_ends += is_hopeless(h)
            continue
        walk.lowest -= 1
        put_node(stack, walk.lowest, node)
    return abs(how)


def visit(descent: Address, state: State, undo: Int, depth: Int, h: Number) -> Int:
    """Search the subtree of a node; return SEARCHED, or how that ended: negative if the node was not expanded.

    undo: the action that undoes the last one. h: the node's estimate.
    What is rare is left to leave(), which makes the child again: so this function keeps few values across calls.
    """
    shared = in_memory(descent)
    walk, me = shared.walks[0], as_self(shared.data)
    if is_goal(me, state):
        return -GOAL
    if walk.left == 0:
        return -PAUSED
    if depth > walk.watched:
        if depth > walk.deepest:
            return -HANDED_OVER
        walk.longest = walk.watched = depth
    walk.left -= 1
    base = depth if FLOATS else 0  # ints are compared without g: then the compiler often proves that f cannot fall
    is_prepared, pair = attempt_prepared_for(me, state)
    if not is_prepared:
        return aside(leave, descent, state, undo, depth, 0, UNSOUND)
    for action in range(max_actions(me)):
        if action == undo:
            continue
        is_made, (legal, child, cost) = attempt_step_with(me, state, action, pair)
        if is_made and not legal:
            continue
        is_estimated, child_h = attempt_estimate(me, child)
        if not (is_made and is_estimated and cost == 1 and child_h >= 0):
            return aside(leave, descent, state, undo, depth, action, UNSOUND)
        child_f = total_of(depth + 1, child_h)
        if child_f > walk.bound:
            walk.pruned += 1
            if child_f < walk.next_bound:  # noqa: PLR1730  (a store that is not needed costs time)
                walk.next_bound = child_f
            walk.dead_ends += is_hopeless(child_h)
            continue
        if falls_to(total_of(base, h), total_of(base + 1, child_h)):
            return aside(leave, descent, state, undo, depth, action, -HANDED_OVER)
        how = visit_child(descent, state, child, action, depth + 1, child_h)
        if how != SEARCHED:
            return aside(leave, descent, state, undo, depth, action, how)
    return SEARCHED


def descend(descent: Descent, walk: Records, stack: Records, path: Records, node: Node, budget: Int) -> Int:
    """Search the subtree of the node on top of the stack, for at most `budget` expansions; return as visit() does."""
    top, pruned, end = walk.height - 1, walk.pruned, np.int64(len(stack))
    walk.left, walk.lowest = budget, end
    walk.deepest = min(
        node.depth + MOST_CALLS, np.int64(len(path)) - 3, node.depth + (end - top) // max_actions(as_self(descent.data)) - 2
    )
    walk.watched = min(walk.longest, walk.deepest)
    note_on_path(path, node)
    undo = descent.inverses[np.uint64(node.action)]
    h = estimate(as_self(descent.data), node.state)
    how = visit_first(visit, kept_in_memory(descent), node.state, undo, node.depth, h)
    if how >= 0:
        walk.height = top
    for place in range(walk.lowest, end):
        stack[walk.height] = stack[place]
        walk.height += 1
    expanded = budget - walk.left
    walk.expanded += expanded
    walk.generated += expanded + walk.pruned - pruned + walk.height - top - 1
    return how


def controlled_slice(
    data: Self, inverses: Array, automaton: Array, walks: Records, stack: Records, path: Records, budget: int
) -> int:
    """See idastar_slice()."""
    walk = walks[0]
    until = walk.expanded + budget
    descent = Descent(data, inverses, walks, stack, path)
    while True:
        left = until - walk.expanded
        how = idastar_slice(data, inverses, automaton, walks, stack, path, min(left, FEW))
        left = until - walk.expanded
        if how != STOPPED or left == 0:
            return how
        node = node_at(stack, walk.height - 1)
        has_room = (
            len(stack) - walk.height > FEWEST_CALLS * max_actions(as_self(data)) and len(path) - node.depth > FEWEST_CALLS
        )
        how = SEARCHED
        while how == SEARCHED and walk.height > 0 and has_room and walk.repeat_depth == WORTHWHILE and walk.fall_depth == 0:
            node = node_at(stack, walk.height - 1)
            how = abs(descend(descent, walk, stack, path, node, until - walk.expanded))
        if how == UNSOUND:
            return FAULTY
        if how == GOAL or (how == PAUSED and walk.expanded == until):
            standing = stack[walk.height - 1]
            walk.depth = standing.depth
            path[standing.depth].action = standing.action
            return FOUND if how == GOAL else STOPPED


PARTS = (leave, visit, descend)
