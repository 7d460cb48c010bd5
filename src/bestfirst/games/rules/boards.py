"""Boards as strings: rows from the top, separated by slashes, one character per cell; and squares such as c4."""

from __future__ import annotations

import re
from collections.abc import Callable

from bestfirst.errors import InputError, counted, shown

LETTERS = "abcdefghijklmnopqrstuvwxyz"
COLUMN_NAMES = "123456789" + LETTERS
"""One character per column, for games that number columns."""
EMPTY = "."


def is_board(text: str, cells: int | None = None) -> bool:
    """Whether a string is a board, not a list of moves. cells: the width of a one-row board, which has no slash."""
    return "/" in text or (len(text.strip()) == cells and set(text.strip().lower()) <= set("xo.-_"))


def read_board(text: str, width: int, height: int, pieces: str) -> dict[tuple[int, int], str]:
    """{(row, column): piece} of a board; rows are numbered from 0 at the top. An empty cell is '.', '-' or '_'.

    Raises InputError for missing or overlong rows, and for other characters.
    """
    rows = [row.strip() for row in text.strip().split("/")]
    if len(rows) != height or any(len(row) != width for row in rows):
        raise InputError(
            f"the board {shown(text)} has rows of {[len(row) for row in rows]} cells; "
            f"write {counted(height, 'row')} of {counted(width, 'cell')}"
            + (", from the top, separated by slashes" if height > 1 else "")
        )
    board = {}
    for row, line in enumerate(rows):
        for column, cell in enumerate(line.lower()):
            if cell in pieces.lower():
                board[row, column] = pieces[pieces.lower().index(cell)]
            elif cell not in ".-_":
                listed = ", ".join([*pieces, EMPTY])
                raise InputError(
                    f"the board {shown(text)} has the cell {shown(line[column])}; write each cell as one of {listed}"
                )
    return board


def write_rows(width: int, height: int, cell: Callable[[int, int], str]) -> list[str]:
    """The rows of a board, from the top, with the characters cell(row, column)."""
    return ["".join(cell(row, column) for column in range(width)) for row in range(height)]


def draw_board(rows: list[str], *, numbered: bool = True) -> str:
    """A board with column names below it and, if numbered, row numbers from the top."""
    margin = f"{len(rows)}"
    lines = [(f"{number:>{len(margin)}} " if numbered else "") + " ".join(row) for number, row in enumerate(rows, start=1)]
    names = " ".join(LETTERS[: len(rows[0])]) if numbered else " ".join(COLUMN_NAMES[: len(rows[0])])
    return "\n".join([*lines, (" " * (len(margin) + 1) if numbered else "") + names])


def square_name(row: int, column: int) -> str:
    """The name of a square: the letter of its column and the number of its row from the top; (0, 2) is c1."""
    return f"{LETTERS[column]}{row + 1}"


def split_squares(text: str) -> list[str]:
    """The squares of a transcript, with or without spaces; anything else is a word of its own."""
    return re.findall(r"[a-zA-Z]\d{1,2}|[^\s,]+?(?=[a-zA-Z]\d|[\s,]|$)", text)
