"""Domains with resources, and random instances of them."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

import bestfirst as bf

SIZE = 12


class Tour(bf.Domain):
    """A tour of up to ten places within their time windows; it costs the distances, and waiting is free."""

    class State(NamedTuple):
        unvisited: int
        place: int
        time: int

    bits = MappingProxyType({"unvisited": 10, "place": 4})
    max_actions = 10
    resources = MappingProxyType({"time": "less"})

    def __init__(self, distances: Any, opens: Any, closes: Any) -> None:
        self.distances, self.opens, self.closes = (np.array(table, np.int64) for table in (distances, opens, closes))
        self.initial = self.State((1 << len(self.opens)) - 2, 0, 0)

    def step(self, state: State, action: int) -> Any:
        if action >= len(self.opens) or state.unvisited >> action & 1 == 0:
            return False, state, 0
        distance = self.distances[state.place, action]
        time = max(state.time + distance, self.opens[action])
        return time <= self.closes[action], self.State(state.unvisited & ~(1 << action), action, time), distance

    def is_goal(self, state: State) -> bool:
        return state.unvisited == 0

    @bf.heuristic(admissible=True, consistent=True)
    def places_left(self, state: State) -> int:
        return state.unvisited.bit_count()


class Tank(bf.Domain):
    """A grid on which each step takes fuel or money: states with more fuel and less dirt dominate."""

    class State(NamedTuple):
        place: int
        fuel: int
        dirt: int

    max_actions = 3
    resources = MappingProxyType({"fuel": "more", "dirt": "less"})

    def __init__(self, costs: Any, dirt: Any) -> None:
        self.costs: Any = np.array(costs, np.int64)
        self.dirts = np.array(dirt, np.int64)
        self.initial = self.State(0, 3, 0)

    def step(self, state: State, action: int) -> Any:
        if action == 2:
            return state.fuel < 3, self.State(state.place, state.fuel + 1, state.dirt), 2
        place = state.place + 1 + action
        if place >= SIZE or state.fuel <= action:
            return False, state, 0
        dirt = state.dirt + self.dirts[place]
        return dirt <= 9, self.State(place, state.fuel - 1 - action, dirt), self.costs[place]

    def is_goal(self, state: State) -> bool:
        return state.place == SIZE - 1

    @bf.heuristic(admissible=True, consistent=True)
    def zero(self, state: State) -> int:  # noqa: ARG002
        return 0


class WithFloats(Tank):
    """Its costs are floats."""

    def __init__(self, costs: Any, dirt: Any) -> None:
        super().__init__(costs, dirt)
        self.costs = self.costs / 4


@st.composite
def tours(draw: Any) -> Tour:
    size = draw(st.integers(4, 7))
    row = st.lists(st.integers(1, 9), min_size=size, max_size=size)
    opens = draw(st.lists(st.integers(0, 12), min_size=size, max_size=size))
    return Tour(draw(st.lists(row, min_size=size, max_size=size)), opens, [at + draw(st.integers(5, 40)) for at in opens])


@st.composite
def tanks(draw: Any, kind: type[Tank] = Tank) -> Tank:
    numbers = st.lists(st.integers(0, 5), min_size=SIZE, max_size=SIZE)
    return kind(draw(numbers), draw(numbers))
