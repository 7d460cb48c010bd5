"""The sliding-tile puzzle in the compilable form, for boards of up to 16 cells.

A state is three ints:

    board      4 bits for each cell, cell 0 in the lowest; the number is taken modulo 2**64, into -2**63 .. 2**63 - 1;
                          moves use exclusive or, which preserves this range, in Python as in compiled code
    blank      the cell of the blank, whose bits in `board` are 0
    distance   the Manhattan distance, updated with each move

     63   60      11 8 7  4 3  0
    +-------+ ... +---+----+----+
    | cell 15     | 2 |  1 |  0 |
    +-------+ ... +---+----+----+
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bestfirst.cached import cached_property
from bestfirst.domain import Domain
from bestfirst.domains.sliding_tile.line_conflicts import CONTENT_BITS, LONGEST_LINE, line_conflicts
from bestfirst.domains.sliding_tile.move_tables import exchanges, move_tables, tiles_away
from bestfirst.heuristics.heuristic import Heuristic, heuristic
from bestfirst.stated import backward_domain
from bestfirst.words import signed

if TYPE_CHECKING:
    from bestfirst.domains.sliding_tile.rules import Board, TileRules

MOST_CELLS = 16
WIDTH = 4
"""Bits of a cell."""
OPPOSITE = {"U": "D", "D": "U", "L": "R", "R": "L"}


class Tiles(Domain):
    """The common base of the compilable forms of the sliding-tile puzzle: a state has the fields blank and distance.

    target, nearer: see MoveTables.
    """

    unit_cost = True
    default_heuristic: str | None = "manhattan"
    max_actions = 4

    def __init__(self, puzzle: TileRules) -> None:
        self._puzzle = puzzle
        self.actions = puzzle.moves
        # no method reads legal, but the keys of databases include it
        self.target, self.nearer, self.legal = move_tables(puzzle.size, puzzle.moves, puzzle.distances_home)

    def inverse(self, action: int) -> int:
        assert self.actions is not None
        return self.actions.index(OPPOSITE[self.actions[action]])

    def backward(self) -> Domain | None:
        return backward_domain(self._puzzle)

    def is_goal(self, state: Any) -> bool:
        return state.distance == 0  # type: ignore[no-any-return]

    @heuristic(admissible=True, consistent=True)
    def manhattan(self, state: Any) -> int:
        """The sum of the tiles' city-block distances from their goal cells, read from the state."""
        return state.distance  # type: ignore[no-any-return]


class PackedTiles(Tiles):
    """A sliding-tile puzzle as three ints; the same puzzle, move for move, as the original SlidingTile."""

    class State(NamedTuple):
        """See the module docstring."""

        board: int
        blank: int
        distance: int

    identity = ("board",)
    control = "blank"
    fixed = ("rows", "columns", "cell", "change", "away", "conflicts")

    def __init__(self, puzzle: TileRules) -> None:
        super().__init__(puzzle)
        cells = len(puzzle.initial)
        self.rows, self.columns = puzzle.size
        self.initial = self.encode(puzzle.initial)
        self.bits = {"blank": 4, "distance": puzzle.most_manhattan().bit_length()}
        if cells < MOST_CELLS:
            self.bits["board"] = 4 * cells
        # flat: the index is put together once, for both
        self.cell = self.compiled_value("target").ravel()
        self.change = exchanges(puzzle.size, puzzle.moves).ravel()
        self.away = tiles_away(puzzle.size, puzzle.moves, puzzle.distances_home).ravel()

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        place = (state.blank & 15) << 2 | action  # the mask shows that the index is not negative, which saves checks
        cell = self.cell[place]
        if cell < 0:
            return False, state, 1
        tile = (state.board >> (4 * cell)) & 15
        distance = state.distance - 1 + 2 * ((self.away[place] >> tile) & 1)
        return True, self.State(state.board ^ self.change[place << 4 | tile], cell, distance), 1

    def heuristics(self) -> Mapping[str, Heuristic]:
        """The heuristics of the class; "linear-conflict" only on boards whose lines are short enough for its table."""
        offered = dict(super().heuristics())
        if max(self._puzzle.size) > LONGEST_LINE:
            del offered["linear-conflict"]
        return offered

    @cached_property
    def conflicts(self) -> Any:
        """See line_conflicts.py; made on first use, since it takes a moment."""
        return line_conflicts(self._puzzle.size, self._puzzle.goal)

    @heuristic(admissible=True, consistent=True)
    def linear_conflict(self, state: State) -> int:
        """The Manhattan distance, plus 2 for each tile that must leave its row or column so that others of that line can pass."""
        leaving = 0
        for row in range(self.rows):
            content = (state.board >> (4 * self.columns * row)) & ((1 << (4 * self.columns)) - 1)
            leaving += int(self.conflicts[row << CONTENT_BITS | content])
        for column in range(self.columns):
            content = 0
            for row in range(self.rows):
                content |= ((state.board >> (4 * (self.columns * row + column))) & 15) << (4 * row)
            leaving += int(self.conflicts[(self.rows + column) << CONTENT_BITS | content])
        return state.distance + 2 * leaving

    def encode(self, board: Board) -> State:
        return self.State._make([*board_words(board, WIDTH, 1), board.index(0), self._puzzle.manhattan(board)])

    def decode(self, state: State) -> Board:
        board = state.board
        return tuple([(board >> shift) & 15 for shift in range(0, 4 * len(self.target), 4)])  # quicker than without a list


def board_words(board: Board, width: int, words: int) -> list[int]:
    """A board in `words` words, of `width` bits per cell; with several words, 60 bits of each are used."""
    per_word = 60 // width if words > 1 else len(board)
    packed = [0] * words
    for cell, tile in enumerate(board):
        packed[cell // per_word] |= tile << width * (cell % per_word)
    return [signed(word) for word in packed]


def changes_of_words(cells: int, target: Any, *, width: int, words: int) -> Any:
    """The change of each word of a board by a move, for exclusive or, indexed by blank, action, tile (2**width) and word.

    target: as in Tiles.
    """
    per_word = 60 // width if words > 1 else cells
    changes = np.zeros((cells, 4, 1 << width, words), np.int64)
    tiles = np.arange(1 << width)
    for blank in range(cells):
        for action in range(4):
            if target[blank, action] >= 0:
                for cell in (blank, int(target[blank, action])):
                    changes[blank, action, :, cell // per_word] ^= tiles << width * (cell % per_word)
    return changes
