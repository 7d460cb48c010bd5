"""Instances of one class that differ in size only share their compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.compiled.compiler import translate as module
from bestfirst.compiled.compiler.machine_code import MachineCode
from bestfirst.compiled.compiler.specialise import methods_of, no_estimate
from bestfirst.compiled.compiler.translate import Translation, translate
from compilable import IntGraph, TwoWay
from twins import assert_twins

SIZES = (4, 7, 9, 14, 20)
"""Numbers of cities on both sides of 8 and of 16, where sets of them need another byte."""


class Tour(bf.Domain):
    """Visit all cities and return to the first."""

    class State(NamedTuple):
        """here: the city. left: the set of the cities that are left."""

        here: int
        left: int

    def __init__(self, cities: int) -> None:
        random = np.random.default_rng(cities)
        self.cities = self.max_actions = cities
        self.lengths = random.integers(1, 100, (cities, cities))
        self.shortest = self.lengths.min(axis=0)
        self.all = (1 << cities) - 1
        self.initial = self.State(0, self.all)

    def step(self, state: State, action: int) -> Any:
        if not state.left >> action & 1 or (action == 0 and state.left != 1):
            return False, state, 0
        return True, self.State(action, state.left ^ 1 << action), self.lengths[state.here, action]

    def is_goal(self, state: State) -> Any:
        been = self.all & ~state.left
        return been == self.all

    @bf.heuristic(admissible=True, consistent=True)
    def ways_in(self, state: State) -> Any:
        """The shortest way into each city that is left."""
        return sum(self.shortest[city] for city in range(self.cities) if state.left >> city & 1)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The functions that are compiled, or read from disk, from now on."""
    names: list[Any] = []
    make: Callable[..., Any] = MachineCode._made

    def noted(self: MachineCode, kinds: Any) -> Any:
        names.append((self._name, kinds))
        return make(self, kinds)

    monkeypatch.setattr(MachineCode, "_made", noted)
    return names


@pytest.mark.numba
@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["astar", "idastar", "depth-first-branch-and-bound"])
def test_tours_of_five_sizes_compile_once(algorithm: str, made: list[Any]) -> None:
    """The number of actions, the sizes of arrays and sets of cities are data, and both engines stay twins."""
    for cities in SIZES:
        assert_twins(Tour(cities), algorithm, "ways_in", expansions=300)
    assert len(made) == 1


class FixedTour(Tour):
    """A tour whose number of cities is compiled in."""

    fixed = ("max_actions",)


class PackedPancakes(bf.Domain):
    """Pancakes of four bits each: a shift by four times an action is one by less than 64 only if actions are few."""

    class State(NamedTuple):
        """The stack, the top one lowest."""

        stack: int

    def __init__(self, pancakes: int) -> None:
        self.max_actions = pancakes - 1
        self.initial = self.State(1)

    def step(self, state: State, action: int) -> Any:
        return True, self.State(state.stack >> 4 * action), 1

    def is_goal(self, state: State) -> Any:
        return state.stack == 0


def _translation(domain: bf.Domain, *others: bf.Domain) -> Translation:
    return translate(domain, methods_of(domain, no_estimate), others)


def test_fixed_and_the_class_body_make_constants() -> None:
    """Each number of actions then has its own code; on the instance alone it is data."""
    assert len({_translation(Tour(cities)).digest for cities in SIZES}) == 1
    assert len({_translation(FixedTour(cities)).digest for cities in SIZES}) == len(SIZES)
    constant, on_object = IntGraph({}, frozenset(), {}, 1), IntGraph({}, frozenset(), {}, 1)
    kind = type("FewEdges", (IntGraph,), {"max_actions": 17})
    constant.__class__ = kind
    del constant.max_actions
    assert _translation(constant).is_constant("max_actions")
    assert not _translation(on_object).is_constant("max_actions")


def test_fewer_actions_are_assumed_only_where_that_proves_shifts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever instance is translated first: the same instance always has the same code."""
    assert {_translation(Tour(cities)).range_of("max_actions") for cities in SIZES} == {(0, 64)}
    ranges = {5: (0, 8), 8: (0, 8), 12: (8, 16), 17: (0, 64), 40: (0, 64)}
    for sizes in (sorted(ranges), sorted(ranges, reverse=True)):
        monkeypatch.setattr(module, "_TRANSLATED", {})
        assert {size: _translation(PackedPancakes(size)).range_of("max_actions") for size in sizes} == {
            size: ranges[size] for size in sizes
        }


def test_the_code_of_two_directions_holds_for_both() -> None:
    """A backward domain with more actions than the forward one widens the range that step assumes."""
    forward = TwoWay({node: [] for node in range(8)}, 1, {}, {})
    backward = forward.backward()
    assert (forward.max_actions, backward.max_actions) == (17, 137)
    assert _translation(forward).range_of("max_actions") == (0, 64)
    assert _translation(forward, backward).range_of("max_actions") == (0, 1 << 16)
