"""Planning tasks, compared with Fast Downward and pyperplan: nodes expanded, seconds of search, and ratios of these.

    python benchmarks/planning.py                                    # ten tasks, four searches: half an hour
    python benchmarks/planning.py --tasks blocks sokoban --searches blind hmax
    python benchmarks/planning.py --without pyperplan                # a few minutes
    python benchmarks/planning.py --small                            # the tasks of examples/planning

Needs the translator (fast-downward-translate). README.md explains the numbers. The exit code is 1 if a count or a cost is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import geometric_mean
from time import process_time
from typing import Any

import bestfirst as bf
from bestfirst.planning import Task, examples, sas
from peers import peer

Size = dict[str, int]
TASKS: dict[str, tuple[Size, Size, Size]] = {
    "blocks": ({"blocks": 8}, {"blocks": 12}, {"blocks": 22}),
    "gripper": ({"balls": 9}, {"balls": 7}, {"balls": 60}),
    "logistics": (
        {"packages": 5},
        {"packages": 9},
        {"packages": 14, "cities": 5, "places": 3, "aeroplanes": 2},
    ),
    "satellite": (
        {"satellites": 2, "images": 6, "directions": 7},
        {"satellites": 2, "images": 9, "directions": 10},
        {"satellites": 5, "instruments": 3, "images": 30, "directions": 30},
    ),
    "visitall": (
        {"rows": 5, "columns": 5, "holes": 3},
        {"rows": 6, "columns": 6, "holes": 5},
        {"rows": 14, "columns": 14, "holes": 20},
    ),
    "sokoban": (
        {"rows": 8, "columns": 8, "boxes": 3, "walls": 10},
        {"rows": 9, "columns": 9, "boxes": 3, "walls": 12},
        {"rows": 8, "columns": 8, "boxes": 3, "walls": 10},
    ),
    "miconic": (
        {"passengers": 7, "floors": 8},
        {"passengers": 14, "floors": 12},
        {"passengers": 40, "floors": 40},
    ),
    "depots": (
        {"crates": 6, "depots": 3},
        {"crates": 7, "depots": 3},
        {"crates": 8, "depots": 3, "trucks": 2},
    ),
    "zenotravel": (
        {"people": 4, "cities": 4},
        {"people": 6, "cities": 5, "levels": 4},
        {"people": 25, "cities": 12, "levels": 5, "aeroplanes": 4},
    ),
    "transport": (
        {"packages": 4, "places": 8},
        {"packages": 4, "places": 8},
        {"packages": 12, "places": 20, "trucks": 3},
    ),
}
"""By domain: the sizes for blind search and hmax, for lmcut, and for ff, so that Fast Downward takes up to some seconds."""
SEARCHES = {
    "blind": (0, "astar", "astar(blind())"),
    "hmax": (0, "astar", "astar(hmax())"),
    "lmcut": (1, "astar", "astar(lmcut())"),
    "ff": (2, "greedy", "eager_greedy([ff()])"),
}
"""By heuristic: which of the sizes, the algorithm of bestfirst, and the search of Fast Downward."""
EXACT = ("blind", "hmax")
"""Heuristics with which all tie-breaking is settled, so that the counts must be equal."""
SHORT = 1.0
"""Seconds of a search below which it is repeated."""


@dataclass(frozen=True)
class Found:
    """What a program found. until: nodes expanded with a smaller f than the cost of the plan, if it says so."""

    cost: int
    expanded: int
    seconds: float
    until: int | None = None


@dataclass(frozen=True)
class Files:
    """A task in a directory: PDDL, and what the translator made of it."""

    domain: Path
    problem: Path
    sas: Path


def files_of(name: str, size: Size, directory: Path) -> Files:
    """Write a task, and translate it."""
    domain, problem = examples.write(name, directory, **size)
    command = [sys.executable, "-m", "fast_downward.translate", str(domain), str(problem), "--sas-file", "output.sas"]
    same = {**os.environ, "PYTHONHASHSEED": "0"}  # the same files always give the same task
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=directory, env=same)
    return Files(domain, problem, directory / "output.sas")


def by_bestfirst(task: Task, search: str, engine: str, seconds: float) -> Found | None:
    """None at the limit. The time is that of the search, or the processor time of everything, if that is less."""
    started = process_time()
    solution = bf.solve(task, SEARCHES[search][1], search, engine=engine, limits=bf.Limits(seconds=seconds))
    spent = process_time() - started
    if not solution:
        return None
    solution.verify()
    return Found(int(solution.cost or 0), solution.stats.expanded, min(spent, solution.stats.seconds))


def by_fast_downward(program: Path, files: Files, search: str, seconds: float) -> Found | None:
    """What its program prints: its search time is processor time, and begins when the heuristic is ready. None at the limit.

    It counts the goal as expanded, which is taken away here.
    """
    try:
        with files.sas.open() as text, tempfile.TemporaryDirectory() as directory:
            done = subprocess.run(
                [str(program), "--search", SEARCHES[search][2]],
                stdin=text,
                capture_output=True,
                text=True,
                check=True,
                cwd=directory,
                timeout=seconds,
            )
    except subprocess.TimeoutExpired:
        return None
    until = re.search(r"Expanded until last jump: (\d+) state", done.stdout)
    return Found(
        int(_number(r"Plan cost: (\d+)", done.stdout)),
        int(_number(r"Expanded (\d+) state", done.stdout)) - 1,
        _number(r"Search time: ([\d.e+-]+)s", done.stdout),
        int(until[1]) if until else None,
    )


def _number(pattern: str, text: str) -> float:
    found = re.search(pattern, text)
    if found is None:
        raise SystemExit(f"Fast Downward prints nothing like {pattern!r}")
    return float(found[1])


def by_pyperplan(files: Files, search: str, seconds: float) -> Found | None:
    """None at the limit."""
    script = Path(__file__).parent / "yardsticks" / "pyperplan_search.py"
    command = [sys.executable, str(script), str(files.domain), str(files.problem), search]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
    found: dict[str, Any] = json.loads(done.stdout)
    return Found(found["cost"], found["expanded"] - 1, found["seconds"])


def fast_downward() -> Path | None:
    """The program in the package up-fast-downward."""
    package = find_spec("up_fast_downward")
    if package is None or package.origin is None:
        print("up_fast_downward is not installed: skipped", flush=True)
        return None
    return Path(package.origin).parent / "downward" / "builds" / "release" / "bin" / "downward"


def measure(
    files: Files, search: str, program: Path | None, has_pyperplan: bool, given: argparse.Namespace
) -> list[Found | None]:
    """What bestfirst, Fast Downward and pyperplan find: short searches in turns, of which the shortest counts."""
    task = sas.task_of(files.sas.read_text())
    bf.solve(
        task, SEARCHES[search][1], search, engine=given.engine, limits=bf.Limits(expansions=1)
    )  # compiles what is needed
    best: list[Found | None] = [None, None]
    for turn in range(given.repeat):
        for number in range(2):
            before = best[number]
            if turn and (before is None or before.seconds > SHORT):
                continue
            if number == 0:
                found = by_bestfirst(task, search, given.engine, given.seconds)
            else:
                found = by_fast_downward(program, files, search, given.seconds) if program else None
            if found and (before is None or found.seconds < before.seconds):
                best[number] = found
    supported = has_pyperplan and ":action-costs" not in files.domain.read_text()
    return [*best, by_pyperplan(files, search, given.seconds) if supported else None]


def problems_of(search: str, found: list[Found | None]) -> list[str]:
    """What is wrong with the counts and the costs."""
    own, fast, pyper = found
    if own is None:
        return []
    wrong = []
    if fast and search in EXACT and own.expanded != fast.expanded:
        wrong.append("other counts than Fast Downward")
    if search != "ff" and any(other and other.cost != own.cost for other in (fast, pyper)):
        wrong.append("other costs")
    return wrong


def row(name: str, search: str, found: list[Found | None]) -> str:
    """A line of the table."""
    own, fast, pyper = found
    cells = [f"{name:11}{search:6}", f"{own.cost:>6}{_counted(own)}" if own else f"{'limit':>26}"]
    cells.append(f"{fast.until:>11,}" if fast and fast.until is not None else " " * 11)
    cells += [f"{_counted(other)}{_ratio(other, own):>8}" for other in (fast, pyper)]
    return "".join(cells).rstrip()


def _counted(found: Found | None) -> str:
    return f"{found.expanded:>11,}{found.seconds:>9.4f}" if found else " " * 20


def _ratio(other: Found | None, own: Found | None) -> str:
    return f"{other.seconds / own.seconds:.2f}" if other and own else ""


def mean_ratios(search: str, all_found: list[list[Found | None]]) -> str:
    """A line with the geometric means of the ratios, and the least and the greatest ratio."""
    texts = []
    for number, program in ((1, "Fast Downward"), (2, "pyperplan")):
        pairs = [(found[number], found[0]) for found in all_found]
        ratios = [other.seconds / own.seconds for other, own in pairs if other and own]
        if ratios:
            texts.append(f"{program} {geometric_mean(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
    return f"{search}: ratios, geometric mean (least to greatest): {', '.join(texts)}" if texts else ""


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=list(TASKS), metavar="NAME")
    parser.add_argument("--searches", nargs="+", choices=SEARCHES, default=list(SEARCHES), metavar="HEURISTIC")
    parser.add_argument("--small", action="store_true", help="the tasks of examples/planning")
    parser.add_argument("--engine", choices=["compiled", "python"], default="compiled")
    parser.add_argument("--repeat", type=int, default=5, help="of searches of less than a second")
    parser.add_argument("--seconds", type=float, default=120, help="limit for each search")
    parser.add_argument("--without", nargs="+", choices=["fast-downward", "pyperplan"], default=[], metavar="PROGRAM")
    given = parser.parse_args()
    if find_spec("fast_downward") is None:
        print("fast-downward-translate is not installed, and nothing can be translated: skipped")
        return 0
    program = None if "fast-downward" in given.without else fast_downward()
    has_pyperplan = "pyperplan" not in given.without and peer("pyperplan") is not None
    other = f"{'expanded':>11}{'seconds':>9}{'ratio':>8}"
    print(f"{'':17}{'bestfirst':>26}{'Fast Downward':>39}{'pyperplan':>28}")
    print(f"{'task':11}{'h':6}{'cost':>6}{'expanded':>11}{'seconds':>9}{'until jump':>11}{other}{other}", flush=True)
    wrong: list[str] = []
    for search in given.searches:
        all_found = []
        for name in given.tasks:
            size = {} if given.small else TASKS[name][SEARCHES[search][0]]
            with tempfile.TemporaryDirectory() as directory:
                files = files_of(name, size, Path(directory))
                found = measure(files, search, program, has_pyperplan, given)
            all_found.append(found)
            print(row(name, search, found), flush=True)
            wrong += [f"{name}, {search}: {what}" for what in problems_of(search, found)]
        print(mean_ratios(search, all_found), flush=True)
    print("\n".join(wrong) if wrong else "0 counts or costs are wrong")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
