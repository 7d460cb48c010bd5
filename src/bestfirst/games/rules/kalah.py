"""Kalah: sow seeds around the board; a last seed in your own store gives another turn.

A state is the seeds of the side that moves first, the seeds of the other side, and the side to move. The seeds of a side are
one int, with equally many bits for each house, from house 1 in the lowest bits to the store:

                second:   6   5   4   3   2   1        Seeds are sown counter-clockwise: a side's houses from 1 up,
    store of second                   store of first   its own store, then the other side's houses, and never
                first:    1   2   3   4   5   6        the other side's store.

A move is the number of a house. A position is written as the houses played (3 6 2), or as the seeds in the order 1 .. n,
store, for both sides, separated by a slash, and the side to move: 4 4 4 4 4 4 0/4 4 4 4 4 4 0 first.
"""

from __future__ import annotations

from typing import NamedTuple

from bestfirst.arguments import check_whole
from bestfirst.errors import InputError, shown
from bestfirst.games.domain import GameDomain
from bestfirst.games.game import read_size
from bestfirst.games.rules.boards import is_board

MOST_BITS = 63


class Seeds(NamedTuple):
    """See the module docstring."""

    first: int
    second: int
    side: int


class Kalah(GameDomain):
    """Kalah with the given number of houses per side and seeds per house, usually 6 and 4.

    If the last seed lands in an empty house of your own, and the opposite house has seeds, both go to your store. The
    game ends when the side to move has no seeds in its houses; the other side keeps its own. The score is the
    difference of the stores. The sides do not strictly alternate.
    Raises InputError for sizes below 1.
    """

    State = Seeds
    alternates = False
    counts_points = True

    _settled_for_good = frozenset({"houses", "seeds"})

    def __init__(self, houses: int = 6, seeds: int = 4) -> None:
        check_whole("houses", houses, 1)
        check_whole("seeds", seeds, 1)
        self.houses, self.seeds = houses, seeds
        self.seed_bits = (2 * houses * seeds).bit_length()
        self.pit = (1 << self.seed_bits) - 1
        self.all_houses = (1 << self.seed_bits * houses) - 1
        row = self._row([seeds] * houses + [0])
        self.initial = Seeds(row, row, 0)

    @classmethod
    def from_options(cls, *, board: str = "6x4") -> Kalah:
        return cls(*read_size(board, "board", "houses x seeds, such as 6x4"))

    def domain(self) -> GameDomain | None:
        return super().domain() if self.seed_bits * (self.houses + 1) <= MOST_BITS else None

    def rows(self, state: Seeds) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The houses and the store of each side, first the side that moves first."""
        first, second = (
            tuple(row >> self.seed_bits * house & self.pit for house in range(self.houses + 1))
            for row in (state.first, state.second)
        )
        return first, second

    def legal(self, state: Seeds) -> int:
        mine = state.first if state.side == 0 else state.second
        moves = 0
        for house in range(1, self.houses + 1):
            if mine >> self.seed_bits * (house - 1) & self.pit != 0:
                moves |= 1 << house
        return moves

    def play(self, state: Seeds, move: int) -> Seeds:
        mine = state.first if state.side == 0 else state.second
        theirs = state.second if state.side == 0 else state.first
        at = move - 1  # index in the ring of pits that receive seeds: all but the other side's store
        hand = mine >> self.seed_bits * at & self.pit
        mine &= ~(self.pit << self.seed_bits * at)
        while hand > 0:
            at = at + 1 if at < 2 * self.houses else 0
            if at <= self.houses:
                mine += 1 << self.seed_bits * at
            else:
                theirs += 1 << self.seed_bits * (at - self.houses - 1)
            hand -= 1
        if at < self.houses and mine >> self.seed_bits * at & self.pit == 1:
            opposite = self.seed_bits * (self.houses - 1 - at)
            taken = theirs >> opposite & self.pit
            if taken > 0:
                mine += (taken + 1 << self.seed_bits * self.houses) - (1 << self.seed_bits * at)
                theirs -= taken << opposite
        side = state.side if at == self.houses else 1 - state.side
        return Seeds(mine if state.side == 0 else theirs, theirs if state.side == 0 else mine, side)

    def is_over(self, state: Seeds) -> bool:
        return (state.first if state.side == 0 else state.second) & self.all_houses == 0

    def score(self, state: Seeds) -> int:
        ahead = 0
        for house in range(self.houses + 1):
            ahead += (state.first >> self.seed_bits * house & self.pit) - (state.second >> self.seed_bits * house & self.pit)
        return ahead if state.side == 0 else -ahead

    def evaluate(self, state: Seeds) -> int:
        store = self.seed_bits * self.houses
        ahead = (state.first >> store) - (state.second >> store)
        return ahead if state.side == 0 else -ahead

    def order(self, state: Seeds, move: int) -> int:
        """Moves that end in the store first, then moves from houses near it."""
        mine = state.first if state.side == 0 else state.second
        seeds = mine >> self.seed_bits * (move - 1) & self.pit
        return move + (self.houses if seeds == self.houses + 1 - move else 0)

    def noisy(self, state: Seeds) -> int:
        """The moves whose last seed falls into the store."""
        mine = state.first if state.side == 0 else state.second
        moves = 0
        for house in range(1, self.houses + 1):
            if mine >> self.seed_bits * (house - 1) & self.pit == self.houses + 1 - house:
                moves |= 1 << house
        return moves

    def side_to_move(self, state: Seeds) -> int:
        return state.side

    def key(self, state: Seeds) -> tuple[int, int]:
        """The seeds of the side to move and of the other side, whichever side that is."""
        return (state.first, state.second) if state.side == 0 else (state.second, state.first)

    def format(self, state: Seeds) -> str:
        rows = "/".join(" ".join(map(str, row)) for row in self.rows(state))
        return f"{rows} {self.sides[state.side]}"

    def draw(self, state: Seeds) -> str:
        def row(seeds: tuple[int, ...]) -> str:
            return " ".join(f"{number:>2}" for number in seeds)

        first, second = self.rows(state)
        upper, lower = row(second[: self.houses][::-1]), row(first[: self.houses])
        return f"     {upper}\n{second[-1]:>3}{' ' * (len(upper) + 3)}{first[-1]:>3}\n     {lower}"

    def parse(self, text: str) -> Seeds:
        """Read the seeds and the side to move, or the houses played; raises InputError for anything else."""
        if not is_board(text):
            return super().parse(text)  # type: ignore[no-any-return]
        seeds, _, side = text.strip().rpartition(" ")
        rows = [tuple(row.replace(",", " ").split()) for row in seeds.split("/")]
        if side not in self.sides or [len(row) for row in rows] != [self.houses + 1] * 2:
            raise InputError(
                f"the position {shown(text)} cannot be read; write {self.houses} houses and a store for each side, "
                f"a slash between the sides, and the side to move, such as {self.format(self.initial)!r}"
            )
        wrong = next((number for row in rows for number in row if not number.isdecimal()), None)
        if wrong is not None:
            raise InputError(
                f"the position {shown(text)} has the number of seeds {shown(wrong)}; write whole numbers >= 0, such as "
                f"{self.format(self.initial)!r}"
            )
        seeds_of = [[int(number) for number in row] for row in rows]
        if sum(map(sum, seeds_of)) > self.pit:
            raise InputError(f"the position {shown(text)} has more than {self.pit} seeds, the maximum for {self!r}")
        first, second = map(self._row, seeds_of)
        return Seeds(first, second, self.sides.index(side))

    def _row(self, seeds: list[int]) -> int:
        return sum(number << self.seed_bits * house for house, number in enumerate(seeds))

    def __repr__(self) -> str:
        return f"Kalah({self.houses}, {self.seeds})"
