"""Anytime weighted A*: an early solution, better ones with more time, an optimal one at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import Any

from bestfirst.problem import Problem
from bestfirst.search.dominance import DOMINATED, fronts_of
from bestfirst.search.incumbent import UpperBound, gave_up, incumbent_of
from bestfirst.search.node import Node, expand, root_of, total_of
from bestfirst.search.open_list import Agenda, Ties, by_weighted_total
from bestfirst.search.steps import DEAD_END, DUPLICATE, GENERATE, REOPEN, UPDATE, Drop, End, Expand, Goal, Made, Prune, Step
from bestfirst.search.weighted_astar import check_weight


def anytime_weighted_astar(
    problem: Problem,
    h: Callable[[Any], float],
    *,
    weight: float = 2.0,
    ties: Ties = "fifo",
    incumbent: Any = None,
    upper_bound: float | UpperBound | None = None,
) -> Iterator[Step]:
    """Weighted A* that continues after a solution, dropping every node whose f is not below the best cost so far.

    Guarantee: at any time cost / lower bound limits how far the best solution is from the optimum, if h is admissible:
        the lower bound is the lowest f on the agenda. The last solution is optimal. Terminates like A*.
    Time and memory: like A*, with two entries on the agenda for each node (by weighted f and by f).
    Ties: among equal g + weight * h, the lower h first, then first in, first out (or last in, first out).
    incumbent: a known solution, or its actions, to start with. upper_bound: only solutions that cost less are sought.
    Source: Hansen & Zhou 2007.
    """
    check_weight(weight)
    known = incumbent_of(problem, incumbent, h)
    agenda = Agenda(by_weighted_total(weight), ties)
    return _anytime_weighted_astar(problem, h, agenda, known, UpperBound.of(upper_bound))


def _anytime_weighted_astar(
    problem: Problem, h: Callable[[Any], float], agenda: Agenda, incumbent: Node | None, below: UpperBound
) -> Iterator[Step]:
    best = below.cost
    root = root_of(problem, h)
    by_f = _LowestFirst()
    known = {root.state: root}
    made: Made = [(GENERATE, root)]
    has_solution = incumbent is not None and incumbent.g < best
    if incumbent is not None and has_solution:
        best = incumbent.g
        yield Goal(incumbent, made, agenda, min(root.f, best))
        made = []
    if root.h < inf:
        agenda.push(root)
        by_f.add(root)
    fronts = fronts_of(problem)
    if fronts is not None:
        fronts.enter(root, known)
    while agenda:
        best = min(best, below.cost)
        bound = min(best, by_f.lowest())
        if bound >= best:
            break
        node = agenda.pop()
        if node.f >= best:
            made.append((Drop("f", best), node))
            continue
        if problem.is_goal(node.state):
            best, has_solution = node.g, True
            yield Goal(node, made, agenda, bound)
            made = []
            continue
        yield Expand(node, made, agenda, bound)
        made = []
        for child in expand(problem, node):
            twin = known.get(child.state)
            child.h = h(child.state) if twin is None else twin.h
            child.f = total_of(child.g, child.h)
            if child.h == inf:
                made.append((DEAD_END, child))
                continue
            if twin is not None and child.g >= twin.g:
                made.append((DUPLICATE, child))
                continue
            if child.f >= best:
                made.append((Prune("f", best), child))
                continue
            if fronts is not None and fronts.dominate(child):
                made.append((DOMINATED, child))
                continue
            if twin is None:
                made.append((GENERATE, child))
            elif twin.agenda is not None:
                agenda.discard(twin)
                made.append((UPDATE, child))
            else:
                made.append((REOPEN, child))
            if fronts is not None:
                made += fronts.enter(child, known)
            known[child.state] = child
            agenda.push(child)
            by_f.add(child)
    yield End(made, agenda, best, gave_up(best, has_solution))


class _LowestFirst:
    """The open nodes ordered by f: the lowest f is a lower bound on the cost of every solution not yet found."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Node]] = []
        self._serials = count()

    def add(self, node: Node) -> None:
        heappush(self._heap, (node.f, next(self._serials), node))

    def lowest(self) -> float:
        """The lowest f of an open node; infinite without open nodes."""
        while self._heap:
            f, _serial, node = self._heap[0]
            if node.agenda is not None:
                return f
            heappop(self._heap)
        return inf
