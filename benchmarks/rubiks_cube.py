"""Rubik's cube with the pattern databases of Korf 1997: random scrambles, solved in the fewest turns of faces.

    python benchmarks/rubiks_cube.py                # 12, 13 and 14 turns; builds the databases first, a minute or two
    python benchmarks/rubiks_cube.py --turns 15 16  # minutes, and the better part of an hour
    python benchmarks/rubiks_cube.py --seed 2 --threads 2

The databases are the corners (88,179,840 entries, mean 8.764 as published) and two halves of the edges (42,577,920 each). They are
kept with the others of the user (BESTFIRST_DATA). Each solution is verified.
"""

from __future__ import annotations

import argparse
import random
from time import perf_counter

import bestfirst as bf
from bestfirst.patterns import Policy, database_policy

OPPOSITE = dict(zip("URFDLB", "DLBURF", strict=True))


def scramble(turns: int, seed: int) -> str:
    """So many random turns, none of which can be put together with the one before."""
    chance = random.Random(seed)
    made: list[str] = []
    while len(made) < turns:
        face = chance.choice("URFDLB")
        if not made or face not in (made[-1][0], OPPOSITE[made[-1][0]]):
            made.append(face + chance.choice(["", "2", "'"]))
    return " ".join(made)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, nargs="+", default=[12, 13, 14], help="of the scrambles (default 12 13 14)")
    parser.add_argument("--seed", type=int, default=7, help="of the scrambles (default 7)")
    parser.add_argument("--threads", type=int, default=1, help="of the builds and the searches (default 1)")
    given = parser.parse_args()
    started = perf_counter()
    with database_policy(Policy(threads=given.threads)):
        for pattern in bf.RubiksCube("U").abstractions("korf"):
            database = bf.PatternDatabase.build(pattern, threads=given.threads)
            print(f"{database!r}, mean {database.mean:.4f}")
        print(f"ready after {perf_counter() - started:.0f} s\n")
        print(f"{'turns':>5} {'fewest':>6} {'generated':>14} {'seconds':>8} {'M/s':>6}  scramble")
        for turns in given.turns:
            text = scramble(turns, given.seed)
            solution = bf.solve(
                bf.RubiksCube(text), "idastar", "pdb:korf", engine="compiled", threads=given.threads, prune=2
            )
            solution.verify()
            stats = solution.stats
            rate = stats.generated / stats.seconds / 1e6
            print(
                f"{turns:>5} {solution.cost:>6} {stats.generated:>14,} {stats.seconds:>8.1f} {rate:>6.2f}  {text}",
                flush=True,
            )


if __name__ == "__main__":
    main()
