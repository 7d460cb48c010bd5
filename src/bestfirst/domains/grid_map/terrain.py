"""The terrain of a grid: which cells are free, and which steps are legal in each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bestfirst.arguments import check_kind
from bestfirst.errors import InputError

Terrain: TypeAlias = NDArray[np.bool_]
"""Whether each cell is free, by row from the top and column from the left."""

FREE = ".GS"
BLOCKED = "@OTW"
_REMEDY = (
    "write rows of equal length, . for a free cell and @ for a blocked one, or an array of two dimensions, True for free"
)

_FREE, _UNKNOWN = 1, 2
_KIND = np.full(256, _UNKNOWN, np.uint8)  # of each character
_KIND[list(FREE.encode())] = _FREE
_KIND[list(BLOCKED.encode())] = 0


def terrain_of(cells: str | Sequence[str] | NDArray[Any]) -> Terrain:
    """The terrain from lines of text, a list of rows, or an array of bools; raises InputError for anything else."""
    if isinstance(cells, np.ndarray):
        if cells.ndim != 2 or cells.dtype != bool or not cells.size:
            raise InputError(f"the map is an array of shape {cells.shape} and type {cells.dtype}; {_REMEDY}")
        return np.array(cells, order="C")
    check_kind("the map", cells, Iterable, "lines of text, a list of rows, or an array of bools")
    rows = cells.split() if isinstance(cells, str) else list(cells)
    if not all(isinstance(row, str) for row in rows):
        raise InputError(f"the map is {cells!r}; {_REMEDY}")
    if not rows or not rows[0]:
        raise InputError(f"the map is empty; {_REMEDY}")
    return terrain_of_rows(rows, len(rows[0]), lambda row: f"row {row} of the map: ")


def terrain_of_rows(rows: Sequence[str], columns: int, where: Callable[[int], str]) -> Terrain:
    """The terrain from rows of characters; where: returns the location of a row, counted from 0, for messages."""
    for number, row in enumerate(rows):
        if len(row) != columns:
            raise InputError(f"{where(number)}it has {len(row)} cells, but the map is {columns} wide")
    # characters outside Latin-1 become ?, which is not terrain either
    characters = "".join(rows).encode("latin-1", "replace")
    kinds: NDArray[np.uint8] = _KIND[np.frombuffer(characters, np.uint8)].reshape(len(rows), columns)
    unknown = np.argwhere(kinds == _UNKNOWN)
    if len(unknown):
        row, column = unknown[0]
        raise InputError(
            f"{where(int(row))}it has the character {rows[row][column]!r}; cells are {' '.join(FREE)} (free) "
            f"and {' '.join(BLOCKED)} (blocked)"
        )
    free: Terrain = kinds == _FREE
    return free


def legal_steps(terrain: Terrain, steps: Sequence[tuple[int, int]], stride: int) -> NDArray[np.uint8]:
    """The legal steps of each cell as bits, `stride` cells for each row. steps: (to the right, down).

    A step is legal from a free cell to a free cell; a diagonal one must not cut corners: both adjacent cells must be free.
    """
    rows, columns = terrain.shape
    rimmed = np.pad(terrain, 1)

    def shifted(right: int, down: int) -> Terrain:
        return rimmed[1 + down : 1 + down + rows, 1 + right : 1 + right + columns]

    legal = np.zeros((rows, stride), np.uint8)
    for number, (right, down) in enumerate(steps):
        free = terrain & shifted(right, down)
        if right and down:
            free &= shifted(right, 0) & shifted(0, down)
        legal[:, :columns] |= free.astype(np.uint8) << number
    return legal.ravel()
