"""Lazy anytime search: lazy greedy search for a first solution, then lazy weighted A* with falling weights for better ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from math import inf
from typing import Any

from bestfirst.errors import InputError, shown
from bestfirst.problem import Problem
from bestfirst.search.incumbent import UpperBound, gave_up, incumbent_of
from bestfirst.search.lazy import Found, lazy_best_first
from bestfirst.search.node import Node, root_of
from bestfirst.search.open_list import by_estimate, by_weighted_total
from bestfirst.search.preferred import Preferred, PreferredAgenda, preferred_of
from bestfirst.search.steps import GENERATE, End, Goal, Round, Step
from bestfirst.search.weighted_astar import check_weight

WEIGHTS = (5, 3, 2, 1)


def lazy_anytime(
    problem: Problem,
    h: Callable[[Any], float],
    *,
    weights: Sequence[float] = WEIGHTS,
    preferred: bool = True,
    incumbent: Any = None,
    upper_bound: float | UpperBound | None = None,
) -> Iterator[Step]:
    """Lazy greedy search, then lazy weighted A* with each of the weights; each starts again after a better solution.

    Paths that cost no less than the best solution are pruned; if h is declared admissible, so are nodes whose f is not
    below that cost. The last weight continues after a solution.

    Guarantee: the last solution is the cheapest, if h is infinite only at dead ends (an admissible h is): weighted searches
    expand a state again if they reach it by a cheaper path, and the algorithm ends when one of them exhausts its agenda. So h
    may overestimate. Terminates on every finite problem.
    Time: one estimate for each expansion. The proof takes as long as a search of all paths cheaper than the best solution,
    unless h is admissible. Memory: one node for each child of an iteration, including duplicates.
    preferred: as in lazy greedy search, in all iterations. Costs are those of the problem in all iterations, and in h.
    weights: the weights of h in the iterations after the first.
    Ties: among equal g + weight * h, the lower h first, then first in, first out.
    incumbent: a known solution, or its actions, to start with. upper_bound: only solutions that cost less are sought.
    Source: Richter & Westphal 2010 (LAMA); Richter, Thayer & Ruml 2010 (restarts).
    """
    checked = checked_weights(weights)
    known = incumbent_of(problem, incumbent, h)
    return _lazy_anytime(problem, h, checked, preferred_of(h) if preferred else None, known, UpperBound.of(upper_bound))


def _lazy_anytime(
    problem: Problem,
    h: Callable[[Any], float],
    weights: Sequence[float],
    preferred: Preferred | None,
    incumbent: Node | None,
    below: UpperBound,
) -> Iterator[Step]:
    is_bound = getattr(h, "admissible", None) is True
    root = root_of(problem, h)
    found = Found(below, root.f if is_bound else 0, [(GENERATE, root)])
    if incumbent is not None and incumbent.g < found.best:
        found.best, found.has_solution = incumbent.g, True
        yield Goal(incumbent, found.reported(), [], min(found.bound, found.best))
    orders = chain([(inf, by_estimate)], ((weight, by_weighted_total(weight)) for weight in weights))
    for number, (weight, order) in enumerate(orders):
        agenda = PreferredAgenda(order, preferred=preferred)
        yield Round(root, found.reported(), agenda, min(found.bound, found.best), what="weight", limit=weight)
        is_exhausted = yield from lazy_best_first(
            problem,
            h,
            agenda,
            root,
            found,
            reopen=number > 0,
            is_bound=is_bound,
            is_last=number == len(weights),
        )
        if is_exhausted and (
            number > 0 or found.best == inf
        ):  # without reopening, a bound may hide the cheaper path to a state
            break
    yield End(found.made, [], found.best, gave_up(found.best, found.has_solution))


def checked_weights(weights: Sequence[float]) -> tuple[float, ...]:
    """The weights; raises InputError unless they are numbers >= 1, at least one."""
    if isinstance(weights, str) or not isinstance(weights, Sequence) or not weights:
        raise InputError(f"weights is {shown(weights)}; use a list of numbers >= 1, such as [5, 3, 2, 1]")
    for weight in weights:
        check_weight(weight)
    return tuple(weights)
