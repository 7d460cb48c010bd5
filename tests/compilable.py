"""Domains in the compilable form, for tests: as users would write them."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

import bestfirst as bf
from graphs import Graph, admissible_heuristics, graphs


class Pancakes(bf.Domain):
    """A stack of up to 15 pancakes, 4 bits each, the top one lowest; an action k turns the top k + 2 over."""

    class State(NamedTuple):
        stack: int

    unit_cost = True
    default_heuristic = "gap"

    def __init__(self, stack: list[int]) -> None:
        self.size = len(stack)
        self.max_actions = len(stack) - 1
        self.initial = self.State(sum(pancake << 4 * place for place, pancake in enumerate(stack)))
        self.goal = sum((place + 1) << 4 * place for place in range(self.size))

    def step(self, state: State, action: int) -> Any:
        turned = action + 2
        stack = state.stack >> (4 * turned) << (4 * turned)
        for place in range(turned):
            stack |= ((state.stack >> (4 * place)) & 15) << (4 * (turned - 1 - place))
        return True, self.State(stack), 1

    def inverse(self, action: int) -> int:
        return action

    def is_goal(self, state: State) -> bool:
        return state.stack == self.goal

    @bf.heuristic(admissible=True, consistent=True)
    def gap(self, state: State) -> int:
        gaps = 0
        for place in range(self.size):
            pancake = (state.stack >> (4 * place)) & 15
            below = (state.stack >> (4 * (place + 1))) & 15 if place + 1 < self.size else self.size + 1
            if abs(pancake - below) != 1:
                gaps += 1
        return gaps


class IntGraph(bf.Domain):
    """A graph of int costs: edge k of node n leads to targets[n, k] and costs costs[n, k]; -1 for no edge.

    width: at least so many actions, so that graphs of different sizes need be compiled only once.
    """

    class State(NamedTuple):
        node: int

    def __init__(
        self,
        edges: dict[int, list[tuple[int, int]]],
        goals: frozenset[int],
        h: dict[int, int],
        size: int,
        *,
        width: int = 17,
    ) -> None:
        self.max_actions = max(width, max((len(links) for links in edges.values()), default=0) + 1)
        targets = np.full((size, self.max_actions), -1, np.int64)
        costs = np.zeros((size, self.max_actions), np.int64)
        for node, links in edges.items():
            for place, (target, cost) in enumerate(links):
                targets[node, place] = target
                costs[node, place] = cost
        self.targets, self.costs = targets, costs
        self.goals = np.array([node in goals for node in range(size)])
        self.estimates = np.array([h.get(node, 0) for node in range(size)], np.int64)
        self.initial = self.State(0)

    def step(self, state: State, action: int) -> Any:
        target = self.targets[state.node, action]
        if target < 0:
            return False, state, 0
        return True, self.State(target), self.costs[state.node, action]

    def is_goal(self, state: State) -> Any:
        return self.goals[state.node]

    @bf.heuristic(admissible=True)
    def given(self, state: State) -> Any:
        return self.estimates[state.node]


class FloatGraph(IntGraph):
    """The same with costs and estimates that are floats; an estimate may be infinite."""

    def __init__(
        self,
        edges: dict[int, list[tuple[int, float]]],
        goals: frozenset[int],
        h: dict[int, float],
        size: int,
        *,
        width: int = 17,
    ) -> None:
        super().__init__({node: [(to, 0) for to, _ in links] for node, links in edges.items()}, goals, {}, size, width=width)
        lengths = np.zeros((size, self.max_actions))
        for node, links in edges.items():
            for place, (_, cost) in enumerate(links):
                lengths[node, place] = cost
        self.lengths = lengths
        self.distances = np.array([h.get(node, 0) for node in range(size)], float)

    def step(self, state: IntGraph.State, action: int) -> Any:
        target = self.targets[state.node, action]
        if target < 0:
            return False, state, 0.0
        return True, self.State(target), self.lengths[state.node, action]

    @bf.heuristic(admissible=True)
    def given(self, state: IntGraph.State) -> Any:
        return self.distances[state.node]


class TwoWay(IntGraph):
    """A graph with one goal, from which it can be searched too. back: the estimates of the cost from the start.

    States carry along where their side has started. Backward, action `most * k + j` leads from a node to the j-th of those from
    which action k leads to it.
    """

    class State(NamedTuple):
        node: int
        start: int = 0

    identity = ("node",)

    def __init__(self, edges: dict[int, Any], goal: int, h: dict[int, Any], back: dict[int, Any], start: int = 0) -> None:
        super().__init__(edges, frozenset([goal]), h, 8)
        self.start = start
        self.initial = self.State(start, start)
        self.default_heuristic = "given"
        self._reversal = edges, goal, h, back

    def step(self, state: Any, action: int) -> Any:
        target = self.targets[state.node, action]
        if target < 0:
            return False, state, 0
        return True, self.State(target, self.start), self.costs[state.node, action]

    @bf.heuristic(admissible=True)
    def given(self, state: Any) -> Any:
        return self.estimates[state.node]

    def backward(self) -> bf.Domain:
        edges, goal, h, back = self._reversal
        most = 8
        into: dict[int, list[tuple[int, Any]]] = {node: [(-1, 0)] * (most * 17) for node in range(8)}
        for source, links in edges.items():
            for action, (target, cost) in enumerate(links):
                free = next(j for j in range(most) if into[target][most * action + j][0] < 0)
                into[target][most * action + free] = source, cost
        reverse = type(self)(into, self.initial.node, back, h, goal)
        reverse.actions = [number // most for number in range(reverse.max_actions)]
        return reverse


class TwoWayFloat(TwoWay, FloatGraph):
    """The same with costs and estimates that are floats."""

    backward, identity = TwoWay.backward, TwoWay.identity  # they hold for the other step too

    def step(self, state: Any, action: int) -> Any:
        target = self.targets[state.node, action]
        if target < 0:
            return False, state, 0.0
        return True, self.State(target, self.start), self.lengths[state.node, action]

    @bf.heuristic(admissible=True)
    def given(self, state: Any) -> Any:
        return self.distances[state.node]


@st.composite
def two_way_graphs(draw: st.DrawFn, kind: type[TwoWay]) -> TwoWay:
    """Random graphs with one goal, and with estimates for both directions that are admissible and as a rule inconsistent."""
    number: Any = float if issubclass(kind, FloatGraph) else int
    graph = draw(graphs(most_nodes=8, costs=st.floats(0, 5) if number is float else st.integers(0, 9)))
    goal = max(graph.goals, default=0)
    edges = {node: [(to, number(cost)) for to, cost in links] for node, links in graph.edges.items()}
    into: dict[int, list[tuple[int, float]]] = {}
    for source, links in edges.items():
        for target, cost in links:
            into.setdefault(target, []).append((source, cost))
    estimates: list[dict[int, Any]] = []
    for one_way in (Graph(edges, 0, frozenset([goal])), Graph(into, goal, frozenset([0]))):
        estimate = draw(admissible_heuristics(one_way))
        values = {node: estimate(node) for node in one_way.distances()}
        estimates.append({node: number(value) for node, value in values.items() if number is float or value < math.inf})
    forward, back = estimates
    return kind(edges, goal, forward, back)


@st.composite
def int_graphs(draw: st.DrawFn) -> IntGraph:
    """Random graphs with int costs, and with estimates that are admissible and as a rule inconsistent."""
    graph = draw(graphs(most_nodes=8, costs=st.integers(0, 9)))
    estimate = draw(admissible_heuristics(graph))
    h = {node: int(estimate(node)) for node in graph.distances() if estimate(node) < math.inf}
    edges = {node: [(to, int(cost)) for to, cost in links] for node, links in graph.edges.items()}
    domain = IntGraph(edges, graph.goals, h, 8)
    domain.default_heuristic = "given"
    return domain


@st.composite
def float_graphs(draw: st.DrawFn) -> FloatGraph:
    """The same with floats, and with infinite estimates for dead ends."""
    graph = draw(graphs(most_nodes=8))
    estimate = draw(admissible_heuristics(graph))
    edges = {node: [(to, float(cost)) for to, cost in links] for node, links in graph.edges.items()}
    domain = FloatGraph(edges, graph.goals, {node: estimate(node) for node in graph.distances()}, 8)
    domain.default_heuristic = "given"
    return domain
