"""Every algorithm with every heuristic on every domain that is listed."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.heuristics.space import explore

INSTANCES: dict[str, list[bf.Problem]] = {
    "sliding-tile": [
        bf.SlidingTile("1 3 4 8 _ 2 7 6 5", goal="1 2 3 8 _ 4 7 6 5"),
        bf.SlidingTile("4 1 2 / 5 _ 3", goal="1 2 3 / 4 5 _"),
        bf.SlidingTile("2 1 / 3 _"),
    ],
    "jumping-tiles": [bf.JumpingTiles("bb_w"), bf.JumpingTiles("b_ww")],
    "road-map": [
        bf.RoadMap.from_csv(Path(__file__).parent.parent / "examples" / "cities.csv", "A", "W"),
        bf.RoadMap(
            {"A": {"B": 1}, "C": {"D": 2}}, "A", "D", coordinates={"A": (0, 0), "B": (1, 0), "C": (2, 0), "D": (3, 0)}
        ),
    ],
    "grid-map": [
        bf.GridMap(["..@", "@..", "..."], (0, 0), (0, 2)),
        bf.GridMap(["..", ".@"], (1, 0), (0, 1), neighbours=4),
        bf.GridMap(["..@.", "..@."], "0,0", "3,0"),
    ],
    "tree": [
        bf.Tree({"I": {"a": 2, "b": 1}, "b": {"c": 3}}, "I", {"a", "c"}, estimates={"I": 2, "a": 0, "b": 1, "c": 0}),
        bf.Tree({"I": ["a", "b"]}, "I", [], estimates={"I": 0, "a": 0, "b": 0}),
    ],
    "n-queens": [bf.NQueens(5), bf.NQueens(3)],
    "water-jugs": [bf.WaterJugs("3 2", 1), bf.WaterJugs("4 2", 3)],
    "pancake": [bf.Pancake("3 1 4 2")],
    "towers-of-hanoi": [bf.TowersOfHanoi(2), bf.TowersOfHanoi(2, 4)],
    "missionaries-cannibals": [bf.MissionariesCannibals(2, 2), bf.MissionariesCannibals(1, 1, 1)],
    "top-spin": [bf.TopSpin("1 3 4 2", turnstile=2), bf.TopSpin("1 3 2 4 5", turnstile=4)],
    "rubiks-cube": [bf.RubiksCube("U'")],
    "pocket-cube": [bf.PocketCube("U'")],  # the first turn that is tried solves it: its space is too large to get lost in
    "lights-out": [bf.LightsOut("1x3"), bf.LightsOut("01/11"), bf.LightsOut("10/00/00")],
}
LARGEST: dict[str, int] = {
    "generate-and-test": 5,
    "depth-first-tree": 12,
    "depth-first-branch-and-bound": 12,
    "branch-and-bound": 40,
    "rbfs": 400,
    "best-first-tree": 400,
}
"""The most states of a space for the algorithms that look at all sequences, or at all paths."""


def test_every_domain_has_instances_here() -> None:
    """A new domain must be added."""
    assert set(INSTANCES) == set(bf.DOMAINS)


def truth(problem: bf.Problem) -> float:
    """The cost of the cheapest solution by uniform-cost search, which needs no heuristic."""
    solution = bf.solve(problem, "uniform-cost", engine="python")
    return math.inf if solution.cost is None else solution.cost


def heuristics_for(problem: bf.Problem, algorithm: str) -> list[str | None]:
    if bf.ALGORITHMS[algorithm].heuristic == "none":
        return [None]
    return [*problem.heuristics(), "zero"]


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", bf.ALGORITHMS)
@pytest.mark.parametrize("domain", INSTANCES)
def test_every_combination_keeps_its_promise(domain: str, algorithm: str) -> None:
    """Its plan can be replayed; where it promises the cheapest, and no heuristic is known to overestimate, it is that."""
    options: dict[str, Any] = {"depth": 12} if algorithm == "depth-limited" else {}
    for problem in INSTANCES[domain]:
        if algorithm == "bidirectional-astar" and problem.backward() is None:
            continue
        if algorithm in LARGEST and explore(problem, LARGEST[algorithm]) is None:
            continue
        optimum = truth(problem)
        for name in heuristics_for(problem, algorithm):
            solution = bf.solve(problem, algorithm, name, **options)
            solution.verify()
            case = f"{problem!r} {algorithm} {name}: {solution}"
            if optimum == math.inf:
                assert solution.status == "unsolvable", case
                continue
            assert solution.cost is not None and solution.cost >= optimum - 1e-9, case
            assert solution.lower_bound <= optimum + 1e-9, case
            overestimates = name is not None and name != "zero" and problem.heuristics()[name].admissible is False
            if bf.ALGORITHMS[algorithm].promise == "cheapest" and not overestimates:
                assert solution.status == "optimal", case
            if solution.status == "optimal":
                assert solution.cost == pytest.approx(optimum), case
