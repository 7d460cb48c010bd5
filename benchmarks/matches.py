"""Matches with an expected result: a deep engine against a shallow one, and alpha-beta against Monte Carlo tree search.

    python benchmarks/matches.py [--games 100] [--seconds 0.05] [--deep 8]
    python benchmarks/matches.py --games 2 --seconds 0.01 --deep 4

The exit code is 1 unless the deep engine wins all its games. The result of the timed match depends on the machine and is
only reported.
"""

from __future__ import annotations

import argparse
import sys

import bestfirst as bf


def show(result: bf.Match) -> None:
    """Print a line on standard error after each pair of games."""
    if len(result.games) % 2 == 0:
        print(result, file=sys.stderr, flush=True)


def deep_against_shallow(games: int, deep: int) -> bool:
    """Othello: the engine at a depth against itself at depth 2; it must win all games."""
    players = [bf.EnginePlayer(bf.GameLimits(depth=depth), name=f"depth {depth}", engine="compiled") for depth in (deep, 2)]
    result = bf.match(bf.Othello(), *players, games=games, watch=show)
    print(f"othello: {result}")
    return result.wins == len(result.games)


def alpha_beta_against_monte_carlo(games: int, seconds: float) -> None:
    """Connect Four with equal time per move: an SPRT of whether alpha-beta is 100 Elo stronger rather than 0."""
    bf.analyse(bf.ConnectFour(), limits=bf.GameLimits(depth=4), engine="compiled").run()  # before the clock starts
    engine = bf.EnginePlayer(bf.GameLimits(seconds=seconds), name=f"alpha-beta, {seconds:g} s", engine="compiled")
    chance = bf.MonteCarloPlayer(seconds=seconds, seed=1, name=f"mcts, {seconds:g} s")
    result = bf.match(bf.ConnectFour(), engine, chance, games=games, sprt=bf.Sprt(elo0=0, elo1=100), watch=show)
    print(f"connect-four: {result}")
    taken = [[0.0, 0], [0.0, 0]]
    for number, played in enumerate(result.games):
        for mover, spent in zip(played.movers, played.seconds, strict=False):
            own = taken[(mover + number) % 2]
            own[0] += spent
            own[1] += 1
    print(f"seconds per move: alpha-beta {taken[0][0] / taken[0][1]:.3f}, mcts {taken[1][0] / taken[1][1]:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100, help="maximum number of games, even")
    parser.add_argument("--seconds", type=float, default=0.05, help="seconds per move in Connect Four")
    parser.add_argument("--deep", type=int, default=8, help="depth of the stronger player in Othello")
    arguments = parser.parse_args()
    alpha_beta_against_monte_carlo(arguments.games, arguments.seconds)
    sys.exit(0 if deep_against_shallow(arguments.games, arguments.deep) else 1)


if __name__ == "__main__":
    main()
