"""m,n,k-games: put stones on a board of m columns and n rows; the first to have k in a row wins. Tic-tac-toe is 3,3,3.

A state is two bitboards, the stones of the side to move and those of the other side. A row of cells takes m + 1 bits; the
last one is always 0, so that shifted rows of stones do not run over the edge:

    bit of cell (row, column) = row * (m + 1) + column         3,3,3:   0  1  2 (3)
                                                                        4  5  6 (7)
                                                                        8  9 10 (11)

Cells are called by the letter of their column and the number of their row from the top: b2 is the centre of tic-tac-toe. A
position is written as the moves played (b2a1c3) or as a board (X.O/.X./...), where X moves first.
"""

from __future__ import annotations

from typing import NamedTuple

from bestfirst.errors import InputError
from bestfirst.games.game import Game, read_size
from bestfirst.games.rules.boards import draw_board, is_board, read_board, split_squares, square_name, write_rows


class Stones(NamedTuple):
    """The stones of the side to move, and those of the other side."""

    mine: int
    theirs: int


class MNK(Game):
    """The m,n,k-game on a board of width x height for so many in a row; the sides are X and O, and X begins.

    Cells are tried row by row from the top left; the static order prefers those near the centre. A move is the bit of a cell.
    Raises InputError for a board that is too large for 26 columns, or a row that does not fit on it.
    """

    sides = ("X", "O")

    def __init__(self, width: int = 3, height: int = 3, in_a_row: int = 3) -> None:
        if not (1 <= width <= 26 and 1 <= height <= 99):
            raise InputError(f"the board is {width}x{height}; write at most 26 columns and 99 rows")
        if not 1 <= in_a_row <= max(width, height):
            raise InputError(
                f"{in_a_row} in a row do not fit on a board of {width}x{height}; write 1 .. {max(width, height)}"
            )
        self.width, self.height, self.in_a_row = width, height, in_a_row
        self.initial = Stones(0, 0)
        self.cells = [row * (width + 1) + column for row in range(height) for column in range(width)]
        self.full = sum(1 << cell for cell in self.cells)
        self.directions = (1, width + 1, width, width + 2)  # along a row, a column, and the diagonals
        self.centrality = {cell: -_from_centre(cell, width, height) for cell in self.cells}

    @classmethod
    def from_options(cls, *, board: str = "3x3", row: str = "3") -> MNK:
        if not row.strip().isdecimal():
            raise InputError(f"the row to win is {row!r}; write a whole number, such as 3")
        return cls(*read_size(board), int(row))

    def moves(self, state: Stones) -> list[int]:
        taken = state.mine | state.theirs
        return [cell for cell in self.cells if not taken >> cell & 1]

    def play(self, state: Stones, move: int) -> Stones:
        return Stones(state.theirs, state.mine | 1 << move)

    def is_over(self, state: Stones) -> bool:
        return state.mine | state.theirs == self.full or self.has_row(state.theirs)

    def score(self, state: Stones) -> int:
        return -1 if self.has_row(state.theirs) else 0

    def has_row(self, stones: int) -> bool:
        """Whether there are k of these stones in a row somewhere."""
        for shift in self.directions:
            runs = stones  # the cells where a run of stones begins, of one stone, then two, ...
            for length in range(1, self.in_a_row):
                runs &= stones >> shift * length
            if runs:
                return True
        return False

    def side_to_move(self, state: Stones) -> int:
        return (state.mine | state.theirs).bit_count() % 2

    def order(self, state: Stones, move: int) -> int:
        del state
        return self.centrality[move]

    def symmetries(self, state: Stones) -> list[Stones]:
        """The mirror images: three, and seven on a square board, where it can be turned too."""
        images = [state, self._mirrored(state, rows=True)]
        images += [self._mirrored(image, rows=False) for image in images]
        if self.width == self.height:
            images += [self._transposed(image) for image in images]
        return images[1:]

    def format(self, state: Stones) -> str:
        return "/".join(self._rows(state))

    def draw(self, state: Stones) -> str:
        return draw_board(self._rows(state))

    def format_move(self, state: Stones, move: int) -> str:
        del state
        return square_name(*divmod(move, self.width + 1))

    def split(self, text: str) -> list[str]:
        return split_squares(text)

    def parse(self, text: str) -> Stones:
        """A board, or the moves played; raises InputError for what no game can lead to."""
        if not is_board(text):
            return super().parse(text)  # type: ignore[no-any-return]
        board = read_board(text, self.width, self.height, "XO")
        stones = {side: sum(1 << self._bit(*cell) for cell in board if board[cell] == side) for side in "XO"}
        x, o = stones["X"], stones["O"]
        if x.bit_count() - o.bit_count() not in (0, 1):
            raise InputError(
                f"the board {text!r} has {x.bit_count()} X and {o.bit_count()} O; X moves first, then they take turns"
            )
        state = Stones(x, o) if x.bit_count() == o.bit_count() else Stones(o, x)
        if self.has_row(state.mine):
            raise InputError(f"on the board {text!r} {self.side_name(state)} has won already, and yet it would be to move")
        return state

    def _rows(self, state: Stones) -> list[str]:
        x, o = (state.mine, state.theirs) if self.side_to_move(state) == 0 else (state.theirs, state.mine)

        def cell(row: int, column: int) -> str:
            bit = self._bit(row, column)
            return "X" if x >> bit & 1 else "O" if o >> bit & 1 else "."

        return write_rows(self.width, self.height, cell)

    def _bit(self, row: int, column: int) -> int:
        return row * (self.width + 1) + column

    def _mirrored(self, state: Stones, *, rows: bool) -> Stones:
        """The board upside down, or the other way round from left to right."""

        def image(cell: int) -> int:
            row, column = divmod(cell, self.width + 1)
            return self._bit(self.height - 1 - row, column) if rows else self._bit(row, self.width - 1 - column)

        return Stones(*(sum(1 << image(cell) for cell in self.cells if stones >> cell & 1) for stones in state))

    def _transposed(self, state: Stones) -> Stones:
        """The board with its rows as columns."""

        def image(cell: int) -> int:
            row, column = divmod(cell, self.width + 1)
            return self._bit(column, row)

        return Stones(*(sum(1 << image(cell) for cell in self.cells if stones >> cell & 1) for stones in state))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.width}, {self.height}, {self.in_a_row})"


class TicTacToe(MNK):
    """Tic-tac-toe: three in a row on a board of 3x3. A draw if both play well."""

    def __init__(self) -> None:
        super().__init__(3, 3, 3)

    @classmethod
    def from_options(cls) -> TicTacToe:  # type: ignore[override]  # it has no options
        return cls()

    def __repr__(self) -> str:
        return "TicTacToe()"


def _from_centre(cell: int, width: int, height: int) -> int:
    """Twice the number of steps, as a king makes them, from a cell to the centre of the board."""
    row, column = divmod(cell, width + 1)
    return max(abs(2 * row - height + 1), abs(2 * column - width + 1))
