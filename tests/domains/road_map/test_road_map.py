"""Road maps: where they come from, what is refused, the straight-line heuristic, and the optimum on random maps."""

from __future__ import annotations

import copy
import math
import pickle
import sys
from collections.abc import Callable
from fractions import Fraction
from time import process_time
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.domains.road_map import RoadMap
from bestfirst.domains.road_map.roads import Road
from profiles import examples

CHEAPEST = [name for name, algorithm in bf.ALGORITHMS.items() if algorithm.promise == "cheapest"]
TRIANGLE = [("A", "B", 3), ("B", "C", 4), ("A", "C", 6)]
PLACES = {"A": (0, 0), "B": (3, 0), "C": (3, 4)}


def ways(problem: bf.Problem, city: object) -> list[tuple[Any, float]]:
    """Where the roads from a city lead, in order, with their lengths."""
    for action, after, _ in problem.successors(city):
        assert action == after
    return [(after, cost) for _, after, cost in problem.successors(city)]


# Maps from Python.


def test_a_road_leads_both_ways() -> None:
    """Given from one end, it can be driven from both, and each city's roads keep the order in which they are given."""
    cities = RoadMap(TRIANGLE, "A", "C")
    assert ways(cities, "A") == [("B", 3), ("C", 6)]
    assert ways(cities, "B") == [("A", 3), ("C", 4)]
    assert ways(cities, "C") == [("B", 4), ("A", 6)]
    assert cities.roads == RoadMap({"A": {"B": 3, "C": 6}, "B": {"C": 4}}, "A", "C").roads


def test_a_road_given_from_both_ends_has_its_own_place_at_each() -> None:
    """The roads of a city are then tried in the order of its own entry, whatever comes before it."""
    cities = RoadMap({"A": {"B": 3, "C": 6}, "B": {"C": 4, "A": 3}, "C": {"A": 6, "B": 4}}, "A", "C")
    assert ways(cities, "B") == [("C", 4), ("A", 3)]
    assert ways(cities, "C") == [("A", 6), ("B", 4)]


def test_a_directed_map_has_one_way_roads() -> None:
    """Each road leads from its origin only, and the two directions may differ."""
    cities = RoadMap([("A", "B", 3), ("B", "A", 5), ("B", "C", 1)], "A", "C", directed=True)
    assert ways(cities, "A") == [("B", 3)]
    assert ways(cities, "B") == [("A", 5), ("C", 1)]
    assert ways(cities, "C") == []


def test_a_single_road_can_be_one_way() -> None:
    """Beside a longer two-way road it counts in its direction only."""
    cities = RoadMap([("A", "B", 5), Road("A", "B", 2, one_way=True)], "A", "B")
    assert (ways(cities, "A"), ways(cities, "B")) == ([("B", 2)], [("A", 5)])


def test_of_parallel_roads_the_shortest_counts() -> None:
    """It takes the place of the first, in both directions."""
    cities = RoadMap([("A", "B", 5), ("A", "C", 1), ("A", "B", 2), ("A", "B", 4)], "A", "C")
    assert (ways(cities, "A"), ways(cities, "B")) == ([("B", 2), ("C", 1)], [("A", 2)])


def test_a_city_can_be_anything_hashable() -> None:
    """Numbers and pairs are cities too; one without roads can be named by an empty entry or by its coordinates."""
    cities = RoadMap({(0, 0): {(0, 1): 1}, 7: {}}, (0, 0), 7)
    assert bf.solve(cities).status == "unsolvable"
    lonely = RoadMap([], "A", "A", coordinates={"A": (0, 0)})
    assert bf.solve(lonely).cost == 0


def test_numbers_of_other_libraries_become_plain_numbers() -> None:
    """Lengths and coordinates may be NumPy numbers; a whole number stays one."""
    np = pytest.importorskip("numpy")
    cities = RoadMap(
        [("A", "B", np.int64(3)), ("B", "C", np.float32(4))],
        "A",
        "C",
        coordinates={city: np.array(place) for city, place in PLACES.items()},
    )
    assert [(cost, type(cost)) for _, cost in ways(cities, "B")] == [(3, int), (4, float)]
    assert cities.coordinates == PLACES
    assert bf.solve(cities).cost == 7


