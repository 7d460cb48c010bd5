"""The n-queens puzzle in the compilable form, for boards of up to 15 x 15.

A state is five ints: the queens placed, and the squares of the next row that they attack, bit c for column c from 0.

    placed      the number of queens
    queens      4 bits for each queen, that of the top row in the lowest: its column, from 0
    columns     the columns that are taken
    leftward    the squares of the next row on diagonals that run down to the left
    rightward   those on diagonals that run down to the right

Moving one row down shifts the diagonals by one bit and leaves the columns.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

from bestfirst.domain import Domain
from bestfirst.heuristics.heuristic import heuristic

if TYPE_CHECKING:
    from bestfirst.domains.n_queens.problem import NQueens, Queens

MOST_QUEENS = 15


class PackedQueens(Domain):
    """An n-queens puzzle as five ints; the same puzzle, queen for queen, as the original NQueens."""

    class State(NamedTuple):
        """See the module docstring."""

        placed: int
        queens: int
        columns: int
        leftward: int
        rightward: int

    unit_cost = True
    default_heuristic = "remaining"
    initial = State(0, 0, 0, 0, 0)

    def __init__(self, puzzle: NQueens) -> None:
        self.n = self.max_actions = puzzle.n
        self.row = (1 << self.n) - 1
        self.actions = range(1, self.n + 1)
        self.bits = {"placed": 4, "queens": 4 * self.n} | dict.fromkeys(("columns", "leftward", "rightward"), self.n)
        for column in puzzle.initial:
            _, self.initial, _ = self.step(self.initial, column - 1)

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        queen = 1 << action
        if (state.columns | state.leftward | state.rightward) & queen:
            return False, state, 1
        queens = state.queens | (action << (4 * state.placed))
        leftward = (state.leftward | queen) >> 1
        rightward = ((state.rightward | queen) << 1) & self.row
        return True, self.State(state.placed + 1, queens, state.columns | queen, leftward, rightward), 1

    def is_goal(self, state: State) -> bool:
        return state.placed == self.n

    @heuristic(admissible=True, consistent=True)
    def remaining(self, state: State) -> int:
        """The number of rows without a queen."""
        return self.n - state.placed

    @heuristic(admissible=True, consistent=True)
    def forward_checking(self, state: State) -> float:
        """The number of rows without a queen, or infinity if one of them has only attacked squares."""
        for below in range(self.n - state.placed):
            attacked = state.columns | (state.leftward >> below) | (state.rightward << below)
            if attacked & self.row == self.row:
                return inf
        return self.n - state.placed

    def decode(self, state: State) -> Queens:
        return tuple(((state.queens >> 4 * row) & 15) + 1 for row in range(state.placed))
