"""Sliding-tile puzzles of up to 12 cells with a rank for each reachable board: n! / 2 on a board of n cells.

The rank is the blank's cell, then the rank of the permutation of the other tiles, read cell by cell (see shared/ranking.py).
A move along a row leaves that permutation unchanged; one along a column takes a tile past `columns - 1` others. So the
blank's cell determines the parity of the permutation, and half its rank suffices: the parity decides the order of the last
two tiles.
Source: Johnson & Story 1879.
"""

from __future__ import annotations

from itertools import combinations
from math import factorial
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.domains.shared.ranking import MOST_ITEMS, is_odd, lehmer_digits, permutation_of, permutation_rank, scale_for
from bestfirst.domains.sliding_tile.packed import PackedTiles

if TYPE_CHECKING:
    from bestfirst.domains.sliding_tile.rules import TileRules

MOST_CELLS = MOST_ITEMS


class RankedTiles(PackedTiles):
    """A sliding-tile puzzle of at least two rows and columns, up to 12 cells, as PackedTiles, with rank and unrank."""

    def __init__(self, puzzle: TileRules) -> None:
        super().__init__(puzzle)
        cells = len(puzzle.initial)
        self.tiles = cells - 1
        self.boards_for_each_blank = factorial(self.tiles) // 2
        self.scale = scale_for(cells)
        self.size = cells * self.boards_for_each_blank
        columns = puzzle.size[1]
        start = puzzle.initial.index(0) // columns
        at_start = sum(one > later for one, later in combinations([tile for tile in puzzle.initial if tile], 2))
        self.odd = np.array([(at_start + (blank // columns - start) * (columns - 1)) % 2 for blank in range(cells)])
        self.home = np.array(puzzle.distances_home)

    def rank(self, state: PackedTiles.State) -> int:
        before = (1 << (4 * state.blank)) - 1
        tiles = (state.board & before) | ((state.board >> 4) & ~before)
        return state.blank * self.boards_for_each_blank + (permutation_rank(tiles, self.tiles) >> 1)

    def unrank(self, number: int) -> PackedTiles.State:
        digits = lehmer_digits(2 * number, self.tiles + 1, self.scale)
        blank = digits & 15
        digits >>= 4
        digits |= (is_odd(digits) ^ self.odd[blank]) << (4 * (self.tiles - 2))
        tiles = permutation_of(digits, self.tiles)
        before = (1 << (4 * blank)) - 1
        board = (tiles & before) | ((tiles & ~before) << 4)
        distance = 0
        for cell in range(self.tiles + 1):
            distance += self.home[cell, (board >> (4 * cell)) & 15]
        return self.State(board, blank, distance)
