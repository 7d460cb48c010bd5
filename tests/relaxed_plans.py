"""Brute force for the delete relaxation of small tasks, the truth for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush
from itertools import combinations, count, product
from math import inf
from typing import TypeVar

from bestfirst.planning import Fact, State, Task

Facts = frozenset[Fact]
T = TypeVar("T")


def facts_of(state: State) -> Facts:
    return frozenset(Fact(variable, value) for variable, value in enumerate(state))


def unary(task: Task) -> list[tuple[Facts, Fact, int]]:
    """Each effect as an operator of its own: what it needs, what it makes true, its cost."""
    return [
        (frozenset((*operator.preconditions, *effect.conditions)), effect.fact, operator.cost)
        for operator in task.operators
        for effect in operator.effects
    ]


def applied(task: Task, number: int, known: Facts) -> Facts:
    """The facts that are true after an operator, if nothing becomes false."""
    effects = task.operators[number].effects
    return known.union(effect.fact for effect in effects if known.issuperset(effect.conditions))


def is_relaxed_plan(task: Task, state: State, plan: Sequence[int]) -> bool:
    """Whether some operators, in some order and as often as needed, make the goal true if nothing becomes false."""
    known = facts_of(state)
    for _ in range(len(plan) + sum(len(operator.effects) for operator in task.operators)):
        for number in plan:
            if known.issuperset(task.operators[number].preconditions):
                known = applied(task, number, known)
    return known.issuperset(task.goal)


def cheapest_relaxed_plan(task: Task, state: State) -> float:
    """The cost of a cheapest relaxed plan: Dijkstra's algorithm on the sets of true facts."""

    def following(known: Facts) -> Iterable[tuple[Facts, int]]:
        for number, operator in enumerate(task.operators):
            if known.issuperset(operator.preconditions):
                yield applied(task, number, known), operator.cost

    return _cheapest(facts_of(state), following, lambda known: known.issuperset(task.goal))


def cheapest_relaxed_operators(task: Task, state: State) -> float:
    """The cost of the cheapest operators that form a relaxed plan; each counts once, however often it is applied."""
    numbers = range(len(task.operators))
    some = (subset for size in range(len(numbers) + 1) for subset in combinations(numbers, size))
    costs = (sum(task.operators[one].cost for one in subset) for subset in some if is_relaxed_plan(task, state, subset))
    return min(costs, default=inf)


def cheapest_plan(task: Task, state: State) -> float:
    """The cost of a cheapest plan."""
    return _cheapest(state, lambda one: ((after, cost) for _, after, cost in task.successors(one)), task.is_goal)


def _cheapest(start: T, following: Callable[[T], Iterable[tuple[T, int]]], is_goal: Callable[[T], bool]) -> float:
    costs: dict[T, int] = {start: 0}
    queue, entries = [(0, 0, start)], count(1)
    while queue:
        cost, _, node = heappop(queue)
        if is_goal(node):
            return cost
        if cost == costs[node]:
            for after, step in following(node):
                if cost + step < costs.get(after, inf):
                    costs[after] = cost + step
                    heappush(queue, (cost + step, next(entries), after))
    return inf


def fixed_point(task: Task, state: State, combine: Callable[[list[float]], float]) -> float:
    """The cost of the goal, by repeating the equations until nothing changes: combine is max for h_max, sum for h_add."""
    costs: dict[Fact, float] = dict.fromkeys(facts_of(state), 0)
    changed = True
    while changed:
        changed = False
        for needed, fact, own in unary(task):
            cost = own + combine([0, *(costs.get(other, inf) for other in needed)])
            if cost < costs.get(fact, inf):
                costs[fact] = cost
                changed = True
    return combine([0, *(costs.get(fact, inf) for fact in set(task.goal))])


def all_states(task: Task) -> list[State]:
    return list(product(*(range(len(variable.facts)) for variable in task.variables)))
