"""Great-circle distances, and the scaled estimate: admissible, consistent, and the same in both engines."""

from __future__ import annotations

import math
import re
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.domains.road_map.distances import EARTH_RADIUS, between_places, on_earth
from profiles import examples
from twins import assert_twins

DEGREES = st.tuples(st.floats(-180, 180), st.floats(-90, 90))


def arc(one: tuple[float, float], other: tuple[float, float]) -> float:
    """The distance on the earth by the formula of Vincenty for a sphere, which is exact everywhere."""
    (east, north), (to_east, to_north) = (tuple(map(math.radians, point)) for point in (one, other))
    turn = to_east - east
    across = math.cos(to_north) * math.sin(turn)
    up = math.cos(north) * math.sin(to_north) - math.sin(north) * math.cos(to_north) * math.cos(turn)
    ahead = math.sin(north) * math.sin(to_north) + math.cos(north) * math.cos(to_north) * math.cos(turn)
    return EARTH_RADIUS * math.atan2(math.hypot(across, up), ahead)


@examples(200)
@given(one=DEGREES, other=DEGREES)
def test_the_distance_on_the_earth(one: tuple[float, float], other: tuple[float, float]) -> None:
    """It never exceeds the exact one but for rounding, and is as good as that up to 3,000 km."""
    exact, found = arc(one, other), between_places(on_earth("A", one), on_earth("B", other))
    assert found <= exact * (1 + 1e-9) + 1e-7
    assert found >= exact * (1 - (1e-6 if exact < 3e6 else 0.19)) - 1e-7


def test_paris_to_new_york() -> None:
    """5,837 km."""
    cities = bf.RoadMap([("Paris", "New York", 6e6)], "Paris", "New York", coordinates=TOWNS, distance="great-circle")
    assert cities.straight_line("Paris") == pytest.approx(5_837_000, rel=1e-3)


TOWNS = {"Paris": (2.3522, 48.8566), "New York": (-74.006, 40.7128)}


@st.composite
def maps(
    draw: st.DrawFn, kinds: tuple[tuple[bool, bool], ...] = ((True, True), (True, False), (False, True), (False, False))
) -> bf.RoadMap:
    """Random roads between random places, with costs of any unit, some less than the distance.

    kinds: whether the places are on the earth, and whether the costs are whole.
    """
    count = draw(st.integers(2, 7))
    on_sphere, whole = draw(st.sampled_from(kinds))
    low, high = (-80, 80) if on_sphere else (-9, 9)
    points = {city: (draw(st.integers(low, high)), draw(st.integers(low, high))) for city in range(count)}
    ends = draw(st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), min_size=1, max_size=14))
    costs: Any = st.integers(1, 30) if whole else st.floats(0.25, 1e7, allow_nan=False)
    roads: dict[int, dict[int, float]] = {city: {} for city in range(count)}
    for one, other in ends:
        roads[one][other] = draw(costs)
    kind: Any = "great-circle" if on_sphere else "straight"
    return bf.RoadMap(roads, 0, count - 1, coordinates=points, directed=True, distance=kind)


def truth_of(cities: bf.RoadMap) -> dict[Any, float]:
    """The cost from each city to the goal."""
    graph: nx.DiGraph[Any] = nx.DiGraph()
    graph.add_nodes_from(cities.roads)
    graph.add_weighted_edges_from((to, city, cost) for city, roads in cities.roads.items() for to, cost in roads.items())
    return dict(nx.single_source_dijkstra_path_length(graph, cities.goal))


@examples(40)
@given(cities=maps())
def test_estimates_keep_what_they_say(cities: bf.RoadMap) -> None:
    """They are admissible and consistent, whatever the unit of the costs, also backward; the default path is optimal."""
    truth = truth_of(cities)
    for heuristic in cities.heuristics().values():
        for city, distance in truth.items() if heuristic.admissible else ():
            assert heuristic(city) <= distance * (1 + 1e-12) + 1e-9
            for _, after, cost in cities.successors(city):
                assert heuristic(city) <= (cost + heuristic(after)) * (1 + 1e-12) + 1e-9
    cost = truth.get(0, math.inf)
    for problem in (cities, cities.backward(), cities.between(0, cities.goal)):
        solution = bf.solve(problem, engine="python")
        assert solution.status == ("unsolvable" if cost == math.inf else "optimal")
        assert solution.cost == (None if cost == math.inf else pytest.approx(cost))
        assert solution.warnings == []


