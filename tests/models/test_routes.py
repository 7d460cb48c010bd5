"""Tours and vehicle routes: shortest ones, the bounds, what a TSPLIB file may contain, and results."""

from __future__ import annotations

from itertools import pairwise, permutations
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.models import CVRP, TSP
from profiles import examples

INSTANCES = Path(__file__).parents[2] / "examples" / "instances"
TSP_FILE = """NAME : three
DIMENSION : 3
EDGE_WEIGHT_TYPE : EUC_2D
NODE_COORD_SECTION
1 0 0
2 3 4
3 6 0
EOF
"""
VRP_FILE = TSP_FILE.replace("EOF\n", "CAPACITY : 9\nDEMAND_SECTION\n1 5\n2 0\n3 6\nDEPOT_SECTION\n2\n-1\nEOF\n")
MATRICES = {
    "FULL_MATRIX": "0 2 3 2 0 4 3 4 0",
    "UPPER_ROW": "2 3 4",
    "LOWER_ROW": "2 3 4",
    "UPPER_DIAG_ROW": "0 2 3 0 4 0",
    "LOWER_DIAG_ROW": "0 2 0 3 4 0",
}


@st.composite
def places(draw: Any) -> tuple[list[list[int]], list[int], int, int]:
    """Distances and demands of at most five places, a capacity, and a number of vehicles."""
    count = draw(st.integers(1, 5))
    distances = [[draw(st.integers(0, 9)) * (row != column) for column in range(count)] for row in range(count)]
    demands = [0, *draw(st.lists(st.integers(0, 6), min_size=count - 1, max_size=count - 1))]
    return distances, demands, draw(st.integers(6, 12)), draw(st.integers(1, 4))


def length(distances: list[list[int]], path: list[int]) -> int:
    """The length of a path."""
    return sum(distances[place][following] for place, following in pairwise(path))


def shortest_routes(distances: list[list[int]], demands: list[int], capacity: int, vehicles: int) -> float:
    """The length of the shortest routes, by trying all orders, and all ways to cut them."""
    count, best = len(demands) - 1, inf
    for order in permutations(range(1, count + 1)):
        for cuts in range(1 << max(0, count - 1)):
            routes = [[0]]
            for stop, place in enumerate(order):
                if stop and cuts >> stop - 1 & 1:
                    routes.append([0])
                routes[-1].append(place)
            fits = all(sum(demands[place] for place in route) <= capacity for route in routes)
            if fits and (len(routes) <= vehicles or not count):
                best = min(best, sum(length(distances, [*route, 0]) for route in routes))
    return best


@given(places(), st.sampled_from(["astar", "anytime-beam"]))
@examples(60)
def test_routes_are_shortest(instance: tuple[Any, ...], algorithm: str) -> None:
    """A tour, and routes of vehicles, with and without a limit on their number."""
    distances, demands, capacity, vehicles = instance
    tour = min(length(distances, [0, *order, 0]) for order in permutations(range(1, len(demands))))
    cases: list[tuple[Any, float]] = [
        (TSP(distances), tour),
        (CVRP(distances, demands, capacity), shortest_routes(distances, demands, capacity, 9)),
        (CVRP(distances, demands, capacity, vehicles=vehicles), shortest_routes(distances, demands, capacity, vehicles)),
    ]
    for problem, optimum in cases:
        solution = bf.solve(problem, algorithm, engine="python")
        assert (inf if solution.cost is None else solution.cost) == optimum
        assert solution.status == ("optimal" if optimum < inf else "unsolvable")
        if solution.found:
            assert problem.routes(solution).length == optimum


@given(places())
@examples(20)
def test_heuristics_keep_their_promises(instance: tuple[Any, ...]) -> None:
    """No estimate exceeds the true cost, nor the cost of an action plus the estimate after it."""
    distances, demands, capacity, vehicles = instance
    for problem in (TSP(distances), CVRP(distances, demands, capacity, vehicles=vehicles)):
        audit = bf.audit(problem, "nearest")
        assert audit.admissible and audit.consistent, audit


