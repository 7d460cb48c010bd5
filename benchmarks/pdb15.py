"""Pattern databases of the 15-puzzle: build times, and the results of IDA* compared with published figures.

    python benchmarks/pdb15.py                       # 5-5-5 and 6-6-3: Korf's 100 instances and 100 random ones
    python benchmarks/pdb15.py --names 7-8           # builds 7-8 first, if missing: a few minutes
    python benchmarks/pdb15.py --random 1000 --korf 0 --names 5-5-5/unmirrored 6-6-3 7-8  # published table: a few minutes
    python benchmarks/pdb15.py --random 1000 --korf 0 --names linear-conflict  # more of it: about 40 minutes
    python benchmarks/pdb15.py --random 1000 --korf 0 --names manhattan  # and the rest: 2 hours (see --keep)
    python benchmarks/pdb15.py ... --keep results.csv  # appends a line for each board; boards in the file are not solved again
    python benchmarks/pdb15.py --names 4-4-4-3 --korf 2 --random 2  # small tables, a few seconds
    python benchmarks/pdb15.py --hardest --names 7-8  # the 17 boards that need 80 moves
    python benchmarks/pdb15.py --compress --names 7-8 --random 0  # keeps the tables in 4 bits per entry

Means are printed with their standard errors; those of random instances also with their distance from the published means, in
standard errors of the difference; h also as the difference to the Manhattan distance, which varies less between samples.
Every cost on Korf's instances is compared with the table, and on the hardest boards with 80; the exit code is 1 if one
differs.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections.abc import Iterable, Mapping, Sequence
from math import nan
from pathlib import Path
from statistics import mean, stdev
from time import perf_counter
from types import MappingProxyType
from typing import NamedTuple

import bestfirst as bf
from bestfirst.patterns import Policy, database_policy
from warm_up import warm_up

KORF = Path(bf.__file__).parent / "experiments" / "specs" / "korf100.csv"
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
PUBLISHED_INSTANCES, LENGTH = 1000, 52.522
MOST = 80


def rows(table: Path) -> list[list[str]]:
    """The rows of a table, without comments and headings."""
    with table.open() as file:
        return [row for row in csv.reader(file) if row and row[0][0].isdigit()]


def random_boards(count: int, seed: int) -> Iterable[str]:
    """Uniformly random solvable boards."""
    generator = random.Random(seed)
    while count:
        tiles = list(range(16))
        generator.shuffle(tiles)
        if bf.SlidingTile(tiles, range(16)).unsolvable() is None:
            count -= 1
            yield " ".join(map(str, tiles))


def beside(what: str, values: Sequence[float], published: float | None) -> str:
    """A mean with its standard error, and a published mean over 1000 other instances."""
    spread = stdev(values) if len(values) > 1 else nan
    error = spread / len(values) ** 0.5
    text = f"{what} {mean(values):,.2f} +- {error:,.2f}"
    if published is None or spread == 0:
        return text
    of_both = spread * (1 / len(values) + 1 / PUBLISHED_INSTANCES) ** 0.5
    return f"{text} (published {published:,.2f}: {(mean(values) - published) / of_both:+.1f} standard errors)"


class Found(NamedTuple):
    """The result for a board. seconds: the time of its search."""

    cost: int
    h: int
    manhattan: int
    generated: int
    seconds: float


class Results:
    """Results by board and heuristic, kept line by line in a file, if one is given."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._found: dict[tuple[str, ...], Found] = {}
        if file is not None and file.exists():
            with file.open() as lines:
                for name, board, goal, cost, h, manhattan, generated, seconds in csv.reader(lines):
                    self._found[name, board, goal] = Found(int(cost), int(h), int(manhattan), int(generated), float(seconds))

    def of(self, name: str, board: str, goal: Sequence[int], threads: int) -> Found:
        """The stored result for a board, or a new one by IDA*."""
        key = name, board, " ".join(map(str, goal))
        if key not in self._found:
            puzzle = bf.SlidingTile(board, goal)
            solution = bf.solve(puzzle, "idastar", name, engine="compiled", threads=threads)
            assert solution.cost is not None
            found = Found(
                int(solution.cost),
                int(solution.stats.iterations[0].bound),
                int(puzzle.manhattan(puzzle.initial)),
                solution.stats.generated,
                solution.stats.seconds,
            )
            self._found[key] = found
            if self._file is not None:
                with self._file.open("a", newline="") as lines:
                    csv.writer(lines).writerow([*key, *found[:-1], f"{found.seconds:.4f}"])
        return self._found[key]


