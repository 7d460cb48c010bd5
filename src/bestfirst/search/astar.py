"""A*: best-first search on f = g + h."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from bestfirst.problem import Problem
from bestfirst.search.best_first import best_first
from bestfirst.search.open_list import Agenda, Ties, by_total
from bestfirst.search.steps import Step


def astar(problem: Problem, h: Callable[[Any], float], *, ties: Ties = "fifo") -> Iterator[Step]:
    """Expand the node with the lowest f = g + h, until it is a goal.

    Guarantee: the cheapest solution, if h never overestimates (is admissible). An expanded node is reopened
    if a cheaper path to it turns up, so h need not be consistent; with a consistent h that never happens.
    Terminates on every finite problem, and on an infinite one that has a solution if costs stay above some positive number.
    Time and memory: one node for each state reached; exponential in the error of h in the worst case.
    Ties: among equal f, the lower h first, then first in, first out (or last in, first out).
    With h = 0 this is uniform-cost search, and with unit costs too it is breadth-first search.
    Source: Hart, Nilsson & Raphael 1968.
    """
    return best_first(
        problem,
        h,
        Agenda(by_total, ties),
        bound=lambda node: node.f,
        bound_at_goal=lambda goal, _agenda: goal.g,
    )
