"""Engine templates are ordinary Python: run interpreted, they make the search of the reference engine as well."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent

PROGRAM = """
import sys
import warnings
sys.path.insert(0, {tests!r})

import bestfirst as bf
from bestfirst.compiled.compiler.may_compile import is_interpreted
from bestfirst.compiled.drivers import faster_kernel
from bestfirst.compiled.kernels import controlled_idastar
from bestfirst.search_plan import COMPILED_ALGORITHMS
from compilable import FloatGraph, Pancakes
from small_games import HEAPS, Heaps
from twins import assert_twins

assert is_interpreted()
floats = FloatGraph({{0: [(1, 0.5), (2, 2.5)], 1: [(2, 0.25)], 2: [(3, 1.75)]}}, frozenset([3]), {{0: 2.0, 2: 1.5}}, 4)
floats.default_heuristic = "given"
board = bf.SlidingTile("2 8 3 1 6 4 7 _ 5", goal="1 2 3 8 _ 4 7 6 5")
warnings.simplefilter("ignore")  # hashes overflow, as they are to
for algorithm in COMPILED_ALGORITHMS:
    for problem in (board, floats, Pancakes([3, 1, 4, 2])):
        if algorithm == "bidirectional-astar" and problem is not board:
            continue
        assert_twins(problem, algorithm)
for problem in (board, floats):
    assert_twins(problem, "idastar", order="f")
    assert_twins(problem, "idastar", threads=2)
    assert_twins(problem, "depth-first-branch-and-bound", memo=True)
    one, two = (bf.solve(problem, "astar", problem.default_heuristic, threads=threads) for threads in (1, 2))
    assert (two.status, two.cost, two.engine) == ("optimal", one.cost, "compiled")
hard = bf.SlidingTile("1 6 4 8 7 _ 3 2 5")
faster_kernel.FEWEST_EXPANSIONS = faster_kernel.FEWEST_OF_A_SEARCH = 0
controlled_idastar.FEW = 1
assert_twins(hard, "idastar", "manhattan", expansions=300)
assert_twins(board, "idastar", threads=2)
assert bf.enumerate_states(Pancakes([1, 2, 3, 4]), engine="compiled").levels == [1, 3, 6, 11, 3]
assert bf.enumerate_states(bf.SlidingTile("1 2 3 / 4 5 _"), engine="compiled").states == 360
four = bf.ConnectFour(5, 4, by_threats=True)
for settings in (
    bf.Settings(),
    bf.Settings(null_move=1, late_moves=2, probcut=1, futility_margin=2, singular="exclusion", tapered=7, disaster=8),
):
    for game in (four, Heaps(HEAPS)):
        given = dict(settings=settings, limits=bf.GameLimits(depth=4, nodes=2_000))
        one, other = (bf.analyse(game, engine=engine, **given).run() for engine in ("python", "compiled"))
        assert one.lines == other.lines and (one.nodes, one.stats.stored) == (other.nodes, other.stats.stored)
assert bf.analyse(four, limits=bf.GameLimits(depth=3), threads=2).run().depth == 3
print("twins")
"""


@pytest.mark.slow
def test_templates_run_interpreted() -> None:
    """Every compiled algorithm, without a compiler, in a process of its own."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    program = PROGRAM.format(tests=str(TESTS))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)
    assert (done.stdout, done.returncode) == ("twins\n", 0), done.stderr
