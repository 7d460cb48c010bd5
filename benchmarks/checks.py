"""The cost of the checks in compiled methods: the same searches with and without them (`unchecked`), in turns.

    python benchmarks/checks.py
    python benchmarks/checks.py --expansions 20000 --repeat 1

A ratio of 1.10 says that a search takes 10 % longer with checks. Counts must agree; the exit code is 1 otherwise. Times are
the least process time of several runs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from time import process_time
from typing import Any, NamedTuple

import numpy as np

import bestfirst as bf
from own_domain import Pancakes

HARD = "14 13 15 7 11 12 9 5 6 _ 2 1 4 8 10 3"


class HalfGap(Pancakes):
    """The pancakes with half the estimate, for a long search."""

    default_heuristic = "half"
    unit_cost = True

    @bf.heuristic(admissible=True, consistent=True)
    def half(self, state: Pancakes.State) -> int:
        """Half the gaps."""
        gaps = 0
        for place in range(self.max_actions):
            gaps += abs((state.stack >> 4 * place & 15) - (state.stack >> 4 * place + 4 & 15)) != 1
        return gaps // 2


class Grid(bf.Domain):
    """A user's own map: tables of bytes, four neighbours."""

    class State(NamedTuple):
        """A cell."""

        x: int
        y: int

    max_actions = 4

    def __init__(self, side: int) -> None:
        random = np.random.default_rng(0)
        self.free = random.random((side, side)) > 0.25
        self.cost = random.integers(1, 9, (side, side)).astype(np.uint8)
        self.dx, self.dy = np.array([0, 1, 0, -1]), np.array([1, 0, -1, 0])
        self.side = side
        self.initial = self.State(0, 0)

    def step(self, state: State, action: int) -> Any:
        x, y = state.x + self.dx[action], state.y + self.dy[action]
        if x < 0 or y < 0 or x >= self.side or y >= self.side or not self.free[x, y]:
            return False, state, 1
        return True, self.State(x, y), self.cost[x, y]

    def is_goal(self, state: State) -> bool:
        return state.x == self.side - 1 and state.y == self.side - 1

    @bf.heuristic(admissible=True)
    def distance(self, state: State) -> int:
        """The Manhattan distance to the goal."""
        return abs(self.side - 1 - state.x) + abs(self.side - 1 - state.y)


def unchecked(domain: Any) -> Any:
    """The same domain without checks."""
    domain.unchecked = True
    return domain


SEARCHES: dict[str, tuple[Callable[[], Any], str, str]] = {
    "pancakes, IDA*": (lambda: HalfGap([2, 4, 1, 3, 6, 8, 5, 7, 10, 12, 9, 11, 14, 13]), "idastar", "half"),
    "own grid, A*": (lambda: Grid(1000), "astar", "distance"),
    "packed tiles, IDA*": (lambda: bf.SlidingTile(HARD, goal=range(16)).domain(), "idastar", "manhattan"),
    "packed tiles, A*": (lambda: bf.SlidingTile(HARD, goal=range(16)).domain(), "astar", "manhattan"),
}


def timed(domain: Any, algorithm: str, heuristic: str, expansions: int) -> tuple[float, tuple[int, int]]:
    """The seconds of a search, and its counts."""
    search = bf.Search(domain, algorithm, heuristic, engine="compiled", verify=False)
    search.run(bf.Limits(expansions=1))
    started = process_time()
    stats = search.run(bf.Limits(expansions=expansions)).stats
    return process_time() - started, (stats.expanded, stats.generated)


def main() -> int:
    """Print a line for each search."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--expansions", type=int, default=1_000_000, help="maximum number of expansions of each search")
    parser.add_argument("--repeat", type=int, default=5, help="number of runs of each search")
    parser.add_argument("--only", default="", help="only the searches whose names begin with this")
    options = parser.parse_args()
    differ = False
    print(f"{'search':<22}{'expanded':>12}{'checked':>10}{'unchecked':>11}{'ratio':>7}")
    for name, (make, algorithm, heuristic) in SEARCHES.items():
        if not name.startswith(options.only):
            continue
        best = [float("inf"), float("inf")]
        counts = set()
        for _ in range(options.repeat):
            for place, domain in enumerate((make(), unchecked(make()))):
                seconds, found = timed(domain, algorithm, heuristic, options.expansions)
                best[place] = min(best[place], seconds)
                counts.add(found)
        differ |= len(counts) > 1
        ratio = best[0] / best[1] if best[1] else float("nan")
        print(f"{name:<22}{max(counts)[0]:>12,}{best[0]:>9.3f}s{best[1]:>10.3f}s{ratio:>7.2f}")
    return int(differ)


if __name__ == "__main__":
    sys.exit(main())
