"""The terrain of a grid: which cells are free, and which steps are legal in each.

A row is a string of bytes, one for each cell. As an int, in which cell x is byte x, it takes part in operations on all of its
cells at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from bestfirst.arguments import check_kind
from bestfirst.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

Terrain: TypeAlias = list[bytes]
"""For each row, from the top, and each cell in it, from the left: 1 for free, 0 for blocked."""

FREE = ".GS"
BLOCKED = "@OTW"
_REMEDY = (
    "write rows of equal length, with . for a free cell and @ for a blocked one, or a two-dimensional array, True for free"
)
_UNKNOWN = 2
_KIND = bytes(1 if chr(code) in FREE else 0 if chr(code) in BLOCKED else _UNKNOWN for code in range(256))
"""The value of each character."""


def terrain_of(cells: str | Sequence[str] | NDArray[Any] | Terrain) -> Terrain:
    """The terrain from lines of text, a list of rows, or an array of bools; raises InputError for anything else."""
    if hasattr(cells, "ndim"):
        array: Any = cells
        if array.ndim != 2 or array.dtype != bool or not array.size:
            raise InputError(f"the map is an array of shape {array.shape} and type {array.dtype}; {_REMEDY}")
        return [row.tobytes() for row in array]
    check_kind("the map", cells, Iterable, "lines of text, a list of rows, or an array of bools")
    rows: list[Any] = cells.split() if isinstance(cells, str) else list(cells)
    if rows and all(isinstance(row, bytes) for row in rows):
        return rows
    if not all(isinstance(row, str) for row in rows):
        raise InputError(f"the map is {cells!r}; {_REMEDY}")
    if not rows or not rows[0]:
        raise InputError(f"the map is empty; {_REMEDY}")
    return terrain_of_rows(rows, len(rows[0]), lambda row: f"row {row} of the map: ")


def terrain_of_rows(rows: Sequence[str], columns: int, where: Callable[[int], str]) -> Terrain:
    """The terrain from rows of characters; where: returns the location of a row, counted from 0, for messages."""
    for number, row in enumerate(rows):
        if len(row) != columns:
            raise InputError(f"{where(number)}this row has {len(row)} cells, but the map is {columns} wide")
    # characters outside Latin-1 become ?, which is not terrain either
    kinds = [row.encode("latin-1", "replace").translate(_KIND) for row in rows]
    for number, kind in enumerate(kinds):
        if _UNKNOWN in kind:
            raise InputError(
                f"{where(number)}this row has the character {rows[number][kind.index(_UNKNOWN)]!r}; cells are "
                f"{' '.join(FREE)} (free) "
                f"and {' '.join(BLOCKED)} (blocked)"
            )
    return kinds


def legal_steps(terrain: Terrain, steps: Sequence[tuple[int, int]], stride: int) -> bytes:
    """The legal steps of each cell as bits of a byte, `stride` cells for each row. steps: (to the right, down).

    A step is legal from a free cell to a free cell; a diagonal one must not cut corners: both adjacent cells must be free.
    """
    rows = [0, *(int.from_bytes(row, "little") for row in terrain), 0]
    neighbouring = zip(rows, rows[1:], rows[2:], strict=False)
    return b"".join(_legal_in(*three, steps).to_bytes(stride, "little") for three in neighbouring)


def _legal_in(above: int, row: int, below: int, steps: Sequence[tuple[int, int]]) -> int:
    """The legal steps from the cells of a row, in the byte of each."""
    legal = 0
    for number, (right, down) in enumerate(steps):
        there = (row, below, above)[down]
        free = row & _moved(there, right)
        if right and down:
            free &= there & _moved(row, right)
        legal |= free << number
    return legal


def _moved(row: int, right: int) -> int:
    """A row in which each cell has the value of the cell `right` places to its right."""
    return row >> 8 * right if right >= 0 else row << -8 * right
