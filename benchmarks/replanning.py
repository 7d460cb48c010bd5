"""A path on a grid whose cells turn out blocked: Replanner (D* Lite) compared with new searches by both engines, in one run.

    python benchmarks/replanning.py                # 400 x 400, a fifth of it blocked, 30 changes
    python benchmarks/replanning.py --size 1000

README.md explains the numbers.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from math import isclose
from statistics import mean, median
from time import process_time
from typing import Any, TypeVar

import numpy as np

import bestfirst as bf

_Result = TypeVar("_Result")
AHEAD = 0.02, 0.5
"""Where cells are blocked: so far along the rest of the path."""


def solvable_grid(size: int, engine: str | None) -> bf.GridMap:
    """A square map with a fifth of its cells blocked, and a path from its upper left to its lower right."""
    for seed in range(100):
        grid = bf.GridMap(np.random.default_rng(seed).random((size, size)) >= 0.2, (0, 0), (size - 1, size - 1))
        if bf.solve(grid, engine=engine):
            return grid
    raise SystemExit("no map has a path")


def timed(function: Callable[[], _Result]) -> tuple[_Result, float]:
    """The result of a function, and its milliseconds of processor time."""
    started = process_time()
    result = function()
    return result, 1000 * (process_time() - started)


def walk(grid: bf.GridMap, ahead: float, changes: int, compiled: bool) -> None:
    """Move along the path, with three cells of it blocked after every third step, and print a row."""
    robot = bf.Replanner(grid)
    path, first = timed(robot.solution)
    times: dict[str, list[float]] = {"change": [], "replan": [], "python": [], "compiled": []}
    again, anew = [], []
    for number in range(changes):
        for state in path.states[1:4]:
            robot.move(state)
        place = 5 + int(ahead * len(path.states))
        blocked = [grid.point(state) for state in path.states[place : place + 6 : 2] if state != path.states[-1]]
        now = robot.problem.with_cells(blocked=blocked)
        if not blocked or not bf.solve(now, engine="compiled" if compiled else None):
            now = robot.problem  # the cells are the only way
        times["change"].append(timed(lambda now=now: robot.change(now))[1])  # type: ignore[misc]
        path, milliseconds = timed(robot.solution)
        times["replan"].append(milliseconds)
        again.append(path.stats.expanded)
        engines = ["compiled"] * compiled + ["python"] * (number % 10 == 0)
        for engine in engines:
            fresh: Any
            fresh, milliseconds = timed(lambda engine=engine: bf.solve(robot.problem, "astar", engine=engine))  # type: ignore[misc]
            times[engine].append(milliseconds)
            anew.append(fresh.stats.expanded)
            if not isclose(fresh.cost, path.cost or 0):
                raise SystemExit(f"the replanned path costs {path.cost}, a new one {fresh.cost}")
    shown = [f"{name} {median(values):.1f} (mean {mean(values):.1f}) ms" for name, values in times.items() if values]
    print(f"blocked {ahead:.0%} ahead: expanded {median(again):,.0f} (mean {mean(again):,.0f}) of {mean(anew):,.0f}")
    print(f"  first path {first:.0f} ms; {', '.join(shown)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--size", type=int, default=400, help="rows and columns")
    parser.add_argument("--changes", type=int, default=30)
    parser.add_argument("--without-compiled", action="store_true", help="only the reference engine")
    arguments = parser.parse_args()
    grid = solvable_grid(arguments.size, "python" if arguments.without_compiled else "compiled")
    for ahead in AHEAD:
        walk(grid, ahead, arguments.changes, not arguments.without_compiled)


if __name__ == "__main__":
    main()
