"""The abstract sliding-tile puzzle of a pattern database: only some tiles are distinguishable, and only their moves count.

Moves of the blank among the other tiles cost nothing, so only its region matters: the cells without a tile of the pattern
that it can reach. A state is two ints:

    block   the cells that the tiles of the pattern stand on, together with the region of the blank
    order   the arrangement of the tiles on these cells: the rank of a permutation (see cell_sets.py)

Every move of a tile of the pattern costs 1, and can be undone. Blocks are numbered without gaps, so block * k! + order is a
perfect rank: consecutive states have their tiles on the same cells, and their moves lead to consecutive states.
Source: Korf & Felner 2002 (additive pattern databases); Clausecker & Reinefeld 2019 (the regions of the blank).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, wraps
from math import factorial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bestfirst.arguments import check_bool
from bestfirst.domains.sliding_tile import packed, wide
from bestfirst.domains.sliding_tile.cell_sets import SetNumbers, shifted_orders
from bestfirst.domains.sliding_tile.partitions import check_pattern
from bestfirst.errors import InputError, shown
from bestfirst.patterns.abstract_domain import AbstractDomain, Base

if TYPE_CHECKING:
    from bestfirst.domains.sliding_tile.rules import Board

_NOWHERE = 99


def also_of_boards(abstract: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """abstract() that also takes a board of the puzzle, in plain Python; compiled code has states of the compilable form
    only."""

    @wraps(abstract)
    def of_either(self: PatternTiles, state: Any) -> Any:
        if isinstance(state, self.State):
            return state
        return abstract(self, state if hasattr(state, "_fields") else self.words_of(state))

    of_either.compiled_form = abstract  # type: ignore[attr-defined]
    return of_either


class Words(tuple[int, ...]):
    """A board in the words of the compilable form. blank: the cell of the blank."""

    blank: int


class PatternTiles(AbstractDomain):
    """The tiles of a pattern on a board, with the region of the blank.

    size: (rows, columns). tiles: the goal cells of the tiles of the pattern, ascending. blank: the goal cell of the blank.
    regions: whether the table keeps a distance for each region of the blank, or their minimum for each placement of the
    tiles.
    names: the labels of these tiles in the puzzle; by default, tiles are numbered from 1 by their goal cells.
    Raises InputError for invalid or repeated cells, a board of more than 30 cells, and more than 9 tiles.
    """

    class State(NamedTuple):
        """See the module docstring."""

        block: int
        order: int

    unit_cost = True
    undirected = True

    def __init__(
        self,
        size: tuple[int, int],
        tiles: Sequence[int],
        blank: int,
        *,
        regions: bool = False,
        names: Sequence[int] | None = None,
    ) -> None:
        check_pattern(size, tiles, blank)
        check_bool("regions", regions)
        self.board_size, self.tiles, self.goal_blank, self.regions = size, tuple(tiles), blank, regions
        self._names = tuple(cell + (cell < blank) for cell in tiles) if names is None else tuple(names)
        self.counted = self._names
        self.count = count = len(self.tiles)
        self.max_actions = 4 * count
        self.orders = self.block_size = factorial(count)
        numbers = SetNumbers(size[0] * size[1], count)
        cells = numbers.cells_of_sets()
        region = _regions(size, cells)
        self.first_block = _first_blocks(region)
        self._lay_out_blocks(region)
        self._make_moves(numbers, cells, region)
        self._read_boards(numbers, region)
        self.moved = shifted_orders(count).ravel()
        goal_set = int(numbers.numbers_of(np.array([sum(1 << cell for cell in self.tiles)]))[0])
        self.goal_block = int(self.compiled_value("first_block")[goal_set] + region[goal_set, blank])
        self.initial = self.State(self.goal_block, 0)

    def _lay_out_blocks(self, region: Any) -> None:
        """set_of_block: the set of cells of the tiles of each block."""
        regions = region.max(axis=1) + 1
        self.set_of_block = np.repeat(np.arange(len(regions), dtype=np.int32), regions)
        self.size = len(self.compiled_value("set_of_block")) * self.orders
        self.entries = self.size if self.regions else len(regions) * self.orders

    def _make_moves(self, numbers: SetNumbers, cells: Any, region: Any) -> None:
        """target: for each block and action, the block that the move leads to, -1 if there is none; shift: from which slot
        to which."""
        count = len(self.tiles)
        first_block = self.compiled_value("first_block")
        target = np.full((len(self.set_of_block), self.max_actions), -1, np.int32)
        shift = np.zeros(target.shape, np.int8)
        masks = (np.int64(1) << cells).sum(axis=1)
        rows, columns = self.board_size
        for slot in range(count):
            cell = cells[:, slot]
            for direction, (down, right) in enumerate(((-1, 0), (1, 0), (0, -1), (0, 1))):
                row, column = cell // columns + down, cell % columns + right
                beside = row * columns + column
                on_board = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
                sets = np.flatnonzero(on_board & (masks >> np.where(on_board, beside, 0) & 1 == 0))
                come, go = cell[sets], beside[sets]
                after = numbers.numbers_of(masks[sets] ^ (np.int64(1) << come) ^ (np.int64(1) << go))
                block = first_block[sets] + region[sets, go]
                action = 4 * slot + direction
                target[block, action] = first_block[after] + region[after, come]
                new_slot = (cells[after] < go[:, None]).sum(axis=1)
                shift[block, action] = slot * count + new_slot
        self.target, self.shift = target.ravel(), shift.ravel()

    def _read_boards(self, numbers: SetNumbers, region: Any) -> None:
        """The data of abstract(). item: the index of each tile label in the pattern, -1 for the others.

        per_word, width: the cells in a word of a board, and the bits of each. start, within: see cell_sets.py.
        """
        self.area = self.board_size[0] * self.board_size[1]
        is_wide = self.area > packed.MOST_CELLS
        self.width = wide.WIDTH if is_wide else packed.WIDTH
        self.per_word = wide.CELLS_PER_WORD if is_wide else packed.MOST_CELLS
        item = np.full(1 << self.width, -1, np.int8)
        item[list(self._names)] = np.arange(self.count)
        self.item, self.cell_region = item, region.astype(np.int8).ravel()
        self.start, self.within, self.low_bits = numbers.start(), numbers.within(), numbers.low_bits

    def words_of(self, board: Board) -> Words:
        """A board of the puzzle in the compilable form. Raises InputError for an invalid board."""
        if not isinstance(board, tuple) or sorted(board) != list(range(self.area)):
            raise InputError(
                f"{shown(board)} is not a board; pass the tuple of the {self.area} tiles, row by row, with 0 for the blank"
            )
        words = Words(packed.board_words(board, self.width, -(-self.area // self.per_word)))
        words.blank = board.index(0)
        return words

    @also_of_boards
    def abstract(self, state: Any) -> State:
        """The places of the tiles of the pattern, and the region of the blank."""
        places = 0
        mask = 0
        for cell in range(self.area):
            tile = (state[cell // self.per_word] >> (self.width * (cell % self.per_word))) & ((1 << self.width) - 1)
            item = self.item[tile]
            if item >= 0:
                places |= cell << (5 * item)
                mask |= 1 << cell
        number = self.start[mask >> self.low_bits] + self.within[mask & ((1 << self.low_bits) - 1)]
        block = self.first_block[number] + self.cell_region[number * self.area + state.blank]
        order = 0
        for item in range(self.count):
            cell = (places >> (5 * item)) & 31
            order = order * (self.count - item) + (mask & ((1 << cell) - 1)).bit_count()
            mask ^= 1 << cell
        return self.State(block, order)

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        place = state.block * self.max_actions + action
        block = self.target[place]
        if block < 0:
            return False, state, 1
        return True, self.State(block, self.moved[self.shift[place] * self.orders + state.order]), 1

    def block_step(self, block: int, action: int) -> tuple[bool, int, int]:
        place = block * self.max_actions + action
        return self.target[place] >= 0, self.target[place], self.shift[place]

    def turned(self, turn: int, order: int) -> int:
        return self.moved[turn * self.orders + order]  # type: ignore[no-any-return]

    def is_goal(self, state: State) -> bool:
        return state.block == self.goal_block and state.order == 0

    def goal_state(self) -> State:
        return self.State(self.goal_block, 0)

    def rank(self, state: State) -> int:
        return state.block * self.orders + state.order

    def unrank(self, number: int) -> State:
        block = number // self.orders
        return self.State(block, number - block * self.orders)

    def entry(self, state: State) -> int:
        """The entry of the table: without regions, states with the same placement of the tiles share one."""
        if self.regions:
            return state.block * self.orders + state.order
        return self.set_of_block[state.block] * self.orders + state.order  # type: ignore[no-any-return]

    def table_base(self) -> Base:
        """The Manhattan distance of the tiles of the pattern."""
        from bestfirst.domains.sliding_tile.difference_base import MANHATTAN, TileBase  # noqa: PLC0415  (seldom wanted)

        block_sets = np.asarray(self.compiled_value("set_of_block")) if self.regions else np.arange(len(self.first_block))
        return Base(MANHATTAN, TileBase(self.board_size, self.tiles, block_sets))

    def parameters(self) -> Mapping[str, Any]:
        return pattern_parameters(self.board_size, self.tiles, self.goal_blank, regions=self.regions)


def pattern_parameters(size: Sequence[int], tiles: Sequence[int], blank: int, *, regions: bool) -> Mapping[str, Any]:
    """The parameters() of PatternTiles."""
    return {"size": list(size), "tiles": list(tiles), "blank": blank, "regions": regions}


@cache
def block_numbers(size: tuple[int, int], count: int) -> tuple[Any, Any]:
    """For a number of tiles: the first block of each set of cells; and, flattened, the region of each cell for each set.

    The arrays are made once, and must not be changed.
    """
    region = _regions(size, SetNumbers(size[0] * size[1], count).cells_of_sets())
    return _first_blocks(region), region.astype(np.int8).ravel()


def _first_blocks(region: Any) -> Any:
    """The number of the first block of each set; a set has one block for each region."""
    regions = region.max(axis=1) + 1
    return (np.cumsum(regions, dtype=np.int64) - regions).astype(np.int32)


def _regions(size: tuple[int, int], cells: Any) -> Any:
    """For each set of cells, the region of the other cells that each cell belongs to; 0 for a cell of the set.

    The label of each cell is the smallest cell of its region; labels spread from cell to cell.
    """
    rows, columns = size
    count = rows * columns
    label = np.broadcast_to(np.arange(count, dtype=np.int8), (len(cells), count)).copy()
    np.put_along_axis(label, cells, _NOWHERE, axis=1)
    occupied = label == _NOWHERE
    grid = label.reshape(-1, rows, columns)
    while True:
        before = grid.copy()
        for ahead, behind in (
            (grid[:, 1:], grid[:, :-1]),
            (grid[:, :-1], grid[:, 1:]),
            (grid[:, :, 1:], grid[:, :, :-1]),
            (grid[:, :, :-1], grid[:, :, 1:]),
        ):
            np.minimum(ahead, behind, out=ahead)
            label[occupied] = _NOWHERE
        if np.array_equal(grid, before):
            break
    numbers = np.cumsum(label == np.arange(count), axis=1, dtype=np.int16) - 1
    return np.where(occupied, 0, np.take_along_axis(numbers, np.where(occupied, 0, label).astype(np.int64), axis=1))
