"""Partitions of the tiles of a board into the patterns of additive pattern databases, and their symmetries.

A pattern is a tuple of cells, ascending: the goal cells of its tiles. So it serves every goal whose blank is in the same
cell, whatever the labels of the tiles. Rotating or mirroring a board preserves distances, so symmetric patterns share one
table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, combinations, pairwise
from math import perm
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from bestfirst.errors import InputError

Size: TypeAlias = tuple[int, int]
Cells: TypeAlias = tuple[int, ...]
Partition: TypeAlias = tuple[Cells, ...]


MOST_CELLS = 30
MOST_TILES = 9


def _cells(*tiles: int) -> Cells:
    """The goal cells of tiles if the blank is last."""
    return tuple(tile - 1 for tile in tiles)


_KNOWN: Mapping[tuple[Size, Cells], tuple[int, Partition]] = MappingProxyType(
    {
        ((4, 4), (5, 5, 5)): (15, (_cells(1, 2, 3, 4, 7), _cells(5, 6, 9, 10, 13), _cells(8, 11, 12, 14, 15))),
        ((4, 4), (6, 6, 3)): (15, (_cells(1, 5, 6, 9, 10, 13), _cells(7, 8, 11, 12, 14, 15), _cells(2, 3, 4))),
        ((4, 4), (7, 8)): (0, (tuple(range(1, 8)), tuple(range(8, 16)))),
        ((5, 5), (6, 6, 6, 6)): (
            0,
            ((1, 2, 5, 6, 7, 12), (3, 4, 8, 9, 13, 14), (10, 11, 15, 16, 20, 21), (17, 18, 19, 22, 23, 24)),
        ),
    }
)
"""The goal cell of the blank, and the patterns, for each size and numbers of tiles.