def test_a_fraction_becomes_a_float() -> None:
    """So that every length can be written."""
    length: Any = Fraction(27, 4)
    solution = bf.solve(RoadMap([("A", "B", length)], "A", "B"))
    assert (solution.cost, type(solution.cost)) == (6.75, float)


def test_how_a_city_is_shown() -> None:
    """By its name, and as a cell at its coordinates if it has any, with y upwards."""
    cities = RoadMap(TRIANGLE, "A", "C", coordinates=PLACES)
    assert (cities.format("C"), cities.label("C"), cities.draw("C"), cities.format_action("C")) == ("C",) * 4
    assert cities.cells("C") == [(-4, 3, "C")]
    assert RoadMap(TRIANGLE, "A", "C").cells("C") is None


def test_roads_of_length_1_make_unit_costs() -> None:
    """Then an algorithm that counts actions is known to be optimal; with any other length it is not."""
    assert bf.solve(RoadMap([("A", "B", 1), ("B", "C", 1.0)], "A", "C"), "iterative-deepening").status == "optimal"
    assert not RoadMap(TRIANGLE, "A", "C").unit_cost


@pytest.mark.parametrize("length", [-1, -0.5, math.nan, math.inf, "3", None, True, [3], 10**400, 1j])
def test_a_length_that_is_none_is_refused(length: Any) -> None:
    """The message names the road and the length."""
    with pytest.raises(bf.InputError, match="length of road A-B is"):
        RoadMap([("A", "B", length)], "A", "B")


@pytest.mark.parametrize(
    ("roads", "fault"),
    [
        ([("A", "B")], r"a road is \('A', 'B'\)"),
        ([5], "a road is 5"),
        ([("A", ["B"], 1)], "must be hashable"),
        ({"A": ["B"]}, r"the roads of 'A' are \['B'\]"),
        ({"A": {"B": 3}, "B": {"A": 4}}, "road B-A has length 4, but the road A-B has 3"),
        ([("A", "B", 3), ("B", "A", 4)], "road B-A has length 4, but the road A-B has 3"),
    ],
)
def test_what_is_no_set_of_roads_is_refused(roads: Any, fault: str) -> None:
    """Among it a two-way road whose length depends on the end from which it is given."""
    with pytest.raises(bf.InputError, match=fault):
        RoadMap(roads, "A", "B")


@pytest.mark.parametrize(("start", "goal"), [("Arat", "Zerind"), ("Zerind", "Arat")])
def test_an_unknown_city_is_refused(start: str, goal: str) -> None:
    """The message lists the close names."""
    with pytest.raises(bf.UnknownNameError, match="the map has no city 'Arat'; did you mean Arad") as refusal:
        RoadMap([("Arad", "Zerind", 75)], start, goal)
    assert "Arad" in refusal.value.close


@pytest.mark.parametrize(
    ("place", "fault"),
    [
        ((3,), "coordinates of 'B' are"),
        ((3, 0, 1), "coordinates of 'B' are"),
        (("3", 0), "coordinates of 'B' are"),
        ((math.nan, 0), "coordinates of 'B' are"),
        (None, "coordinates of 'B' are None"),
    ],
)
def test_coordinates_that_are_no_two_numbers_are_refused(place: Any, fault: str) -> None:
    """The message names the city."""
    with pytest.raises(bf.InputError, match=fault):
        RoadMap(TRIANGLE, "A", "C", coordinates={**PLACES, "B": place})


