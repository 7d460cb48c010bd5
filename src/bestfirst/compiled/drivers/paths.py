"""From the arrays of a compiled search back to nodes, for solutions and errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from bestfirst.domain import Domain
from bestfirst.search.node import Node, root_of


def follow(domain: Domain, h: Callable[[Any], float], actions: Iterable[int]) -> Node:
    """The node that actions, passed by index, lead to from the start."""
    node = root_of(domain, h)
    for action in actions:
        _legal, state, cost = domain.step(node.state, action)
        child = Node(state, node, domain.action_name(node.state, action), node.g + cost, node.depth + 1)
        child.h = h(state)
        child.f = child.g + child.h
        node = child
    return node


def decoded(domain: Domain, node: Node) -> Node:
    """The same node, with its path, in the states of the original problem."""
    copy: Node | None = None
    for step in node.path():
        copy = Node(domain.decode(step.state), copy, step.action, step.g, step.depth)
        copy.h, copy.f = step.h, step.f
    assert copy is not None
    return copy
