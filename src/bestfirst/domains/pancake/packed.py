"""The pancake puzzle in the compilable form, for stacks of up to 15 pancakes.

A state is two ints:

    stack   4 bits for each pancake, the top one in the lowest: its size, 1 .. n
    gaps    the number of gaps, updated with each flip

     59   56         7    4 3   0
    +-------+  ...  +------+-----+
    | 15th  |       | 2nd  | top |
    +-------+  ...  +------+-----+
"""

from __future__ import annotations

from math import factorial
from typing import TYPE_CHECKING, NamedTuple

from bestfirst.domain import Domain
from bestfirst.domains.shared.ranking import MOST_ITEMS, lehmer_digits, permutation_of, permutation_rank, scale_for
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.stated import backward_domain

if TYPE_CHECKING:
    from bestfirst.domains.pancake.problem import Pancake, Stack

MOST_PANCAKES = 15


class PackedPancake(Domain):
    """A pancake puzzle as two ints; the same puzzle, flip for flip, as the original Pancake.

    The rank is that of the permutation in lexicographic order, for up to 12 pancakes.
    """

    class State(NamedTuple):
        """See the module docstring."""

        stack: int
        gaps: int

    unit_cost = True
    default_heuristic = "gap"

    identity = ("stack",)

    def __init__(self, puzzle: Pancake) -> None:
        self._puzzle = puzzle
        self.pancakes = len(puzzle.goal)
        self.actions = range(2, self.pancakes + 1)
        self.max_actions = self.pancakes - 1
        self.bits = {"stack": 4 * self.pancakes, "gaps": 4}
        self.size = factorial(self.pancakes) if self.pancakes <= MOST_ITEMS else 0
        self.scale = scale_for(self.pancakes)
        self.places = sum(place << 4 * (size - 1) for place, size in enumerate(puzzle.goal))
        self.initial = self.encode(puzzle.initial)

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        turned = action + 2
        stack = state.stack >> (4 * turned) << (4 * turned)
        for place in range(turned):
            stack |= ((state.stack >> (4 * place)) & 15) << (4 * (turned - 1 - place))
        below = place_in_goal(stack >> (4 * turned), self.places, self.pancakes)
        # the top pancake ends up above `below`
        gap_before = abs(place_in_goal(stack, self.places, self.pancakes) - below) != 1
        gap_after = abs(place_in_goal(state.stack, self.places, self.pancakes) - below) != 1
        return True, self.State(stack, state.gaps - gap_before + gap_after), 1

    def inverse(self, action: int) -> int:
        return action

    def backward(self) -> Domain | None:
        return backward_domain(self._puzzle)

    def is_goal(self, state: State) -> bool:
        return state.gaps == 0

    @heuristic(admissible=True, consistent=True)
    def gap(self, state: State) -> int:
        """The number of gaps, including the plate, read from the state."""
        return state.gaps

    def rank(self, state: State) -> int:
        return permutation_rank(state.stack, self.pancakes)

    def unrank(self, number: int) -> State:
        stack = permutation_of(lehmer_digits(number, self.pancakes, self.scale), self.pancakes)
        gaps = 0
        for place in range(self.pancakes):
            above = place_in_goal(stack >> (4 * place), self.places, self.pancakes)
            below = place_in_goal(stack >> (4 * place + 4), self.places, self.pancakes)
            gaps += abs(above - below) != 1
        return self.State(stack, gaps)

    def goal_state(self) -> State:
        return self.encode(self._puzzle.goal)

    def encode(self, state: Stack) -> State:
        return self.State(sum(size << 4 * place for place, size in enumerate(state)), self._puzzle.gap(state))

    def decode(self, state: State) -> Stack:
        return tuple((state.stack >> 4 * place) & 15 for place in range(self.pancakes))


def place_in_goal(stack: int, places: int, plate: int) -> int:
    """The place in the goal of the pancake on top of a stack, or of the plate if the stack is empty."""
    size = stack & 15
    return plate if size == 0 else (places >> (4 * size - 4)) & 15
