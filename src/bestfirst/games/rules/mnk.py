"""m,n,k-games: put stones on a board of m columns and n rows; the first player with k in a row wins. Tic-tac-toe is 3,3,3.

A state is two bitboards, the stones of the side to move and of the other side. The bit of a cell is its index:

    cell (row, column) = row * m + column         3,3,3:   0  1  2
                                                           3  4  5
                                                           6  7  8

A cell is named by the letter of its column and the number of its row from the top: b2 is the centre of tic-tac-toe. A
position is written as the moves played (b2a1c3) or as a board (X.O/.X./...), where X moves first.
"""

from __future__ import annotations

from typing import NamedTuple

from bestfirst.arguments import check_whole
from bestfirst.errors import InputError, shown
from bestfirst.games.domain import GameDomain
from bestfirst.games.game import read_size
from bestfirst.games.rules.boards import draw_board, is_board, read_board, split_squares, square_name, write_rows
from bestfirst.tables import table

MOST_CELLS = 64


class Stones(NamedTuple):
    """The stones of the side to move and of the other side."""

    mine: int
    theirs: int


class MNK(GameDomain):
    """The m,n,k-game on a board of width x height for `in_a_row` in a row; the sides are X and O, and X moves first.

    Cells are tried row by row from the top left; the static order prefers the centre. A move is the index of a cell.
    Boards of up to 64 cells can be compiled. Raises InputError for a board that is too large, or a row that does not fit on
    it.
    """

    State = Stones
    sides = ("X", "O")
    frozen_arrays = frozenset({"centrality", "image_of"})
    mover_never_loses = True

    _settled_for_good = frozenset({"width", "height", "in_a_row"})

    def __init__(self, width: int = 3, height: int = 3, in_a_row: int = 3) -> None:
        for name, number in (("width", width), ("height", height), ("in_a_row", in_a_row)):
            check_whole(name, number, 1)
        if not (1 <= width <= 26 and 1 <= height <= 99):
            raise InputError(f"the board is {width}x{height}; use at most 26 columns and 99 rows")
        if not 1 <= in_a_row <= max(width, height):
            raise InputError(f"{in_a_row} in a row do not fit on a {width}x{height} board; use 1 .. {max(width, height)}")
        self.width, self.height, self.in_a_row = width, height, in_a_row
        self.initial = Stones(0, 0)
        self.cells = width * height
        self.full = (1 << self.cells) - 1
        # start cells of a winning row: along a row, a column, and the diagonals down to the right and to the left
        self.across = self._starts(1, 0)
        self.down = self._starts(0, 1)
        self.falling = self._starts(1, 1)
        self.rising = self._starts(-1, 1)
        places = [divmod(cell, width) for cell in range(self.cells)]
        self.centrality = table(-_from_centre(*place, width, height) for place in places)
        images = _images(width, height)
        self.images = len(images)
        if self.cells <= MOST_CELLS:
            self.bits = {"mine": self.cells, "theirs": self.cells}
        self.image_of = table(images)

    @classmethod
    def from_options(cls, *, board: str = "3x3", row: str = "3") -> MNK:
        if not row.strip().isdecimal():
            raise InputError(f"the length of a winning row is {shown(row)}; use a whole number, such as 3")
        return cls(*read_size(board), int(row))

    def domain(self) -> GameDomain | None:
        return super().domain() if self.cells <= MOST_CELLS else None

    def legal(self, state: Stones) -> int:
        return self.full & ~(state.mine | state.theirs)

    def play(self, state: Stones, move: int) -> Stones:
        return Stones(state.theirs, state.mine | 1 << move)

    def is_over(self, state: Stones) -> bool:
        return state.mine | state.theirs == self.full or has_row(
            state.theirs, self.across, self.down, self.falling, self.rising, self.width, self.in_a_row
        )

    def score(self, state: Stones) -> int:
        lost = has_row(state.theirs, self.across, self.down, self.falling, self.rising, self.width, self.in_a_row)
        return -1 if lost else 0

    def side_to_move(self, state: Stones) -> int:
        return (state.mine | state.theirs).bit_count() % 2

    def order(self, state: Stones, move: int) -> int:
        del state
        return self.centrality[move]  # type: ignore[no-any-return]

    def image(self, state: Stones, number: int) -> Stones:
        """The symmetric images: three, or seven on a square board, which can be rotated too."""
        mine, theirs = 0, 0
        for cell in range(self.cells):
            place = self.image_of[number, cell]
            mine |= (state.mine >> cell & 1) << place
            theirs |= (state.theirs >> cell & 1) << place
        return Stones(mine, theirs)

    def format(self, state: Stones) -> str:
        return "/".join(self._rows(state))

    def draw(self, state: Stones) -> str:
        return draw_board(self._rows(state))

    def format_move(self, state: Stones, move: int) -> str:
        del state
        return square_name(*divmod(move, self.width))

    def split(self, text: str) -> list[str]:
        return split_squares(text)

    def parse(self, text: str) -> Stones:
        """Read a board, or the moves played; raises InputError for an impossible position."""
        if not is_board(text, self.width if self.height == 1 else None):
            return super().parse(text)  # type: ignore[no-any-return]
        board = read_board(text, self.width, self.height, "XO")
        stones = {side: sum(1 << self._bit(*cell) for cell in board if board[cell] == side) for side in "XO"}
        x, o = stones["X"], stones["O"]
        if x.bit_count() - o.bit_count() not in (0, 1):
            raise InputError(
                f"the board {shown(text)} has {x.bit_count()} X and {o.bit_count()} O; write as many X as O, or one X more"
            )
        state = Stones(x, o) if x.bit_count() == o.bit_count() else Stones(o, x)
        if has_row(state.mine, self.across, self.down, self.falling, self.rising, self.width, self.in_a_row):
            side = self.side_name(state)
            raise InputError(
                f"on the board {shown(text)} it is {side}'s turn, but {side} has already won, "
                "so the opponent cannot have moved last; "
                "use a reachable board"
            )
        return state

    def _rows(self, state: Stones) -> list[str]:
        x, o = (state.mine, state.theirs) if self.side_to_move(state) == 0 else (state.theirs, state.mine)

        def cell(row: int, column: int) -> str:
            bit = self._bit(row, column)
            return "X" if x >> bit & 1 else "O" if o >> bit & 1 else "."

        return write_rows(self.width, self.height, cell)

    def _bit(self, row: int, column: int) -> int:
        return row * self.width + column

    def _starts(self, right: int, down: int) -> int:
        """The cells from which a winning row in a direction stays on the board."""
        far = self.in_a_row - 1
        return sum(
            1 << self._bit(row, column)
            for row in range(self.height - far * down)
            for column in range(self.width)
            if 0 <= column + far * right < self.width
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.width}, {self.height}, {self.in_a_row})"


