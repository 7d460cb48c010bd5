"""Depth-first branch and bound: an early solution, better ones with more time, an optimal one at the end, in little
memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import Any

from bestfirst.heuristics.heuristic import zero
from bestfirst.problem import Problem
from bestfirst.search.incumbent import checked_upper_bound, gave_up, incumbent_of
from bestfirst.search.node import Node, expand, root_of
from bestfirst.search.steps import DEAD_END, GENERATE, ON_PATH, Drop, End, Expand, Goal, Made, Prune, Step


def depth_first_branch_and_bound(
    problem: Problem,
    h: Callable[[Any], float] | None = None,
    *,
    incumbent: Any = None,
    upper_bound: float | None = None,
) -> Iterator[Step]:
    """Depth-first search that prunes every path whose f is not below the cost of the best solution so far.

    Guarantee: the last solution is the cheapest, if h is admissible. Terminates on every finite problem: no path visits a
    state twice. Suited to problems whose solutions all have about the same depth; otherwise it can go deep before it
    finds a first solution (set Limits(depth=)).
    Time: exponential. Memory: the path and the siblings along it.
    Ties: the children of a node in order of f, then in the order of the problem.
    incumbent: a known solution, or its actions, to start with. upper_bound: only solutions that cost less are sought.
    Source: Lawler & Wood 1966; Korf 1998.
    """
    estimate = h or zero
    known = incumbent_of(problem, incumbent, estimate)
    return _depth_first_branch_and_bound(problem, estimate, known, checked_upper_bound(upper_bound))


def _depth_first_branch_and_bound(
    problem: Problem, estimate: Callable[[Any], float], incumbent: Node | None, best: float
) -> Iterator[Step]:
    root = root_of(problem, estimate)
    lower = root.f
    made: Made = [(GENERATE, root)]
    has_solution = incumbent is not None and incumbent.g < best
    if incumbent is not None and has_solution:
        best = incumbent.g
        yield Goal(incumbent, made, [], min(lower, best))
        made = []
    path: list[Node] = []
    on_path: set[Any] = set()
    untried: list[Iterator[Node]] = [iter([root] if root.h < inf else [])]
    while untried:
        node = next(untried[-1], None)
        if node is None:
            untried.pop()
            if path:
                on_path.remove(path.pop().state)
            continue
        if node.f >= best:
            made.append((Drop("f", best), node))
            continue
        if problem.is_goal(node.state):
            best, has_solution = node.g, True
            yield Goal(node, made, path, min(lower, best))
            made = []
            continue
        path.append(node)
        on_path.add(node.state)
        yield Expand(node, made, path, min(lower, best))
        made = []
        children: list[Node] = []
        for child in expand(problem, node):
            child.h = estimate(child.state)
            child.f = child.g + child.h
            if child.state in on_path:
                made.append((ON_PATH, child))
            elif child.h == inf:
                made.append((DEAD_END, child))
            elif child.f >= best:
                made.append((Prune("f", best), child))
            else:
                made.append((GENERATE, child))
                children.append(child)
        children.sort(key=lambda child: child.f)
        untried.append(iter(children))
    yield End(made, path, best, gave_up(best, has_solution))
