"""Anytime beam search, compiled: the twin of search/anytime_beam.py.

The nodes of a level and those of the next one are on two heaps, by (f, h), which swap at the end of a level. A superseded
node stays on its heap with a mark, and is skipped when popped.
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
    REOPENED,
    STOPPED,
    WAYS,
    is_sound,
)
from bestfirst.compiled.store.binary_heap import pop, push
from bestfirst.compiled.store.inconsistent_edges import falls_to, note_fall
from bestfirst.compiled.store.state_table import NONE, find
from bestfirst.compiled.store.totals import as_total, is_hopeless, total_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import LEGAL_FIRST, MAX_ACTIONS, as_self, estimate, is_goal, load, step, store

# Further indices of the control array: the number of nodes, and of open nodes; the entries on the heap of the level
# and on that of the next one; whether these two are swapped; the number of nodes of the level that may still be expanded;
# the width of the beam; the last selected node; and whether it is still to be expanded.
NODES, WAITING, ON_LEVEL, ON_NEXT, SWAPPED, ROOM, WIDTH, TAKEN, PENDING = range(OWN, OWN + 9)

# The totals: the cost of the best goal, the lower bound, and the lowest f that fell outside the beam.
BEST, PROVED, LOWEST_OUTSIDE = range(3)

# Further ends of a slice.
BETTER, ROUND_OVER = range(WAYS, WAYS + 2)

# The marks of nodes.
CLOSED, OPEN, OUTSIDE = range(3)

WIDEST = 2**31 - 1


def anytime_beam_slice(
    data: Any,
    nodes: Any,
    table: Any,
    marks: Any,
    level: Any,
    following: Any,
    falls: Any,
    control: Any,
    bounds: Any,
    budget: int,
) -> int:
    """Search for at most `budget` expansions, to a better goal or to the end of the iteration; return how it ended.

    nodes: see Nodes. table: see state_table.py. marks: of the nodes. level, following: the heaps.
    """
    me = as_self(data)
    rows, costs, parents, actions = nodes
    best = bounds[BEST]
    until = control[EXPANDED] + budget
    if control[FRESH]:
        for place in range(control[NODES]):
            table[find(rows, table, load(rows, place))] = place
        control[FRESH] = 0
    if control[SWAPPED]:
        level, following = following, level
    while bounds[PROVED] < best:
        if not control[PENDING]:
            if control[ON_LEVEL] == 0:
                if control[ON_NEXT] == 0:
                    break
                level, following = following, level
                control[SWAPPED] = 1 - control[SWAPPED]
                control[ON_LEVEL], control[ON_NEXT] = control[ON_NEXT], 0
                control[ROOM] = control[WIDTH]
            f = level[0][0]
            taken = pop(level, control[ON_LEVEL])
            control[ON_LEVEL] -= 1
            if marks[taken] != OPEN:
                continue
            marks[taken] = CLOSED
            control[WAITING] -= 1
            if f >= best:
                control[PRUNED] += 1
                continue
            control[TAKEN] = taken
            if is_goal(me, load(rows, taken)):
                control[PEAK] = max(control[PEAK], control[WAITING])
                bounds[BEST] = as_total(costs[taken])
                return BETTER
            if control[ROOM] == 0:
                marks[taken] = OUTSIDE
                control[PRUNED] += 1
                bounds[LOWEST_OUTSIDE] = min(bounds[LOWEST_OUTSIDE], f)
                continue
            control[PEAK] = max(control[PEAK], control[WAITING])
            control[ROOM] -= 1
            control[PENDING] = 1
        if control[EXPANDED] >= until:
            return STOPPED
        if control[NODES] + MAX_ACTIONS > len(costs):
            return FULL
        control[PENDING] = 0
        control[EXPANDED] += 1
        place = control[TAKEN]
        state = load(rows, place)
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
            total = total_of(g + cost, h)
            slot = find(rows, table, child)
            twin = table[slot]
            is_known = twin != NONE and marks[twin] != OUTSIDE
            if is_hopeless(h):
                control[PRUNED] += 1
                control[DEAD_ENDS] += 1
            elif is_known and g + cost >= costs[twin]:
                control[DUPLICATES] += 1
            elif total >= best:
                control[PRUNED] += 1
            else:
                if is_known:
                    control[DUPLICATES] += 1
                    if marks[twin] == OPEN:
                        marks[twin] = CLOSED
                        control[WAITING] -= 1
                    else:
                        control[REOPENED] += 1
                if falls_to(f, total):
                    note_fall(falls, state, g, child, g + cost)
                made = control[NODES]
                table[slot] = made
                store(rows, made, child)
                costs[made], parents[made], actions[made], marks[made] = g + cost, place, action, OPEN
                control[NODES] += 1
                control[WAITING] += 1
                push(following, control[ON_NEXT], total, as_total(h), made)
                control[ON_NEXT] += 1
    return ROUND_OVER
