"""Preferred actions: those that a heuristic recommends in a state, and an agenda that takes their children first.

Source: Helmert 2006 (preferred operators); Richter & Helmert 2009 (alternation with a boost on progress).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from math import inf
from typing import Any, TypeAlias

from bestfirst.errors import ProblemError, shown
from bestfirst.search.node import Node
from bestfirst.search.open_list import Agenda, Order, Ties

Preferred: TypeAlias = Callable[[Any], Sequence[Any]]
BOOST = 1000
"""How many turns the queue of preferred children gets when the best estimate improves."""


def preferred_of(h: Callable[[Any], float]) -> Preferred | None:
    """The function that returns the preferred actions of a state, if the heuristic has one."""
    found: Preferred | None = getattr(h, "preferred", None)
    return found


class PreferredAgenda(Agenda):
    """Two queues in the same order: one has all nodes, the other one those reached by a preferred action as well.

    They take turns: the next node comes from the queue that had fewer turns, from that of all nodes if both had as many. When
    the lowest estimate so far falls, the queue of preferred nodes is given BOOST turns. A node that waits in both queues is
    skipped in the second one, which is a turn, too.
    preferred: the preferred actions of a state; None: there are none. It is called once for each node with children.
    """

    def __init__(self, order: Order, ties: Ties = "fifo", *, preferred: Preferred | None) -> None:
        super().__init__(order, ties)
        self._heaps: tuple[list[Any], list[Any]] = (self._heap, [])
        self._turns = [0, 0]
        self._lowest: float = inf
        self._preferred = preferred
        self._parent: Node | None = None
        self._actions: Sequence[Any] = ()

    def push(self, node: Node) -> None:
        node.agenda = self
        self._waiting += 1
        entry = (*self._order(node), next(self._serials), node)
        heappush(self._heaps[0], entry)
        if self._preferred is not None and self._is_preferred(node):
            heappush(self._heaps[1], entry)
        self.note(node.h)

    def note(self, h: float) -> None:
        """Take note of the estimate of a state: if none was as low, preferred nodes are next."""
        if h < self._lowest:
            self._lowest = h
            self._turns[1] -= BOOST

    def pop(self) -> Node:
        while True:
            node = _take(self._heaps, self._turns)
            if node.agenda is self:
                node.agenda = None
                self._waiting -= 1
                return node

    def peek(self) -> Node | None:
        return next(iter(self), None)

    def __iter__(self) -> Iterator[Node]:
        heaps, turns = (sorted(self._heaps[0]), sorted(self._heaps[1])), self._turns.copy()
        told = set()
        while any(heaps):
            node = _take(heaps, turns)
            if node.agenda is self and id(node) not in told:
                told.add(id(node))
                yield node

    def _is_preferred(self, node: Node) -> bool:
        if node.parent is None:
            return False
        if node.parent is not self._parent:
            assert self._preferred is not None
            self._parent = node.parent
            self._actions = _actions(self._preferred, node.parent.state)
        return node.action in self._actions


def _take(heaps: tuple[list[Any], list[Any]], turns: list[int]) -> Node:
    """The node whose turn it is; raises IndexError if none is left."""
    second = bool(heaps[1]) and (turns[1] < turns[0] or not heaps[0])
    turns[second] += 1
    node: Node = heappop(heaps[second])[-1]
    return node


def _actions(preferred: Preferred, state: Any) -> Sequence[Any]:
    actions = preferred(state)
    if isinstance(actions, str) or not isinstance(actions, Sequence):
        raise ProblemError(f"preferred({state!r}) of the heuristic returns {shown(actions)}; return a list of actions")
    return actions
