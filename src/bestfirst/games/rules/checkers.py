"""Checkers (English draughts) on 8x8: men move forward, kings both ways; captures are compulsory.

A state is three bitboards of the 32 dark squares, which side moves, and the plies since a man moved or a piece was taken. Square 1
is upper left for White, who sits at the bottom; Black moves first, down the board. Bit n is square n + 1:

          1       2       3       4         black men start on 1 .. 12
      5       6       7       8
          9      10      11      12
     13      14      15      16
         17      18      19      20
     21      22      23      24             white men start on 21 .. 32
         25      26      27      28
     29      30      31      32

A move is the squares that a piece touches: 11-15 for a step, 15x22x29 for captures. A position is written as the moves played, or
in the FEN of draughts: W:W21,22,K30:B1,2,K9, the side to move, then the squares of both sides, K before kings.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from bestfirst.errors import InputError
from bestfirst.games.game import Game
from bestfirst.games.rules.boards import draw_board, write_rows

Path: TypeAlias = tuple[int, ...]
QUIET_PLIES_TO_A_DRAW = 80
MAN, KING = 100, 130
UP_LEFT, UP_RIGHT, DOWN_LEFT, DOWN_RIGHT = range(4)
FORWARD = ((DOWN_LEFT, DOWN_RIGHT), (UP_LEFT, UP_RIGHT))
"""By side: the directions of its men."""
ALL_DIRECTIONS = (UP_LEFT, UP_RIGHT, DOWN_LEFT, DOWN_RIGHT)
LAST_ROWS = (0xF0000000, 0x0000000F)
"""By side: where its men become kings."""


def _neighbour(square: int, direction: int) -> int:
    """The square next to one in a direction; -1 beyond the edge."""
    row, place = divmod(square, 4)
    column = 2 * place + (row + 1) % 2
    row += -1 if direction in (UP_LEFT, UP_RIGHT) else 1
    column += -1 if direction in (UP_LEFT, DOWN_LEFT) else 1
    return 4 * row + column // 2 if 0 <= row < 8 and 0 <= column < 8 else -1


NEXT = [[_neighbour(square, direction) for direction in ALL_DIRECTIONS] for square in range(32)]


class Pieces(NamedTuple):
    """The pieces of Black and of White, those of them that are kings, who moves (0 Black, 1 White), and the quiet plies."""

    black: int
    white: int
    kings: int
    side: int
    quiet: int


class Checkers(Game):
    """English draughts. A side that cannot move has lost; 80 plies without a capture or a move of a man are a draw.

    Whoever can take must, and goes on taking with the same piece as long as it can, but any capture may be chosen; a man that
    becomes a king stops. Moves are tried in the order of their squares. The noisy moves are the captures, which are forced.
    The estimate is material: 100 for a man, 130 for a king, and a little for men that are far on.
    """

    sides = ("black", "white")
    noisy_is_forced = True
    initial = Pieces(0x00000FFF, 0xFFF00000, 0, 0, 0)

    def moves(self, state: Pieces) -> list[Path]:
        return self.captures(state) or self.steps(state)

    def noisy_moves(self, state: Pieces) -> list[Path]:
        return self.captures(state)

    def steps(self, state: Pieces) -> list[Path]:
        """The moves to a neighbouring square."""
        occupied = state.black | state.white
        return [
            (square, target)
            for square in _squares(self._own(state))
            for target in (NEXT[square][direction] for direction in self._directions(state, square))
            if target >= 0 and not occupied >> target & 1
        ]

    def captures(self, state: Pieces) -> list[Path]:
        """The moves that take: each to its end."""
        theirs = state.white if state.side == 0 else state.black
        found: list[Path] = []
        for square in _squares(self._own(state)):
            empty = ~(state.black | state.white) | 1 << square
            self._go_on_taking((square,), theirs, empty, self._directions(state, square), found)
        return found

    def _go_on_taking(self, path: Path, theirs: int, empty: int, directions: tuple[int, ...], found: list[Path]) -> None:
        ended = True
        for direction in directions:
            over = NEXT[path[-1]][direction]
            target = NEXT[over][direction] if over >= 0 else -1
            if target >= 0 and theirs >> over & 1 and empty >> target & 1:
                ended = False
                self._go_on_taking((*path, target), theirs & ~(1 << over), empty, directions, found)
        if ended and len(path) > 1:
            found.append(path)

    def play(self, state: Pieces, move: Path) -> Pieces:
        source, target = 1 << move[0], 1 << move[-1]
        taken = 0
        for start, end in pairwise(move):
            if end not in NEXT[start]:
                taken |= 1 << next(over for over in NEXT[start] if over >= 0 and over in NEXT[end])
        own, theirs = (state.black, state.white) if state.side == 0 else (state.white, state.black)
        own, theirs = own & ~source | target, theirs & ~taken
        was_king = bool(state.kings & source)
        kings = state.kings & ~source & ~taken
        if was_king or target & LAST_ROWS[state.side]:
            kings |= target
        quiet = state.quiet + 1 if was_king and not taken else 0
        black, white = (own, theirs) if state.side == 0 else (theirs, own)
        return Pieces(black, white, kings, 1 - state.side, quiet)

    def is_over(self, state: Pieces) -> bool:
        return state.quiet >= QUIET_PLIES_TO_A_DRAW or not self.moves(state)

    def score(self, state: Pieces) -> int:
        return 0 if self.moves(state) else -1

    def evaluate(self, state: Pieces) -> int:
        black = self._material(state.black, state.kings, 0)
        white = self._material(state.white, state.kings, 1)
        return black - white if state.side == 0 else white - black

    def _material(self, pieces: int, kings: int, side: int) -> int:
        men = pieces & ~kings
        advanced = sum(square // 4 if side == 0 else 7 - square // 4 for square in _squares(men))
        return MAN * men.bit_count() + KING * (pieces & kings).bit_count() + advanced

    def _own(self, state: Pieces) -> int:
        return state.black if state.side == 0 else state.white

    def _directions(self, state: Pieces, square: int) -> tuple[int, ...]:
        return ALL_DIRECTIONS if state.kings >> square & 1 else FORWARD[state.side]

    def order(self, state: Pieces, move: Path) -> int:
        """Long captures first, then moves to the last row."""
        return 10 * len(move) + (1 << move[-1] & LAST_ROWS[state.side] != 0)

    def side_to_move(self, state: Pieces) -> int:
        return state.side

    def format_move(self, state: Pieces, move: Path) -> str:
        del state
        return ("-" if move[1] in NEXT[move[0]] else "x").join(str(square + 1) for square in move)

    def format(self, state: Pieces) -> str:
        def listed(pieces: int) -> str:
            return ",".join(f"{'K' if state.kings >> square & 1 else ''}{square + 1}" for square in _squares(pieces))

        quiet = f":H{state.quiet}" if state.quiet else ""
        return f"{'BW'[state.side]}:W{listed(state.white)}:B{listed(state.black)}{quiet}"

    def draw(self, state: Pieces) -> str:
        """The board with b and w for men, B and W for kings, and a dot for dark squares that are empty."""

        def cell(row: int, column: int) -> str:
            if (row + column) % 2 == 0:
                return " "
            square = 4 * row + column // 2
            king = state.kings >> square & 1
            return "bB"[king] if state.black >> square & 1 else "wW"[king] if state.white >> square & 1 else "."

        return draw_board(write_rows(8, 8, cell))

    def parse(self, text: str) -> Pieces:
        """A FEN of draughts, or the moves played; raises InputError for what is neither."""
        if ":" not in text:
            return super().parse(text)  # type: ignore[no-any-return]
        match = re.fullmatch(r"\s*([BW]):([BW])([\dK,]*):([BW])([\dK,]*)(?::H(\d{1,3}))?\.?\s*", text.upper())
        if match is None or match[2] == match[4]:
            raise InputError(f"the position {text!r} cannot be read; write such as {self.format(self.initial)!r}")
        squares: dict[str, int] = {}
        kings = taken = 0
        for side, listed in ((match[2], match[3]), (match[4], match[5])):
            squares[side] = 0
            for word in filter(None, listed.split(",")):
                number = word.removeprefix("K")
                if not number.isdecimal() or not 1 <= int(number) <= 32 or taken >> int(number) - 1 & 1:
                    raise InputError(
                        f"the position {text!r} has the square {word!r}; write each of 1 .. 32 once, K before kings"
                    )
                bit = 1 << int(number) - 1
                taken |= bit
                squares[side] |= bit
                kings |= bit if word.startswith("K") else 0
        return Pieces(squares["B"], squares["W"], kings, "BW".index(match[1]), int(match[6] or 0))


def _squares(pieces: int) -> list[int]:
    """The squares of a bitboard, the lowest first."""
    found = []
    while pieces:
        lowest = pieces & -pieces
        found.append(lowest.bit_length() - 1)
        pieces ^= lowest
    return found
