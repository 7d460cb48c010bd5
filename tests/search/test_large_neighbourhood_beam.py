"""Large-neighbourhood beam search: windows of the best path, between beams from the start."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.search.large_neighbourhood_beam import Windows, reserved
from bestfirst.search.node import Node
from compilable import FloatGraph, IntGraph, float_graphs, int_graphs
from graphs import Graph, admissible_heuristics, graphs, never_falls
from profiles import examples
from twins import assert_twins
from with_resources import Tour

NAME = "large-neighbourhood-beam"
LIMITS = st.one_of(st.none(), st.integers(0, 40))
OPTIONS = st.fixed_dictionaries({"width": st.integers(1, 3), "seed": st.integers(0, 3)})
SIZE = 10
TOUR = Tour(
    [[(7 * i + 5 * j * j) % 19 + 1 for j in range(SIZE)] for i in range(SIZE)],
    [i * 3 % 20 for i in range(SIZE)],
    [80 - i for i in range(SIZE)],
)


def line(actions: list[Any]) -> list[Node]:
    """A path of these actions, each of which costs 1."""
    path = [Node(0, None, None, 0, 0)]
    for number, action in enumerate(actions, 1):
        path.append(Node(number, path[-1], action, number, number))
    return path


@examples(20)
@given(domain=int_graphs(), options=OPTIONS, expansions=LIMITS)
def test_twins_on_graphs_with_int_costs(domain: IntGraph, options: dict[str, Any], expansions: int | None) -> None:
    """Zero-cost edges, loops, unreachable goals, inconsistent estimates, wherever a limit stops them."""
    assert_twins(domain, NAME, expansions=expansions, **options)


@examples(20)
@given(domain=float_graphs(), options=OPTIONS, expansions=LIMITS)
def test_twins_on_graphs_with_float_costs(domain: FloatGraph, options: dict[str, Any], expansions: int | None) -> None:
    """Likewise with floats, and with infinite estimates for dead ends."""
    assert_twins(domain, NAME, expansions=expansions, **options)


@pytest.mark.parametrize("expansions", [30, 200, 2_000, None])
def test_twins_on_a_tour(expansions: int | None) -> None:
    """Windows bring improvements in both engines, the same ones with the same bounds, and the end is proved."""
    found = assert_twins(TOUR, NAME, "places-left", expansions=expansions, seed=7)
    if expansions is None:
        assert (found.status, found.cost) == ("optimal", bf.solve(TOUR, "astar", "places-left").cost)


@examples(50)
@given(data=st.data(), options=OPTIONS)
def test_the_bound_holds_at_every_event_and_the_proof_at_the_end(data: st.DataObject, options: dict[str, Any]) -> None:
    """On random graphs with free edges and inconsistent estimates: never above the truth, and in the end equal to it."""
    graph = data.draw(graphs(most_nodes=8))
    h = data.draw(admissible_heuristics(graph))
    optimum = graph.distances()[0]
    search = bf.Search(graph, NAME, bf.Heuristic(h, "given", admissible=True), **options)
    bounds = [event.bound for event in search]
    assert never_falls(bounds) and bounds[-1] <= optimum + 1e-9
    solution = search.solution
    solution.verify()
    assert solution.status == ("unsolvable" if optimum == math.inf else "optimal")
    if solution.cost is not None:
        assert solution.cost == pytest.approx(optimum)


def test_windows_improve_before_the_beam_is_wider() -> None:
    """Both engines find the same cheaper tours in windows, before the next beam from the start begins."""
    one, other = (bf.solve(TOUR, NAME, "places-left", engine=engine, seed=7) for engine in ("python", "compiled"))
    rows = [[(row.expanded, row.cost, row.lower_bound) for row in run.history] for run in (one, other)]
    assert rows[0] == rows[1]
    beam = bf.solve(TOUR, "anytime-beam", "places-left", engine="python")
    assert cheapest_of_two_rows(one) < cheapest_of_two_rows(beam)


def cheapest_of_two_rows(solution: bf.Solution) -> float:
    """The cost of the best solution at the end of the second iteration."""
    within = sum(row.expanded for row in solution.stats.iterations[:2])
    return min(row.cost for row in solution.history if row.cost is not None and row.expanded < within)


def test_a_seed_makes_the_search() -> None:
    """The same seed gives the same search, and another one another."""
    one, same, other = (bf.solve(TOUR, NAME, "places-left", engine="python", seed=seed).stats for seed in (1, 1, 2))
    one.seconds = same.seconds
    assert one == same
    assert one.expanded != other.expanded


def test_a_limit_on_depth_holds_for_completed_paths() -> None:
    """The cheapest path has four actions; with at most three, no window leads to it."""
    edges: dict[int, Any] = {node: [(node + 1, 1)] for node in range(10)}
    edges[0] = [(1, 1), (2, 30)]
    edges[2] = [(3, 40), (9, 30)]
    graph = Graph(edges, 0, frozenset([10]))
    free = bf.Heuristic(lambda _: 0, "none", admissible=True)
    assert bf.solve(graph, NAME, free).cost == 33
    short = bf.solve(graph, NAME, free, incumbent=["to 2", "to 9", "to 10"], limits=bf.Limits(depth=3))
    assert (short.cost, len(short.actions)) == (61, 3)


def test_actions_of_the_rest_are_reserved_unless_one_is_taken_twice() -> None:
    """A window of a tour does without the places after it; on a path that repeats an action, it may take any."""
    assert reserved(line(["a", "b", "c", "d"]), 2) == {"c", "d"}
    assert reserved(line(["a", "b", "a", "d"]), 2) == frozenset()
    assert reserved(line([["a"], ["b"], ["c"]]), 2) == frozenset()


def test_each_window_is_drawn_once() -> None:
    """All windows of a path are drawn, apart from those that are settled, until the path or the width changes."""
    windows, path = Windows(0), line(["a", "b", "c", "d", "e"])
    windows.begin(path[-1])
    drawn = []
    while (window := windows.draw()) is not None:
        drawn.append(window)
    assert sorted(drawn) == [(0, 2), (0, 4), (1, 3), (1, 5), (2, 4), (3, 5)]
    windows.settle((0, 2))
    windows.begin(path[-1])
    assert {windows.draw() for _ in range(5)} == set(drawn) - {(0, 2)}
    windows.begin(path[3])
    assert {windows.draw() for _ in range(2)} == {(0, 2), (1, 3)}


def test_a_compiled_search_cannot_be_saved() -> None:
    """It says what to do instead."""
    search = bf.Search(TOUR, NAME, "places-left", engine="compiled")
    search.run(bf.Limits(expansions=5))
    with pytest.raises(bf.InputError, match="use anytime-beam"):
        search.save("search.bestfirst")


@pytest.mark.parametrize(("options", "words"), [({"seed": -1}, "seed is -1"), ({"width": 0}, "width of the beam is 0")])
def test_options_stated_wrongly(options: dict[str, Any], words: str) -> None:
    """They are refused before the search begins."""
    with pytest.raises(bf.InputError, match=words):
        bf.solve(TOUR, NAME, "places-left", **options)


def test_names_that_depend_on_the_state_are_left_to_the_reference_engine() -> None:
    """Windows tell actions by their names, so the compiled engine refuses such a domain."""
    network = bf.RoadMap({"A": {"B": 1, "C": 4}, "B": {"C": 1}, "C": {}}, "A", "C", coordinates=dict.fromkeys("ABC", (0, 0)))
    assert bf.solve(network, NAME, "straight-line").cost == 2
    with pytest.raises(bf.InputError, match="different names"):
        bf.solve(network, NAME, "straight-line", engine="compiled")
