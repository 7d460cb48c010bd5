"""Small graphs with every objective, as users would write them, and the best value of each, found by trying all paths."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

import bestfirst as bf

SIZE = 5
NONE = 99
"""The weight of an edge that does not exist."""


class Weighted(bf.Domain):
    """A graph: action t leads to node t, at a cost in the table of weights."""

    class State(NamedTuple):
        node: int

    max_actions = SIZE

    def __init__(self, weights: Any, goals: Any, ends: Any, estimates: Any) -> None:
        self.weights, self.goals = np.array(weights), np.array(goals)
        self.ends, self.estimates = np.array(ends), np.array(estimates)
        self.initial = self.State(0)

    def step(self, state: State, action: int) -> Any:
        weight = self.weights[state.node, action]
        return weight != NONE, self.State(action), weight

    def is_goal(self, state: State) -> Any:
        return self.goals[state.node]

    @bf.heuristic(admissible=True)
    def given(self, state: State) -> Any:
        return self.estimates[state.node]


class Largest(Weighted, keeps_claims=True):
    """The largest weight on the path counts."""

    path_cost = "max"


class Ending(Weighted, keeps_claims=True):
    """Ending a path costs something."""

    def end_cost(self, state: Weighted.State) -> Any:
        return self.ends[state.node]


class LargestEnding(Ending, keeps_claims=True):
    """The largest weight counts, or the cost of the end."""

    path_cost = "max"


class Gaining(Ending, keeps_claims=True):
    """Weights may be negative; nodes are numbered along the edges, so that there is no circle."""

    def most_gain(self, state: Weighted.State) -> Any:
        return 12 * (SIZE - state.node)


class Earning(Gaining, keeps_claims=True):
    """Weights are profits."""

    maximise = True


KINDS: list[Any] = [Largest, Ending, LargestEnding, Gaining, Earning]


class AsProblem(bf.Problem):
    """The same graph as a Problem that is not a Domain."""

    def __init__(self, graph: Weighted) -> None:
        self.graph, self.initial = graph, 0

    def successors(self, state: int) -> Iterator[Any]:
        for action, after, cost in self.graph.successors(self.graph.State(state)):
            yield f"to {action}", after.node, cost

    def is_goal(self, state: int) -> bool:
        return bool(self.graph.goals[state])

    @bf.heuristic(admissible=True)
    def given(self, state: int) -> Any:
        return self.graph.estimates[state]


class LargestProblem(AsProblem, keeps_claims=True):
    """Largest, as a Problem."""

    path_cost = "max"


class EndingProblem(AsProblem, keeps_claims=True):
    """Ending, as a Problem."""

    def end_cost(self, state: int) -> Any:
        return self.graph.ends[state]


class EarningProblem(EndingProblem, keeps_claims=True):
    """Earning, as a Problem."""

    maximise = True

    def most_gain(self, state: int) -> int:
        return 12 * (SIZE - state)


PROBLEMS: dict[Any, Any] = {Largest: LargestProblem, Ending: EndingProblem, Earning: EarningProblem}


def values(graph: Weighted, start: int = 0) -> list[Any]:
    """The value of each path from a node to a goal that enters no node twice."""
    found = []
    has_ends = isinstance(graph, Ending)

    def go(node: int, costs: list[Any], met: set[int]) -> None:
        if graph.goals[node]:
            whole = [*costs, graph.ends[node]] if has_ends else costs
            found.append(max([0, *whole]) if graph.path_cost == "max" else sum(whole))
        for target in range(SIZE):
            if graph.weights[node, target] != NONE and target not in met:
                go(target, [*costs, graph.weights[node, target]], {*met, target})

    go(start, [], {start})
    return found


def best(graph: Weighted, start: int = 0) -> Any:
    """The best value of a path from a node to a goal; None without a path."""
    found = values(graph, start)
    return None if not found else max(found) if graph.maximise else min(found)


@st.composite
def weighted(draw: st.DrawFn, kind: Any, *, floats: bool = False) -> Any:
    """A random graph with an objective, and an admissible heuristic that is at most 2 away from the best value."""
    has_gains = issubclass(kind, Gaining)
    least = -5 if kind is Gaining else 0
    number = st.integers(least, 8) if not floats else st.floats(least, 8).map(lambda value: round(value, 3))
    end = st.integers(0, 6) if not floats else st.floats(0, 6).map(lambda value: round(value, 3))

    def weight(source: int, target: int) -> Any:
        is_possible = target > source if has_gains else target != source
        return draw(number | number | st.just(NONE)) if is_possible else NONE

    weights = [[weight(source, target) for target in range(SIZE)] for source in range(SIZE)]
    goals = draw(st.lists(st.booleans(), min_size=SIZE, max_size=SIZE))
    ends = [draw(end) for _ in range(SIZE)]
    exact = [best(kind(weights, goals, ends, [0]), node) for node in range(SIZE)]
    loose = [draw(st.integers(0, 2)) for _ in range(SIZE)]
    if kind is Earning:
        estimates = [0 if most is None else most + more for most, more in zip(exact, loose, strict=True)]
    else:
        estimates = [0 if least is None else least - less for least, less in zip(exact, loose, strict=True)]
        if kind is not Gaining:
            estimates = [max(0, estimate) for estimate in estimates]
    return kind(weights, goals, ends, [float(value) for value in estimates] if floats else estimates)