def solved(
    name: str,
    boards: Sequence[str],
    goal: Sequence[int],
    threads: int,
    costs: Sequence[int | None],
    results: Results,
    *,
    published: bool = False,
) -> bool:
    """Solve boards, print statistics, and return whether the costs are right. published: compare with the published
    means."""
    puzzles = [bf.SlidingTile(board, goal) for board in boards]
    hardest = max(puzzles, key=lambda puzzle: puzzle.manhattan(puzzle.initial))
    warm_up(hardest, name, threads)
    found = [results.of(name, board, goal, threads) for board in boards]
    seconds = sum(one.seconds for one in found)
    generated = sum(one.generated for one in found)
    estimates = [one.h for one in found]
    more = [one.h - one.manhattan for one in found]
    slowest = max(one.seconds for one in found)
    h, nodes = PUBLISHED.get(name, (None, None)) if published else (None, None)
    manhattan = PUBLISHED["manhattan"][0]
    print(f"  {beside('mean length', [one.cost for one in found], LENGTH if published else None)}")
    print(f"  {beside('h', estimates, h)}")
    print(f"  {beside('h - manhattan', more, None if h is None else h - manhattan)}")
    print(f"  {beside('generated', [one.generated for one in found], nodes)}")
    print(f"  {seconds:.2f} s of searches, {generated / seconds / 1e6:.1f} M/s, slowest {slowest:.2f} s")
    wrong = [board for board, one, cost in zip(boards, found, costs, strict=True) if cost not in (None, one.cost)]
    for board in wrong:
        print(f"  WRONG COST: {board}")
    return not wrong


def compress(heuristic: str) -> None:
    """Build the tables of a heuristic with 4 bits per entry, or compress existing ones."""
    puzzle = bf.SlidingTile(range(16), range(16))
    for abstract in puzzle.abstractions(heuristic.removeprefix("pdb:")):
        bf.PatternDatabase.build(abstract, compress=True)


def main() -> int:
    """Run the benchmark; return 1 if a cost differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--names", nargs="+", default=["5-5-5", "5-5-5/unmirrored", "6-6-3"])
    parser.add_argument("--korf", type=int, default=100, metavar="COUNT")
    parser.add_argument("--random", type=int, default=100, metavar="COUNT")
    parser.add_argument("--seed", type=int, default=15)
    parser.add_argument("--hardest", action="store_true")
    parser.add_argument("--compress", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--keep", type=Path, metavar="FILE")
    given = parser.parse_args()
    korf = rows(KORF)[: given.korf]
    results = Results(given.keep)
    right = True
    for heuristic in [name if name in PUBLISHED else f"pdb:{name}" for name in given.names]:
        goal = range(16)
        started = perf_counter()
        if given.compress and heuristic.startswith("pdb:"):
            compress(heuristic)
        with database_policy(Policy(threads=given.threads)):
            bf.solve(bf.SlidingTile(goal, goal), "idastar", heuristic)
        print(f"{heuristic}: loaded or built in {perf_counter() - started:.2f} s")
        if korf:
            print(f"  {len(korf)} of Korf's 100 instances:")
            right &= solved(
                heuristic, [row[-1] for row in korf], goal, given.threads, [int(row[2]) for row in korf], results
            )
        if given.random:
            print(f"  {given.random} random instances, seed {given.seed}:")
            boards = list(random_boards(given.random, given.seed))
            right &= solved(heuristic, boards, goal, given.threads, [None] * len(boards), results, published=True)
        if given.hardest:
            print("  the 17 boards that need 80 moves:")
            boards = [row[0] for row in rows(DATA / "hardest15.csv")]
            right &= solved(heuristic, boards, [*range(1, 16), 0], given.threads, [MOST] * len(boards), results)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
