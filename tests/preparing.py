"""Domains with prepare() and forced(), and the same domains without them, for tests."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

import bestfirst as bf

NODES, LOADS = 12, 7


class Loads(bf.Domain):
    """A graph in which a load grows with each edge. In some nodes, the load decides that only one edge is allowed, and what it
    costs more."""

    class State(NamedTuple):
        node: int
        load: int

    max_actions = 4
    bits = {"node": 4, "load": 3}  # noqa: RUF012
    size = 16 * 8

    def __init__(self, targets: Any, costs: Any, only: Any, goal: int) -> None:
        self.targets, self.costs, self.only = (np.array(table, np.int64) for table in (targets, costs, only))
        self.goal = goal
        self.initial = self.State(0, 0)

    def single(self, state: State) -> Any:
        return self.only[state.node] if state.load % 3 == 0 else -1

    def surcharge(self, state: State) -> Any:
        return (2 * state.node + state.load) % 5, state.load % 2 == 1, state.load / 2

    def follow(self, state: State, action: int, more: int) -> Any:
        target = self.targets[state.node, action]
        if target < 0:
            return False, state, 0
        return True, self.State(target, min(state.load + 1, LOADS)), self.costs[state.node, action] + more

    def is_goal(self, state: State) -> bool:
        return state.node == self.goal

    def rank(self, state: State) -> int:
        return state.node << 3 | state.load

    def unrank(self, number: int) -> State:
        return self.State(number >> 3, number & 7)

    @bf.heuristic(admissible=True, consistent=True)
    def zero(self, state: State) -> int:  # noqa: ARG002
        return 0


class Plain(Loads, keeps_claims=True):
    """It without these members."""

    def step(self, state: Loads.State, action: int) -> Any:
        only = self.single(state)
        if only >= 0 and action != only:
            return False, state, 0
        base, is_odd, half = self.surcharge(state)
        return self.follow(state, action, base + (1 if is_odd else 0) + (1 if half > 1.5 else 0))


class Prepared(Loads, keeps_claims=True):
    """It with both members, and a named tuple."""

    class Ready(NamedTuple):
        base: int
        is_odd: bool
        half: float

    def prepare(self, state: Loads.State) -> Any:
        base, is_odd, half = self.surcharge(state)
        return self.Ready(base, half=half, is_odd=is_odd)

    def forced(self, state: Loads.State) -> int:
        return int(self.single(state))

    def step(self, state: Loads.State, action: int, prepared: Any) -> Any:
        more = prepared.base + (1 if prepared.is_odd else 0) + (1 if prepared.half > 1.5 else 0)
        return self.follow(state, action, more)


class OnlyForced(Loads, keeps_claims=True):
    """It with forced() only."""

    def forced(self, state: Loads.State) -> int:
        return int(self.single(state))

    def step(self, state: Loads.State, action: int) -> Any:
        base, is_odd, half = self.surcharge(state)
        return self.follow(state, action, base + (1 if is_odd else 0) + (1 if half > 1.5 else 0))


class OnlyPrepared(Loads, keeps_claims=True):
    """It with prepare() only, which returns one number."""

    def prepare(self, state: Loads.State) -> int:
        base, is_odd, half = self.surcharge(state)
        return int(base + (1 if is_odd else 0) + (1 if half > 1.5 else 0))

    def step(self, state: Loads.State, action: int, more: int) -> Any:
        only = self.single(state)
        if only >= 0 and action != only:
            return False, state, 0
        return self.follow(state, action, more)


@st.composite
def tables(draw: Any) -> tuple[Any, ...]:
    """Arguments of these domains."""
    rows = st.lists(st.integers(-1, NODES - 1), min_size=4, max_size=4)
    targets = draw(st.lists(rows, min_size=NODES, max_size=NODES))
    costs = draw(st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=NODES, max_size=NODES))
    only = draw(st.lists(st.sampled_from([-1, -1, 0, 1, 2, 3]), min_size=NODES, max_size=NODES))
    return targets, costs, only, draw(st.integers(1, NODES - 1))
