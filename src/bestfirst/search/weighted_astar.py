"""Weighted A*: best-first search on g + weight * h."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import Any

from bestfirst.errors import InputError, shown
from bestfirst.problem import Problem
from bestfirst.rounding import ROUNDED_DOWN
from bestfirst.search.best_first import best_first
from bestfirst.search.node import Node
from bestfirst.search.open_list import Agenda, Ties, by_weighted_total
from bestfirst.search.steps import Step


def check_weight(weight: float) -> None:
    """Raise InputError for a weight below 1."""
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 1 <= weight < inf:
        raise InputError(f"the weight is {shown(weight)}; use a finite number >= 1 (1 is A*)")


def exact_weight(weight: float) -> float:
    """The weight, as an int if it is 1: the product with 1.0 could round an estimate, but A* must prove its solution optimal."""
    return 1 if weight == 1 else weight


def bound_of(g: float, h: float, weight: float) -> float:
    """A lower bound on the cost of a solution, g / weight + h, from a node with the lowest g + weight * h on the agenda."""
    try:
        return (g / weight + h) * ROUNDED_DOWN
    except OverflowError:  # an int beyond floats
        return h * ROUNDED_DOWN


def weighted_astar(
    problem: Problem, h: Callable[[Any], float], *, weight: float = 1.5, ties: Ties = "fifo"
) -> Iterator[Step]:
    """Expand the node with the lowest g + weight * h, until it is a goal.

    Guarantee: a solution of at most weight times the optimum, if h is admissible; the reported lower bound is, when
    the goal is found, the larger of cost / weight and the lowest g + h on the agenda. Terminates like A*.
    Time and memory: one node for each state reached; usually fewer for higher weights.
    Ties: among equal g + weight * h, the lower h first, then first in, first out (or last in, first out).
    Source: Pohl 1970.
    """
    check_weight(weight)

    def bound(node: Node) -> float:
        return node.f if weight == 1 else bound_of(node.g, node.h, weight)

    def bound_at_goal(goal: Node, agenda: Agenda) -> float:
        if weight == 1:
            return goal.g
        lowest = min((node.f for node in agenda), default=goal.g)
        return max(bound(goal), min(goal.g, lowest))

    return best_first(problem, h, Agenda(by_weighted_total(weight), ties), bound=bound, bound_at_goal=bound_at_goal)
