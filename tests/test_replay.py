"""Replaying solutions through the problem's own Python, as every search does at its end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count
from typing import Any, ClassVar

import numpy as np
import pytest

import bestfirst as bf
from compilable import Pancakes

STEPS: Any = lambda state: [("on", state + 1, 1)]  # noqa: E731


class Mutable:
    """A state that hashes by its content, and can be changed in place."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mutable) and self.number == other.number

    def __hash__(self) -> int:
        return hash(self.number)

    def __repr__(self) -> str:
        return f"Mutable({self.number})"


def test_states_that_were_changed_in_place_are_no_answer() -> None:
    """A successor that is the same object, changed, makes a path that does not hold; the error says so."""

    def successors(state: Mutable) -> Iterator[Any]:
        yield "new", Mutable(state.number + 1), 1
        state.number += 10
        yield "same", state, 1

    with pytest.raises(bf.VerificationError, match="in place"):
        bf.solve(bf.Problem.of(Mutable(0), successors, lambda state: state.number == 3), "breadth-first")


def test_a_start_that_was_changed_in_place_is_no_proof_that_nothing_can_be_reached() -> None:
    """A search without a solution notices it too."""

    def successors(state: Mutable) -> Iterator[Any]:
        if state.number < 5:
            state.number += 1
            yield "on", state, 1

    with pytest.raises(bf.VerificationError, match="the initial state changed"):
        bf.solve(bf.Problem.of(Mutable(0), successors, lambda state: state.number == 9), "breadth-first")


def test_random_successors_are_no_answer() -> None:
    """What leads to a goal once, and not again, is an error."""
    numbers = random.Random(1)

    def successors(state: int) -> Any:
        return [("jump", state + numbers.randrange(1, 10**9), 1)]

    with pytest.raises(bf.VerificationError, match="action 'jump' does not lead from 0"):
        bf.solve(bf.Problem.of(0, successors, lambda state: state > 10**6), "breadth-first")


def test_successors_that_are_used_up_are_no_proof_that_nothing_can_be_reached() -> None:
    """The start is asked once more."""
    once = iter([("a", 1, 1), ("b", 2, 1)])
    problem = bf.Problem.of(0, lambda state: once if state == 0 else [], lambda state: state == 9)
    with pytest.raises(bf.VerificationError, match="action 'b' does not lead from 0"):
        bf.solve(problem, "breadth-first")
    numbers = random.Random(1)
    vague = bf.Problem.of(0.0, lambda state: [("a", numbers.random(), 1)] if state == 0 else [], lambda _: False)
    with pytest.raises(bf.VerificationError, match="does not lead from 0"):
        bf.solve(vague, "breadth-first")


class Misnamed(bf.Problem):
    """Its backward() gives actions other names."""

    initial = 0
    unit_cost = True

    def successors(self, state: int) -> Any:
        return [("up", state + 1, 1)]

    def is_goal(self, state: int) -> bool:
        return state == 4

    def backward(self) -> bf.Problem:
        return bf.Problem.of(4, lambda state: [("down", state - 1, 1)], lambda state: state == 0)


def test_wrong_names_in_backward_are_no_answer() -> None:
    """They are found where the path is replayed."""
    with pytest.raises(bf.VerificationError, match=r"action 'down' does not lead .* backward\(\)"):
        bf.solve(Misnamed(), "bidirectional-astar", bf.Heuristic(lambda _: 0, "none"))


class OtherGoal(Pancakes):
    """Its domain() is that of a stack with another goal."""

    def is_goal(self, state: Any) -> bool:
        return state == self.initial and False

    def domain(self) -> bf.Domain:
        return Pancakes([2, 1, 3])


def test_what_the_compiled_engine_finds_is_replayed_through_the_problem() -> None:
    """A goal of the domain that is none of the problem is an error."""
    with pytest.raises(bf.VerificationError, match="is not a goal"):
        bf.solve(OtherGoal([2, 1, 3]), "depth-first-branch-and-bound", engine="compiled")


class Twice(bf.Problem):
    """An anytime search of it finds a goal that is none when it is asked again."""

    initial = 0
    asked: ClassVar[list[int]] = []

    def successors(self, state: int) -> Any:
        return [("on", state + 1, 1)]

    def is_goal(self, state: int) -> bool:
        if state == 1:
            self.asked.append(state)
        return len(self.asked) == 1 and state == 1


