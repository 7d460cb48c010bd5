"""Lazy best-first search: a node is evaluated when it leaves the agenda, so that most children cost no estimate.

A child waits with the estimate of its parent. Its state is compared with the known ones only when its turn comes, so that a
child that never has a turn costs little.
Source: Richter & Helmert 2009 (deferred evaluation).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from math import inf
from typing import Any

from bestfirst.problem import Problem
from bestfirst.search.incumbent import UpperBound
from bestfirst.search.node import Node, expand, total_of
from bestfirst.search.preferred import PreferredAgenda
from bestfirst.search.steps import (
    DEAD_END_IN_TURN,
    GENERATE,
    REPEATED,
    Drop,
    Expand,
    Goal,
    Made,
    Prune,
    Step,
)


class Found:
    """What a lazy search knows of costs, and what its next step will report.

    best: the cost of the best solution, or the one to beat. has_solution: whether there is one. bound: a lower bound on the
    cost of a solution. made: see Step. below: the bound that other searches lower.
    """

    def __init__(self, below: UpperBound, bound: float, made: Made) -> None:
        self.best, self.below, self.bound, self.made = below.cost, below, bound, made
        self.has_solution = False

    def reported(self) -> Made:
        """What was made since the last step, which now reports it."""
        made, self.made = self.made, []
        return made


def lazy_best_first(
    problem: Problem,
    h: Callable[[Any], float],
    agenda: PreferredAgenda,
    root: Node,
    found: Found,
    *,
    reopen: bool,
    is_bound: bool,
    is_last: bool,
) -> Generator[Step, None, bool]:
    """Take the first node off the agenda, evaluate it, and insert its children with its estimate.

    agenda: an empty one. root: the start, with its estimate.
    reopen: whether a state is expanded again if its turn comes with a cheaper path.
    is_bound: whether h is a lower bound, so that f prunes, too; otherwise g alone does.
    is_last: whether the search continues after a solution; otherwise it returns.
    Returns whether the agenda is exhausted.
    """
    known: dict[Any, Node] = {}  # the cheapest node evaluated so far for each state
    if root.h < inf:
        agenda.push(root)
    while agenda:
        found.best = min(found.best, found.below.cost)
        node = agenda.pop()
        if node.g >= found.best:
            found.made.append((Drop("g", found.best), node))
            continue
        twin = known.get(node.state)
        if twin is not None and (node.g >= twin.g or not reopen):
            found.made.append((REPEATED, node))
            continue
        if node is not root:
            node.h = h(node.state) if twin is None else twin.h
            node.f = total_of(node.g, node.h)
        known[node.state] = node
        if node.h == inf:
            found.made.append((DEAD_END_IN_TURN, node))
            continue
        if is_bound and node.f >= found.best:
            found.made.append((Drop("f", found.best), node))
            continue
        if problem.is_goal(node.state):
            found.best, found.has_solution = node.g, True
            yield Goal(node, found.reported(), agenda, min(found.bound, found.best))
            if not is_last:
                return False
            continue
        agenda.note(node.h)
        yield Expand(node, found.reported(), agenda, min(found.bound, found.best))
        for child in expand(problem, node):
            child.h = node.h
            child.f = total_of(child.g, node.h)
            if child.g >= found.best:
                found.made.append((Prune("g", found.best), child))
            else:
                found.made.append((GENERATE, child))
                agenda.push(child)
    return True