def test_published_instances_have_their_published_optima() -> None:
    """burma14 (by latitude and longitude) has a tour of 3323."""
    solution = bf.solve(TSP.from_file(INSTANCES / "burma14.tsp"), engine="compiled")
    assert (solution.status, solution.cost) == ("optimal", 3323)


@pytest.mark.slow
def test_published_instances_of_moderate_size_have_their_published_optima() -> None:
    """gr17 has a tour of 2085; eight vehicles serve P-n16-k8 at a length of 450, and none carries more than 35."""
    assert bf.solve(TSP.from_file(INSTANCES / "gr17.tsp"), engine="compiled").cost == 2085
    problem = CVRP.from_file(INSTANCES / "P-n16-k8.vrp", vehicles=8)
    solution = bf.solve(problem, engine="compiled")
    routes = problem.routes(solution)
    assert (solution.cost, routes.length, len(routes.routes)) == (450, 450, 8)
    assert max(routes.loads) <= 35


@pytest.mark.parametrize(
    "problem",
    [
        TSP.from_file(INSTANCES / "burma14.tsp"),
        CVRP.from_file(INSTANCES / "P-n16-k8.vrp"),
        CVRP.from_file(INSTANCES / "P-n16-k8.vrp", vehicles=8),
    ],
    ids=["tsp", "cvrp", "vehicles"],
)
def test_check_finds_no_fault(problem: bf.Domain) -> None:
    """The methods compile, and identity, dominance and pictures are sound."""
    report = bf.check(problem, states=50)
    assert report.ok and report.compiled, report


@pytest.mark.parametrize("form", MATRICES)
def test_explicit_distances_are_read_in_each_format(form: str, tmp_path: Path) -> None:
    """Distances of 2, 3 and 4 give a tour of 9."""
    path = tmp_path / "explicit.tsp"
    head = "DIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\n"
    path.write_text(f"{head}EDGE_WEIGHT_FORMAT: {form}\nEDGE_WEIGHT_SECTION\n{MATRICES[form]}\nEOF\n")
    problem = TSP.from_file(path)
    assert problem.distances.tolist() == [[0, 2, 3], [2, 0, 4], [3, 4, 0]]


@pytest.mark.parametrize(("kind", "tour"), [("EUC_2D", 16), ("CEIL_2D", 16), ("MAN_2D", 20), ("ATT", 6)])
def test_distances_follow_from_coordinates(kind: str, tour: int, tmp_path: Path) -> None:
    """The tour through (0, 0), (3, 4) and (6, 0) has another length in each metric."""
    path = tmp_path / "points.tsp"
    path.write_text(TSP_FILE.replace("EUC_2D", kind))
    problem = TSP.from_file(path)
    assert problem.routes([2, 3, 1]).length == tour


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_there_may_be_more_vehicles_than_could_ever_be_used(engine: str) -> None:
    """Their total capacity needs no more bits than a number may have."""
    distances = [[0, 4, 5, 6], [4, 0, 2, 7], [5, 2, 0, 6], [6, 7, 6, 0]]
    problem = CVRP(distances, [0, 3, 4, 5], 1 << 40, vehicles=1 << 40)
    found = bf.solve(problem, "depth-first-branch-and-bound", engine=engine)
    assert found.cost == bf.solve(CVRP(distances, [0, 3, 4, 5], 20)).cost


def test_routes_begin_at_the_depot_of_the_file(tmp_path: Path) -> None:
    """The depot may be any place; routes have its number, loads and a CSV file."""
    path = tmp_path / "routes.vrp"
    path.write_text(VRP_FILE)
    problem = CVRP.from_file(path)
    routes = problem.routes(bf.solve(problem, engine="python"))
    assert sorted(routes.routes) == [(2, 1, 2), (2, 3, 2)]
    assert (sorted(routes.loads), routes.length) == ([5, 6], 20)
    routes.to_csv(tmp_path / "routes.csv")
    assert (tmp_path / "routes.csv").read_text().splitlines()[:2] == ["route,stop,place", "1,0,2"]
    assert routes.picture().startswith("<svg")


