"""Dominance: states that are no better than known ones, at no lower cost, are dropped."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.compiled.kernels.slices import FIRST_SIZE
from bestfirst.compiled.store import node_store
from bestfirst.dominance_check import counter_example
from profiles import examples
from twins import assert_twins
from with_resources import SIZE, Tank, Tour, WithFloats, tanks, tours

LARGE = "large-neighbourhood-beam"
ALGORITHMS = ["astar", "weighted-astar", "greedy", "anytime-weighted-astar", "anytime-beam", LARGE]


def without(domain: Any) -> bf.Problem:
    """The same problem without resources."""
    return bf.Problem.of(domain.initial, domain.successors, domain.is_goal)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@examples(20)
@given(tour=tours())
def test_twins_on_tours(algorithm: str, tour: Tour) -> None:
    """Both engines drop the same states of a tour."""
    options = {"weight": 2} if algorithm == "weighted-astar" else {}
    assert_twins(tour, algorithm, "places-left", **options)


@examples(20)
@given(tank=tanks())
def test_twins_with_two_resources(tank: Tank) -> None:
    """Both engines keep the same fronts of states with two resources of different directions."""
    assert_twins(tank, "anytime-beam", "zero")


@examples(20)
@given(problem=st.one_of(tours(), tanks()))
def test_twins_with_a_memo(problem: Any) -> None:
    """Depth-first branch and bound compares states with those of its memo, and finds the cheapest solution."""
    heuristic = "places-left" if isinstance(problem, Tour) else "zero"
    found = assert_twins(problem, "depth-first-branch-and-bound", heuristic, memo=True)
    assert found.cost == bf.solve(without(problem), "uniform-cost").cost


@examples(20)
@given(tank=tanks(WithFloats))
def test_twins_with_floats(tank: Tank) -> None:
    """Both engines drop the same states, with two resources, if costs are floats."""
    assert_twins(tank, "astar", "zero")


class Crews(bf.Domain):
    """Jobs are given to crews, one after the other: a state whose crews are all free earlier dominates."""

    class State(NamedTuple):
        left: int
        free: tuple[int, ...]

    bits = MappingProxyType({"left": 4, "free": 6})
    resources = MappingProxyType({"free": "less"})

    def __init__(self, times: list[int], costs: list[int]) -> None:
        self.times, self.costs = np.array(times), np.array(costs)
        self.max_actions = len(times)
        self.initial = self.State((1 << len(times) // 2) - 1, (0, 0))

    def step(self, state: State, action: int) -> Any:
        job, crew = action // 2, action % 2
        free = list(state.free)
        free[crew] += self.times[action]
        legal = state.left >> job & 1 == 1 and free[crew] <= 20
        return legal, self.State(state.left & ~(1 << job), tuple(free)), self.costs[action]

    def is_goal(self, state: State) -> bool:
        return state.left == 0

    @bf.heuristic(admissible=True, consistent=True)
    def zero(self, state: State) -> int:  # noqa: ARG002
        return 0


@examples(20)
@given(times=st.lists(st.integers(1, 12), min_size=8, max_size=8), costs=st.lists(st.integers(0, 3), min_size=8, max_size=8))
def test_twins_with_a_tuple_of_resources(times: list[int], costs: list[int]) -> None:
    """The elements of a tuple are compared one by one; the cost is that of a search without resources."""
    crews = Crews(times, costs)
    found = assert_twins(crews, "astar", "zero")
    assert found.cost == bf.solve(without(crews), "uniform-cost").cost


@examples(20)
@given(problem=st.one_of(tours(), tanks()))
def test_same_cost(problem: Any) -> None:
    """Dominance changes neither the cost of a solution nor whether there is one."""
    plain = bf.solve(without(problem), "uniform-cost")
    for algorithm in ("uniform-cost", "anytime-beam", LARGE):
        heuristic = None if algorithm == "uniform-cost" else "zero"
        found = bf.solve(problem, algorithm, heuristic, engine="python")
        assert (found.status, found.cost) == (plain.status, plain.cost)


TOUR = Tour([[(7 * i + 3 * j) % 9 + 1 for j in range(7)] for i in range(7)], [0, 9, 2, 30, 5, 20, 11], [60] * 7)


def test_fewer_expansions() -> None:
    """A search with resources expands fewer states than one without."""
    with_resources = bf.solve(TOUR, "uniform-cost", engine="python").stats
    plain = bf.solve(without(TOUR), "uniform-cost").stats
    assert with_resources.expanded < plain.expanded
    assert with_resources.pruned > 0
    tank = Tank([3, 1, 4, 1, 5, 2, 0, 5, 3, 5, 2, 4], [2, 0, 1, 3, 1, 0, 2, 1, 0, 3, 1, 2])
    without_memo, memo, both = (
        bf.solve(problem, "depth-first-branch-and-bound", engine="python", memo=memo).stats.expanded
        for problem, memo in ((tank, False), (without(tank), True), (tank, True))
    )
    assert without_memo > memo > both


def test_growing_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both engines agree when the table and the records of a search grow."""
    size = 10
    distances = [[(5 * i * i + 7 * j) % 11 + 1 for j in range(size)] for i in range(size)]
    tour = Tour(distances, [13 * place % 40 for place in range(size)], [999] * size)
    beam = assert_twins(tour, "anytime-beam", "places-left", width=512)
    assert beam.stats.generated - beam.stats.pruned > FIRST_SIZE
    monkeypatch.setattr(node_store, "FIRST_NODES", 64)
    assert_twins(tour, "astar", "places-left")


