"""Limited-discrepancy search: dives that trust the heuristic first, and then disagree with it ever more often."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import Any

from bestfirst.heuristics.heuristic import zero
from bestfirst.problem import Problem
from bestfirst.search.anytime_beam import Known, Levels
from bestfirst.search.incumbent import UpperBound, incumbent_of
from bestfirst.search.node import Node, expand, root_of, total_of
from bestfirst.search.open_list import Agenda, by_total_alone
from bestfirst.search.reached import Reached
from bestfirst.search.steps import DEAD_END, Drop, Prune, Round, Step


def limited_discrepancy(
    problem: Problem,
    h: Callable[[Any], float] | None = None,
    *,
    incumbent: Any = None,
    upper_bound: float | UpperBound | None = None,
) -> Iterator[Step]:
    """Search depth-first in iterations: the first follows the best child of each node, the next one deviates once, and so on.

    The best child is the one with the lowest f. To follow another one is a discrepancy: such children wait for the next
    iteration, which begins with the one that was generated last. Nodes whose f is not below the best cost are pruned,
    and so are paths to known states that cost no less, or that lead to dominated states. No node is expanded again
    unless a cheaper path to its state is found.

    Guarantee: the last solution is the cheapest, if h is admissible; h need not be consistent. Any path to a cheaper
    solution contains a waiting node, so the lowest f of these nodes is a lower bound. Terminates on every finite problem.
    Suited to problems with many goals and a heuristic that is seldom wrong: the first iterations are short.
    Time: at most that of expanding each state once for each path that is cheaper than those before. Memory: the states reached.
    Ties: the children of a node in order of f, then in the order of the problem.
    incumbent: a known solution, or its actions, to start with. upper_bound: only solutions that cost less are sought.
    Source: Harvey & Ginsberg 1995; Beck & Perron 2000; with a memo and dominance: Kuroiwa & Beck 2023 (discrepancy-bounded
    depth-first search).
    """
    estimate = h or zero
    known = incumbent_of(problem, incumbent, estimate)
    return _limited_discrepancy(problem, estimate, known, UpperBound.of(upper_bound))


def _limited_discrepancy(
    problem: Problem, h: Callable[[Any], float], incumbent: Node | None, below: UpperBound
) -> Iterator[Step]:
    root = root_of(problem, h)
    known = Known(root, below)
    yield from known.begin_with(incumbent)
    reached = Reached(problem, root)
    waiting = _stack()
    waiting.push(root)
    discrepancies = 0
    while known.proved < known.best:
        stack, waiting = waiting, _stack()
        yield Round(None, known.reported(), [], known.proved, what="discrepancies", limit=discrepancies)
        yield from _dive(problem, h, known, reached, stack, waiting)
        known.prove(min((node.f for node in waiting), default=inf))
        discrepancies += 1
    yield known.end()


def _dive(
    problem: Problem, h: Callable[[Any], float], known: Known, reached: Reached, stack: Agenda, waiting: Agenda
) -> Iterator[Step]:
    """One iteration: from each node of the stack to the best child, and so on; the others wait."""
    agenda = Levels(stack, waiting)
    while stack and known.proved < known.best:
        node = stack.pop()
        if node.f >= known.best:
            known.made.append((Drop("f", known.best), node))
            continue
        if problem.is_goal(node.state):
            yield known.improved(node, agenda)
            continue
        yield known.expand(node, agenda)
        children = Agenda(by_total_alone)
        for child in expand(problem, node):
            twin = reached.at(child.state)
            child.h = h(child.state) if twin is None else twin.h
            child.f = total_of(child.g, child.h)
            if child.h == inf:
                known.made.append((DEAD_END, child))
            elif child.f >= known.best:
                known.made.append((Prune("f", known.best), child))
            else:
                reached.enter(child, children, known.made)
        if children:
            stack.push(children.pop())
            for child in reversed(list(children)):
                waiting.push(child)


def _stack() -> Agenda:
    """An agenda that the last node leaves first."""
    return Agenda(lambda _node: (), "lifo")
