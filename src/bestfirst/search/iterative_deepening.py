"""Iterative deepening: depth-limited searches with a growing limit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from math import inf

from bestfirst.problem import Problem
from bestfirst.search.depth_limited import probe_to_depth
from bestfirst.search.node import root_of
from bestfirst.search.steps import GENERATE, End, Made, Round, Step


def iterative_deepening(problem: Problem) -> Iterator[Step]:
    """Search all paths of 0 actions, then of at most 1, 2, ..., none of which visits a state twice.

    Guarantee: a solution with the fewest actions; it is also the cheapest if the problem sets unit_cost.
    Terminates when an iteration cuts no path, which happens on every finite problem.
    Time: exponential in the depth; the last iteration takes most of it. Memory: the path.
    Ties: children are generated one at a time, in the order of the problem.
    Source: Korf 1985; Slate & Atkin 1977.
    """
    root = root_of(problem)
    made: Made = [(GENERATE, root)]
    cheapest_action = inf
    for depth in count():
        if problem.unit_cost:
            bound: float = depth
        else:  # shorter paths have been seen, but the last action of a longer one may cost nothing
            bound = (depth - 1) * cheapest_action if depth > 1 else 0
        yield Round(root, made, [], bound, what="depth", limit=depth)
        probe = yield from probe_to_depth(problem, root, depth, [], bound)
        if probe.found:
            return
        made = probe.made
        cheapest_action = min(cheapest_action, probe.cheapest_action)
        if not probe.cut:
            yield End(made, [], inf)
            return
