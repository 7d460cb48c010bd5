"""IDA*, compiled: the twin of search/idastar.py.

All children of a node are pushed on one explicit stack together, the first one on top. So they are visited in the order of
the reference engine, which makes them one at a time; children that it would not have made yet are subtracted from the counts
when a run stops (see IDAStar._settle).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.store import totals, walks
from bestfirst.compiled.store.inconsistent_edges import falls_to
from bestfirst.compiled.store.totals import can_pay, is_hopeless, total_of
from bestfirst.compiled.store.walks import Node, Records, node_at, put_node
from bestfirst.search.operator_sequences.automaton import FORBIDDEN

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        BY_F,
        HAS_AUTOMATON,
        HAS_CLAIMS,
        HAS_INVERSE,
        LEGAL_FIRST,
        UNIT_COST,
        as_self,
        estimate,
        is_goal,
        max_actions,
        prepared_for,
        put_state,
        state_in,
        step,
        step_with,
    )
    from bestfirst.compiled.store.aliases import Array, Flag, Int, Number, Pair, Self, State

# The ends of a slice.
STOPPED, EXHAUSTED, FOUND, FULL, FELL, FAULTY = range(6)

MOST_INVERSES = 1 << 12
"""With more actions, inverses are not used: the state before the last one is then recognised by its fields."""
NEVER = 1 << 62
"""A depth above that of any path."""
NOT_KNOWN, WORTHWHILE = -1, -2
"""Values of repeat_depth."""


def first_repeat(path: Records, depth: int, first: int) -> int:
    """The depth at which a path first repeats a state; NEVER if it does not before this depth. first: the first depth to
    check."""
    for place in range(first, depth):
        state = state_in(path, place)
        for before in range(place):
            if state_in(path, before) == state:
                return place
    return NEVER


def is_on_path(path: Records, depth: int, state: State) -> bool:
    """Whether a state is on the path to the node at this depth, or is its state."""
    for place in range(depth + 1):  # noqa: SIM110  (compiled code has no any())
        if state_in(path, place) == state:
            return True
    return False


def closes_a_zero_cycle(path: Records, depth: int, child: State, g: Number) -> bool:
    """Whether a child of the node at this depth returns to a state on the path at no cost."""
    while depth >= 0 and path[depth].g >= g:
        if state_in(path, depth) == child:
            return True
        depth -= 1
    return False


def otherwise(automaton: Array, follows: Int) -> Int:
    """The automaton state after an action for which no claim holds."""
    return np.int64(automaton[-follows]) if follows < FORBIDDEN else follows


def is_made_before(me: Self, automaton: Array, claim: Int, path: Records, depth: int, child: State, g: Number) -> Flag:
    """Whether the claim at this index of the automaton holds for a child of the node at this depth."""
    start = depth + 1 - np.int64(automaton[claim + 1])
    state = state_in(path, start)
    if UNIT_COST:  # noqa: SIM108  (only the branch that is taken is to be compiled)
        other_g = start
    else:
        other_g = path[start].g
    for place in range(automaton[claim + 2]):
        if place > 0 and is_goal(me, state):
            return False
        legal, state, cost = step(me, state, automaton[claim + 3 + place])
        if not legal or not can_pay(other_g, cost):
            return False
        other_g = other_g + cost
    return state == child and other_g <= g


def legal_before_others(me: Self, state: State, pair: Pair) -> Int:
    """The number of legal actions of a state, which all precede the others: found by doubling, then by bisection."""
    known, tried = 0, 1
    while tried <= max_actions(me) and step_with(me, state, tried - 1, pair)[0]:
        known, tried = tried, 2 * tried
    most = min(tried - 1, max_actions(me))
    while known < most:
        tried = (known + most + 1) // 2
        if step_with(me, state, tried - 1, pair)[0]:
            known = tried
        else:
            most = tried - 1
    return known


def note_on_path(path: Records, node: Node) -> None:
    """Write the node to the path: its state only if that is read again."""
    record = path[np.uint64(node.depth)]
    record.action = node.action
    record.f = node.f
    if not UNIT_COST:
        record.g = node.g
    if not HAS_INVERSE or not UNIT_COST or HAS_CLAIMS:
        put_state(path, node.depth, node.state)


def push_children(
    me: Self,
    inverses: Array,
    automaton: Array,
    walk: Records,
    stack: Records,
    size: int,
    path: Records,
    node: Node,
) -> tuple[Flag, int]:
    """Push the children of a node within the bound on a stack of this size, the first one last.

    Returns whether they are sound, and the new size.
    """
    undo = inverses[np.uint64(node.action)] if HAS_INVERSE else -1
    bound, before, depth = walk.bound, size, node.depth + 1
    shows_new_states = walk.repeat_depth == NEVER
    fell_before = walk.fall_depth != 0
    last, pair = max_actions(me), prepared_for(me, node.state)
    if LEGAL_FIRST:
        last = legal_before_others(me, node.state, pair)
    for turn in range(last):
        action = last - 1 - turn
        if HAS_INVERSE and action == undo:
            continue
        came: Int = 0
        if HAS_AUTOMATON:
            came = np.int64(automaton[np.uint64(node.came * max_actions(me) + action)])
            if came == FORBIDDEN:
                continue
        legal, state, cost = step_with(me, node.state, action, pair)
        if not legal:
            continue
        if not (cost == 1 if UNIT_COST else can_pay(node.g, cost)):
            return False, size
        if not HAS_INVERSE and node.depth > 0 and state_in(path, node.depth - 1) == state:
            continue
        g = depth if UNIT_COST else node.g + cost
        if HAS_CLAIMS:
            if came < 0 and is_made_before(me, automaton, -came, path, node.depth, state, g):
                continue
            came = otherwise(automaton, came)
        h = estimate(me, state)
        if not h >= 0:
            return False, size
        f = total_of(g, h)
        if f > bound:
            walk.pruned += 1
            walk.next_bound = min(walk.next_bound, f)
            if is_hopeless(h):
                walk.dead_ends += 1
            elif shows_new_states and not is_on_path(path, node.depth, state):
                walk.repeat_depth = WORTHWHILE
            continue
        if not UNIT_COST and g == node.g and closes_a_zero_cycle(path, node.depth, state, g):
            walk.pruned += 1
            continue
        child = Node(state, depth, action, f, g, came)
        if BY_F:
            if falls_to(node.f, f):
                walk.inconsistent += 1
                if not fell_before:  # of several children, the last one made comes first
                    walk.fall_depth, walk.fall_action = depth, action
            put_in_order(stack, before, size, child)
        else:
            put_node(stack, size, child)
        size += 1
    return True, size


def put_in_order(stack: Records, before: int, size: int, child: Node) -> None:
    """Put a child on the stack among its siblings, which begin at `before`: lower ones of f come later."""
    while size > before and stack[size - 1].f < child.f:
        stack[size] = stack[size - 1]
        size -= 1
    put_node(stack, size, child)


def idastar_slice(
    data: Self, inverses: Array, automaton: Array, walks: Records, stack: Records, path: Records, budget: int
) -> int:
    """Search for at most `budget` expansions; return how it ended.

    inverses: by action, its inverse; -1 for the missing one that led to the root. automaton: by state and action, the next
    state, FORBIDDEN, or the negative index of a claim (see _as_array). walks: one record. stack, path: nodes; those of the
    path are written only as far as they are read again.
    A slice ends FULL if the path has no room for the next node, or the stack for its children. It ends FELL at the first
    inconsistent edge of an iteration. The node at which a slice ended is on top of the stack (except FAULTY: it has been
    expanded).
    The iteration is worthwhile once the bound has cut a path without repeated states: only then can a higher bound find
    anything new. Until then, repeat_depth is the depth at which the path first repeats a state.
    """
    me = as_self(data)
    walk = walks[0]
    size = walk.height
    pruned = walk.pruned
    expanded = 0
    if walk.repeat_depth == NOT_KNOWN and size > 0:
        walk.repeat_depth = first_repeat(path, stack[size - 1].depth, 0)
    how = EXHAUSTED
    while size > 0:
        top = size - 1
        node = node_at(stack, top)
        if is_goal(me, node.state):
            how = FOUND
            break
        # one branch for all rare cases
        if (budget - 1 - expanded) | (len(path) - 2 - node.depth) | (len(stack) - max_actions(me) - top) < 0:
            how = STOPPED if expanded >= budget else FULL
            break
        if not BY_F and node.depth > 0 and falls_to(path[np.uint64(node.depth - 1)].f, node.f):
            if walk.fall_depth == 0:
                walk.fall_depth, walk.fall_action = node.depth, node.action
                how = FELL
                break
            walk.inconsistent += 1
        note_on_path(path, node)
        if walk.repeat_depth >= node.depth:
            put_state(path, node.depth, node.state)
            walk.repeat_depth = first_repeat(path, node.depth + 1, node.depth)
        expanded += 1
        fell_before = walk.fall_depth != 0
        is_sound, size = push_children(me, inverses, automaton, walk, stack, top, path, node)
        if not is_sound:
            how, walk.depth = FAULTY, node.depth
            break
        if node.depth > walk.longest:  # noqa: PLR1730  (a store that is not needed costs time)
            walk.longest = node.depth
        if BY_F and not fell_before and walk.fall_depth != 0:
            how = FELL
            break
    if how not in (EXHAUSTED, FAULTY):
        standing = stack[size - 1]
        walk.depth = standing.depth
        path[standing.depth].action = standing.action
    walk.expanded += expanded
    walk.generated += expanded + walk.pruned - pruned + size - walk.height  # an expanded node has left the stack
    walk.height = size
    return how


PARTS = (
    *totals.PARTS,
    *walks.PARTS,
    first_repeat,
    is_on_path,
    closes_a_zero_cycle,
    falls_to,
    otherwise,
    is_made_before,
    legal_before_others,
    note_on_path,
    put_in_order,
    push_children,
)
