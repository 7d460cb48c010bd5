"""Beam search, compiled: the twin of search/beam.py.

The children of a level are sorted; the first `width` of them are the next level.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bestfirst.compiled.kernels.slices import EXHAUSTED, FAULTY, FOUND, FULL, STOPPED, is_sound
from bestfirst.compiled.store.inconsistent_edges import falls_to, note_fall
from bestfirst.compiled.store.levels import append, entered_in, leave_level, left_in, next_in, turn
from bestfirst.compiled.store.nodes import add_node, enter_nodes
from bestfirst.compiled.store.state_table import NONE, find
from bestfirst.compiled.store.totals import as_total, is_hopeless, total_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        LEGAL_FIRST,
        as_self,
        estimate,
        is_goal,
        load,
        max_actions,
        next_action,
        prepared_for,
        step_with,
    )
    from bestfirst.compiled.store.aliases import Arrays, Levels, Nodes, Search, Searches, Self, Table

OWN_FIELDS = (
    "width",  # of the beam
    "nodes",  # the number of nodes
    "level",  # of the nodes on the level
    "done",  # of those among them that have been expanded
    "outside",  # of the nodes outside the beam
    "place",  # the last selected node
)
MOST_NODES = 2**31 - 1


def next_level(search: Search, levels: Levels) -> None:
    """Make the best nodes of the next level the level; the others are outside the beam."""
    turn(levels)
    search.level = min(search.width, left_in(levels))
    search.done = 0
    search.outside += left_in(levels) - search.level
    search.pruned += left_in(levels) - search.level


def beam_slice(data: Self, searches: Searches, nodes: Nodes, table: Table, levels: Levels, edge: Arrays, budget: int) -> int:
    """Search for at most `budget` expansions; return how it ended.

    nodes: see Nodes. table: see state_table.py. levels: see levels.py; nodes outside the beam stay there
    to the end of the level. edge: the first inconsistent edge.
    """
    me = as_self(data)
    search = searches[0]
    rows, costs, _parents, _actions = nodes
    until = search.expanded + budget
    enter_nodes(search, nodes, table)
    while True:
        if search.done == search.level:
            next_level(search, levels)
            if search.level == 0:
                return EXHAUSTED
        place = next_in(levels)
        search.place = place
        search.peak = max(search.peak, search.level - search.done - 1 + entered_in(levels))
        state = load(rows, place)
        if is_goal(me, state):
            return FOUND
        if search.expanded >= until:
            return STOPPED
        if search.nodes + max_actions(me) > len(costs):
            return FULL
        leave_level(levels)
        search.done += 1
        search.expanded += 1
        g = costs[place]
        f = total_of(g, estimate(me, state))
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
            h = estimate(me, child)
            if not is_sound(g, cost, h):
                return FAULTY
            search.generated += 1
            slot = find(rows, table, child)
            if table[slot] != NONE:
                search.duplicates += 1
                continue
            made = add_node(search, nodes, table, slot, child, g + cost, place, action)
            if is_hopeless(h):
                search.pruned += 1
                search.dead_ends += 1
                continue
            if falls_to(f, total_of(g + cost, h)):
                note_fall(search, edge, state, g, child, g + cost)
            append(levels, as_total(h), as_total(0), made)
