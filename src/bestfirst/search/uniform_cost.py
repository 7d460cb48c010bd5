"""Uniform-cost search: best-first search on g (Dijkstra's algorithm, with a goal)."""

from __future__ import annotations

from collections.abc import Iterator

from bestfirst.heuristics.heuristic import zero
from bestfirst.problem import Problem
from bestfirst.search.best_first import best_first
from bestfirst.search.open_list import Agenda, Ties, by_cost
from bestfirst.search.steps import Step


def uniform_cost(problem: Problem, *, ties: Ties = "fifo") -> Iterator[Step]:
    """Expand the node with the cheapest path, until it is a goal.

    Guarantee: the cheapest solution. Terminates on every finite problem.
    Time and memory: one node for each state that is nearer to the start than the goal is, and their children.
    Ties: first in, first out (or last in, first out).
    Source: Dijkstra 1959; Russell & Norvig, section 3.4.
    """
    return best_first(
        problem,
        zero,
        Agenda(by_cost, ties),
        bound=lambda node: node.g,
        bound_at_goal=lambda goal, _agenda: goal.g,
    )
