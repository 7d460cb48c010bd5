"""All solutions of a problem, the cheapest first."""

from __future__ import annotations

from itertools import islice
from math import inf
from random import Random
from typing import Any

import pytest
from hypothesis import given

import bestfirst as bf
from compilable import IntGraph, int_graphs
from profiles import examples

TILES = bf.SlidingTile("1 2 3 / 4 _ 5 / 7 8 6")


def all_paths(problem: bf.Problem) -> list[tuple[float, list[Any]]]:
    """Cost and actions of all paths that enter no state twice and end at the first goal."""
    found: list[tuple[float, list[Any]]] = []

    def visit(state: Any, cost: float, actions: list[Any], met: frozenset[Any]) -> None:
        if problem.is_goal(state):
            found.append((cost, actions))
            return
        for action, following, step in problem.successors(state):
            if following not in met:
                visit(following, cost + step, [*actions, action], met | {following})

    visit(problem.initial, 0, [], frozenset([problem.initial]))
    return sorted(found)


@given(graph=int_graphs())
@examples(75)
def test_all_solutions(graph: IntGraph) -> None:
    """They are all paths that enter no state twice, in order of cost, with and without a heuristic."""
    expected = all_paths(graph)
    for heuristic in ("zero", next(iter(graph.heuristics()))):
        found = bf.solutions(graph, heuristic)
        everything = [(solution.cost, solution.actions) for solution in found]
        assert [cost for cost, _ in everything] == [cost for cost, _ in expected]
        assert sorted(everything) == expected
        assert found.limit is None


@given(graph=int_graphs())
@examples(50)
def test_up_to_a_cost(graph: IntGraph) -> None:
    """Those up to a cost, such as all optimal ones, are all of that cost or less."""
    expected = all_paths(graph)
    if expected:
        best = expected[0][0]
        found = bf.solutions(graph, at_most=best)
        assert sorted((solution.cost, solution.actions) for solution in found) == [one for one in expected if one[0] == best]


class Remarked(bf.Problem[tuple[int, int], int]):
    """A graph whose states carry the last action, which key() leaves out."""

    def __init__(self, graph: IntGraph, *, right: bool = True) -> None:
        self.graph, self.right = graph, right
        self.initial = (0, -1)

    def is_goal(self, state: tuple[int, int]) -> bool:
        return bool(self.graph.is_goal(self.graph.State(state[0])))

    def successors(self, state: tuple[int, int]) -> Any:
        links = self.graph.successors(self.graph.State(state[0]))
        found = [(action, (following.node, action), cost) for action, following, cost in links]
        return found if self.right or state[1] != 1 else [*found, (9, (9, 9), 1)]

    def key(self, state: tuple[int, int]) -> int:
        return state[0]


@given(graph=int_graphs())
@examples(60)
def test_states_with_the_same_key_are_one_state(graph: IntGraph) -> None:
    """The solutions are those of the problem without the remarks, and each is replayed with them."""
    expected = all_paths(graph)
    everything = [(solution.cost, solution.actions) for solution in bf.solutions(Remarked(graph))]
    assert [cost for cost, _ in everything] == [cost for cost, _ in expected]
    assert sorted(everything) == expected


def test_a_key_that_is_the_same_for_different_states() -> None:
    """States whose successors have other keys are told."""
    graph = IntGraph({0: [(1, 1), (1, 1)], 1: [(2, 1)]}, frozenset([2]), {}, 3)
    with pytest.raises(bf.ProblemError, match=r"key\(\) is the same for \(1, 0\) and \(1, 1\)"):
        list(bf.solutions(Remarked(graph, right=False)))


def test_the_best_few() -> None:
    """The first is what solve() finds; each is replayed; no two are the same."""
    best = list(islice(bf.solutions(TILES), 20))
    assert best[0].cost == bf.solve(TILES).cost
    costs: list[Any] = [one.cost for one in best]
    assert costs == sorted(costs)
    assert len({tuple(one.actions) for one in best}) == 20


def test_all_optimal_ones() -> None:
    """The hardest 8-puzzles have many optimal solutions, which differ."""
    hard = bf.SlidingTile("8 6 7 2 5 4 3 _ 1")
    optimal = bf.solutions(hard, "manhattan", at_most=31)
    assert len({tuple(one.actions) for one in optimal}) == 40
    assert optimal.limit == "at_most"


