"""What editors and type checkers know of a solution: mypy checks the assert_type of this file, pytest that it runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, assert_type

import bestfirst as bf

Amounts = tuple[int, int]


class Jugs(bf.Problem[Amounts, str]):
    """Two jugs, stated with the types of its states and actions."""

    initial = (0, 0)

    def is_goal(self, state: Amounts) -> bool:
        return state[0] == 1

    def successors(self, state: Amounts) -> Iterator[tuple[str, Amounts, int]]:
        yield "fill", (3, state[1]), 1
        yield "spill", (state[0], 0), 1
        moved = min(state[0], 5 - state[1])
        yield "pour", (state[0] - moved, state[1] + moved), 1


class Untyped(bf.Problem):
    """The same without types."""

    initial = 0

    def is_goal(self, state: Any) -> bool:
        return bool(state == 2)

    def successors(self, state: Any) -> Any:
        return [("up", state + 1, 1)]


def test_the_types_of_states_and_actions_reach_the_solution() -> None:
    """From the problem, through solve() and Search."""
    solution = bf.solve(Jugs())
    assert_type(solution, bf.Solution[Amounts, str])
    assert_type(solution.actions, list[str])
    assert_type(bf.Search(Jugs(), bf.UniformCost()).solution.states, list[Amounts])
    assert_type(bf.solve(bf.SlidingTile("1 2 3 4 5 6 7 _ 8")).actions, list[str])
    numbers = bf.Problem.of(0, lambda state: [("up", state + 1, 1)], lambda state: state == 2)
    assert_type(bf.solve(numbers, "breadth-first").actions, list[str])


def test_a_batch_is_an_iterator_of_what_it_yields() -> None:
    """Solutions in order, or pairs with the number of the problem; without `on`, a list."""
    assert_type(bf.solve_many([Jugs()]), list[bf.Solution[Amounts, str]])
    assert_type(bf.solve_many([Jugs()], on="local"), bf.Batch[bf.Solution[Amounts, str]])
    assert_type(bf.solve_many([Jugs()], on="local", ordered=False), bf.Batch[tuple[int, bf.Solution[Amounts, str]]])
    assert_type(bf.analyse_many(bf.Nim(), [], on="local"), bf.Batch[bf.Analysis])


def test_types_are_optional() -> None:
    """A problem without them has states and actions of any type."""
    assert_type(bf.solve(Untyped()).states, list[Any])
    assert bf.solve(Untyped()).states == [0, 1, 2]


def test_type_parameters_mean_nothing_at_run_time() -> None:
    """A problem with them is the class that it is without."""
    assert bf.Problem[int, str] is bf.Problem
    assert bf.solve(Jugs()).cost == bf.solve(Jugs(), "breadth-first").cost
