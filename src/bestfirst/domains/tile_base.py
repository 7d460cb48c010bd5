"""The Manhattan distance of the tiles of a pattern, entry by entry of the table: what a compressed table is the difference to.

Every move of a tile of the pattern changes it by 1, so it is even or odd where the distance is.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np

from bestfirst.domains.cell_sets import SetNumbers
from bestfirst.domains.tile_partitions import Size

MANHATTAN = "manhattan"


def distances_home(size: Size, tiles: Sequence[int]) -> Any:
    """By tile of a pattern, given by its goal cell, and by cell: the Manhattan distance between them."""
    rows, columns = np.divmod(np.arange(size[0] * size[1]), size[1])
    goals = np.array(tiles)
    return (np.abs(rows - rows[goals, None]) + np.abs(columns - columns[goals, None])).astype(np.uint8)


class TileBase:
    """The Manhattan distances of the entries of a table; block_sets: by block of it, the number of the set of its cells."""

    def __init__(self, size: Size, tiles: Sequence[int], block_sets: Any) -> None:
        count = len(tiles)
        self._home = distances_home(size, tiles)
        self._block_sets = block_sets
        self._cells = SetNumbers(size[0] * size[1], count).cells_of_sets()
        self._slot_of_tile = np.array(list(permutations(range(count))), np.int8).T.copy()

    def __call__(self, start: int, end: int) -> Any:
        """Those of the entries from one number up to another."""
        orders = self._slot_of_tile.shape[1]
        first, last = start // orders, -(-end // orders)
        cells = self._cells[self._block_sets[first:last]]
        base = np.zeros((last - first, orders), np.uint8)
        for home, slots in zip(self._home, self._slot_of_tile, strict=True):
            base += home[cells][:, slots]
        return base.ravel()[start - first * orders : end - first * orders]