def test_dominance_of_a_problem() -> None:
    """A problem that is no Domain says by dominates() and dominance_group() which states are worth keeping."""

    class Walk(bf.Problem[tuple[int, int], str]):
        initial = (0, 0)

        def is_goal(self, state: tuple[int, int]) -> bool:
            return state[0] == 6

        def successors(self, state: tuple[int, int]) -> Any:
            yield "walk", (state[0] + 1, state[1] + 1), 1
            yield "wander", (state[0] + 1, state[1] + 2), 1

    class Lighter(Walk):
        def dominates(self, state: tuple[int, int], other: tuple[int, int]) -> bool:
            return state[1] <= other[1]

        def dominance_group(self, state: tuple[int, int]) -> int:
            return state[0]

    plain, lighter = bf.solve(Walk(), "uniform-cost"), bf.solve(Lighter(), "uniform-cost", trace=True)
    assert (plain.cost, lighter.cost) == (6, 6)
    assert (plain.stats.expanded, lighter.stats.expanded) == (21, 6)
    assert lighter.trace is not None
    assert any("dominated" in str(event) for event in lighter.trace)

    class Heavier(Lighter):
        def successors(self, state: tuple[int, int]) -> Any:
            yield "walk", (state[0] + 1, state[1] + 1), 1

    assert bf.solve(Heavier(), "uniform-cost").cost == 6, "its base class spoke of other rules"


def test_rules_of_a_subclass() -> None:
    """A subclass that replaces a rule loses the resources that its base class declared."""

    class Late(Tour):
        def is_goal(self, state: Tour.State) -> bool:
            return state.unvisited == 0 and state.time >= 30

    assert Late.resources != {}
    assert Late(TOUR.distances, TOUR.opens, TOUR.closes).resources == {}


def test_check_finds_wrong_resources() -> None:
    """check() reports a state that dominates one with a cheaper path to a goal."""

    class Wrong(Tank):
        resources = MappingProxyType({"fuel": "less"})

    numbers = [1] * SIZE
    assert counter_example(Tank(numbers, numbers), 500) is None
    fault = counter_example(Wrong(numbers, numbers), 500)
    assert fault is not None
    assert "dominates" in fault
    assert any("correct resources" in fault for fault in bf.check(Wrong(numbers, numbers)).faults)


@pytest.mark.parametrize(
    ("resources", "words"),
    [
        ("time", "set it to a dict"),
        ({"speed": "less"}, "has the key 'speed'"),
        ({"time": "lower"}, "write 'less' or 'more'"),
    ],
)
def test_resources_stated_wrongly(resources: Any, words: str) -> None:
    """Resources that are no dict of fields and directions are refused."""
    tour = Tour([[1, 1], [1, 1]], [0, 0], [9, 9])
    tour.resources = resources
    with pytest.raises(bf.InputError, match=words):
        bf.solve(tour)


