"""Rubik's cube with the pattern databases of Korf 1997: random scrambles, solved optimally in face turns.

    python benchmarks/rubiks_cube.py                # 12, 13 and 14 turns; builds the databases first, a minute or two
    python benchmarks/rubiks_cube.py --turns 15 16  # minutes, or most of an hour
    python benchmarks/rubiks_cube.py --seed 2 --threads 2
    python benchmarks/rubiks_cube.py --edges 4 --turns 5 6   # with small databases of the first and the last four edges

The databases are the corners (88,179,840 entries, mean 8.764 as published) and two halves of the edges (42,577,920 each).
They are kept with the user's other databases (BESTFIRST_DATA). Each solution is verified; the exit code is 1 if one is
longer than its scramble.
"""

from __future__ import annotations

import argparse
import random
import sys
from time import perf_counter

import bestfirst as bf
from bestfirst.domains.rubiks_cube.problem import EDGES

OPPOSITE = dict(zip("URFDLB", "DLBURF", strict=True))


def scramble(turns: int, seed: int) -> str:
    """Random turns, none of which can be merged with the one before."""
    chance = random.Random(seed)
    made: list[str] = []
    while len(made) < turns:
        face = chance.choice("URFDLB")
        if not made or face not in (made[-1][0], OPPOSITE[made[-1][0]]):
            made.append(face + chance.choice(["", "2", "'"]))
    return " ".join(made)


def patterns(edges: int | None) -> list[bf.Domain]:
    """The patterns of Korf 1997, or the first and the last `edges` edges."""
    cube = bf.RubiksCube("U")
    if edges is None:
        return list(cube.abstractions("korf"))
    return [cube.project(" ".join(names)) for names in (EDGES[:edges], EDGES[-edges:])]


def main() -> int:
    """Run the benchmark; return 1 if a solution cannot be optimal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--turns", type=int, nargs="+", default=[12, 13, 14], help="lengths of the scrambles (default 12 13 14)"
    )
    parser.add_argument("--seed", type=int, default=7, help="random seed of the scrambles (default 7)")
    parser.add_argument("--threads", type=int, default=1, help="number of worker threads (default 1)")
    parser.add_argument("--edges", type=int, choices=range(1, 7), help="use two small databases of this number of edges")
    given = parser.parse_args()
    started = perf_counter()
    databases = [bf.PatternDatabase.build(pattern, threads=given.threads) for pattern in patterns(given.edges)]
    for database in databases:
        print(f"{database!r}, mean {database.mean:.4f}")
    print(f"ready after {perf_counter() - started:.0f} s\n")
    print(f"{'turns':>5} {'fewest':>6} {'generated':>14} {'seconds':>8} {'M/s':>6}  scramble")
    right = True
    for turns in given.turns:
        text = scramble(turns, given.seed)
        cube = bf.RubiksCube(text)
        solution = bf.solve(cube, "idastar", bf.max_of(*databases), engine="compiled", threads=given.threads, prune=2)
        solution.verify()
        right &= solution.cost is not None and solution.cost <= turns
        stats = solution.stats
        rate = stats.generated / stats.seconds / 1e6
        print(f"{turns:>5} {solution.cost:>6} {stats.generated:>14,} {stats.seconds:>8.1f} {rate:>6.2f}  {text}", flush=True)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
