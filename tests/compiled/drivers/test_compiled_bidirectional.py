"""Bidirectional A*, compiled, against the reference engine: the same search, to the node."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from compilable import IntGraph, TwoWay, TwoWayFloat, two_way_graphs
from profiles import examples
from twins import assert_twins, random_board

NAME = "bidirectional-astar"
KORF_12 = bf.SlidingTile("14 1 9 6 4 8 12 5 7 2 3 _ 10 11 13 15", goal=range(16))
LIMITS = st.one_of(st.none(), st.integers(0, 12))


@examples(20)
@given(domain=two_way_graphs(TwoWay), expansions=LIMITS)
def test_the_engines_are_twins_on_graphs_with_int_costs(domain: TwoWay, expansions: int | None) -> None:
    """Zero-cost edges, loops, goals out of reach, estimates inconsistent on both sides, wherever a limit stops them.

    The states of the two sides differ in a field that is not part of their identity; the path has those of the problem itself.
    """
    solution = assert_twins(domain, NAME, expansions=expansions)
    if expansions is None:
        optimum = bf.solve(domain, "uniform-cost", engine="python").cost
        assert (solution.status, solution.cost) == ("unsolvable" if optimum is None else "optimal", optimum)
        assert all(state.start == 0 for state in solution.states)


@examples(20)
@given(domain=two_way_graphs(TwoWayFloat), expansions=LIMITS)
def test_the_engines_are_twins_on_graphs_with_float_costs(domain: TwoWayFloat, expansions: int | None) -> None:
    """Likewise with floats, and with infinite estimates for dead ends."""
    assert_twins(domain, NAME, expansions=expansions)


@examples(12)
@given(data=st.data(), expansions=st.one_of(st.none(), st.integers(0, 500)))
def test_the_engines_are_twins_on_random_boards(data: st.DataObject, expansions: int | None) -> None:
    """Boards whose states are ranked and others, any goal, any order of moves; each side's states carry its own estimate."""
    size = data.draw(st.sampled_from([(3, 3), (4, 4)]))
    goal = tuple(data.draw(st.permutations(range(size[0] * size[1]))))
    assert_twins(random_board(data.draw, goal, size, 30), NAME, expansions=expansions)


@pytest.mark.slow
def test_a_long_search_is_handed_over_and_can_be_sliced() -> None:
    """The arrays of both sides grow, and it ends with the counts of one go in the reference engine."""
    whole = bf.solve(KORF_12, NAME, engine="python")
    assert (whole.status, whole.cost) == ("optimal", 45)
    search = bf.Search(KORF_12, NAME)
    while search.run(bf.Limits(expansions=3_333)).status == "limit":
        pass
    solution = search.solution
    solution.verify()
    solution.stats.seconds = whole.stats.seconds
    assert (solution.engine, solution.stats, solution.actions) == ("compiled", whole.stats, whole.actions)


def test_the_backward_puzzle_can_itself_be_compiled() -> None:
    """Its moves are named as they are made in the other direction, and its backward puzzle is the first one again."""
    reverse = bf.SlidingTile("2 8 3 1 6 4 7 _ 5", goal="1 2 3 8 _ 4 7 6 5").backward()
    assert assert_twins(reverse, NAME).actions == ["R", "D", "L", "U", "U"]
    domain = reverse.domain()
    assert domain is not None
    moves = [(action, domain.decode(state)) for action, state, _ in domain.successors(domain.initial)]
    assert moves == [(action, state) for action, state, _ in reverse.successors(reverse.initial)]


@pytest.mark.parametrize("problem", [bf.TopSpin([1, 3, 2, 5, 4, 6, 7]), bf.LightsOut("101/000/011")], ids=repr)
def test_the_engines_are_twins_where_a_backward_problem_only_names_its_actions_otherwise(problem: bf.Problem) -> None:
    """It may be of another class, if its steps and estimates are made by the same methods."""
    assert_twins(problem, NAME)


def test_a_start_that_is_the_goal_and_one_that_is_hopeless() -> None:
    """Neither needs an expansion."""
    solved = assert_twins(bf.SlidingTile("1 2 3 4 5 6 7 8 _"), NAME)
    assert (solved.cost, solved.stats.expanded) == (0, 0)
    hopeless = TwoWayFloat({0: [(1, 1.0)]}, 2, {0: math.inf}, {})
    assert assert_twins(hopeless, NAME).status == "unsolvable"


def test_an_inconsistent_heuristic_of_the_backward_half_is_reported() -> None:
    """The warning names the first edge along which f falls, on whichever side that is."""
    edges = {0: [(1, 1), (2, 1)], 1: [(3, 2)], 2: [(3, 4)], 3: [(4, 3)]}
    domain = TwoWay(edges, 4, {}, {4: 5, 3: 0})
    assert "inconsistent" in assert_twins(domain, NAME).warnings[0]


class OtherWay(IntGraph):
    """Its backward problem is of another class."""

    def backward(self) -> bf.Problem:
        return TwoWay({1: [(0, 1)]}, 0, {}, {}, 1)


@pytest.mark.parametrize(("kind", "reason"), [(IntGraph, "returns None"), (OtherWay, "returns TwoWay")])
def test_what_cannot_be_searched_from_both_ends_is_refused(kind: Any, reason: str) -> None:
    """With what backward() gives."""
    with pytest.raises(bf.InputError, match=reason):
        bf.solve(kind({0: [(1, 1)]}, frozenset([1]), {}, 8), NAME, "given", engine="compiled")


def test_a_heuristic_of_its_own_for_the_backward_half_is_left_to_the_reference_engine() -> None:
    """The compiled engine takes the one of the same name on both sides."""
    options: dict[str, Any] = {"backward_heuristic": "zero"}
    with pytest.raises(bf.InputError, match="it has the option backward_heuristic"):
        bf.solve(KORF_12, NAME, engine="compiled", **options)
    assert bf.solve(KORF_12, NAME, limits=bf.Limits(expansions=3000), **options).engine == "python"


def test_a_backward_problem_with_data_of_other_types_is_refused() -> None:
    """The same compiled code is to run on both sides."""

    class Mixed(TwoWay):
        def backward(self) -> bf.Domain:
            reverse = super().backward()
            reverse.estimates = reverse.compiled_value("estimates").astype("int32")
            return reverse

    with pytest.raises(
        bf.InputError,
        match=r"is .* int64 .* int32",
    ):
        bf.solve(Mixed({0: [(1, 1)]}, 1, {}, {}), NAME, engine="compiled")


def test_a_backward_problem_that_fixes_something_else_is_refused() -> None:
    """The same compiled code is to run on both sides, with the same numbers in it."""

    class Fixing(TwoWay):
        fixed = ("start",)

    with pytest.raises(bf.InputError, match=r"is fixed, but its value is 1 .* and its value is 0"):
        bf.solve(Fixing({0: [(1, 1)]}, 1, {}, {}), NAME, engine="compiled")


@pytest.mark.parametrize(("cost", "h", "error"), [(-1, 0, bf.CostError), (1, -1, bf.HeuristicError)])
def test_bad_costs_and_estimates_are_errors_as_in_the_reference_engine(cost: int, h: int, error: type[Exception]) -> None:
    """Found in compiled code on the backward side, explained with state and action."""
    domain = TwoWay({0: [(1, 1)], 1: [(2, 1)], 2: [(3, cost)], 3: [(4, 1)]}, 4, {}, {2: h})
    with pytest.raises(error):
        bf.solve(domain, NAME, engine="compiled")
