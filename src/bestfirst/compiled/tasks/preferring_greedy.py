"""Greedy search of tasks with preferred operators, compiled: the twin of search/greedy.py with preferred=True."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bestfirst.compiled.kernels.slices import COSTLY, EXHAUSTED, FOUND, FULL, STOPPED
from bestfirst.compiled.tasks import nodes as store
from bestfirst.compiled.tasks import tables, two_queues
from bestfirst.compiled.tasks.evaluation import DEAD_END
from bestfirst.compiled.tasks.nodes import G_SHIFT, LOW, MOST_G, NUMBER, add_node, costs_of, fill_table, find, hash_of, put
from bestfirst.compiled.tasks.start import NOT_MADE, estimate_start
from bestfirst.compiled.tasks.tables import applicable, hold, make_child, unpack
from bestfirst.compiled.tasks.two_queues import fits, mark, note, push_number, take

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Arrays, Nodes, OpenList, Order, Searches, Table
    from bestfirst.compiled.tasks.names import evaluate

OWN_FIELDS = (
    *two_queues.FIELDS,
    "nodes",  # the number of nodes, and how many there is room for
    "capacity",
    "pending",  # the node to be expanded next; NONE: that of the next turn
    "place",  # the goal found
)
NONE = -1


def preferring_greedy_slice(
    searches: Searches,
    task: Arrays,
    nodes: Nodes,
    table: Table,
    heaps: tuple[OpenList, OpenList],
    order: Order,
    evaluation: Arrays,
    room: Arrays,
    budget: int,
) -> int:
    """Search for at most `budget` expansions; return how it ended.

    nodes: see nodes.py; the last array says which nodes wait. The other arguments are those of lazy.py.
    """
    search = searches[0]
    until = search.expanded + budget
    rows, _parents, _operators, waits = nodes
    fields, tree, patch_ends, patches, _change_ends, _changes, conditions, costs, goal = task
    values, found, waiting, words, marks, names = room
    heuristic, scratch = evaluation
    width = len(words)
    if search.start == NOT_MADE:
        estimate_start(search, words, fields, values, evaluation)
        return STOPPED
    if search.table_is_new:
        fill_table(rows, width, table, search.nodes)
        search.table_is_new = 0
    while search.open > 0 or search.pending != NONE:
        if search.pending == NONE:
            search.pending = take(search, heaps, waits)
            search.peak = max(search.peak, search.open)
        place = search.pending
        at = place * (width + 1)
        if hold(rows, at, conditions, goal[0], goal[1]):
            search.place = place
            return FOUND
        if search.expanded >= until:
            return STOPPED
        count = applicable(rows, at, tree, found, waiting)
        if search.nodes + count > search.capacity or not fits(heaps, order, count):
            return FULL
        search.pending = NONE
        search.expanded += 1
        search.generated += count
        unpack(rows, at, fields, values)
        evaluate(values, heuristic, scratch)
        mark(names, scratch[0], marks, search.expanded)
        for number in range(count):
            operator = found[number]
            g = (rows[at + width] >> G_SHIFT) + costs[operator]
            if g > MOST_G:
                return COSTLY
            make_child(rows, at, words, 0, width, operator, (patch_ends, patches, conditions))
            mixed = hash_of(words, 0, width)
            slot = find(rows, width, table, mixed, words, 0)
            known = table[slot]
            if known != 0:
                is_dead_end = rows[((known & NUMBER) - 1) * (width + 1) + width] & LOW == DEAD_END
                search.duplicates += not is_dead_end
                search.pruned += is_dead_end
                search.dead_ends += is_dead_end
                continue
            unpack(words, 0, fields, values)
            h = evaluate(values, heuristic, scratch)
            put(table, slot, mixed, search.nodes)
            child = add_node(search, nodes, width, words, 0, costs_of(g, h, 0), place, operator)
            if h == DEAD_END:
                search.pruned += 1
                search.dead_ends += 1
                continue
            push_number(search, heaps, waits, order, child, g, h, marks[names[operator]] == search.expanded)
            note(search, h)
    return EXHAUSTED


PARTS = (*tables.PARTS, *store.PARTS, *two_queues.PARTS)
