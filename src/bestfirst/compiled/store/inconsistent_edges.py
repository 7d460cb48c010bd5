"""Inconsistent edges, along which f falls: their number, and the first one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.compiler.state_fields import state_of_words, state_words
from bestfirst.domain import Domain
from bestfirst.rounding import ABSOLUTE_ROUNDING, RELATIVE_ROUNDING
from bestfirst.search.node import Node

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import FLOATS, store


def note_fall(falls: Any, state: Any, g: Any, child: Any, child_g: Any) -> None:
    """Count an edge along which f falls. A part of engine templates."""
    rows, costs, count = falls
    if count[0] == 0:
        store(rows, 0, state)
        store(rows, 1, child)
        costs[0], costs[1] = g, child_g
    count[0] += 1


def falls_to(f: Any, child_f: Any) -> bool:
    """Whether f falls from a node to its child, by more than rounding explains (see rounding.exceeds). A part of templates."""
    if child_f >= f:
        return False
    return not FLOATS or f - child_f > max(RELATIVE_ROUNDING * f, ABSOLUTE_ROUNDING)


class Falls:
    """The inconsistent edges of one search. arrays: their form in templates."""

    def __init__(self, domain: Domain, cost_type: type[np.number[Any]]) -> None:
        rows = tuple(np.zeros(2, np.int64) for _ in state_words(domain))
        self.arrays: tuple[Any, ...] = (rows, np.zeros(2, cost_type), np.zeros(1, np.int64))

    def __len__(self) -> int:
        return int(self.arrays[2][0])

    def __iter__(self) -> Iterator[Any]:
        """The arrays, one by one."""
        rows, costs, count = self.arrays
        yield from (*rows, costs, count)

    def first(self, domain: Domain, h: Callable[[Any], float]) -> Node | None:
        """The child at the first inconsistent edge, with its parent; None if f never fell."""
        if not len(self):
            return None
        rows, costs, _count = self.arrays
        node: Node | None = None
        for place in range(2):
            state = state_of_words(domain, [row[place] for row in rows])
            node = Node(domain.decode(state), node, None, costs[place].item(), place)
            node.h = h(state)
            node.f = node.g + node.h
        return node
