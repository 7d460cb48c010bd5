"""The 24-puzzle by IDA* with the pattern databases 6-6-6-6: the 50 instances of Korf & Felner, in ascending order of nodes.

Compared with a C program for the same search, in the same run; it takes a gigabyte of memory, and is compiled with
cc -O3 -march=native.

    python benchmarks/pdb24.py                            # the two instances below 100 million nodes
    python benchmarks/pdb24.py --most 1e9 --threads 2     # instances below a thousand million
    python benchmarks/pdb24.py --without-c --only 25 32   # these two
    python benchmarks/pdb24.py --names 6-6-6-6/regions    # with the regions of the blank: different counts, fewer nodes
    python benchmarks/pdb24.py --names 4-4-4-4-4-4 --moves 60    # a board 60 random moves from the goal

Missing tables are built first: four of 127,512,000 entries; 6-6-6-6/spread spreads them out in a gigabyte of memory, like
the C program. Every length must equal the published one; with 6-6-6-6, spread out or not, the generated nodes must be the
published ones plus one, the start. Both must equal those of the C program, which runs if all patterns have the same number
of tiles. The exit code is 1 if one differs.
Rates are per second of processor time of all threads together: the rate of one thread.
"""

from __future__ import annotations

import argparse
import csv
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from time import perf_counter, process_time

import bestfirst as bf
from bestfirst.domains.sliding_tile.databases import Choice, database_of, lookups
from bestfirst.domains.sliding_tile.estimate import shapes
from bestfirst.patterns import Policy, database_policy
from peers import has_compiler, yardstick

INSTANCES = Path(__file__).parent / "data" / "korf24.csv"
SAME_SEARCH = ("6-6-6-6", "6-6-6-6/spread")
"""The databases of the published counts."""

YARDSTICK = "idastar24.c"
MOST_PATTERNS = 8
"""Maximum number of patterns on a side, in the C program."""


@contextmanager
def running_yardstick(choice: Choice) -> Iterator[subprocess.Popen[str]]:
    """The C program, after reading the tables."""
    with tempfile.TemporaryDirectory() as directory:
        program = yardstick(YARDSTICK, directory, f"-DTILES={choice.counts[0]}")
        with subprocess.Popen([str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
            assert running.stdin is not None
            running.stdin.write(tables_of_yardstick(choice))
            yield running
            running.stdin.close()


def has_yardstick(choice: Choice) -> bool:
    """Whether the C program supports the same search."""
    alike = len(set(choice.counts)) == 1 and len(choice.counts) <= MOST_PATTERNS and not choice.regions
    return alike and has_compiler(YARDSTICK)


def tables_of_yardstick(choice: Choice) -> str:
    """The first input of the C program: see its head."""
    alternatives = lookups((5, 5), 0, choice)
    order = shapes(alternatives)
    lines = [str(len(order)), *(str(database_of(shape, regions=False).path / "table.npy") for shape in order)]
    lines += [str(len(alternatives[side]) if side < len(alternatives) else 0) for side in range(2)]
    patterns = [pattern for alternative in alternatives for pattern in alternative]
    lines += [" ".join(map(str, [order.index(one.shape), *one.goals, *one.frame])) for one in patterns]
    return "\n".join(lines) + "\n"


def by_yardstick(running: subprocess.Popen[str], tiles: str) -> tuple[int, int, float]:
    """The result of the C program on an instance: cost, nodes generated, and million expansions per second."""
    given, told = running.stdin, running.stdout
    assert given is not None and told is not None
    given.write(tiles + "\n")
    given.flush()
    cost, generated, expanded, seconds = told.readline().split()
    return int(cost), int(generated), int(expanded) / float(seconds) / 1e6


def solve(row: Mapping[str, str], given: argparse.Namespace, name: str, c: subprocess.Popen[str] | None) -> bool:
    """Solve an instance and print the statistics; return False if length or count differ from the published ones or from
    C."""
    puzzle = bf.SlidingTile(row["tiles"], range(25))
    limits = bf.Limits(seconds=given.seconds)
    options = {"prune": given.prune} if given.prune else {}
    started = process_time()
    found = bf.solve(puzzle, "idastar", f"pdb:{name}", engine="compiled", threads=given.threads, limits=limits, **options)
    stats = found.stats
    rate = stats.expanded / (process_time() - started) / 1e6
    print(f"  #{row['id']:>2}: {found.status}, length {found.cost}, generated {stats.generated:,}, ", end="")
    print(f"expanded {stats.expanded:,}, {stats.seconds:.1f} s, {rate:.2f} M expansions/s", end="", flush=True)
    lengths, counts = set(), set()  # of all programs: they must agree on the length, and equal searches on the count
    if "optimal" in row:
        lengths.add(int(row["optimal"]))
        counts |= {int(row["korf_felner_nodes"]) + 1} if name in SAME_SEARCH else set()
    if found.status == "optimal":
        lengths.add(int(found.cost or 0))
        counts |= set() if given.prune else {stats.generated}
    if c is not None:
        cost, generated, c_rate = by_yardstick(c, row["tiles"])
        print(f"; C {c_rate:.2f}, ratio {rate / c_rate:.2f}", end="")
        lengths.add(cost)
        counts.add(generated)
    right = len(lengths) <= 1 and len(counts) <= 1
    print("" if right else "  WRONG", flush=True)
    return right


def moved(count: int) -> Mapping[str, str]:
    """A board `count` random moves from the goal, none of which undoes the one before."""
    puzzle, chance = bf.SlidingTile(range(25), range(25)), random.Random(count)
    before, board = None, puzzle.initial
    for _ in range(count):
        others = [state for _, state, _ in puzzle.successors(board) if state != before]
        before, board = board, chance.choice(others)
    return {"id": "-", "tiles": " ".join(map(str, board))}


def chosen(given: argparse.Namespace) -> Sequence[Mapping[str, str]]:
    """The instances to solve, in ascending order of nodes."""
    if given.moves is not None:
        return [moved(given.moves)]
    with INSTANCES.open() as file:
        instances = list(csv.DictReader(line for line in file if not line.startswith("#")))
    instances.sort(key=lambda row: int(row["korf_felner_nodes"]))
    if given.only:
        return [row for row in instances if row["id"] in given.only]
    return [row for row in instances if int(row["korf_felner_nodes"]) <= given.most]


def main() -> int:
    """Run the benchmark; return 1 if a length or a count differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--names", nargs="+", default=list(SAME_SEARCH))
    parser.add_argument("--most", type=float, default=1e8, help="Maximum published nodes of the instances.")
    parser.add_argument("--only", nargs="+", help="The numbers of the instances to solve.")
    parser.add_argument("--moves", type=int, help="Solve a board this number of random moves from the goal instead.")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=None, help="Time limit of each instance.")
    parser.add_argument("--prune", type=int, default=0, help="Maximum length of pruned operator sequences.")
    parser.add_argument("--without-c", action="store_true")
    given = parser.parse_args()
    right = True
    for name in given.names:
        started = perf_counter()
        with database_policy(Policy(threads=given.threads)):
            bf.solve(bf.SlidingTile(range(25), range(25)), "idastar", f"pdb:{name}", engine="compiled")
        print(f"pdb:{name}: loaded or built in {perf_counter() - started:.2f} s")
        choice = Choice.from_name(name)
        with running_yardstick(choice) if not given.without_c and has_yardstick(choice) else nullcontext() as c:
            for row in chosen(given):
                right &= solve(row, given, name, c)
    print("all results right" if right else "some results WRONG")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