Source: Korf & Felner 2002; Felner, Korf & Hanan 2004.
"""


class Symmetry(NamedTuple):
    """A rotation or reflection of the board: the new size, and the new place of each cell."""

    size: Size
    cells: Cells

    def of(self, cells: Sequence[int]) -> Cells:
        """The new cells, ascending."""
        return tuple(sorted(self.cells[cell] for cell in cells))


class Shape(NamedTuple):
    """The canonical representative of symmetric patterns."""

    size: Size
    tiles: Cells
    blank: int

    def distance_home(self, tile: int, cell: int) -> int:
        """The Manhattan distance from home of a tile, by its index in the pattern, in a cell."""
        columns, goal = self.size[1], self.tiles[tile]
        return abs(cell // columns - goal // columns) + abs(cell % columns - goal % columns)


def check_size(size: Size) -> None:
    """Raise InputError for a board that is too large for pattern databases."""
    cells = size[0] * size[1]
    if cells > MOST_CELLS:
        raise InputError(f"a {size[0]}x{size[1]} board has {cells} cells; pattern databases support up to {MOST_CELLS}")


def check_pattern(size: tuple[int, int], tiles: Sequence[int], blank: int) -> None:
    """Raise InputError for an invalid pattern of a board."""
    check_size(size)
    cells = size[0] * size[1]
    places = [*tiles, blank]
    if len(set(places)) < len(places) or not all(0 <= cell < cells for cell in places):
        raise InputError(f"tile cells {list(tiles)} and blank cell {blank} must be distinct and lie in 0 .. {cells - 1}")
    if not 1 <= len(tiles) <= MOST_TILES:
        raise InputError(f"a pattern has {len(tiles)} tiles; use patterns of 1 .. {MOST_TILES} tiles, such as 6-6-6-6")


def known_counts(size: Size) -> list[tuple[int, ...]]:
    """The numbers of tiles in the published partitions of a board."""
    return [counts for known_size, counts in _KNOWN if known_size == size]


def count_entries(size: Size, count: int) -> int:
    """The number of entries of the table of a pattern with this many tiles, without regions of the blank."""
    return perm(size[0] * size[1], count)


def has_one_region(shape: Shape) -> bool:
    """Whether the cells outside the pattern are always connected: a single cell, or a pattern of one tile."""
    cells = shape.size[0] * shape.size[1]
    return len(shape.tiles) == cells - 1 or (len(shape.tiles) == 1 and min(shape.size) > 1)


def symmetries(size: Size) -> list[Symmetry]:
    """The eight rotations and reflections of a board, beginning with the identity."""
    rows, columns = size
    found = []
    for transposed in (False, True):
        for up in (False, True):
            for left in (False, True):
                after = (columns, rows) if transposed else size
                cells = []
                for row in range(rows):
                    for column in range(columns):
                        r, c = (rows - 1 - row if up else row), (columns - 1 - column if left else column)
                        if transposed:
                            r, c = c, r
                        cells.append(r * after[1] + c)
                found.append(Symmetry(after, tuple(cells)))
    return found


def standing_for(size: Size, tiles: Cells, blank: int) -> tuple[Shape, Symmetry]:
    """The canonical shape of a pattern, and the symmetry that maps the board to it: the one with the blank last."""

    def order(symmetry: Symmetry) -> tuple[Size, int, Cells]:
        return symmetry.size, -symmetry.cells[blank], symmetry.of(tiles)

    best = min(symmetries(size), key=order)
    return Shape(best.size, best.of(tiles), best.cells[blank]), best


def partition(size: Size, blank: int, counts: Sequence[int]) -> Partition:
    """Patterns with these numbers of tiles that cover all cells except the blank's: published ones, or compact ones.

    Raises InputError if the numbers do not add up to the board's tiles.
    """
    tiles = size[0] * size[1] - 1
    given = "-".join(map(str, counts))
    if min(counts, default=1) < 1:
        raise InputError(f"patterns of {given} tiles: each pattern needs at least one tile; {_remedy(size)}")
    if sum(counts) != tiles:
        raise InputError(
            f"patterns of {given} tiles do not add up to the {tiles} tiles of a {size[0]}x{size[1]} board; {_remedy(size)}"
        )
    known = _KNOWN.get((size, tuple(counts)))
    if known is not None:
        known_blank, patterns = known
        for symmetry in symmetries(size):
            if symmetry.size == size and symmetry.cells[known_blank] == blank:
                return tuple(symmetry.of(pattern) for pattern in patterns)
    return _compact(size, blank, counts)


def mirrored(size: Size, blank: int, patterns: Partition) -> Partition | None:
    """The same patterns on the board mirrored so that the goal cell of the blank stays; None if they are the same.

    The value of the mirrored board is a lower bound too, and often a larger one.
    Source: Culberson & Schaeffer 1998; Korf & Felner 2002.
    """
    for symmetry in symmetries(size)[1:]:
        if symmetry.size == size and symmetry.cells[blank] == blank:
            others = tuple(symmetry.of(pattern) for pattern in patterns)
            if set(others) != set(patterns):
                return others
    return None


def usual_counts(size: Size, most: int) -> tuple[int, ...]:
    """The fewest patterns of at most `most` tiles, of about equal size."""
    tiles = size[0] * size[1] - 1
    parts = -(-tiles // most)
    return tuple(tiles // parts + (part < tiles % parts) for part in range(parts))


def _remedy(size: Size) -> str:
    tiles = size[0] * size[1] - 1
    return f"write positive numbers with the sum {tiles}, such as {'-'.join(map(str, usual_counts(size, 6)))}"


def _compact(size: Size, blank: int, counts: Sequence[int]) -> Partition:
    """Patterns of nearby cells: cut the board along its rows and its columns, then exchange cells."""
    rows, columns = size
    along_rows = [
        row * columns + (column if row % 2 == 0 else columns - 1 - column)
        for row in range(rows)
        for column in range(columns)
    ]
    along_columns = [
        (row if column % 2 == 0 else rows - 1 - row) * columns + column for column in range(columns) for row in range(rows)
    ]
    starts = [0, *accumulate(counts)]
    candidates = []
    for snake in (along_rows, along_columns):
        cells = [cell for cell in snake if cell != blank]
        candidates.append(_exchanged(columns, [cells[start:end] for start, end in pairwise(starts)]))
    best = min(candidates, key=lambda parts: sum(_spread(columns, part) for part in parts))
    return tuple(tuple(sorted(part)) for part in best)


def _exchanged(columns: int, parts: list[list[int]]) -> list[list[int]]:
    """Exchange cells between patterns as long as that makes them more compact."""
    improved = True
    while improved:
        improved = False
        for one, other in combinations(parts, 2):
            for here in range(len(one)):
                for there in range(len(other)):
                    before = _spread(columns, one) + _spread(columns, other)
                    one[here], other[there] = other[there], one[here]
                    if _spread(columns, one) + _spread(columns, other) < before:
                        improved = True
                    else:
                        one[here], other[there] = other[there], one[here]
    return parts


def _spread(columns: int, cells: Sequence[int]) -> int:
    """The sum of the squared distances between cells."""
    return sum((a // columns - b // columns) ** 2 + (a % columns - b % columns) ** 2 for a, b in combinations(cells, 2))