def test_resources_with_threads() -> None:
    """A search by several threads compares no resources, and says so."""
    with pytest.raises(bf.InputError, match="omit threads"):
        bf.solve(TOUR, "astar", "places-left", threads=2)


def test_dominates_is_not_compiled() -> None:
    """A Domain that defines dominates() is solved by the reference engine, and the plan says why."""

    class Own(Tour):
        resources = MappingProxyType({})

        def dominates(self, state: Tour.State, other: Tour.State) -> bool:
            return state.unvisited == other.unvisited and state.place == other.place and state.time <= other.time

    own = Own(TOUR.distances, TOUR.opens, TOUR.closes)
    assert "dominates()" in bf.plan(own, "astar", "places-left").why["engine"]
    assert bf.solve(own, "astar", "places-left").cost == bf.solve(TOUR, "astar", "places-left").cost


def test_saving_is_refused() -> None:
    """A compiled search that compares resources cannot be saved, and says so."""
    search = bf.Search(TOUR, "astar", "places-left", engine="compiled")
    search.run(bf.Limits(expansions=5))
    with pytest.raises(bf.InputError, match="cannot be saved"):
        search.save("search.bestfirst")


class Fuel(bf.Domain):
    """Eight steps, each of which may take on fuel; the goal needs eight units."""

    class State(NamedTuple):
        place: int
        fuel: int

    max_actions = 2
    initial = State(0, 0)

    def __init__(self, better: str, bits: int | None = None) -> None:
        self.resources = {"fuel": better}
        if bits is not None:
            self.bits = {"fuel": bits}

    def step(self, state: State, action: int) -> Any:
        return state.place < 8, self.State(state.place + 1, state.fuel + action), 1

    def is_goal(self, state: State) -> bool:
        return state.place == 8 and state.fuel == 8

    @bf.heuristic(admissible=True, consistent=True)
    def zero(self, state: State) -> int:  # noqa: ARG002
        return 0


@pytest.mark.parametrize("bits", [None, 100])
def test_resources_of_an_instance(bits: int | None) -> None:
    """Two objects of a class with different resources share no compiled comparison, whatever the width of the field."""
    search, memo = "depth-first-branch-and-bound", True
    assert assert_twins(Fuel("less", bits), search, "zero", memo=memo).status == "unsolvable", "a wrong promise"
    assert assert_twins(Fuel("more", bits), search, "zero", memo=memo).cost == 8


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"dominates": lambda _self, _one, _other: "yes"}, "must return True or False"),
        ({"dominates": lambda _self, _one, _other: None}, "must return True or False"),
        ({"dominates": lambda *_: True, "dominance_group": lambda _self, state: [state]}, "dominance_group"),
    ],
)
def test_wrong_results_of_dominates(members: dict[str, Any], words: str) -> None:
    """dominates() must return a bool, and dominance_group() something hashable."""
    rules = {"successors": lambda _self, n: [("+", n + 1, 1), ("-", n - 1, 1)], "is_goal": lambda _self, n: n == 5}
    odd = type("Odd", (bf.Problem,), {"initial": 0, **rules, **members})()
    with pytest.raises(bf.ProblemError, match=words):
        bf.solve(odd, "uniform-cost")


def test_lost_dominance_is_named_until_it_is_used() -> None:
    """A subclass with other rules is told of both methods, and still of dominates() when only the group is declared again."""

    class Rooms(bf.Problem[int, str]):
        initial = 0

        def is_goal(self, state: int) -> bool:
            return state == 2

        def successors(self, state: int) -> Any:
            return [("go", state + 1, 1)]

        def dominates(self, state: int, other: int) -> bool:
            return state == other

        def dominance_group(self, state: int) -> int:
            return state

    class Others(Rooms):
        def successors(self, state: int) -> Any:
            return [("go", state + 1, 2)]

    class Half(Others):
        def dominance_group(self, state: int) -> int:
            return state

    assert "dominance_group, dominates;" in bf.solve(Others()).warnings[0]
    assert "rules: dominates;" in bf.solve(Half()).warnings[0]
