"""Samples of large spaces: what is said to be the true distance is the true distance."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.domains.sliding_tile import SlidingTile
from bestfirst.heuristics.sampling import LONGEST_WALK, Ball, ball_around_goal, distance_to_goal, sample, walk
from bestfirst.heuristics.space import StateSpace, explore
from bestfirst.problem import Problem
from graphs import Graph, graphs
from profiles import examples


def reversed_graph(graph: Graph, goal: int) -> Graph:
    """The graph with its edges turned round, from a goal."""
    edges: dict[int, list[tuple[int, float]]] = {}
    for source, links in graph.edges.items():
        for target, cost in links:
            edges.setdefault(target, []).append((source, cost))
    return Graph(edges, goal, frozenset({graph.initial}))


def equal(distance: float | None, truth: float) -> bool:
    return distance is not None and math.isclose(distance, truth, rel_tol=1e-9, abs_tol=1e-9)


@pytest.fixture(scope="module")
def fives() -> dict[tuple[int, ...], float]:
    """The true distances of the boards of a 5-puzzle."""
    space = explore(SlidingTile("1 2 3 / 4 5 _"))
    assert isinstance(space, StateSpace)
    return dict(zip(space.states, space.distances, strict=True))


@given(graphs(), st.integers(0, 7))
@examples(200)
def test_the_ball_and_the_search_find_true_distances(graph: Graph, size: int) -> None:
    """On random graphs, with balls of every size: the distances in the ball and those found from outside it are true."""
    if not graph.goals:
        return
    goal = min(graph.goals)
    graph.goals = frozenset({goal})
    graph.edges.setdefault(goal, [])
    truth = graph.distances()
    ball = ball_around_goal(reversed_graph(graph, goal), size)
    assert all(equal(distance, truth[state]) for state, distance in ball.distances.items())
    for state, distance in truth.items():
        assert state in ball.distances or distance >= ball.radius - 1e-9
        assert equal(distance_to_goal(graph, state, ball), distance)
        assert equal(distance_to_goal(graph, state, Ball()), distance)


def test_too_few_expansions_leave_the_distance_open(fives: dict[tuple[int, ...], float]) -> None:
    """Without enough expansions the answer is None, never a distance that is too large."""
    puzzle = SlidingTile("1 2 3 / 4 5 _")
    ball = ball_around_goal(puzzle.backward(), 30)
    answers = [(distance_to_goal(puzzle, board, ball, expansions=5), truth) for board, truth in fives.items()]
    assert any(answer is None for answer, _ in answers)
    assert any(answer is not None and truth > ball.radius for answer, truth in answers)
    assert all(answer in (None, truth) for answer, truth in answers)


def test_the_search_goes_on_until_no_path_can_be_cheaper() -> None:
    """Met first is the road that costs 6; the one that costs 5 enters the ball later."""
    roads = Graph({0: [(2, 6), (1, 1)], 1: [(2, 4)], 2: []}, 0, frozenset({2}))
    ball = ball_around_goal(reversed_graph(roads, 2), 1)
    assert ball == Ball({2: 0}, radius=4)
    assert distance_to_goal(roads, 0, ball) == 5
    assert distance_to_goal(roads, 0, ball, expansions=1) is None


def test_outside_a_ball_that_holds_all_there_is_no_goal() -> None:
    """That is known without an expansion; without a ball it takes a look around."""
    apart = Graph({0: [(1, 1)], 1: [(0, 1)], 2: []}, 0, frozenset({2}))
    assert distance_to_goal(apart, 0, ball_around_goal(reversed_graph(apart, 2), 10), expansions=0) == math.inf
    assert distance_to_goal(apart, 0, Ball(), expansions=0) is None
    assert distance_to_goal(apart, 0, Ball(), expansions=2) == math.inf


def test_a_walk_ends_where_actions_lead() -> None:
    """A walk follows the edges, and stops at a state without any."""
    line = Problem.of(0, lambda state: [("on", state + 1, 1)], lambda _: False)
    lengths = {walk(line, Random(seed)) for seed in range(300)}
    assert min(lengths) < 10 and LONGEST_WALK - 10 < max(lengths) <= LONGEST_WALK
    wall = Problem.of(0, lambda state: [("on", state + 1, 1)] if state < 3 else [], lambda _: False)
    assert {walk(wall, Random(seed)) for seed in range(300)} == {0, 1, 2, 3}


def test_a_sample_has_the_start_the_ball_and_the_walks(fives: dict[tuple[int, ...], float]) -> None:
    """Each state comes once, with its true distance; the account says what there is."""
    puzzle = SlidingTile("1 _ 2 / 4 5 3", goal="1 2 3 / 4 5 _")
    taken = sample(puzzle, 20, 1)
    assert puzzle.initial in taken.states
    assert len(set(taken.states)) == len(taken.states) == len(taken.distances)
    assert all(fives[state] == distance for state, distance in zip(taken.states, taken.distances, strict=True))
    assert taken.account == (
        "the 360 states nearest the goal, the start and the ends of 10 random walks from it and of 10 from the goal"
    )


@pytest.mark.slow
def test_the_same_seed_gives_the_same_sample() -> None:
    """A sample can be repeated; another seed gives another one."""
    puzzle = SlidingTile("1 2 3 4 / 5 6 7 8 / 9 10 11 _")
    small = [sample(puzzle, 10, seed) for seed in (3, 3, 4)]
    assert small[0] == small[1]
    assert small[0].states != small[2].states


def test_without_a_backward_problem_there_is_no_ball() -> None:
    """All walks are then from the start, and their distances are found by search."""
    line = Problem.of(0, lambda state: [("on", state + 1, 2)], lambda state: state == 200)
    taken = sample(line, 30, 0)
    assert taken.account == "the start and the ends of 30 random walks from it"
    assert all(distance == 2 * (200 - state) for state, distance in zip(taken.states, taken.distances, strict=True))
    assert sample(line, 0, 0).states == [0]


def test_where_the_problem_knows_that_it_is_unsolvable_every_distance_is_infinite() -> None:
    """No search is made, and no state that the start cannot reach is taken."""
    puzzle = SlidingTile("2 1 3 4 5 6 7 8 _")
    taken = sample(puzzle, 10, 0)
    assert set(taken.distances) == {math.inf}
    assert all(SlidingTile(state).unsolvable() for state in taken.states)
