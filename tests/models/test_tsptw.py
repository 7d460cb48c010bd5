"""TSPTW: optimal tours, the bounds, what a file may contain, and results."""

from __future__ import annotations

from itertools import pairwise, permutations
from math import inf
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.models import TSPTW
from profiles import examples

INSTANCES = Path(__file__).parents[2] / "examples" / "instances"


@st.composite
def instances(draw: Any) -> tuple[list[list[int]], list[int], list[int]]:
    """Travel times and windows of at most five places; nobody travels on the diagonal."""
    count, diagonal = draw(st.integers(1, 5)), draw(st.sampled_from([0, 9999]))
    distances = [[draw(st.integers(0, 9)) if row != column else diagonal for column in range(count)] for row in range(count)]
    opens = [draw(st.integers(0, 20)) for _ in range(count)]
    return distances, opens, [begin + draw(st.integers(0, 25)) for begin in opens]


def best_tour(distances: list[list[int]], opens: list[int], closes: list[int]) -> tuple[float, float]:
    """The least travel time and the earliest return, by trying all orders."""
    least, earliest = inf, inf
    for order in permutations(range(1, len(opens))):
        time, length = 0, 0
        path = [0, *order, 0] if order else [0]
        for place, following in pairwise(path):
            length += distances[place][following]
            time = max(time + distances[place][following], opens[following])
            if time > closes[following]:
                break
        else:
            least, earliest = min(least, length), min(earliest, time)
    return least, earliest


@given(instances())
@examples(40)
def test_a_tour_is_optimal(instance: tuple[Any, ...]) -> None:
    """For both objectives, with both heuristics, branch and bound finds what trying all orders finds."""
    optima = best_tour(*instance)
    for objective, optimum in zip(("travel", "makespan"), optima, strict=True):
        for name in ("nearest", "releases"):
            problem = TSPTW(*instance, objective=objective)
            solution = bf.solve(problem, "depth-first-branch-and-bound", name, engine="compiled")
            assert (inf if solution.cost is None else solution.cost) == optimum
            assert (solution.status == "optimal") == (optimum < inf)


@given(instances())
@examples(20)
def test_heuristics_keep_their_promises(instance: tuple[Any, ...]) -> None:
    """No estimate exceeds the true cost, nor the cost of an action plus the estimate after it."""
    for objective in ("travel", "makespan"):
        problem = TSPTW(*instance, objective=objective)
        for name in problem.heuristics():
            audit = bf.audit(problem, name)
            assert audit.admissible and audit.consistent, audit


def test_a_published_instance_has_its_published_optimum() -> None:
    """rbg010a has a tour of 671 and none that is shorter."""
    problem = TSPTW.from_file(INSTANCES / "rbg010a.tw")
    solution = bf.solve(problem, engine="compiled")
    assert (solution.status, solution.cost, problem.tour(solution).length) == ("optimal", 671, 671)


def test_check_finds_no_fault() -> None:
    """The methods compile, and identity, dominance and pictures are sound."""
    report = bf.check(TSPTW.from_file(INSTANCES / "rbg010a.tw"))
    assert report.ok and report.compiled, report


def test_a_set_of_places_may_take_two_words() -> None:
    """With 70 places on a line, whose windows force the order, the tour is that order."""
    distances = [[abs(row - column) for column in range(70)] for row in range(70)]
    problem = TSPTW(distances, [3 * place for place in range(70)], [1000, *(3 * place for place in range(1, 70))])
    assert problem.tour(bf.solve(problem, "depth-first-branch-and-bound", engine="compiled")).order == (*range(70), 0)


@pytest.mark.parametrize("unit", [1, 10**4, 10**9])
def test_times_may_be_large(unit: int) -> None:
    """The compiled engine finds the same tour, whatever the unit of time."""
    distances = [[0, 3, 5, 4], [3, 0, 2, 6], [5, 2, 0, 3], [4, 6, 3, 0]]
    longer = [[unit * time for time in row] for row in distances]
    problem = TSPTW(longer, [0, unit * 4, 0, 0], [unit * 40, unit * 9, unit * 30, unit * 30])
    reference, compiled = (bf.solve(problem, "astar", engine=engine) for engine in ("python", "compiled"))
    assert (compiled.status, compiled.cost, compiled.actions) == ("optimal", 12 * unit, reference.actions)
    assert compiled.stats.expanded == reference.stats.expanded


