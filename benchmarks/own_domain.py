"""A user's own domain (the pancakes of docs/compiled.md) in both engines: the same searches, and their speed.

    python benchmarks/own_domain.py
    python benchmarks/own_domain.py --pancakes 7    # only the seven smallest of each stack

Both engines must agree on cost and counts; otherwise the run stops with exit code 1. Process time is measured.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from time import process_time
from typing import Any, NamedTuple

import bestfirst as bf


class Pancakes(bf.Domain):
    """A stack of up to 15 pancakes, four bits each, the top one lowest."""

    class State(NamedTuple):
        """The stack."""

        stack: int

    unit_cost = True
    default_heuristic = "gap"

    def __init__(self, stack: Sequence[int]) -> None:
        self.max_actions = len(stack) - 1  # action k flips the top k + 2
        self.initial = self.State(sum(pancake << 4 * place for place, pancake in enumerate(stack)))
        self.goal = sum(place + 1 << 4 * place for place in range(len(stack)))

    def step(self, state: State, action: int) -> Any:
        top = action + 2
        stack = state.stack >> 4 * top << 4 * top
        for place in range(top):
            stack |= (state.stack >> 4 * place & 15) << 4 * (top - 1 - place)
        return True, self.State(stack), 1

    def is_goal(self, state: State) -> bool:
        return state.stack == self.goal

    @bf.heuristic(admissible=True, consistent=True)
    def gap(self, state: State) -> int:
        """The number of adjacent pairs that are not adjacent in the goal."""
        gaps = 0
        for place in range(self.max_actions):
            gaps += abs((state.stack >> 4 * place & 15) - (state.stack >> 4 * place + 4 & 15)) != 1
        return gaps


STACKS = {
    "astar": [10, 4, 7, 13, 11, 8, 9, 5, 3, 6, 12, 2, 1, 15, 14],
    "idastar": [8, 1, 6, 3, 10, 5, 2, 9, 4, 7, 12, 11],
    "uniform-cost": [5, 1, 6, 3, 8, 4, 2, 7],
}


@dataclass(frozen=True)
class Run:
    """The result of one engine on an instance."""

    solution: bf.Solution
    seconds: float


def run(stack: Sequence[int], algorithm: str, engine: str, turns: int) -> Run:
    """The best of several turns."""
    best = None
    for _ in range(turns):
        started = process_time()
        solution = bf.solve(Pancakes(stack), algorithm, engine=engine)
        seconds = process_time() - started
        if best is None or seconds < best.seconds:
            best = Run(solution, seconds)
    assert best is not None
    return best


def main() -> int:
    """Run the benchmark; 1 if the engines differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pancakes", type=int, default=15, help="use the smallest pancakes of each stack (default 15, all)")
    given = parser.parse_args()
    if given.pancakes < 2:
        parser.error("--pancakes must be at least 2")
    print(f"{'algorithm':<14}{'cost':>5}{'generated':>12}{'python M/s':>12}{'compiled M/s':>14}{'factor':>8}")
    for algorithm, whole in STACKS.items():
        stack = [pancake for pancake in whole if pancake <= given.pancakes]
        bf.solve(Pancakes(stack), algorithm, engine="compiled")  # compiles
        compiled, reference = run(stack, algorithm, "compiled", 5), run(stack, algorithm, "python", 2)
        counts = [(one.solution.cost, one.solution.stats.generated) for one in (compiled, reference)]
        if counts[0] != counts[1]:
            print(f"{algorithm}: the engines differ: {counts}")
            return 1
        cost, generated = counts[0]
        print(
            f"{algorithm:<14}{cost:>5}{generated:>12,}{generated / reference.seconds / 1e6:>12.3f}"
            f"{generated / compiled.seconds / 1e6:>14.2f}{reference.seconds / compiled.seconds:>8.0f}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
