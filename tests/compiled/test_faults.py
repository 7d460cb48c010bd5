"""States that compiled code cannot go on with: StateError in every compiled algorithm, and where tables are made."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.compiled.distances import Distances
from bestfirst.compiled.faults import check_number
from bestfirst.errors import WordOverflowError
from bestfirst.solve import COMPILED_ALGORITHMS


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


WRONG = "its field flag is not in 0 .. 0, but bits says 0"


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


def test_a_number_beyond_64_bits_is_named_with_its_method() -> None:
    """Ints where numbers are ints; where they are floats, only what no float can hold."""
    check_number(Flagged(), "the estimate", 2**63 - 1)
    check_number(Flagged(), "the estimate", 2**70, floats=True)
    with pytest.raises(WordOverflowError, match=r"test_faults.py:\d+: Flagged.step: the estimate is 9223372036854775808"):
        check_number(Flagged(), "the estimate", 2**63)
    with pytest.raises(WordOverflowError, match=r"about 2\*\*"):
        check_number(Flagged(), "the estimate", 10**400, floats=True)
