"""Fronts: the records of states that differ in their resources only, in a chain from the one that the table finds.

The parts of kernels here do what Fronts of search/dominance.py does. `rival` of a record is the index + 1 of the next one of
its chain, 0 at the end, and its own index + 1 once it is out of the chain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bestfirst.compiled.compiler.intrinsics import prefetch
from bestfirst.compiled.store.open_list import is_waiting, leave
from bestfirst.compiled.store.table import BATCH, find, first_slot, key_of, place_in, put

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import fetch, g_of, is_as_good, rival_of, set_rival, state_of
    from bestfirst.compiled.store.aliases import Flag, Int, Nodes, Number, Search, Self, State, Table

RECORD_FIELDS = {"rival": 31}
NONE = -1


def compared(nodes: Nodes, first: Int, state: State, g: Number, compares_costs: Flag) -> tuple[Int, Flag]:
    """The node with a state in the chain from a first node, or NONE; and whether a node of the chain dominates a new one."""
    twin, is_dominated = NONE, False
    place = first
    while place != NONE:
        other = state_of(nodes, place)
        if is_as_good(other, state):
            if other == state:
                twin = place
            if not compares_costs or g_of(nodes, place) <= g:
                is_dominated = True
        place = rival_of(nodes, place) - 1
    return twin, is_dominated


def without_dominated(search: Search, nodes: Nodes, first: Int, state: State, g: Number, compares_costs: Flag) -> Int:
    """Take the nodes that a new one dominates out of the chain, and off the agenda; returns the first of the chain, or NONE."""
    last, place = NONE, first
    while place != NONE:
        following = rival_of(nodes, place) - 1
        if compares_costs and g <= g_of(nodes, place) and is_as_good(state, state_of(nodes, place)):
            set_rival(nodes, place, place + 1)
            if is_waiting(nodes, place):
                leave(nodes, place)
                search.open -= 1
                search.pruned += 1
        else:
            if last == NONE:
                first = place
            else:
                set_rival(nodes, last, place + 1)
            last = place
        place = following
    if last == NONE:
        return NONE
    set_rival(nodes, last, 0)
    return first


def fill_fronts(me: Self, nodes: Nodes, table: Table, size: int) -> None:
    """Enter the nodes, except those that are out of their chains, into an empty table."""
    for place in range(size):
        if place + BATCH < size:
            prefetch(table, first_slot(table, key_of(me, table, state_of(nodes, place + BATCH))))
        if place + BATCH // 2 < size:
            fetch(nodes, place_in(table, first_slot(table, key_of(me, table, state_of(nodes, place + BATCH // 2)))))
        if rival_of(nodes, place) != place + 1:
            state = state_of(nodes, place)
            key = key_of(me, table, state)
            slot = find(nodes, table, key, state)
            set_rival(nodes, place, place_in(table, slot) + 1)
            put(table, slot, key, place)


PARTS = (compared, without_dominated, fill_fronts)
