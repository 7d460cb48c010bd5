"""Reads boards of numbered tiles in the usual notations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import isqrt
from typing import TypeAlias

from bestfirst.errors import InputError, counted, shown

BLANKS = ("_", "0")


def read_size(text: str | Sequence[int]) -> tuple[int, int]:
    """(rows, columns) from "3x4" or a pair of ints; raises InputError for anything else."""
    if isinstance(text, str):
        match = re.fullmatch(r"\s*(\d{1,18})\s*[xX*]\s*(\d{1,18})\s*", text)
        pair: Sequence[int] = (int(match[1]), int(match[2])) if match else ()
    else:
        pair = tuple(text) if isinstance(text, Iterable) else ()
    if len(pair) != 2 or not all(isinstance(side, int) and side >= 1 for side in pair):
        raise InputError(f"size is {shown(text)}; write rows x columns, such as 3x4 or (3, 4)")
    return pair[0], pair[1]


def read_board(
    board: str | Sequence[object], size: tuple[int, int] | None = None
) -> tuple[tuple[int, int], tuple[int, ...]]:
    """The size and the tiles, row by row with 0 for the blank, of a board.

    The board is a string ("2 8 3 / 1 6 4 / 7 _ 5", "2 8 3 1 6 4 7 _ 5", "283164705" or the position list
    "[2/1,1/2,1/3,3/3,3/2,3/1,2/2,1/1,2/3]"), a sequence of ints, or a sequence of rows. Rows given by slashes or by nesting
    set the size; otherwise it is the given size, or a square. Raises InputError for an invalid board.
    """
    rows, has_rows = _rows_of_text(board) if isinstance(board, str) else _rows_of_items(board)
    tiles = tuple(tile for row in rows for tile in row)
    if has_rows and tiles:
        if len({len(row) for row in rows}) > 1:
            raise InputError(
                f"the rows of board {shown(board)} have different lengths: {[len(row) for row in rows]}; make them equal"
            )
        found = (len(rows), len(rows[0]))
        if size is not None and size != found:
            raise InputError(
                f"board {shown(board)} has {counted(found[0], 'row')} of {counted(found[1], 'cell')}, but the given size is "
                f"{size[0]}x{size[1]}"
            )
        size = found
    elif size is None:
        side = isqrt(len(tiles))
        if side * side != len(tiles):
            raise InputError(
                f"board {shown(board)} has {len(tiles)} cells, which is not a square number; "
                "pass the size (such as 3x4) or separate the rows by slashes"
            )
        size = (side, side)
    _check_tiles(board, tiles, size)
    return size, tiles


def _check_tiles(board: object, tiles: tuple[int, ...], size: tuple[int, int]) -> None:
    cells = size[0] * size[1]
    if not tiles:
        raise InputError(f"board {shown(board)} is empty; write its tiles row by row, such as 2 8 3 / 1 6 4 / 7 _ 5")
    if len(tiles) != cells:
        raise InputError(f"board {shown(board)} has {counted(len(tiles), 'cell')}; a {size[0]}x{size[1]} board has {cells}")
    if sorted(tiles) != list(range(cells)):
        missing = sorted(set(range(cells)) - set(tiles))
        twice = sorted({tile for tile in tiles if tiles.count(tile) > 1})
        strange = sorted(set(tiles) - set(range(cells)))
        unknown = f"has the unknown tile{'s' * (len(strange) > 1)}"
        faults = [
            f"{what} {', '.join('_' if tile == 0 else str(tile) for tile in which)}"
            for what, which in (("lacks", missing), ("repeats", twice), (unknown, strange))
            if which
        ]
        raise InputError(
            f"board {shown(board)} {' and '.join(faults)}; it must contain each of _, 1 .. {cells - 1} exactly once"
        )


Rows: TypeAlias = tuple[list[list[int]], bool]
"""The rows of a board, and whether they were given as rows; otherwise one list of all cells."""


def _rows_of_items(board: object) -> Rows:
    if not isinstance(board, Iterable):
        raise InputError(f"board is {shown(board)}; write its tiles row by row, such as 2 8 3 / 1 6 4 / 7 _ 5")
    items = list(board)
    if items and all(isinstance(row, Iterable) and not isinstance(row, str) for row in items):
        return [[_tile(cell, board) for cell in row] for row in items], True
    return [[_tile(cell, board) for cell in items]], False


def _rows_of_text(text: str) -> Rows:
    stripped = text.strip()
    if re.fullmatch(r"\[.*\]", stripped, re.DOTALL):
        return _rows_of_positions(stripped), True
    rows = [row.replace(",", " ").split() for row in re.split(r"[/\n]", stripped)]
    if rows[-1] == [] and len(rows) > 1:
        rows.pop()
    if all(len(row) == 1 and len(row[0]) > 1 for row in rows) and _is_compact(rows):
        rows = [list(row[0]) for row in rows]
    return [[_tile(cell, text) for cell in row] for row in rows], len(rows) > 1


def _is_compact(rows: list[list[str]]) -> bool:
    """Whether rows without spaces have one character per cell."""
    return sum(len(row[0]) for row in rows) <= 10 and all(re.fullmatch(r"[\d_]+", row[0]) for row in rows)


def _tile(cell: object, board: object) -> int:
    text = str(cell).strip()
    if text in BLANKS:
        return 0
    if not re.fullmatch(r"\d+", text):
        raise InputError(f"board {shown(board)} has the cell {shown(text)}; a cell is a number, or _ or 0 for the blank")
    return int(text)


def _rows_of_positions(text: str) -> list[list[int]]:
    """The rows of a list of positions X/Y of the blank, tile 1, tile 2, ...: X from the left, Y from the bottom."""
    places: dict[tuple[int, int], int] = {}
    for tile, place in enumerate(text[1:-1].split(",")):
        match = re.fullmatch(r"\s*(\d+)\s*/\s*(\d+)\s*", place)
        if match is None:
            raise InputError(
                f"position {shown(place.strip())} in {shown(text)} is not X/Y; write the column, counted "
                "from the left, and the row, counted from the bottom, such as 1/3"
            )
        spot = (int(match[1]), int(match[2]))
        if spot in places:
            raise InputError(f"position {place.strip()} in {shown(text)} occurs twice; write each position once")
        places[spot] = tile
    columns, rows = max(x for x, _ in places), max(y for _, y in places)
    if len(places) != columns * rows or min(min(spot) for spot in places) < 1:
        raise InputError(
            f"the positions {shown(text)} do not fill a {rows}x{columns} board; write each position once, counted from 1/1"
        )
    return [[places[x, y] for x in range(1, columns + 1)] for y in range(rows, 0, -1)]