@examples(20)
@given(cities=maps(kinds=((True, True), (False, False))))
def test_the_engines_are_twins(cities: bf.RoadMap) -> None:
    """With the scaled estimate, in both metrics; the network of arrays has the same scale, but for rounding."""
    if cities.unsolvable() is None:
        assert_twins(cities, "astar", "scaled-distance")
    assert cities.coordinates is not None
    points = np.array([cities.coordinates[city] for city in cities.roads], np.float64)
    roads = [(city, to, cost) for city, of_city in cities.roads.items() for to, cost in of_city.items()]
    first = np.cumsum([0, *map(len, cities.roads.values())])
    network = bf.RoadNetwork(
        first, [to for _, to, _ in roads], [cost for *_, cost in roads], 0, cities.goal, points, distance=cities.distance
    )
    assert cities._bound is not None
    scale = cities._bound.scale
    assert network.scale == pytest.approx(scale if scale < math.inf else 0, rel=1e-6)


def test_travel_times_make_paths_optimal() -> None:
    """Seconds are fewer than metres: the scale is that of the fastest road, and the name tells it."""
    places = {"A": (0, 0), "B": (1000, 0), "C": (1000, 1000)}
    cities = bf.RoadMap({"A": {"B": 100, "C": 90}, "B": {"C": 25}, "C": {}}, "A", "C", coordinates=places, directed=True)
    solution = bf.solve(cities)
    assert (solution.status, solution.cost, solution.condition) == ("optimal", 90, None)
    assert solution.heuristic == "scaled-distance(0.025)"
    assert cities.heuristics()["scaled-distance(0.025)"].note == "no road costs less than 0.025 for each unit of distance"
    faster = cities.with_roads([("B", "C", 10)], directed=True)
    assert bf.solve(faster).heuristic == "scaled-distance(0.01)"
    assert bf.solve(cities, heuristic="scaled-distance").cost == 90


def test_a_road_that_costs_nothing_leaves_no_estimate() -> None:
    """Then uniform-cost search is the default."""
    cities = bf.RoadMap([("A", "B", 0), ("B", "C", 2)], "A", "C", coordinates={"A": (0, 0), "B": (1, 0), "C": (2, 0)})
    assert (bf.solve(cities).algorithm, bf.solve(cities).status) == ("uniform-cost", "optimal")


def test_other_ends_share_the_network() -> None:
    """Of a map, of its reverse, and with several goals."""
    cities = bf.RoadMap([("A", "B", 3), ("B", "C", 4)], "A", "C")
    other = cities.between("C", ["A", "B"])
    assert (bf.solve(other).cost, other.goals, cities.initial) == (4, ("A", "B"), "A")
    one, two = cities.between("A", "B").domain(), other.domain()
    assert one is not None and two is not None and one.compiled_value("target") is two.compiled_value("target")
    assert bf.solve(cities.backward().between("B", "A")).actions == ["B"]
    with pytest.raises(bf.InputError, match="one goal"):
        cities.backward().between("B", ["A", "C"])
    with pytest.raises(bf.UnknownNameError, match="'Z'"):
        cities.between("A", "Z")
    changed = cities.with_roads([("A", "C", 1)])
    assert bf.solve(changed.between("C", "A")).cost == 1 and bf.solve(cities.between("C", "A")).cost == 7


@pytest.mark.parametrize(
    ("distance", "point", "fault"),
    [
        ("near", (0, 0), "use 'straight' or 'great-circle'"),
        ("great-circle", (0, 91), "coordinates of 'B' are 0, 91; for great-circle distances write the longitude"),
        ("great-circle", (-73530767, 41085396), "in degrees"),
    ],
)
def test_bad_distances(distance: Any, point: Any, fault: str) -> None:
    """Also in a network of arrays."""
    with pytest.raises(bf.InputError, match=fault):
        bf.RoadMap([("A", "B", 1)], "A", "B", coordinates={"A": (0, 0), "B": point}, distance=distance)
    with pytest.raises(bf.InputError, match=fault.replace("'B'", "node 1")):
        bf.RoadNetwork([0, 1, 1], [1], [1], 0, 1, [(0, 0), point], distance=distance)


