"""The sliding-tile puzzle in a compilable form that carries the values of its pattern databases from state to state.

A move takes one tile, so of all patterns only that of the tile is looked up anew: one on the board, and one on the mirrored board.
A state is twenty ints:

    board0 .. board2        by cell, the tile that is there: 5 bits each, 12 cells in a word
    blank                   the cell without a tile
    pattern0 .. pattern6    of each pattern, where its tiles are on the board of its table: the set of their cells, a bit for each,
                            and from bit 32 on the number of their permutation (see cell_sets.py)
    mirror0 .. mirror6      the same of the patterns of the mirrored board; 0 where there are none
    values, others          the values of the patterns, 8 bits each; `others` are those of the mirrored board

The value of a pattern whose table is packed is given without the Manhattan distance of its tiles; that of the tiles of all such
patterns comes after the values, as if it were that of a pattern.

So the entry of a table is found in few steps, with looks into small tables. None of them is a branch by the number of the pattern:
which pattern it is cannot be foretold, and a branch that is not foreseen takes longer than a few moves that are not needed.
Source: Korf & Felner 2002.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from itertools import accumulate
from math import factorial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bestfirst.domains.cell_sets import SetNumbers, shifted_orders
from bestfirst.domains.packed_tiles import Tiles, board_words, changes_of_words
from bestfirst.domains.pattern_tiles import block_numbers
from bestfirst.heuristics.heuristic import Heuristic

if TYPE_CHECKING:
    from bestfirst.domains.sliding_tile import Board, SlidingTile
    from bestfirst.domains.tile_databases import TileEstimate
    from bestfirst.domains.tile_partitions import Shape

MOST_TABLES = 6
MOST_PATTERNS = 7
"""On the board, and as many on the mirrored one: the bytes of their values leave the highest one of an int of 64 bits free."""
_WORDS = 3
_WIDTH = 5
_MIRRORED = 64
"""Where the tiles of the mirrored board begin in what is given by tile."""
_ORDER = 32
"""Where the number of the permutation begins in the word of a pattern."""
_SET = (1 << _ORDER) - 1
_MOST = (1 << 30) - 1
"""More than any number in the tables. Compiled code, told that an index is not negative, need not look whether it is."""
_CELLS = 32
_ONES = 0x0101_0101_0101_0101
"""Times a number of bytes whose sum is below 256: that sum, in the highest byte."""


class PatternedTiles(Tiles):
    """A puzzle of up to 30 cells with pattern databases.

    What a lookup reads by tile, and by tile + 64 for the mirrored board: pattern, whose lowest three bits are the number of its
    pattern, and the others `which`: the same number, but with the patterns of the mirrored board after those of the board.
    What it reads by `which`: frame, by cell, where that lies on the board of the table; facts, eight numbers: how many tiles; how
    many permutations; where its parts begin of moved (see shifted_orders), of start, and of first_block and cell_region (see
    cell_sets.py and pattern_tiles.py); which table it is looked up in; whether that is packed; and the bits of the distance.
    closer: by move of the blank and tile, the change of the tile's Manhattan distance.
    """

    class State(NamedTuple):
        """See the head of the module."""

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
        values: int
        others: int

    default_heuristic = None
    identity = ("board0", "board1", "board2")
    table0: Any
    table1: Any
    table2: Any
    table3: Any
    table4: Any
    table5: Any

    def __init__(self, puzzle: SlidingTile, estimate: TileEstimate, name: str) -> None:
        super().__init__(puzzle)
        self._name, self._estimate = name, estimate
        self.sides = len(estimate.alternatives)
        self.area = len(puzzle.initial)
        self.regions = int(estimate.regions)
        self.cell = self.data("target").ravel()
        self.change = changes_of_words(self.area, self.data("target"), width=_WIDTH, words=_WORDS).ravel()
        patterns = [lookup for alternative in estimate.alternatives for lookup in alternative]
        self.frame = np.concatenate([np.resize(lookup.frame, _CELLS) for lookup in patterns])
        self._number_patterns(puzzle.goal)
        self._lay_out_facts([lookup.shape for lookup in patterns], list(estimate.tables))
        nothing = np.zeros(1, np.uint8)
        tables = [*(getattr(table, "content", table) for table in estimate.tables.values()), *[nothing] * MOST_TABLES]
        for number in range(MOST_TABLES):
            setattr(self, f"table{number}", tables[number])
        closer = self.data("nearer").reshape(4 * self.area, -1)
        self.closer = np.pad(closer, ((0, 0), (0, _MIRRORED - closer.shape[1]))).ravel()
        self.bits = self._bits()

    def _number_patterns(self, goal: Board) -> None:
        pattern = np.zeros(2 * _MIRRORED, np.uint8)
        which = 0
        for side, alternative in enumerate(self._estimate.alternatives):
            for number, lookup in enumerate(alternative):
                pattern[[_MIRRORED * side + goal[cell] for cell in lookup.goals]] = which << 3 | number
                which += 1
        self.pattern = pattern

    def _lay_out_facts(self, shapes: Sequence[Shape], tables: Sequence[Shape]) -> None:
        counts = sorted({len(shape.tiles) for shape in shapes})
        numbers = [SetNumbers(self.area, count) for count in counts]
        self.low_bits = numbers[0].low_bits
        self.low_mask = (1 << self.low_bits) - 1
        self.within = numbers[0].within()
        self.start, starts = _joined(counts, [one.start() for one in numbers])
        moved, moves = _joined(counts, [shifted_orders(count).ravel() for count in counts])
        self.moved = moved.astype(np.uint16 if factorial(counts[-1]) <= 1 << 16 else np.int32)
        kinds = sorted({(shape.size, len(shape.tiles)) for shape in shapes}) if self.regions else []
        blocks = [block_numbers(*kind) for kind in kinds]
        self.first_block, sets = _joined(kinds, [first for first, _ in blocks])
        self.cell_region, _ = _joined(kinds, [region for _, region in blocks])
        facts = np.zeros((len(shapes), 8), np.int64)
        for which, shape in enumerate(shapes):
            count = len(shape.tiles)
            facts[which, :4] = count, factorial(count), moves[count], starts[count]
            facts[which, 4:7] = sets.get((shape.size, count), 0), tables.index(shape), self._estimate.is_packed[shape]
            facts[which, 7] = 8 * len(shapes) // self.sides
        self.facts = facts.ravel()

    def _bits(self) -> dict[str, int]:
        """By field of a state, its bits."""
        bits = {f"board{word}": _WIDTH * min(12, max(0, self.area - 12 * word)) for word in range(_WORDS)}
        bits["blank"] = _WIDTH
        for side, (name, sums) in enumerate((("pattern", "values"), ("mirror", "others"))):
            counts = [len(one.goals) for one in self._estimate.alternatives[side]] if side < self.sides else []
            orders = [(factorial(count) - 1).bit_length() for count in counts]
            bits |= {f"{name}{number}": 0 for number in range(MOST_PATTERNS)}
            bits |= {f"{name}{number}": _ORDER + order for number, order in enumerate(orders)}
            bits[sums] = 8 * (len(counts) + any(self._estimate.is_packed.values())) if counts else 0
        return bits

    def started_at(self, puzzle: SlidingTile) -> PatternedTiles:
        """The form of another puzzle with the same goal and moves."""
        made = copy(self)
        made._puzzle = puzzle
        made.initial = self.encode(puzzle.initial)
        return made

    def encode(self, board: Board) -> State:
        """The state of a board."""
        cell_of = {tile: cell for cell, tile in enumerate(board)}
        words, values = [[0] * MOST_PATTERNS, [0] * MOST_PATTERNS], [0, 0]
        found = self._estimate.values(board)
        for side, alternative in enumerate(self._estimate.alternatives):
            for number, pattern in enumerate(alternative):
                cells = [pattern.frame[cell_of[self._puzzle.goal[goal]]] for goal in pattern.goals]
                words[side][number] = sum(1 << cell for cell in cells) | number_of_order(cells) << _ORDER
                home = sum(map(pattern.shape.distance_home, range(len(cells)), cells))
                without = home if self._estimate.is_packed[pattern.shape] else 0
                values[side] += int(min(found[side][number] - without, 255)) << 8 * number
                values[side] += without << 8 * len(alternative)
        return self.State._make([*board_words(board, _WIDTH, _WORDS), board.index(0), *words[0], *words[1], *values])

    def decode(self, state: State) -> Board:
        words = state[:_WORDS]
        return tuple((words[cell // 12] >> _WIDTH * (cell % 12)) & 31 for cell in range(self.area))

    def heuristics(self) -> Mapping[str, Heuristic]:
        """The estimate that the states carry."""
        facts = self._estimate.facts
        return {
            self._name: Heuristic(self.estimate, self._name, admissible=True, consistent=facts.consistent, note=facts.note)
        }

    def estimate(self, state: State) -> int:
        """The sum over the patterns, or that of the mirrored board if it is greater, read from the state."""
        return max(((state.values * _ONES) >> 56) & 255, ((state.others * _ONES) >> 56) & 255)

    def is_goal(self, state: State) -> bool:
        return state.values == 0

    def backward(self) -> None:
        """There is none: the other way round, the tables would have to be those of another goal."""
        return

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        blank = state.blank & 31
        move = blank << 2 | action
        cell = self.cell[move]
        if cell < 0:
            return False, state, 1
        cell &= 31
        board = state.board0
        board = state.board1 if cell >= 12 else board
        board = state.board2 if cell >= 24 else board
        tile = (board >> 5 * (cell % 12)) & 31
        p0, p1, p2, p3 = state.pattern0, state.pattern1, state.pattern2, state.pattern3
        p4, p5, p6 = state.pattern4, state.pattern5, state.pattern6
        m0, m1, m2, m3 = state.mirror0, state.mirror1, state.mirror2, state.mirror3
        m4, m5, m6 = state.mirror4, state.mirror5, state.mirror6
        values, others = state.values, state.others
        for side in range(self.sides):
            pattern = self.pattern[side << 6 | tile]
            number, which = pattern & 7, (pattern >> 3) & 15
            here, there = self.frame[which << 5 | cell] & 31, self.frame[which << 5 | blank] & 31
            count, orders = self.facts[which << 3] & 15, self.facts[which << 3 | 1] & _MOST
            moves, start = self.facts[which << 3 | 2] & _MOST, self.facts[which << 3 | 3] & _MOST
            word = chosen(number, p0, p1, p2, p3, p4, p5, p6)
            word = word if side == 0 else chosen(number, m0, m1, m2, m3, m4, m5, m6)
            cells, order = word & _SET, (word >> _ORDER) & _MOST
            slot = (cells & ((1 << here) - 1)).bit_count()
            cells ^= (1 << here) | (1 << there)
            next_slot = (cells & ((1 << there) - 1)).bit_count()
            order = self.moved[moves + (order * count + slot) * count + next_slot] & _MOST
            block = (self.start[start + (cells >> self.low_bits)] & _MOST) + (self.within[cells & self.low_mask] & _MOST)
            if self.regions != 0:
                of_set = (self.facts[which << 3 | 4] & _MOST) + block
                block = (self.first_block[of_set] & _MOST) + (self.cell_region[of_set * self.area + here] & 31)
            entry = block * orders + order
            packed = self.facts[which << 3 | 6] & 1
            value = entry_of(
                self.facts[which << 3 | 5] & 7,
                entry >> packed,
                self.table0,
                self.table1,
                self.table2,
                self.table3,
                self.table4,
                self.table5,
            )
            closer = 0
            if packed != 0:
                half = (value >> 4 * (entry & 1)) & 15
                value = 2 * half if half < 15 else 255
                closer = self.closer[move << 6 | tile] << (self.facts[which << 3 | 7] & 63)
            changed = word ^ (cells | order << _ORDER)
            bits = number << 3
            if side == 0:
                p0, p1, p2, p3, p4, p5, p6 = with_change(number, changed, p0, p1, p2, p3, p4, p5, p6)
                values += closer + ((value - ((values >> bits) & 255)) << bits)
            else:
                m0, m1, m2, m3, m4, m5, m6 = with_change(number, changed, m0, m1, m2, m3, m4, m5, m6)
                others += closer + ((value - ((others >> bits) & 255)) << bits)
        change = 3 * (move << 5 | tile)
        board0 = state.board0 ^ self.change[change]
        board1 = state.board1 ^ self.change[change + 1]
        board2 = state.board2 ^ self.change[change + 2]
        following = self.State(
            board0, board1, board2, cell, p0, p1, p2, p3, p4, p5, p6, m0, m1, m2, m3, m4, m5, m6, values, others
        )
        return True, following, 1


def _joined(keys: Sequence[Any], parts: Sequence[Any]) -> tuple[Any, dict[Any, int]]:
    """The parts in one array, and by key where the part of that key begins."""
    first = dict(zip(keys, accumulate(map(len, parts), initial=0), strict=False))
    return (np.concatenate(parts) if parts else np.zeros(0, np.int32)), first


def chosen(number: int, w0: int, w1: int, w2: int, w3: int, w4: int, w5: int, w6: int) -> int:
    """One of seven words, by its number."""
    low = w0 * (number == 0) | w1 * (number == 1) | w2 * (number == 2) | w3 * (number == 3)
    return low | w4 * (number == 4) | w5 * (number == 5) | w6 * (number == 6)


def with_change(
    number: int, change: int, w0: int, w1: int, w2: int, w3: int, w4: int, w5: int, w6: int
) -> tuple[int, int, int, int, int, int, int]:
    """Seven words, of which one, by its number, has some bits changed."""
    w0, w1, w2 = w0 ^ change * (number == 0), w1 ^ change * (number == 1), w2 ^ change * (number == 2)
    w3, w4, w5 = w3 ^ change * (number == 3), w4 ^ change * (number == 4), w5 ^ change * (number == 5)
    return w0, w1, w2, w3, w4, w5, w6 ^ change * (number == 6)


def entry_of(table: int, entry: int, t0: Any, t1: Any, t2: Any, t3: Any, t4: Any, t5: Any) -> int:
    """An entry of one of the tables, by its number."""
    looked_in = t0
    looked_in = t1 if table == 1 else looked_in
    looked_in = t2 if table == 2 else looked_in
    looked_in = t3 if table == 3 else looked_in
    looked_in = t4 if table == 4 else looked_in
    looked_in = t5 if table == 5 else looked_in
    return looked_in[entry]  # type: ignore[no-any-return]


def number_of_order(cells: Sequence[int]) -> int:
    """The number of the permutation in which tiles stand on their cells."""
    number = 0
    for place, cell in enumerate(cells):
        number = number * (len(cells) - place) + sum(other < cell for other in cells[place + 1 :])
    return number
