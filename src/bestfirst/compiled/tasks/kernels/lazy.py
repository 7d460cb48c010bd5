"""Lazy best-first search of a task, compiled: the twin of search/lazy.py.

A child is an entry: the index of its parent, and an operator. Only in its turn a state is made, compared and evaluated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bestfirst.compiled.kernels.slices import EXHAUSTED, FOUND, FULL, NO_ROOM, STOPPED
from bestfirst.compiled.tasks.evaluation import DEAD_END
from bestfirst.compiled.tasks.two_queues import fits, mark, note, put, take
from bestfirst.compiled.tasks.unpacked import COSTS, EMPTY, NAMES, applicable, apply, enter_states, is_goal_state, pack, slot_of, unpack

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, Int, Number, OpenList, Order, Search, Searches, Table
    from bestfirst.compiled.tasks.names import PREFERS, evaluate

OWN_FIELDS = (
    "nodes",  # the number of evaluated nodes, and of entries
    "entries",
    "pending",  # the node to be expanded next; NONE: that of the next turn
    "place",  # the goal found
    "best",  # the cost of the best solution
    "reopens",  # as in search/lazy.py
    "is_bound",
)
NONE = -1


def reached(search: Search, rules: Arrays, nodes: Arrays, table: Table, entries: Arrays, entry: Int, space: Arrays) -> Int:
    """Make the node of an entry, unless it costs too much or its state is known; returns its index, or NONE."""
    words, costs, parents, operators = nodes
    values, following, _waiting, _applicable, _marks = space
    parent, operator = entries[0][entry], entries[1][entry]
    place = search.nodes
    g = 0
    if parent == NONE:  # the root is the first node
        unpack(rules, words, 0, following)
    else:
        g = costs[parent] + rules[COSTS][operator]
    if g >= search.best:
        return NONE
    if parent != NONE:
        unpack(rules, words, parent, values)
        apply(rules, values, operator, following)
        pack(rules, following, words, place)
    slot = slot_of(rules, words, place, table)
    known = table[slot]
    if known != EMPTY and (g >= costs[known] or search.reopens == 0):
        return NONE
    table[slot] = place
    costs[place], parents[place], operators[place] = g, parent, operator
    search.nodes += 1
    return place


def lazy_slice(
    searches: Searches,
    rules: Arrays,
    tables: Arrays,
    scratch: Arrays,
    nodes: Arrays,
    table: Table,
    entries: Arrays,
    heaps: tuple[OpenList, OpenList],
    order: Order,
    space: Arrays,
    budget: int,
) -> int:
    """Search for at most `budget` expansions; return how it ended.

    rules: the task. tables, scratch: of the heuristic. nodes: words of states, g, parents, operators, estimates. entries:
    parents, operators, and whether they wait. space: arrays for values, operators and marks.
    """
    search = searches[0]
    until = search.expanded + budget
    values, following, waiting, operators, marks = space
    estimates = nodes[4]
    if search.table_is_new:
        enter_states(rules, nodes[0], search.nodes, table)
        search.table_is_new = 0
    while search.open > 0 or search.pending != NONE:
        place = search.pending
        if place == NONE:
            if search.nodes == len(estimates):
                return FULL
            place = reached(search, rules, nodes[:4], table, entries, take(search, heaps, entries[2]), space)
            if place == NONE:
                search.pruned += 1
                continue
            h = evaluate(following, tables, scratch)
            estimates[place] = h
            if h == DEAD_END:
                search.pruned += 1
                search.dead_ends += 1
                continue
            if search.is_bound and nodes[1][place] + h >= search.best:
                search.pruned += 1
                continue
            search.peak = max(search.peak, search.open)
            if is_goal_state(rules, following):
                search.place, search.best = place, nodes[1][place]
                return FOUND
            note(search, h)
            search.pending = place
        if search.expanded >= until:
            return STOPPED
        unpack(rules, nodes[0], place, values)
        children = applicable(rules, values, waiting, operators)
        if search.entries + children > len(entries[0]) or not fits(heaps, order, children):
            return NO_ROOM
        search.pending = NONE
        search.expanded += 1
        search.generated += children
        if PREFERS:
            mark(rules[NAMES], scratch[0], marks, search.expanded)
        g, h = nodes[1][place], estimates[place]
        for number in range(children):
            operator = operators[number]
            child_g = g + rules[COSTS][operator]
            if child_g >= search.best:
                search.pruned += 1
                continue
            entry = search.entries
            search.entries += 1
            entries[0][entry], entries[1][entry] = place, operator
            put(search, heaps, entries[2], order, entry, child_g, h, marks[rules[NAMES][operator]] == search.expanded)
    return EXHAUSTED


PARTS = (reached,)
