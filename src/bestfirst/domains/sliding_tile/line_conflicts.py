"""The number of tiles that must leave a row or column so that others of that line can pass: a table by content of the line.

A line of up to four cells has 4 bits for each, its first cell lowest: 65,536 contents. The entries of a line begin at its
index times that; the rows come before the columns.
Source: Hansson, Mayer & Yung 1992 (linear conflict); Korf & Taylor 1996 (a table by content of a line).
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from bestfirst.domains.sliding_tile.partitions import Size

LONGEST_LINE = 4
CONTENT_BITS = 4 * LONGEST_LINE


@cache
def line_conflicts(size: Size, goal: tuple[int, ...]) -> Any:
    """How many tiles must leave a line, by line and content, not counting those whose goal is elsewhere."""
    rows, columns = size
    places = {tile: divmod(cell, columns) for cell, tile in enumerate(goal) if tile}
    lines = [{tile: column for tile, (row, column) in places.items() if row == number} for number in range(rows)]
    lines += [{tile: row for tile, (row, column) in places.items() if column == number} for number in range(columns)]
    content = np.arange(1 << CONTENT_BITS)
    tiles = [content >> 4 * cell & 15 for cell in range(LONGEST_LINE)]
    return np.concatenate([_leaving(line, tiles) for line in lines])


def _leaving(goals: dict[int, int], tiles: list[Any]) -> Any:
    """How many tiles must leave a line, for all contents. goals: the places of its own tiles. tiles: the content of each
    cell."""
    place = np.full(16, -1, np.int8)
    for tile, goal in goals.items():
        place[tile] = goal
    here = [place[tile] for tile in tiles]
    staying = np.zeros(len(tiles[0]), np.int8)
    for count in range(1, LONGEST_LINE + 1):
        for cells in combinations(range(LONGEST_LINE), count):
            in_order = here[cells[0]] >= 0
            for one, other in pairwise(cells):
                in_order = in_order & (here[one] < here[other])
            staying[in_order] = count  # counts ascend, so the largest remains
    return sum((one >= 0).astype(np.int8) for one in here) - staying