def test_coordinates_are_for_every_city() -> None:
    """One without them is named, also if it has no roads."""
    with pytest.raises(bf.InputError, match="city 'C' has no coordinates"):
        RoadMap(TRIANGLE, "A", "C", coordinates={"A": (0, 0), "B": (3, 0)})
    with pytest.raises(bf.InputError, match="city 'D' has no coordinates"):
        RoadMap({"A": {"B": 3, "C": 6}, "D": {}}, "A", "C", coordinates=PLACES)


# The straight line.


def test_the_straight_line_is_a_lower_bound_where_no_road_is_shorter() -> None:
    """It is the default then, says that it is admissible and consistent, and ends in a proof."""
    cities = RoadMap(TRIANGLE, "A", "C", coordinates=PLACES)
    assert [cities.straight_line(city) for city in "ABC"] == [5, 4, 0]
    straight_line = cities.heuristics()["straight-line"]
    assert (straight_line.admissible, straight_line.consistent, straight_line.note) == (True, True, "")
    solution = bf.solve(cities)
    assert (solution.algorithm, solution.heuristic, solution.status) == ("astar", "straight-line", "optimal")
    assert (solution.cost, solution.warnings) == (6, [])


def test_rounding_does_not_make_a_road_too_short() -> None:
    """A road as long as its straight line to within the rounding of floats is no shortcut."""
    places = {"A": (0, 0), "B": (0.1, 0.2), "C": (0.3, 0.7)}
    line = math.dist(places["A"], places["B"])
    cities = RoadMap([("A", "B", math.nextafter(line, 0)), ("B", "C", 1)], "A", "C", coordinates=places)
    assert cities.heuristics()["straight-line"].admissible


def test_a_road_shorter_than_its_straight_line_is_named() -> None:
    """The heuristic then says that it can overestimate, and why; of several such roads the worst is named."""
    cities = RoadMap([("A", "B", 2.9), ("B", "C", 2)], "A", "C", coordinates=PLACES)
    straight_line = cities.heuristics()["straight-line"]
    assert (straight_line.admissible, straight_line.consistent) == (False, False)
    assert straight_line.note == "road B-C has length 2, but the straight line is 4"
    solution = bf.solve(cities, heuristic="straight-line")
    assert solution.status == "solved"
    assert any(straight_line.note in warning for warning in solution.warnings)


def test_without_coordinates_there_is_no_straight_line() -> None:
    """It is neither on offer nor the default, and who asks for it is told why."""
    cities = RoadMap(TRIANGLE, "A", "C")
    assert "straight-line" not in cities.heuristics()
    assert bf.solve(cities).algorithm == "uniform-cost"
    with pytest.raises(bf.InputError, match="needs the coordinates"):
        bf.solve(cities, "astar", "straight-line")


# Backward, and unsolvable.


def test_backward_the_roads_are_turned_round() -> None:
    """From the goal to the start; an action is still the city that the road leads to on the map."""
    cities = RoadMap(TRIANGLE, "A", "C", coordinates=PLACES, directed=True)
    reverse = cities.backward()
    assert (reverse.initial, reverse.goal_state()) == ("C", cities.initial)
    assert sorted(reverse.successors("C")) == [("C", "A", 6), ("C", "B", 4)]
    assert list(reverse.successors("A")) == []
    assert reverse.straight_line("C") == 5
    assert reverse.heuristics()["straight-line"].admissible
    assert reverse.backward() is cities


