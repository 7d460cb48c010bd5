"""Branch and bound on partial paths, in its classic steps, each of which can be measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import Any

from bestfirst.heuristics.heuristic import zero
from bestfirst.problem import Problem
from bestfirst.search.astar import astar
from bestfirst.search.node import StatesOnPath, expand, root_of, total_of
from bestfirst.search.open_list import Agenda, Ties, by_total
from bestfirst.search.steps import DEAD_END, GENERATE, ON_PATH, End, Expand, Goal, Made, Step


def branch_and_bound(
    problem: Problem,
    h: Callable[[Any], float] | None = None,
    *,
    delete_redundant: bool = False,
    ties: Ties = "fifo",
) -> Iterator[Step]:
    """Extend the cheapest partial path, until it reaches a goal.

    The classic steps: (i) the queue of partial paths is sorted by the cost so far; (ii) with a heuristic, by that plus a
    lower bound on the remaining cost; (iii) with delete_redundant, only the cheapest path to each state is kept.
    (ii) and (iii) together are A*.

    Guarantee: the cheapest solution, if h is admissible. Terminates on every finite problem.
    Time and memory: without (iii), one node for each path that visits no state twice and is cheaper than the solution.
    Ties: among equal f, the lower h first, then first in, first out (or last in, first out).
    Source: Winston, Artificial Intelligence, chapter 5; Land & Doig 1960.
    """
    if delete_redundant:
        return astar(problem, h or zero, ties=ties)
    return _partial_paths(problem, h or zero, Agenda(by_total, ties))


def _partial_paths(problem: Problem, h: Callable[[Any], float], queue: Agenda) -> Iterator[Step]:
    root = root_of(problem, h)
    if root.h < inf:
        queue.push(root)
    states_on_path = StatesOnPath()
    made: Made = [(GENERATE, root)]
    proved: float = 0
    while queue:
        node = queue.pop()
        if problem.is_goal(node.state):
            yield Goal(node, made, queue, node.g)
            return
        proved = max(proved, node.f)
        yield Expand(node, made, queue, proved)
        made = []
        on_path = states_on_path.to(node)
        for child in expand(problem, node):
            child.h = h(child.state)
            child.f = total_of(child.g, child.h)
            if child.state in on_path:
                made.append((ON_PATH, child))
            elif child.h == inf:
                made.append((DEAD_END, child))
            else:
                queue.push(child)
                made.append((GENERATE, child))
    yield End(made, queue, inf)
