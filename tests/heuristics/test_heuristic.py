"""Heuristic: an estimate with what is known about it, and the check of what it gives."""

from __future__ import annotations

import functools
import math
from fractions import Fraction
from typing import Any

import pytest

from bestfirst.domains.sliding_tile import SlidingTile
from bestfirst.errors import HeuristicError, InputError
from bestfirst.heuristics import ZERO, Heuristic, heuristic
from bestfirst.problem import Problem
from bestfirst.solve import solve


class Line(Problem):
    """The whole numbers up to a goal, with marked and unmarked estimates."""

    initial = 0

    def successors(self, state: int) -> list[tuple[str, int, int]]:
        return [("on", state + 1, 1)] if state < 3 else []

    def is_goal(self, state: int) -> bool:
        return state == 3

    @heuristic(admissible=True, consistent=True, note="each step goes one further")
    def steps_left(self, state: int) -> int:
        return 3 - state

    @heuristic()
    def half(self, state: int) -> float:
        return (3 - state) / 2

    def unmarked(self, _state: int) -> int:
        return 0


class LongerLine(Line):
    """A line that overrides one estimate and adds another."""

    @heuristic(admissible=False, consistent=False)
    def half(self, state: int) -> float:
        return 5 + state

    @heuristic()
    def third(self, state: int) -> float:
        return (3 - state) / 3


def test_marked_methods_are_offered_by_name() -> None:
    """In the order in which they are written, with hyphens and with what was said about them."""
    offered = Line().heuristics()
    assert list(offered) == ["steps-left", "half"]
    steps_left = offered["steps-left"]
    assert (steps_left.admissible, steps_left.consistent) == (True, True)
    assert steps_left.note == "each step goes one further"
    assert (offered["half"].admissible, offered["half"].consistent) == (None, None)
    assert (steps_left(1), offered["half"](0)) == (2, 1.5)


def test_a_subclass_overrides_and_adds() -> None:
    """The place of an overridden heuristic is that of the base class; its method and facts are those of the subclass."""
    offered = LongerLine().heuristics()
    assert list(offered) == ["steps-left", "half", "third"]
    assert offered["half"].admissible is False
    assert offered["half"](0) == 5


def test_an_override_without_the_mark_is_what_counts() -> None:
    """A subclass that overrides a heuristic without marking it still gets its own method called."""

    class Plain(Line):
        def half(self, state: int) -> float:
            return 1 + state

    assert Plain().heuristics()["half"](0) == 1


def test_a_wrapper_is_not_what_was_declared() -> None:
    """functools.wraps() copies the mark to a function that may return other estimates; that of a cache returns the same."""

    def doubled(function: Any) -> Any:
        return functools.wraps(function)(lambda *arguments: 2 * function(*arguments))

    class Wrapped(Line):
        steps_left = doubled(Line.steps_left)

    class Cached(Line):
        steps_left = functools.cache(Line.steps_left)

    line = Line()
    line.steps_left = doubled(line.steps_left)  # type: ignore[method-assign]
    offered = [problem.heuristics()["steps-left"] for problem in (Wrapped(), line, Cached())]
    assert [(one(0), one.admissible) for one in offered] == [(6, None), (6, None), (3, True)]


@pytest.mark.parametrize("value", [0, 2, 0.5, math.inf, True, Fraction(1, 4)])
def test_numbers_from_zero_on_are_estimates(value: Any) -> None:
    """Infinity among them: it says that no goal can be reached."""
    assert Heuristic(lambda _: value, "fine").checked()(0) == value


@pytest.mark.parametrize("value", [-1, -0.001, -math.inf, math.nan, None, "3", [1], 1j])
def test_anything_else_is_refused(value: Any) -> None:
    """The error names the heuristic, the state and the value, and says what an estimate must be."""
    with pytest.raises(HeuristicError, match=r"'broken' .*state 7.*>= 0") as caught:
        Heuristic(lambda _: value, "broken").checked()(7)
    assert caught.value.state == 7
    assert caught.value.value is value