def test_the_roads_are_turned_round_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search from both ends asks for the backward map again, which needs no checks either."""
    cities = RoadMap(TRIANGLE, "A", "C", coordinates=PLACES)
    monkeypatch.setattr("bestfirst.domains.road_map.problem.checked_road", None)
    reverse = cities.backward()
    assert reverse.roads is cities.backward().roads
    assert reverse.domain() is not None
    assert bf.solve(cities, "bidirectional-astar").cost == 6


@pytest.mark.parametrize(
    ("start", "goal", "reason"), [("C", "A", "no road leaves C"), ("A", "D", "no road leads to D"), ("D", "D", None)]
)
def test_a_dead_end_is_known_without_a_search(start: str, goal: str, reason: str | None) -> None:
    """A start that no other road leaves, or a goal that none leads to: the solution says so. A loop is no way out."""
    roads = [("A", "B", 3), ("B", "C", 4), ("C", "C", 1), ("D", "B", 1), ("D", "D", 1)]
    solution = bf.solve(RoadMap(roads, start, goal, directed=True))
    assert solution.reason == reason
    assert solution.status == ("optimal" if reason is None else "unsolvable")


# Random maps.

LENGTHS = st.one_of(st.integers(0, 5), st.integers(0, 20).map(lambda quarters: quarters / 4))
"""Whole numbers and quarters, which floats add up without rounding."""


@st.composite
def maps(draw: st.DrawFn, most_cities: int = 5) -> RoadMap:
    """Random maps, one-way or two-way, with free roads, loops, parts that are cut off, and now and then a start that is
    the goal; half of them with coordinates, and then with no road shorter than its straight line."""
    names = "ABCDEF"[: draw(st.integers(1, most_cities))]
    city = st.sampled_from(names)
    directed = draw(st.booleans())
    lengths: dict[tuple[str, str], float] = {}
    for one, other, length in draw(st.lists(st.tuples(city, city, LENGTHS), max_size=2 * len(names))):
        lengths[(one, other) if directed else (min(one, other), max(one, other))] = length
    places = None
    if draw(st.booleans()):
        places = {name: (draw(st.integers(0, 3)), draw(st.integers(0, 3))) for name in names}
        for one, other in lengths:
            lengths[one, other] += math.ceil(4 * math.dist(places[one], places[other])) / 4
    roads: dict[str, dict[str, float]] = {name: {} for name in names}
    for (one, other), length in lengths.items():
        roads[one][other] = length
    return RoadMap(roads, draw(city), draw(city), coordinates=places, directed=directed)


def shortest(cities: RoadMap) -> float:
    """The length of the shortest way, by relaxing every road until nothing changes; math.inf where there is none."""
    distance: dict[str, float] = dict.fromkeys(cities.roads, math.inf) | {cities.initial: 0}
    for _ in cities.roads:
        for city, roads in cities.roads.items():
            for other, length in roads.items():
                distance[other] = min(distance[other], distance[city] + length)
    return distance[cities.goal]


@pytest.mark.parametrize("heuristic", ["zero", "straight-line"])
@pytest.mark.parametrize("name", CHEAPEST)
@examples(8)
@given(data=st.data())
def test_the_optimum_on_random_maps(name: str, heuristic: str, data: st.DataObject) -> None:
    """An algorithm that promises the cheapest way finds it and proves it, or proves that there is none."""
    cities = data.draw(maps(most_cities=5 if name == "idastar" else 6))
    if bf.ALGORITHMS[name].heuristic == "none":
        solution = bf.solve(cities, name)
    else:
        solution = bf.solve(cities, name, heuristic if heuristic in cities.heuristics() else "zero")
    optimum = shortest(cities)
    solution.verify()
    assert solution.status == ("unsolvable" if optimum == math.inf else "optimal")
    assert solution.cost == (None if optimum == math.inf else pytest.approx(optimum))


@pytest.mark.parametrize("name", CHEAPEST)
@examples(8)
@given(cities=maps(), unit=st.sampled_from([0.1, math.pi, 1e-6, 1e9]))
def test_the_optimum_where_lengths_are_rounded(name: str, cities: RoadMap, unit: float) -> None:
    """Measured in a unit in which floats must round, the way found is as short as the rounding allows."""
    roads = {city: {other: length * unit for other, length in roads.items()} for city, roads in cities.roads.items()}
    measured = RoadMap(roads, cities.initial, cities.goal, directed=True)
    solution = bf.solve(measured, name, None if bf.ALGORITHMS[name].heuristic == "none" else "zero")
    optimum = shortest(measured)
    solution.verify()
    assert (math.inf if solution.cost is None else solution.cost) == pytest.approx(optimum)
    assert solution.lower_bound <= optimum * (1 + 1e-9)


@examples(50)
@given(cities=maps())
def test_the_straight_line_keeps_what_it_says(cities: RoadMap) -> None:
    """Where it calls itself admissible and consistent, it falls along no road by more than the road's length."""
    straight_line = cities.heuristics().get("straight-line")
    if straight_line is None:
        return
    assert straight_line.admissible and straight_line.consistent
    for city in cities.roads:
        for _, other, length in cities.successors(city):
            assert straight_line(city) <= length + straight_line(other) + 1e-9


