"""The exploration of a delete relaxation: the cost of each fact from a state, by Dijkstra's algorithm.

Source: Bonet & Geffner, "Planning as heuristic search", 2001.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bestfirst.planning.heuristics.relaxation import COST_LIMIT, Relaxation

if TYPE_CHECKING:
    from bestfirst.planning.task import State

Combine: TypeAlias = Callable[[Iterable[float]], float]
"""The cost of several facts, from the cost of each: max or sum."""


class Explored(NamedTuple):
    """costs: of each fact, infinity if it cannot be reached. supporters: the numbers of the rule and of the
    operator by which each is reached; None if it is true.
    ranks: the place of each in the order of exploration."""

    costs: list[float]
    supporters: list[tuple[int, int] | None]
    ranks: list[int]


def capped(cost: float) -> float:
    """A cost, at most COST_LIMIT - 1 if it is finite: sums of costs can grow exponentially with the number of facts."""
    return cost if cost == inf else min(cost, COST_LIMIT - 1)


def explore(relaxation: Relaxation, state: State, combine: Combine, rule_costs: Sequence[int]) -> Explored:
    """The cost of each fact: 0 if it is true in the state, otherwise that of a cheapest rule plus that of its preconditions.

    Of facts with equal costs, that is explored first which was reached last; a fact keeps the first of its cheapest rules.
    """
    rules, needed_by = relaxation.rules, relaxation.needed_by
    costs: list[float] = [inf] * relaxation.facts
    supporters: list[tuple[int, int] | None] = [None] * relaxation.facts
    ranks, explored = [relaxation.facts] * relaxation.facts, count()
    missing = [len(rule.preconditions) for rule in rules]
    queue: list[tuple[float, int, int]] = []
    newer = count(0, -1)
    for fact in relaxation.true_in(state):
        costs[fact] = 0
        heappush(queue, (0, next(newer), fact))
    while queue:
        cost, _, fact = heappop(queue)
        if cost > costs[fact]:
            continue  # it has been reached at a lower cost since
        ranks[fact] = next(explored)
        for number in needed_by[fact]:
            missing[number] -= 1
            if missing[number] == 0:
                rule = rules[number]
                reached = capped(combine(costs[needed] for needed in rule.preconditions) + rule_costs[number])
                for effect, operator in zip(rule.effects, rule.operators, strict=True):
                    if reached < costs[effect]:
                        costs[effect] = reached
                        supporters[effect] = number, operator
                        heappush(queue, (reached, next(newer), effect))
    return Explored(costs, supporters, ranks)
