"""Limits on depth: a problem as a search with such a limit sees it."""

from __future__ import annotations

from collections.abc import Iterable

from bestfirst.problem import Problem, Successor
from bestfirst.search.node import Node
from bestfirst.stated import checked_backward


class DepthFence(Problem):
    """A problem whose nodes at the depth limit have no successors.

    The driver closes the fence just before the algorithm asks for the successors of such a node.
    """

    def __init__(self, problem: Problem, depth: int) -> None:
        self.initial = problem.initial
        self.unit_cost = problem.unit_cost
        self.is_goal = problem.is_goal  # type: ignore[method-assign]
        self.name = problem.name  # type: ignore[method-assign]
        self.key = problem.key  # type: ignore[method-assign]
        self.depth = depth
        self._problem = problem
        self._closed = False
        self._back: DepthFence | None = None

    def bars(self, node: Node) -> bool:
        """Whether the node about to be expanded is too deep; opens or closes the fence accordingly."""
        self._closed = node.depth >= self.depth
        if self._back is not None:
            self._back._closed = self._closed
        return self._closed

    def successors(self, state: object) -> Iterable[Successor]:
        return () if self._closed else self._problem.successors(state)

    def backward(self) -> Problem | None:
        reverse = checked_backward(self._problem)
        if reverse is not None:
            self._back = DepthFence(reverse, self.depth)
        return self._back
