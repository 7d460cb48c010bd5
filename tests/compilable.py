"""Domains in the compilable form, for tests: as users would write them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import bestfirst as bf


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
    """A graph of int costs: edge k of node n leads to targets[n, k] and costs costs[n, k]; -1 for no edge."""

    class State(NamedTuple):
        node: int

    def __init__(self, edges: dict[int, list[tuple[int, int]]], goals: frozenset[int], h: dict[int, int], size: int) -> None:
        self.max_actions = max((len(links) for links in edges.values()), default=0) + 1
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
        self, edges: dict[int, list[tuple[int, float]]], goals: frozenset[int], h: dict[int, float], size: int
    ) -> None:
        super().__init__({node: [(to, 0) for to, _ in links] for node, links in edges.items()}, goals, {}, size)
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
