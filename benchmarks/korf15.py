"""Korf's 15-puzzles by IDA* with the Manhattan distance: the compiled engine compared with two C programs, in one run.

    python benchmarks/korf15.py               # the instances of at most 5 million nodes
    python benchmarks/korf15.py --most 5.5e5  # the easiest two
    python benchmarks/korf15.py --most 2e8    # instances of at most 200 million
    python benchmarks/korf15.py --all         # all 100: 36.3 billion nodes, minutes on each side
    python benchmarks/korf15.py --least 1e8 --most 3e8 --threads 2    # two threads compared with one
    python benchmarks/korf15.py --repeat 5    # the shortest of five runs, for a busy machine

Every length and count of generated nodes is compared with the table; the exit code is 1 if one differs. The C programs are
compiled with cc -O3 -march=native.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

import bestfirst as bf
from peers import has_compiler, yardstick
from warm_up import warm_up

YARDSTICKS = {"C": "idastar15.c", "best C": "idastar15_best.c"}
INSTANCES = Path(bf.__file__).parent / "experiments" / "specs" / "korf100.csv"


@dataclass(frozen=True)
class Instance:
    """A row of Korf's table."""

    number: int
    optimal: int
    generated: int
    tiles: str


@dataclass(frozen=True)
class Result:
    """The result of one program on an instance."""

    cost: float | None
    generated: int
    seconds: float

    @property
    def rate(self) -> float:
        """Million nodes per second."""
        return self.generated / self.seconds / 1e6

    def __add__(self, other: Result) -> Result:
        """The sum of two results."""
        return Result(0, self.generated + other.generated, self.seconds + other.seconds)


Contestant: TypeAlias = Callable[[Instance], Result]


def read_instances() -> list[Instance]:
    """All rows of the table, in ascending order of nodes."""
    with INSTANCES.open() as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        instances = [Instance(int(r["id"]), int(r["optimal"]), int(r["generated"]), r["tiles"]) for r in rows]
    return sorted(instances, key=lambda instance: instance.generated)


def by_yardstick(program: Path, instance: Instance) -> Result:
    """The result of a C program on an instance."""
    done = subprocess.run([str(program)], input=instance.tiles, capture_output=True, text=True, check=True)
    cost, generated, seconds = done.stdout.split()
    return Result(int(cost), int(generated), float(seconds))


def by_bestfirst(threads: int, instance: Instance) -> Result:
    """The result of the compiled engine on an instance, through the public interface."""
    puzzle = bf.SlidingTile(instance.tiles, goal=range(16))
    solution = bf.solve(puzzle, "idastar", heuristic="manhattan", engine="compiled", threads=threads)
    solution.verify()
    return Result(solution.cost, solution.stats.generated, solution.stats.seconds)


def shortest(contestants: Mapping[str, Contestant], instance: Instance, repeat: int) -> dict[str, Result]:
    """The shortest of several results of each program on an instance, in turns."""
    results = [{name: solve(instance) for name, solve in contestants.items()} for _ in range(repeat)]
    return {name: min((turn[name] for turn in results), key=lambda result: result.seconds) for name in contestants}


def row(first: str, results: Mapping[str, Result]) -> str:
    """The rate of each contestant, and the ratio of the first rate to each other one."""
    mine, *others = results.values()
    cells = [f"{first} {mine.rate:>15.1f}"]
    cells += [f"{other.rate:>10.1f} {mine.rate / other.rate:>6.2f}" for other in others]
    return " ".join(cells)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--least", type=float, default=0, help="skip instances of fewer nodes")
    parser.add_argument("--most", type=float, default=5e6, help="skip instances of more nodes (default 5e6)")
    parser.add_argument("--all", action="store_true", help="skip none")
    parser.add_argument("--threads", type=int, default=1, help="number of worker threads, compared with one")
    parser.add_argument("--repeat", type=int, default=1, help="runs of each instance, in turns (default 1)")
    arguments = parser.parse_args()
    instances = [one for one in read_instances() if arguments.all or arguments.least <= one.generated <= arguments.most]
    contestants: dict[str, Contestant] = {"bestfirst": partial(by_bestfirst, arguments.threads)}
    if arguments.threads > 1:
        contestants["one thread"] = partial(by_bestfirst, 1)
    wrong = 0
    total: dict[str, Result] = {}
    with tempfile.TemporaryDirectory() as directory:
        for name, source in YARDSTICKS.items():
            if has_compiler(source):
                contestants[name] = partial(by_yardstick, yardstick(source, directory))
        for threads in {1, arguments.threads}:
            warm_up(bf.SlidingTile(read_instances()[-1].tiles, goal=range(16)), "manhattan", threads)
        others = " ".join(f"{name:>10} {'ratio':>6}" for name in list(contestants)[1:])
        print(f"million nodes per second\n{'id':>3} {'cost':>4} {'generated':>14} {'bestfirst':>15} {others}")
        for instance in instances:
            results = shortest(contestants, instance, arguments.repeat)
            right = all((one.cost, one.generated) == (instance.optimal, instance.generated) for one in results.values())
            wrong += not right
            total = {name: result + total.get(name, Result(0, 0, 0)) for name, result in results.items()}
            first = f"{instance.number:>3} {instance.optimal:>4} {instance.generated:>14,}"
            print(f"{row(first, results)}{'' if right else '  WRONG'}", flush=True)
    if total:
        print(row(f"all {len(instances):>3} {sum(one.generated for one in instances):>15,}", total))
    print(f"{wrong} of {len(instances)} differ from the table")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
