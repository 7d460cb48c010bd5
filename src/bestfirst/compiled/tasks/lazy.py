"""Lazy best-first search of tasks, compiled: the twin of search/lazy.py.

A child is an entry: the number of its parent, and an operator. Only in its turn its state is made, compared and evaluated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.kernels.slices import COSTLY, EXHAUSTED, FOUND, FULL, STOPPED
from bestfirst.compiled.tasks import nodes as store
from bestfirst.compiled.tasks import tables, two_queues
from bestfirst.compiled.tasks.evaluation import DEAD_END
from bestfirst.compiled.tasks.nodes import G_SHIFT, LOW, MOST_G, NUMBER, add_node, costs_of, fill_table, find, hash_of, put
from bestfirst.compiled.tasks.start import NOT_MADE, estimate_start
from bestfirst.compiled.tasks.tables import applicable, hold, make_child, unpack
from bestfirst.compiled.tasks.two_queues import fits, mark, note, push_number, take

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Arrays, Int, Nodes, OpenList, Order, Search, Searches, Table
    from bestfirst.compiled.tasks.names import evaluate

OWN_FIELDS = (
    *two_queues.FIELDS,
    "nodes",  # the number of evaluated nodes, and how many there is room for
    "capacity",
    "entries",  # the number of entries
    "pending",  # the node to be expanded next; NONE: that of the next turn
    "place",  # the goal found
    "best",  # the cost of the best solution, or the one to beat
    "prefers",  # whether the heuristic has preferred operators, which are used
    "reopens",  # as in search/lazy.py
    "is_bound",
)
NONE, TOO_COSTLY = -1, -2
BEYOND = 1 << 62
"""The cost to be beaten if there is none."""


def reached(search: Search, task: Arrays, nodes: Nodes, table: Table, entries: Arrays, entry: Int, room: Arrays) -> Int:
    """Make the node of an entry; NONE if it costs too much or its state is known; TOO_COSTLY if its cost cannot be stored."""
    _fields, _tree, patch_ends, patches, _change_ends, _changes, conditions, costs, _goal = task
    rows, words = nodes[0], room[3]
    width = len(words)
    parent, operator = np.int64(entries[0][entry]), np.int64(entries[1][entry])
    at, g = parent * (width + 1), np.int64(0)
    if parent != NONE:
        g = (rows[at + width] >> G_SHIFT) + costs[operator]
    if g >= search.best:
        return NONE
    if g > MOST_G:
        return TOO_COSTLY
    if parent != NONE:  # the words of the start are there already
        make_child(rows, at, words, 0, width, operator, (patch_ends, patches, conditions))
    mixed = hash_of(words, 0, width)
    slot = find(rows, width, table, mixed, words, 0)
    known = table[slot]
    if known != 0:
        known_g = rows[((known & NUMBER) - 1) * (width + 1) + width] >> G_SHIFT
        if g >= known_g or search.reopens == 0:
            return NONE
    put(table, slot, mixed, search.nodes)
    return add_node(search, nodes, width, words, 0, costs_of(g, 0, 0), parent, operator)


def lazy_slice(
    searches: Searches,
    task: Arrays,
    nodes: Nodes,
    table: Table,
    entries: Arrays,
    heaps: tuple[OpenList, OpenList],
    order: Order,
    evaluation: Arrays,
    room: Arrays,
    budget: int,
) -> int:
    """Search for at most `budget` expansions; return how it ended.

    task: TaskTables.arrays. entries: parents, operators, and whether they wait. heaps, order: see store/heap.py.
    evaluation: the tables of the heuristic, and its scratch. room: see new_room().
    """
    search = searches[0]
    until = search.expanded + budget
    rows = nodes[0]
    values, found, waiting, words, marks, names = room
    heuristic, scratch = evaluation
    width = len(words)
    if search.start == NOT_MADE:
        estimate_start(search, words, task[0], values, evaluation)
        return STOPPED
    if search.table_is_new:
        fill_table(rows, width, table, search.nodes)
        search.table_is_new = 0
    while search.open > 0 or search.pending != NONE:
        if search.pending == NONE:
            if search.nodes == search.capacity:
                return FULL
            place = reached(search, task, nodes, table, entries, take(search, heaps, entries[2]), room)
            if place == TOO_COSTLY:
                return COSTLY
            if place == NONE:
                search.pruned += 1
                continue
            unpack(words, 0, task[0], values)
            h = evaluate(values, heuristic, scratch)
            at = place * (width + 1) + width
            rows[at] |= h
            g = rows[at] >> G_SHIFT
            if h == DEAD_END or (search.is_bound and g + h >= search.best):
                search.pruned += 1
                search.dead_ends += h == DEAD_END
                continue
            search.peak = max(search.peak, search.open)
            if hold(words, 0, task[6], task[8][0], task[8][1]):
                search.place, search.best = place, g
                return FOUND
            note(search, h)
            search.pending = place
        if search.expanded >= until:
            return STOPPED
        place = search.pending
        count = applicable(rows, place * (width + 1), task[1], found, waiting)
        if search.entries + count > len(entries[0]) or not fits(heaps, order, count):
            return FULL
        search.pending = NONE
        search.expanded += 1
        search.generated += count
        if search.prefers:
            mark(names, scratch[0], marks, search.expanded)
        at = place * (width + 1) + width
        g, h = rows[at] >> G_SHIFT, rows[at] & LOW
        for number in range(count):
            operator = found[number]
            child_g = g + task[7][operator]
            if child_g > MOST_G and MOST_G + 1 < search.best < BEYOND:
                return COSTLY  # nobody knows by how much: the costs of operators are cut off
            if child_g >= search.best:
                search.pruned += 1
                continue
            entry = search.entries
            search.entries += 1
            entries[0][entry], entries[1][entry] = place, operator
            push_number(search, heaps, entries[2], order, entry, child_g, h, marks[names[operator]] == search.expanded)
    return EXHAUSTED


PARTS = (*tables.PARTS, *store.PARTS, *two_queues.PARTS, reached)
