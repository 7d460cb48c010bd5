"""Checkers (English draughts) on 8x8: men move forward, kings both ways; captures are compulsory.

A state is three bitboards of the 32 dark squares, the side to move, and the plies since a man moved or a piece was captured.
Square 1 is upper left for White, who sits at the bottom; Black moves first, down the board. Bit n is square n + 1:

          1       2       3       4         black men start on 1 .. 12
      5       6       7       8
          9      10      11      12
     13      14      15      16
         17      18      19      20
     21      22      23      24             white men start on 21 .. 32
         25      26      27      28
     29      30      31      32

A move is the index of a capture, or without captures of a step, in the order of their squares. It is written as the squares
that the piece touches: 11-15 for a step, 15x22x29 for captures. A position is written as the moves played, or as a draughts
FEN: W:W21,22,K30:B1,2,K9, the side to move, then the squares of both sides, K before kings.

Internally, a path is an int: the squares that a piece touches, numbered from 1, 6 bits each, the first lowest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from bestfirst.errors import InputError, shown
from bestfirst.games.domain import GameDomain
from bestfirst.games.rules.boards import write_rows
from bestfirst.tables import table

QUIET_PLIES_TO_A_DRAW = 80
MAN, KING = 100, 130
UP_LEFT, UP_RIGHT, DOWN_LEFT, DOWN_RIGHT = range(4)
"""Black's men go in the last two directions, White's in the first two."""
NONE = -1
"""The number of no square and no move."""


def _neighbour(square: int, direction: int) -> int:
    """The neighbour of a square in a direction; NONE beyond the edge."""
    row, place = divmod(square, 4)
    column = 2 * place + (row + 1) % 2
    row += -1 if direction in (UP_LEFT, UP_RIGHT) else 1
    column += -1 if direction in (UP_LEFT, DOWN_LEFT) else 1
    return 4 * row + column // 2 if 0 <= row < 8 and 0 <= column < 8 else NONE


class Pieces(NamedTuple):
    """The pieces of Black and of White, the kings, the side to move (0 Black, 1 White), and the number of quiet plies."""

    black: int
    white: int
    kings: int
    side: int
    quiet: int


class Checkers(GameDomain):
    """English draughts. A side that cannot move loses; 80 plies without a capture or a move of a man are a draw.

    Captures are compulsory and must be continued with the same piece as long as possible, but any capture may be chosen; a
    man that becomes a king stops. Moves are tried in the order of their squares. The noisy moves are the captures, which are
    forced. The estimate is material: 100 for a man, 130 for a king, and a small bonus for advanced men.
    """

    State = Pieces
    sides = ("black", "white")
    mover_never_loses = True
    noisy_is_forced = True
    frozen_arrays = frozenset({"neighbours"})
    unchecked = True  # squares are masked to 0 .. 31, and paths have six bits for each of at most ten squares
    initial = Pieces(0x00000FFF, 0xFFF00000, 0, 0, 0)

    def __init__(self) -> None:
        self.neighbours: Any = table(_neighbour(square, direction) for square in range(32) for direction in range(4))

    def legal(self, state: Pieces) -> int:
        captures = capture(self.neighbours, state.black, state.white, state.kings, state.side, NONE)
        if captures != 0:
            return (1 << captures) - 1
        return (1 << step(self.neighbours, state.black, state.white, state.kings, state.side, NONE)) - 1

    def noisy(self, state: Pieces) -> int:
        return (1 << capture(self.neighbours, state.black, state.white, state.kings, state.side, NONE)) - 1

    def play(self, state: Pieces, move: int) -> Pieces:
        path = path_of(self.neighbours, state.black, state.white, state.kings, state.side, move)
        source, taken = 1 << (path & 63) - 1, taken_by(self.neighbours, path)
        while path >> 6 != 0:
            path >>= 6
        target = 1 << path - 1
        kings = state.kings & ~source & ~taken
        was_king = state.kings & source != 0
        if was_king or target & (0xF0000000 if state.side == 0 else 0x0000000F) != 0:
            kings |= target
        quiet = state.quiet + 1 if was_king and taken == 0 else 0
        if state.side == 0:
            return Pieces(state.black & ~source | target, state.white & ~taken, kings, 1, quiet)
        return Pieces(state.black & ~taken, state.white & ~source | target, kings, 0, quiet)

    def is_over(self, state: Pieces) -> bool:
        return state.quiet >= QUIET_PLIES_TO_A_DRAW or (
            path_of(self.neighbours, state.black, state.white, state.kings, state.side, 0) == 0
        )

    def score(self, state: Pieces) -> int:
        return -1 if path_of(self.neighbours, state.black, state.white, state.kings, state.side, 0) == 0 else 0

    def evaluate(self, state: Pieces) -> int:
        ahead = material(state.black, state.kings, 0) - material(state.white, state.kings, 1)
        return ahead if state.side == 0 else -ahead

    def order(self, state: Pieces, move: int) -> int:
        """Long captures first, then moves to the last row."""
        path, touched = path_of(self.neighbours, state.black, state.white, state.kings, state.side, move), 1
        while path >> 6 != 0:
            path >>= 6
            touched += 1
        is_last = path > 28 if state.side == 0 else path <= 4
        return 10 * touched + (1 if is_last else 0)

    def side_to_move(self, state: Pieces) -> int:
        return state.side

    def format_move(self, state: Pieces, move: int) -> str:
        path = path_of(self.neighbours, state.black, state.white, state.kings, state.side, move)
        return _written(path, "-" if taken_by(self.neighbours, path) == 0 else "x")

    def why_illegal(self, state: Pieces, text: str) -> str | None:
        pieces = self.neighbours, state.black, state.white, state.kings, state.side
        captures = [_written(capture(*pieces, number), "x") for number in range(capture(*pieces, NONE))]
        if "x" in text and any(name.startswith(f"{text}x") for name in captures):
            return "a capture must be continued as long as possible"
        steps = [_written(step(*pieces, number), "-") for number in range(step(*pieces, NONE))]
        return "captures are compulsory" if captures and text in steps else None

    def format(self, state: Pieces) -> str:
        def listed(pieces: int) -> str:
            return ",".join(f"{'K' if state.kings >> square & 1 else ''}{square + 1}" for square in _squares(pieces))

        quiet = f":H{state.quiet}" if state.quiet else ""
        return f"{'BW'[state.side]}:W{listed(state.white)}:B{listed(state.black)}{quiet}"

    def draw(self, state: Pieces) -> str:
        """The dark squares with their numbers: b and w for men, B and W for kings, a dot for an empty square."""

        def cell(row: int, column: int) -> str:
            if (row + column) % 2 == 0:
                return "    "
            square = 4 * row + column // 2
            king = state.kings >> square & 1
            piece = "bB"[king] if state.black >> square & 1 else "wW"[king] if state.white >> square & 1 else "."
            return f"{square + 1:>3}{piece}"

        return "\n".join(row.rstrip() for row in write_rows(8, 8, cell))

    def parse(self, text: str) -> Pieces:
        """Read a draughts FEN, or the moves played; raises InputError for anything else."""
        if ":" not in text:
            return super().parse(text)  # type: ignore[no-any-return]
        match = re.fullmatch(r"\s*([BW]):([BW])([\dK,]*):([BW])([\dK,]*)(?::H(\d{1,3}))?\.?\s*", text.upper())
        if match is None or match[2] == match[4]:
            raise InputError(
                f"the position {shown(text)} cannot be read; write a position such as {self.format(self.initial)!r}"
            )
        squares: dict[str, int] = {}
        kings = taken = 0
        for side, listed in ((match[2], match[3]), (match[4], match[5])):
            squares[side] = 0
            for word in filter(None, listed.split(",")):
                number = word.removeprefix("K")
                if not number.isdecimal() or not 1 <= int(number) <= 32 or taken >> int(number) - 1 & 1:
                    raise InputError(
                        f"the position {shown(text)} has the square {shown(word)}; write squares 1 .. 32, each at most once, "
                        "and K before a king's square"
                    )
                bit = 1 << int(number) - 1
                taken |= bit
                squares[side] |= bit
                kings |= bit if word.startswith("K") else 0
        return Pieces(squares["B"], squares["W"], kings, "BW".index(match[1]), int(match[6] or 0))


def _written(path: int, mark: str) -> str:
    """The squares of a path, separated by a mark."""
    squares = []
    while path != 0:
        squares.append(str(path & 63))
        path >>= 6
    return mark.join(squares)


def _squares(pieces: int) -> list[int]:
    """The squares of a bitboard, lowest first."""
    found = []
    while pieces:
        lowest = pieces & -pieces
        found.append(lowest.bit_length() - 1)
        pieces ^= lowest
    return found


def path_of(neighbours: Sequence[int], black: int, white: int, kings: int, side: int, number: int) -> int:
    """The path of move `number`; 0 if there are too few."""
    path = capture(neighbours, black, white, kings, side, number)
    if path != 0 or (number > 0 and capture(neighbours, black, white, kings, side, 0) != 0):
        return path
    return step(neighbours, black, white, kings, side, number)


def step(neighbours: Sequence[int], black: int, white: int, kings: int, side: int, number: int) -> int:
    """The path of step `number` to a neighbouring square, or 0 if there are too few; if it is NONE, how many there are."""
    found, left = 0, black if side == 0 else white
    while left != 0:
        square = ((left & -left) - 1).bit_count()
        left &= left - 1
        is_king = kings >> square & 1 != 0
        for direction in range(0 if is_king or side == 1 else 2, 4 if is_king or side == 0 else 2):
            target = neighbours[4 * square + direction]
            if target >= 0 and (black | white) >> target & 1 == 0:
                if found == number:
                    return square + 1 | target + 1 << 6
                found += 1
    return found if number < 0 else 0


def capture(neighbours: Sequence[int], black: int, white: int, kings: int, side: int, number: int) -> int:
    """The path of complete capture `number`, or 0 if there are too few; if it is NONE, how many there are.

    A depth-first search: `turns` has the direction to try next for each jump of the path, in 3 bits, and `leads_on` a bit
    that says whether another jump follows.
    """
    found, left = 0, black if side == 0 else white
    while left != 0:
        start = ((left & -left) - 1).bit_count()
        left &= left - 1
        is_king = kings >> start & 1 != 0
        first, end = 0 if is_king or side == 1 else 2, 4 if is_king or side == 0 else 2
        theirs, taken = white if side == 0 else black, 0
        occupied = (black | white) & ~(1 << start)
        square, path, jumps, turns, leads_on = start, start + 1, 0, first, 0
        while jumps >= 0:
            direction = turns >> 3 * jumps & 7
            if direction < end:
                turns += 1 << 3 * jumps
                over = neighbours[4 * square + direction]
                if over >= 0 and theirs & ~taken & 1 << over != 0:
                    target = neighbours[4 * over + direction]
                    if target >= 0 and occupied & 1 << target == 0:
                        leads_on |= 1 << jumps
                        jumps += 1
                        taken |= 1 << over
                        path |= target + 1 << 6 * jumps
                        turns = turns & (1 << 3 * jumps) - 1 | first << 3 * jumps
                        leads_on &= ~(1 << jumps)
                        square = target
                continue
            if jumps > 0 and leads_on >> jumps & 1 == 0:
                if found == number:
                    return path
                found += 1
            path &= (1 << 6 * jumps) - 1
            jumps -= 1
            if jumps >= 0:
                square = (path >> 6 * jumps & 63) - 1
                taken &= ~(1 << neighbours[4 * square + (turns >> 3 * jumps & 7) - 1])
    return found if number < 0 else 0


def taken_by(neighbours: Sequence[int], path: int) -> int:
    """The pieces that a path jumps over."""
    taken = 0
    while path >> 6 != 0:
        square, target = (path & 63) - 1, (path >> 6 & 63) - 1
        path >>= 6
        for direction in range(4):
            over = neighbours[4 * square + direction]
            if over >= 0 and neighbours[4 * over + direction] == target:
                taken |= 1 << over
    return taken


def material(pieces: int, kings: int, side: int) -> int:
    """The material value of pieces for their side."""
    men = pieces & ~kings
    worth = MAN * men.bit_count() + KING * (pieces & kings).bit_count()
    for row in range(8):
        worth += (men >> 4 * row & 15).bit_count() * (row if side == 0 else 7 - row)
    return worth
