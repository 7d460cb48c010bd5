"""The sliding-tile puzzle on any m x n board: the 8-, 15- and 24-puzzle, the 5-puzzle, and all the others.

A state is the tuple of the tiles, row by row, with 0 for the blank. An action is the direction in which the *blank* moves:
"U", "D", "L" or "R". Every action costs 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from copy import copy
from itertools import pairwise
from operator import getitem
from typing import TYPE_CHECKING

from bestfirst.cached import cached_property
from bestfirst.domains.sliding_tile.rules import Board, TileRules
from bestfirst.domains.sliding_tile.walking_distance import Table, is_too_large, walking_distances
from bestfirst.errors import InputError
from bestfirst.heuristics.heuristic import Heuristic, heuristic
from bestfirst.long_search import LongSearch
from bestfirst.problem import Cell, Successor

if TYPE_CHECKING:
    from bestfirst.domains.sliding_tile.abstract import PatternTiles
    from bestfirst.domains.sliding_tile.packed import Tiles


class SlidingTile(TileRules):
    """A sliding-tile puzzle: a start, a goal, and the order in which moves are tried.

    start, goal: a board in any notation of notation.py; default goal: tiles in order, blank last.
    size: (rows, columns) or "3x4", for boards given without rows that are not square.
    moves: the four directions of the blank in the order in which they are tried.
    Raises InputError for an invalid board, two boards of different size, or moves that are not U, D, L, R in some order.
    """

    _has_fixed_pieces = True
    _settled_for_good = frozenset({"size"})
    unit_cost = True
    default_heuristic: str = "manhattan"
    long_search = LongSearch("auto", "idastar", {"prune": 8, "prune_from": 1_000_000})

    @classmethod
    def from_text(cls, text: str, *, goal: str | None = None, size: str | None = None, moves: str = "ULRD") -> SlidingTile:
        """A puzzle from command-line arguments."""
        return cls(text, goal, size=size, moves=moves)

    def goal_state(self) -> Board:
        return self.goal

    def representatives(self) -> list[Board]:
        """A board for each cell of the blank, which alone decides which moves are legal; moves do not depend on the
        tiles."""
        tiles = range(1, len(self.initial))
        return [(*tiles[:blank], 0, *tiles[blank:]) for blank in range(len(self.initial))]

    def backward(self) -> SlidingTile:
        return _Backward(self.goal, self.initial, size=self.size, moves=self.moves)

    def domain(self) -> Tiles | None:
        """One word for up to 16 cells (with a rank up to 12 cells, except for a single row or column); seven words for up
        to 64 cells."""
        return copy(self._domain)  # so that callers change only their own copy

    @cached_property
    def _domain(self) -> Tiles | None:
        from bestfirst.domains.sliding_tile import packed, ranked, wide  # noqa: PLC0415  (they import NumPy)

        cells = len(self.initial)
        if cells > wide.MOST_CELLS:
            return None
        kind = wide.WideTiles if cells > packed.MOST_CELLS else packed.PackedTiles
        if cells <= ranked.MOST_CELLS and min(self.size) > 1:
            kind = ranked.RankedTiles
        made = kind(self)
        for name in made.fixed:
            getattr(made, name)  # a cached_property is then made once, not in each copy
        return made

    def unsolvable(self) -> str | None:
        """Decided by parity: a move swaps the blank with a tile and moves the blank by one cell.

        Along a single row or column the tiles cannot pass each other, so there their order must be the goal's.
        Source: Johnson & Story 1879.
        """
        if min(self.size) == 1:
            if _without_blank(self.initial) == _without_blank(self.goal):
                return None
            return "in a single row or column, tiles cannot pass each other, and their order differs from that in the goal"
        blank_steps = self._distance(self.initial.index(0), self.goal.index(0))
        swaps = _swaps_to_sort([self.goal.index(tile) for tile in self.initial])
        if swaps % 2 == blank_steps % 2:
            return None
        return (
            f"parity: the start is {_parity(swaps)} permutation of the goal, but the blank, at distance {blank_steps}, "
            f"takes {_parity(blank_steps)} number of moves to its place, each a swap; "
            "exactly half of all boards can be reached"
        )

    def format(self, state: Board) -> str:
        return " / ".join(" ".join(_cell(tile) for tile in row) for row in self.rows(state))

    def label(self, state: Board) -> str:
        return " ".join(map(str, state))

    def draw(self, state: Board) -> str:
        """The board, a line for each row: adjacent digits on boards up to 3 x 3, columns on larger ones."""
        width = len(str(len(state) - 1))
        gap = "" if width == 1 else " "
        lines = (gap.join(f"{tile or '':>{width}}" for tile in row) for row in self.rows(state))
        return "\n".join(line.rstrip() for line in lines)

    def cells(self, state: Board) -> list[Cell]:
        columns = self.size[1]
        return [(cell // columns, cell % columns, str(tile) if tile else "") for cell, tile in enumerate(state)]

    def positions(self, state: Board) -> str:
        """The list of the positions X/Y of the blank, tile 1, tile 2, ...: X from the left, Y from the bottom."""
        rows, columns = self.size
        cells = [state.index(tile) for tile in range(len(state))]
        return "[" + ",".join(f"{cell % columns + 1}/{rows - cell // columns}" for cell in cells) + "]"

    def rows(self, state: Board) -> list[Board]:
        """The rows of a board, from the top."""
        columns = self.size[1]
        return [state[start : start + columns] for start in range(0, len(state), columns)]

    # Heuristics. The blank never counts: a move moves the blank as well as a tile, so counting it would overestimate.

    def heuristics(self) -> Mapping[str, Heuristic]:
        """The heuristics that fit this board and goal; asking for any other by name raises an error that says why."""
        offered = dict(super().heuristics())
        if not self._has_blank_centre():
            del offered["sequence"]
        rows, columns = self.size
        if is_too_large(rows, columns) or is_too_large(columns, rows):
            del offered["walking-distance"]
        return offered

    def heuristic_named(self, name: str) -> Heuristic | None:
        """Pattern databases by the numbers of tiles of their patterns: pdb:7-8 (see databases.py)."""
        from bestfirst.domains.sliding_tile import databases  # noqa: PLC0415  (they are seldom wanted)

        return databases.heuristic_of(self, name) if name.startswith(databases.PREFIX) else None

    def heuristic_alias(self, name: str) -> str:
        """For auto: the strongest databases for boards of this size that are built in a few seconds."""
        if name != "auto":
            return name
        from bestfirst.domains.sliding_tile.databases import quick_choice  # noqa: PLC0415

        return quick_choice(self)

    def project(self, pattern: Iterable[int]) -> PatternTiles:
        """The abstract puzzle in which only these tiles are distinguishable, and only their moves have a cost.

        The tiles are labels in this puzzle's goal; the blank counts by its region. Raises InputError for invalid tiles.
        """
        from bestfirst.domains.sliding_tile.databases import projected  # noqa: PLC0415

        return projected(self, pattern)

    def abstractions(self, pattern: str) -> list[PatternTiles]:
        """For pdb:7-8: patterns of seven and of eight tiles, in canonical positions."""
        from bestfirst.domains.sliding_tile.databases import abstract_puzzles  # noqa: PLC0415

        return abstract_puzzles(self, pattern)

    def _has_blank_centre(self) -> bool:
        return self.size == (3, 3) and self.goal[4] == 0

    @heuristic(admissible=True, consistent=True)
    def misplaced(self, state: Board) -> int:
        """The number of tiles that are not on their goal cells."""
        return sum(map(getitem, self._misplaced_rows, state))

    @heuristic(admissible=True, consistent=True)
    def euclidean(self, state: Board) -> float:
        """The sum of the tiles' straight-line distances from their goal cells."""
        return math.fsum(map(getitem, self._euclidean_rows, state))

    @heuristic(admissible=True, consistent=True)
    def reversals(self, state: Board) -> int:
        """The Manhattan distance, plus 2 for each direct reversal: two adjacent tiles, each on the other's goal cell."""
        goal = self.goal
        direct = sum(
            state[cell] == goal[other] and state[other] == goal[cell] and 0 not in (state[cell], state[other])
            for cell, other in self._neighbours
        )
        return self.manhattan(state) + 2 * direct

    @heuristic(
        admissible=False, consistent=False, note="three times the score often exceeds the number of moves that remain"
    )
    def sequence(self, state: Board) -> int:
        """The Manhattan distance, plus 3 for a tile in the centre and 6 for each rim tile not followed clockwise by its successor.

        For 3 x 3 boards whose goal has the blank in the centre; raises InputError for others.
        Source: Nilsson 1971 (P + 3S).
        """
        successor = self._rim_successors
        score = 1 if state[4] else 0
        rim = [state[cell] for cell in _RIM]
        for tile, following in pairwise([*rim, rim[0]]):
            if tile and successor[tile] != following:
                score += 2
        return self.manhattan(state) + 3 * score

    @heuristic(admissible=True, consistent=True)
    def linear_conflict(self, state: Board) -> int:
        """The Manhattan distance, plus 2 for each tile that must leave its row or column so that others of that line can pass.

        In each line, the tiles whose goal is in the line can stay only if they are in order; the longest ordered selection
        stays, and each other tile needs two more moves than the Manhattan distance.
        Source: Hansson, Mayer & Yung 1992.
        """
        columns = self.size[1]
        goal_row, goal_column = self._goal_row, self._goal_column
        leaving = 0
        for number, row in enumerate(self.rows(state)):
            leaving += _out_of_order([goal_column[tile] for tile in row if tile and goal_row[tile] == number])
        for number in range(columns):
            line = state[number::columns]
            leaving += _out_of_order([goal_row[tile] for tile in line if tile and goal_column[tile] == number])
        return self.manhattan(state) + 2 * leaving

    @heuristic(admissible=True, consistent=True)
    def walking_distance(self, state: Board) -> float:
        """The fewest vertical moves that bring every tile into its row, plus the fewest horizontal ones into its column.

        Exact for the abstraction that keeps only how many tiles of each goal row are in each row (likewise for columns). Its
        table is computed on first use, for boards up to 4 x 4 or of similar size. Raises InputError for boards whose
        table would be too large.
        Source: Takahashi 2002.
        """
        rows, columns = self.size
        vertical, horizontal = self._walking_tables
        goal_row, goal_column = self._goal_row, self._goal_column
        row_counts = [0] * (rows * rows)
        column_counts = [0] * (columns * columns)
        blank_row = blank_column = 0
        for cell, tile in enumerate(state):
            row, column = divmod(cell, columns)
            if tile:
                row_counts[row * rows + goal_row[tile]] += 1
                column_counts[column * columns + goal_column[tile]] += 1
            else:
                blank_row, blank_column = row, column
        down = vertical.get((blank_row, tuple(row_counts)), math.inf)  # infinite only on a single row or column
        return down + horizontal.get((blank_column, tuple(column_counts)), math.inf)

    @heuristic(admissible=True, consistent=True)
    def inversion_distance(self, state: Board) -> int:
        """The fewest vertical moves that can undo the inversions in row order, plus horizontal ones in column order.

        A vertical move takes a tile past (columns - 1) others in row order; a horizontal one leaves that order unchanged.
        Source: Takahashi 2002.
        """
        rows, columns = self.size
        by_rows = _inversions([self._row_rank[tile] for tile in state if tile])
        turned = [state[row * columns + column] for column in range(columns) for row in range(rows)]
        by_columns = _inversions([self._column_rank[tile] for tile in turned if tile])
        return _moves_to_undo(by_rows, columns - 1) + _moves_to_undo(by_columns, rows - 1)

    # Tables of the heuristics, made on first use.

    @cached_property
    def _misplaced_rows(self) -> tuple[tuple[int, ...], ...]:
        return self._table(lambda cell, goal: int(cell != goal))

    @cached_property
    def _euclidean_rows(self) -> tuple[tuple[float, ...], ...]:
        columns = self.size[1]
        return self._table(lambda cell, goal: math.hypot(cell // columns - goal // columns, cell % columns - goal % columns))

    @cached_property
    def _neighbours(self) -> list[tuple[int, int]]:
        """The pairs of horizontally or vertically adjacent cells."""
        cells = range(len(self.goal))
        return [(a, b) for a in cells for b in cells if a < b and self._distance(a, b) == 1]

    @cached_property
    def _goal_row(self) -> list[int]:
        return [self.goal.index(tile) // self.size[1] for tile in range(len(self.goal))]

    @cached_property
    def _goal_column(self) -> list[int]:
        return [self.goal.index(tile) % self.size[1] for tile in range(len(self.goal))]

    @cached_property
    def _row_rank(self) -> list[int]:
        """For each tile its index in the goal in row order."""
        return [self.goal.index(tile) for tile in range(len(self.goal))]

    @cached_property
    def _column_rank(self) -> list[int]:
        """For each tile its index in the goal in column order."""
        rows = self.size[0]
        return [self._goal_column[tile] * rows + self._goal_row[tile] for tile in range(len(self.goal))]

    @cached_property
    def _rim_successors(self) -> dict[int, int]:
        if not self._has_blank_centre():
            raise InputError(
                "heuristic 'sequence' works only on 3x3 boards whose goal has the blank in the centre; "
                f"the goal is {self.format(self.goal)}"
            )
        rim = [self.goal[cell] for cell in _RIM]
        return dict(pairwise([*rim, rim[0]]))

    @cached_property
    def _walking_tables(self) -> tuple[Table, Table]:
        rows, columns = self.size
        blank_row, blank_column = divmod(self.goal.index(0), columns)
        return walking_distances(rows, columns, blank_row), walking_distances(columns, rows, blank_column)


class _Backward(SlidingTile):
    """The puzzle from its goal: the same moves, with the names of their inverses."""

    def backward(self) -> SlidingTile:
        return SlidingTile(self.goal, self.initial, size=self.size, moves=self.moves)

    def domain(self) -> Tiles | None:
        packed = super().domain()
        if packed is not None:
            packed.actions = "".join(_OPPOSITE[letter] for letter in self.moves)
        return packed

    def successors(self, state: Board) -> Iterable[Successor]:
        return [(_OPPOSITE[letter], board, cost) for letter, board, cost in super().successors(state)]


_OPPOSITE = {"U": "D", "D": "U", "L": "R", "R": "L"}
_RIM = (0, 1, 2, 5, 8, 7, 6, 3)  # the cells of the rim of a 3 x 3 board, clockwise


def _cell(tile: int) -> str:
    return str(tile) if tile else "_"


def _parity(number: int) -> str:
    return "an odd" if number % 2 else "an even"


def _without_blank(board: Board) -> Board:
    return tuple(tile for tile in board if tile)


def _swaps_to_sort(permutation: list[int]) -> int:
    """The swaps that sort a permutation of 0 .. n-1: n minus the number of its cycles."""
    seen = [False] * len(permutation)
    cycles = 0
    for first in range(len(permutation)):
        if not seen[first]:
            cycles += 1
            place = first
            while not seen[place]:
                seen[place] = True
                place = permutation[place]
    return len(permutation) - cycles


def _out_of_order(places: list[int]) -> int:
    """How many of the distinct numbers to remove so that the rest increases: all but the longest increasing subsequence."""
    if len(places) < 2:
        return 0
    longest: list[int] = []
    for end, place in enumerate(places):
        longest.append(1 + max((longest[at] for at in range(end) if places[at] < place), default=0))
    return len(places) - max(longest)


def _inversions(ranks: list[int]) -> int:
    return sum(rank > later for place, rank in enumerate(ranks) for later in ranks[place + 1 :])


def _moves_to_undo(inversions: int, most: int) -> int:
    """The fewest moves that bring the inversions to 0 if each changes them by most, most - 2, ... or -most."""
    if inversions == 0 or most == 0:
        return 0
    moves = -(-inversions // most)
    return moves + (moves * most - inversions) % 2
