"""Every benchmark runs: at its smallest size, where its times say nothing, but what it compares must agree."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from programs import Done, run_program

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
BENCHMARKS = sorted(path for path in (ROOT / "benchmarks").glob("*.py") if "__main__" in path.read_text())
SMALLEST = {
    "astar15.py": "--only 12 --repeat 1",
    "batches.py": "--problems 40 --repeat 1",
    "checks.py": "--expansions 1000 --repeat 1 --only pancakes",
    "connect_four.py": "--boards 5x4 --positions 3 --depth 3",
    "fuzz_saves.py": "--count 2 idastar",
    "dual_lookups.py": "--pieces 8 --instances 2",
    "grids.py": "--size 32 --queries 2 --neighbours 8",
    "killed_experiments.py": "--kills 1 --runs 30 --longest 2",
    "korf15.py": "--most 5.5e5",
    "ladder.py": "--positions 20",
    "matches.py": "--games 2 --seconds 0.01 --deep 4",
    "optimisation.py": "--size 6 --models open-stacks",
    "othello.py": "--perft 5 --empties 8 --count 1",
    "own_domain.py": "--pancakes 7",
    "pdb15.py": "--names 4-4-4-3 --korf 2 --random 2 --keep {directory}/found.csv",
    "pdb24.py": "--names 4-4-4-4-4-4/spread --moves 60",
    "planning.py": "--small --tasks gripper sokoban --searches blind ff --repeat 1",
    "reference.py": "--repeat 1 --instances 1",
    "replanning.py": "--size 16 --changes 3 --without-compiled",
    "roads.py": "--nodes 400 --queries 2 --engine python",
    "pruning.py": "--discs 4 --longest 6 --side 8",
    "rubiks_cube.py": "--edges 4 --turns 5",
    "portfolio.py": "--seconds 0.1 --only puzzle",
    "split_search.py": "--least 5.4e5 --most 5.5e5",
    "start_up.py": "--runs 1 --only IDA*",
    "viewer.py": "--nodes 1000",
    "whole_spaces.py": "--most 1e3 --disk",
}
"""By benchmark: the arguments with which it takes a few seconds, and goes through as much of its code as it can."""
OWN_PROCESS = ("batches.py", "grids.py", "roads.py", "viewer.py")
"""They start processes that import them, set the garbage collector, leave a program behind that the end of the process
ends, or drive a browser, which the tests of the process may do already."""


def run_python(*arguments: str, **environment: str) -> Done:
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def test_every_benchmark_has_a_smallest_run() -> None:
    """A benchmark is not forgotten here."""
    assert [path.name for path in BENCHMARKS] == sorted(SMALLEST)


@pytest.mark.parametrize("benchmark", BENCHMARKS, ids=lambda path: path.name)
def test_a_benchmark_runs(benchmark: Path, tmp_path: Path) -> None:
    """Each benchmark ends well at its smallest size, and says something."""
    arguments = SMALLEST[benchmark.name].format(directory=tmp_path).split()
    if benchmark.name in OWN_PROCESS:
        done = run_python(str(benchmark), *arguments)
    else:
        done = run_program(benchmark, *arguments, directory=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout
    assert "Traceback" not in done.stderr


def test_a_benchmark_goes_on_without_a_compiler(tmp_path: Path) -> None:
    """Where there is no C compiler, the programs in C are left out, which is said, and the rest is done."""
    done = run_python(str(ROOT / "benchmarks" / "korf15.py"), *SMALLEST["korf15.py"].split(), PATH=str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "cc is not installed: idastar15.c skipped" in done.stdout
    assert "0 of 2 differ" in done.stdout
