"""Orienteering with time windows: the most profit, the bound, what a file may contain, and results."""

from __future__ import annotations

from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.models import OrienteeringTW
from profiles import examples

INSTANCES = Path(__file__).parents[2] / "examples" / "instances"
FILE = "1 1 2 1\n0 100\n0 0 0 0 0 0 0 0 90\n1 3 4 2.55 10 1 0 5 30\n2 0 1 1 20.0 1 0 0 8\n"


@st.composite
def instances(draw: Any) -> dict[str, Any]:
    """Travel times, profits, windows and services of at most five places; the triangle inequality may not hold."""
    count = draw(st.integers(1, 5))
    distances = [[draw(st.integers(0, 9)) * (row != column) for column in range(count)] for row in range(count)]
    opens = [0, *(draw(st.integers(0, 15)) for _ in range(count - 1))]
    return {
        "distances": distances,
        "profits": [0, *(draw(st.integers(0, 9)) for _ in range(count - 1))],
        "opens": opens,
        "closes": [draw(st.integers(0, 30)), *(begin + draw(st.integers(0, 15)) for begin in opens[1:])],
        "services": [0, *(draw(st.integers(0, 4)) for _ in range(count - 1))],
    }


def is_in_time(instance: dict[str, Any], path: tuple[int, ...]) -> bool:
    """Whether each place of a tour is visited within its window, and the return is in time."""
    time = 0
    for place, following in pairwise((0, *path, 0)):
        time += instance["services"][place] + instance["distances"][place][following]
        if time > instance["closes"][following]:
            return False
        time = max(time, instance["opens"][following])
    return True


def most_profit(instance: dict[str, Any]) -> int:
    """The profit of the best tour, by trying all."""
    places = range(1, len(instance["profits"]))
    paths = (path for number in range(len(places) + 1) for path in permutations(places, number))
    profits: list[int] = instance["profits"]
    return max(sum(profits[place] for place in path) for path in paths if is_in_time(instance, path))


@given(instances(), st.sampled_from(["astar", "anytime-beam"]), st.sampled_from(["rates", "zero"]))
@examples(100)
def test_a_tour_has_the_most_profit(instance: dict[str, Any], algorithm: str, name: str) -> None:
    """Two algorithms find, with the bound and without, what trying all tours finds."""
    problem = OrienteeringTW(**instance)
    solution = bf.solve(problem, algorithm, name, engine="python")
    tour = problem.tour(solution)
    assert solution.status == "optimal"
    assert tour.profit == most_profit(instance)
    assert is_in_time(instance, tour.order[1:-1])
    assert solution.cost == problem.initial.profit - tour.profit


@given(instances())
@examples(40)
def test_the_heuristic_keeps_its_promises(instance: dict[str, Any]) -> None:
    """No estimate exceeds the true cost, nor the cost of an action plus the estimate after it."""
    audit = bf.audit(OrienteeringTW(**instance), "rates")
    assert audit.admissible and audit.consistent, audit


def test_a_published_instance_has_its_published_optimum() -> None:
    """The first 50 places of c101 give a profit of 270; both engines do the same."""
    problem = OrienteeringTW.from_file(INSTANCES / "50_c101.txt")
    reference, compiled = (bf.solve(problem, "anytime-beam", engine=engine) for engine in ("python", "compiled"))
    assert (compiled.status, problem.tour(compiled).profit) == ("optimal", 270)
    assert (reference.actions, reference.stats.expanded) == (compiled.actions, compiled.stats.expanded)


def test_check_finds_no_fault() -> None:
    """The methods compile, and identity, dominance and pictures are sound, for sets of one word and of two."""
    many = OrienteeringTW(
        [[1 + (3 * one + 5 * other) % 7 if one != other else 0 for other in range(70)] for one in range(70)],
        [place * 7 % 10 for place in range(70)],
        [0] * 70,
        [40, *(place % 40 for place in range(1, 70))],
    )
    for problem, states in ((OrienteeringTW.from_file(INSTANCES / "50_c101.txt"), 30), (many, 10)):
        report = bf.check(problem, states=states)
        assert report.ok and report.compiled, report


def test_a_file_is_read_in_whole_tenths(tmp_path: Path) -> None:
    """Distances and times are rounded down to one decimal, or to as many as wanted; the result has the same units."""
    path = tmp_path / "small.txt"
    path.write_text(FILE)
    problem = OrienteeringTW.from_file(path)
    assert problem.travel.tolist() == [[0, 50, 10], [75, 0, 67], [20, 52, 0]]
    assert OrienteeringTW.from_text(str(path), decimals="2").services == (0, 255, 100)
    assert OrienteeringTW.from_text(str(path), customers="1").places == (0, 1)
    tour = problem.tour(bf.solve(problem, engine="python"))
    assert (tour.order, tour.arrivals, tour.starts) == ((0, 2, 1, 0), (0, 10, 62, 137), (0, 10, 62, 137))
    assert (tour.profit, tour.length) == (30, 10 + 42 + 50)
    tour.to_csv(tmp_path / "tour.csv")
    assert (tmp_path / "tour.csv").read_text().splitlines()[:2] == ["place,arrival,start,profit", "0,0,0,0"]
    assert tour.picture().startswith("<svg")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1 1 2 1", "1 1 3 1", "line 1: the number of places is 3, but the number of lines after that of place 0 is 2"),
        ("1 1 2 1", "1 1", "line 1: the file ends before the number of places"),
        ("\n2 0 1", "\n3 0 1", "line 5: this is the line of place 2; begin it with 2"),
        ("3 4 2.55", "3 x 2.55", "line 4: place 1 has 'x'; write numbers"),
        ("3 4 2.55 10 1 0 5 30", "3 4", "line 4: place 1 has 2 numbers; write x, y"),
        ("0 5 30", "0 5 3", "line 4: the window of place 1 closes at 3, before it opens at 5"),
        ("0 5 30", "0 5 -7", "line 4: the closing of place 1 is -7; write a number >= 0"),
    ],
)
def test_a_mistake_in_a_file_is_named(old: str, new: str, message: str, tmp_path: Path) -> None:
    """The error names the file, the line, what is wrong, and what to write."""
    path = tmp_path / "wrong.txt"
    path.write_text(FILE.replace(old, new))
    with pytest.raises(bf.InputError, match=message) as caught:
        OrienteeringTW.from_file(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0, 1], [1, 0]], [1, 1], [0, 0], [9, 9]), "the profit of place 0 is 1; write 0"),
        (([[0, 1], [1, 0]], [0, 1], [0, 5], [9, 4]), "the window of place 1 closes at 4, before it opens at 5"),
        (([[0, 1], [1, 0]], [0, 1 << 40], [0, 0], [1 << 40, 9]), "do not fit into 64 bits"),
        (([[0, 1], [1, 0]], [0, -1], [0, 0], [9, 9]), "entry 1 of profits is -1"),
    ],
)
def test_a_mistake_in_an_argument_is_named(arguments: tuple[Any, ...], message: str) -> None:
    """The error says what is wrong, and what to write."""
    with pytest.raises(bf.InputError, match=message):
        OrienteeringTW(*arguments)


def test_the_way_from_a_place_to_itself_counts_for_nothing() -> None:
    """Some matrices have a large number there."""
    for own in (0, 50):
        problem = OrienteeringTW(
            [[own, 1, 1], [50, own, 1], [1, 1, own]], profits=[0, 5, 5], opens=[0, 0, 20], closes=[10, 5, 30]
        )
        assert bf.solve(problem).cost == 5
