"""Kernels of tasks are ordinary Python: run interpreted, they make the searches of the reference engine as well."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent.parent

PROGRAM = """
import sys
import warnings
sys.path.insert(0, {tests!r})

from bestfirst.compiled.compiler.may_compile import is_interpreted
from bestfirst.planning.compiled_searches import ALGORITHMS, HEURISTICS
from planning_tasks import switches, towers
from twins import assert_twins

assert is_interpreted()
warnings.simplefilter("ignore")  # hashes overflow, as they are to
for task in (towers(3), switches(3)):
    for algorithm in ALGORITHMS:
        assert_twins(task, algorithm, None if algorithm == "uniform-cost" else "ff")
    for heuristic in HEURISTICS.keys() - {{"zero"}}:
        assert_twins(task, "astar", heuristic)
        assert_twins(task, "idastar", heuristic, expansions=2)
    assert_twins(task, "idastar", "goal-count", order="f")
    assert_twins(task, "greedy", "ff", preferred=True)
    assert_twins(task, "weighted-astar", "hadd", weight=2.5, ties="lifo")
print("twins")
"""


@pytest.mark.slow
def test_kernels_of_tasks_run_interpreted() -> None:
    """Every search and every heuristic of tasks, without a compiler, in a process of its own."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    program = PROGRAM.format(tests=str(TESTS))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)
    assert (done.stdout, done.returncode) == ("twins\n", 0), done.stderr
