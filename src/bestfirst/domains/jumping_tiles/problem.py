"""Jumping tiles: black and white tiles in a row with one empty cell change sides by jumping over each other.

A state is the row as a word over b (black), e (the empty cell) and w (white), such as "bbbewww". An action is the pair
(cell the tile leaves, cell it lands on), counted from 1. The goals are the rows in which every black tile is right of
every white one, wherever the empty cell is.
Source: Flach, Simply Logical, section 6.1.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from bestfirst.arguments import check_kind
from bestfirst.errors import InputError, shown
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.problem import Cell, Problem, Successor

if TYPE_CHECKING:
    from bestfirst.domains.jumping_tiles.packed import PackedJumpingTiles

FARTHEST = 3
"""The maximum distance of a move: at most two tiles lie between."""


class JumpingTiles(Problem[str, tuple[int, int]]):
    """A row of black and white tiles, any number of either, and one empty cell.

    A tile may move into the empty cell if at most two tiles lie between them. The cost is the number of tiles jumped over,
    but at least 1. Moves are tried in order of cost, then of the resulting word.

    Every row can be solved: a row with tiles of both colours has at least three cells, so a jump over one tile can
    exchange two neighbours, and the empty cell can be brought to any pair of them.

    row: a string (bbb_www, bbbewww, b b b e w w w or [b,b,b,e,w,w,w]) or the sequence of its cells.
    Raises InputError for anything else.
    """

    _has_fixed_pieces = True

    default_heuristic = "inversions"

    def __init__(self, row: str | Iterable[str]) -> None:
        self.initial = read_row(row)
        self._settle()

    @classmethod
    def from_text(cls, text: str) -> JumpingTiles:
        """A row from command-line arguments."""
        return cls(text)

    def successors(self, state: str) -> Iterable[Successor]:
        empty = state.index("e")
        moves = []
        for tile in range(max(empty - FARTHEST, 0), min(empty + FARTHEST + 1, len(state))):
            if tile != empty:
                cost = max(abs(tile - empty) - 1, 1)
                moves.append((cost, _swapped(state, tile, empty), (tile + 1, empty + 1)))
        return [(action, after, cost) for cost, after, action in sorted(moves)]

    def is_goal(self, state: str) -> bool:
        leftmost_black = state.find("b")
        return leftmost_black < 0 or state.find("w", leftmost_black) < 0

    @heuristic(admissible=True, consistent=True)
    def inversions(self, state: str) -> int:
        """The number of pairs of a black tile and a white one to the right of it.

        Only the pairs of the moving tile with those that it jumps over can change: none on a move by one cell (cost 1),
        one on a jump over one tile (cost 1), two on a jump over two (cost 2). So no move removes more pairs than
        it costs: the estimate is consistent, and, as it is 0 at the goals, admissible.
        """
        pairs = blacks = 0
        for cell in state:
            if cell == "b":
                blacks += 1
            elif cell == "w":
                pairs += blacks
        return pairs

    def domain(self) -> PackedJumpingTiles | None:
        from bestfirst.domains.jumping_tiles.packed import MOST_CELLS, PackedJumpingTiles  # noqa: PLC0415  (it imports NumPy)

        return PackedJumpingTiles(self) if len(self.initial) <= MOST_CELLS else None

    def format(self, state: str) -> str:
        return state.replace("e", "_")

    def label(self, state: str) -> str:
        """The row as a Prolog list: [b,b,b,e,w,w,w]."""
        return f"[{','.join(state)}]"

    def cells(self, state: str) -> Iterable[Cell]:
        return [(0, column, "" if cell == "e" else cell) for column, cell in enumerate(state)]

    def format_action(self, action: tuple[int, int]) -> str:
        return f"{action[0]} to {action[1]}"


def read_row(row: str | Iterable[str]) -> str:
    """The word over b, e and w of a row in any of its notations; raises InputError for an invalid row."""
    check_kind("row", row, Iterable, "the cells, such as 'bb_ww'")
    cells = _cells_of_text(row) if isinstance(row, str) else list(row)
    for cell in cells:
        if cell not in ("b", "w", "e", "_"):
            raise InputError(f"row {shown(row)} has the cell {shown(cell)}; a cell is b, w, or _ (or e) for the empty one")
    word = "".join(cells).replace("_", "e")
    if word.count("e") != 1:
        raise InputError(f"row {shown(row)} has {word.count('e') or 'no'} empty cells; write one _ (or e), as in bbb_www")
    return word


def _cells_of_text(text: str) -> list[str]:
    listed = text.strip()
    if listed.startswith("[") and listed.endswith("]"):
        listed = listed[1:-1]
    if "," in listed:
        return [cell.strip() for cell in listed.split(",")]
    return list("".join(listed.split()))


def _swapped(row: str, one: int, other: int) -> str:
    cells = list(row)
    cells[one], cells[other] = cells[other], cells[one]
    return "".join(cells)