@pytest.mark.parametrize("value", [-1, math.nan, None])
@pytest.mark.parametrize("algorithm", ["astar", "idastar", "rbfs", "greedy", "beam"])
def test_a_search_refuses_them_as_well(algorithm: str, value: Any) -> None:
    """Also where the estimate of the start is fine."""
    with pytest.raises(HeuristicError, match="for state 2"):
        solve(Line(), algorithm, lambda state: value if state == 2 else 0)


def test_an_error_inside_a_heuristic_is_not_hidden() -> None:
    """What the function itself raises comes through as it is."""
    with pytest.raises(ZeroDivisionError):
        Heuristic(lambda state: 1 / state, "bad").checked()(0)
    with pytest.raises(TypeError, match="unsupported operand"):
        Heuristic(lambda state: 1 + state, "bad").checked()("a")


@pytest.mark.parametrize("algorithm", ["astar", "idastar", "rbfs", "greedy", "weighted-astar"])
def test_an_infinite_estimate_means_a_dead_end(algorithm: str) -> None:
    """No node behind it is expanded, so the solution goes the other way; where there is none, the problem is unsolvable."""
    ways = {"start": [("bad", 1), ("good", 5)], "bad": [("goal", 1)], "good": [("goal", 5)], "goal": []}
    fork = Problem.of(
        "start",
        lambda state: [(f"to {target}", target, cost) for target, cost in ways[state]],
        lambda state: state == "goal",
    )
    solution = solve(fork, algorithm, lambda state: math.inf if state == "bad" else 0)
    assert solution.states == ["start", "good", "goal"]
    assert solution.stats.pruned >= 1
    blocked = solve(fork, algorithm, lambda state: 0 if state in ("start", "goal") else math.inf)
    assert blocked.status == "unsolvable"
    assert solve(fork, algorithm, lambda _: math.inf).status == "unsolvable"


def test_zero_knows_nothing() -> None:
    """It is 0 everywhere, admissible and consistent."""
    assert (ZERO("anything"), ZERO.admissible, ZERO.consistent) == (0, True, True)


def test_heuristics_of_a_domain_say_what_they_are() -> None:
    """Of the sliding tiles all but P + 3S are declared admissible and consistent."""
    offered = SlidingTile("2 8 3 1 6 4 7 _ 5", goal="1 2 3 8 _ 4 7 6 5").heuristics()
    declared = {name: (entry.admissible, entry.consistent) for name, entry in offered.items()}
    assert declared.pop("sequence") == (False, False)
    assert set(declared.values()) == {(True, True)}


@pytest.mark.parametrize("kind", [property, staticmethod, classmethod])
def test_a_mark_that_would_be_lost_is_refused(kind: Any) -> None:
    """A heuristic is a method: @property, @staticmethod and @classmethod are refused above and below the mark."""

    def estimate(_self: Any, _state: int) -> int:
        return 0

    with pytest.raises(InputError, match=f"@heuristic cannot decorate a {kind.__name__}"):
        heuristic(admissible=True)(kind(estimate))
    owner = type("Owner", (Line,), {"estimate": kind(heuristic(admissible=True)(estimate))})
    with pytest.raises(InputError, match=f"estimate has @heuristic and @{kind.__name__}"):
        owner().heuristics()


def test_a_mark_needs_parentheses() -> None:
    """@heuristic alone is an InputError that says how to write it."""
    mark: Any = heuristic
    with pytest.raises(InputError, match=r"write @heuristic\(\)"):
        mark(lambda _self, _state: 0)


def test_preferred_actions_are_given_by_a_function() -> None:
    """Anything else is an InputError."""
    with pytest.raises(InputError, match="preferred"):
        Heuristic(lambda _: 0, "wrong", preferred=["a"])  # type: ignore[arg-type]
