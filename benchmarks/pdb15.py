"""Pattern databases of the 15-puzzle: what they take to build, and what IDA* does with them beside the published figures.

    python benchmarks/pdb15.py                       # 5-5-5 and 6-6-3: Korf's 100 instances and 100 random ones
    python benchmarks/pdb15.py --names 7-8           # builds 7-8 first, if it is not there: some minutes
    python benchmarks/pdb15.py --random 1000 --names 5-5-5 6-6-3 7-8
    python benchmarks/pdb15.py --hardest --names 7-8 # the 17 boards that need 80 moves

Every cost on Korf's instances is compared with the table, and every one of the hardest with 80; the exit code is 1 if one differs.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from types import MappingProxyType

import bestfirst as bf
from bestfirst.patterns import Policy, database_policy

DATA = Path(__file__).parent / "data"
PUBLISHED: Mapping[str, tuple[float, int]] = MappingProxyType(
    {
        "manhattan": (36.94, 401_189_630),
        "linear-conflict": (38.79, 40_224_625),
        "pdb:5-5-5/unmirrored": (41.56, 3_090_405),
        "pdb:6-6-3": (42.92, 617_555),
        "pdb:7-8": (45.63, 36_710),
    }
)
"""By heuristic: the mean estimate and the mean nodes generated over 1000 random instances (Korf & Felner 2002)."""
MOST = 80


def rows(name: str) -> list[list[str]]:
    """The rows of a table, without comments and headings."""
    with (DATA / name).open() as file:
        return [row for row in csv.reader(file) if row and row[0][0].isdigit()]


def random_boards(count: int, seed: int) -> Iterable[str]:
    """Boards from which the goal can be reached, all of them equally likely."""
    generator = random.Random(seed)
    while count:
        tiles = list(range(16))
        generator.shuffle(tiles)
        if bf.SlidingTile(tiles, range(16)).unsolvable() is None:
            count -= 1
            yield " ".join(map(str, tiles))


def solved(name: str, boards: Sequence[str], goal: Sequence[int], threads: int, costs: Sequence[int | None]) -> bool:
    """Solve boards, and print what that took; whether the costs are those expected."""
    puzzles = [bf.SlidingTile(board, goal) for board in boards]
    bf.solve(puzzles[0], "idastar", name, engine="compiled", threads=threads, limits=bf.Limits(expansions=1))  # compiles
    started = perf_counter()
    solutions = [bf.solve(puzzle, "idastar", name, engine="compiled", threads=threads) for puzzle in puzzles]
    seconds = perf_counter() - started
    generated = sum(solution.stats.generated for solution in solutions)
    estimates = sum(solution.stats.iterations[0].bound for solution in solutions)
    lengths = sum(int(solution.cost or 0) for solution in solutions)
    count = len(boards)
    slowest = max(solution.stats.seconds for solution in solutions)
    print(f"  mean length {lengths / count:.3f}, h {estimates / count:.2f}, generated {generated / count:,.0f}")
    print(f"  {seconds:.2f} s in all, {generated / seconds / 1e6:.1f} M/s, slowest {slowest:.2f} s")
    wrong = [
        board for board, solution, cost in zip(boards, solutions, costs, strict=True) if cost not in (None, solution.cost)
    ]
    for board in wrong:
        print(f"  WRONG COST: {board}")
    return not wrong


def main() -> int:
    """Run the benchmark; 1 if a cost differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--names", nargs="+", default=["5-5-5", "5-5-5/unmirrored", "6-6-3"])
    parser.add_argument("--random", type=int, default=100, metavar="COUNT")
    parser.add_argument("--seed", type=int, default=15)
    parser.add_argument("--hardest", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    korf = rows("korf100.csv")
    right = True
    for heuristic in [name if name in PUBLISHED else f"pdb:{name}" for name in given.names]:
        goal = range(16)
        started = perf_counter()
        with database_policy(Policy(threads=given.threads)):
            bf.solve(bf.SlidingTile(goal, goal), "idastar", heuristic)
        print(f"{heuristic}: loaded or built in {perf_counter() - started:.2f} s")
        print("  Korf's 100 instances:")
        right &= solved(heuristic, [row[-1] for row in korf], goal, given.threads, [int(row[2]) for row in korf])
        if given.random:
            mean, nodes = PUBLISHED.get(heuristic, (0.0, 0))
            published = f"; published: h {mean}, generated {nodes:,}" if nodes else ""
            print(f"  {given.random} random instances, seed {given.seed}{published}:")
            boards = list(random_boards(given.random, given.seed))
            right &= solved(heuristic, boards, goal, given.threads, [None] * len(boards))
        if given.hardest:
            print("  the 17 boards that need 80 moves:")
            boards = [row[0] for row in rows("hardest15.csv")]
            right &= solved(heuristic, boards, [*range(1, 16), 0], given.threads, [MOST] * len(boards))
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
