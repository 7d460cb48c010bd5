"""Connect Four: drop stones into columns; the first player with four in a row wins.

A state is two bitboards, the stones of the side to move and all stones. A column takes height + 1 bits, the lowest for its
bottom cell; the highest is always 0, so that shifted rows of stones do not wrap over the edge:

     6 13 20 27 34 41 48       always 0
     5 12 19 26 33 40 47
     4 11 18 25 32 39 46       7 columns, 6 rows
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42       the bottom

A position is written as the columns played, from 1 (44455; after 9 come a, b, c), or as a board (rows from the top,
separated by slashes; X moves first).
"""

from __future__ import annotations

from copy import copy
from typing import Any, NamedTuple

from bestfirst.arguments import check_bool, check_whole
from bestfirst.errors import InputError, shown
from bestfirst.games.domain import GameDomain
from bestfirst.games.engine.settings import Settings
from bestfirst.games.game import read_size
from bestfirst.games.rules.boards import COLUMN_NAMES, draw_board, is_board, read_board, write_rows

MOST_BITS = 64


class Columns(NamedTuple):
    """The stones of the side to move, and the stones of both."""

    mine: int
    all: int


class ConnectFour(GameDomain):
    """Connect Four on a board of width x height, at most 64 bits with the extra row.

    A move is a column, from 1, written 1 to 9, then a, b, c. Columns are tried from left to right. The static order prefers
    columns near the centre; with by_threats=True, it prefers columns that create more threats (empty cells that would
    complete a row), and among equals those near the centre. Settings(static_order="centre") or "threats" selects one;
    `solver` uses threats. Noisy moves win immediately, or prevent the other side from doing so. The estimate counts threats.
    Raises InputError for a board that is too large.
    """

    State = Columns
    sides = ("X", "O")
    orders = ("centre", "threats")
    mover_never_loses = True
    images = 1
    fixed = ("width", "height", "bottom", "full", "gather")

    _settled_for_good = frozenset({"width", "height"})

    def __init__(self, width: int = 7, height: int = 6, *, by_threats: bool = False) -> None:
        check_whole("width", width, 1)
        check_whole("height", height, 1)
        check_bool("by_threats", by_threats)
        if width * (height + 1) > MOST_BITS:
            raise InputError(
                f"the board is {width}x{height}, but columns x (rows + 1) must be at most {MOST_BITS}; use a smaller "
                "board, such as 7x6"
            )
        self.width, self.height, self.by_threats = width, height, by_threats
        self.initial = Columns(0, 0)
        if width * (height + 1) == MOST_BITS:
            self.bits = {"mine": MOST_BITS, "all": MOST_BITS}
        self.bottom = sum(1 << self._bit(height - 1, column) for column in range(width))
        self.full = self.bottom * ((1 << height) - 1)
        self.gather = gathering(width, height)

    @classmethod
    def from_options(cls, *, board: str = "7x6") -> ConnectFour:
        return cls(*read_size(board))

    def legal(self, state: Columns) -> int:
        return columns_of(
            self.full & (state.all + self.bottom), self.bottom, self.full, self.gather, self.width, self.height
        )

    def play(self, state: Columns, move: int) -> Columns:
        return Columns(state.mine ^ state.all, state.all | (state.all + (1 << (move - 1) * (self.height + 1))))

    def is_over(self, state: Columns) -> bool:
        return state.all == self.full or has_row(state.mine ^ state.all, self.height)

    def is_over_unwon(self, state: Columns) -> bool:
        return state.all == self.full

    def score(self, state: Columns) -> int:
        return -1 if has_row(state.mine ^ state.all, self.height) else 0

    def evaluate(self, state: Columns) -> int:
        """The threats of the side to move minus those of the other side."""
        empty = self.full ^ state.all
        mine = row_ends(state.mine, self.height) & empty
        theirs = row_ends(state.mine ^ state.all, self.height) & empty
        return mine.bit_count() - theirs.bit_count()

    def noisy(self, state: Columns) -> int:
        free = self.full & (state.all + self.bottom)
        wins = row_ends(state.mine, self.height) & free
        if wins == 0:
            wins = row_ends(state.mine ^ state.all, self.height) & free
        return columns_of(wins, self.bottom, self.full, self.gather, self.width, self.height)

    def winning(self, state: Columns) -> int:
        wins = row_ends(state.mine, self.height) & self.full & (state.all + self.bottom)
        return columns_of(wins, self.bottom, self.full, self.gather, self.width, self.height) if wins != 0 else 0

    def losing(self, state: Columns) -> int:
        """The moves right below a threat of the other side; if it can win at once, also all that do not block its only win."""
        theirs = row_ends(state.mine ^ state.all, self.height) & (self.full ^ state.all)
        free = self.full & (state.all + self.bottom)
        sound = free
        if free & theirs != 0:
            sound = free & theirs
            if sound & (sound - 1) != 0:
                sound = 0
        return columns_of(free & ~(sound & ~(theirs >> 1)), self.bottom, self.full, self.gather, self.width, self.height)

    def side_to_move(self, state: Columns) -> int:
        return state.all.bit_count() % 2

    def order(self, state: Columns, move: int) -> int:
        centrality = -abs(2 * move - self.width - 1)
        if not self.by_threats:
            return centrality
        stone = (state.all + (1 << (move - 1) * (self.height + 1))) & ~state.all
        ends = row_ends(state.mine | stone, self.height) & (self.full ^ state.all)
        return 16 * ends.bit_count() + centrality

    def ordered_by(self, name: str) -> ConnectFour:
        if name not in self.orders:
            super().ordered_by(name)
        other = copy(self)
        other.by_threats = name == "threats"
        return other

    def default_settings(self, **switches: Any) -> Settings:
        """Threatening moves come first, and mirror images share an entry: this halves the nodes for a solved
        position."""
        return super().default_settings(**{"static_order": "threats", "symmetries": 10, **switches})

    def solver_settings(self, **switches: Any) -> Settings:
        return super().solver_settings(**{"static_order": "threats", **switches})

    def key(self, state: Columns) -> int:
        """A unique int: mine + all encodes the height and the stones of each column."""
        return state.mine + state.all

    def image(self, state: Columns, number: int) -> Columns:
        """The mirror image."""
        del number
        mine, both, column = 0, 0, (2 << self.height) - 1
        for left in range(self.width):
            bit, image = left * (self.height + 1), (self.width - 1 - left) * (self.height + 1)
            mine |= (state.mine >> bit & column) << image
            both |= (state.all >> bit & column) << image
        return Columns(mine, both)

    def format_move(self, state: Columns, move: int) -> str:
        del state
        return COLUMN_NAMES[move - 1]

    def format(self, state: Columns) -> str:
        return "/".join(self._rows(state))

    def draw(self, state: Columns) -> str:
        return draw_board(self._rows(state), numbered=False)

    def split(self, text: str) -> list[str]:
        return [character for character in text if not character.isspace() and character != ","]

    def parse(self, text: str) -> Columns:
        """Read a board, or the columns played; raises InputError for an impossible position."""
        if not is_board(text, self.width if self.height == 1 else None):
            return super().parse(text)  # type: ignore[no-any-return]
        board = read_board(text, self.width, self.height, "XO")
        counts = [sum(piece == side for piece in board.values()) for side in "XO"]
        if counts[0] - counts[1] not in (0, 1):
            raise InputError(
                f"the board {shown(text)} has {counts[0]} X and {counts[1]} O; write as many X as O, or one X more"
            )
        for row, column in board:
            if row + 1 < self.height and (row + 1, column) not in board:
                raise InputError(
                    f"on the board {shown(text)} a stone floats in column {column + 1}; leave no empty cell below a stone"
                )
        side = "XO"[counts[0] - counts[1]]
        bits = {cell: 1 << self._bit(*cell) for cell in board}
        state = Columns(sum(bits[cell] for cell in board if board[cell] == side), sum(bits.values()))
        if has_row(state.mine, self.height):
            raise InputError(
                f"on the board {shown(text)} it is {side}'s turn, but {side} has already won, "
                "so the opponent cannot have moved last; use a reachable board"
            )
        return state

    def _rows(self, state: Columns) -> list[str]:
        first = state.mine if self.side_to_move(state) == 0 else state.mine ^ state.all

        def cell(row: int, column: int) -> str:
            bit = self._bit(row, column)
            return "X" if first >> bit & 1 else "O" if state.all >> bit & 1 else "."

        return write_rows(self.width, self.height, cell)

    def _bit(self, row: int, column: int) -> int:
        return column * (self.height + 1) + self.height - 1 - row

    def __repr__(self) -> str:
        return f"ConnectFour({self.width}, {self.height})"


