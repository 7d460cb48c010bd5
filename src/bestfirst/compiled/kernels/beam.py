"""Beam search, compiled: the twin of search/beam.py.

The children of a level are pushed on a heap; the first `width` nodes popped are the next level.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bestfirst.compiled.kernels.control import (
    DEAD_ENDS,
    DUPLICATES,
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
from bestfirst.compiled.store.binary_heap import pop, push
from bestfirst.compiled.store.inconsistent_edges import falls_to, note_fall
from bestfirst.compiled.store.state_table import NONE, find
from bestfirst.compiled.store.totals import is_hopeless, total_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import LEGAL_FIRST, MAX_ACTIONS, as_self, estimate, is_goal, load, step, store

# Further indices of the control array: the width of the beam; the number of nodes, of nodes on the level, and of
# expanded nodes among these; the children on the heap; the number outside the beam; and the last selected node.
WIDTH, NODES, LEVEL, DONE, CHILDREN, OUTSIDE, TAKEN = range(OWN, OWN + 7)

# Further ends of a slice.
FOUND, EXHAUSTED = range(WAYS, WAYS + 2)

MOST_NODES = 2**31 - 1


def beam_slice(data: Any, nodes: Any, table: Any, level: Any, children: Any, falls: Any, control: Any, budget: int) -> int:
    """Search for at most `budget` expansions; return how it ended.

    nodes: see Nodes. table: see state_table.py. level: the node indices of the level. children: the heap of their children.
    """
    me = as_self(data)
    rows, costs, parents, actions = nodes
    until = control[EXPANDED] + budget
    if control[FRESH]:
        for place in range(control[NODES]):
            table[find(rows, table, load(rows, place))] = place
        control[FRESH] = 0
    while True:
        if control[DONE] == control[LEVEL]:
            size = 0
            while size < control[WIDTH] and size < control[CHILDREN]:
                level[size] = pop(children, control[CHILDREN] - size)
                size += 1
            control[OUTSIDE] += control[CHILDREN] - size
            control[PRUNED] += control[CHILDREN] - size
            control[LEVEL], control[DONE], control[CHILDREN] = size, 0, 0
            if size == 0:
                return EXHAUSTED
        place = level[control[DONE]]
        control[TAKEN] = place
        control[PEAK] = max(control[PEAK], control[LEVEL] - control[DONE] - 1 + control[CHILDREN])
        state = load(rows, place)
        if is_goal(me, state):
            return FOUND
        if control[EXPANDED] >= until:
            return STOPPED
        if control[NODES] + MAX_ACTIONS > len(costs):
            return FULL
        control[DONE] += 1
        control[EXPANDED] += 1
        g = costs[place]
        f = total_of(g, estimate(me, state))
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
            slot = find(rows, table, child)
            if table[slot] != NONE:
                control[DUPLICATES] += 1
                continue
            made = control[NODES]
            table[slot] = made
            store(rows, made, child)
            costs[made], parents[made], actions[made] = g + cost, place, action
            control[NODES] += 1
            if is_hopeless(h):
                control[PRUNED] += 1
                control[DEAD_ENDS] += 1
                continue
            if falls_to(f, total_of(g + cost, h)):
                note_fall(falls, state, g, child, g + cost)
            push(children, control[CHILDREN], h, 0, made)
            control[CHILDREN] += 1
