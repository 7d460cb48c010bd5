"""Depth-first search on the graph (each state once) and on the tree of paths."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from bestfirst.problem import Problem
from bestfirst.search.depth_limited import depth_limited
from bestfirst.search.node import expand, root_of
from bestfirst.search.steps import DUPLICATE, GENERATE, End, Expand, Goal, Made, Step


def depth_first(problem: Problem) -> Iterator[Step]:
    """Follow each path to its end before trying the next; enter no state twice.

    Guarantee: finds a solution of every finite problem that has one; none about its cost.
    Time: each state at most once. Memory: the states reached, and the path.
    Ties: children are generated one at a time, in the order of the problem.
    Source: Tarjan 1972; Russell & Norvig, section 3.4.
    """
    root = root_of(problem)
    met = {root.state}
    made: Made = [(GENERATE, root)]
    path = [root]
    if problem.is_goal(root.state):
        yield Goal(root, made, path, 0)
        return
    yield Expand(root, made, path, 0)
    made = []
    untried = [expand(problem, root)]
    while path:
        child = next(untried[-1], None)
        if child is None:
            path.pop()
            untried.pop()
        elif child.state in met:
            made.append((DUPLICATE, child))
        else:
            met.add(child.state)
            made.append((GENERATE, child))
            path.append(child)
            if problem.is_goal(child.state):
                yield Goal(child, made, path, 0)
                return
            yield Expand(child, made, path, 0)
            made = []
            untried.append(expand(problem, child))
    yield End(made, path, inf)


def depth_first_tree(problem: Problem) -> Iterator[Step]:
    """Follow each path to its end before trying the next; remember only the path, and enter none of its states twice.

    Guarantee: finds a solution of every finite problem that has one; none about its cost.
    Time: each path without a repeated state, which can be exponentially many in the number of states.
    Memory: the path.
    Ties: children are generated one at a time, in the order of the problem.
    Source: Russell & Norvig, section 3.4.
    """
    return depth_limited(problem, depth=inf)
