"""Pattern databases of TopSpin and pancakes with and without dual lookups: estimates and nodes of IDA*.

    python benchmarks/dual_lookups.py                            # builds the tables first; less than a minute
    python benchmarks/dual_lookups.py --pieces 8 --instances 2   # small tables, a few seconds

All costs of one puzzle must be equal; otherwise the exit code is 1.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence

import bestfirst as bf

SEED = 3


def shuffled(pieces: int) -> list[int]:
    """A random permutation of the pieces."""
    order = list(range(1, pieces + 1))
    random.shuffle(order)
    return order


def measured(problems: Sequence[bf.Problem], heuristic: str) -> list[int]:
    """Solve instances, print the statistics, and return the costs."""
    solutions = [bf.solve(problem, "idastar", heuristic, engine="compiled") for problem in problems]
    estimate = sum(solution.stats.iterations[0].bound for solution in solutions) / len(solutions)
    generated = sum(solution.stats.generated for solution in solutions)
    print(f"{problems[0].name():<10} {heuristic:<14} mean h {estimate:5.2f}  generated {generated:>11,}", flush=True)
    return [int(solution.cost or 0) for solution in solutions]


def main() -> int:
    """Run the benchmark; return 1 if costs differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instances", type=int, default=20, help="instances of each puzzle (default 20)")
    parser.add_argument(
        "--pieces", type=int, default=12, help="pieces of each puzzle, an even number of at least 8 (default 12)"
    )
    given = parser.parse_args()
    if given.pieces % 2 or given.pieces < 8 or given.instances < 1:
        parser.error("--pieces must be an even number of at least 8, --instances at least 1")
    random.seed(SEED)
    rings = [bf.TopSpin(shuffled(given.pieces), turnstile=4) for _ in range(given.instances)]
    stacks = [bf.Pancake(shuffled(given.pieces)) for _ in range(given.instances)]
    half = given.pieces // 2
    of_rings = [f"{half + 1}-{half - 2}", f"{half}-{half - 1}"]  # one piece of a ring can be fixed
    of_stacks = [f"{half}-{half}", f"{half + 1}-{half - 1}"]
    right = True
    for problems, names in ((rings, of_rings), (stacks, of_stacks)):
        costs = measured(problems, "gap")
        for name in names:
            for heuristic in (f"pdb:{name}", f"pdb:{name}/dual"):
                right &= measured(problems, heuristic) == costs
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