def test_places_without_coordinates_have_no_picture() -> None:
    """The state has none; drawing a tour says what to pass."""
    problem = TSP([[0, 1], [1, 0]])
    assert problem.picture(problem.initial) is None
    with pytest.raises(bf.InputError, match="pass points="):
        problem.routes([1, 0]).picture()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("DIMENSION : 3\n", "", "has no line DIMENSION; add it, such as DIMENSION : 17"),
        ("DIMENSION : 3", "DIMENSION : x", "line 2: DIMENSION is 'x'; write a whole number"),
        ("DIMENSION : 3", "DIMENSION : 4", "line 7: the file ends before the number of place 4 of 4"),
        ("DIMENSION : 3", "DIMENSION : 2", "line 7: '3' follows the last place"),
        ("EUC_2D", "XRAY1", "line 3: EDGE_WEIGHT_TYPE is 'XRAY1'; write EXPLICIT or one of EUC_2D"),
        ("EUC_2D", "EXPLICIT", "has no line EDGE_WEIGHT_FORMAT"),
        ("NODE_COORD_SECTION", "NODES", "line 4: 'NODES' is neither"),
        ("2 3 4", "2 3 y", "line 6: the y coordinate is 'y'; write a number"),
        ("2 3 4", "2 1e300 4", r"line 6: the x coordinate is '1e300'; write a number from -1e\+15 to 1e\+15"),
        (
            "EUC_2D\nNODE_COORD_SECTION\n1 0 0",
            "GEO\nNODE_COORD_SECTION\n1 90.5 0",
            "line 5: the x coordinate is '90.5'.* -90 to 90",
        ),
        ("2 3 4", "1 3 4", "line 6: place 1 occurs twice"),
        ("CAPACITY : 9\n", "", "has no line CAPACITY"),
        ("3 6\nDEPOT", "3 10\nDEPOT", "line 12: its demand is '10'; write a whole number from 0 to 9"),
        ("3 6\nDEPOT", "4 6\nDEPOT", "line 12: place 4 is unknown"),
        ("DEPOT_SECTION\n2\n-1\n", "", "has no DEPOT_SECTION, which a vehicle routing problem needs; add it"),
        ("\n2\n-1", "\n7\n-1", "line 14: the depot is 7, which is not the number of a place"),
        ("\n2\n-1", "\n2\n3\n-1", "line 15: '3' follows the depot"),
        ("2 0\n", "2 1\n", "the demand of the depot, place 2, is 1; write 0"),
        (
            "CAPACITY : 9",
            "CAPACITY : 9\nDISTANCE : 21",
            "DISTANCE is '21', but a limit on the length of routes in a file is not supported",
        ),
        (
            "DEPOT_SECTION\n",
            "FIXED_EDGES_SECTION\n1 3\n-1\nDEPOT_SECTION\n",
            "the constraints of FIXED_EDGES_SECTION are not",
        ),
        ("-1\nEOF\n", "-1", "line 15: the file ends within a line and has no EOF"),
    ],
)
def test_a_mistake_in_a_file_is_named(old: str, new: str, message: str, tmp_path: Path) -> None:
    """The error names the file, the line or the missing part, what is wrong, and what to write."""
    path = tmp_path / "wrong.vrp"
    assert old in VRP_FILE
    path.write_text(VRP_FILE.replace(old, new))
    with pytest.raises(bf.InputError, match=message) as caught:
        CVRP.from_file(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([[0, 1], [1, 0]], [0, 5], 4), {}, "the demand of place 1 is 5, more than the capacity 4"),
        (([[0, 1], [1, 0]], [0, 1], 4), {"vehicles": 0}, "vehicles is 0"),
        (([[0, 1], [1, 0]], [0, 1], 4), {"points": [(1, 2)]}, "points has 1 entry; write 2 pairs"),
        (([[0, 1], [1, 0]], [0, 1], 4), {"points": [(1, 2), (3,)]}, "entry 1 of points has 1 number; write a pair"),
        (([[0, 1], [1, 0]], [0, 1], 4), {"names": ["a", "a"]}, "two places are called 'a'"),
    ],
)
def test_a_mistake_in_an_argument_is_named(arguments: tuple[Any, ...], options: dict[str, Any], message: str) -> None:
    """The error says what is wrong, and what to write."""
    with pytest.raises(bf.InputError, match=message):
        CVRP(*arguments, **options)
