"""The sliding-tile puzzle in a compilable form whose states carry the values of its pattern databases.

A move moves one tile, so only the pattern of that tile is looked up again: one on the board, and one on the mirrored board.
A state is twenty ints:

    board0 .. board2        by cell, its tile: 5 bits each, 12 cells in a word
    blank                   the cell without a tile
    pattern0 .. pattern6    for each pattern, the cells of its tiles on the board of its table, and its value; see below
    mirror0 .. mirror6      the same for the patterns of the mirrored board; 0 without any
    total, mirrored         the sum of the values; and that of the mirrored board's

    +-------+-------------+--------------+
    | value | permutation | set of cells |    the word of a pattern, see cell_sets.py: 8 bits, as few as will do,
    +-------+-------------+--------------+    and a bit for each cell of the board

The value of a pattern with a packed table is kept without the Manhattan distance of its tiles, which is only in the sums.

So an entry of a table is found in few steps, with lookups in small tables. None of them branches on the number of the
pattern, which is unpredictable: a mispredicted branch takes longer than a few redundant moves. For the same
reason all tables are one array (joined_tables.py). Parts that a puzzle does not need are not compiled: see fixed, and bits.
Source: Korf & Felner 2002.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from itertools import accumulate
from math import factorial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from bestfirst.domains.sliding_tile.abstract import block_numbers
from bestfirst.domains.sliding_tile.cell_sets import SetNumbers, shifted_orders
from bestfirst.domains.sliding_tile.estimate import MOST_PATTERNS, NO_WAY, UNREACHED
from bestfirst.domains.sliding_tile.packed import Tiles, board_words, changes_of_words
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.patterns.storage.joined_tables import joined

if TYPE_CHECKING:
    from bestfirst.domains.sliding_tile.estimate import TileEstimate
    from bestfirst.domains.sliding_tile.partitions import Shape
    from bestfirst.domains.sliding_tile.rules import Board, TileRules

WORDS = 3
WIDTH = 5
MIRRORED = 64
"""The offset of the mirrored board's tiles in arrays indexed by tile."""
_VALUE_BITS = 8
_TOTAL_BITS = 12
"""The number of bits of a sum of values."""
PLACES = (1 << 47) - 1
"""Larger than any index in a table. The mask tells the compiler that an index is not negative, which saves a check."""
_CELLS = 32
_CELLS_IN_WORD = 12
_Parts: TypeAlias = Mapping[Any, int]


