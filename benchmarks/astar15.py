"""Korf's 15-puzzles by A* with the Manhattan distance: the compiled engine compared with C++, DIDPPy and a bare loop.

    python benchmarks/astar15.py                  # four instances of 0.15 to 4 million expansions
    python benchmarks/astar15.py --more           # 16 more
    python benchmarks/astar15.py --repeat 9
    python benchmarks/astar15.py --repeat 1 --only 12    # only instance 12, of 32,409 expansions
    python benchmarks/astar15.py --threads 2      # two threads compared with one, by wall-clock time

All programs are measured in one run. Expansions and generated nodes of bestfirst and of the C++ program must be equal;
otherwise the exit code is 1. The C++ program is compiled with c++ -O3 -march=native. README.md explains the columns.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import bestfirst as bf
from bare_loop import bare_loop
from korf15 import Instance, read_instances
from peers import has_compiler, peer, yardstick

YARDSTICK = "astar15.cpp"
SELECTED = 19, 13, 83, 2
MORE = 79, 55, 71, 38, 16, 39, 46, 5, 20, 8, 44, 75, 29, 80, 100, 50
MOST_OF_SLOW = 200_000
"""Maximum expansions of instances for the slow programs: DIDPPy takes a kilobyte per state."""
MEMORY = "6GB"
ONE, SEVERAL = "one thread, by wall-clock time", "several threads"
CELLS = range(16)
SIDE = 4


@dataclass(frozen=True)
class Result:
    """The result of one program on an instance. bytes_per_state: 0 if unknown."""

    cost: float | None
    expanded: int
    generated: int
    seconds: float
    bytes_per_state: float = 0

    @property
    def rate(self) -> float:
        """Million expansions per second."""
        return self.expanded / self.seconds / 1e6


Side = Callable[[Instance], Result]


def by_bestfirst(instance: Instance) -> Result:
    """The compiled engine, through the public interface."""
    puzzle = bf.SlidingTile(instance.tiles, goal=CELLS)
    started = process_time()
    solution = bf.solve(puzzle, "astar", "manhattan", engine="compiled", limits=bf.Limits(memory=MEMORY))
    seconds = process_time() - started
    solution.verify()
    stats = solution.stats
    assert stats.peak_memory is not None
    stored = stats.generated - stats.duplicates
    return Result(solution.cost, stats.expanded, stats.generated, seconds, stats.peak_memory / stored)


def by_threads(threads: int, instance: Instance) -> Result:
    """The compiled engine with several threads; the time is wall-clock time."""
    puzzle = bf.SlidingTile(instance.tiles, goal=CELLS)
    started = perf_counter()
    solution = bf.solve(puzzle, "astar", "manhattan", engine="compiled", threads=threads)
    seconds = perf_counter() - started
    solution.verify()
    return Result(solution.cost, solution.stats.expanded, solution.stats.generated, seconds)


def by_yardstick(program: Path) -> Side:
    """The C++ program."""

    def solve(instance: Instance) -> Result:
        done = subprocess.run([str(program)], input=instance.tiles, capture_output=True, text=True, check=True)
        cost, expanded, generated, seconds, bytes_per_state = done.stdout.split()
        return Result(int(cost), int(expanded), int(generated), float(seconds), float(bytes_per_state))

    return solve


def by_didppy(instance: Instance) -> Result:
    """CAASDy, A* for dynamic programming models: a variable for each cell, the Manhattan distance as dual bound."""
    import didppy  # noqa: PLC0415  (an optional dependency)

    model = didppy.Model(maximize=False)
    tile = model.add_object_type(number=len(CELLS))
    start = [int(text) for text in instance.tiles.split()]
    cells = [model.add_element_var(object_type=tile, target=start[cell]) for cell in CELLS]
    for blank in CELLS:
        for cell in CELLS:
            if _distance(blank, cell) == 1:
                model.add_transition(_move(didppy, cells, blank, cell))
    model.add_base_case([cells[cell] == cell for cell in CELLS])
    distances = [model.add_int_table([_distance(home, cell) if home else 0 for home in CELLS]) for cell in CELLS]
    model.add_dual_bound(sum((distances[cell][cells[cell]] for cell in CELLS[1:]), distances[0][cells[0]]))
    started = process_time()
    solution = didppy.CAASDy(model, quiet=True).search()
    return Result(solution.cost, solution.expanded, solution.generated, process_time() - started)


def _move(didppy: Any, cells: list[Any], blank: int, cell: int) -> Any:
    return didppy.Transition(
        name=f"{cell} to {blank}",
        cost=1 + didppy.IntExpr.state_cost(),
        preconditions=[cells[blank] == 0],
        effects=[(cells[blank], cells[cell]), (cells[cell], 0)],
    )


def _distance(cell: int, other: int) -> int:
    return abs(cell // SIDE - other // SIDE) + abs(cell % SIDE - other % SIDE)


def by_bare_loop(instance: Instance) -> Result:
    """A Python loop without an engine."""
    puzzle = bf.SlidingTile(instance.tiles, goal=CELLS)
    started = process_time()
    cost, expanded = bare_loop(puzzle)
    return Result(cost, expanded, 0, process_time() - started)


def best_of(sides: dict[str, Side], instance: Instance, repeat: int) -> dict[str, Result]:
    """The fastest result of each program, in turns."""
    found: dict[str, Result] = {}
    for _ in range(repeat):
        for name, side in sides.items():
            result = side(instance)
            if name not in found or result.seconds < found[name].seconds:
                found[name] = result
    return found


def report(instance: Instance, found: dict[str, Result]) -> bool:
    """Print a row; return whether all programs agree."""
    ours = found["bestfirst"]
    agree = all(result.cost == instance.optimal for result in found.values())
    columns = f"{instance.number:>3} {ours.cost:>4} {ours.expanded:>10,} {ours.rate:>9.2f} {ours.bytes_per_state:>6.1f}"
    if "C++" in found:
        theirs = found["C++"]
        agree = agree and (ours.expanded, ours.generated) == (theirs.expanded, theirs.generated)
        columns += f" {theirs.rate:>8.2f} {theirs.bytes_per_state:>6.1f} {ours.rate / theirs.rate:>6.2f}"
    else:
        columns += f" {'-':>8} {'-':>6} {'-':>6}"
    for name in ("DIDPPy", "bare loop"):
        if name in found:
            columns += f" {found[name].rate:>9.3f} {ours.rate / found[name].rate:>6.1f}"
        else:
            columns += f" {'-':>9} {'-':>6}"
    if SEVERAL in found:
        several, one = found[SEVERAL], found[ONE]
        columns += f" {several.expanded:>10,} {several.rate:>8.2f} {one.seconds / several.seconds:>6.2f}"
    print(columns + ("" if agree else "  DIFFERENT"), flush=True)
    return agree


def main() -> int:
    """Run the benchmark; return 1 if two programs disagree."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--more", action="store_true", help="16 more instances")
    parser.add_argument("--repeat", type=int, default=3, help="turns of each program, of which the best is used (default 3)")
    parser.add_argument("--threads", type=int, default=1, help="number of worker threads, compared with one (default 1)")
    parser.add_argument("--only", type=int, nargs="+", choices=range(1, 101), metavar="ID", help="only these of Korf's 100")
    arguments = parser.parse_args()
    if arguments.repeat < 1:
        parser.error("--repeat must be at least 1")
    if arguments.threads < 1:
        parser.error("--threads must be at least 1")
    numbers = arguments.only or SELECTED + (MORE if arguments.more else ())
    instances = {instance.number: instance for instance in read_instances()}
    fast: dict[str, Side] = {"bestfirst": by_bestfirst}
    slow: dict[str, Side] = {"DIDPPy": by_didppy, "bare loop": by_bare_loop}
    if peer("didppy") is None:
        del slow["DIDPPy"]
    by_bestfirst(instances[12])  # compile before the clock starts
    if arguments.threads > 1:
        fast |= {ONE: partial(by_threads, 1), SEVERAL: partial(by_threads, arguments.threads)}
        by_threads(arguments.threads, instances[12])
    agree = True
    totals: dict[str, float] = {}
    expanded = 0
    with tempfile.TemporaryDirectory() as directory:
        if has_compiler(YARDSTICK):
            fast["C++"] = by_yardstick(yardstick(YARDSTICK, directory, "-std=c++17"))
        print(
            f"{'id':>3} {'cost':>4} {'expanded':>10} {'bestfirst':>9} {'bytes':>6} {'C++':>8} {'bytes':>6} {'ratio':>6}"
            f" {'DIDPPy':>9} {'ratio':>6} {'bare loop':>9} {'ratio':>6}"
            + (f" {'expanded':>10} {'threads':>8} {'ratio':>6}" if arguments.threads > 1 else "")
        )
        for number in numbers:
            found = best_of(fast, instances[number], arguments.repeat)
            if found["bestfirst"].expanded <= MOST_OF_SLOW:
                found |= best_of(slow, instances[number], 1)
            agree &= report(instances[number], found)
            expanded += found["bestfirst"].expanded
            for name in fast:
                totals[name] = totals.get(name, 0) + found[name].seconds
    if arguments.threads > 1:
        one, several = totals.pop(ONE), totals.pop(SEVERAL)
        print(f"{arguments.threads} threads: {one / several:.2f} times as fast as one")
    rates = [f"{name} {expanded / seconds / 1e6:.2f}" for name, seconds in totals.items()]
    if "C++" in totals:
        rates.append(f"ratio {totals['C++'] / totals['bestfirst']:.2f}")
    print(f"million expansions per second: {', '.join(rates)}")
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
