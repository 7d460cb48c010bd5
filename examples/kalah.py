"""Kalah: a game whose board is two tuples, written in plain Python, and solved at compiled speed."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import bestfirst as bf


class Kalah(bf.GameDomain):
    """Each side has some houses with seeds, and a store. A move empties a house, and sows its seeds one by one."""

    class State(NamedTuple):
        """The seeds of the side to move, and of the other side: in its houses, in the order of sowing, and in its store."""

        mine: tuple[int, ...]
        theirs: tuple[int, ...]
        side: int

    bits: Mapping[str, int] = MappingProxyType(
        {"mine": 7, "theirs": 7, "side": 1}
    )  # up to 127 seeds; a row of nine fits into a word
    identity = ("mine", "theirs")  # the value of a position does not depend on who is called first
    alternates = False
    counts_points = True

    def __init__(self, houses: int, seeds: int) -> None:
        self.houses = houses
        row = (*[seeds] * houses, 0)
        self.initial = self.State(row, row, 0)

    def legal(self, state: State) -> int:
        """Move n empties house n, counted from 1."""
        moves = 0
        for house in range(self.houses):
            if state.mine[house] > 0:
                moves |= 1 << house + 1
        return moves

    def play(self, state: State, move: int) -> State:
        mine = list(state.mine)
        theirs = list(state.theirs)
        pit, store = move - 1, self.houses
        seeds, mine[pit] = mine[pit], 0
        while seeds > 0:
            pit = (pit + 1) % (2 * self.houses + 1)  # own houses, own store, their houses; never their store
            if pit <= store:
                mine[pit] += 1
            else:
                theirs[pit - store - 1] += 1
            seeds -= 1
        opposite = store - 1 - pit
        if pit < store and mine[pit] == 1 and theirs[opposite] > 0:  # the last seed fell into an empty house of one's own
            mine[store] += 1 + theirs[opposite]
            mine[pit] = 0
            theirs[opposite] = 0
        if pit == store:  # the last seed fell into the store: the same side moves again
            return self.State(tuple(mine), tuple(theirs), state.side)
        return self.State(tuple(theirs), tuple(mine), 1 - state.side)

    def is_over(self, state: State) -> bool:
        return sum(state.mine) == state.mine[self.houses]

    def score(self, state: State) -> int:
        """The other side keeps the seeds in its houses."""
        return sum(state.mine) - sum(state.theirs)

    def evaluate(self, state: State) -> int:
        return state.mine[self.houses] - state.theirs[self.houses]

    def side_to_move(self, state: State) -> int:
        return state.side

    def draw(self, state: State) -> str:
        """The board as the side to move sees it."""
        upper = " ".join(f"{seeds:>2}" for seeds in reversed(state.theirs))
        lower = " ".join(f"{seeds:>2}" for seeds in state.mine)
        return f"{upper}\n   {lower}"


if __name__ == "__main__":
    # with 3 houses and 1 to 6 seeds in each: draw, win, win, win, win, loss, as in Irving, Donkers and Uiterwijk (2000)
    for seeds in range(1, 7):
        analysis = bf.analyse(Kalah(3, seeds), lines=1).run()
        print(f"Kalah(3, {seeds}): {analysis.score}, by move {analysis.lines[0].move}")
    game = Kalah(4, 3)
    print(game.draw(game.parse("2 3")))
