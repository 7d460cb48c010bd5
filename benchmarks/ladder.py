"""The savings of each technique in Connect Four: random positions with 29 to 37 stones, solved to the end on each rung.

    python benchmarks/ladder.py [--positions 3000] [--seed 1]

The rungs are those of a well-known series of lessons (P. Pons, "Solving Connect 4: how to build a perfect AI", 2015):
minimax, alpha-beta, columns near the centre first, and a table. The published means over 1000 other end-game positions are
11,025 : 284 : 140 : 93 nodes. As there, each rung sees immediate wins without a search (foresight of one ply), and
alpha-beta knows that no win can come sooner than with the next stone but one (win_distance). A few positions dominate a
mean, so factors vary between samples: the spread is their standard deviation over bootstrap samples of these positions.
The exit code is 1 if two rungs have different values, or a rung takes more nodes than the one before.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

import bestfirst as bf

PUBLISHED = (11_025, 284, 140, 93)
QUICK: dict[str, Any] = {"foresight": 1, "win_distance": True}
RUNGS = {
    "minimax": bf.Settings.plain("minimax", foresight=1),
    "alpha-beta": bf.Settings.plain(**QUICK),
    "+ centre first": bf.Settings.plain(**QUICK, static_order=True),
    "+ table": bf.Settings.plain(**QUICK, static_order=True, table="1MB"),
}
SAMPLES = 1000


def end_games(game: bf.Game, seed: int) -> Iterator[Any]:
    """Random positions with 29 to 37 stones without an immediate win, now or at the move before."""
    chance = random.Random(seed)
    while True:
        state, stones = game.initial, chance.randint(29, 37)
        for _ in range(stones):
            quiet = [move for move in game.moves(state) if not game.is_over(game.play(state, move))]
            if not quiet:
                break
            state = game.play(state, chance.choice(quiet))
        else:
            if not list(game.winning_moves(state)):
                yield state


def spreads_of(nodes: np.ndarray, seed: int) -> Iterator[float]:
    """For each rung but the last, the standard deviation of the ratio of its mean to the next. nodes: by rung and
    position."""
    count = nodes.shape[1]
    drawn = np.random.default_rng(seed).integers(0, count, (SAMPLES, count))
    sums = np.array([row[drawn].sum(axis=1) for row in nodes])
    yield from (sums[:-1] / sums[1:]).std(axis=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    game = bf.ConnectFour()
    ladder = bf.compare_techniques(
        game, islice(end_games(game, arguments.seed), arguments.positions), depth=None, rungs=RUNGS
    )
    nodes = np.array([rung.nodes for rung in ladder.rungs], float)
    means, published = nodes.mean(axis=1), np.array(PUBLISHED, float)
    factors, spreads = [*(means[:-1] / means[1:]), None], [*spreads_of(nodes, arguments.seed), None]
    print(f"{'technique':16}{'mean nodes':>12}{'/ next':>8}{'spread':>8}{'published':>12}{'/ next':>8}")
    for number, rung in enumerate(ladder.rungs):
        beside = published[number] / published[number + 1] if factors[number] is not None else None
        cells = ["" if value is None else f"{value:.2f}" for value in (factors[number], spreads[number], beside)]
        print(f"{rung.name:16}{means[number]:12,.1f}{cells[0]:>8}{cells[1]:>8}{PUBLISHED[number]:12,}{cells[2]:>8}")
    fine = not ladder.differences and (np.diff(means) < 0).all()
    print(f"values: {'equal on every rung' if not ladder.differences else ladder.differences}")
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