# NetworkX.


def test_a_graph_of_networkx() -> None:
    """Undirected: each edge leads both ways, in the order of the graph; coordinates in one attribute, in two, or apart."""
    graph: nx.Graph[str] = nx.Graph()
    graph.add_weighted_edges_from(TRIANGLE)
    graph.add_node("D")
    for node, (x, y) in {**PLACES, "D": (9, 9)}.items():
        graph.nodes[node].update(x=x, y=y, pos=(x, y))
    apart = {node: graph.nodes[node]["pos"] for node in graph}
    for coordinates in (("x", "y"), "pos", apart):
        cities = RoadMap.from_networkx(graph, "A", "C", coordinates=coordinates)
        assert {city: ways(cities, city) for city in cities.roads} == {
            "A": [("B", 3), ("C", 6)],
            "B": [("A", 3), ("C", 4)],
            "C": [("B", 4), ("A", 6)],
            "D": [],
        }
        assert cities.coordinates == {**PLACES, "D": (9, 9)}
        assert bf.solve(cities).cost == 6


def test_a_graph_of_networkx_is_read_as_fast_as_networkx_copies_it() -> None:
    """In at most twice the time, checks and coordinates included."""
    graph = nx.grid_2d_graph(100, 100)
    for one, other in graph.edges:
        graph.edges[one, other]["weight"] = 1.5
    for x, y in graph:
        graph.nodes[x, y].update(x=x, y=y)

    def seconds(work: Any) -> float:
        times = []
        for _ in range(5):
            started = process_time()
            work()
            times.append(process_time() - started)
        return min(times)

    ours = seconds(lambda: RoadMap.from_networkx(graph, (0, 0), (99, 99), coordinates=("x", "y")))
    assert ours <= 2 * seconds(graph.copy)


def test_a_directed_graph_of_networkx() -> None:
    """An edge leads one way; any attribute can be the length."""
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_weighted_edges_from([(1, 2, 3.5), (2, 1, 1)], weight="metres")
    cities = RoadMap.from_networkx(graph, 1, 2, weight="metres")
    assert (ways(cities, 1), ways(cities, 2)) == ([(2, 3.5)], [(1, 1)])
    assert cities.coordinates is None


@pytest.mark.parametrize("kind", [nx.MultiGraph, nx.MultiDiGraph])
def test_of_the_edges_of_a_multigraph_the_shortest_counts(kind: Any) -> None:
    """In either kind of multigraph."""
    graph = kind()
    graph.add_weighted_edges_from([("A", "B", 5), ("A", "B", 2), ("A", "B", 3)])
    cities = RoadMap.from_networkx(graph, "A", "B")
    assert ways(cities, "A") == [("B", 2)]
    assert ways(cities, "B") == ([] if graph.is_directed() else [("A", 2)])


def test_a_graph_without_lengths() -> None:
    """With weight=None each edge is 1 long; the Petersen graph has diameter 2."""
    cities = RoadMap.from_networkx(nx.petersen_graph(), 0, 7, weight=None)
    solution = bf.solve(cities, "breadth-first")
    assert (solution.cost, solution.status) == (2, "optimal")


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_a_function_gives_the_lengths_as_in_networkx(kind: Any) -> None:
    """Of both nodes and the data between them; None closes a road."""
    graph = kind()
    graph.add_weighted_edges_from([("A", "B", 5), ("B", "C", 2), ("A", "C", 1)])

    def weight(one: str, other: str, data: Any) -> float | None:
        own = data[0]["weight"] if graph.is_multigraph() else data["weight"]
        return None if {one, other} == {"A", "C"} else 2 * own

    cities = RoadMap.from_networkx(graph, "A", "C", weight=weight)
    assert bf.solve(cities).cost == nx.dijkstra_path_length(graph, "A", "C", weight) == 14


