"""Greedy best-first search: best-first search on h alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from bestfirst.errors import InputError
from bestfirst.problem import Problem
from bestfirst.search.best_first import best_first
from bestfirst.search.open_list import Agenda, Ties, by_estimate
from bestfirst.search.preferred import Preferred, PreferredAgenda, preferred_of
from bestfirst.search.steps import Step


def greedy(problem: Problem, h: Callable[[Any], float], *, ties: Ties = "fifo", preferred: bool = False) -> Iterator[Step]:
    """Expand the node with the lowest h, until it is a goal.

    Guarantee: none about the cost. Finds a solution of every finite problem that has one; in an infinite space h may
    mislead it forever (it is not complete), so set a limit there.
    Time and memory: one node for each state reached; often only a few. The first path to a state is kept.
    Ties: first in, first out (or last in, first out).
    preferred: whether children reached by a preferred action of h wait in a second queue as well. The queues take turns, and
    the second one gets 1000 turns whenever the lowest h falls.
    Source: Flach, Simply Logical, section 6.1; Doran & Michie 1966; Helmert 2006 (preferred actions).
    """
    agenda = PreferredAgenda(by_estimate, ties, preferred=_required(h)) if preferred else Agenda(by_estimate, ties)
    return best_first(
        problem,
        h,
        agenda,
        reopen=False,
        bound=lambda _node: 0,
        bound_at_goal=lambda _goal, _agenda: 0,
    )


def _required(h: Callable[[Any], float]) -> Preferred:
    """The function that returns the preferred actions of a state; raises InputError if the heuristic has none."""
    preferred = preferred_of(h)
    if preferred is None:
        name = getattr(h, "name", None) or getattr(h, "__name__", "given")
        raise InputError(f"preferred is True, but the heuristic {name!r} has no preferred actions; omit preferred")
    return preferred
