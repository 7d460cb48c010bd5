"""The nodes of a saved search, recreated by the actions that led to them: the kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bestfirst.compiled.kernels.slices import is_sound

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import as_self, estimate, load, step, store
    from bestfirst.compiled.store.aliases import Array, Nodes, Self

MOST_NODES = 2**31 - 2


def replay_nodes(
    data: Self, nodes: Nodes, estimates: Array, depths: Array, sides: Array, side: int, start: int, size: int
) -> int:
    """Compute the states, the costs and the estimates of the nodes of a side; returns the first impossible node, or -1.

    nodes: see Nodes. depths: the numbers of actions that led to them.
    """
    me = as_self(data)
    rows, costs, parents, actions = nodes
    for place in range(start, size):
        if sides[place] != side:
            continue
        before = parents[place]
        g = costs[before]
        legal, child, cost = step(me, load(rows, before), actions[place])
        if not legal:
            return place
        h = estimate(me, child)
        if not is_sound(g, cost, h):
            return place
        store(rows, place, child)
        costs[place], estimates[place], depths[place] = g + cost, h, depths[before] + 1
    return -1
