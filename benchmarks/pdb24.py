"""The 24-puzzle by IDA* with the pattern databases 6-6-6-6: the 50 instances of Korf & Felner, those with the fewest nodes first.

    python benchmarks/pdb24.py                            # the two of fewer than 100 million nodes
    python benchmarks/pdb24.py --most 1e9 --threads 2     # those of fewer than a thousand million
    python benchmarks/pdb24.py --names 6-6-6-6/regions    # with the regions of the blank: other counts, fewer nodes

The tables are built first, if they are not there: four of 127,512,000 entries. Every length must be the published one; with 6-6-6-6
the generated nodes must be the published ones too, and one more, the start. The exit code is 1 if one differs.
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path
from time import perf_counter

import bestfirst as bf
from bestfirst.patterns import Policy, database_policy

INSTANCES = Path(__file__).parent / "data" / "korf24.csv"
SAME_SEARCH = "6-6-6-6"
"""The databases with which the published counts were made."""


def main() -> int:
    """Run the benchmark; 1 if a length or a count differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--names", nargs="+", default=[SAME_SEARCH])
    parser.add_argument("--most", type=float, default=1e8, help="Published nodes of the instances to solve.")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=None, help="For each instance.")
    given = parser.parse_args()
    with INSTANCES.open() as file:
        instances = list(csv.DictReader(line for line in file if not line.startswith("#")))
    instances.sort(key=lambda row: int(row["korf_felner_nodes"]))
    right = True
    for name in given.names:
        started = perf_counter()
        with database_policy(Policy(threads=given.threads)):
            bf.solve(bf.SlidingTile(range(25), range(25)), "idastar", f"pdb:{name}")
        print(f"pdb:{name}: loaded or built in {perf_counter() - started:.2f} s")
        for row in instances:
            if int(row["korf_felner_nodes"]) > given.most:
                break
            puzzle = bf.SlidingTile(row["tiles"], range(25))
            limits = bf.Limits(seconds=given.seconds)
            found = bf.solve(puzzle, "idastar", f"pdb:{name}", engine="compiled", threads=given.threads, limits=limits)
            stats = found.stats
            rate = stats.expanded / stats.seconds / 1e6
            print(f"  #{row['id']:>2}: {found.status}, length {found.cost}, generated {stats.generated:,}, ", end="")
            print(f"expanded {stats.expanded:,}, {stats.seconds:.1f} s, {rate:.2f} M expansions/s", flush=True)
            if found.status == "optimal":
                right &= found.cost == int(row["optimal"])
                right &= name != SAME_SEARCH or stats.generated == int(row["korf_felner_nodes"]) + 1
    print("as published" if right else "NOT as published")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
