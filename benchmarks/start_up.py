"""The time of whole short commands, as users experience it.

    python benchmarks/start_up.py                      # five runs of each, of which the shortest is used
    python benchmarks/start_up.py --runs 1 --only IDA* numpy   # only commands with one of these words in their names
    python benchmarks/start_up.py --from-nothing       # 15-puzzles without compiled code or tables: a few minutes

The cache of compiled code and the databases are in a new directory, so the first command compiles and the others load its
code. To see what part of it is Python and NumPy, and what loading Numba would take, these are timed in the same run.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from time import perf_counter

KORF_79 = "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15"
GOAL = " ".join(str(tile) for tile in range(16))
SOLVE = ["-m", "bestfirst", "solve", "sliding-tile"]
ON_KORF_79 = [*SOLVE, KORF_79, "--goal", GOAL, "-H", "manhattan", "-a"]
COMMANDS = {
    "python": ["-c", ""],
    "python, import numpy": ["-c", "import numpy"],
    "python, import numba": ["-c", "import numba"],
    "python, import bestfirst": ["-c", "import bestfirst"],
    "bestfirst solve, 8-puzzle by A*": [*SOLVE, "2 8 3 1 6 4 7 _ 5", "--goal", "1 2 3 8 _ 4 7 6 5"],
    "bestfirst solve, 15-puzzle by IDA*": [*ON_KORF_79, "idastar"],
    "bestfirst solve, 15-puzzle by A*": [*ON_KORF_79, "astar"],
    "bestfirst analyse, Connect Four": ["-m", "bestfirst", "analyse", "connect-four", "44455", "--depth", "12"],
}
HARDEST = "0 15 9 13 11 12 10 14 3 7 6 2 4 8 5 1"
"""The board with the most nodes among the 17 that need 80 moves."""
FROM_NOTHING = {
    "15-puzzle, Korf's first": [*SOLVE, "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", "--goal", GOAL],
    "15-puzzle of 80 moves": [*SOLVE, HARDEST],
    "15-puzzle of 80 moves, one thread": [*SOLVE, HARDEST, "--algorithm", "idastar", "--threads", "1"],
}


def seconds_of(command: list[str], environment: dict[str, str]) -> float:
    """The wall-clock time of a command."""
    started = perf_counter()
    subprocess.run([sys.executable, *command], env=environment, stdout=subprocess.DEVNULL, check=True)
    return perf_counter() - started


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, help="runs after the first (default 5)")
    parser.add_argument(
        "--only", nargs="+", default=[""], metavar="WORD", help="only commands with one of these words in their names"
    )
    parser.add_argument("--from-nothing", action="store_true", help="15-puzzles, each in a separate directory")
    given = parser.parse_args()
    if given.runs < 1:
        parser.error("--runs must be at least 1")
    commands = FROM_NOTHING if given.from_nothing else COMMANDS
    chosen = {name: command for name, command in commands.items() if any(word in name for word in given.only)}
    if not chosen:
        parser.error(f"--only {' '.join(given.only)}: no command has such a name; choose from {'; '.join(commands)}")
    print(f"{'':<40}{'first':>10}{'then':>10}   (s)")
    with tempfile.TemporaryDirectory() as directory:
        for number, (name, command) in enumerate(chosen.items()):
            own = f"{directory}/{number if given.from_nothing else 'all'}"
            environment = {**os.environ, "BESTFIRST_CACHE": f"{own}/cache", "BESTFIRST_DATA": f"{own}/data"}
            first = seconds_of(command, environment)
            later = min(seconds_of(command, environment) for _ in range(given.runs))
            print(f"{name:<40}{first:>10.2f}{later:>10.2f}", flush=True)


if __name__ == "__main__":
    main()
