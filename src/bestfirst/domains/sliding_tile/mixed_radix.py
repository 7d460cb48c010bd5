"""pdb:.../spread: tables spread out in memory, which make searches of the 24-puzzle faster for twice the memory.

Such a spread table has a byte for every assignment of one of n cells to each of the k tiles of its pattern, at the sum of
cell * n^i; bytes for two tiles in one cell are unused. So a move shifts the index by one number, which depends on the
move and the tile only; the tables on disk have no unused bytes, but computing an index takes many steps (see lookups.py).
The tables are expanded when a search begins; for 6 of 25 tiles they take twice the memory.
Source: Korf & Felner 2002, who store their tables in this form.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.domains.sliding_tile.cell_sets import SetNumbers
from bestfirst.domains.sliding_tile.estimate import UNREACHED
from bestfirst.domains.sliding_tile.lookups import MIRRORED, PLACES, PatternedTiles, chosen, with_change
from bestfirst.errors import InputError
from bestfirst.patterns.building.progress import size_text
from bestfirst.patterns.policy import tell
from bestfirst.system.memory import available_bytes

if TYPE_CHECKING:
    from bestfirst.domains.sliding_tile.estimate import TileEstimate
    from bestfirst.domains.sliding_tile.partitions import Shape
    from bestfirst.domains.sliding_tile.rules import Board

SETS_AT_A_TIME = 100
"""The number of sets processed at a time: few, so that their part of the table stays in the processor's cache."""


class SpreadTiles(PatternedTiles):
    """A puzzle of up to 30 cells with pattern databases in mixed radix.

    value: how many low bits of a pattern's word hold its index. table: all spread tables in one array. shift: the change of
    the pattern's index, by blank move and tile (+ 64 for the mirrored board).
    Raises InputError if memory does not suffice.
    """

    fixed: Sequence[str] = ("sides", "area", "value")

    def _lay_out_lookups(self, goal: Board) -> None:
        table, self._begins = spread_tables(self._estimate, self.area)
        self.value = max(1, len(table) - 1).bit_length()
        self.table = table
        self.shift = self._shifts(goal).ravel()
        self.masks = self._masks(goal)

    def _shifts(self, goal: Board) -> Any:
        target = self.compiled_value("target").ravel()
        legal = np.flatnonzero(target >= 0)
        shifts = np.zeros((len(target), 2 * MIRRORED), np.int32)
        for side, alternative in enumerate(self._estimate.alternatives):
            for lookup in alternative:
                frame = np.array(lookup.frame)
                cells = frame[legal >> 2] - frame[target[legal]]  # the tile goes to the former cell of the blank
                for place, cell in enumerate(lookup.goals):
                    shifts[legal, MIRRORED * side + goal[cell]] = cells * self.area**place
        return shifts

    def _place_of(self, shape: Shape, cells: Sequence[int]) -> int:
        within = sum(cell * self.area**place for place, cell in enumerate(cells))
        return int(self._begins[shape] + within)

    def _left_out(self, shape: Shape, cells: Sequence[int]) -> int:
        del shape, cells
        return 0

    def step(self, state: PatternedTiles.State, action: int) -> tuple[bool, PatternedTiles.State, int]:
        blank = state.blank & 31
        move = blank << 2 | action
        place = self.place[move]
        if place < 0:
            return False, state, 1
        cell = place & 31
        board = state.board1 if cell >= 12 else state.board0
        board = state.board2 if cell >= 24 else board
        tile = (board >> (place >> 5)) & 31
        p0, p1, p2, p3 = state.pattern0, state.pattern1, state.pattern2, state.pattern3
        p4, p5, p6 = state.pattern4, state.pattern5, state.pattern6
        m0, m1, m2, m3 = state.mirror0, state.mirror1, state.mirror2, state.mirror3
        m4, m5, m6 = state.mirror4, state.mirror5, state.mirror6
        total, mirrored = state.total, state.mirrored
        for side in range(self.sides):
            of_tile = side << 6 | tile
            mask = of_tile << 3
            word = chosen(self.masks, mask, p0, p1, p2, p3, p4, p5, p6)
            word = word if side == 0 else chosen(self.masks, mask, m0, m1, m2, m3, m4, m5, m6)
            entry = (word & ((1 << self.value) - 1)) + self.shift[move << 7 | of_tile]
            value = int(self.table[entry & PLACES])
            rise = value - (word >> self.value)
            changed = word ^ (entry | value << self.value)
            if side == 0:
                p0, p1, p2, p3, p4, p5, p6 = with_change(self.masks, mask, changed, p0, p1, p2, p3, p4, p5, p6)
                total += rise
            else:
                m0, m1, m2, m3, m4, m5, m6 = with_change(self.masks, mask, changed, m0, m1, m2, m3, m4, m5, m6)
                mirrored += rise
        change = 3 * (move << 5 | tile)
        board0 = state.board0 ^ self.change[change]
        board1 = state.board1 ^ self.change[change + 1]
        board2 = state.board2 ^ self.change[change + 2]
        following = self.State(
            board0, board1, board2, cell, p0, p1, p2, p3, p4, p5, p6, m0, m1, m2, m3, m4, m5, m6, total, mirrored
        )
        return True, following, 1


def spread_tables(estimate: TileEstimate, area: int) -> tuple[Any, dict[Shape, int]]:
    """The tables of an estimate in spread form, in one array, and the offset of each shape's table.

    area: the cells of the board. Raises InputError if memory does not suffice.
    """
    sizes = [area ** len(shape.tiles) for shape in estimate.tables]
    if sum(sizes) > available_bytes():
        raise InputError(
            f"the tables take {size_text(sum(sizes))} of memory in spread form, but only {size_text(int(available_bytes()))} "
            "is available; omit /spread"
        )
    tell(f"expanding {len(sizes)} tables: {size_text(sum(sizes))} of memory")
    *begins, end = accumulate(sizes, initial=0)
    whole = np.empty(end, np.uint8)
    for (shape, table), begin, size in zip(estimate.tables.items(), begins, sizes, strict=True):
        spread(table, area, len(shape.tiles), whole[begin : begin + size])
    return whole, dict(zip(estimate.tables, begins, strict=True))


def spread(table: Any, area: int, count: int, target: Any) -> None:
    """Expand a table of `count` tiles on `area` cells into an array of area^count bytes."""
    sets = SetNumbers(area, count).cells_of_sets()
    slots = np.array(list(permutations(range(count))), np.int64).reshape(-1, count)
    weights = np.zeros((count, len(slots)), np.int64)  # by slot and permutation, the weight of the tile in the slot
    for tile in range(count):
        weights[slots[:, tile], np.arange(len(slots))] = area**tile
    target[:] = UNREACHED
    for first in range(0, len(sets), SETS_AT_A_TIME):
        some = sets[first : first + SETS_AT_A_TIME]
        start, stop = first * len(slots), (first + len(some)) * len(slots)
        entries = table.unpacked(start, stop) if hasattr(table, "unpacked") else table[start:stop]
        target[(some @ weights).ravel()] = entries
