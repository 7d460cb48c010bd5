"""Enumerations of whole spaces, level by level: in memory by both engines, and on disk; and pattern databases built both ways.

    python benchmarks/whole_spaces.py            # the 8-puzzle and the pocket cube: a minute or two
    python benchmarks/whole_spaces.py --most 1e3 # only spaces of at most 1,000 states: the 2 x 3 puzzle
    python benchmarks/whole_spaces.py --large    # the 3 x 4 puzzle too: 239,500,800 states in 60 MB, half a minute
    python benchmarks/whole_spaces.py --disk     # each space in memory and on disk, with the peak of resident memory
    python benchmarks/whole_spaces.py --large --disk      # the 3 x 4 puzzle in a process of less than 100 MB: some minutes
    python benchmarks/whole_spaces.py --disk --workers 2  # on disk by two workers, which share the memory
    python benchmarks/whole_spaces.py --databases 6       # a pattern of 6 tiles of the 15-puzzle, in memory and on disk

Counts and radii are compared with published ones; the exit code is 1 if one differs. What is measured on disk runs in a process of
its own, whose code is compiled already: its peak contains Python, NumPy and the compiled code.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import bestfirst as bf

MEMORY = "2MB"
"""The limit on the memory of what is on disk."""


@dataclass(frozen=True)
class Space:
    """A start, which is made when it is needed, and the known counts of its space. levels: the published ones, if any."""

    name: str
    make: Callable[[], bf.Problem]
    states: int
    radius: int
    farthest: int
    for_python: bool = True
    levels: tuple[int, ...] = ()

    def is_right(self, found: dict[str, Any]) -> bool:
        """Whether an enumeration has the known counts."""
        levels = found["levels"]
        if self.levels and tuple(levels) != self.levels:
            return False
        return (sum(levels), len(levels) - 1, levels[-1]) == (self.states, self.radius, self.farthest)


SPACES = [
    Space("2 x 3 puzzle", lambda: bf.SlidingTile("_ 1 2 / 3 4 5", "_ 1 2 / 3 4 5"), 360, 21, 1),
    Space("8-puzzle, blank in a corner", lambda: bf.SlidingTile("_ 1 2 3 4 5 6 7 8", "_ 1 2 3 4 5 6 7 8"), 181_440, 31, 2),
    Space(
        "8-puzzle, blank in the centre", lambda: bf.SlidingTile("1 2 3 8 _ 4 7 6 5", "1 2 3 8 _ 4 7 6 5"), 181_440, 30, 148
    ),
    Space("pocket cube, face turns", lambda: bf.PocketCube("R R'"), 3_674_160, 11, 2_644),
]
TWELVE = "1 2 3 4 / 5 6 7 8 / 9 10 11 _"
LARGE = Space(
    "3 x 4 puzzle",
    lambda: bf.SlidingTile(TWELVE, TWELVE),
    239_500_800,
    53,
    18,
    for_python=False,
    levels=(
        *(1, 2, 4, 9, 20, 37, 63, 122, 232, 431, 781, 1392, 2494, 4442, 7854, 13899, 24215, 41802, 71167, 119888, 198363),
        *(323206, 515778, 811000, 1248011, 1885279, 2782396, 4009722, 5621354, 7647872, 10065800, 12760413, 15570786),
        *(18171606, 20299876, 21587248, 21841159, 20906905, 18899357, 16058335, 12772603, 9515217, 6583181, 4242753),
        *(2503873, 1350268, 643245, 270303, 92311, 27116, 5390, 1115, 86, 18),
    ),
)
"""Korf & Schultze 2005: radius 53, 18 boards that far. The levels: Karlemo & Ostergard 2000 (OEIS A090166)."""


def show(found: bf.Enumeration) -> None:
    """Show the progress on a terminal."""
    if sys.stderr.isatty():
        print(f"\r{found}", end="", file=sys.stderr)


class CompiledError(Exception):
    """The code is compiled, and nothing else was wanted."""


def stop(*_: object) -> None:
    """Stop as soon as there is progress."""
    raise CompiledError


def in_child(task: dict[str, Any]) -> dict[str, Any]:
    """What a task gives in a process of its own, after one that compiles its code."""
    for is_trial in (True, False):
        command = [sys.executable, __file__, "--child", json.dumps({**task, "is_trial": is_trial})]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(output)  # type: ignore[no-any-return]


def child(task: dict[str, Any]) -> dict[str, Any]:
    """Do a task, and measure it."""
    started = perf_counter()
    told: dict[str, Any] = {}
    try:
        with TemporaryDirectory(dir=task["directory"]) as directory:
            told = enumerated(task, Path(directory)) if "space" in task else built(task, Path(directory))
    except CompiledError:
        pass
    return {"seconds": perf_counter() - started, **told, "cpu": process_time(), "peak": peak_bytes()}


def peak_bytes() -> int:
    """The peak of the resident memory of this process; 0 where Linux does not tell. (What getrusage tells contains that of the
    parent.)"""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM")), 0)


def enumerated(task: dict[str, Any], directory: Path) -> dict[str, Any]:
    """Enumerate a space on disk."""
    space = next(space for space in (*SPACES, LARGE) if space.name == task["space"])
    limits = bf.Limits(memory=task["memory"])
    progress = stop if task["is_trial"] else show
    workers = task["workers"]
    found = bf.enumerate_states(space.make(), directory=directory, limits=limits, progress=progress, workers=workers)
    return found.to_dict()


def built(task: dict[str, Any], data: Path) -> dict[str, Any]:
    """Build the database of the first tiles of the 15-puzzle."""
    puzzle = bf.SlidingTile(range(16), range(16))
    progress = stop if task["is_trial"] else None
    started = perf_counter()
    database = bf.PatternDatabase.build(
        puzzle, range(1, task["tiles"] + 1), data=data, memory=task["memory"], progress=progress
    )
    seconds = perf_counter() - started
    return {"seconds": seconds, "states": sum(database.header["states"]), "checksum": database.header["checksum"]}


def compare_databases(tiles: int, directory: str | None) -> bool:
    """Print what a pattern of so many tiles takes in memory and on disk; return whether the tables are equal."""
    print(f"{'database of the 15-puzzle':<32}{'states':>13}{'M states/s':>12}{'CPU s':>8}{'peak MB':>9}")
    found = []
    for memory in (None, f"{tiles}MB"):
        found.append(in_child({"tiles": tiles, "memory": memory, "directory": directory}))
        where = f"{tiles} tiles, " + ("in memory" if memory is None else f"on disk, in {memory}")
        rate = found[-1]["states"] / found[-1]["seconds"] / 1e6
        cpu, peak = found[-1]["cpu"], found[-1]["peak"] / 1e6
        print(f"{where:<32}{found[-1]['states']:>13,}{rate:>12.2f}{cpu:>8.1f}{peak:>9.1f}", flush=True)
    return bool(found[0]["checksum"] == found[1]["checksum"])


def main() -> int:
    """Run the benchmark; return 1 if a count differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--large", action="store_true", help="the 3 x 4 puzzle too")
    parser.add_argument("--most", type=float, default=inf, help="skip spaces of more states")
    parser.add_argument("--least", type=float, default=0, help="skip spaces of fewer states")
    parser.add_argument("--disk", action="store_true", help=f"on disk too, in {MEMORY} of memory")
    parser.add_argument("--workers", type=int, help="so many workers for what is on disk; the peak is that of their driver")
    parser.add_argument("--databases", type=int, metavar="TILES", help="only pattern databases of so many tiles")
    parser.add_argument("--directory", help="where files are written; default: the system's directory of temporary files")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child is not None:
        print(json.dumps(child(json.loads(arguments.child))))
        return 0
    if arguments.databases is not None:
        return 0 if compare_databases(arguments.databases, arguments.directory) else 1
    spaces = [*SPACES, LARGE] if arguments.large else SPACES
    spaces = [space for space in spaces if arguments.least <= space.states <= arguments.most]
    wrong = 0
    on_disk = f"{'on disk':>12}{'peak MB':>9}" if arguments.disk else ""
    print(f"{'space':<32}{'states':>13}{'radius':>8}{'farthest':>10}{'M states/s':>12}{'MB':>8}{'x python':>10}{on_disk}")
    for space in spaces:
        start = space.make()
        bf.enumerate_states(start, limits=bf.Limits(seconds=0), engine="compiled")  # compiles
        found = bf.enumerate_states(start, engine="compiled", progress=show)
        right = space.is_right(found.to_dict())
        factor = disk = ""
        if space.for_python:
            reference = bf.enumerate_states(start, engine="python")
            right = right and reference.levels == found.levels
            factor = f"{reference.seconds / found.seconds:.0f}"
        if arguments.disk:
            told = in_child(
                {"space": space.name, "memory": MEMORY, "directory": arguments.directory, "workers": arguments.workers}
            )
            right = right and told["levels"] == found.levels
            disk = f"{told['states'] / told['seconds'] / 1e6:>12.1f}{told['peak'] / 1e6:>9.1f}"
        wrong += not right
        print(
            f"{space.name:<32}{found.states:>13,}{found.radius:>8}{found.levels[-1]:>10,}"
            f"{found.states / found.seconds / 1e6:>12.1f}{(found.bytes or 0) / 1e6:>8.1f}{factor:>10}{disk}"
            f"{'' if right else '  WRONG'}",
            flush=True,
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
