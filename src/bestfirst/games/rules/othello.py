"""Othello (Reversi): a disc flips the other side's discs that it outflanks; the side with more discs at the end wins.

A state is two bitboards, the discs of the side to move and of the other side, and the side to move. Squares are named by the
letter of their column and the number of their row from the top; the bit of a square is row * size + column:

        a  b  c  d  e  f  g  h
    1   0  1  2  3  4  5  6  7
    2   8  9 10 11 12 13 14 15
    ...
    4  24 25 26  W  B 29 30 31        the start: White on d4 and e5, Black on e4 and d5; Black moves first
    5  32 33 34  B  W 37 38 39

A position is written as the moves played (f5d6c3, without passes, which are always forced) or as a board and the side to
move (rows from the top, separated by slashes, X for Black, O for White, then a space and X or O).
"""

from __future__ import annotations

from typing import NamedTuple

from bestfirst.errors import InputError, shown
from bestfirst.games.domain import PASS, GameDomain
from bestfirst.games.game import read_size
from bestfirst.games.rules.boards import draw_board, is_board, read_board, split_squares, square_name, write_rows

CORNER, MOBILITY = 30, 3
FEW = 4
"""Number of empty squares below which a better move order costs more than it saves."""
LONGEST_RUN = 6
"""Longest run of outflanked discs, on a board of 8x8."""


class Discs(NamedTuple):
    """The discs of the side to move, the discs of the other side, and 1 if White is to move."""

    mine: int
    theirs: int
    white: int


