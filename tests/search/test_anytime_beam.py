"""Anytime beam search: rounds, improvements, and the bound that the nodes outside the beam leave."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.problem import Successor
from graphs import Graph, admissible_heuristics, graphs, never_falls
from profiles import examples


class Tour(bf.Problem):
    """The cheapest round trip through all towns: every path can be gone on with, and all solutions have the same depth."""

    def __init__(self, towns: list[tuple[int, int]]) -> None:
        self.towns = towns
        self.initial = (0,)

    def road(self, start: int, end: int) -> int:
        return sum(abs(a - b) for a, b in zip(self.towns[start], self.towns[end], strict=True))

    def successors(self, state: tuple[int, ...]) -> Iterator[Successor]:
        left = set(range(len(self.towns))) - set(state)
        for town in sorted(left) or [0] * (len(state) == len(self.towns)):
            yield town, (*state, town), self.road(state[-1], town)

    def is_goal(self, state: tuple[int, ...]) -> bool:
        return len(state) > len(self.towns)

    @bf.heuristic(admissible=True)
    def way_back(self, state: tuple[int, ...]) -> int:
        """The road from here to the start."""
        return self.road(state[-1], 0)


TOUR = Tour([(0, 0), (7, 2), (1, 9), (6, 6), (2, 3), (9, 9), (4, 0)])


def test_each_round_doubles_the_width_until_nothing_is_outside() -> None:
    """Rounds are events, and rows of the statistics that add up to the whole."""
    search = bf.Search(TOUR, "anytime-beam", "way-back", width=3)
    reasons = [event.reason for event in search if event.kind == "round"]
    rows = search.stats.iterations
    assert reasons[:3] == ["width <= 3", "width <= 6", "width <= 12"]
    assert [row.bound for row in rows] == [3 * 2**number for number in range(len(reasons))]
    assert sum(row.expanded for row in rows) == search.stats.expanded
    assert sum(row.generated for row in rows) + 1 == search.stats.generated


def test_solutions_get_better_and_the_last_one_is_the_cheapest() -> None:
    """The cost falls and the bound rises until they meet at the cost of the best of all round trips."""
    search = bf.Search(TOUR, "anytime-beam", "way-back")
    goals = [(event.node.g, event.bound) for event in search if event.kind == "goal" and event.node]
    costs = [cost for cost, _ in goals]
    best = min(
        sum(TOUR.road(*road) for road in pairwise((0, *order, 0))) for order in permutations(range(1, len(TOUR.towns)))
    )
    assert len(costs) > 1 and costs == sorted(set(costs), reverse=True)
    assert all(bound <= best for _, bound in goals)
    solution = search.solution
    solution.verify()
    assert (solution.status, solution.cost, solution.lower_bound) == ("optimal", best, best)


@examples(100)
@given(data=st.data(), width=st.integers(1, 3))
def test_the_bound_holds_at_every_event_and_the_proof_at_the_end(data: st.DataObject, width: int) -> None:
    """On random graphs with free edges and inconsistent estimates: never above the truth, and in the end equal to it."""
    graph = data.draw(graphs(most_nodes=8))
    h = data.draw(admissible_heuristics(graph))
    optimum = graph.distances()[0]
    search = bf.Search(graph, "anytime-beam", bf.Heuristic(h, "given", admissible=True), width=width)
    bounds = [event.bound for event in search]
    assert never_falls(bounds) and bounds[-1] <= optimum + 1e-9
    solution = search.solution
    solution.verify()
    assert solution.status == ("unsolvable" if optimum == math.inf else "optimal")
    if solution.cost is not None:
        assert solution.cost == pytest.approx(optimum)


def test_the_lowest_f_outside_the_beam_is_a_bound_that_can_end_the_search() -> None:
    """All that is outside a beam of one is dearer than the goal that it finds: no second round is needed."""
    graph = Graph({0: [(1, 1), (2, 5)], 1: [(3, 1)], 2: [(3, 5)]}, 0, frozenset([3]))
    search = bf.Search(graph, "anytime-beam", bf.Heuristic(lambda _: 0, "none", admissible=True))
    assert search.run().status == "optimal"
    assert len(search.stats.iterations) == 1


def test_a_state_that_fell_outside_the_beam_can_come_back_in_the_same_round() -> None:
    """It is forgotten, so a longer path to it is followed: a beam of one finds the goal behind it."""
    graph = Graph({0: [(1, 1), (2, 1)], 1: [(4, 1)], 2: [(3, 1)], 4: [(2, 1)]}, 0, frozenset([3]))
    h = {0: 0, 1: 0, 2: 1, 3: 0, 4: 0}
    search = bf.Search(graph, "anytime-beam", bf.Heuristic(h.__getitem__, "given", admissible=True))
    first = next(event for event in search if event.kind == "goal")
    assert (first.g, len(search.stats.iterations)) == (4, 1)
    assert (search.run().cost, len(search.stats.iterations)) == (2, 2)


def test_a_limit_gives_back_the_best_solution_and_a_bound() -> None:
    """Both are better than those of the start, and the solution says how far apart they are."""
    hard = bf.SlidingTile("14 1 9 6 4 8 12 5 7 2 3 _ 10 11 13 15", goal=range(16))
    solution = bf.solve(hard, "anytime-beam", "manhattan", engine="python", limits=bf.Limits(expansions=20_000))
    assert solution.status == "limit" and solution.cost is not None
    assert hard.manhattan(hard.initial) < solution.lower_bound <= 45 <= solution.cost


def test_a_bad_width_is_refused() -> None:
    """In the words of beam search."""
    with pytest.raises(bf.InputError, match="the width of the beam is 0"):
        bf.solve(TOUR, "anytime-beam", "way-back", width=0)
