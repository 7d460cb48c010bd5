"""The rules of the sliding-tile puzzle, and distances on the board: the basis of its other forms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import getitem, itemgetter
from typing import Any, TypeAlias

from bestfirst.cached import cached_property
from bestfirst.domains.sliding_tile.notation import read_board, read_size
from bestfirst.errors import InputError, shown
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.problem import Problem, Successor

Board: TypeAlias = tuple[int, ...]

_SHIFTS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
LARGEST_SIDE = 16


class TileRules(Problem[Board, str]):
    """What a SlidingTile takes from its start, goal, size and moves."""

    default_heuristic: str

    def __init__(
        self,
        start: str | Sequence[object],
        goal: str | Sequence[object] | None = None,
        *,
        size: str | Sequence[int] | None = None,
        moves: str = "ULRD",
    ) -> None:
        given = None if size is None else read_size(size)
        self.size, self.initial = read_board(start, given)
        if max(self.size) > LARGEST_SIDE:
            raise InputError(
                f"a {self.size[0]}x{self.size[1]} board is too large; use at most {LARGEST_SIDE} rows and {LARGEST_SIDE} columns"
            )
        cells = len(self.initial)
        self.goal: Board = (*range(1, cells), 0) if goal is None else read_board(goal, self.size)[1]
        if not isinstance(moves, str) or sorted(moves) != sorted(_SHIFTS):
            raise InputError(f"moves is {shown(moves)}; write the four letters U, D, L, R in the order in which to try them")
        self.moves = moves
        self._swaps = tuple(self._swaps_of(blank) for blank in range(cells))
        self._settle()

    def _swaps_of(self, blank: int) -> tuple[tuple[str, Callable[[Board], Board]], ...]:
        """For each direction of the blank: its letter, and the function that makes the new board."""
        swaps = []
        for letter in self.moves:
            target = self.neighbour(blank, letter)
            if target is not None:
                order = list(range(len(self.initial)))
                order[blank], order[target] = target, blank
                swaps.append((letter, itemgetter(*order)))
        return tuple(swaps)

    def neighbour(self, cell: int, letter: str) -> int | None:
        """The cell above (U), below (D), left (L) or right (R) of a cell; None beyond the rim."""
        return neighbour(self.size, cell, letter)

    def most_manhattan(self) -> int:
        """An upper bound on Manhattan distances: every tile as far from home as possible."""
        return sum(map(max, zip(*self.distances_home, strict=True)))

    def successors(self, state: Board) -> Iterable[Successor]:
        return [(letter, swap(state), 1) for letter, swap in self._swaps[state.index(0)]]

    def is_goal(self, state: Board) -> bool:
        return state == self.goal

    @heuristic(admissible=True, consistent=True)
    def manhattan(self, state: Board) -> int:
        """The sum of the tiles' city-block distances from their goal cells."""
        return sum(map(getitem, self.distances_home, state))

    def _distance(self, cell: int, other: int) -> int:
        columns = self.size[1]
        return abs(cell // columns - other // columns) + abs(cell % columns - other % columns)

    def _table(self, measure: Callable[[int, int], Any]) -> tuple[tuple[Any, ...], ...]:
        """For each cell, by tile: measure(cell, goal cell of the tile); 0 for the blank."""
        goal_cell = {tile: cell for cell, tile in enumerate(self.goal)}
        cells = range(len(self.goal))
        return tuple(tuple(measure(cell, goal_cell[tile]) if tile else 0 for tile in cells) for cell in cells)

    @cached_property
    def distances_home(self) -> tuple[tuple[int, ...], ...]:
        """For each cell, by tile, the city-block distance of the tile from its goal cell; 0 for the blank."""
        return self._table(self._distance)


def neighbour(size: Sequence[int], cell: int, letter: str) -> int | None:
    """The cell above (U), below (D), left (L) or right (R) of a cell; None beyond the rim."""
    rows, columns = size
    row, column = divmod(cell, columns)
    down, right = _SHIFTS[letter]
    if 0 <= row + down < rows and 0 <= column + right < columns:
        return (row + down) * columns + column + right
    return None
