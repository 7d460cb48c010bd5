"""The water-jugs puzzle in the compilable form, if the jugs' amounts fit into 62 bits together.

A state is one int, with as many bits for each jug as the largest amount needs, the first jug in the lowest.

      ...    2w-1   w w-1    0
    +-------+--------+--------+
    |       | 2nd jug| 1st jug|        w = `width`
    +-------+--------+--------+
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, NamedTuple

from bestfirst.domain import Domain
from bestfirst.heuristics.heuristic import heuristic

if TYPE_CHECKING:
    from bestfirst.domains.water_jugs.problem import Amounts, WaterJugs

MOST_BITS = 62


def bits_per_jug(puzzle: WaterJugs) -> int:
    """The number of bits that the largest of the capacities and the target needs."""
    return max(*puzzle.capacities, puzzle.target).bit_length()


class PackedJugs(Domain):
    """A water-jugs puzzle as one int; the same puzzle, action for action, as the original WaterJugs.

    With n jugs, action k fills jug k, action n + k empties it, and action 2n + n k + j pours jug k into jug j (illegal
    if k = j). The rank is the number whose digits are the amounts, each in the base of the jug's capacity plus 1.
    """

    class State(NamedTuple):
        """See the module docstring."""

        amounts: int

    unit_cost = True
    default_heuristic = "lookahead"

    def __init__(self, puzzle: WaterJugs) -> None:
        names = puzzle.jugs
        self.jugs = len(names)
        self.target = puzzle.target
        self.width = bits_per_jug(puzzle)
        self.full = self._packed(puzzle.capacities)
        self.initial = self.State(self._packed(puzzle.initial))
        self.actions = [
            *(f"fill {jug}" for jug in names),
            *(f"empty {jug}" for jug in names),
            *(f"pour {jug} into {other}" for jug in names for other in names),
        ]
        self.max_actions = len(self.actions)
        self.bits = {"amounts": self.width * self.jugs}
        self.size = prod(capacity + 1 for capacity in puzzle.capacities)

    def _packed(self, amounts: Amounts) -> int:
        return sum(amount << self.width * jug for jug, amount in enumerate(amounts))

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        room = self.full - state.amounts  # for each jug separately: no subtraction borrows
        if action < self.jugs:
            filled = amount_of(action, room, self.width)
            return filled > 0, self.State(state.amounts + (filled << (self.width * action))), 1
        if action < 2 * self.jugs:
            jug = action - self.jugs
            emptied = amount_of(jug, state.amounts, self.width)
            return emptied > 0, self.State(state.amounts - (emptied << (self.width * jug))), 1
        jug = action // self.jugs - 2
        other = action % self.jugs
        poured = min(amount_of(jug, state.amounts, self.width), amount_of(other, room, self.width))
        amounts = state.amounts - (poured << (self.width * jug)) + (poured << (self.width * other))
        return jug != other and poured > 0, self.State(amounts), 1

    def is_goal(self, state: State) -> bool:
        for jug in range(self.jugs):  # noqa: SIM110  (compiled code has no any())
            if amount_of(jug, state.amounts, self.width) == self.target:
                return True
        return False

    @heuristic(admissible=True, consistent=True)
    def lookahead(self, state: State) -> int:
        """0 at a goal, 1 if one action leads to a goal, otherwise 2."""
        for jug in range(self.jugs):
            if amount_of(jug, state.amounts, self.width) == self.target:
                return 0
        if self.target == 0:  # reached by emptying a jug
            return 1
        for jug in range(self.jugs):
            amount = amount_of(jug, state.amounts, self.width)
            if amount_of(jug, self.full, self.width) == self.target:
                return 1
            for other in range(self.jugs):
                poured = min(amount, amount_of(other, self.full - state.amounts, self.width))
                poured_into = amount_of(other, state.amounts, self.width) + poured
                if jug != other and (amount - poured == self.target or poured_into == self.target):
                    return 1
        return 2

    def rank(self, state: State) -> int:
        number = 0
        for jug in range(self.jugs):
            number = number * (amount_of(jug, self.full, self.width) + 1) + amount_of(jug, state.amounts, self.width)
        return number

    def unrank(self, number: int) -> State:
        amounts = 0
        for turn in range(self.jugs):
            jug = self.jugs - 1 - turn
            base = amount_of(jug, self.full, self.width) + 1
            amounts |= (number % base) << (self.width * jug)
            number //= base
        return self.State(amounts)

    def decode(self, state: State) -> Amounts:
        return tuple(amount_of(jug, state.amounts, self.width) for jug in range(self.jugs))


def amount_of(jug: int, amounts: int, width: int) -> int:
    """The amount of one jug."""
    return (amounts >> (width * jug)) & ((1 << width) - 1)
