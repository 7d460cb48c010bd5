"""The sliding-tile puzzle in the compilable form, for boards of up to 16 cells.

A state is three ints:

    board      4 bits for each cell, cell 0 in the lowest; the number is taken modulo 2**64, into -2**63 .. 2**63 - 1;
               moves are made by exclusive or, which keeps it there, in Python as in compiled code
    blank      the cell of the blank, whose bits in `board` are 0
    distance   the Manhattan distance, kept up to date move by move

     63   60      11 8 7  4 3  0
    +-------+ ... +---+----+----+
    | cell 15     | 2 |  1 |  0 |
    +-------+ ... +---+----+----+
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bestfirst.heuristics.heuristic import heuristic
from bestfirst.problem import Domain

if TYPE_CHECKING:
    from bestfirst.domains.sliding_tile import Board, SlidingTile

MOST_CELLS = 16
OPPOSITE = {"U": "D", "D": "U", "L": "R", "R": "L"}


class PackedTiles(Domain):
    """A sliding-tile puzzle as three ints; the same puzzle, move for move, as the SlidingTile that it is made from."""

    class State(NamedTuple):
        """See the head of the module."""

        board: int
        blank: int
        distance: int

    unit_cost = True
    default_heuristic = "manhattan"
    max_actions = 4

    def __init__(self, puzzle: SlidingTile) -> None:
        self.actions = puzzle.moves
        self.size = len(puzzle.initial)
        self.initial = self.State(_packed(puzzle.initial), puzzle.initial.index(0), puzzle.manhattan(puzzle.initial))
        target = np.full((self.size, 4), -1, np.int64)
        change = np.zeros((self.size, 4, 16), np.int64)
        nearer = np.zeros((self.size, 4, 16), np.int64)
        for blank in range(self.size):
            for action, letter in enumerate(puzzle.moves):
                cell = puzzle.neighbour(blank, letter)
                if cell is None:
                    continue
                target[blank, action] = cell
                for tile in range(1, self.size):
                    change[blank, action, tile] = _wrapped((tile << 4 * blank) ^ (tile << 4 * cell))
                    nearer[blank, action, tile] = puzzle.distance_home(blank, tile) - puzzle.distance_home(cell, tile)
        self.target, self.change, self.nearer = target, change, nearer

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        blank = state.blank & 15  # what the mask says, that it is not negative, saves the compiled code a test at each index
        cell = self.target[blank, action]
        if cell < 0:
            return False, state, 1
        tile = (state.board >> (4 * cell)) & 15
        board = state.board ^ self.change[blank, action, tile]
        return True, self.State(board, cell, state.distance + self.nearer[blank, action, tile]), 1

    def inverse(self, action: int) -> int:
        assert self.actions is not None
        return self.actions.index(OPPOSITE[self.actions[action]])

    def is_goal(self, state: State) -> bool:
        return state.distance == 0

    @heuristic(admissible=True, consistent=True)
    def manhattan(self, state: State) -> int:
        """P: the sum of the tiles' city-block distances from their goal cells, read from the state."""
        return state.distance

    def decode(self, state: State) -> Board:
        return tuple((state.board >> 4 * cell) & 15 for cell in range(self.size))


def _packed(board: Board) -> int:
    return _wrapped(sum(tile << 4 * cell for cell, tile in enumerate(board)))


def _wrapped(number: int) -> int:
    """The number modulo 2**64 that a signed 64-bit int holds."""
    return (number + 2**63) % 2**64 - 2**63
