"""Depth-first branch and bound: an early solution, better ones with more time, an optimal one at the end, in little
memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import Any

from bestfirst.heuristics.heuristic import zero
from bestfirst.problem import Problem
from bestfirst.search.incumbent import UpperBound, gave_up, incumbent_of
from bestfirst.search.node import Node, expand, root_of, total_of
from bestfirst.search.open_list import Agenda, by_total_alone
from bestfirst.search.reached import Reached
from bestfirst.search.steps import DEAD_END, GENERATE, ON_PATH, Drop, End, Expand, Goal, Made, Prune, Step


def depth_first_branch_and_bound(
    problem: Problem,
    h: Callable[[Any], float] | None = None,
    *,
    memo: bool = False,
    incumbent: Any = None,
    upper_bound: float | UpperBound | None = None,
) -> Iterator[Step]:
    """Depth-first search that prunes every path whose f is not below the cost of the best solution so far.

    Guarantee: the last solution is the cheapest, if h is admissible. Terminates on every finite problem: no path visits a
    state twice. Suited to problems whose solutions all have about the same depth; otherwise it can go deep before it
    finds a first solution (set Limits(depth=)).
    Time: exponential. Memory: the path and the siblings along it; with memo, the states reached.
    Ties: the children of a node in order of f, then in the order of the problem.
    memo: whether to remember the states that were reached: a path is dropped if it leads to one of them at no lower cost, or
    to a state that one of them dominates.
    incumbent: a known solution, or its actions, to start with. upper_bound: only solutions that cost less are sought.
    Source: Lawler & Wood 1966; Korf 1998; Kuroiwa & Beck 2023 (with memo and dominance).
    """
    estimate = h or zero
    known = incumbent_of(problem, incumbent, estimate)
    return _depth_first_branch_and_bound(problem, estimate, known, UpperBound.of(upper_bound), memo=memo)


def _depth_first_branch_and_bound(
    problem: Problem, estimate: Callable[[Any], float], incumbent: Node | None, below: UpperBound, *, memo: bool
) -> Iterator[Step]:
    best = below.cost
    root = root_of(problem, estimate)
    reached = Reached(problem, root) if memo else None
    lower = root.f
    made: Made = [(GENERATE, root)]
    has_solution = incumbent is not None and incumbent.g < best
    if incumbent is not None and has_solution:
        best = incumbent.g
        yield Goal(incumbent, made, [], min(lower, best))
        made = []
    path: list[Node] = []
    on_path: set[Any] = set()
    siblings = Agenda(by_total_alone)
    if root.h < inf:
        siblings.push(root)
    untried = [siblings]
    while untried:
        best = min(best, below.cost)
        if not untried[-1]:
            untried.pop()
            if path:
                on_path.discard(path.pop().state)
            continue
        node = untried[-1].pop()
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
        children = Agenda(by_total_alone)
        for child in expand(problem, node):
            child.h = estimate(child.state)
            child.f = total_of(child.g, child.h)
            if reached is None and child.state in on_path:
                made.append((ON_PATH, child))
            elif child.h == inf:
                made.append((DEAD_END, child))
            elif child.f >= best:
                made.append((Prune("f", best), child))
            elif reached is not None:
                reached.enter(child, children, made)
            else:
                made.append((GENERATE, child))
                children.push(child)
        untried.append(children)
    yield End(made, path, best, gave_up(best, has_solution))