class TicTacToe(MNK):
    """Tic-tac-toe: three in a row on a board of 3x3. A draw under best play."""

    def __init__(self) -> None:
        super().__init__(3, 3, 3)

    @classmethod
    def from_options(cls) -> TicTacToe:  # type: ignore[override]  # no options
        return cls()

    def __repr__(self) -> str:
        return "TicTacToe()"


def has_row(stones: int, across: int, down: int, falling: int, rising: int, width: int, length: int) -> bool:
    """Whether `length` stones are in a row. across, down, falling, rising: the start cells for each direction."""
    return (
        rows(stones, across, 1, length)
        | rows(stones, down, width, length)
        | rows(stones, falling, width + 1, length)
        | rows(stones, rising, width - 1, length)
    ) != 0


def rows(stones: int, starts: int, shift: int, length: int) -> int:
    """The cells of `starts` where a row of `length` stones begins. shift: the distance from each cell of the row to the next."""
    found = stones & starts
    for step in range(1, length):
        found &= stones >> shift * step
    return found


def _from_centre(row: int, column: int, width: int, height: int) -> int:
    """Twice the number of king's moves from a cell to the centre of the board."""
    return max(abs(2 * row - height + 1), abs(2 * column - width + 1))


def _images(width: int, height: int) -> list[list[int]]:
    """For each symmetric image of the board, the new index of each cell."""
    places = [divmod(cell, width) for cell in range(width * height)]
    images = [places, [(height - 1 - row, column) for row, column in places]]
    images += [[(row, width - 1 - column) for row, column in image] for image in images]
    if width == height:
        images += [[(column, row) for row, column in image] for image in images]
    return [[row * width + column for row, column in image] for image in images[1:]]
