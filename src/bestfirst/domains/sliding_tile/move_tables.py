"""The moves of a board as arrays, made once for all puzzles of the same size, goal and order of moves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from bestfirst.domains.sliding_tile.rules import neighbour
from bestfirst.words import signed

MOST_KEPT = 32
"""The number of arrays of each kind that are kept; those of a board of 64 cells take 300 KB."""


class MoveTables(NamedTuple):
    """target: for each cell of the blank and action, the new cell of the blank, or -1. nearer: for these and each moving
    tile, the change of its distance from home. legal: for each cell of the blank, the actions as bits."""

    target: Any
    nearer: Any
    legal: Any


@lru_cache(MOST_KEPT)
def move_tables(size: tuple[int, int], moves: str, home: Sequence[Sequence[int]]) -> MoveTables:
    """The arrays of a board. home: for each cell, by tile, the tile's distance from its goal cell."""
    cells = size[0] * size[1]
    target = np.full((cells, 4), -1, np.int64)
    nearer = np.zeros((cells, 4, 16 if cells <= 16 else 64), np.int8)
    for blank in range(cells):
        for action, letter in enumerate(moves):
            cell = neighbour(size, blank, letter)
            if cell is not None:
                target[blank, action] = cell
                for tile in range(1, cells):
                    nearer[blank, action, tile] = home[blank][tile] - home[cell][tile]
    legal = ((target >= 0) << np.arange(4)).sum(axis=1)
    return MoveTables(*map(_shared, (target, nearer, legal)))


@lru_cache(MOST_KEPT)
def exchanges(size: tuple[int, int], moves: str) -> Any:
    """The change of a board of up to 16 cells, of 4 bits each, by a move, for exclusive or: by blank, action and tile."""
    cells = size[0] * size[1]
    change = np.zeros((cells, 4, 16), np.int64)
    for blank in range(cells):
        for action, letter in enumerate(moves):
            cell = neighbour(size, blank, letter)
            if cell is not None:
                change[blank, action] = [signed((tile << 4 * blank) ^ (tile << 4 * cell)) for tile in range(16)]
    return _shared(change)


@lru_cache(MOST_KEPT)
def tiles_away(size: tuple[int, int], moves: str, home: Sequence[Sequence[int]]) -> Any:
    """The tiles of a board of up to 16 cells that a move takes away from home, as bits, by blank and action.

    Each other tile comes nearer. Code that has these few numbers as constants reads no table of distances.
    """
    nearer = move_tables(size, moves, home).nearer
    return _shared(((nearer > 0) << np.arange(nearer.shape[2])).sum(axis=2).astype(np.uint16))


def _shared(array: Any) -> Any:
    """An array that nobody can change."""
    array.flags.writeable = False
    return array