def columns_of(cells: int, bottom: int, full: int, gather: int, width: int, height: int) -> int:
    """The columns that contain any of `cells`, as bits from 1. bottom: the lowest cells of the board; full: all cells.

    Added to a full column, a cell carries into the row above the board. A product with `gather` moves those bits together.
    """
    if gather != 0:
        place = height * (width - 1) - 1
        return (((cells + full) >> height & bottom) * gather & (2 << width) - 2 << place) >> place
    columns, column = 0, (1 << height) - 1
    for number in range(width):
        if cells >> number * (height + 1) & column != 0:
            columns |= 2 << number
    return columns


def gathering(width: int, height: int) -> int:
    """The multiplier that packs bits spaced height + 1 apart into adjacent bits.

    It shifts each by `height` less than the one before. 0 for boards so wide that bits would collide, or so large that
    a sum of cells would have more than 63 bits.
    """
    if not 2 <= width <= height + 1 or width * (height + 1) > 63:
        return 0
    return sum(1 << height * number for number in range(width))


def has_row(stones: int, height: int) -> bool:
    """Whether four of these stones are in a row, column or diagonal."""
    down = stones & (stones >> 1)
    row = stones & (stones >> height + 1)
    falling = stones & (stones >> height)
    rising = stones & (stones >> height + 2)
    return (
        down & (down >> 2)
        | row & (row >> 2 * (height + 1))
        | falling & (falling >> 2 * height)
        | rising & (rising >> 2 * (height + 2))
    ) != 0


def row_ends(stones: int, height: int) -> int:
    """The cells that make four in a row with three of these stones, including occupied ones and some off the board."""
    return (
        (stones << 1) & (stones << 2) & (stones << 3)
        | ends_along(stones, height + 1)
        | ends_along(stones, height)
        | ends_along(stones, height + 2)
    )


def ends_along(stones: int, shift: int) -> int:
    """The row ends along one direction: at either end of three stones, or in a gap."""
    before = stones << shift
    after = stones >> shift
    two_before = before & (stones << 2 * shift)
    two_after = after & (stones >> 2 * shift)
    return two_before & (stones << 3 * shift | after) | two_after & (stones >> 3 * shift | before)