class PatternedTiles(Tiles):
    """A puzzle of up to 30 cells with pattern databases.

    place: for each move of the blank, the cell it goes to, and from bit 5 on that cell's position in its board word; -1 if
    there is no such move.
    closer: for each move of the blank and each tile, the change of the tile's Manhattan distance.
    Data of a lookup, indexed by tile, or tile + 64 for the mirrored board: masks, eight words, all ones in the position of
    the tile's pattern; frame, for each cell, the cell on the board of the table; first, the offset of the table; facts,
    eight numbers: the number of tiles of the pattern; the number of permutations; the offsets of its parts in moved (see
    shifted_orders), in start, and in first_block and cell_region (see cell_sets.py and abstract.py); whether the table is
    packed.
    count, orders: the first two of the facts, if all patterns have the same number of tiles; otherwise count is 0. value:
    the position of the value in the word of a pattern.
    """

    class State(NamedTuple):
        """See the module docstring."""

        board0: int
        board1: int
        board2: int
        blank: int
        pattern0: int
        pattern1: int
        pattern2: int
        pattern3: int
        pattern4: int
        pattern5: int
        pattern6: int
        mirror0: int
        mirror1: int
        mirror2: int
        mirror3: int
        mirror4: int
        mirror5: int
        mirror6: int
        total: int
        mirrored: int

    default_heuristic = None
    identity = ("board0", "board1", "board2")
    fixed: Sequence[str] = ("sides", "area", "regions", "packed", "low_bits", "count", "orders", "value")

    def __init__(self, puzzle: TileRules, estimate: TileEstimate, name: str) -> None:
        super().__init__(puzzle)
        self._name, self._estimate = name, estimate
        self.sides = len(estimate.alternatives)
        self.area = len(puzzle.initial)
        self.regions = int(estimate.regions)
        self.packed = int(any(estimate.is_packed.values()))
        self._lay_out_moves()
        self._lay_out_lookups(puzzle.goal)
        self.bits = self._bits()

    def _lay_out_moves(self) -> None:
        target, closer = self.compiled_value("target"), self.compiled_value("nearer").reshape(4 * self.area, -1)
        self.change = changes_of_words(self.area, target, width=WIDTH, words=WORDS).ravel()
        self.closer = np.pad(closer, ((0, 0), (0, MIRRORED - closer.shape[1]))).ravel()
        places = target | WIDTH * (target % _CELLS_IN_WORD) << WIDTH
        self.place = np.where(target < 0, -1, places).astype(np.int16).ravel()

    def _lay_out_lookups(self, goal: Board) -> None:
        self._lay_out_tiles(goal, *self._lay_out_indexes())

    def _lay_out_indexes(self) -> tuple[_Parts, _Parts, _Parts]:
        """The offsets of the parts in moved and in start for each number of tiles, and those in first_block for each size
        and number.

        They are unsigned: compiled code then knows that they are not negative, and skips the check.
        """
        counts = sorted({len(shape.tiles) for shape in self._estimate.tables})
        self.count = counts[0] if len(counts) == 1 else 0
        self.orders = factorial(self.count)
        self.value = self.area + (factorial(counts[-1]) - 1).bit_length()
        numbers = [SetNumbers(self.area, count) for count in counts]
        self.low_bits = numbers[0].low_bits
        self.within = numbers[0].within().astype(np.uint16)
        start, starts = _joined(counts, [one.start() for one in numbers])
        self.start = start.astype(np.uint32)
        moved, moves = _joined(counts, [np.moveaxis(shifted_orders(count), 2, 0).ravel() for count in counts])
        self.moved = moved.astype(np.uint16 if factorial(counts[-1]) <= 1 << 16 else np.uint32)
        kinds = sorted({(shape.size, len(shape.tiles)) for shape in self._estimate.tables}) if self.regions else []
        blocks = [block_numbers(*kind) for kind in kinds]
        first_block, sets = _joined(kinds, [first for first, _ in blocks])
        self.first_block = first_block.astype(np.uint32)
        self.cell_region = _joined(kinds, [region for _, region in blocks])[0].astype(np.uint8)
        return moves, starts, sets

    def _lay_out_tiles(self, goal: Board, moves: _Parts, starts: _Parts, sets: _Parts) -> None:
        self.table, beginnings = joined(self._estimate.files)
        begins = dict(zip(self._estimate.tables, beginnings, strict=True))
        first = np.zeros(2 * MIRRORED, np.int64)
        frame = np.zeros((2 * MIRRORED, _CELLS), np.uint8)
        facts = np.zeros((2 * MIRRORED, 8), np.uint32)
        for side, alternative in enumerate(self._estimate.alternatives):
            for lookup in alternative:
                shape, count = lookup.shape, len(lookup.goals)
                tiles = [MIRRORED * side + goal[cell] for cell in lookup.goals]
                first[tiles] = begins[shape]
                frame[tiles, : self.area] = lookup.frame
                facts[tiles, :4] = count, factorial(count), moves[count], starts[count]
                facts[tiles, 4:6] = sets.get((shape.size, count), 0), self._estimate.is_packed[shape]
        self.first, self.frame, self.facts = first, frame.ravel(), facts.ravel()
        self.masks = self._masks(goal)

    def _masks(self, goal: Board) -> Any:
        """See the docstring of the class."""
        masks = np.zeros((2 * MIRRORED, 8), np.int64)
        for side, alternative in enumerate(self._estimate.alternatives):
            for number, lookup in enumerate(alternative):
                masks[[MIRRORED * side + goal[cell] for cell in lookup.goals], number] = -1
        return masks.ravel()

    def _bits(self) -> dict[str, int]:
        """The number of bits of each field of a state."""
        bits = {f"board{word}": WIDTH * min(12, max(0, self.area - 12 * word)) for word in range(WORDS)}
        bits["blank"] = WIDTH
        for side, (name, total) in enumerate((("pattern", "total"), ("mirror", "mirrored"))):
            patterns = len(self._estimate.alternatives[side]) if side < self.sides else 0
            bits |= {
                f"{name}{number}": self.value + _VALUE_BITS if number < patterns else 0 for number in range(MOST_PATTERNS)
            }
            bits[total] = _TOTAL_BITS if patterns else 0
        return bits

    def started_at(self, puzzle: TileRules) -> PatternedTiles:
        """This form with the start of another puzzle that has the same goal and moves."""
        made = copy(self)
        made._puzzle = puzzle
        made.initial = self.encode(puzzle.initial)
        return made

    def encode(self, board: Board) -> State:
        """The state of a board."""
        cell_of = {tile: cell for cell, tile in enumerate(board)}
        words, totals = [[0] * MOST_PATTERNS, [0] * MOST_PATTERNS], [0, 0]
        found = self._estimate.values(board)
        for side, alternative in enumerate(self._estimate.alternatives):
            for number, pattern in enumerate(alternative):
                cells = [pattern.frame[cell_of[self._puzzle.goal[goal]]] for goal in pattern.goals]
                without = self._left_out(pattern.shape, cells)
                value = int(min(found[side][number] - without, UNREACHED))
                words[side][number] = self._place_of(pattern.shape, cells) | value << self.value
                totals[side] += value + without
        return self.State._make([*board_words(board, WIDTH, WORDS), board.index(0), *words[0], *words[1], *totals])

    def _place_of(self, shape: Shape, cells: Sequence[int]) -> int:
        """The word of a pattern, without its value, for tiles on these cells of the board of its table."""
        del shape
        return sum(1 << cell for cell in cells) | number_of_order(cells) << self.area

    def _left_out(self, shape: Shape, cells: Sequence[int]) -> int:
        """The part of a pattern's value that its word leaves out."""
        return sum(map(shape.distance_home, range(len(cells)), cells)) if self._estimate.is_packed[shape] else 0

    def decode(self, state: State) -> Board:
        words = state[:WORDS]
        return tuple((words[cell // 12] >> WIDTH * (cell % 12)) & 31 for cell in range(self.area))

    def heuristics(self) -> Mapping[str, Heuristic]:
        """The estimate that the states carry."""
        facts = self._estimate.facts
        return {
            self._name: Heuristic(self.estimate, self._name, admissible=True, consistent=facts.consistent, note=facts.note)
        }

    def estimate(self, state: State) -> int:
        """The sum over the patterns, or that of the mirrored board if it is greater, read from the state."""
        return max(state.total, state.mirrored)

    def is_goal(self, state: State) -> bool:
        return state.total == 0

    def backward(self) -> None:
        """None: a backward search would need the tables of a different goal."""
        return

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
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
            facts = of_tile << 3
            word = chosen(self.masks, facts, p0, p1, p2, p3, p4, p5, p6)
            word = word if side == 0 else chosen(self.masks, facts, m0, m1, m2, m3, m4, m5, m6)
            here, there = self.frame[of_tile << 5 | cell], self.frame[of_tile << 5 | blank]
            count = self.count if self.count != 0 else self.facts[facts]
            orders = self.orders if self.count != 0 else self.facts[facts | 1]
            moves = 0 if self.count != 0 else self.facts[facts | 2]
            start = 0 if self.count != 0 else self.facts[facts | 3]
            cells, order = word & ((1 << self.area) - 1), (word >> self.area) & ((1 << self.value - self.area) - 1)
            slot = (cells & ((1 << here) - 1)).bit_count()
            cells = (cells ^ ((1 << here) | (1 << there))) & ((1 << self.area) - 1)
            next_slot = (cells & ((1 << there) - 1)).bit_count()
            order = self.moved[moves + (order * count + slot) * count + next_slot]
            block = self.start[start + (cells >> self.low_bits)] + self.within[cells & ((1 << self.low_bits) - 1)]
            if self.regions != 0:
                of_set = self.facts[facts | 4] + block
                block = self.first_block[of_set] + self.cell_region[of_set * self.area + here]
            entry = block * orders + order
            packed = self.facts[facts | 5] if self.packed != 0 else 0
            value = int(self.table[(self.first[of_tile] & PLACES) + (entry >> packed)])
            closer = 0
            if packed != 0:
                half = (value >> 4 * (entry & 1)) & 15
                value = 2 * half if half < NO_WAY else UNREACHED
                closer = self.closer[move << 6 | tile]
            rise = closer + value - (word >> self.value)
            changed = word ^ (cells | order << self.area | value << self.value)
            if side == 0:
                p0, p1, p2, p3, p4, p5, p6 = with_change(self.masks, facts, changed, p0, p1, p2, p3, p4, p5, p6)
                total += rise
            else:
                m0, m1, m2, m3, m4, m5, m6 = with_change(self.masks, facts, changed, m0, m1, m2, m3, m4, m5, m6)
                mirrored += rise
        change = 3 * (move << 5 | tile)
        board0 = state.board0 ^ self.change[change]
        board1 = state.board1 ^ self.change[change + 1]
        board2 = state.board2 ^ self.change[change + 2]
        following = self.State(
            board0, board1, board2, cell, p0, p1, p2, p3, p4, p5, p6, m0, m1, m2, m3, m4, m5, m6, total, mirrored
        )
        return True, following, 1


def _joined(keys: Sequence[Any], parts: Sequence[Any]) -> tuple[Any, dict[Any, int]]:
    """The parts in one array, and by key the offset of its part."""
    first = dict(zip(keys, accumulate(map(len, parts), initial=0), strict=False))
    return (np.concatenate(parts) if parts else np.zeros(0, np.int32)), first


def chosen(masks: Any, first: int, w0: int, w1: int, w2: int, w3: int, w4: int, w5: int, w6: int) -> int:
    """The one of the seven words whose mask is not 0."""
    word: int = w0 & masks[first] | w1 & masks[first | 1] | w2 & masks[first | 2] | w3 & masks[first | 3]
    word |= w4 & masks[first | 4] | w5 & masks[first | 5] | w6 & masks[first | 6]
    return word


def with_change(
    masks: Any, first: int, change: int, w0: int, w1: int, w2: int, w3: int, w4: int, w5: int, w6: int
) -> tuple[int, int, int, int, int, int, int]:
    """The seven words, with the bits of `change` flipped in the one whose mask is not 0."""
    w0, w1, w2 = w0 ^ change & masks[first], w1 ^ change & masks[first | 1], w2 ^ change & masks[first | 2]
    w3, w4, w5 = w3 ^ change & masks[first | 3], w4 ^ change & masks[first | 4], w5 ^ change & masks[first | 5]
    return w0, w1, w2, w3, w4, w5, w6 ^ change & masks[first | 6]


def number_of_order(cells: Sequence[int]) -> int:
    """The rank of the permutation of tiles on their cells."""
    number = 0
    for place, cell in enumerate(cells):
        number = number * (len(cells) - place) + sum(other < cell for other in cells[place + 1 :])
    return number
