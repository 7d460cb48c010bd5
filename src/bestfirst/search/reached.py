"""Reached: the states that a search remembers, so that it follows no path to one of them that is no better than a known one."""

from __future__ import annotations

from typing import Any

from bestfirst.problem import Problem
from bestfirst.search.dominance import DOMINATED, fronts_of
from bestfirst.search.node import Node
from bestfirst.search.open_list import Agenda
from bestfirst.search.steps import DUPLICATE, GENERATE, REOPEN, UPDATE, Fate, Made


class Reached:
    """The cheapest known node of each state, except those that another known one dominates."""

    def __init__(self, problem: Problem, root: Node) -> None:
        self._nodes: dict[Any, Node] = {root.state: root}
        self._fronts = fronts_of(problem)
        if self._fronts is not None:
            self._fronts.enter(root, self._nodes)

    def at(self, state: Any) -> Node | None:
        """The known node of a state."""
        return self._nodes.get(state)

    def enter(self, child: Node, agenda: Agenda, made: Made) -> None:
        """Put a child on an agenda, in place of nodes that are no better; or drop it, if a known one is as good.

        made: receives the fate of the child and of the nodes that it replaces.
        """
        twin = self._nodes.get(child.state)
        if twin is not None and child.g >= twin.g:
            made.append((DUPLICATE, child))
            return
        if self._fronts is not None and self._fronts.dominate(child):
            made.append((DOMINATED, child))
            return
        fate: Fate = GENERATE
        if twin is not None:
            fate = REOPEN
            if twin.agenda is not None:
                twin.agenda.discard(twin)
                fate = UPDATE
        made.append((fate, child))
        if self._fronts is not None:
            made += self._fronts.enter(child, self._nodes)
        self._nodes[child.state] = child
        agenda.push(child)

    def forget(self, node: Node) -> None:
        """Forget a node and its state."""
        del self._nodes[node.state]
        if self._fronts is not None:
            self._fronts.remove(node)
