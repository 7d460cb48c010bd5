"""The nodes of a saved search, recreated by the actions that led to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.specialise import specialise
from bestfirst.compiled.kernels.replayed_nodes import MOST_NODES, replay_nodes
from bestfirst.compiled.kernels.slices import is_sound
from bestfirst.compiled.store import totals
from bestfirst.compiled.store.nodes import Nodes
from bestfirst.compiled.store.saved_values import Saved, require
from bestfirst.compiled.store.state_table import NONE
from bestfirst.domain import Domain

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Method, NumberType, Self


class ReplayedNodes:
    """The nodes of a saved search, with their estimates and depths. The first nodes are the roots, one for each side."""

    def __init__(
        self,
        told: Saved,
        nodes: Nodes,
        domains: Sequence[Domain],
        estimate: Method,
        datas: Sequence[Self] | None = None,
    ) -> None:
        roots, size = len(domains), told.length("parents")
        require(roots <= size <= MOST_NODES, f"its number of nodes is {size}")
        parents = told.array("parents", np.int32, size, least=NONE)
        actions = told.array("actions", np.int32, size)
        sides = told.array("sides", np.int8, size, most=roots - 1) if roots > 1 else np.zeros(size, np.int8)
        require(
            (parents[:roots] == NONE).all() and (sides[:roots] == np.arange(roots)).all(), "it does not begin with the start"
        )
        require((parents[roots:] >= 0).all() and (parents < np.arange(size)).all(), "a node comes before its parent")
        require((sides == sides[np.maximum(parents, 0)])[roots:].all(), "a node and its parent are on different sides")
        most = np.array([domain.max_actions for domain in domains])
        require((actions < most[sides]).all(), "the action of a node does not exist")
        self.size, self.parents, self.sides = size, parents, sides
        rows, costs, kept_parents, kept_actions = nodes.arrays
        kept_parents[:size], kept_actions[:size] = parents, actions
        self.estimates: Array = np.zeros(size, costs.dtype)
        self.depths = np.zeros(size, np.int32)
        compiled = specialise(replay_nodes, domains[0], estimate, parts=(*totals.PARTS, is_sound))
        for side in range(roots):
            data = compiled.data if datas is None else datas[side]
            wrong = compiled.run(
                data, (rows, costs, kept_parents, kept_actions), self.estimates, self.depths, sides, side, roots, size
            )
            require(wrong < 0, f"node {wrong} is not the result of its action")
        self.costs = costs[:size]

    def totals(self, kind: NumberType) -> Array:
        """The f of each node. kind: of the array."""
        return self.costs.astype(kind) + self.estimates.astype(kind)


def read_places(told: Saved, name: str, size: int) -> Array:
    """Distinct node indices."""
    places = told.array(name, np.int32, told.length(name), most=size - 1)
    require(len(np.unique(places)) == len(places), f"{name} contains a node twice")
    return places