FAR, LONG = 10**10, 2**51
NEARLY = [
    # places on the x axis, the lengths of S-G, S-m and m-G, and what the note of "straight-line" says
    ((1, FAR), (FAR, 1, FAR - 6), "m-G has length 9999999994, but the straight line is 9999999999.0"),
    ((1, FAR), (float(FAR), 1.0, FAR - 6.0), "m-G has length 9999999994.0, but the straight line is 9999999999.0"),
    ((LONG // 2, LONG), (LONG + 1, LONG // 2, LONG // 2), "S-m has length .*, rounded"),
    ((1e-14, 5e-13), (5e-13, 1e-14, 1e-14), "m-G has length 1e-14, but the straight line is 4.9e-13"),
    ((1.5e-162, 3e-162), (3e-162, 1e-163, 1e-163), "S-G are less than 1e-140 apart"),
]


@pytest.mark.parametrize(
    ("engine", "places", "lengths", "note"), [*(("python", *case) for case in NEARLY), ("compiled", *NEARLY[1])]
)
def test_a_road_may_be_shorter_than_its_line_only_by_rounding(
    engine: Any, places: tuple[float, float], lengths: tuple[float, float, float], note: str
) -> None:
    """Whatever the unit: the cheaper of two paths is found, and the straight line is no lower bound."""
    points = {"S": (0, 0), "m": (places[0], 0), "G": (places[1], 0)}
    direct, first, second = lengths
    cities = bf.RoadMap(
        [("S", "G", direct), ("S", "m", first), ("m", "G", second)], "S", "G", coordinates=points, directed=True
    )
    network = bf.RoadNetwork([0, 2, 3, 3], [2, 1, 2], lengths, 0, 2, [*points.values()])
    for problem in (cities, network):
        line = problem.heuristics()["straight-line"]
        assert not line.admissible and not line.consistent
        assert re.search(note if problem is cities else note.translate(str.maketrans("SmG", "012")), line.note)
        solution = bf.solve(problem, engine=engine)
        assert (solution.status, solution.cost) == ("optimal", min(direct, first + second))


@pytest.mark.parametrize(("kind", "unit"), [(int, 4e6), (float, 4e9), (float, 4e-9)])
def test_roads_as_long_as_their_lines_keep_the_straight_line(kind: type[float], unit: float) -> None:
    """Whole lengths up to 20,000 km in metres; floats in any unit."""
    points = {"S": (0, 0), "m": (3 * unit, 0), "G": (3 * unit, 4 * unit)}
    lengths = kind(5 * unit), kind(3 * unit), kind(4 * unit)
    cities = bf.RoadMap(zip("SSm", "GmG", lengths, strict=True), "S", "G", coordinates=points)
    network = bf.RoadNetwork([0, 2, 3, 3], [2, 1, 2], lengths, 0, 2, [*points.values()])
    assert cities.default_heuristic == network.default_heuristic == "straight-line"


def test_a_stopped_search_proves_no_bound_above_a_whole_cost() -> None:
    """Not even by the rounding of a root: the line is 7044640264 long, but 7044640264.000001 in floats."""
    x, y, whole = 1728185536, 6829372680, 7044640264
    cities = bf.RoadMap([("S", "G", whole)], "S", "G", coordinates={"S": (0, 0), "G": (x, y)})
    network = bf.RoadNetwork([0, 1, 1], [1], [whole], 0, 1, [(0, 0), (x, y)])
    for problem in (cities, network):
        assert problem.straight_line(problem.initial) > whole
        for algorithm in ("astar", "idastar"):
            stopped = bf.Search(problem, algorithm, problem.default_heuristic).run(bf.Limits(seconds=0))
            assert 0.999 * whole < stopped.lower_bound <= whole
            assert bf.Search(problem, algorithm, "straight-line").run(bf.Limits(seconds=0)).lower_bound <= whole
