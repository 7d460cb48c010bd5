"""Finding the heuristic that a caller means."""

from __future__ import annotations

from typing import Any

import pytest

import bestfirst as bf
from bestfirst.domains.sliding_tile import SlidingTile
from bestfirst.errors import InputError, UnknownNameError
from bestfirst.heuristics import ZERO, Heuristic
from bestfirst.heuristics.naming import find_heuristic
from bestfirst.problem import Problem
from bestfirst.solve import solve


class Measured(SlidingTile):
    """A puzzle with an estimate of its own that is not marked."""

    answer = 42

    def tiles_off(self, state: tuple[int, ...]) -> int:
        return self.misplaced(state)

    def _secret(self, _state: tuple[int, ...]) -> int:
        return 0


PUZZLE = Measured("2 8 3 1 6 4 7 _ 5", goal="1 2 3 8 _ 4 7 6 5")
START = PUZZLE.initial


@pytest.mark.parametrize("name", ["linear-conflict", "linear_conflict", "Linear-Conflict", " linear-conflict "])
def test_names_are_read_with_hyphens_or_underscores_in_any_case(name: str) -> None:
    """The heuristic found has the name that the problem offers, and its facts."""
    found = find_heuristic(PUZZLE, name)
    assert (found.name, found.admissible, found(START)) == ("linear-conflict", True, 5)


def test_zero_is_a_name_everywhere() -> None:
    """Also on a problem that offers none."""
    assert find_heuristic(Problem.of(0, lambda _: [], lambda _: True), "zero") is ZERO


@pytest.mark.parametrize(
    ("name", "estimate"), [("max(manhattan, misplaced)", 5), ("max( misplaced ,zero)", 4), ("max(euclidean)", 4.4142)]
)
def test_a_maximum_can_be_named(name: str, estimate: float) -> None:
    """Of one or several, with or without spaces."""
    found = find_heuristic(PUZZLE, name)
    assert found(START) == pytest.approx(estimate, abs=1e-4)
    assert (found.admissible, found.consistent) == (True, True)


def test_the_name_of_a_maximum_names_it_again() -> None:
    """What a solution says can be given back."""
    name = solve(PUZZLE, "astar", "max(misplaced,manhattan)").heuristic
    assert name == "max(misplaced, manhattan)"
    assert find_heuristic(PUZZLE, name).name == name


def test_a_method_without_the_mark_can_be_named() -> None:
    """Nothing is then known about it."""
    found = find_heuristic(PUZZLE, "tiles-off")
    assert (found.name, found.admissible, found.consistent, found(START)) == ("tiles-off", None, None, 4)


@pytest.mark.parametrize("name", ["answer", "successors", "is-goal", "unsolvable", "heuristics", "-secret", "_secret", ""])
def test_what_is_no_estimate_cannot_be_named(name: str) -> None:
    """Neither attributes, nor what every problem has, nor what starts with an underscore."""
    with pytest.raises(UnknownNameError, match="Measured has no heuristic"):
        find_heuristic(PUZZLE, name)


@pytest.mark.parametrize(
    ("name", "close"),
    [
        ("manhatan", "manhattan"),
        ("misplacd", "misplaced"),
        ("linear", "linear-conflict"),
        ("max(manhattan, eucliden)", "euclidean"),
    ],
)
def test_an_unknown_name_lists_the_close_ones(name: str, close: str) -> None:
    """Inside a maximum too."""
    with pytest.raises(UnknownNameError, match=f"did you mean .*{close}") as caught:
        find_heuristic(PUZZLE, name)
    assert close in caught.value.close


def test_an_unknown_name_that_is_close_to_none_lists_all() -> None:
    """With zero among them."""
    with pytest.raises(UnknownNameError, match=r"choose from: .*manhattan.*zero"):
        find_heuristic(PUZZLE, "qqq")


def test_an_object_is_taken_as_it_is() -> None:
    """With what it says about itself."""
    own = Heuristic(lambda _: 1, "one", admissible=True)
    assert find_heuristic(PUZZLE, own) is own


