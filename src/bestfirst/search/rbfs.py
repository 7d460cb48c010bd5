"""Recursive best-first search (RBFS): best-first order with the memory of depth-first search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf
from typing import Any

from bestfirst.problem import Problem
from bestfirst.search.node import Node, expand, root_of, total_of
from bestfirst.search.steps import DEAD_END, GENERATE, ON_PATH, End, Expand, Goal, Made, Step


@dataclass(slots=True)
class _Call:
    """One level of the recursion as data: the node's children with their values, and its bound."""

    node: Node
    children: list[Node]
    values: list[float]
    """For each child the lowest known f below it: its stored value F."""
    bound: float
    chosen: int = 0


def rbfs(problem: Problem, h: Callable[[Any], float]) -> Iterator[Step]:
    """Follow the best path while its value does not exceed that of its best rival; then store the value and switch to the rival.

    Guarantee: the cheapest solution, if h is admissible. Terminates on every finite problem: no path visits a state twice.
    Time: exponential; an abandoned path is generated again when it becomes the best. Memory: the path and its siblings.
    Ties: among equal values, the child that the problem yields first.
    Source: Korf 1993. (best_first_tree, by Bratko, is the same search with the whole tree kept.)
    """
    root = root_of(problem, h)
    made: Made = [(GENERATE, root)]
    if root.h == inf:
        yield End(made, [], inf)
        return
    if problem.is_goal(root.state):
        yield Goal(root, made, [], root.f)
        return
    calls: list[_Call] = []
    on_path: set[Any] = set()
    node, value, bound = root, root.f, inf
    proved = value
    while True:
        yield Expand(node, made, calls, proved)
        made = []
        on_path.add(node.state)
        call = _Call(node, [], [], bound)
        for child in expand(problem, node):
            child.h = h(child.state)
            child.f = total_of(child.g, child.h)
            if child.state in on_path:
                made.append((ON_PATH, child))
            elif child.h == inf:
                made.append((DEAD_END, child))
            else:
                made.append((GENERATE, child))
                call.children.append(child)
                # below an abandoned node, its stored value is the better estimate
                call.values.append(max(child.f, value) if value > node.f else child.f)
        calls.append(call)
        while True:  # abandon the paths beyond their bound
            call = calls[-1]
            lowest = min(call.values, default=inf)
            if lowest <= call.bound and lowest < inf:
                break
            calls.pop()
            on_path.remove(call.node.state)
            if not calls:
                yield End(made, calls, inf)
                return
            calls[-1].values[calls[-1].chosen] = lowest
        call.chosen = call.values.index(lowest)
        node, value = call.children[call.chosen], lowest
        rival = min((v for i, v in enumerate(call.values) if i != call.chosen), default=inf)
        bound = min(call.bound, rival)
        proved = max(proved, value)
        if problem.is_goal(node.state):
            yield Goal(node, made, calls, node.g)
            return
