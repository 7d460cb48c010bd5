"""Costs and estimates as Python numbers, and comparing them."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.problem import Problem
from bestfirst.rounding import as_number, exceeds, exceeds_bound, is_sum, sound_bound, told_apart
from graphs import Graph


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (3, 3, False),
        (4, 3, True),
        (0.1 + 0.2, 0.3, False),
        (0.3001, 0.3, True),
        (9e-10, 1e-10, True),
        (1e-15, 0.0, False),
        (math.inf, 3, True),
        (math.inf, math.inf, False),
        (3, math.inf, False),
        (10**18 + 1, 10**18, True),
    ],
)
def test_a_number_exceeds_another_by_more_than_rounding_explains(one: float, other: float, expected: bool) -> None:
    """Ints are compared exactly; sums of floats may differ in their last digits; infinity exceeds all but itself."""
    assert exceeds(one, other) is expected


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (np.uint8(200), 200),
        (np.int8(-3), -3),
        (np.float32(0.5), 0.5),
        (True, 1),
        (np.bool_(True), 1),
        (Fraction(1, 4), 0.25),
        (Decimal("0.5"), 0.5),
    ],
)
def test_other_numbers_become_ints_or_floats(value: Any, number: float) -> None:
    """NumPy's small ints, which overflow when they are added, become ints that do not."""
    assert as_number(value) == number
    assert type(as_number(value)) is type(number)


@pytest.mark.parametrize("value", ["7", None, [1, 2], 1j])
def test_what_is_no_number_is_refused(value: Any) -> None:
    """Texts too, though they could be read as numbers."""
    with pytest.raises((TypeError, ValueError)):
        as_number(value)


def test_costs_of_small_numpy_ints_do_not_overflow() -> None:
    """100 + 200 is 300, also where the costs are single bytes, as in a map read from a picture."""
    roads = {"S": [("A", 100), ("B", 60)], "A": [("T", 200)], "B": [("T", 60)]}

    def successors(city: str) -> Any:
        return [(to, to, np.uint8(cost)) for to, cost in roads.get(city, [])]

    problem = bf.Problem.of("S", successors, lambda city: city == "T")
    solution = bf.solve(problem)
    solution.verify()
    assert (solution.cost, solution.states) == (120, ["S", "B", "T"])


def test_costs_whose_sum_is_infinite_are_refused() -> None:
    """A path of infinite cost would look like no path at all."""
    problem = bf.Problem.of(0, lambda state: [("on", state + 1, 1e308)], lambda state: state == 3)
    with pytest.raises(bf.CostError, match="the cost of the path exceeds"):
        bf.solve(problem)


LARGE = 10_000_000_000


def two_ways(one: Any, other: Any) -> Problem:
    """From 0 to 9 at one cost through 1, and at another one through 2."""
    edges: dict[int, list[tuple[int, Any]]] = {0: [(1, 0 * one), (2, 0 * one)], 1: [(9, one)], 2: [(9, other)]}
    return Graph(edges, 0, frozenset([9]))


def test_whole_costs_are_not_optimal_by_a_tolerance() -> None:
    """A cost of 10000000001 is not optimal over a float bound of 10000000000, which another path has."""
    solution = bf.solve(
        two_ways(LARGE + 1, LARGE), "weighted-astar", lambda node: float(LARGE) if node == 2 else 0.0, weight=3
    )
    assert (solution.cost, solution.lower_bound, solution.status) == (LARGE + 1, LARGE, "bounded")


def test_a_cost_above_the_bound_by_a_small_part_of_it_is_not_optimal() -> None:
    """Breadth-first search with 2000000000.5 over a bound of 2000000000.0, where 2000000000.0 exists."""
    edges: dict[int, list[tuple[int, float]]] = {0: [(1, 1e9), (2, 1e9)], 1: [(9, 1e9 + 0.5)], 2: [(9, 1e9)]}
    solution = bf.solve(Graph(edges, 0, frozenset([9])), "breadth-first")
    assert (solution.cost, solution.lower_bound, solution.status) == (2000000000.5, 2e9, "solved")