def test_a_tour_names_places_and_times(tmp_path: Path) -> None:
    """A tour of a graph has its names, arrivals before waiting, starts after it, and can be written as CSV."""
    graph = nx.complete_graph(["home", "shop", "park"])
    nx.set_edge_attributes(graph, {("home", "shop"): 2, ("home", "park"): 4, ("shop", "park"): 3}, "weight")
    problem = TSPTW(graph, [0, 5, 0], [30, 9, 30])
    tour = problem.tour(bf.solve(problem, engine="python"))
    assert (tour.order, tour.arrivals, tour.starts) == (("home", "shop", "park", "home"), (0, 2, 8, 12), (0, 5, 8, 12))
    assert (tour.length, tour.makespan) == (9, 12)
    tour.to_csv(tmp_path / "tour.csv")
    assert (tmp_path / "tour.csv").read_text().splitlines()[:2] == ["place,arrival,start", "home,0,0"]
    assert tour.picture().startswith("<svg")


def test_a_list_of_actions_is_a_tour_too() -> None:
    """Actions that are possible give a tour; others are named in the error."""
    problem = TSPTW(np.ones((3, 3), int), [0, 0, 0], [9, 9, 9])
    assert problem.tour([2, 1, 0]).length == 3
    with pytest.raises(bf.InputError, match="action 7"):
        problem.tour([7])
    with pytest.raises(bf.InputError, match="not a goal"):
        problem.tour([2])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("two", "line 1: the number of places is 'two'; write a whole number"),
        ("2\n0 1\n1\n", "line 3: row 2 of the travel times has 1 number instead of 2"),
        ("2\n0 1\n1 0\n0 9\n", "line 4: the file ends before the time at which place 1 opens"),
        ("2\n0 1\n1 0\n0 9\n8 7  # here\n", "line 5: place 1 closes at 7, before it opens at 8"),
        ("2\n0 1\n1 0\n0 9\n0 9\n5\n", "line 6: '5' follows the last window"),
        ("2\n0 1.5\n1 0\n0 9\n0 9\n", "line 2: .* '1.5'; write whole numbers: multiply"),
        ("2\n0 -1\n1 0\n0 9\n0 9\n", "line 2: .* '-1'; write a whole number from 0"),
        ("2\n0 1e99\n1 0\n0 9\n0 9\n", "line 2: .*from 0 to"),
        ("2\n0 nan\n1 0\n0 9\n0 9\n", "line 2: .*'nan'"),
        ("2 0\n", "line 1: the file ends before row 1"),
    ],
)
def test_a_mistake_in_a_file_is_named(text: str, message: str, tmp_path: Path) -> None:
    """The error names the file, the line, what is wrong, and what to write."""
    path = tmp_path / "wrong.tw"
    path.write_text(text)
    with pytest.raises(bf.InputError, match=message) as caught:
        TSPTW.from_file(path)
    assert str(path) in str(caught.value)


def test_a_matrix_may_be_wrapped(tmp_path: Path) -> None:
    """Rows may take several lines, or share one."""
    path = tmp_path / "wrapped.tw"
    path.write_text("2 0\n1 1 0 0\n9 0 9\n")
    assert bf.solve(TSPTW.from_file(path), engine="python").cost == 2


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([[0, 1]], [0], [9]), {}, "row 0 of distances has 2 entries; it needs 1"),
        (([[0, 0.5], [1, 0]], [0, 0], [9, 9]), {}, "row 0, column 1 of distances is 0.5"),
        (([[0, 1], [1, 0]], [0], [9, 9]), {}, "opens has 1 entry; it needs 2"),
        (([[0, 1], [1, 0]], [0, 5], [9, 4]), {}, "place 1 closes at 4"),
        (([], [], []), {}, "at least one"),
        ((5, [], []), {}, "write a list"),
        (([[0]], [0], [9]), {"objective": "time"}, "write 'travel' or 'makespan'"),
        (([[0]], [0], [9]), {"names": ["a", "b"]}, "the number of names is 2, but that of places is 1"),
        ((nx.empty_graph(3), [0, 0, 0], [9, 9, 9]), {}, "no edge from 0 to 1"),
        ((nx.complete_graph(3), [0, 0, 0], [9, 9, 9]), {}, "no attribute 'weight'"),
    ],
)
def test_a_mistake_in_an_argument_is_named(arguments: tuple[Any, ...], options: dict[str, Any], message: str) -> None:
    """The error says what is wrong, and what to write."""
    with pytest.raises(bf.InputError, match=message):
        TSPTW(*arguments, **options)


def test_a_place_out_of_reach_is_known_without_a_search() -> None:
    """A window that closes before anybody can be there makes the problem unsolvable."""
    reason = TSPTW([[0, 5], [5, 0]], [0, 0], [99, 4], names=["depot", "far"]).unsolvable()
    assert reason is not None and "far" in reason
