"""IDA* with duplicate operator sequences pruned: nodes and seconds, for problems with and without sure duplicates.

    python benchmarks/pruning.py              # about two minutes, most of them the towers without pruning
    python benchmarks/pruning.py --discs 6    # smaller towers: a few seconds

All costs of one problem must be equal; otherwise the exit code is 1.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from time import perf_counter

import bestfirst as bf
from bestfirst.search.operator_sequences.automaton import has_sure_strings, move_automaton

SEED = 7
KORF_12 = "14 1 9 6 4 8 12 5 7 2 3 _ 10 11 13 15"


def open_map(side: int) -> bf.GridMap:
    """A square map with obstacles in a tenth of the cells, from corner to corner."""
    chosen = random.Random(SEED)
    rows = [["@" if chosen.random() < 0.1 else "." for _ in range(side)] for _ in range(side)]
    rows[0][0] = rows[-1][-1] = "."
    return bf.GridMap("\n".join(map("".join, rows)), (0, 0), (side - 1, side - 1))


def measured(problem: bf.Problem, heuristic: str, prunes: Sequence[int]) -> set[float]:
    """Solve a problem with sequences pruned up to these lengths, print statistics, and return the costs."""
    how = "named states" if has_sure_strings(problem) else "looked up"
    costs = set()
    for prune in prunes:
        started = perf_counter()
        strings = len(move_automaton(problem, prune).rows) if prune else 0
        learned = perf_counter() - started
        solution = bf.solve(problem, "idastar", heuristic, engine="compiled", prune=prune)
        stats = solution.stats
        print(
            f"{problem.name():<16} {how:<13} prune {prune:>2}  automaton {strings:>6,} in {learned:5.2f} s  "
            f"generated {stats.generated:>14,} in {stats.seconds:6.2f} s",
            flush=True,
        )
        costs.add(round(solution.cost or 0, 6))
    return costs


def main() -> int:
    """Run the benchmark; return 1 if costs differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--discs", type=int, default=7, help="discs of the towers on four pegs, 2 .. 8 (default 7)")
    parser.add_argument(
        "--longest", type=int, default=10, help="length of pruned sequences of tile moves, 2 .. 12 (default 10)"
    )
    parser.add_argument("--side", type=int, default=14, help="side of the map (default 14)")
    given = parser.parse_args()
    if not (2 <= given.discs <= 8 and 2 <= given.longest <= 12 and given.side >= 2):
        parser.error("--discs must be 2 .. 8, --longest 2 .. 12, and --side at least 2")
    tiles = bf.SlidingTile(KORF_12, goal=range(16))
    tower = bf.TowersOfHanoi(given.discs, pegs=4)
    right = len(measured(tower, "blocking", (0, 2, 3, 4, 5))) == 1
    right &= len(measured(open_map(given.side), "octile", (0, 2, 4, 6))) == 1
    right &= len(measured(tiles, "manhattan", (0, given.longest // 2, given.longest))) == 1
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
