"""Anytime search on two workers: a portfolio compared with one worker, and with two threads of one search.

    python benchmarks/portfolio.py                    # the default portfolio, on three domains
    python benchmarks/portfolio.py --seconds 60
    python benchmarks/portfolio.py --trial            # other portfolios as well

One worker has anytime beam search, the first member of the default portfolio. Two threads of the same search do at least what
two processes with parts of its beam could do; nothing has to start for them. For each: the time and the cost of the first
solution, the best cost after some of the seconds, and the lower bound at the end. The ratio is the cost at the end beside that
of one worker. All code is compiled before anything is timed; the times include the start of the workers.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Sequence

import bestfirst as bf
from bestfirst.models import TSPTW
from optimisation import generated

LARGE = "large-neighbourhood-beam"
BEAM, WEIGHTED = "anytime-beam", "anytime-weighted-astar --weight 5"
TRIALS = {
    "beam, large": [BEAM, LARGE],
    "beam, weighted": [BEAM, WEIGHTED],
    "large, discrepancies": [LARGE, "limited-discrepancy"],
    "large, weighted": [LARGE, WEIGHTED],
}
FEW = bf.Limits(expansions=20_000)


def problems() -> dict[str, bf.Problem]:
    """An instance of each domain, too hard to be solved within a minute."""
    return {
        "tour with time windows, 70 places": wide_tour(1, 70, 1500),
        "weighted tardiness, 90 jobs": generated(2, 90)["weighted-tardiness, 90 jobs"],
        "24-puzzle": bf.SlidingTile("14 5 9 2 18 8 23 19 12 17 15 _ 10 20 4 6 11 21 1 7 24 3 16 22 13", goal=range(25)),
    }


def wide_tour(seed: int, size: int, width: int) -> TSPTW:
    """A random tour with so many places and wide time windows."""
    chance = random.Random(seed)
    at = [(chance.randrange(100), chance.randrange(100)) for _ in range(size)]
    distances = [[round(((x - p) ** 2 + (y - q) ** 2) ** 0.5) for p, q in at] for x, y in at]
    opens, closes, time, here = [0] * size, [10**6] * size, 0, 0
    for place in chance.sample(range(1, size), size - 1):
        time, here = time + distances[here][place], place
        opens[place], closes[place] = max(0, time - chance.randrange(width)), time + chance.randrange(width)
    return TSPTW(distances, opens, closes)


def searches(*, trial: bool) -> dict[str, Callable[[bf.Problem, bf.Limits], bf.Solution]]:
    """What is compared, by name."""

    def threads(problem: bf.Problem, limits: bf.Limits) -> bf.Solution:
        return bf.solve(problem, BEAM, _heuristic(problem), threads=2, limits=limits)

    def portfolio(members: Sequence[str] | None) -> Callable[[bf.Problem, bf.Limits], bf.Solution]:
        workers = 2 if members is None else None
        return lambda problem, limits: bf.solve(
            problem, bf.Portfolio(members), _heuristic(problem), workers=workers, limits=limits
        )

    found = {"one worker": portfolio([BEAM]), "two threads": threads, "portfolio": portfolio(None)}
    return found | {name: portfolio(members) for name, members in TRIALS.items() if trial}


def _heuristic(problem: bf.Problem) -> str | None:
    """Manhattan distance for the puzzle, which otherwise builds pattern databases; for others the default."""
    return "manhattan" if isinstance(problem, bf.SlidingTile) else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--trial", action="store_true")
    parser.add_argument("--only", default="", help="a part of the name of a domain")
    asked = parser.parse_args()
    compared = searches(trial=asked.trial)
    marks = [asked.seconds / 10, asked.seconds / 3, asked.seconds]
    for name, problem in problems().items():
        if asked.only not in name:
            continue
        for search in compared.values():
            search(problem, FEW)  # compiles
        print(
            f"{name}\n{'':22}{'first':>16}",
            *(f"{f'{mark:.3g} s':>9}" for mark in marks),
            f"{'bound':>9} {'ratio':>7}  status",
        )
        usual = None
        for what, search in compared.items():
            solution = search(problem, bf.Limits(seconds=asked.seconds))
            solution.verify()
            entries = [entry for entry in solution.history if entry.cost is not None]
            first = f"{entries[0].cost:g} in {entries[0].seconds:.2f} s" if entries else "-"
            costs = [next((entry.cost for entry in reversed(entries) if entry.seconds <= mark), None) for mark in marks]
            usual = usual or solution.cost
            ratio = "-" if not usual or solution.cost is None else f"{solution.cost / usual:.3f}"
            told = (f"{'-' if cost is None else f'{cost:g}':>9}" for cost in costs)
            print(f"  {what:20}{first:>16}", *told, f"{solution.lower_bound:>9g} {ratio:>7}  {solution.status}", flush=True)


if __name__ == "__main__":
    main()
