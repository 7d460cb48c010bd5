"""Directed graphs whose states have ranks, for enumerations on disk."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import bestfirst as bf


class Arrows(bf.Domain):
    """A directed graph of at most three arrows from each state, with a rank."""

    class State(NamedTuple):
        number: int

    unit_cost = True
    max_actions = 3

    def __init__(self, targets: list[list[int]]) -> None:
        self.size = len(targets)
        self.targets = np.array([(row + [-1] * 3)[:3] for row in targets])
        self.initial = self.State(0)

    def step(self, state: State, action: int) -> Any:
        target = self.targets[state.number, action]
        return target >= 0, self.State(target), 1

    def is_goal(self, state: State) -> bool:
        return state.number == 0

    def rank(self, state: State) -> int:
        return state.number

    def unrank(self, number: int) -> State:
        return self.State(number)


def shifts(size: int) -> Arrows:
    """A graph with dozens of levels over all partitions."""
    return Arrows([[(number + step) % size for step in (1, 23, 171)] for number in range(size)])
