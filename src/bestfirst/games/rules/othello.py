"""Othello (Reversi): a disc turns the other side's discs that it encloses; whoever has more at the end wins.

A state is two bitboards, the discs of the side to move and those of the other side, and which side is to move. Squares are
named by the letter of their column and the number of their row from the top; the bit of a square is row * size + column:

        a  b  c  d  e  f  g  h
    1   0  1  2  3  4  5  6  7
    2   8  9 10 11 12 13 14 15
    ...
    4  24 25 26  W  B 29 30 31        the start: White on d4 and e5, Black on e4 and d5; Black moves first
    5  32 33 34  B  W 37 38 39

A position is written as the moves played (f5d6c3; passes are left out, they can only be forced) or as a board and the side
to move (rows from the top with slashes between them, X for Black, O for White, then a space and X or O).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bestfirst.errors import InputError
from bestfirst.games.game import Game, read_size
from bestfirst.games.rules.boards import draw_board, is_board, read_board, split_squares, square_name, write_rows

PASS = -1
"""The move of a side that cannot enclose anything; it is made only where it must be."""
CORNER, MOBILITY = 30, 3


class Discs(NamedTuple):
    """The discs of the side to move, those of the other side, and 1 where White is to move."""

    mine: int
    theirs: int
    white: int


class Othello(Game):
    """Othello on a square board of 4, 6 or 8 squares a side.

    A move is the number of a square, or PASS; squares are tried row by row from the top left, and the static order prefers
    corners, then moves that leave the other side few. The score is the difference of the discs, where squares that are empty
    at the end count for the winner (the rule of the World Othello Federation). The estimate counts moves and corners.
    Raises InputError for another size.
    """

    counts_points = True
    sides = ("black", "white")

    def __init__(self, size: int = 8) -> None:
        if size not in (4, 6, 8):
            raise InputError(f"the board is {size}x{size}; write 4x4, 6x6 or 8x8")
        self.size = size
        self.full = (1 << size * size) - 1
        left = sum(1 << row * size for row in range(size))
        not_left, not_right = self.full ^ left, self.full ^ (left << (size - 1))
        self.directions = (  # how far to shift, and the squares on which a disc can arrive
            (1, not_left),
            (-1, not_right),
            (size, self.full),
            (-size, self.full),
            (size + 1, not_left),
            (-size - 1, not_right),
            (size - 1, not_right),
            (-size + 1, not_left),
        )
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
            raise InputError(f"the board is {board}; write 4x4, 6x6 or 8x8")
        return cls(width)

    def moves(self, state: Discs) -> list[int]:
        return list(_bits(self.placements(state.mine, state.theirs))) or [PASS]

    def play(self, state: Discs, move: int) -> Discs:
        if move == PASS:
            return Discs(state.theirs, state.mine, 1 - state.white)
        turned = self.turned(state.mine, state.theirs, move)
        return Discs(state.theirs ^ turned, state.mine ^ turned ^ (1 << move), 1 - state.white)

    def is_over(self, state: Discs) -> bool:
        return not self.placements(state.mine, state.theirs) and not self.placements(state.theirs, state.mine)

    def score(self, state: Discs) -> int:
        mine, theirs = state.mine.bit_count(), state.theirs.bit_count()
        empty = self.size * self.size - mine - theirs
        return mine - theirs + (empty if mine > theirs else -empty if mine < theirs else 0)

    def placements(self, mine: int, theirs: int) -> int:
        """The squares where one side's disc would enclose discs of the other."""
        found, empty = 0, self.full ^ mine ^ theirs
        for shift, arrival in self.directions:
            inner = theirs & arrival
            run = _shifted(mine, shift) & inner
            while run:
                run = _shifted(run, shift) & arrival
                found |= run & empty
                run &= theirs
        return found

    def turned(self, mine: int, theirs: int, square: int) -> int:
        """The discs of the other side that a disc on a square encloses."""
        turned = 0
        for shift, arrival in self.directions:
            line, run = 0, _shifted(1 << square, shift) & arrival
            while run & theirs:
                line |= run
                run = _shifted(run, shift) & arrival
            if run & mine:
                turned |= line
        return turned

    def evaluate(self, state: Discs) -> int:
        moves = self.placements(state.mine, state.theirs).bit_count() - self.placements(state.theirs, state.mine).bit_count()
        corners = (state.mine & self.corners).bit_count() - (state.theirs & self.corners).bit_count()
        return CORNER * corners + MOBILITY * moves

    def order(self, state: Discs, move: int) -> int:
        if move == PASS:
            return 0
        following = self.play(state, move)
        replies = self.placements(following.mine, following.theirs)
        return CORNER * (self.corners >> move & 1) - MOBILITY * (
            replies.bit_count() + 2 * (replies & self.corners).bit_count()
        )

    def side_to_move(self, state: Discs) -> int:
        return state.white

    def key(self, state: Discs) -> tuple[int, int]:
        """The discs: which colour is to move does not matter."""
        return state.mine, state.theirs

    def null(self, state: Discs) -> Discs:
        return self.play(state, PASS)

    def symmetries(self, state: Discs) -> list[Discs]:
        """The seven other ways to turn and mirror the board."""
        images = [state]
        for image in (self._upside_down, self._other_way_round, self._transposed):
            images += [Discs(image(one.mine), image(one.theirs), one.white) for one in images]
        return images[1:]

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
        """A board and the side to move, or the moves played; raises InputError for what cannot be read."""
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
            raise InputError(f"the position {text!r} does not say who moves; write X (Black) or O (White) after the board")
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

    def _upside_down(self, discs: int) -> int:
        return sum(1 << (self.size - 1 - bit // self.size) * self.size + bit % self.size for bit in _bits(discs))

    def _other_way_round(self, discs: int) -> int:
        return sum(1 << bit // self.size * self.size + self.size - 1 - bit % self.size for bit in _bits(discs))

    def _transposed(self, discs: int) -> int:
        return sum(1 << bit % self.size * self.size + bit // self.size for bit in _bits(discs))

    def __repr__(self) -> str:
        return f"Othello({self.size})"


def _shifted(discs: int, by: int) -> int:
    return discs << by if by >= 0 else discs >> -by


def _bits(board: int) -> Iterator[int]:
    """The numbers of the squares of a board, the lowest first."""
    while board:
        lowest = board & -board
        yield lowest.bit_length() - 1
        board ^= lowest
