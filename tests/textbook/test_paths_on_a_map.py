"""Worked case 2: the shortest way on a road map, and branch and bound in its classic steps."""

from __future__ import annotations

import math
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.domains.road_map import RoadMap

ROADS = {
    "A": {"T": 3, "H": 4},
    "T": {"H": 5, "G": 4},
    "G": {"C": 4, "B": 5},
    "H": {"B": 2},
    "B": {"W": 3, "P": 4},
}
CITIES = RoadMap.from_csv(Path(__file__).parents[2] / "examples" / "cities.csv", "A", "W")
STEPS: list[dict[str, Any]] = [
    {},
    {"heuristic": "straight-line"},
    {"heuristic": "straight-line", "delete_redundant": True},
]


def expanded(algorithm: str, **options: Any) -> list[str]:
    trace = bf.Trace()
    bf.solve(CITIES, algorithm, trace=trace, **options)
    return [node.state for node in trace.expansions()]


def test_the_example_file_is_the_map_of_the_course_notes() -> None:
    """The same roads, two-way, and coordinates with which no road is shorter than its straight line."""
    assert CITIES.roads == RoadMap(ROADS, "A", "W").roads
    assert CITIES.coordinates is not None
    for city, roads in CITIES.roads.items():
        for other, length in roads.items():
            assert math.dist(CITIES.coordinates[city], CITIES.coordinates[other]) <= length
    straight_line = CITIES.heuristics()["straight-line"]
    assert straight_line.admissible and straight_line.consistent


def test_the_shortest_way_is_a_h_b_w() -> None:
    """Of all ways from A to W the one by H and B is the only one of 9; none is shorter."""
    ways = {}
    for between in range(7):
        for middle in permutations("THGCBP", between):
            way = ("A", *middle, "W")
            legs = list(pairwise(way))
            if all(there in CITIES.roads[here] for here, there in legs):
                ways[way] = sum(CITIES.roads[here][there] for here, there in legs)
    assert min(ways.values()) == 9
    assert [way for way, cost in ways.items() if cost == 9] == [("A", "H", "B", "W")]


@pytest.mark.parametrize("name", [name for name, algorithm in bf.ALGORITHMS.items() if algorithm.promise == "cheapest"])
def test_every_optimal_algorithm_finds_it(name: str) -> None:
    """A H B W, 9, proved optimal."""
    solution = bf.solve(CITIES, name)
    assert (solution.states, solution.cost, solution.status) == (["A", "H", "B", "W"], 9, "optimal")
    solution.verify()


def test_each_step_of_branch_and_bound_does_no_more_than_the_one_before() -> None:
    """(i) costs so far, (ii) with a lower bound, (iii) with redundant paths deleted: the same answer for less work."""
    solutions = [bf.solve(CITIES, "branch-and-bound", **step) for step in STEPS]
    for solution in solutions:
        assert (solution.states, solution.cost, solution.status) == (["A", "H", "B", "W"], 9, "optimal")
    assert [solution.stats.expanded for solution in solutions] == [7, 4, 4]


def test_the_lower_bound_and_the_deletion_of_redundant_paths_are_astar() -> None:
    """Branch and bound with both expands exactly what A* expands."""
    assert expanded("branch-and-bound", **STEPS[2]) == expanded("astar") == ["A", "T", "H", "B"]


def test_the_way_by_t_to_h_is_redundant() -> None:
    """A T H is dearer than A H: without a lower bound it is extended, unless redundant paths are deleted."""
    assert expanded("branch-and-bound").count("H") == 2
    assert expanded("branch-and-bound", delete_redundant=True).count("H") == 1
