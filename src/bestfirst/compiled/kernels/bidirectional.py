"""Bidirectional A* (NBS), compiled: the twin of search/bidirectional.py.

The two sides are two domains with the same methods and different data, so the same compiled code expands on both. A
superseded node stays on its heap with a mark, and is skipped when popped.
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
from bestfirst.compiled.store.totals import as_total, is_hopeless, no_total, total_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import CHEAPEST_ACTION, LEGAL_FIRST, as_self, estimate, load, step, store

FORWARD, BACKWARD = range(2)

# Further indices of the control array: the number of nodes, and of open nodes; the side whose turn it is; the last selected
# node, and its next step; the next action of its unfinished expansion; the two nodes at which the sides met last;
# and the side of the first inconsistent edge.
NODES, OPEN, TURN, TAKEN, PENDING, ACTION, START, END, FALL_SIDE = range(OWN, OWN + 9)

# For each side, at offset FORWARD or BACKWARD: the entries on its heaps, the number of nodes that were ever ready, its
# actions.
ON_WAITING, ON_READY, READIED, ACTIONS = range(FALL_SIDE + 1, FALL_SIDE + 9, 2)
CONTROLS = FALL_SIDE + 9

# The next step of the last selected node: none; expand it; continue its expansion.
DONE, TO_EXPAND, EXPANDING = range(3)

# The totals: the lower bound, and that of the best path on which the sides have met.
BOUND, BEST = range(2)

# Further ends of a slice.
BETTER, EXHAUSTED = range(WAYS, WAYS + 2)

# The marks of nodes.
CLOSED, WAITING, READY = range(3)


def lowest(heap: Any, entries: Any, marks: Any, mark: Any, control: Any) -> Any:
    """The first key of a heap after popping entries without the mark; infinite if it is empty. entries: their index in
    control."""
    firsts, _seconds, places = heap
    while control[entries] > 0 and marks[places[0]] != mark:
        pop(heap, control[entries])
        control[entries] -= 1
    return firsts[0] if control[entries] > 0 else no_total()


def make_ready(waiting: Any, ready: Any, side: Any, costs: Any, marks: Any, control: Any) -> None:
    """Move the first waiting node, which `lowest` has found, to the ready nodes: by g, first in, first out."""
    place = pop(waiting, control[ON_WAITING + side])
    control[ON_WAITING + side] -= 1
    marks[place] = READY
    push(ready, control[ON_READY + side], as_total(costs[place]), as_total(control[READIED + side]), place)
    control[ON_READY + side] += 1
    control[READIED + side] += 1


def prepare(waiting: Any, ready: Any, costs: Any, marks: Any, control: Any, bound: Any) -> Any:
    """Raise the bound until a pair of ready nodes has it; infinite if one side has no open node left."""
    for side in range(2):
        while lowest(waiting[side], ON_WAITING + side, marks, WAITING, control) < bound:
            make_ready(waiting[side], ready[side], side, costs, marks, control)
    while True:
        forward_f = lowest(waiting[FORWARD], ON_WAITING + FORWARD, marks, WAITING, control)
        backward_f = lowest(waiting[BACKWARD], ON_WAITING + BACKWARD, marks, WAITING, control)
        forward_g = lowest(ready[FORWARD], ON_READY + FORWARD, marks, READY, control)
        backward_g = lowest(ready[BACKWARD], ON_READY + BACKWARD, marks, READY, control)
        if min(forward_f, forward_g) == no_total() or min(backward_f, backward_g) == no_total():
            return no_total()
        pair = no_total()
        if forward_g < no_total() and backward_g < no_total():
            pair = forward_g + backward_g + as_total(CHEAPEST_ACTION)
        if pair <= bound:
            return bound
        if forward_f <= bound:
            make_ready(waiting[FORWARD], ready[FORWARD], FORWARD, costs, marks, control)
        elif backward_f <= bound:
            make_ready(waiting[BACKWARD], ready[BACKWARD], BACKWARD, costs, marks, control)
        else:
            bound = min(forward_f, backward_f, pair)


def nbs_slice(
    data: Any,
    nodes: Any,
    sides: Any,
    marks: Any,
    tables: Any,
    waiting: Any,
    ready: Any,
    falls: Any,
    control: Any,
    bounds: Any,
    budget: int,
) -> int:
    """Search for at most `budget` expansions, or to a better path; return how it ended.

    nodes: of both sides, see Nodes. sides, marks: of the nodes. For each side: data: of its domain; tables: see
    state_table.py;
    waiting, ready: the heaps of the waiting nodes, by f, and of the ready ones, by g.
    """
    rows, costs, parents, actions = nodes
    until = control[EXPANDED] + budget
    if control[FRESH]:
        for place in range(control[NODES]):
            table = tables[sides[place]]
            table[find(rows, table, load(rows, place))] = place
        control[FRESH] = 0
    while control[PENDING] == EXPANDING or bounds[BOUND] < bounds[BEST]:
        side = control[TURN]
        if control[PENDING] == DONE:
            if side == FORWARD:
                bounds[BOUND] = prepare(waiting, ready, costs, marks, control, bounds[BOUND])
                if bounds[BOUND] >= bounds[BEST]:
                    break
            control[TAKEN] = pop(ready[side], control[ON_READY + side])
            control[ON_READY + side] -= 1
            marks[control[TAKEN]] = CLOSED
            control[OPEN] -= 1
            control[PEAK] = max(control[PEAK], control[OPEN])
            control[PENDING] = TO_EXPAND
        if control[PENDING] == TO_EXPAND:
            if control[EXPANDED] >= until:
                return STOPPED
            if control[NODES] + control[ACTIONS + side] > len(costs):
                return FULL
            control[EXPANDED] += 1
            control[ACTION] = 0
            control[PENDING] = EXPANDING
        table, other_table = tables[side], tables[BACKWARD - side]
        me = as_self(data[side])
        place = control[TAKEN]
        state = load(rows, place)
        g = costs[place]
        f = total_of(g, estimate(me, state))
        for action in range(control[ACTION], control[ACTIONS + side]):
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
            if is_hopeless(h):
                control[PRUNED] += 1
                control[DEAD_ENDS] += 1
                continue
            if twin != NONE and g + cost >= costs[twin]:
                control[DUPLICATES] += 1
                continue
            if total >= bounds[BEST]:
                control[PRUNED] += 1
                continue
            if twin != NONE:
                control[DUPLICATES] += 1
                if marks[twin] == CLOSED:
                    control[REOPENED] += 1
                else:
                    marks[twin] = CLOSED
                    control[OPEN] -= 1
            if falls_to(f, total):
                if falls[2][0] == 0:
                    control[FALL_SIDE] = side
                note_fall(falls, state, g, child, g + cost)
            made = control[NODES]
            table[slot] = made
            store(rows, made, child)
            costs[made], parents[made], actions[made] = g + cost, place, action
            sides[made], marks[made] = side, WAITING
            control[NODES] += 1
            control[OPEN] += 1
            push(waiting[side], control[ON_WAITING + side], total, as_total(h), made)
            control[ON_WAITING + side] += 1
            meeting = other_table[find(rows, other_table, child)]
            if meeting != NONE and total_of(g + cost, costs[meeting]) < bounds[BEST]:
                bounds[BEST] = total_of(g + cost, costs[meeting])
                control[PEAK] = max(control[PEAK], control[OPEN])
                control[START], control[END] = (made, meeting) if side == FORWARD else (meeting, made)
                control[ACTION] = action + 1
                return BETTER
        control[PENDING] = DONE
        control[TURN] = BACKWARD - side
    control[PEAK] = max(control[PEAK], control[OPEN])
    return EXHAUSTED
