"""Rings of places, small domains for tables of distances; and a table in memory, level by level."""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

import numpy as np

import bestfirst as bf
from bestfirst.compiled.kernels.distances import UNKNOWN
from bestfirst.compiled.sweeps.distances import Distances, Levels, rounded_up


def table_of(domain: bf.Domain, threads: int = 1) -> Distances:
    """All distances in a domain."""
    distances = new_table_of(domain, threads)
    go_through(distances)
    return distances


def new_table_of(domain: bf.Domain, threads: int = 1) -> Distances:
    """A table of a domain before its first level."""
    return Distances(domain, np.full(rounded_up(domain.size), UNKNOWN, np.uint8), threads=threads)


def go_through(distances: Levels, levels: float = inf) -> None:
    """Process so many levels more, or all."""
    wanted = len(distances.levels) + levels
    while not distances.complete and len(distances.levels) < wanted:
        for _ in distances.next_level():
            pass


class OneWay(bf.Domain):
    """A ring of places: on by one for 1, on by five for 0 .. 3; there is no way back."""

    class State(NamedTuple):
        place: int

    max_actions = 2

    def __init__(self, length: int, cost: int) -> None:
        self.size = self.length = length
        self.cost = cost
        self.initial = self.State(1)

    def step(self, state: State, action: int) -> Any:
        if action == 0:
            return True, self.State((state.place + 1) % self.length), 1
        return state.place % 3 == 0, self.State((state.place + 5) % self.length), self.cost

    def is_goal(self, state: State) -> bool:
        return state.place == 0

    def rank(self, state: State) -> int:
        return state.place

    def unrank(self, number: int) -> State:
        return self.State(number)


class BothWays(OneWay):
    """The same with the actions back."""

    max_actions = 4
    undirected = True

    def step(self, state: OneWay.State, action: int) -> Any:
        length = self.length
        if action == 0:
            return True, self.State((state.place + 1) % length), 1
        if action == 1:
            return True, self.State((state.place - 1 + length) % length), 1
        if action == 2:
            return state.place % 3 == 0, self.State((state.place + 5) % length), self.cost
        place = (state.place - 5 + length) % length
        return place % 3 == 0, self.State(place), self.cost


class Rings(BothWays):
    """Two of these rings: from each place to its like in the other one it costs so much."""

    max_actions = 5

    def __init__(self, cost: int) -> None:
        super().__init__(50, 1)
        self.size, self.over = 100, cost

    def step(self, state: OneWay.State, action: int) -> Any:
        ring, place = state.place // 50, state.place % 50
        if action == 4:
            return True, self.State(50 * (1 - ring) + place), self.over
        place = (place + 1) % 50 if action == 0 else (place + 49) % 50
        return action < 2, self.State(50 * ring + place), 1
