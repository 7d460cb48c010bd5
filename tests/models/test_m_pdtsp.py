"""Pickup and delivery: shortest tours, the bound, what a file may contain, and results."""

from __future__ import annotations

from itertools import pairwise, permutations
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.models import MPDTSP
from profiles import examples

INSTANCES = Path(__file__).parents[2] / "examples" / "instances"
FILE = """DIMENSION : 3
EDGE_WEIGHT_TYPE : EXPLICIT
EDGE_WEIGHT_FORMAT : FULL_MATRIX
EDGE_WEIGHT_SECTION
3
0 2 9
-1 0 3
-1 -1 0
CAPACITY : 4
DEMAND_DIMENSION : 2
DEMAND_SECTION
1 3 0
2 -3 4
3 0 -4
EOF
"""


@st.composite
def instances(draw: Any) -> tuple[list[list[int]], list[tuple[int, int, int]], int]:
    """Distances of at most six places, some of them without a way, commodities that follow some order, and a capacity."""
    count = draw(st.integers(2, 6))
    distances = [[draw(st.integers(-1, 9)) if row != column else 0 for column in range(count)] for row in range(count)]
    order = [0, *draw(st.permutations(range(1, count - 1))), count - 1]
    commodities = []
    for _ in range(draw(st.integers(0, 4))):
        begin = draw(st.integers(0, count - 2))
        commodities.append((order[begin], order[draw(st.integers(begin + 1, count - 1))], draw(st.integers(1, 5))))
    return distances, commodities, draw(st.integers(5, 9))


def shortest(distances: list[list[int]], commodities: list[tuple[int, int, int]], capacity: int) -> float:
    """The length of the shortest tour, by trying all; inf if there is none."""
    best = inf
    end = len(distances) - 1
    for order in permutations(range(1, end)):
        path = (0, *order, end)
        place = {name: number for number, name in enumerate(path)}
        loads = [sum(amount for begin, to, amount in commodities if place[begin] <= stop < place[to]) for stop in range(end)]
        lengths = [distances[one][other] for one, other in pairwise(path)]
        is_ordered = all(place[begin] < place[to] for begin, to, _ in commodities)
        if is_ordered and min(lengths) >= 0 and max(loads) <= capacity:
            best = min(best, sum(lengths))
    return best


@given(instances(), st.sampled_from(["astar", "anytime-beam"]))
@examples(50)
def test_a_tour_is_shortest(instance: tuple[Any, ...], algorithm: str) -> None:
    """No way that is ruled out is needed, and the loads of the result respect the capacity."""
    problem = MPDTSP(*instance)
    solution = bf.solve(problem, algorithm, engine="python")
    best = shortest(*instance)
    assert (inf if solution.cost is None else solution.cost) == best
    assert solution.status == ("optimal" if best < inf else "unsolvable")
    if solution.found:
        tour = problem.tour(solution)
        assert tour.length == best
        assert max(tour.loads) <= instance[2]
        assert tour.loads[-1] == 0


@given(instances())
@examples(30)
def test_the_heuristic_keeps_its_promises(instance: tuple[Any, ...]) -> None:
    """No estimate exceeds the true cost, nor the cost of an action plus the estimate after it."""
    audit = bf.audit(MPDTSP(*instance), "nearest")
    assert audit.admissible and audit.consistent, audit


def test_both_engines_do_the_same() -> None:
    """On the instance of the documentation, with equal counts."""
    problem = MPDTSP.from_file(INSTANCES / "twelve-places.tsp")
    reference, compiled = (bf.solve(problem, "anytime-beam", engine=engine) for engine in ("python", "compiled"))
    assert (reference.status, reference.actions) == ("optimal", compiled.actions)
    assert reference.stats.expanded == compiled.stats.expanded


def test_check_finds_no_fault() -> None:
    """The methods compile, and identity and pictures are sound, for sets of one word and of two."""
    many = MPDTSP([[abs(one - other) for other in range(70)] for one in range(70)], [(1, 68, 2), (40, 66, 3)], 5)
    for problem, states in ((MPDTSP.from_file(INSTANCES / "twelve-places.tsp"), 50), (many, 10)):
        report = bf.check(problem, states=states)
        assert report.ok and report.compiled, report


def test_a_file_may_lack_ways(tmp_path: Path) -> None:
    """A distance of -1 means that there is none; the result has loads, and can be written as CSV."""
    path = tmp_path / "small.tsp"
    path.write_text(FILE)
    problem = MPDTSP.from_file(path)
    assert problem.commodities == ((0, 1, 3), (1, 2, 4))
    tour = problem.tour(bf.solve(problem, engine="python"))
    assert (tour.order, tour.loads, tour.length) == ((1, 2, 3), (3, 4, 0), 5)
    tour.to_csv(tmp_path / "tour.csv")
    assert (tmp_path / "tour.csv").read_text().splitlines() == ["place,load", "1,3", "2,4", "3,0"]
    assert tour.picture().startswith("<svg")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("DEMAND_DIMENSION : 2\n", "", "has no line DEMAND_DIMENSION; add it, such as DEMAND_DIMENSION : 5"),
        ("3 0 -4", "3 0 -5", "line 14: its demand is '-5'; write a whole number from -4 to 4"),
        ("3 0 -4", "3 0 -3", "the nonzero amounts of commodity 2 are .4, -3.;"),
        ("2 -3 4", "2 0 4", "the nonzero amounts of commodity 1 are .3.;"),
        ("3 0 -4", "4 0 -4", "line 14: place 4 is unknown"),
        ("-1 0 3", "-2 0 3", "line 7: the distance from place 2 to place 1 is '-2'; write a whole number from -1"),
        ("2 -3 4", "2 -3", "line 14: .*|line 13: .*"),
    ],
)
def test_a_mistake_in_a_file_is_named(old: str, new: str, message: str, tmp_path: Path) -> None:
    """The error names the file, the line or the missing part, what is wrong, and what to write."""
    path = tmp_path / "wrong.tsp"
    assert old in FILE
    path.write_text(FILE.replace(old, new))
    with pytest.raises(bf.InputError, match=message) as caught:
        MPDTSP.from_file(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0]], [], 1), "the number of places is 1; use at least two"),
        (([[0, 1], [1, 0]], [(0, 1, 5)], 4), "the amount of commodity 0 is 5, more than the capacity 4"),
        (([[0, 1], [1, 0]], [(1, 0, 1)], 4), "commodity 0 goes from place 1 to place 0; write two different places"),
        (([[0] * 4] * 4, [(1, 2, 1), (2, 1, 1)], 4), "that place 1 be visited before itself"),
        (([[0] * 3] * 3, [(0, 1)], 4), "commodity 0 has 2 entries; it needs 3"),
    ],
)
def test_a_mistake_in_an_argument_is_named(arguments: tuple[Any, ...], message: str) -> None:
    """The error says what is wrong, and what to write."""
    with pytest.raises(bf.InputError, match=message):
        MPDTSP(*arguments)
