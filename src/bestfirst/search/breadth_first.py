"""Breadth-first search: first in, first out."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from math import inf

from bestfirst.problem import Problem
from bestfirst.search.node import expand, root_of
from bestfirst.search.steps import DUPLICATE, GENERATE, End, Expand, Goal, Made, Step


def breadth_first(problem: Problem) -> Iterator[Step]:
    """Expand the nodes in the order in which they were generated, until one is a goal.

    Guarantee: a solution with the fewest actions. It is also the cheapest if all actions cost the same, which the search
    detects: every remaining path has at least as many actions, none cheaper than the cheapest seen.
    Terminates on every finite problem, and on an infinite one that has a solution.
    Time and memory: one node for each state that is no deeper than the goal, and their children.
    Ties: first in, first out. A goal is recognised when it leaves the agenda, as in all algorithms here.
    Source: Moore 1959; Russell & Norvig, section 3.4.
    """
    root = root_of(problem)
    agenda = deque([root])
    met = {root.state}
    cheapest_action = inf
    made: Made = [(GENERATE, root)]
    while agenda:
        node = agenda.popleft()
        bound = node.depth * cheapest_action if node.depth else 0
        if problem.is_goal(node.state):
            yield Goal(node, made, agenda, min(bound, node.g))
            return
        yield Expand(node, made, agenda, bound)
        made = []
        for child in expand(problem, node):
            cheapest_action = min(cheapest_action, child.g - node.g)
            if child.state in met:
                made.append((DUPLICATE, child))
            else:
                met.add(child.state)
                agenda.append(child)
                made.append((GENERATE, child))
    yield End(made, agenda, inf)
