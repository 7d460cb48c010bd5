"""Anytime weighted A*, compiled, against the reference engine: the same search, to the node, improvement by improvement."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from compilable import FloatGraph, IntGraph
from graphs import admissible_heuristics, graphs
from profiles import examples
from twins import assert_twins

ALGORITHM = "anytime-weighted-astar"
KORF_12 = bf.SlidingTile("14 1 9 6 4 8 12 5 7 2 3 _ 10 11 13 15", goal=range(16))


@examples(30)
@given(
    data=st.data(),
    how=st.sampled_from([(1.0, "lifo"), (1.5, "lifo"), (2, "fifo"), (3.0, "lifo"), (4.7, "lifo")]),
    expansions=st.sampled_from([None, 0, 1, 2, 3, 5]),
)
def test_the_engines_are_twins_on_graphs(data: st.DataObject, how: tuple[float, str], expansions: int | None) -> None:
    """Zero-cost edges, inconsistent estimates, any weight, wherever a limit stops them; how: weight, and ties between nodes."""
    graph = data.draw(graphs(most_nodes=8, costs=st.integers(0, 9)))
    estimate = data.draw(admissible_heuristics(graph))
    h = {node: int(estimate(node)) for node in graph.distances() if estimate(node) < math.inf}
    edges = {node: [(to, int(cost)) for to, cost in links] for node, links in graph.edges.items()}
    domain = IntGraph(edges, graph.goals, h, 8)
    domain.default_heuristic = "given"
    assert_twins(domain, ALGORITHM, expansions=expansions, weight=how[0], ties=how[1])


@examples(60)
@given(data=st.data())
def test_the_engines_are_twins_on_graphs_of_float_costs(data: st.DataObject) -> None:
    """Rounding included, and infinite estimates."""
    graph = data.draw(graphs(most_nodes=8, costs=st.floats(0, 9)))
    estimate = data.draw(admissible_heuristics(graph))
    domain = FloatGraph(graph.edges, graph.goals, {node: float(estimate(node)) for node in graph.distances()}, 8)
    domain.default_heuristic = "given"
    assert_twins(domain, ALGORITHM)


@pytest.mark.slow
@pytest.mark.parametrize("expansions", [None, 100, 500, 1000])
def test_the_engines_are_twins_on_a_fifteen_puzzle(expansions: int | None) -> None:
    """A first solution, better ones, and the proof."""
    puzzle = bf.SlidingTile("4 1 _ 3 5 6 2 7 12 10 15 14 9 8 11 13", goal=range(16))
    found = assert_twins(puzzle, ALGORITHM, "manhattan", expansions=expansions)
    assert len(found.history) > 1 or expansions is not None


@pytest.mark.slow
def test_a_search_that_is_stopped_has_the_best_solution_so_far() -> None:
    """With the bound that tells how far from the optimum it can be at most."""
    search = bf.Search(KORF_12, ALGORITHM, "manhattan", weight=3.0, engine="compiled")
    solution = search.run(bf.Limits(expansions=20_000))
    assert solution.status == "limit" and solution.cost is not None
    assert solution.lower_bound <= 45 <= solution.cost
    solution.verify()
    assert search.run().cost == 45
