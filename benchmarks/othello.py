"""Othello in the compiled engine: perft, and end-games solved exactly.

    python benchmarks/othello.py                    # perft 1 .. 10, and end-games of 10 to 16 empty squares
    python benchmarks/othello.py --empties 18 20    # end-games of 18 and 20
    python benchmarks/othello.py --perft 5 --empties 8 --count 1
    python benchmarks/othello.py --ffo 20           # also rates on positions of real games, 20 million nodes each

The end-games are random positions with a fixed seed. End-games of 8 empty squares are solved by both engines, which must
agree on score, line and node count; otherwise the exit code is 1. Times are processor time.
"""

from __future__ import annotations

import argparse
import random
import sys
from time import process_time

import bestfirst as bf
from bestfirst.games import perft
from bestfirst.games.rules.othello import Discs

PERFT = (4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288, 24_571_056)
SETTINGS = bf.Settings.plain("pvs", static_order=True, hash_move=True, table="4MB")
BOTH = 8
LARGE_TABLE = bf.Settings.solver()
FFO = {
    40: "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X",
    41: "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X",
    42: "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X",
    43: "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXXO----XOX----XXXXX- O",
    44: "--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O",
}
"""Five standard test end-games for Othello programs (French Othello Federation), with 20 to 23 empty squares."""


def end_game(empties: int, seed: int) -> Discs:
    """A random unfinished position with this number of empty squares."""
    game, chance = bf.Othello(), random.Random(seed)
    while True:
        state = game.initial
        while not game.is_over(state) and 64 - (state.mine | state.theirs).bit_count() > empties:
            state = game.play(state, chance.choice(game.moves(state)))
        if not game.is_over(state):
            return state  # type: ignore[no-any-return]


def show(*cells: object) -> None:
    """Print a row of a table."""
    print("".join(f"{cell!s:>15}" for cell in cells), flush=True)


def lines_of_play(most: int) -> bool:
    """Print perft up to a depth; return whether the counts are right."""
    show("perft", "lines", "seconds", "M/s")
    right = True
    perft(bf.Othello(), 2, engine="compiled")  # compiles
    for depth, known in enumerate(PERFT[:most], start=1):
        started = process_time()
        lines = perft(bf.Othello(), depth, engine="compiled")
        seconds = process_time() - started
        show(depth, f"{lines:,}", f"{seconds:.3f}", f"{lines / seconds / 1e6:.1f}")
        right &= lines == known
    return right


def end_games(empties: int, count: int) -> None:
    """Solve positions, and print the rates."""
    nodes, seconds, longest = 0, 0.0, 0.0
    for seed in range(count):
        search = bf.analyse(bf.Othello(), end_game(empties, seed), lines=1, settings=SETTINGS, engine="compiled")
        started = process_time()
        nodes += search.run().nodes
        took = process_time() - started
        seconds, longest = seconds + took, max(longest, took)
    show(empties, f"{nodes / count:,.0f}", f"{seconds / count:.3f}", f"{longest:.3f}", f"{nodes / seconds / 1e6:.2f}")


def ffo_rates(millions: int) -> None:
    """Print the rates over the first million nodes of the FFO positions, with a small table and with that of `solver`."""
    show("FFO position", "empty squares", "M nodes/s: 4MB", "solver")
    for number, text in FFO.items():
        board, side = text.split()
        rows = "/".join(board[start : start + 8] for start in range(0, 64, 8))
        rates = []
        for settings in (SETTINGS, LARGE_TABLE):
            limits = bf.GameLimits(nodes=millions * 1_000_000)
            search = bf.analyse(bf.Othello(), f"{rows} {side}", lines=1, settings=settings, limits=limits, engine="compiled")
            started = process_time()
            nodes = search.run().nodes
            rates.append(nodes / (process_time() - started) / 1e6)
        show(number, board.count("-"), *(f"{rate:.1f}" for rate in rates))


def engines_agree(count: int) -> bool:
    """Whether both engines agree."""
    for seed in range(count):
        state = end_game(BOTH, seed)
        found = [
            bf.analyse(bf.Othello(), state, lines=1, settings=SETTINGS, engine=engine).run()
            for engine in ("python", "compiled")
        ]
        if len({(analysis.score, analysis.best.pv, analysis.nodes) for analysis in found}) != 1:
            return False
    return True


def main() -> int:
    """Run the requested parts; return 1 if a result is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--perft", type=int, default=len(PERFT), help=f"greatest depth of perft (default {len(PERFT)})")
    parser.add_argument("--empties", type=int, nargs="*", default=[10, 12, 14, 16], help="empty squares of the end-games")
    parser.add_argument("--count", type=int, default=10, help="end-games of each size (default 10)")
    parser.add_argument("--ffo", type=int, default=0, help="million nodes for each FFO position (default 0)")
    arguments = parser.parse_args()
    if arguments.count < 1:
        parser.error("--count must be at least 1")
    right = lines_of_play(arguments.perft)
    print()
    show("empty squares", "mean nodes", "mean seconds", "most seconds", "M nodes/s")
    for empties in arguments.empties:
        end_games(empties, arguments.count)
    if arguments.ffo > 0:
        print()
        ffo_rates(arguments.ffo)
    agree = engines_agree(min(5, arguments.count))
    print(f"\nboth engines on {BOTH} empty squares: {'equal' if agree else 'DIFFERENT'}")
    return 0 if right and agree else 1


if __name__ == "__main__":
    sys.exit(main())