def test_what_a_graph_lacks_is_named() -> None:
    """A missing attribute of an edge or a node, with the close ones; a length that is none; what is no graph; a city."""
    graph: nx.Graph[str] = nx.Graph()
    graph.add_edge("A", "B", length=-1)
    with pytest.raises(bf.UnknownNameError, match="edge A-B has no attribute 'weight'; did you mean length"):
        RoadMap.from_networkx(graph, "A", "B")
    with pytest.raises(bf.InputError, match="length of road A-B is -1"):
        RoadMap.from_networkx(graph, "A", "B", weight="length")
    with pytest.raises(bf.UnknownNameError, match="node A has no attribute 'pos'; there are none"):
        RoadMap.from_networkx(graph, "A", "B", weight=None, coordinates="pos")
    with pytest.raises(bf.UnknownNameError, match="node A has no attribute 'x'"):
        RoadMap.from_networkx(graph, "A", "B", weight=None, coordinates=("x", "y"))
    with pytest.raises(bf.InputError, match=r"pass a networkx\.Graph"):
        RoadMap.from_networkx({"A": {"B": 1}}, "A", "B")  # type: ignore[arg-type]
    with pytest.raises(bf.UnknownNameError, match="the map has no city 'Z'"):
        RoadMap.from_networkx(graph, "A", "Z", weight=None)


def test_networkx_is_needed_for_its_graphs_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is not installed, the error says how to install it."""
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(bf.InputError, match="pip install"):
        RoadMap.from_networkx(nx.Graph(), "A", "B")


@examples(30)
@given(cities=maps(most_cities=6))
def test_the_optimum_is_that_of_networkx(cities: RoadMap) -> None:
    """Dijkstra's algorithm of NetworkX finds ways of the same length on the same graph."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(cities.roads)
    graph.add_weighted_edges_from((city, *way) for city in cities.roads for way in ways(cities, city))
    again = RoadMap.from_networkx(graph, cities.initial, cities.goal, weight="weight", coordinates=cities.coordinates)
    assert again.roads == cities.roads
    solution = bf.solve(again)
    if nx.has_path(graph, cities.initial, cities.goal):
        assert solution.cost == pytest.approx(nx.dijkstra_path_length(graph, cities.initial, cities.goal))
    else:
        assert solution.status == "unsolvable"


@pytest.mark.parametrize(
    "twin", [lambda cities: cities, copy.copy, copy.deepcopy, lambda cities: pickle.loads(pickle.dumps(cities))]
)
def test_roads_are_not_changed_in_place(twin: Callable[[RoadMap], RoadMap]) -> None:
    """A change would miss what was worked out before, on the map and on its copies; other roads can be assigned."""
    cities = RoadMap(TRIANGLE, "A", "C", coordinates=PLACES)
    assert bf.solve(cities, "uniform-cost").cost == 6
    cities = twin(cities)
    with pytest.raises(bf.InputError, match="in place"):
        cities.roads["A"]["C"] = 100
    with pytest.raises(bf.InputError, match="in place"):
        del cities.roads["A"]
    with pytest.raises(bf.InputError, match="in place"):
        cities.coordinates.update(A=(1, 1))  # type: ignore[union-attr]
    cities.roads = {city: dict(roads) for city, roads in cities.roads.items()} | {"A": {"B": 3}}
    assert bf.solve(cities, "uniform-cost").cost == 7
    with pytest.raises(bf.InputError, match="in place"):
        cities.roads["A"]["C"] = 1
