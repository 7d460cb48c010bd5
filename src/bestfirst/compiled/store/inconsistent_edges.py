"""Inconsistent edges, along which f falls."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.state_fields import state_of_words, state_words
from bestfirst.domain import Domain
from bestfirst.rounding import ABSOLUTE_ROUNDING, RELATIVE_ROUNDING
from bestfirst.search.node import Node

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import FLOATS, store
    from bestfirst.compiled.store.aliases import Arrays, Flag, Number, NumberType, Search, State, Total


def note_fall(search: Search, edge: Arrays, state: State, g: Number, child: State, child_g: Number) -> None:
    """Count an edge along which f falls, and keep the first one. A part of kernels."""
    if search.falls == 0:
        rows, costs = edge
        store(rows, 0, state)
        store(rows, 1, child)
        costs[0], costs[1] = g, child_g
    search.falls += 1


def falls_to(f: Total, child_f: Total) -> Flag:
    """Whether f falls from a node to its child, by more than rounding explains (see rounding.exceeds). A part of kernels."""
    if child_f >= f:
        return False
    return not FLOATS or f - child_f > max(RELATIVE_ROUNDING * f, ABSOLUTE_ROUNDING)


def empty_edge(domain: Domain, cost_type: NumberType) -> Arrays:
    """Room for an edge: its two states, and the costs of the paths to them."""
    return tuple(np.zeros(2, np.int64) for _ in state_words(domain)), np.zeros(2, cost_type)


def child_at(edge: Arrays, domain: Domain, h: Callable[[State], float]) -> Node:
    """The child at the end of an edge, with its parent."""
    rows, costs = edge
    node: Node | None = None
    for place in range(2):
        state = state_of_words(domain, [row[place] for row in rows])
        node = Node(domain.decode(state), node, None, costs[place].item(), place)
        node.h = h(state)
        node.f = node.g + node.h
    assert node is not None
    return node
