"""A problem with options, for the command line: bestfirst solve examples/coins.py "1 5 12" --amount 15."""

from __future__ import annotations

from collections.abc import Iterator

import bestfirst as bf


class Coins(bf.Problem):
    """Pay an amount with as few coins as possible. State: what is left to pay."""

    unit_cost = True

    def __init__(self, coins: tuple[int, ...] = (1, 2, 5, 10, 20, 50), amount: int = 80) -> None:
        self.coins = coins
        self.initial = amount

    def is_goal(self, state: int) -> bool:
        return state == 0

    def successors(self, state: int) -> Iterator[tuple[int, int, int]]:
        for coin in self.coins:
            if coin <= state:
                yield -coin, state - coin, 1


if __name__ == "__main__":
    print(bf.solve(Coins()))
