"""The sliding-tile puzzle in the compilable form, for boards of 17 to 64 cells: the compiled engine for the 24-puzzle.

A state is nine ints:

    word0 .. word6   6 bits for each cell, ten cells to a word, cell 0 in the lowest bits of word0; a board uses as many
                     words as it needs, and the others are 0
    blank            the cell of the blank, whose bits are 0
    distance         the Manhattan distance, updated with each move

              59     54        11  6 5   0
             +---------+ ... +------+------+
    word0    | cell  9 |     |    1 |    0 |
    word1    | cell 19 |     |   11 |   10 |
     ...       ...
    word6    | cell 69 |     |   61 |   60 |     (cells beyond the 64th: 0)
             +---------+ ... +------+------+

A move takes a tile from one cell to another, so the fields of both cells change by exclusive or with the tile. Each word
changes by the tile times a number that has a one in each of these fields that the word holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bestfirst.domains.sliding_tile.packed import Tiles, board_words

if TYPE_CHECKING:
    from bestfirst.domains.sliding_tile.rules import Board, TileRules

MOST_CELLS = 64
WORDS = 7
WIDTH = 6
"""Bits of a cell."""
CELLS_PER_WORD = 10


class WideTiles(Tiles):
    """A sliding-tile puzzle as nine ints; the same puzzle, move for move, as the original SlidingTile."""

    class State(NamedTuple):
        """See the module docstring."""

        word0: int
        word1: int
        word2: int
        word3: int
        word4: int
        word5: int
        word6: int
        blank: int
        distance: int

    identity = tuple(f"word{word}" for word in range(WORDS))

    def __init__(self, puzzle: TileRules) -> None:
        super().__init__(puzzle)
        cells = len(puzzle.initial)
        self.initial = self.encode(puzzle.initial)
        used = {f"word{word}": min(max(cells - CELLS_PER_WORD * word, 0), CELLS_PER_WORD) for word in range(WORDS)}
        self.bits = {word: 6 * fields for word, fields in used.items()}
        self.bits |= {"blank": 6, "distance": puzzle.most_manhattan().bit_length()}
        ones = np.zeros((cells, 4, WORDS), np.int64)
        for blank in range(cells):
            for action in range(4):
                cell = self.target[blank, action]
                if cell >= 0:
                    for end in (blank, cell):
                        ones[blank, action, end // CELLS_PER_WORD] += 1 << 6 * (end % CELLS_PER_WORD)
        self.ones = ones

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        blank = state.blank & 63
        cell = self.target[blank, action]
        if cell < 0:
            return False, state, 1
        tile = (state[cell // CELLS_PER_WORD] >> (6 * (cell % CELLS_PER_WORD))) & 63
        ones = self.ones
        following = self.State(
            state.word0 ^ tile * ones[blank, action, 0],
            state.word1 ^ tile * ones[blank, action, 1],
            state.word2 ^ tile * ones[blank, action, 2],
            state.word3 ^ tile * ones[blank, action, 3],
            state.word4 ^ tile * ones[blank, action, 4],
            state.word5 ^ tile * ones[blank, action, 5],
            state.word6 ^ tile * ones[blank, action, 6],
            cell,
            state.distance + self.nearer[blank, action, tile],
        )
        return True, following, 1

    def encode(self, board: Board) -> State:
        return self.State._make([*board_words(board, WIDTH, WORDS), board.index(0), self._puzzle.manhattan(board)])

    def decode(self, state: State) -> Board:
        return tuple((state[cell // CELLS_PER_WORD] >> 6 * (cell % CELLS_PER_WORD)) & 63 for cell in range(len(self.target)))
