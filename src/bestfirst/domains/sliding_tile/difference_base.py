"""The Manhattan distance of the tiles of a pattern for each entry of a table: the base of compressed differences.

Every move of a tile of the pattern changes it by 1, so it has the parity of the distance.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np

from bestfirst.domains.sliding_tile.cell_sets import SetNumbers
from bestfirst.domains.sliding_tile.partitions import Size

MANHATTAN = "manhattan"


def distances_home(size: Size, tiles: Sequence[int]) -> Any:
    """The Manhattan distance between a tile of a pattern (given by its goal cell) and a cell, for each pair."""
    rows, columns = np.divmod(np.arange(size[0] * size[1]), size[1])
    goals = np.array(tiles)
    return (np.abs(rows - rows[goals, None]) + np.abs(columns - columns[goals, None])).astype(np.uint8)


class TileBase:
    """The Manhattan distances of the entries of a table; block_sets: the number of each block's set of cells."""

    def __init__(self, size: Size, tiles: Sequence[int], block_sets: Any) -> None:
        self._count = len(tiles)
        self._home = distances_home(size, tiles)
        self._block_sets = block_sets
        self._cells = SetNumbers(size[0] * size[1], self._count).cells_of_sets()
        slots = range(self._count)
        self._last_slots = [
            np.array([slots_so_far[-1] for slots_so_far in permutations(slots, placed + 1)], np.int8) for placed in slots
        ]

    def __call__(self, start: int, end: int) -> Any:
        """The distances of a range of entries."""
        orders = len(self._last_slots[-1])
        first, last = start // orders, -(-end // orders)
        sets, set_of_block = np.unique(self._block_sets[first:last], return_inverse=True)
        base = self._of_sets(self._cells[sets])[set_of_block]
        return base.ravel()[start - first * orders : end - first * orders]

    def _of_sets(self, cells: Any) -> Any:
        """The distances for each set of cells and order: each tile in turn is placed on one of the remaining slots, in the
        order of permutations."""
        sums = np.zeros((len(cells), 1), np.uint8)
        for placed, (home, last_slots) in enumerate(zip(self._home, self._last_slots, strict=True)):
            sums = np.repeat(sums, self._count - placed, axis=1) + home[cells][:, last_slots]
        return sums
