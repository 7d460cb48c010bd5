"""Greedy search of a task with preferred operators, compiled: the twin of search/greedy.py with preferred=True."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bestfirst.compiled.kernels.slices import EXHAUSTED, FOUND, NO_ROOM, STOPPED
from bestfirst.compiled.tasks.evaluation import DEAD_END
from bestfirst.compiled.tasks.two_queues import fits, mark, note, put, take
from bestfirst.compiled.tasks.unpacked import COSTS, EMPTY, NAMES, applicable, apply, enter_states, is_goal_state, pack, slot_of, unpack

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Arrays, OpenList, Order, Searches, Table
    from bestfirst.compiled.tasks.names import evaluate

OWN_FIELDS = (
    "nodes",  # the number of nodes
    "pending",  # the node to be expanded next; NONE: that of the next turn
    "place",  # the goal found
    "best",  # as in lazy.py, unused
)
NONE = -1


def preferring_greedy_slice(
    searches: Searches,
    rules: Arrays,
    tables: Arrays,
    scratch: Arrays,
    nodes: Arrays,
    table: Table,
    heaps: tuple[OpenList, OpenList],
    order: Order,
    space: Arrays,
    budget: int,
) -> int:
    """Search for at most `budget` expansions; return how it ended.

    nodes: words of states, g, parents, operators, estimates, and whether they wait. The other arguments are those of lazy.py.
    """
    search = searches[0]
    until = search.expanded + budget
    words, costs, parents, actions, estimates, waits = nodes
    values, following, waiting, operators, marks = space
    if search.table_is_new:
        enter_states(rules, words, search.nodes, table)
        search.table_is_new = 0
    while search.open > 0 or search.pending != NONE:
        place = search.pending
        if place == NONE:
            place = take(search, heaps, waits)
            search.peak = max(search.peak, search.open)
            search.pending = place
        unpack(rules, words, place, values)
        if is_goal_state(rules, values):
            search.place = place
            return FOUND
        if search.expanded >= until:
            return STOPPED
        children = applicable(rules, values, waiting, operators)
        if search.nodes + children >= len(costs) or not fits(heaps, order, children):
            return NO_ROOM
        search.pending = NONE
        search.expanded += 1
        search.generated += children
        evaluate(values, tables, scratch)
        mark(rules[NAMES], scratch[0], marks, search.expanded)
        for number in range(children):
            operator, child = operators[number], search.nodes
            apply(rules, values, operator, following)
            pack(rules, following, words, child)
            slot = slot_of(rules, words, child, table)
            if table[slot] != EMPTY:
                search.duplicates += 1
                continue
            h = evaluate(following, tables, scratch)
            if h == DEAD_END:
                search.pruned += 1
                search.dead_ends += 1
                continue
            table[slot] = child
            costs[child], parents[child], actions[child] = costs[place] + rules[COSTS][operator], place, operator
            estimates[child] = h
            search.nodes += 1
            put(search, heaps, waits, order, child, costs[child], h, marks[rules[NAMES][operator]] == search.expanded)
            note(search, h)
    return EXHAUSTED


PARTS = ()
