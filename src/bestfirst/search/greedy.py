"""Greedy best-first search: best-first search on h alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from bestfirst.problem import Problem
from bestfirst.search.best_first import best_first
from bestfirst.search.open_list import Agenda, Ties, by_estimate
from bestfirst.search.steps import Step


def greedy(problem: Problem, h: Callable[[Any], float], *, ties: Ties = "fifo") -> Iterator[Step]:
    """Expand the node with the lowest h, until it is a goal.

    Guarantee: none about the cost. Finds a solution of every finite problem that has one; in an infinite space h may
    mislead it forever (it is not complete), so set a limit there.
    Time and memory: one node for each state reached; often only a few. The first path to a state is kept.
    Ties: first in, first out (or last in, first out).
    Source: Flach, Simply Logical, section 6.1; Doran & Michie 1966.
    """
    return best_first(
        problem,
        h,
        Agenda(by_estimate, ties),
        reopen=False,
        bound=lambda _node: 0,
        bound_at_goal=lambda _goal, _agenda: 0,
    )
