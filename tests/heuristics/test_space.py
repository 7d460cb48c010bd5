"""The whole space of a problem, and the true distances in it."""

from __future__ import annotations

import math
from itertools import repeat
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.domains.sliding_tile import SlidingTile
from bestfirst.errors import CostError, InputError, ProblemError, StateError
from bestfirst.heuristics import space
from bestfirst.heuristics.space import StateSpace, explore
from bestfirst.heuristics.watch import STATES_BETWEEN_REPORTS
from bestfirst.problem import Problem
from graphs import Graph, graphs
from profiles import examples


def explored(problem: Problem, limit: int = 1_000_000) -> StateSpace:
    space = explore(problem, limit)
    assert space is not None
    return space


@given(graphs())
@examples(100)
def test_distances_and_edges_are_those_of_the_graph(graph: Graph) -> None:
    """On random graphs: every state within reach, its edges in order, and its distance as relaxation finds it."""
    space = explored(graph)
    truth = graph.distances()
    assert space.states[0] == graph.initial
    assert len(set(space.states)) == len(space)
    for number, state in enumerate(space.states):
        assert math.isclose(space.distances[number], truth[state], rel_tol=1e-9, abs_tol=1e-9)
        edges = [(space.states[target], cost) for target, cost in space.successors(number)]
        assert edges == graph.edges.get(state, [])
    assert {target for state in space.states for target, _ in graph.edges.get(state, [])} <= set(space.states)
    assert space.edges == sum(len(graph.edges.get(state, [])) for state in space.states)


@given(graphs(costs=st.just(1)))
@examples(100)
def test_where_each_action_costs_1_distances_count_actions(graph: Graph) -> None:
    """Breadth-first from the goals finds the fewest actions."""
    assert explored(graph).distances[0] == graph.fewest_actions()


def test_a_space_larger_than_the_limit_is_given_up() -> None:
    """The little puzzle has 12 boards: they fit 12 and not 11."""
    puzzle = SlidingTile("1 2 / 3 _")
    assert len(explored(puzzle, limit=12)) == 12
    assert explore(puzzle, 11) is None


def test_an_infinite_space_is_given_up() -> None:
    """The limit ends the exploration of a space without an end."""
    assert explore(Problem.of(0, lambda state: [("on", state + 1, 1)], lambda _: False), 1000) is None


def test_no_goal_is_infinitely_far() -> None:
    """Where no goal can be reached every distance is infinite."""
    assert explored(SlidingTile("2 1 / 3 _")).distances == [math.inf] * 12


@pytest.mark.parametrize(
    ("successors", "error"),
    [
        (lambda _: [("a", 1, -1)], CostError),
        (lambda _: [("a", 1)], ProblemError),
        (lambda _: [("a", [1], 1)], StateError),
    ],
)
def test_a_problem_that_breaks_its_contract_is_refused(successors: Any, error: type[Exception]) -> None:
    """Costs, triples and states are checked as in a search."""
    with pytest.raises(error):
        explore(Problem.of(0, successors, lambda state: state == 1))


def test_a_goal_test_that_returns_no_truth_value_is_refused() -> None:
    """As in a search: without its return, no state would seem to be a goal."""
    with pytest.raises(ProblemError, match=r"is_goal\(0\) returns None; it must return True or False"):
        explore(Problem.of(0, lambda _: [], lambda _: None))  # type: ignore[arg-type, return-value]


def test_successors_without_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though they lead to few states."""
    monkeypatch.setattr(space, "MOST_SUCCESSORS", 100)
    with pytest.raises(ProblemError, match=r"successors\(0\) yields more than 100 actions; check that it ends"):
        explore(Problem.of(0, lambda _: repeat(("a", 1, 1)), lambda _: False))


def test_an_initial_state_that_is_not_hashable_is_refused() -> None:
    """The message names the state and says how to write it instead."""
    with pytest.raises(StateError, match=r"\[0\] is not hashable .* tuples"):
        explore(Problem.of([0], lambda _: [], lambda _: True))


def test_a_limit_below_one_is_refused() -> None:
    """There is always one state, the initial one."""
    with pytest.raises(InputError, match="limit is 0"):
        explore(SlidingTile("1 2 / 3 _"), 0)


def test_progress_is_told_now_and_then() -> None:
    """It hears of every thousandth state."""
    heard: list[tuple[str, int]] = []
    size = 2 * STATES_BETWEEN_REPORTS + 1
    line = Problem.of(0, lambda state: [("on", state + 1, 1)] if state + 1 < size else [], lambda state: state + 1 == size)
    explore(line, progress=lambda doing, states: heard.append((doing, states)))
    assert heard == [("exploring", 0), ("exploring", STATES_BETWEEN_REPORTS), ("exploring", 2 * STATES_BETWEEN_REPORTS)]
