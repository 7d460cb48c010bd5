"""Jumping tiles in the compilable form, for rows of up to 61 cells.

A state is two ints:

    black   bit c for each cell c, from 0 at the left end of the row, that holds a black tile
    empty   the empty cell; all others hold white tiles

Moves are tried in order of cost, then of the resulting word, with b < e < w. The position of the word follows from the
colour of the tile and its offset from the empty cell: a white tile from the left makes the word smaller, more so
from farther away, since an e replaces a w; a black one from the left makes it larger. A black tile from the right makes it
smaller than a white one does, since it replaces the e. So each offset is an action for each colour, legal for tiles of
that colour only, and the order of the actions is fixed.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bestfirst.domain import Domain
from bestfirst.heuristics.heuristic import heuristic

if TYPE_CHECKING:
    from bestfirst.domains.jumping_tiles.problem import JumpingTiles

MOST_CELLS = 61

SHIFTS = (-2, -1, 2, 1, 1, 2, -1, -2, -3, 3, 3, -3)
"""For each action, the offset of its tile from the empty cell."""
BLACK = (0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 0, 1)
"""Whether it is black."""


class PackedJumpingTiles(Domain):
    """A row of jumping tiles as two ints; the same problem, move for move, as the original JumpingTiles.

    The rank numbers the rows with the same number of tiles of each colour, by the empty cell and then by the set of the
    black tiles (the combinatorial number system; Lehmer 1964).
    """

    class State(NamedTuple):
        """See the module docstring."""

        black: int
        empty: int

    default_heuristic = "inversions"
    max_actions = len(SHIFTS)

    def __init__(self, tiles: JumpingTiles) -> None:
        row = tiles.initial
        self.length = len(row)
        self.blacks = row.count("b")
        self.initial = self.State(sum(1 << cell for cell, tile in enumerate(row) if tile == "b"), row.index("e"))
        self.bits = {"black": self.length, "empty": self.length.bit_length()}
        self.arrangements = comb(self.length - 1, self.blacks)
        self.size = self.length * self.arrangements
        self.choose = np.array([[comb(cells, some) for some in range(self.blacks + 1)] for cells in range(self.length)])

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        cell = state.empty + SHIFTS[action]
        if cell < 0 or cell >= self.length or (state.black >> cell) & 1 != BLACK[action]:
            return False, state, 1
        black = state.black ^ (BLACK[action] << cell) ^ (BLACK[action] << state.empty)
        return True, self.State(black, cell), 2 if abs(SHIFTS[action]) == 3 else 1

    def action_name(self, state: State, action: int) -> tuple[int, int]:
        return state.empty + SHIFTS[action] + 1, state.empty + 1

    def inverse(self, action: int) -> int:
        moves = list(zip(SHIFTS, BLACK, strict=True))
        return moves.index((-SHIFTS[action], BLACK[action]))

    def is_goal(self, state: State) -> bool:
        white = ((1 << self.length) - 1) ^ state.black ^ (1 << state.empty)
        return state.black == 0 or white < (state.black & -state.black)

    @heuristic(admissible=True, consistent=True)
    def inversions(self, state: State) -> int:
        """The number of pairs of a black tile and a white one to the right of it."""
        pairs = 0
        blacks = 0
        for cell in range(self.length):
            if (state.black >> cell) & 1:
                blacks += 1
            elif cell != state.empty:
                pairs += blacks
        return pairs

    def rank(self, state: State) -> int:
        below = state.black & ((1 << state.empty) - 1)
        black = below | ((state.black ^ below) >> 1)  # without the empty cell
        number = state.empty * self.arrangements
        blacks = 0
        for cell in range(self.length - 1):
            if (black >> cell) & 1:
                blacks += 1
                number += self.choose[cell, blacks]
        return number

    def unrank(self, number: int) -> State:
        empty = number // self.arrangements
        number %= self.arrangements
        black = 0
        blacks = self.blacks
        for turn in range(self.length - 1):
            cell = self.length - 2 - turn
            if blacks > 0 and number >= self.choose[cell, blacks]:
                number -= self.choose[cell, blacks]
                blacks -= 1
                black |= 1 << cell
        below = black & ((1 << empty) - 1)
        return self.State(below | ((black ^ below) << 1), empty)

    def decode(self, state: State) -> str:
        cells = ["b" if (state.black >> cell) & 1 else "w" for cell in range(self.length)]
        cells[state.empty] = "e"
        return "".join(cells)
