"""Limited-discrepancy search: iterations, what is proved, and both engines on the same search."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from compilable import FloatGraph, IntGraph, float_graphs, int_graphs
from graphs import Graph, admissible_heuristics, graphs, never_falls
from profiles import examples
from twins import assert_twins
from with_resources import Tank, tanks

NAME = "limited-discrepancy"
LIMITS = st.one_of(st.none(), st.integers(0, 30))
NO_HEURISTIC = bf.Heuristic(lambda _: 0, "none", admissible=True)


@examples(40)
@given(domain=int_graphs(), expansions=LIMITS)
def test_twins_on_graphs_with_int_costs(domain: IntGraph, expansions: int | None) -> None:
    """Zero-cost edges, loops, unreachable goals, inconsistent estimates, wherever a limit stops them."""
    assert_twins(domain, NAME, expansions=expansions)


@examples(40)
@given(domain=float_graphs(), expansions=LIMITS)
def test_twins_on_graphs_with_float_costs(domain: FloatGraph, expansions: int | None) -> None:
    """Likewise with floats, and with infinite estimates for dead ends."""
    assert_twins(domain, NAME, expansions=expansions)


@examples(40)
@given(tank=tanks(), expansions=LIMITS)
def test_twins_with_resources(tank: Tank, expansions: int | None) -> None:
    """Both engines drop the same dominated states."""
    assert_twins(tank, NAME, "zero", expansions=expansions)


def test_twins_on_a_board() -> None:
    """States are reached by many paths, and the arrays grow; histories are equal too."""
    board = bf.SlidingTile("8 6 7 2 5 4 3 _ 1")
    assert assert_twins(board, NAME, "manhattan").cost == 31
    runs = [bf.solve(board, NAME, "manhattan", engine=engine) for engine in ("python", "compiled")]
    one, other = ([(row.expanded, row.cost, row.lower_bound) for row in run.history] for run in runs)
    assert one == other


@examples(100)
@given(data=st.data())
def test_the_bound_holds_at_every_event_and_the_proof_at_the_end(data: st.DataObject) -> None:
    """On random graphs with free edges and inconsistent estimates: never above the truth, and in the end equal to it."""
    graph = data.draw(graphs(most_nodes=8))
    h = data.draw(admissible_heuristics(graph))
    optimum = graph.distances()[0]
    search = bf.Search(graph, NAME, bf.Heuristic(h, "given", admissible=True))
    bounds = [event.bound for event in search]
    assert never_falls(bounds) and bounds[-1] <= optimum + 1e-9
    solution = search.solution
    solution.verify()
    assert solution.status == ("unsolvable" if optimum == math.inf else "optimal")
    if solution.cost is not None:
        assert solution.cost == pytest.approx(optimum)


def test_each_iteration_allows_one_discrepancy_more() -> None:
    """In a binary tree whose left children look better, the leaves are visited by the number of right turns."""
    depth = 3
    edges: dict[int, Any] = {node: [(2 * node, 1), (2 * node + 1, 2)] for node in range(1, 2**depth)}
    graph = Graph(edges, 1, frozenset())
    iterations: list[list[int]] = []
    for event in bf.Search(graph, NAME, NO_HEURISTIC):
        if event.kind == "round":
            iterations.append([])
        elif event.kind == "expand" and event.node is not None and event.node.state >= 2**depth:
            iterations[-1].append(event.node.state)
    assert iterations[0] == [8]
    assert [sorted(leaves) for leaves in iterations] == [[8], [9, 10, 12], [11, 13, 14], [15]]


def test_a_limit_gives_back_the_best_solution_and_a_bound() -> None:
    """Stopped after its first iterations, it has a solution, and the lowest f that waits."""
    board = bf.SlidingTile("8 6 7 2 5 4 3 _ 1")
    stopped = bf.solve(board, NAME, "manhattan", engine="python", limits=bf.Limits(expansions=5_000))
    assert (stopped.status, stopped.limit) == ("limit", "expansions")
    assert stopped.cost is not None
    assert stopped.lower_bound <= 31 <= stopped.cost


def test_a_compiled_search_cannot_be_saved() -> None:
    """It says what to do instead."""
    search = bf.Search(bf.SlidingTile("8 6 7 2 5 4 3 _ 1"), NAME, "manhattan", engine="compiled")
    search.run(bf.Limits(expansions=5))
    with pytest.raises(bf.InputError, match="cannot be saved"):
        search.save("search.bestfirst")
