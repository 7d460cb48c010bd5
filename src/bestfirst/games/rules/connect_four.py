"""Connect Four: drop stones into columns; the first to have four in a row wins.

A state is two bitboards, the stones of the side to move and all stones. A column takes height + 1 bits, the lowest for its
bottom; the highest one is always 0, so that shifted rows of stones do not run over the edge:

     6 13 20 27 34 41 48       always 0
     5 12 19 26 33 40 47
     4 11 18 25 32 39 46       7 columns, 6 rows
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42       the bottom

A position is written as the columns played, from 1 (44455), or as a board (rows from the top, with slashes between them;
X moves first).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bestfirst.errors import InputError
from bestfirst.games.game import Game, read_size
from bestfirst.games.rules.boards import draw_board, is_board, read_board, write_rows

IN_A_ROW = 4
MOST_BITS = 64


class Columns(NamedTuple):
    """The stones of the side to move, and the stones of both."""

    mine: int
    all: int


class ConnectFour(Game):
    """Connect Four on a board of width x height, with its extra row at most 64 bits, up to 9 columns.

    A move is a column, from 1; columns are tried from left to right, and the static order prefers those near the centre.
    Noisy moves win at once, or keep the other side from doing so. The estimate counts the cells that would complete a row.
    Raises InputError for a board that is too large.
    """

    sides = ("X", "O")

    def __init__(self, width: int = 7, height: int = 6) -> None:
        if not (1 <= width <= 9 and height >= 1 and width * (height + 1) <= MOST_BITS):
            raise InputError(
                f"the board is {width}x{height}; write up to 9 columns, and columns x (rows + 1) up to {MOST_BITS}, such as 7x6"
            )
        self.width, self.height = width, height
        self.initial = Columns(0, 0)
        self.bottoms = [column * (height + 1) for column in range(width)]
        self.bottom = sum(1 << bit for bit in self.bottoms)
        self.full = self.bottom * ((1 << height) - 1)
        self.tops = [1 << (bit + height - 1) for bit in self.bottoms]
        self.directions = (1, height + 1, height, height + 2)  # along a column, a row, and the diagonals

    @classmethod
    def from_options(cls, *, board: str = "7x6") -> ConnectFour:
        return cls(*read_size(board))

    def moves(self, state: Columns) -> list[int]:
        return [column for column, top in enumerate(self.tops, start=1) if not state.all & top]

    def play(self, state: Columns, move: int) -> Columns:
        return Columns(state.mine ^ state.all, state.all | (state.all + (1 << self.bottoms[move - 1])))

    def is_over(self, state: Columns) -> bool:
        return state.all == self.full or self.has_row(state.mine ^ state.all)

    def score(self, state: Columns) -> int:
        return -1 if self.has_row(state.mine ^ state.all) else 0

    def has_row(self, stones: int) -> bool:
        """Whether there are four of these stones in a row."""
        for shift in self.directions:
            pairs = stones & (stones >> shift)
            if pairs & (pairs >> 2 * shift):
                return True
        return False

    def evaluate(self, state: Columns) -> int:
        """The empty cells where the side to move would have four in a row, less those of the other side."""
        empty = self.full ^ state.all
        theirs = state.mine ^ state.all
        return (self.row_ends(state.mine) & empty).bit_count() - (self.row_ends(theirs) & empty).bit_count()

    def row_ends(self, stones: int) -> int:
        """The cells, taken ones too, that make four in a row with three of these stones."""
        up = stones << 1
        ends = up & (up << 1) & (up << 2)
        for shift in self.directions[1:]:
            for step in (shift, -shift):
                one, two, three = (_shifted(stones, step * times) for times in (1, 2, 3))
                back = _shifted(stones, -step)
                ends |= one & two & (three | back)
        return ends & self.full

    def noisy_moves(self, state: Columns) -> Iterable[int]:
        free = (state.all + self.bottom) & self.full
        wins = self.row_ends(state.mine) & free
        wanted = wins or self.row_ends(state.mine ^ state.all) & free
        for column, bit in enumerate(self.bottoms, start=1):
            if wanted >> bit & ((1 << self.height) - 1):
                yield column

    def side_to_move(self, state: Columns) -> int:
        return state.all.bit_count() % 2

    def order(self, state: Columns, move: int) -> int:
        del state
        return -abs(2 * move - self.width - 1)

    def key(self, state: Columns) -> int:
        """One int for each position: a column of mine + all tells its height and its stones."""
        return state.mine + state.all

    def symmetries(self, state: Columns) -> list[Columns]:
        """The mirror image."""
        return [Columns(self._mirrored(state.mine), self._mirrored(state.all))]

    def format(self, state: Columns) -> str:
        return "/".join(self._rows(state))

    def draw(self, state: Columns) -> str:
        return draw_board(self._rows(state), numbered=False)

    def split(self, text: str) -> list[str]:
        return [character for character in text if not character.isspace() and character != ","]

    def parse(self, text: str) -> Columns:
        """A board, or the columns played; raises InputError for what no game can lead to."""
        if not is_board(text):
            return super().parse(text)  # type: ignore[no-any-return]
        board = read_board(text, self.width, self.height, "XO")
        counts = [sum(piece == side for piece in board.values()) for side in "XO"]
        if counts[0] - counts[1] not in (0, 1):
            raise InputError(f"the board {text!r} has {counts[0]} X and {counts[1]} O; X moves first, then they take turns")
        for row, column in board:
            if row + 1 < self.height and (row + 1, column) not in board:
                raise InputError(f"on the board {text!r} a stone floats in column {column + 1}; stones drop to the bottom")
        side = "XO"[counts[0] - counts[1]]
        bits = {cell: 1 << self._bit(*cell) for cell in board}
        state = Columns(sum(bits[cell] for cell in board if board[cell] == side), sum(bits.values()))
        if self.has_row(state.mine):
            raise InputError(f"on the board {text!r} {side} has won already, and yet it would be to move")
        return state

    def _rows(self, state: Columns) -> list[str]:
        first = state.mine if self.side_to_move(state) == 0 else state.mine ^ state.all

        def cell(row: int, column: int) -> str:
            bit = self._bit(row, column)
            return "X" if first >> bit & 1 else "O" if state.all >> bit & 1 else "."

        return write_rows(self.width, self.height, cell)

    def _bit(self, row: int, column: int) -> int:
        return self.bottoms[column] + self.height - 1 - row

    def _mirrored(self, stones: int) -> int:
        column = (1 << (self.height + 1)) - 1
        return sum((stones >> bit & column) << self.bottoms[-1 - number] for number, bit in enumerate(self.bottoms))

    def __repr__(self) -> str:
        return f"ConnectFour({self.width}, {self.height})"


def _shifted(stones: int, by: int) -> int:
    return stones << by if by >= 0 else stones >> -by
