"""States that compiled code cannot go on with: StateError in every compiled algorithm, and where tables are made."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.compiled.drivers.faults import check_number
from bestfirst.compiled.sweeps.distances import Distances
from bestfirst.errors import WordOverflowError
from bestfirst.search_plan import COMPILED_ALGORITHMS
from tuple_tiles import Tiles


class Flagged(bf.Domain):
    """Counts to 3; its field `flag` has no bits, so it must be 0."""

    class State(NamedTuple):
        number: int
        flag: int

    bits = {"number": 3, "flag": 0}  # noqa: RUF012
    max_actions = 1
    size = 4
    default_heuristic = "none"

    def __init__(self, start_flag: int = 0, goal_flag: int = 0) -> None:
        self.initial = self.State(0, start_flag)
        self.goal_flag = goal_flag

    def step(self, state: State, action: int) -> Any:  # noqa: ARG002
        return state.number < 3, self.State(state.number + 1, 0), 1

    def is_goal(self, state: State) -> bool:
        return state.number == 3

    def rank(self, state: State) -> Any:
        return state.number

    def unrank(self, number: int) -> Any:
        return self.State(number, 0)

    def goal_state(self) -> Any:
        return self.State(3, self.goal_flag)

    def backward(self) -> bf.Domain:
        reverse = Flagged(self.goal_flag)
        reverse.initial = self.State(3, self.goal_flag)
        return reverse

    @bf.heuristic(admissible=True)
    def none(self, state: State) -> int:  # noqa: ARG002
        return 0


WRONG = "its field flag is not in 0 .. 0, the range of 0 bits"


@pytest.mark.parametrize("algorithm", sorted(COMPILED_ALGORITHMS))
def test_a_wrong_field_of_the_start_is_named_in_every_algorithm(algorithm: str) -> None:
    """A field of no bits that is not 0, before anything is compiled."""
    with pytest.raises(bf.StateError, match=WRONG):
        bf.solve(Flagged(1), algorithm, engine="compiled")


def test_a_wrong_field_is_named_where_a_search_starts_backward_and_where_tables_are_made() -> None:
    """The start of backward(), that of an enumeration, and the start and the goal of a table of distances."""
    with pytest.raises(bf.StateError, match=WRONG):
        bf.solve(Flagged(0, 1), "bidirectional-astar", engine="compiled")
    with pytest.raises(bf.StateError, match=WRONG):
        bf.enumerate_states(Flagged(1), engine="compiled")
    for start, goal in ((1, 0), (0, 1)):
        with pytest.raises(bf.StateError, match=WRONG):
            Distances(Flagged(start, goal), np.full(8, 255, np.uint8))


class Growing(bf.Domain):
    """Each step adds `by` to the number, which has 3 bits, and sets the flag, which has none."""

    class State(NamedTuple):
        number: int
        flag: int

    bits = {"number": 3, "flag": 0}  # noqa: RUF012
    max_actions = 1
    default_heuristic = "none"

    def __init__(self, by: int, flag: int, start: int = 0) -> None:
        self.by, self.flag = by, flag
        self.initial = self.State(start, 0)

    def step(self, state: State, action: int) -> Any:  # noqa: ARG002
        return True, self.State(state.number + self.by, self.flag), 1

    def is_goal(self, state: State) -> bool:
        return state.number == 7

    def backward(self) -> bf.Domain:
        return Growing(self.by, self.flag, 7)

    @bf.heuristic(admissible=True)
    def none(self, state: State) -> int:  # noqa: ARG002
        return 0


@pytest.mark.parametrize("algorithm", sorted({*COMPILED_ALGORITHMS} - {"uniform-cost", "greedy", "weighted-astar"}))
def test_a_field_beyond_its_bits_that_step_makes_is_named_in_every_algorithm(algorithm: str) -> None:
    """An element of a tuple; those left out are A* with another order, in the same kernel."""
    tiles = Tiles([1, 2, 3, 0, 4, 5], [1, 2, 3, 4, 5, 0], 3)
    tiles.hole = 16
    with pytest.raises(bf.StateError, match=r"Board\(cells=\(.*16.*cells is not in 0 \.\. 15, the range of 4 bits"):
        bf.solve(tiles, algorithm, engine="compiled")


@pytest.mark.parametrize(
    ("by", "flag", "message"),
    [(3, 0, r"State\(number=(9|10), flag=0\).*number is not in 0 \.\. 7, the range of 3 bits"), (1, 1, WRONG)],
)
def test_a_wrong_field_that_step_makes_is_named(by: int, flag: int, message: str) -> None:
    """An int beyond its bits, and one of no bits that is not 0."""
    with pytest.raises(bf.StateError, match=message):
        bf.solve(Growing(by, flag), "depth-first-branch-and-bound", engine="compiled")


class Faster(Growing):
    """Replaces the rule for which Growing declares its bits."""

    def step(self, state: Growing.State, action: int) -> Any:  # noqa: ARG002
        return state.number < 70, self.State(state.number + 9, 0), 1


class Widening(Growing):
    """Declares its bits where it is created."""

    def __init__(self) -> None:
        super().__init__(1, 0)
        self.bits = {"number": 3, "flag": 0}


class Beyond(Widening):
    """Makes numbers that Widening does not declare."""

    def step(self, state: Growing.State, action: int) -> Any:  # noqa: ARG002
        return state.number < 70, self.State(state.number + 9, 0), 1


@pytest.mark.parametrize(("problem", "owner"), [(Faster(1, 0), "Growing"), (Beyond(), "Widening")])
def test_the_class_that_declares_the_bits_is_named(problem: Growing, owner: str) -> None:
    """Whoever replaces a rule need not know which class declares them: the search and the check say how to declare more."""
    remedy = (
        f"{owner} declares these bits, for its own rules; .*{type(problem).__name__}.__init__, .*self.bits = .*'number': 63"
    )
    with pytest.raises(bf.StateError, match=remedy):
        bf.solve(problem, "depth-first-branch-and-bound", engine="compiled")
    assert re.search(remedy, bf.check(problem).faults[0])
    problem.bits = {**problem.bits, "number": 63}
    assert bf.check(problem).ok


class Steep(bf.Domain):
    """Counts to 3; the numbers in step, estimate and rank are multiplied by a number, and divided by it again."""

    class State(NamedTuple):
        number: int

    max_actions = 1
    size = 4
    default_heuristic = "given"

    def __init__(self, *, step: int = 1, estimate: int = 1, rank: int = 1) -> None:
        self.factors = np.array([step, estimate, rank])  # in an array, so that all three are compiled at once
        self.initial = self.State(0)

    def step(self, state: State, action: int) -> Any:  # noqa: ARG002
        return state.number < 3, self.State(state.number + 1), 1 + state.number * self.factors[0] // self.factors[0]

    def is_goal(self, state: State) -> bool:
        return state.number == 3

    def rank(self, state: State) -> Any:
        return state.number * self.factors[2] // self.factors[2]

    @bf.heuristic(admissible=True)
    def given(self, state: State) -> Any:
        return state.number * self.factors[1] // self.factors[1]


@pytest.mark.parametrize("method", ["step", "estimate", "rank"])
def test_a_method_that_cannot_go_on_ahead_of_its_turn_is_named_when_it_is_met(method: str) -> None:
    """A* makes children ready early; the error is that of the method, with its file, its line and its state."""
    name = "given" if method == "estimate" else method
    with pytest.raises(WordOverflowError, match=rf"test_faults.py:\d+: .*{name}.*State\(number=2\)"):
        bf.solve(Steep(**{method: 2**62}), "astar", engine="compiled")


def test_a_number_beyond_64_bits_is_named_with_its_method() -> None:
    """Ints where numbers are ints; where they are floats, only what no float can hold."""
    check_number(Flagged(), "the estimate", 2**63 - 1)
    check_number(Flagged(), "the estimate", 2**70, floats=True)
    with pytest.raises(WordOverflowError, match=r"test_faults.py:\d+: Flagged.step: the estimate is 9223372036854775808"):
        check_number(Flagged(), "the estimate", 2**63)
    with pytest.raises(WordOverflowError, match=r"about 2\*\*"):
        check_number(Flagged(), "the estimate", 10**400, floats=True)
