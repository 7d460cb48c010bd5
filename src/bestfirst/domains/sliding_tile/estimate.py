"""The estimate from pattern databases for a board: the sums over the patterns, each looked up in the table of its shape.

Source: Korf & Felner 2002.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bestfirst.domains.sliding_tile.partitions import Cells, Shape, Size, has_one_region, standing_for

if TYPE_CHECKING:
    from bestfirst.domains.sliding_tile.packed import Tiles
    from bestfirst.domains.sliding_tile.rules import Board

MOST_PATTERNS = 7
"""The maximum number of patterns on the board, and on the mirrored one, of which compiled states can carry the look-ups."""
UNREACHED = 255
NO_WAY = 15
"""The entry of a PackedTable if no goal can be reached."""


class Facts(NamedTuple):
    """The declared properties of an estimate."""

    consistent: bool | None
    note: str


@dataclass(frozen=True)
class Lookup:
    """How to look up a pattern: the shape of its table, and the mapping of the board's cells to it.

    goals: the goal cells of the tiles on the board, in the order of the cells of the shape. frame: for each cell of the
    board, its cell there.
    """

    shape: Shape
    goals: Cells
    frame: Cells

    @classmethod
    def of(cls, size: Size, pattern: Cells, blank: int) -> Lookup:
        """The lookup of a pattern on a board with this goal cell of the blank."""
        shape, symmetry = standing_for(size, pattern, blank)
        return cls(shape, tuple(sorted(pattern, key=lambda cell: symmetry.cells[cell])), symmetry.cells)


def shapes(alternatives: Sequence[Sequence[Lookup]]) -> list[Shape]:
    """The shapes whose tables are needed, each once."""
    return list(dict.fromkeys(lookup.shape for alternative in alternatives for lookup in alternative))


class Index:
    """The index in the table of a shape of a placement of its tiles (see cell_sets.py)."""

    def __init__(self, shape: Shape, *, regions: bool) -> None:
        from bestfirst.domains.sliding_tile.abstract import block_numbers  # noqa: PLC0415
        from bestfirst.domains.sliding_tile.cell_sets import SetNumbers  # noqa: PLC0415  (it imports NumPy)

        self._cells = shape.size[0] * shape.size[1]
        numbers = SetNumbers(self._cells, len(shape.tiles))
        self._low_bits = numbers.low_bits
        self._start, self._within = numbers.start().tolist(), numbers.within().tolist()
        self._blocks: tuple[Any, Any] | None = block_numbers(shape.size, len(shape.tiles)) if regions else None

    def __call__(self, cells: Sequence[int], blank: int) -> int:
        """The entry for tiles in these cells, in the order of the shape's, and the blank."""
        mask = sum(1 << cell for cell in cells)
        number: int = self._start[mask >> self._low_bits] + self._within[mask & ((1 << self._low_bits) - 1)]
        if self._blocks is not None:
            first_block, cell_region = self._blocks
            number = int(first_block[number]) + int(cell_region[number * self._cells + blank])
        for left, cell in zip(range(len(cells), 0, -1), cells, strict=True):
            number = number * left + (mask & ((1 << cell) - 1)).bit_count()
            mask &= ~(1 << cell)
        return number


@cache
def index_of(shape: Shape, *, regions: bool) -> Index:
    """The index of a shape, made once."""
    return Index(shape, regions=regions)


class TileEstimate:
    """The estimate for the boards of a puzzle: the largest, over symmetries, of the sums over the patterns.

    tables: for each shape, the distance of each entry; files: their paths, in the same order; is_packed: whether they are
    PackedTables.
    forms: for each move order, the compilable form that carries the estimate, once made.
    """

    def __init__(
        self,
        goal: Board,
        alternatives: Sequence[Sequence[Lookup]],
        tables: Mapping[Shape, Any],
        files: Sequence[Path],
        *,
        regions: bool,
    ) -> None:
        self.goal, self.alternatives, self.tables, self.files, self.regions = goal, alternatives, tables, files, regions
        self.is_packed = {shape: hasattr(table, "half") for shape, table in tables.items()}
        self._indexes = {shape: index_of(shape, regions=regions) for shape in tables}
        self.forms: dict[str, Tiles | None] = {}

    @property
    def facts(self) -> Facts:
        """It is admissible, since no move is counted in two patterns."""
        if self.regions or all(has_one_region(shape) for shape in self.tables):
            return Facts(True, "no move is counted in two patterns")
        return Facts(
            False,
            "no move is counted in two patterns; but the minimum over the regions of the blank can fall by 3 in one move",
        )

    def values(self, board: Board) -> list[list[float]]:
        """The distance in the table for each alternative and pattern."""
        place = {tile: cell for cell, tile in enumerate(board)}
        return [[self._value(lookup, place) for lookup in alternative] for alternative in self.alternatives]

    def _value(self, lookup: Lookup, place: dict[int, int]) -> float:
        shape = lookup.shape
        cells = [lookup.frame[place[self.goal[goal]]] for goal in lookup.goals]
        entry = self._indexes[shape](cells, lookup.frame[place[0]])
        if self.is_packed[shape]:
            half = self.tables[shape].half(entry)
            return inf if half == NO_WAY else 2 * half + sum(map(shape.distance_home, range(len(cells)), cells))
        value = int(self.tables[shape][entry])
        return inf if value == UNREACHED else value

    def __call__(self, board: Board) -> float:
        return max(sum(values) for values in self.values(board))
