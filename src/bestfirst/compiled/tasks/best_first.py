"""Best-first search of tasks, compiled: the twin of search/best_first.py.

The children of a node are made in batches: first the states and their hashes, whose slots in the table are fetched; then the
nodes in these slots are fetched; then each child is looked up. A memory access takes as long as making several children.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.intrinsics import prefetch
from bestfirst.compiled.kernels.slices import COSTLY, EXHAUSTED, FOUND, FULL, STOPPED
from bestfirst.compiled.tasks import nodes as store
from bestfirst.compiled.tasks import open_list, tables
from bestfirst.compiled.tasks.evaluation import DEAD_END
from bestfirst.compiled.tasks.nodes import (
    G_SHIFT,
    LOW,
    MOST_G,
    NUMBER,
    WAITING,
    add_node,
    costs_of,
    fill_table,
    find,
    hash_of,
    put,
)
from bestfirst.compiled.tasks.open_list import drop_first, enter, first_node, primary_key
from bestfirst.compiled.tasks.start import NOT_MADE, estimate_start
from bestfirst.compiled.tasks.tables import CHANGE, applicable, field_at, hold, make_child, unpack
from bestfirst.rounding import ROUNDED_DOWN

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, Int, Nodes, OpenList, Order, Search, Searches, Table
    from bestfirst.compiled.tasks.names import evaluate

OWN_FIELDS = (
    "nodes",  # the number of nodes, and how many there is room for
    "capacity",
    "open",  # the number of open nodes
    "buckets",  # of the agenda (open_list.py)
    "heap_size",
    "bucket_capacity",
    "place",  # the last selected node
    "unpacked",  # the node whose state is in `values`, or -1
    "fall_from",  # the first inconsistent edge
    "fall_to",
)
OWN_TOTALS = (
    "proved",  # the largest f
    "lowest",  # the lowest f on the agenda, except the goal's
)
OWN_REALS = (
    "bound",  # the largest g / weight + h, if the weight is not 1
    "weight",
)
BATCH = 32
"""Children that are made together."""
AHEAD = 3
"""Nodes that are fetched before their turn."""


def new_room(task: tables.TaskTables) -> Arrays:
    """Room for an expansion: (values, found, waiting, children, hashes)."""
    _fields, tree, patch_ends, *_others = task.arrays
    return (
        np.zeros(len(task.domains) + 1, np.int32),
        np.zeros(len(patch_ends), np.int64),
        np.zeros(len(tree) // 3 + 1, np.int64),
        np.zeros(BATCH * task.words, np.int64),
        np.zeros(BATCH, np.int64),
    )


def estimate_child(
    search: Search, task: Arrays, rows: Array, at: Int, values: Array, evaluation: Arrays, operator: Int
) -> Int:
    """The estimate of the child of the selected node by an operator. at: the place of the row of the node."""
    fields, _tree, _patch_ends, _patches, change_ends, changes, conditions, _costs, _goal = task
    if search.unpacked != search.place:
        unpack(rows, at, fields, values)
        search.unpacked = search.place
    first, end = change_ends[np.uint64(operator)], change_ends[np.uint64(operator + 1)]
    for number in range(first, end):
        place = np.uint64(number * CHANGE)
        if hold(rows, at, conditions, changes[place + np.uint64(2)], changes[place + np.uint64(3)]):
            values[np.uint64(changes[place])] = changes[place + np.uint64(1)]
    heuristic, scratch = evaluation
    h = evaluate(values, heuristic, scratch)
    for number in range(first, end):
        variable = changes[np.uint64(number * CHANGE)]
        values[np.uint64(variable)] = field_at(rows, at, fields, variable)
    return h


def make_batch(task: Arrays, nodes: Nodes, table: Table, room: Arrays, at: Int, width: Int, first: Int, size: Int) -> None:
    """Make the children by some of the operators found, and fetch what they will be compared with.

    at: the place of the row of their parent.
    """
    _fields, _tree, patch_ends, patches, _change_ends, _changes, conditions, _costs, _goal = task
    rows, _parents, _operators, _nexts = nodes
    _values, found, _waiting, children, hashes = room
    mask = len(table) - 1
    for number in range(size):
        operator = found[np.uint64(first + number)]
        make_child(rows, at, children, number * width, width, operator, (patch_ends, patches, conditions))
        mixed = hash_of(children, number * width, width)
        hashes[np.uint64(number)] = mixed
        prefetch(table, mixed & mask)
    for number in range(size):
        entry = table[np.uint64(hashes[np.uint64(number)] & mask)]
        if entry != 0:
            prefetch(rows, ((entry & NUMBER) - 1) * (width + 1))


def enter_batch(
    search: Search,
    task: Arrays,
    nodes: Nodes,
    table: Table,
    agenda: OpenList,
    evaluation: Arrays,
    room: Arrays,
    order: Order,
    first: Int,
    size: Int,
) -> bool:
    """Enter children of the selected node, which make_batch() made. False at one whose path costs too much."""
    rows, _parents, _operators, nexts = nodes
    values, found, _waiting, children, hashes = room
    width, reopen, end = order[4], order[5], order[6]
    parent = search.place
    at = parent * (width + 1)
    costs = rows[np.uint64(at + width)]
    g, f = costs >> G_SHIFT, (costs >> G_SHIFT) + (costs & LOW)
    for number in range(size):
        operator = found[np.uint64(first + number)]
        child_g = g + task[7][np.uint64(operator)]
        if child_g > MOST_G:
            return False
        search.generated += 1
        mixed = hashes[np.uint64(number)]
        slot = find(rows, width, table, mixed, children, number * width)
        entry = table[np.uint64(slot)]
        if entry == 0:
            h = estimate_child(search, task, rows, at, values, evaluation, operator)
        else:
            costs_at = np.uint64(((entry & NUMBER) - 1) * (width + 1) + width)
            known = rows[costs_at]
            h = known & LOW
            if h != DEAD_END:
                search.duplicates += 1
                if reopen == 0 or child_g >= known >> G_SHIFT:
                    continue
                if known & WAITING != 0:
                    rows[costs_at] = known & ~WAITING
                    search.open -= 1
                else:
                    search.reopened += 1
        if h == DEAD_END:
            search.pruned += 1
            search.dead_ends += 1
            if entry == 0:
                put(table, slot, mixed, search.nodes)
                add_node(search, nodes, width, children, number * width, costs_of(child_g, h, 0), parent, operator)
            continue
        put(table, slot, mixed, search.nodes)
        made = add_node(search, nodes, width, children, number * width, costs_of(child_g, h, WAITING), parent, operator)
        search.open += 1
        if child_g + h < f:
            if search.falls == 0:
                search.fall_from, search.fall_to = parent, made
            search.falls += 1
        enter(search, agenda, nexts, made, primary_key(order, search.weight, agenda, child_g, h), order[2] * h, end)
    return True


def next_waiting(search: Search, nodes: Nodes, agenda: OpenList, width: Int) -> Int:
    """The first node on the agenda that is still open; nodes after it are fetched."""
    rows, _parents, _operators, nexts = nodes
    while True:
        place = first_node(search, agenda)
        if rows[np.uint64(place * (width + 1) + width)] & WAITING != 0:
            break
        drop_first(agenda, nexts, place)
    later = place
    for _ in range(AHEAD):
        later = np.int64(nexts[np.uint64(later)])
        if later < 0:
            break
        prefetch(rows, later * (width + 1))
    return place


def lowest_total(search: Search, rows: Array, width: Int) -> Int:
    """The lowest f of the open nodes, except the selected one; DEAD_END + MOST_G if there is none."""
    lowest = np.int64(DEAD_END + MOST_G)
    for place in range(search.nodes):
        costs = rows[np.uint64(place * (width + 1) + width)]
        if place != search.place and costs & WAITING != 0:
            lowest = min(lowest, (costs >> G_SHIFT) + (costs & LOW))
    return lowest


def best_first_slice(
    searches: Searches,
    task: Arrays,
    nodes: Nodes,
    table: Table,
    agenda: OpenList,
    evaluation: Arrays,
    room: Arrays,
    order: Order,
    budget: int,
) -> int:
    """Search for at most `budget` expansions; return how it ended.

    task: TaskTables.arrays. evaluation: the tables of the heuristic, and its scratch. order: the factors of g and h in the
    first key, that of h in the second one, whether the first key is a float; the words of a state; whether a cheaper path to a
    known state replaces the old one; at which end of its bucket a node enters.
    """
    search = searches[0]
    rows, _parents, _operators, nexts = nodes
    values, found, waiting, _children, _hashes = room
    width = order[4]
    if search.start == NOT_MADE:
        estimate_start(search, rows, task[0], values, evaluation)
        return STOPPED
    until = search.expanded + budget
    if search.table_is_new:
        fill_table(rows, width, table, search.nodes)
        search.table_is_new = 0
    while search.open > 0:
        place = next_waiting(search, nodes, agenda, width)
        search.place = place
        search.peak = max(search.peak, search.open - 1)
        at = place * (width + 1)
        if hold(rows, at, task[6], task[8][0], task[8][1]):
            if search.weight > 1:
                search.lowest = lowest_total(search, rows, width)
            return FOUND
        costs = rows[np.uint64(at + width)]
        g, h = costs >> G_SHIFT, costs & LOW
        search.proved = max(search.proved, g + h)
        if search.weight != 1:
            search.bound = max(search.bound, (g / search.weight + h) * ROUNDED_DOWN)
        if search.expanded >= until:
            return STOPPED
        count = applicable(rows, at, task[1], found, waiting)
        if search.nodes + count > search.capacity or search.buckets + count > search.bucket_capacity:
            return FULL
        drop_first(agenda, nexts, place)
        rows[np.uint64(at + width)] = costs & ~WAITING
        search.open -= 1
        for first in range(0, count, BATCH):
            size = min(BATCH, count - first)
            make_batch(task, nodes, table, room, at, width, first, size)
            if not enter_batch(search, task, nodes, table, agenda, evaluation, room, order, first, size):
                return COSTLY
        search.expanded += 1
    return EXHAUSTED


PARTS = (
    *tables.PARTS,
    *store.PARTS,
    *open_list.PARTS,
    estimate_child,
    make_batch,
    enter_batch,
    next_waiting,
    lowest_total,
)
