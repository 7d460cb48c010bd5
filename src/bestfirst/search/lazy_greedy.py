"""Lazy greedy search: greedy best-first search that evaluates a state when it is expanded, not when it is generated."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import Any

from bestfirst.problem import Problem
from bestfirst.search.incumbent import UpperBound
from bestfirst.search.lazy import Found, lazy_best_first
from bestfirst.search.node import root_of
from bestfirst.search.open_list import by_estimate
from bestfirst.search.preferred import PreferredAgenda, preferred_of
from bestfirst.search.steps import GENERATE, End, Step


def lazy_greedy(problem: Problem, h: Callable[[Any], float], *, preferred: bool = True) -> Iterator[Step]:
    """Expand the node whose parent has the lowest h, until it is a goal.

    Guarantee: none about the cost. Finds a solution of every finite problem that has one; not complete in infinite spaces.
    Time: one estimate for each expansion, where greedy search has one for each child: faster if h is slow and most
    children are never expanded. Memory: one node for each child, including duplicates.
    preferred: if h has preferred actions, children reached by them wait in a second queue as well. The queues take turns,
    and the second one gets 1000 turns whenever the lowest h falls.
    Ties: first in, first out.
    Source: Richter & Helmert 2009; Helmert 2006.
    """
    agenda = PreferredAgenda(by_estimate, preferred=preferred_of(h) if preferred else None)
    return _lazy_greedy(problem, h, agenda)


def _lazy_greedy(problem: Problem, h: Callable[[Any], float], agenda: PreferredAgenda) -> Iterator[Step]:
    root = root_of(problem, h)
    found = Found(UpperBound(), 0, [(GENERATE, root)])
    if (yield from lazy_best_first(problem, h, agenda, root, found, reopen=False, is_bound=False, is_last=False)):
        yield End(found.made, agenda, inf)