def test_floats_are_equal_up_to_what_rounding_explains_and_the_condition_says_so() -> None:
    """0.1 + 0.2 is above an estimate of 0.3 by 5e-17; 1e-9 of it is more than rounding."""
    edges: dict[int, list[tuple[int, float]]] = {0: [(1, 0.1)], 1: [(2, 0.2)]}
    h = {0: 0.3, 1: 0.2, 2: 0.0}
    graph = Graph(edges, 0, frozenset([2]))
    limits = bf.Limits(expansions=1)
    rounded = bf.solve(graph, "weighted-astar", bf.Heuristic(h.__getitem__, "h", admissible=True), weight=1)
    assert (rounded.status, rounded.cost) == ("optimal", 0.1 + 0.2)
    assert bf.solve(graph, "astar", h.__getitem__, limits=limits).lower_bound == pytest.approx(0.3)
    assert not exceeds_bound(0.1 + 0.2, 0.3, 1) and exceeds_bound(0.3 + 3e-10, 0.3, 1)
    assert exceeds_bound(3, 3 - 1e-15, 1) and not exceeds_bound(3, 3.0, 1)


def test_the_rounding_that_is_allowed_for_grows_with_the_additions() -> None:
    """A tenth a million times over is 100000.00000133288 in floats, not 100000; three tenths are not so far off."""
    total = sum([0.1] * 10**6, 0.0)
    assert is_sum(100_000.0, total, 10**6) and not is_sum(100_000.0, total, 3)
    assert not is_sum(3, 4, 10**6)


def test_a_float_bound_beyond_2_to_the_53_proves_no_whole_cost() -> None:
    """Floats do not tell 2**60 from 2**60 + 1, so neither is optimal over it."""
    assert sound_bound(2.0**60) < 2**60 and sound_bound(2**60) == 2**60
    solution = bf.solve(two_ways(2**60 + 1, 2**60), "astar", lambda _: 0.0)
    assert solution.status == "solved" or solution.cost == 2**60


def test_estimates_beside_much_larger_costs_are_not_said_to_overestimate() -> None:
    """What is left of a large cost is off by the rounding of the whole; the bound does not fall to 0 for it."""
    edges: dict[int, list[tuple[int, float]]] = {0: [(1, 1e9 + 0.1)], 1: [(3, 1e-11)]}

    class TwoWay(Graph):
        def backward(self) -> Problem:
            into = {1: [("to 1", 0, 1e9 + 0.1)], 3: [("to 3", 1, 1e-11)]}
            return Problem.of(3, lambda state: into.get(state, []), lambda state: state == 0)

    forward = bf.Heuristic({0: 1e9, 1: 1e-11, 3: 0.0}.__getitem__, "forward", admissible=True)
    back = bf.Heuristic({0: 0.0, 1: 1e9, 3: 1e9}.__getitem__, "back", admissible=True)
    search = bf.Search(TwoWay(edges, 0, frozenset([3])), "bidirectional-astar", forward, backward_heuristic=back)
    bounds = []
    while not search.ended:
        bounds.append(search.run(bf.Limits(expansions=1)).lower_bound)
    assert bounds == sorted(bounds) and search.solution.status == "optimal"


def test_costs_and_estimates_are_of_one_type_whatever_the_estimates_are() -> None:
    """A float estimate makes neither the cost nor the bound a float; costs that are floats make both floats."""
    for costs, kind in (((2, 3), int), ((2.0, 3.0), float)):
        for algorithm in ("astar", "idastar", "rbfs", "weighted-astar", "anytime-weighted-astar"):
            for expansions in (1, None):
                problem, limits = two_ways(*costs), bf.Limits(expansions=expansions)
                solution = bf.solve(problem, algorithm, lambda _: 0.0, limits=limits)
                assert type(solution.lower_bound) is kind and type(solution.cost) in (kind, type(None))


@pytest.mark.parametrize("value", [10**400, -(10**400), 10**5000], ids=["large", "negative", "longer than Python writes"])
def test_an_estimate_or_a_cost_beyond_all_floats_is_named(value: int) -> None:
    """It could not be added to a float, nor written."""
    with pytest.raises(bf.HeuristicError, match=r"(digits|bits).*at most 8.9e307"):
        bf.solve(two_ways(1.5, 2), "astar", lambda _: value)
    with pytest.raises(bf.CostError, match=r"(digits|bits).*finite"):
        bf.solve(two_ways(value, 2))
    later = bf.Problem.of(0, lambda x: [("go", x + 1, value if x else 0.5)], lambda x: x == 2)
    with pytest.raises(bf.CostError, match=r"(digits|bits).*finite"):
        bf.solve(later)


def test_a_negative_cost_says_how_to_maximise() -> None:
    """The commonest reason for one."""
    with pytest.raises(bf.CostError, match="maximise"):
        bf.solve(two_ways(-1, 2))


class Steep(bf.Domain):
    """Two steps, and an estimate between them that is near the largest float."""

    class State(NamedTuple):
        x: int

    initial, max_actions = State(0), 1

    def __init__(self, cost: float, between: float) -> None:
        self.cost, self.between = cost, between

    def step(self, state: Any, _action: Any) -> Any:
        return True, self.State(state.x + 1), self.cost

    def is_goal(self, state: Any) -> Any:
        return state.x == 2

    @bf.heuristic(admissible=False)
    def large(self, state: Any) -> Any:
        return self.between if state.x == 1 else 0.0


