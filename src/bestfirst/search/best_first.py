"""Best-first graph search with an injected agenda order: the core of A*, weighted A*, greedy and uniform cost.

Why a map from states to nodes, rather than a list of nodes? For every child the search asks 'which path to
this state do I know?'. A map answers in constant time; a list takes time proportional to its length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import Any

from bestfirst.problem import Problem
from bestfirst.search.dominance import DOMINATED, fronts_of
from bestfirst.search.node import Node, expand, root_of, total_of
from bestfirst.search.open_list import Agenda
from bestfirst.search.steps import DEAD_END, DUPLICATE, GENERATE, REOPEN, UPDATE, End, Expand, Goal, Made, Step


def best_first(
    problem: Problem,
    h: Callable[[Any], float],
    agenda: Agenda,
    *,
    reopen: bool = True,
    bound: Callable[[Node], float],
    bound_at_goal: Callable[[Node, Agenda], float],
) -> Iterator[Step]:
    """Take the first node off the agenda; if it is a goal, stop; else insert its children.

    agenda: an empty one; best-first searches differ only in its order.
    reopen: whether a cheaper path to an expanded state puts it back on the agenda, and one to an open state
    replaces the known path; otherwise the first path to a state is kept.
    bound: a lower bound on the cost of every solution, from the node about to be expanded.
    bound_at_goal: the same, from the goal found and the agenda at that time.

    g of a child is computed on expansion (node.expand): g of its parent plus the cost of the action.
    """
    root = root_of(problem, h)
    known = {root.state: root}  # the best node met so far for each state: open (on the agenda) or closed
    fronts = fronts_of(problem, compares_costs=reopen)
    if root.h < inf:
        agenda.push(root)
    if fronts is not None:
        fronts.enter(root, known)
    made: Made = [(GENERATE, root)]
    proved: float = 0
    while agenda:
        node = agenda.pop()
        if problem.is_goal(node.state):
            yield Goal(node, made, agenda, bound_at_goal(node, agenda))
            return
        proved = max(proved, bound(node))
        yield Expand(node, made, agenda, proved)
        made = []
        for child in expand(problem, node):
            twin = known.get(child.state)
            child.h = h(child.state) if twin is None else twin.h
            child.f = total_of(child.g, child.h)
            if child.h == inf:
                made.append((DEAD_END, child))
                continue
            if twin is not None and (child.g >= twin.g or not reopen):
                made.append((DUPLICATE, child))
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
    yield End(made, agenda, inf)
