"""Where NumPy and Numba are not installed, as in a browser, the reference engine does the work: here they cannot be imported."""

from __future__ import annotations

import subprocess
import sys
from functools import partial

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.system import workers
from bestfirst.tables import PlainTable, byte_table, table

BEGIN = """
import sys
import warnings
for package in ("numpy", "numba", "llvmlite"):
    sys.modules[package] = None
import bestfirst as bf
import bestfirst.models
from bestfirst.games.playing import EnginePlayer, RandomPlayer
FAR = bf.SlidingTile("8 6 7 2 5 4 3 _ 1", "_ 1 2 3 4 5 6 7 8")
"""


def printed_by(*lines: str) -> list[str]:
    """What a program prints, by lines."""
    program = BEGIN + "\n".join(lines)
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.mark.slow
def test_long_searches_stay_with_the_reference_engine() -> None:
    """With limits and without, of every algorithm with a compiled version; the solution says why."""
    asked = ["FAR", "FAR, 'astar', 'manhattan'", "FAR, 'idastar'", "FAR, 'astar', limits=bf.Limits(seconds=60)"]
    lines = [
        f"s = bf.solve({each}); print(s.status, s.cost, s.engine, s.stats.expanded > 2_000, *s.warnings)" for each in asked
    ]
    printed = printed_by(
        *lines,
        "print(bf.solve_many([FAR, FAR])[1].cost)",
        "print(bf.enumerate_states(FAR).states)",
        "print(*bf.plan(FAR).stages, bf.plan(FAR).why['engine'])",
    )
    planned = printed.pop()
    assert "pdb:" in planned and planned.endswith("NumPy is not installed") and "compiled engine," not in planned
    assert printed.pop() == "181440"
    assert printed.pop() == "27"
    assert len(printed) == len(asked)
    for line in printed:
        assert line.startswith("optimal 27 python True")
        assert "NumPy, which is not installed" in line


def test_problems_games_audits_and_traces_do_without() -> None:
    """Those whose look-ups are arrays where NumPy is installed find what they find there."""
    grid = bf.GridMap("...@\n.@..\n....", (0, 0), (3, 0))
    swamp = bf.GridMap(".S.\n.@.\n...", (0, 0), (2, 0), weights={"S": 9}, wrap=True)
    draughts = bf.analyse(bf.Checkers(), limits=bf.GameLimits(depth=3), engine="python")
    works = {
        "bf.solve(bf.GridMap('...@\\n.@..\\n....', (0, 0), (2, 2))).cost": bf.solve(grid.between((0, 0), (2, 2))).cost,
        "bf.solve(bf.GridMap('.S.\\n.@.\\n...', (0, 0), (2, 0), weights={'S': 9}, wrap=True)).cost": bf.solve(swamp).cost,
        "bf.solve(bf.RoadMap([('A', 'B', 2)], 'A', 'B', coordinates={'A': (0, 0), 'B': (9, 9)})).cost": 2,
        "bf.solve(bf.TopSpin('1 3 2 6 5 4 7 8')).stats.expanded": bf.solve(bf.TopSpin("1 3 2 6 5 4 7 8")).stats.expanded,
        "bf.solve(bf.LightsOut('3x3')).stats.expanded": bf.solve(bf.LightsOut("3x3")).stats.expanded,
        "bf.audit(bf.SlidingTile('1 2 3 4 5 _', size=(2, 3)), 'manhattan').admissible": True,
        "bf.analyse(bf.TicTacToe()).run().nodes": bf.analyse(bf.TicTacToe(), engine="python").run().nodes,
        "bf.analyse(bf.Checkers(), limits=bf.GameLimits(depth=3)).run().nodes": draughts.run().nodes,
        "bf.games.perft(bf.MNK(4, 3, 3), 3)": 12 * 11 * 10,
        "'bestfirst-viewer' in bf.solve(FAR, 'greedy', trace=True).trace._repr_html_()": True,
        "bf.play(bf.TicTacToe(), EnginePlayer(bf.GameLimits(depth=2)), RandomPlayer(1)).winner": 0,
    }
    printed = printed_by(*(f"print({expression})" for expression in works))
    assert printed == [str(found) for found in works.values()]


def test_what_needs_them_says_so() -> None:
    """Databases, the compiled engine, check, saved searches and the cubes: one error, which names NumPy."""
    asked = (
        "bf.solve(FAR, heuristic='pdb:4-4')",
        "bf.solve(FAR, engine='compiled')",
        "bf.check(bf.LightsOut('3x3'))",
        "bf.Search(FAR, 'astar').save('search')",
        "bf.PocketCube('R U')",
        "bf.RubiksCube('R U')",
        "bf.GridMap('....', (0, 0), (3, 0)).jump_points()",
        "bf.models.Knapsack([1], [1], 1)",
    )
    lines = [f"try: {each}\nexcept bf.InputError as error: print(error)" for each in asked]
    printed = printed_by(*lines)
    assert len(printed) == len(asked)
    assert all(line.endswith("needs NumPy, which is not installed") for line in printed)


def test_without_threads_work_is_done_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What another thread prepares elsewhere; a time limit and a game search need nothing more."""
    monkeypatch.setattr(workers, "HAS_THREADS", False)
    monkeypatch.setattr(workers, "_start", partial(pytest.fail, "a thread is started"))
    monkeypatch.setattr(workers, "_IDLE", [])
    puzzle = bf.SlidingTile("8 6 7 2 5 4 3 _ 1", "_ 1 2 3 4 5 6 7 8")
    solution = bf.solve(puzzle, "depth-first-branch-and-bound", "manhattan", limits=bf.Limits(seconds=60))
    assert solution.cost == 27
    assert bf.enumerate_states(bf.SlidingTile("1 2 3 4 5 _", size=(2, 3)), limits=bf.Limits(seconds=60)).states == 360


def test_a_plain_table_reads_as_an_array() -> None:
    """By row and column, either way, and by bytes."""
    rows = [[1, 2, 3], [4, 5, -6]]
    plain, array = PlainTable(rows), table(rows)
    assert isinstance(array, np.ndarray)
    assert plain.shape == array.shape
    assert plain.tolist() == array.tolist() == rows
    assert plain[1, 2] == plain[1][2] == array[1, 2] == -6
    assert [list(row) for row in plain] == rows
    assert byte_table([b"\0\1", b"\1\1"], "bool").tolist() == [[False, True], [True, True]]
    assert byte_table(b"\0\7", "uint8").tolist() == [0, 7]
    with pytest.raises(IndexError):
        plain[2, 0]