@pytest.mark.parametrize("engine", ["python", "compiled"])
@pytest.mark.parametrize("algorithm", ["astar", "idastar", "anytime-beam", "depth-first-branch-and-bound"])
def test_sums_of_large_costs_and_estimates_are_finite(algorithm: str, engine: str) -> None:
    """Otherwise a state would pass for a dead end. So neither may exceed half of the largest float."""
    assert bf.solve(Steep(4e307, 8.5e307), algorithm, "large", engine=engine).cost == 8e307
    with pytest.raises(bf.HeuristicError, match=r"at most 8\.9e307"):
        bf.solve(Steep(1.0, 9e307), algorithm, "large", engine=engine)
    with pytest.raises(bf.CostError, match=r"exceeds 8\.9e307"):
        bf.solve(Steep(8e307, 0.0), algorithm, "large", engine=engine)


@pytest.mark.parametrize("algorithm", ["astar", "idastar", "anytime-beam", "depth-first-branch-and-bound"])
def test_compiled_code_adds_no_float_beyond_2_to_the_52_to_whole_costs(algorithm: str) -> None:
    """Python adds it as an int, and says more exactly which f is lower."""
    with pytest.raises(bf.errors.WordOverflowError, match=r"2\*\*52.*math\.inf"):
        bf.solve(Steep(1, 1e18), algorithm, "large", engine="compiled")
    assert bf.solve(Steep(1, 1e18), algorithm, "large", engine="python").cost == 2


class Rounded(bf.Problem[int, int]):
    """One path, whose cost is another float if its halves are summed from both ends."""

    COSTS = (0.1, 0.2, 0.7)

    def __init__(self, start: int = 0, goal: int = 3, way: int = 1) -> None:
        self.initial, self.goal, self.way = start, goal, way

    def is_goal(self, state: int) -> bool:
        return state == self.goal

    def successors(self, state: int) -> Any:
        following = state + self.way
        if 0 <= following <= 3:
            yield min(state, following), following, self.COSTS[min(state, following)]

    def backward(self) -> Rounded:
        return Rounded(3, 0, -1)


def test_the_costs_in_a_history_are_those_of_paths() -> None:
    """So none is below the cost of the solution, and none rises."""
    solution = bf.solve(Rounded(), "bidirectional-astar", "zero")
    assert [entry.cost for entry in solution.history if entry.cost is not None] == [1.0] * len(solution.history)
    assert solution.history[-1].lower_bound == solution.lower_bound


@pytest.mark.parametrize(
    ("numbers", "texts"),
    [
        ((2.5, 3), ("2.5", "3")),
        ((0.1 + 0.2, 1 / 3), ("0.3", "0.333333")),
        ((2**53 + 1, 2**53), ("9007199254740993", "9007199254740992")),
        ((math.inf, 10**400), ("inf", f"1{'0' * 400}")),
        ((0.1 + 0.2, 0.3), ("0.30000000000000004", "0.3")),
    ],
)
def test_different_numbers_differ_in_a_message(numbers: tuple[float, ...], texts: tuple[str, ...]) -> None:
    """They have six digits, and all of them only where these would be the same."""
    assert told_apart(*numbers) == texts


class Step(Problem):
    """One step to the goal, of a cost that an estimate exceeds by little."""

    initial = 0

    def __init__(self, cost: float, estimate: float) -> None:
        self.cost, self.estimate = cost, estimate

    def is_goal(self, state: int) -> bool:
        return state == 1

    def successors(self, state: int) -> Any:
        if state == 0:
            yield "step", 1, self.cost

    @bf.heuristic(admissible=True, consistent=True)
    def high(self, state: int) -> float:
        return 0 if state else self.estimate


@pytest.mark.parametrize(("cost", "estimate"), [(2**53, 2**53 + 1), (0.2, 0.200000003)])
def test_an_overestimate_is_told_with_the_digits_that_show_it(cost: float, estimate: float) -> None:
    """In the warnings of a search, and in an audit."""
    warned = " ".join(bf.solve(Step(cost, estimate), "astar", "high").warnings)
    assert f"it returns {estimate} for 0, whose distance to a goal is {cost}" in warned
    assert f"first from {estimate} to {cost} between 0 and 1" in warned
    audited = str(bf.audit(Step(cost, estimate), "high"))
    assert f"h {estimate}, true distance {cost}" in audited