class Ring(bf.Problem):
    """From 0 to 9: at once for 12, or in steps that cost the tariff."""

    def __init__(self, tariff: int, initial: int = 0) -> None:
        self.initial, self.tariff = initial, tariff

    def is_goal(self, state: int) -> bool:
        return state == 9

    def successors(self, state: int) -> Any:
        if state == 0:
            yield "jump", 9, 12
        if state < 9:
            yield "step", state + 1, self.tariff

    @bf.heuristic(admissible=True, consistent=True)
    def left(self, state: int) -> int:
        return min(12, 9 * self.tariff) if state == 0 else (9 - state) * self.tariff


class Free(Ring):
    def successors(self, state: int) -> Any:
        return ((action, child, 0) for action, child, _ in super().successors(state))


def test_a_heuristic_of_another_problem_is_not_trusted() -> None:
    """Alone, and in what is made of it: it was declared for other rules, or for other data."""
    left = Ring(5).heuristics()["left"]
    for problem in (Ring(1), Free(5)):
        for given in (left, bf.max_of(left, bf.heuristics.ZERO), bf.sum_of(left, because="it is one")):
            found = find_heuristic(problem, given)
            assert (found.admissible, found.consistent) == (None, None)
            assert bf.solve(problem, "astar", given).condition is not None
    other_rule = Ring(5)
    own = other_rule.heuristics()["left"]
    other_rule.is_goal = lambda state: state == 1  # type: ignore[method-assign]
    assert find_heuristic(other_rule, own).admissible is None


def test_a_heuristic_of_an_equal_problem_is_trusted() -> None:
    """Wherever it begins."""
    ring = Ring(5)
    left = ring.heuristics()["left"]
    for problem in (ring, Ring(5), Ring(5, initial=3)):
        assert find_heuristic(problem, left) is left
    first, other, elsewhere = (SlidingTile("1 2 3 / 4 _ 5", goal=goal) for goal in ("_ 1 2 3 4 5",) * 2 + ("1 2 3 4 5 _",))
    other.initial = elsewhere.initial = (1, 2, 3, 4, 5, 0)
    manhattan = first.heuristics()["manhattan"]
    assert find_heuristic(other, manhattan).admissible is True
    assert find_heuristic(elsewhere, manhattan).admissible is None
    declared = Heuristic(Ring(5).left, "mine", admissible=True)
    assert bf.solve(Ring(5), "astar", declared).condition is None


def test_a_function_goes_by_its_own_name() -> None:
    """A callable object by that of its class; nothing is known about either."""

    def guess(_state: Any) -> float:
        return 2

    class Table:
        def __call__(self, _state: Any) -> float:
            return 3

    found = find_heuristic(PUZZLE, guess)
    assert (found.name, found.admissible, found.consistent, found(START)) == ("guess", None, None, 2)
    assert (find_heuristic(PUZZLE, Table()).name, find_heuristic(PUZZLE, Table())(START)) == ("Table", 3)


@pytest.mark.parametrize("wanted", [3, None, ["manhattan"], {"manhattan": 1}])
def test_anything_else_is_refused(wanted: Any) -> None:
    """The message says what to give instead."""
    with pytest.raises(InputError, match="pass a name, a function of a state, or a Heuristic"):
        find_heuristic(PUZZLE, wanted)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (
            SlidingTile.manhattan,
            r"heuristic is manhattan\(self, .*; pass a function of one state.*write its name: 'manhattan'",
        ),
        (lambda _state, _goal: 0, r"heuristic is <lambda>\(_state, _goal\); pass a function of one state"),
        (lambda: 0, r"heuristic is <lambda>\(\); pass a function of one state"),
    ],
)
def test_a_function_that_does_not_take_a_state_is_refused(function: Any, words: str) -> None:
    """Such as a method of a class; the error says what to write."""
    with pytest.raises(InputError, match=words):
        solve(PUZZLE, "astar", function)


def test_functions_whose_parameters_are_unknown_are_called() -> None:
    """Some functions that are written in C say nothing about their parameters."""
    assert find_heuristic(PUZZLE, max)(START) == 8