def test_unsolvable() -> None:
    """A problem without a solution has none, and the iteration ends."""
    assert list(bf.solutions(bf.SlidingTile("2 1 3 / 4 5 6 / 7 8 _"))) == []
    assert list(bf.solutions(bf.Problem.of(0, lambda n: [("+", (n + 1) % 5, 1)], lambda n: n == 9))) == []


@pytest.mark.parametrize(("limits", "name"), [(bf.Limits(expansions=10), "expansions"), (bf.Limits(seconds=0), "seconds")])
def test_limits(limits: bf.Limits, name: str) -> None:
    """A limit ends the iteration, and says so."""
    found = bf.solutions(bf.SlidingTile("8 6 7 2 5 4 3 _ 1"), limits=limits)
    assert list(found) == []
    assert found.limit == name


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"at_most": -1}, "at_most is -1"),
        ({"limits": bf.Limits(depth=3)}, "does not support a limit on depth"),
        ({"heuristic": bf.Heuristic(lambda _: 9, "nine", admissible=False)}, "can overestimate"),
    ],
)
def test_stated_wrongly(options: Any, words: str) -> None:
    """A heuristic that overestimates, and limits that do not fit, are refused."""
    with pytest.raises(bf.InputError, match=words):
        bf.solutions(TILES, **options)


def test_infinite_estimates() -> None:
    """States that the heuristic declares hopeless are left out."""
    line = bf.Problem.of(0, lambda n: [("+", n + 1, 1), ("-", n - 1, 1)] if n > -5 else [], lambda n: n == 3)
    found = bf.solutions(line, lambda n: inf if n < 0 else 0)
    assert [one.cost for one in islice(found, 5)] == [3]


@pytest.mark.parametrize("seed", range(20))
def test_at_most_the_cost_of_a_solution_includes_it(seed: int) -> None:
    """Although the f of a node on its path may be a little more, by the rounding of floats; for the nearest goal, too."""
    cells = Random(seed)
    width, height = cells.randint(3, 6), cells.randint(3, 6)
    grid = bf.GridMap(["." * width] * height, (0, 0), (width - 1, height - 1))
    best = bf.solve(grid, "uniform-cost").cost
    assert best is not None
    assert {round(one.cost or 0, 9) for one in islice(bf.solutions(grid, at_most=best), 5)} == {round(best, 9)}
    (nearest,) = bf.nearest_goals(grid, at_most=best)
    assert round(nearest.cost or 0, 9) == round(best, 9)


def test_whole_costs_are_compared_with_at_most_exactly() -> None:
    """However large they are."""
    cost = 10**15
    problem = bf.Problem.of(0, lambda state: [] if state else [("a", 1, cost), ("b", 1, cost + 1)], lambda state: state == 1)
    assert [one.cost for one in bf.solutions(problem, at_most=cost)] == [cost]
    assert [one.cost for one in bf.solutions(problem, at_most=cost + 1)] == [cost, cost + 1]
    assert not list(bf.nearest_goals(problem, at_most=cost - 1))


def test_a_sum_of_a_large_int_and_a_float_is_at_most_itself() -> None:
    """Although the int alone exceeds it, since the sum is rounded down."""
    costs: dict[str, list[tuple[str, str, float]]] = {"a": [("on", "b", 2**53 + 1)], "b": [("on", "c", 0.5)]}
    problem = bf.Problem.of("a", lambda state: costs.get(state, []), lambda state: state == "c")
    (best,) = bf.solutions(problem)
    assert best.cost == 2.0**53
    assert [found.cost for found in bf.solutions(problem, at_most=best.cost)] == [best.cost]
    assert [found.cost for found in bf.nearest_goals(problem, at_most=best.cost)] == [best.cost]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_solutions_after_an_error_do_not_seem_to_be_all(error: type[BaseException]) -> None:
    """After a second Ctrl-C, the limit says so; after an error of the problem, the next one is an error, too."""

    def successors(state: int) -> list[tuple[str, int, int]]:
        if state == 2:
            raise error
        return [("on", state + 1, 1)]

    for function in (bf.solutions, bf.nearest_goals):
        found = function(bf.Problem.of(0, successors, lambda state: state == 3))
        with pytest.raises((error, bf.ProblemError)):
            list(found)
        if error is KeyboardInterrupt:
            assert (list(found), found.limit) == ([], "interrupted")
        else:
            with pytest.raises(bf.InputError, match=r"ended with an error .*create a new one"):
                next(found)
