"""Korf's 15-puzzles by IDA* with the Manhattan distance: the compiled engine beside a C program, in one run.

    python benchmarks/korf15.py               # the instances of at most 5 million nodes
    python benchmarks/korf15.py --most 2e8    # those of at most 200 million
    python benchmarks/korf15.py --all         # all 100: 36.3 billion nodes, minutes on each side

Every length and every count of generated nodes is compared with the table; the exit code is 1 if one differs. The C program
is compiled on the spot with cc -O3 -march=native.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import bestfirst as bf

HERE = Path(__file__).parent
YARDSTICK = HERE / "yardsticks" / "idastar15.c"
INSTANCES = HERE / "data" / "korf100.csv"


@dataclass(frozen=True)
class Instance:
    """A row of Korf's table."""

    number: int
    optimal: int
    generated: int
    tiles: str


@dataclass(frozen=True)
class Result:
    """What one side made of an instance."""

    cost: float | None
    generated: int
    seconds: float


def read_instances() -> list[Instance]:
    """All rows of the table, those with the fewest nodes first."""
    with INSTANCES.open() as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        instances = [Instance(int(r["id"]), int(r["optimal"]), int(r["generated"]), r["tiles"]) for r in rows]
    return sorted(instances, key=lambda instance: instance.generated)


def compile_yardstick(directory: str) -> Path:
    """The C program, compiled."""
    program = Path(directory) / "idastar15"
    subprocess.run(["cc", "-O3", "-march=native", "-o", str(program), str(YARDSTICK)], check=True)
    return program


def by_yardstick(program: Path, instance: Instance) -> Result:
    """What the C program makes of an instance."""
    done = subprocess.run([str(program)], input=instance.tiles, capture_output=True, text=True, check=True)
    cost, generated, seconds = done.stdout.split()
    return Result(int(cost), int(generated), float(seconds))


def by_bestfirst(instance: Instance) -> Result:
    """What the compiled engine makes of it, through the public interface."""
    puzzle = bf.SlidingTile(instance.tiles, goal=range(16))
    solution = bf.solve(puzzle, "idastar", heuristic="manhattan", engine="compiled")
    solution.verify()
    return Result(solution.cost, solution.stats.generated, solution.stats.seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=float, default=5e6, help="leave out instances of more nodes (default 5e6)")
    parser.add_argument("--all", action="store_true", help="leave out none")
    arguments = parser.parse_args()
    instances = [one for one in read_instances() if arguments.all or one.generated <= arguments.most]
    by_bestfirst(instances[0])  # compile before the clock starts
    wrong = 0
    ours, theirs = [], []
    print(f"{'id':>3} {'cost':>4} {'generated':>14} {'bestfirst M/s':>14} {'C M/s':>8} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as directory:
        program = compile_yardstick(directory)
        for instance in instances:
            mine, its = by_bestfirst(instance), by_yardstick(program, instance)
            expected = (instance.optimal, instance.generated)
            right = (mine.cost, mine.generated) == (its.cost, its.generated) == expected
            wrong += not right
            ours.append(mine)
            theirs.append(its)
            print(
                f"{instance.number:>3} {mine.cost:>4} {mine.generated:>14,} {mine.generated / mine.seconds / 1e6:>14.1f} "
                f"{its.generated / its.seconds / 1e6:>8.1f} {its.seconds / mine.seconds:>6.2f}{'' if right else '  WRONG'}",
                flush=True,
            )
    nodes = sum(result.generated for result in ours)
    mine_seconds, its_seconds = (sum(result.seconds for result in side) for side in (ours, theirs))
    print(
        f"{len(ours)} instances, {nodes:,} nodes: bestfirst {nodes / mine_seconds / 1e6:.1f} M/s, "
        f"C {nodes / its_seconds / 1e6:.1f} M/s, ratio {its_seconds / mine_seconds:.2f}; {wrong} differ from the table"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
