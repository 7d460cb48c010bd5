"""Kalah: sow seeds round the board; a last seed in your own store gives another turn.

A state is the seeds in the houses and the store of the side that moves first, those of the other side, and which side moves:

                second:   6   5   4   3   2   1        Seeds are sown counter-clockwise: a side's houses from 1 up,
    store of second                   store of first   its own store, then the other side's houses, and never
                first:    1   2   3   4   5   6        the other side's store.

A move is the number of a house; it is written as that number. A position is written as the houses played (3 6 2), or as the seeds
in the order 1 .. n, store, for both sides with a slash between, and the side to move: 4 4 4 4 4 4 0/4 4 4 4 4 4 0 first.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from bestfirst.errors import InputError
from bestfirst.games.game import Game, read_size
from bestfirst.games.rules.boards import is_board

Row: TypeAlias = tuple[int, ...]


class Seeds(NamedTuple):
    """See the head of the module."""

    first: Row
    second: Row
    side: int


class Kalah(Game):
    """Kalah with some houses a side and so many seeds in each, 6 and 4 in the usual game.

    A last seed in an own empty house, with seeds in the house opposite, takes both into the store. When a side to move has no seeds
    in its houses, the other side keeps what is in its own. The score is the difference of the stores. The sides do not alternate.
    Raises InputError for sizes below 1.
    """

    alternates = False
    counts_points = True

    def __init__(self, houses: int = 6, seeds: int = 4) -> None:
        if houses < 1 or seeds < 1:
            raise InputError(f"there are {houses} houses with {seeds} seeds; write at least 1 of both, such as 6 and 4")
        self.houses, self.seeds = houses, seeds
        row = (seeds,) * houses + (0,)
        self.initial = Seeds(row, row, 0)

    @classmethod
    def from_options(cls, *, board: str = "6x4") -> Kalah:
        return cls(*read_size(board, "the board (houses x seeds)"))

    def rows(self, state: Seeds) -> tuple[Row, Row]:
        """The houses and the store of the side to move, and those of the other side."""
        return (state.first, state.second) if state.side == 0 else (state.second, state.first)

    def moves(self, state: Seeds) -> list[int]:
        mine, _ = self.rows(state)
        return [house + 1 for house in range(self.houses) if mine[house]]

    def play(self, state: Seeds, move: int) -> Seeds:
        ring = [*self.rows(state)[0], *self.rows(state)[1][: self.houses]]  # where seeds are sown: all but the other store
        their_store = self.rows(state)[1][self.houses]
        at, hand = move - 1, ring[move - 1]
        ring[at] = 0
        while hand:
            at = (at + 1) % len(ring)
            ring[at] += 1
            hand -= 1
        opposite = 2 * self.houses - at
        if at < self.houses and ring[at] == 1 and ring[opposite]:
            ring[self.houses] += ring[at] + ring[opposite]
            ring[at] = ring[opposite] = 0
        mine, theirs = tuple(ring[: self.houses + 1]), (*ring[self.houses + 1 :], their_store)
        side = state.side if at == self.houses else 1 - state.side
        return Seeds(mine, theirs, side) if state.side == 0 else Seeds(theirs, mine, side)

    def is_over(self, state: Seeds) -> bool:
        return not any(self.rows(state)[0][: self.houses])

    def score(self, state: Seeds) -> int:
        mine, theirs = self.rows(state)
        return sum(mine) - sum(theirs)

    def evaluate(self, state: Seeds) -> int:
        mine, theirs = self.rows(state)
        return mine[self.houses] - theirs[self.houses]

    def order(self, state: Seeds, move: int) -> int:
        """Moves that end in the store first, then those from the houses near it."""
        mine, _ = self.rows(state)
        return move + (self.houses if mine[move - 1] == self.houses + 1 - move else 0)

    def noisy_moves(self, state: Seeds) -> list[int]:
        """The moves whose last seed falls into the store."""
        mine, _ = self.rows(state)
        return [move for move in self.moves(state) if mine[move - 1] == self.houses + 1 - move]

    def side_to_move(self, state: Seeds) -> int:
        return state.side

    def key(self, state: Seeds) -> tuple[Row, Row]:
        """What the side to move has, and what the other has: which is which does not matter."""
        return self.rows(state)

    def format(self, state: Seeds) -> str:
        rows = "/".join(" ".join(map(str, row)) for row in (state.first, state.second))
        return f"{rows} {self.sides[state.side]}"

    def draw(self, state: Seeds) -> str:
        def row(seeds: tuple[int, ...]) -> str:
            return " ".join(f"{number:>2}" for number in seeds)

        upper, lower = row(state.second[: self.houses][::-1]), row(state.first[: self.houses])
        return f"     {upper}\n{state.second[-1]:>3}{' ' * (len(upper) + 3)}{state.first[-1]:>3}\n     {lower}"

    def parse(self, text: str) -> Seeds:
        """The seeds and the side to move, or the houses played; raises InputError for what is neither."""
        if not is_board(text):
            return super().parse(text)  # type: ignore[no-any-return]
        seeds, _, side = text.strip().rpartition(" ")
        rows = [tuple(row.replace(",", " ").split()) for row in seeds.split("/")]
        if side not in self.sides or [len(row) for row in rows] != [self.houses + 1] * 2:
            raise InputError(
                f"the position {text!r} cannot be read; write {self.houses} houses and a store for both sides, "
                f"with a slash between them, and the side to move, such as {self.format(self.initial)!r}"
            )
        if not all(number.isdecimal() for row in rows for number in row):
            raise InputError(
                f"the position {text!r} has seeds that are no whole numbers; write such as {self.format(self.initial)!r}"
            )
        first, second = (tuple(map(int, row)) for row in rows)
        return Seeds(first, second, self.sides.index(side))

    def __repr__(self) -> str:
        return f"Kalah({self.houses}, {self.seeds})"
