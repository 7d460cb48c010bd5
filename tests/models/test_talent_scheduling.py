"""Talent scheduling: optimal schedules, the bound, what a file may contain, and results."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.models import TalentScheduling
from profiles import examples

INSTANCES = Path(__file__).parents[2] / "examples" / "instances"
FILE = "film\n2\n1\n1 0 5\n3 4\n"


@st.composite
def films(draw: Any) -> tuple[list[list[int]], list[int], list[int]]:
    """Who appears in which of at most five scenes, wages and durations."""
    scenes, actors = draw(st.integers(0, 5)), draw(st.integers(0, 4))
    appears = [draw(st.lists(st.integers(0, 1), min_size=scenes, max_size=scenes)) for _ in range(actors)]
    wages = draw(st.lists(st.integers(0, 5), min_size=actors, max_size=actors))
    return appears, wages, draw(st.lists(st.integers(0, 4), min_size=scenes, max_size=scenes))


def least_cost(appears: list[list[int]], wages: list[int], durations: list[int]) -> int:
    """The cost of the best order, by trying all."""

    def cost(order: tuple[int, ...]) -> int:
        total = 0
        for of_actor, wage in zip(appears, wages, strict=True):
            places = [place for place, scene in enumerate(order) if of_actor[scene]]
            days = order[places[0] : places[-1] + 1] if places else ()
            total += wage * sum(durations[scene] for scene in days)
        return total

    return min(cost(order) for order in permutations(range(len(durations))))


@given(films(), st.sampled_from(["astar", "anytime-beam"]))
@examples(80)
def test_a_schedule_is_optimal(film: tuple[Any, ...], algorithm: str) -> None:
    """No action that the rules forbid is needed."""
    problem = TalentScheduling(*film)
    solution = bf.solve(problem, algorithm, engine="python")
    assert solution.status == "optimal"
    assert solution.cost == least_cost(*film) == problem.shooting(solution).cost


@given(films())
@examples(20)
def test_the_heuristic_keeps_its_promises(film: tuple[Any, ...]) -> None:
    """No estimate exceeds the true cost, nor the cost of an action plus the estimate after it."""
    audit = bf.audit(TalentScheduling(*film), "base")
    assert audit.admissible and audit.consistent, audit


def test_a_published_instance_has_its_published_optimum() -> None:
    """film105 costs 849."""
    solution = bf.solve(TalentScheduling.from_file(INSTANCES / "film105.dat"), engine="compiled")
    assert (solution.status, solution.cost) == ("optimal", 849)


def test_check_finds_no_fault() -> None:
    """The methods compile, and identity and pictures are sound."""
    report = bf.check(TalentScheduling.from_file(INSTANCES / "film105.dat"), states=50)
    assert report.ok and report.compiled, report


def test_a_shooting_names_scenes_and_actors(tmp_path: Path) -> None:
    """The scenes of an actor are shot one after the other, so nobody is paid to wait; the schedule can be written as CSV."""
    problem = TalentScheduling([[1, 0, 1], [0, 1, 0]], [2, 1], [1, 1, 1], scenes=["x", "y", "z"], actors=["Ann", "Bob"])
    best = problem.shooting(bf.solve(problem, engine="python"))
    assert best.cost == 5
    assert best.paid == best.appear
    best.to_csv(tmp_path / "shooting.csv")
    assert (tmp_path / "shooting.csv").read_text().splitlines()[0] == "scene,start,end,appear,wait"
    assert best.picture().startswith("<svg")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1 0 5", "1 0", "line 4: row 1 of the scenes and wages has 2 numbers instead of 3|line 5: .*"),
        ("1 0 5", "2 0 5", "actor 1 has 2 for scene 1; write 1"),
        ("3 4", "3", "line 5: the file ends before duration 2 of 2"),
        ("3 4", "3 4 5", "line 5: '5' follows the last duration"),
        ("\n2\n", "\n64\n", "line 2: the number of scenes is '64'; write a whole number from 0 to 63"),
        ("1 0 5", "1 0 x", "line 4: .*'x'; write a whole number"),
    ],
)
def test_a_mistake_in_a_file_is_named(old: str, new: str, message: str, tmp_path: Path) -> None:
    """The error names the file, what is wrong, and what to write."""
    path = tmp_path / "wrong.dat"
    path.write_text(FILE.replace(old, new))
    with pytest.raises(bf.InputError, match=message) as caught:
        TalentScheduling.from_file(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[1, 0]], [1, 2], [1, 1]), "appears has 1 row, but wages has 2"),
        (([[1, 3]], [1], [1, 1]), "column 1 of appears is 3; write a whole number from 0 to 1"),
        (([[1] * 64], [1], [1] * 64), "there are 64 scenes; use at most 63"),
        (([[1]], [1 << 40], [1 << 40]), "could exceed 64 bits"),
    ],
)
def test_a_mistake_in_an_argument_is_named(arguments: tuple[Any, ...], message: str) -> None:
    """The error says what is wrong, and what to write."""
    with pytest.raises(bf.InputError, match=message):
        TalentScheduling(*arguments)
