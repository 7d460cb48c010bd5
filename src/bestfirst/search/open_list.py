"""The orders in which nodes leave the agenda (the open list)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import Any, Literal, TypeAlias, get_args

from bestfirst.errors import InputError, UnknownNameError
from bestfirst.search.node import Node

Order: TypeAlias = Callable[[Node], tuple[float, ...]]
Ties: TypeAlias = Literal["fifo", "lifo"]


def by_cost(node: Node) -> tuple[float, ...]:
    """Cheapest path first (uniform-cost search)."""
    return (node.g,)


def by_estimate(node: Node) -> tuple[float, ...]:
    """Nearest to the goal by the heuristic first (greedy search)."""
    return (node.h,)


def by_total(node: Node) -> tuple[float, ...]:
    """Lowest f first; among equal f, the node nearer to the goal (A*)."""
    return (node.f, node.h)


def by_total_alone(node: Node) -> tuple[float, ...]:
    """Lowest f first (the children of a node in depth-first branch and bound)."""
    return (node.f,)


def by_weighted_total(weight: float) -> Order:
    """Lowest g + weight * h first; among equal values, the node nearer to the goal (weighted A*)."""
    if weight == 1:
        return by_total  # exact, where the product with 1.0 would round an int
    return partial(_by_weighted_total, weight)


def _by_weighted_total(weight: float, node: Node) -> tuple[float, ...]:
    try:
        return (node.g + weight * node.h, node.h)
    except OverflowError:
        raise InputError(
            f"the weight has {int(weight).bit_length()} bits, and no float can hold its product with an estimate; use a "
            "smaller weight, or int costs and estimates"
        ) from None


def check_ties(ties: str) -> None:
    """Raise UnknownNameError unless `ties` is 'fifo' or 'lifo'."""
    if ties not in get_args(Ties):
        raise UnknownNameError("tie-breaking rule", str(ties), get_args(Ties))


class Agenda:
    """Nodes that leave lowest order first; among equals, first in, first out (or last in, first out).

    A node superseded by a cheaper path is discarded: it stays in the heap and is skipped when popped.
    Push and pop take O(log n); len() counts the open nodes; iteration yields them in the order of pop().
    """

    def __init__(self, order: Order, ties: Ties = "fifo") -> None:
        check_ties(ties)
        self._order = order
        self._serials = count() if ties == "fifo" else count(0, -1)
        self._heap: list[Any] = []  # (*order, serial, node): serials differ, so nodes are never compared
        self._waiting = 0

    def push(self, node: Node) -> None:
        node.agenda = self
        self._waiting += 1
        heappush(self._heap, (*self._order(node), next(self._serials), node))

    def pop(self) -> Node:
        """The next node; raises IndexError if none is left."""
        heap = self._heap
        while True:
            node: Node = heappop(heap)[-1]
            if node.agenda is self:
                node.agenda = None
                self._waiting -= 1
                return node

    def peek(self) -> Node | None:
        """The node that would be popped next; None if none is left."""
        heap = self._heap
        while heap:
            node: Node = heap[0][-1]
            if node.agenda is self:
                return node
            heappop(heap)
        return None

    def discard(self, node: Node) -> None:
        """Skip an open node when it is popped."""
        node.agenda = None
        self._waiting -= 1

    def __len__(self) -> int:
        return self._waiting

    def __iter__(self) -> Iterator[Node]:
        for entry in sorted(self._heap):
            node: Node = entry[-1]
            if node.agenda is self:
                yield node
