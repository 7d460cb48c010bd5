"""The n-queens puzzle: n queens on an n x n board, none of which attacks another.

One queen is placed in each row, from the top. A state is the tuple of the columns (1 .. n) of the queens placed so far, an
action the column of the next one. Every action costs 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import TypeAlias

from bestfirst.domains.n_queens.packed import MOST_QUEENS, PackedQueens
from bestfirst.errors import InputError, shown
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.problem import Problem, Successor

Queens: TypeAlias = tuple[int, ...]

MOST = 100_000
"""With more queens, placing one takes seconds, since all squares are examined, and limits are not checked meanwhile."""

_UNSOLVABLE = {
    2: "any two squares of a 2x2 board share a row, a column or a diagonal",
    3: "on a 3x3 board, a queen in the middle row leaves no square in the other two rows, or one in each, both in "
    "the same column",
}


class NQueens(Problem[Queens, int]):
    """The n-queens puzzle, built row by row; columns are tried from left to right.

    n: the number of queens, and of rows and columns.
    Raises InputError unless n is a whole number from 1 to MOST.
    Source: Bezzel 1848 (eight queens); Pauls 1874 (solutions exist for all n except 2 and 3).
    """

    unit_cost = True
    default_heuristic = "remaining"
    initial: Queens = ()

    def __init__(self, n: int | str) -> None:
        text = str(n).strip()
        if not text.isdecimal() or len(text.lstrip("0")) > len(str(MOST)) or not 1 <= int(text) <= MOST:
            raise InputError(f"the number of queens is {shown(n)}; use a whole number from 1 to {MOST}, such as 8")
        self.n = int(n)
        self._settle()

    @classmethod
    def name(cls) -> str:
        return "n-queens"

    @classmethod
    def from_text(cls, text: str) -> NQueens:
        """A puzzle from command-line arguments: the number of queens."""
        return cls(text)

    def _why_no_start(self, state: Queens) -> str | None:
        if len(state) > self.n:
            return f"with {len(state)} queens on a board of {self.n} rows"
        for row, column in enumerate(state):
            if column not in self._free_columns(state[:row], row):
                return f"whose queen in row {row + 1} is not in a free column from 1 to {self.n}"
        return None

    def successors(self, state: Queens) -> Iterable[Successor]:
        if len(state) == self.n:
            return []
        return [(column, (*state, column), 1) for column in self._free_columns(state, len(state))]

    def _free_columns(self, state: Queens, row: int) -> list[int]:
        """The columns of a row below the queens (rows count from 0) that none of them attacks."""
        attacked = set(state)
        for above, column in enumerate(state):
            attacked.add(column - (row - above))
            attacked.add(column + (row - above))
        return [column for column in range(1, self.n + 1) if column not in attacked]

    def is_goal(self, state: Queens) -> bool:
        return len(state) == self.n

    def unsolvable(self) -> str | None:
        """Two and three queens cannot be placed; any other number can."""
        return _UNSOLVABLE.get(self.n)

    def domain(self) -> PackedQueens | None:
        return PackedQueens(self) if self.n <= MOST_QUEENS else None

    def format(self, state: Queens) -> str:
        """The queens' columns, row by row, with _ for each row still empty."""
        return " ".join([*map(str, state), *"_" * (self.n - len(state))])

    def draw(self, state: Queens) -> str:
        """The board: Q for a queen, a dot for an empty square."""
        columns = range(1, self.n + 1)
        rows = (" ".join("Q" if column == queen else "." for column in columns) for queen in state)
        return "\n".join([*rows, *[" ".join("." * self.n)] * (self.n - len(state))])

    def format_action(self, action: int) -> str:
        return f"queen in column {action}"

    @heuristic(admissible=True, consistent=True)
    def remaining(self, state: Queens) -> int:
        """The number of rows without a queen: each needs one action, so this is the exact cost of every solution."""
        return self.n - len(state)

    @heuristic(admissible=True, consistent=True)
    def forward_checking(self, state: Queens) -> float:
        """The number of rows without a queen, or infinity if one of them has only attacked squares.

        Queens are never removed, so a row without a free square stays without one: no goal can be reached from
        the state. Otherwise each row without a queen needs one action.
        Source: Haralick & Elliott 1980.
        """
        rows = range(len(state), self.n)
        return len(rows) if all(self._free_columns(state, row) for row in rows) else inf
