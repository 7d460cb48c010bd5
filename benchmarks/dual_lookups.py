"""Pattern databases of TopSpin and pancakes, without and with the dual of each state: estimates and nodes of IDA*.

    python benchmarks/dual_lookups.py        # builds the tables first; less than a minute

All costs with one puzzle must be the same; the exit code is 1 if one differs.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence

import bestfirst as bf

INSTANCES, PIECES, SEED = 20, 12, 3


def shuffled() -> list[int]:
    """A random order of the pieces."""
    order = list(range(1, PIECES + 1))
    random.shuffle(order)
    return order


def measured(problems: Sequence[bf.Problem], heuristic: str) -> list[int]:
    """Solve instances, and print what that took; their costs."""
    solutions = [bf.solve(problem, "idastar", heuristic, engine="compiled") for problem in problems]
    estimate = sum(solution.stats.iterations[0].bound for solution in solutions) / len(solutions)
    generated = sum(solution.stats.generated for solution in solutions)
    print(f"{problems[0].name():<10} {heuristic:<14} mean h {estimate:5.2f}  generated {generated:>11,}", flush=True)
    return [int(solution.cost or 0) for solution in solutions]


def main() -> int:
    """Run the benchmark; 1 if costs differ."""
    random.seed(SEED)
    rings = [bf.TopSpin(shuffled(), turnstile=4) for _ in range(INSTANCES)]
    stacks = [bf.Pancake(shuffled()) for _ in range(INSTANCES)]
    names = {"7-4": rings, "6-5": rings, "6-6": stacks, "7-5": stacks}
    right = True
    for problems in (rings, stacks):
        costs = measured(problems, "gap")
        for name in (name for name, group in names.items() if group is problems):
            for heuristic in (f"pdb:{name}", f"pdb:{name}/dual"):
                right &= measured(problems, heuristic) == costs
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
