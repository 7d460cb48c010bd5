"""The children of a node, made before any of them is looked up: meanwhile, what the look-ups need is fetched from memory.

They wait behind the last node, in the rows that nodes take next. A child that becomes a node takes a row that is its own or
one before, so no waiting child is overwritten.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bestfirst.compiled.compiler.intrinsics import prefetch
from bestfirst.compiled.kernels.slices import is_sound
from bestfirst.compiled.store.levels import word
from bestfirst.compiled.store.state_table import first_slot
from bestfirst.compiled.store.totals import as_total, can_pay, is_hopeless, total_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        HAS_WINDOWS,
        LEGAL_FIRST,
        estimate,
        fetch_identity,
        max_actions,
        next_action,
        prepared_for,
        step_with,
        store,
    )
    from bestfirst.compiled.store.aliases import Array, Arrays, Int, Nodes, Number, Search, Self, State, Table, Total

BAD = -1
"""Instead of a number of children: a cost or an estimate is invalid."""


def make_children(
    me: Self,
    search: Search,
    counts: Search,
    nodes: Nodes,
    table: Table,
    estimates: Array,
    slots: Array,
    before: Int,
    state: State,
    g: Number,
    best: Total,
    window: Arrays,
) -> Int:
    """Make the children whose f is below the best cost; returns their number, or BAD. estimates: takes their h. slots: takes
    the slots of the table in which the search for them begins.

    counts: the record that counts them. before: the number of children of other nodes that were made before, and are kept.
    The nodes must have room for all of them. window: see anytime_beam.py; not read unless the search may be that of a window.
    """
    rows, costs, _parents, actions = nodes
    made = 0
    pair = prepared_for(me, state)
    following = next_action(me, state, pair, -1)
    while following < max_actions(me):
        action = following
        following = next_action(me, state, pair, action)
        legal, child, cost = step_with(me, state, action, pair)
        if not legal:
            if LEGAL_FIRST:
                break
            continue
        if HAS_WINDOWS and window[1][action]:
            if not can_pay(g, cost):
                return BAD
            continue
        h = estimate(me, child)
        if not is_sound(g, cost, h):
            return BAD
        counts.generated += 1
        if is_hopeless(h):
            counts.pruned += 1
            counts.dead_ends += 1
            continue
        if total_of(g + cost, h) >= best or (HAS_WINDOWS and as_total(g + cost) >= search.limit):
            counts.pruned += 1
            continue
        slot = first_slot(table, child)
        prefetch(table, word(slot))
        place, number = word(search.nodes + before + made), word(before + made)
        store(rows, place, child)
        costs[place], actions[place], estimates[number], slots[number] = g + cost, action, h, slot
        made += 1
    return made


def fetch_twins(nodes: Nodes, table: Table, slots: Array, made: Int) -> None:
    """Begin to fetch the nodes that the table has for these children."""
    rows, costs, _parents, _actions = nodes
    for number in range(made):
        twin = table[word(slots[word(number)])]
        if twin >= 0:
            fetch_identity(rows, twin)
            prefetch(costs, word(twin))


PARTS = (make_children, fetch_twins)
