"""The sliding-tile puzzle in compilable forms that carry the values of its pattern databases from state to state.

A move takes one tile, so of all patterns only that of the tile is looked up anew: one on the board, and one on the mirrored board.
A state of a board of up to 16 cells is six ints:

    board, blank     as in packed_tiles.py
    places, mirror   tile by tile, in the order of the patterns, the cell where it lies on the board of the table: 4 bits each;
                     `mirror` is for the patterns of the mirrored board, 0 where there are none
    values, others   the values of the patterns, 8 bits each; `others` are those of the mirrored board

On a board of up to 30 cells, the board takes three words, of 12 cells of 5 bits each, and so do the places of either kind.
Source: Korf & Felner 2002.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from copy import copy
from itertools import accumulate
from math import factorial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bestfirst.domains.cell_sets import SetNumbers
from bestfirst.domains.packed_tiles import Tiles, board_words, changes_of_words
from bestfirst.domains.pattern_tiles import block_numbers
from bestfirst.domains.tile_base import distances_home
from bestfirst.heuristics.heuristic import Heuristic

if TYPE_CHECKING:
    from bestfirst.domains.sliding_tile import Board, SlidingTile
    from bestfirst.domains.tile_databases import TileEstimate
    from bestfirst.domains.tile_partitions import Shape

MOST_TABLES = 6
MOST_PATTERNS = 7
"""On the board, and as many on the mirrored one: the bytes of their values leave the highest one of an int of 64 bits free."""
MOST_NARROW = 16
HOME = 9
"""Tiles of a pattern, at most, of which the distances home are given."""
_WORDS = 3
_MIRRORED = 64
"""Where the tiles of the mirrored board begin in what is given by tile."""
_ONES = 0x0101_0101_0101_0101
"""Times a number of bytes whose sum is below 256: that sum, in the highest byte."""


class PatternedTiles(Tiles):
    """What the forms with pattern databases have in common: the data that a lookup reads.

    By tile, and by tile + 64 for the mirrored board: lookup, the number of its pattern (those of the mirrored board come after
    those of the board); shift and word, where its place is kept.
    By pattern: first and count, where its places begin and how many they are; orders, count!; table, which one it is looked up in;
    packed, whether that has 4 bits for an entry; home, by tile and cell, the Manhattan distance; value, the bits of its value;
    frame, by cell, where that lies on the board of the table; and where its parts of start (half) and of first_block and
    cell_region (sets) begin (see cell_sets.py and pattern_tiles.py).
    """

    default_heuristic = None
    table0: Any
    table1: Any
    table2: Any
    table3: Any
    table4: Any
    table5: Any

    def __init__(self, puzzle: SlidingTile, estimate: TileEstimate, name: str, *, width: int) -> None:
        super().__init__(puzzle)
        self._name, self._estimate = name, estimate
        alternatives = estimate.alternatives
        self.sides = len(alternatives)
        self.area = len(puzzle.initial)
        self.regions = int(estimate.regions)
        self.cell = self.data("target").ravel()
        self._place_tiles(puzzle.goal, width)
        patterns = [lookup for alternative in alternatives for lookup in alternative]
        shapes = [lookup.shape for lookup in patterns]
        self.count = np.array([len(lookup.goals) for lookup in patterns])
        self.orders = np.array([factorial(len(lookup.goals)) for lookup in patterns])
        self.value = np.array([8 * place for alternative in alternatives for place in range(len(alternative))])
        self.frame = np.array([cell for lookup in patterns for cell in lookup.frame])
        self._number_sets(shapes)
        self._take_tables(estimate, shapes)

    def _take_tables(self, estimate: TileEstimate, shapes: Sequence[Shape]) -> None:
        order = list(estimate.tables)
        self.table = np.array([order.index(shape) for shape in shapes])
        self.packed = np.array([int(estimate.is_packed[shape]) for shape in shapes])
        home = np.zeros((len(shapes), HOME, self.area), np.int64)
        for number, shape in enumerate(shapes):
            home[number, : len(shape.tiles)] = distances_home(shape.size, shape.tiles)
        self.home = home.ravel()
        nothing = np.zeros(1, np.uint8)
        nothing.flags.writeable = False  # as those tables are that are mapped into memory
        for number in range(MOST_TABLES):
            table = estimate.tables[order[number]] if number < len(order) else nothing
            setattr(self, f"table{number}", getattr(table, "content", table))

    def _place_tiles(self, goal: Board, width: int) -> None:
        lookup, shift, word = (np.zeros(2 * _MIRRORED, np.int64) for _ in range(3))
        first: list[int] = []
        for side, alternative in enumerate(self._estimate.alternatives):
            place = 0
            for pattern in alternative:
                if place % 60 + width * len(pattern.goals) > 60:
                    place += 60 - place % 60
                for cell in pattern.goals:
                    tile = _MIRRORED * side + goal[cell]
                    lookup[tile], word[tile], shift[tile] = len(first), place // 60, place % 60
                    place += width
                first.append((place - width * len(pattern.goals)) % 60)
        self.lookup, self.shift, self.word, self.first = lookup, shift, word, np.array(first)

    def _number_sets(self, shapes: Sequence[Shape]) -> None:
        numbers = [SetNumbers(self.area, len(shape.tiles)) for shape in shapes]
        self.low_bits = numbers[0].low_bits
        self.low_mask = (1 << self.low_bits) - 1
        self.half = np.arange(len(shapes)) << (self.area - self.low_bits)
        self.start = np.concatenate([one.start() for one in numbers])
        self.within = numbers[0].within()
        nothing = np.zeros(0, np.int32), np.zeros(0, np.int8)
        blocks = [block_numbers(shape.size, len(shape.tiles)) if self.regions else nothing for shape in shapes]
        self.sets = np.array([0, *accumulate(len(first) for first, _ in blocks)][:-1])
        self.first_block = np.concatenate([first for first, _ in blocks])
        self.cell_region = np.concatenate([region for _, region in blocks])

    @abstractmethod
    def encode(self, board: Board) -> Any:
        """The state of a board."""

    def started_at(self, puzzle: SlidingTile) -> PatternedTiles:
        """The form of another puzzle with the same goal and moves."""
        made = copy(self)
        made._puzzle = puzzle
        made.initial = self.encode(puzzle.initial)
        return made

    def _start(self, board: Board) -> tuple[list[list[int]], list[int]]:
        """The words of the places and the values of the patterns; of the board, and of the mirrored one."""
        cell_of = {tile: cell for cell, tile in enumerate(board)}
        words, values = [[0] * _WORDS, [0] * _WORDS], [0, 0]
        for side, alternative in enumerate(self._estimate.alternatives):
            for pattern in alternative:
                for goal in pattern.goals:
                    tile = self._puzzle.goal[goal]
                    at = _MIRRORED * side + tile
                    words[side][self.word[at]] |= pattern.frame[cell_of[tile]] << self.shift[at]
            values[side] = sum(
                int(min(value, 255)) << 8 * place for place, value in enumerate(self._estimate.values(board)[side])
            )
        return words, values

    def heuristics(self) -> Mapping[str, Heuristic]:
        """The estimate that the states carry."""
        facts = self._estimate.facts
        return {
            self._name: Heuristic(self.estimate, self._name, admissible=True, consistent=facts.consistent, note=facts.note)
        }

    def estimate(self, state: Any) -> int:
        """The sum over the patterns, or that of the mirrored board if it is greater, read from the state."""
        return max(((state.values * _ONES) >> 56) & 255, ((state.others * _ONES) >> 56) & 255)  # type: ignore[no-any-return]

    def is_goal(self, state: Any) -> bool:
        return state.values == 0  # type: ignore[no-any-return]

    def backward(self) -> None:
        """There is none: the other way round, the tables would have to be those of another goal."""
        return


class NarrowPatternedTiles(PatternedTiles):
    """A puzzle of up to 16 cells with pattern databases."""

    class State(NamedTuple):
        """See the head of the module."""

        board: int
        blank: int
        places: int
        mirror: int
        values: int
        others: int

    identity = ("board",)

    def __init__(self, puzzle: SlidingTile, estimate: TileEstimate, name: str) -> None:
        super().__init__(puzzle, estimate, name, width=4)
        self.change = changes_of_words(self.area, self.data("target"), width=4, words=1).ravel()
        self.bits = {"blank": 4, "places": 60, "mirror": 60, "values": 56, "others": 56}
        if self.area < MOST_NARROW:
            self.bits["board"] = 4 * self.area

    def encode(self, board: Board) -> State:
        words, values = self._start(board)
        return self.State._make([*board_words(board, 4, 1), board.index(0), words[0][0], words[1][0], *values])

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        blank = state.blank & 15
        move = blank << 2 | action
        cell = self.cell[move]
        if cell < 0:
            return False, state, 1
        tile = (state.board >> (4 * cell)) & 15
        places, mirror, values, others = state.places, state.mirror, state.values, state.others
        for side in range(self.sides):
            at = 64 * side + tile
            number = self.lookup[at]
            here, there = self.frame[number * self.area + cell], self.frame[number * self.area + blank]
            moved = (here ^ there) << self.shift[at]
            if side == 0:
                places ^= moved
                placed = places >> self.first[number]
            else:
                mirror ^= moved
                placed = mirror >> self.first[number]
            count = self.count[number]
            mask = mask_of(placed, count, 4)
            block = self.start[self.half[number] + (mask >> self.low_bits)] + self.within[mask & self.low_mask]
            if self.regions != 0:
                of_set = self.sets[number] + block
                block = self.first_block[of_set] + self.cell_region[of_set * self.area + here]
            entry = block * self.orders[number] + order_of(placed, mask, count, 4)
            packed = self.packed[number]
            value = entry_of(
                self.table[number],
                entry >> packed,
                self.table0,
                self.table1,
                self.table2,
                self.table3,
                self.table4,
                self.table5,
            )
            if packed != 0:
                value = unpacked(value, entry, placed, count, self.home, number * HOME * self.area, self.area, 4)
            bits = self.value[number]
            if side == 0:
                values += (value - ((values >> bits) & 255)) << bits
            else:
                others += (value - ((others >> bits) & 255)) << bits
        return True, self.State(state.board ^ self.change[move << 4 | tile], cell, places, mirror, values, others), 1

    def decode(self, state: State) -> Board:
        return tuple((state.board >> 4 * cell) & 15 for cell in range(self.area))


class WidePatternedTiles(PatternedTiles):
    """A puzzle of 17 to 30 cells with pattern databases."""

    class State(NamedTuple):
        """See the head of the module."""

        board0: int
        board1: int
        board2: int
        blank: int
        places0: int
        places1: int
        places2: int
        mirror0: int
        mirror1: int
        mirror2: int
        values: int
        others: int

    identity = ("board0", "board1", "board2")

    def __init__(self, puzzle: SlidingTile, estimate: TileEstimate, name: str) -> None:
        super().__init__(puzzle, estimate, name, width=5)
        self.change = changes_of_words(self.area, self.data("target"), width=5, words=_WORDS).ravel()
        words_of = [name for name in self.State._fields if name[-1].isdigit()]
        self.bits = {"blank": 5, "values": 56, "others": 56} | dict.fromkeys(words_of, 60)

    def encode(self, board: Board) -> State:
        words, values = self._start(board)
        return self.State._make([*board_words(board, 5, _WORDS), board.index(0), *words[0], *words[1], *values])

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        blank = state.blank & 31
        move = blank << 2 | action
        cell = self.cell[move]
        if cell < 0:
            return False, state, 1
        if cell < 12:
            tile = (state.board0 >> (5 * cell)) & 31
        elif cell < 24:
            tile = (state.board1 >> (5 * cell - 60)) & 31
        else:
            tile = (state.board2 >> (5 * cell - 120)) & 31
        places0, places1, places2 = state.places0, state.places1, state.places2
        mirror0, mirror1, mirror2 = state.mirror0, state.mirror1, state.mirror2
        values, others = state.values, state.others
        for side in range(self.sides):
            at = 64 * side + tile
            number = self.lookup[at]
            here, there = self.frame[number * self.area + cell], self.frame[number * self.area + blank]
            moved = (here ^ there) << self.shift[at]
            word = self.word[at] + 3 * side
            if word == 0:
                places0 ^= moved
                placed = places0
            elif word == 1:
                places1 ^= moved
                placed = places1
            elif word == 2:
                places2 ^= moved
                placed = places2
            elif word == 3:
                mirror0 ^= moved
                placed = mirror0
            elif word == 4:
                mirror1 ^= moved
                placed = mirror1
            else:
                mirror2 ^= moved
                placed = mirror2
            placed >>= self.first[number]
            count = self.count[number]
            mask = mask_of(placed, count, 5)
            block = self.start[self.half[number] + (mask >> self.low_bits)] + self.within[mask & self.low_mask]
            if self.regions != 0:
                of_set = self.sets[number] + block
                block = self.first_block[of_set] + self.cell_region[of_set * self.area + here]
            entry = block * self.orders[number] + order_of(placed, mask, count, 5)
            packed = self.packed[number]
            value = entry_of(
                self.table[number],
                entry >> packed,
                self.table0,
                self.table1,
                self.table2,
                self.table3,
                self.table4,
                self.table5,
            )
            if packed != 0:
                value = unpacked(value, entry, placed, count, self.home, number * HOME * self.area, self.area, 5)
            bits = self.value[number]
            if side == 0:
                values += (value - ((values >> bits) & 255)) << bits
            else:
                others += (value - ((others >> bits) & 255)) << bits
        change = 3 * (move << 5 | tile)
        following = self.State(
            state.board0 ^ self.change[change],
            state.board1 ^ self.change[change + 1],
            state.board2 ^ self.change[change + 2],
            cell,
            places0,
            places1,
            places2,
            mirror0,
            mirror1,
            mirror2,
            values,
            others,
        )
        return True, following, 1

    def decode(self, state: State) -> Board:
        words = state[:_WORDS]
        return tuple((words[cell // 12] >> 5 * (cell % 12)) & 31 for cell in range(self.area))


def entry_of(table: int, entry: int, t0: Any, t1: Any, t2: Any, t3: Any, t4: Any, t5: Any) -> int:
    """An entry of one of the tables, by its number."""
    if table == 0:
        value = t0[entry]
    elif table == 1:
        value = t1[entry]
    elif table == 2:
        value = t2[entry]
    elif table == 3:
        value = t3[entry]
    elif table == 4:
        value = t4[entry]
    else:
        value = t5[entry]
    return value  # type: ignore[no-any-return]


def unpacked(value: int, entry: int, places: int, count: int, home: Any, first: int, area: int, width: int) -> int:
    """The distance from a byte of a packed table: twice the half of it that is the entry's, and the Manhattan distance.

    home: from `first` on, by tile and cell, the distance to the tile's goal cell.
    """
    half = (value >> (4 * (entry & 1))) & 15
    if half == 15:
        return 255
    value = 2 * half
    for _tile in range(count):
        value += home[first + (places & ((1 << width) - 1))]
        places >>= width
        first += area
    return value


def mask_of(places: int, count: int, width: int) -> int:
    """The set of the first `count` places, a bit for each cell."""
    mask = 0
    for _tile in range(count):
        mask |= 1 << (places & ((1 << width) - 1))
        places >>= width
    return mask


def order_of(places: int, mask: int, count: int, width: int) -> int:
    """The number of the permutation in which tiles stand in the cells of a set, from their places."""
    order = 0
    for tile in range(count):
        cell = places & ((1 << width) - 1)
        order = order * (count - tile) + (mask & ((1 << cell) - 1)).bit_count()
        mask &= ~(1 << cell)
        places >>= width
    return order