def test_it_can_be_left_out() -> None:
    """verify=False gives what was found as it was found."""
    Twice.asked.clear()
    with pytest.raises(bf.VerificationError, match="which is not a goal"):
        bf.solve(Twice(), "breadth-first")
    Twice.asked.clear()
    assert bf.solve(Twice(), "breadth-first", verify=False).cost == 1
    with pytest.raises(bf.InputError, match="verify is 'no'"):
        bf.solve(Twice(), verify="no")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("answer", "remedy"),
    [(None, "return missing"), ("yes", "True or False"), (np.array([0, 1]), "all"), (2, "bool"), (iter(()), "bool")],
)
@pytest.mark.parametrize("algorithm", ["breadth-first", "uniform-cost", "depth-first"])
def test_a_goal_test_that_gives_no_truth_value_is_an_error(answer: Any, remedy: str, algorithm: str) -> None:
    """At the start already, whether it counts as true or not; the error shows what it gave and what to write."""
    problem = bf.Problem.of(0, lambda state: STEPS(state) if state < 5 else [], lambda _: answer)
    with pytest.raises(bf.ProblemError, match=rf"is_goal\(0\) returns .*{remedy}"):
        bf.solve(problem, algorithm)


def test_a_goal_test_that_forgets_a_return_is_an_error() -> None:
    """It is looked at for the first states of a search, too, of which the start says nothing."""

    def is_goal(state: int) -> Any:
        if state < 3:
            return False
        if state > 90:
            return True
        return None

    with pytest.raises(bf.ProblemError, match=r"is_goal\(3\) returns None"):
        bf.solve(bf.Problem.of(0, STEPS, is_goal))


@pytest.mark.parametrize("true", [True, np.True_, 1, np.int64(1)])
def test_truth_values_of_numpy_and_0_and_1_are_truth_values(true: Any) -> None:
    """As they come out of arrays."""
    false = type(true)(0)
    assert bf.solve(bf.Problem.of(0, STEPS, lambda state: true if state == 3 else false)).cost == 3


class Move:
    """An action that defines no equality; a new one is made each time."""


def test_actions_of_any_kind_are_replayed() -> None:
    """Objects without equality, and arrays, whose equality is an array."""
    for kind in (Move, np.zeros):
        made: Any = kind
        arguments = (2,) * (kind is not Move)

        def successors(state: int, made: Any = made, arguments: Any = arguments) -> Any:
            return [(made(*arguments), state + 1, 1)]

        assert bf.solve(bf.Problem.of(0, successors, lambda state: state == 3)).cost == 3


def test_a_long_solution_is_replayed_in_linear_time_and_no_successor_is_asked_for_in_vain() -> None:
    """Of each state on the path, the successors up to the one that was taken are made once more."""
    made = count()

    def successors(state: int) -> Iterator[Any]:
        for ahead in (1, 2, 3):
            next(made)
            yield "jump", state + ahead, 1

    problem = bf.Problem.of(0, successors, lambda state: state == 20_000)
    assert len(bf.solve(problem, "depth-first")) == 20_000
    plain = next(made)
    assert plain <= 4 * 20_000 + 10
    wide = Pancakes([1, 2, 4, 3])
    asked = []

    def step(state: Any, action: int) -> Any:
        asked.append(action)
        return Pancakes.step(wide, state, action)

    vars(wide)["step"] = step
    solution = bf.solve(wide, verify=False)
    asked.clear()
    solution.verify()
    assert asked == solution.actions


def test_the_cost_is_the_sum_that_python_gives() -> None:
    """Ints where the costs are ints, whatever the estimates are, and of the ways between two states the one that was taken."""
    edges = {0: [("go", 1, 5), ("go", 1, 2)], 1: [("go", 2, 3), ("go", 2, 1)]}
    problem = bf.Problem.of(0, lambda state: edges.get(state, []), lambda state: state == 2)
    for algorithm, heuristic in (("uniform-cost", None), ("astar", lambda _: 0.0)):
        solution = bf.solve(problem, algorithm, heuristic)
        assert (solution.cost, solution.lower_bound) == (3, 3)
        assert (type(solution.cost), type(solution.lower_bound)) == (int, int)
