"""What each technique saves in Connect Four: random positions with 29 to 37 stones, solved to the end on each rung.

    python benchmarks/ladder.py [--positions 50] [--seed 1]

The rungs are those of a well-known series of lessons (P. Pons, "Solving Connect 4: how to build a perfect AI", 2015): minimax,
alpha-beta, the columns near the centre first, and a table; there 11,025 : 284 : 140 : 93 positions on the mean of its end-game
positions, which are others. Exit code 1 if two rungs have different values, or a rung takes more than the one before.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from itertools import islice
from statistics import fmean
from typing import Any

import bestfirst as bf

PUBLISHED = (11_025, 284, 140, 93)
RUNGS = {
    "minimax": bf.Settings.plain("minimax"),
    "alpha-beta": bf.Settings.plain(),
    "+ centre first": bf.Settings.plain(static_order=True),
    "+ table": bf.Settings.plain(static_order=True, table="64MB"),
}


def end_games(game: bf.Game, seed: int) -> Iterator[Any]:
    """Random positions with 29 to 37 stones to which no move led that would have ended the game."""
    chance = random.Random(seed)
    while True:
        state, stones = game.initial, chance.randint(29, 37)
        for _ in range(stones):
            quiet = [move for move in game.moves(state) if not game.is_over(game.play(state, move))]
            if not quiet:
                break
            state = game.play(state, chance.choice(quiet))
        else:
            yield state


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    game = bf.ConnectFour()
    ladder = bf.compare_techniques(
        game, islice(end_games(game, arguments.seed), arguments.positions), depth=None, rungs=RUNGS
    )
    means = [fmean(rung.nodes) for rung in ladder.rungs]
    print(f"{'technique':16}{'mean nodes':>12}{'/ next':>8}{'published':>12}{'/ next':>8}")
    for number, rung in enumerate(ladder.rungs):
        factors = [
            f"{row[number] / row[number + 1]:8.2f}" if number + 1 < len(row) else " " * 8 for row in (means, PUBLISHED)
        ]
        print(f"{rung.name:16}{means[number]:12,.1f}{factors[0]}{PUBLISHED[number]:12,}{factors[1]}")
    fine = not ladder.differences and means == sorted(means, reverse=True)
    print(f"values: {'the same on every rung' if not ladder.differences else ladder.differences}")
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