class Othello(GameDomain):
    """Othello on a board of 4x4, 6x6 or 8x8.

    A move is the index of a square, or PASS; squares are tried row by row from the top left, and the static order prefers
    corners, then moves that leave the other side few moves. The score is the difference in discs, with empty squares counted
    for the winner (the rule of the World Othello Federation). The estimate counts moves and corners.
    Raises InputError for any other size.
    """

    State = Discs
    can_pass = True
    counts_points = True
    bits = {"mine": 64, "theirs": 64, "white": 1}  # noqa: RUF012
    identity = ("mine", "theirs")  # the colour of the side to move is irrelevant
    images = 7
    unchecked = True  # bits shifted beyond 64 are off the board, and masked before use
    sides = ("black", "white")

    _settled_for_good = frozenset({"size"})

    def __init__(self, size: int = 8) -> None:
        if size not in (4, 6, 8):
            raise InputError(f"the board is {size}x{size}; use 4x4, 6x6 or 8x8")
        self.size = size
        self.full = (1 << size * size) - 1
        inner = [(row, column) for row in range(size) for column in range(size) if 0 < column < size - 1]
        # possible squares of a run of outflanked discs: along a row, a column, and a diagonal
        self.across = sum(1 << row * size + column for row, column in inner)
        self.down = sum(1 << column * size + row for row, column in inner)
        self.slanting = self.across & self.down
        last = size * size - 1
        self.corners = 1 | 1 << size - 1 | 1 << last | 1 << last - size + 1
        high, low = size // 2 - 1, size // 2
        white = 1 << high * size + high | 1 << low * size + low
        black = 1 << high * size + low | 1 << low * size + high
        self.initial = Discs(black, white, 0)

    @classmethod
    def from_options(cls, *, board: str = "8x8") -> Othello:
        width, height = read_size(board)
        if width != height:
            raise InputError(f"the board is {board}; use 4x4, 6x6 or 8x8")
        return cls(width)

    def legal(self, state: Discs) -> int:
        return placements(state.mine, state.theirs, self.full, self.across, self.down, self.slanting, self.size)

    def play(self, state: Discs, move: int) -> Discs:
        if move < 0:
            return Discs(state.theirs, state.mine, 1 - state.white)
        disc = 1 << move
        turned = (
            enclosed(disc, state.mine, state.theirs & self.across, 1)
            | enclosed(disc, state.mine, state.theirs & self.down, self.size)
            | enclosed(disc, state.mine, state.theirs & self.slanting, self.size + 1)
            | enclosed(disc, state.mine, state.theirs & self.slanting, self.size - 1)
        )
        return Discs(state.theirs ^ turned, state.mine ^ turned ^ disc, 1 - state.white)

    def is_over(self, state: Discs) -> bool:
        return state.mine | state.theirs == self.full or (
            placements(state.mine, state.theirs, self.full, self.across, self.down, self.slanting, self.size) == 0
            and placements(state.theirs, state.mine, self.full, self.across, self.down, self.slanting, self.size) == 0
        )

    def score(self, state: Discs) -> int:
        mine, theirs = state.mine.bit_count(), state.theirs.bit_count()
        empty = self.size * self.size - mine - theirs
        return mine - theirs + (empty if mine > theirs else -empty if mine < theirs else 0)

    def evaluate(self, state: Discs) -> int:
        mine = placements(state.mine, state.theirs, self.full, self.across, self.down, self.slanting, self.size)
        theirs = placements(state.theirs, state.mine, self.full, self.across, self.down, self.slanting, self.size)
        corners = (state.mine & self.corners).bit_count() - (state.theirs & self.corners).bit_count()
        return CORNER * corners + MOBILITY * (mine.bit_count() - theirs.bit_count())

    def order(self, state: Discs, move: int) -> int:
        if move < 0:
            return 0
        if self.size * self.size - (state.mine | state.theirs).bit_count() <= FEW:
            return 0
        disc = 1 << move
        turned = (
            enclosed(disc, state.mine, state.theirs & self.across, 1)
            | enclosed(disc, state.mine, state.theirs & self.down, self.size)
            | enclosed(disc, state.mine, state.theirs & self.slanting, self.size + 1)
            | enclosed(disc, state.mine, state.theirs & self.slanting, self.size - 1)
        )
        replies = placements(
            state.theirs ^ turned, state.mine ^ turned ^ disc, self.full, self.across, self.down, self.slanting, self.size
        )
        corner = CORNER if self.corners & disc != 0 else 0
        return corner - MOBILITY * (replies.bit_count() + 2 * (replies & self.corners).bit_count())

    def side_to_move(self, state: Discs) -> int:
        return state.white

    def null(self, state: Discs) -> Discs:
        return Discs(state.theirs, state.mine, 1 - state.white)

    def image(self, state: Discs, number: int) -> Discs:
        """The seven other symmetric images: flipped vertically, horizontally, transposed, and their combinations."""
        turn, mine, theirs, last = number + 1, 0, 0, self.size - 1
        for row in range(self.size):
            for column in range(self.size):
                to_row = last - row if turn & 1 else row
                to_column = last - column if turn & 2 else column
                place = to_column * self.size + to_row if turn & 4 else to_row * self.size + to_column
                mine |= (state.mine >> row * self.size + column & 1) << place
                theirs |= (state.theirs >> row * self.size + column & 1) << place
        return Discs(mine, theirs, state.white)

    def format(self, state: Discs) -> str:
        return f"{'/'.join(self._rows(state))} {'XO'[state.white]}"

    def draw(self, state: Discs) -> str:
        return draw_board(self._rows(state))

    def format_move(self, state: Discs, move: int) -> str:
        del state
        return "pass" if move == PASS else square_name(*divmod(move, self.size))

    def split(self, text: str) -> list[str]:
        return split_squares(text)

    def parse(self, text: str) -> Discs:
        """Read a board and the side to move, or the moves played; raises InputError for anything else."""
        if is_board(text):
            return self._parse_board(text)
        state: Discs = self.initial
        for word in self.split(text):
            if word.lower() != "pass" and not self.is_over(state) and self.moves(state) == [PASS]:
                state = self.play(state, PASS)
            state = self.play(state, self.parse_move(state, word))
        return state

    def _parse_board(self, text: str) -> Discs:
        rows, _, side = text.strip().rpartition(" ")
        if side.upper() not in ("X", "O") or not rows:
            raise InputError(
                f"the position {shown(text)} does not say who moves; after the board, write a space and X (Black) or O (White)"
            )
        board = read_board(rows, self.size, self.size, "XO")
        black, white = (
            sum(1 << row * self.size + column for (row, column), disc in board.items() if disc == of) for of in "XO"
        )
        return Discs(black, white, 0) if side.upper() == "X" else Discs(white, black, 1)

    def _rows(self, state: Discs) -> list[str]:
        black, white = (state.theirs, state.mine) if state.white else (state.mine, state.theirs)

        def cell(row: int, column: int) -> str:
            bit = row * self.size + column
            return "X" if black >> bit & 1 else "O" if white >> bit & 1 else "."

        return write_rows(self.size, self.size, cell)

    def __repr__(self) -> str:
        return f"Othello({self.size})"


def placements(mine: int, theirs: int, full: int, across: int, down: int, slanting: int, size: int) -> int:
    """The squares where a disc of one side would outflank discs of the other."""
    reached = (
        beyond_runs(mine, theirs & across, 1)
        | beyond_runs(mine, theirs & down, size)
        | beyond_runs(mine, theirs & slanting, size + 1)
        | beyond_runs(mine, theirs & slanting, size - 1)
    )
    return reached & full & ~(mine | theirs)


def beyond_runs(mine: int, inner: int, shift: int) -> int:
    """The squares just beyond runs of inner discs that begin next to one of mine, in both senses of a direction."""
    up, down = inner & (mine << shift), inner & (mine >> shift)
    for _ in range(LONGEST_RUN - 1):
        up |= inner & (up << shift)
        down |= inner & (down >> shift)
    return up << shift | down >> shift


def enclosed(disc: int, mine: int, inner: int, shift: int) -> int:
    """The runs of inner discs between a new disc and one of mine, in both senses of a direction."""
    up, down = inner & (disc << shift), inner & (disc >> shift)
    for _ in range(LONGEST_RUN - 1):
        up |= inner & (up << shift)
        down |= inner & (down >> shift)
    return (up if (up << shift) & mine != 0 else 0) | (down if (down >> shift) & mine != 0 else 0)
