"""compare --workers: the rows of compare, from several processes; a search that fails does not stop the others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from programs import run_command

pytestmark = pytest.mark.slow

OWN = """
import bestfirst as bf

class Broken(bf.Problem):
    initial = 0

    def __init__(self, where):
        self.where = int(where)

    def is_goal(self, state):
        return state == 3

    def successors(self, state):
        if state == self.where:
            raise KeyError("no such state")
        yield "up", state + 1, 1

    @classmethod
    def from_text(cls, text):
        return cls(text)
"""


def _rows(words: list[str], directory: Path) -> list[dict[str, Any]]:
    done = run_command(["compare", *words, "--json"], directory)
    assert done.returncode == 0, done.stderr
    rows: list[dict[str, Any]] = json.loads(done.stdout)["rows"]
    return [{name: value for name, value in row.items() if name not in ("seconds", "preparation")} for row in rows]


def test_the_rows_are_the_same(tmp_path: Path) -> None:
    """In the same order, whatever ends first."""
    words = ["sliding-tile", "1 2 3 4 _ 5 7 8 6", "1 2 3 4 5 6 7 _ 8", "--algorithms", "idastar,astar,greedy"]
    words += ["--heuristics", "manhattan,misplaced", "--engine", "python"]
    rows = _rows(words, tmp_path)
    assert len(rows) == 12
    assert _rows([*words, "--workers", "2"], tmp_path) == rows


def test_one_that_fails_is_a_row_too(tmp_path: Path) -> None:
    """With its reason on standard error; the class is loaded from the user's file by the workers, too."""
    (tmp_path / "own.py").write_text(OWN)
    words = ["compare", "own.py:Broken", "1", "7", "--algorithms", "uniform-cost,breadth-first", "--workers", "2", "--csv"]
    done = run_command(words, tmp_path)
    assert done.returncode == 2
    statuses = [line.split(",")[:4] for line in done.stdout.splitlines()[1:]]
    assert statuses == [
        ["1", "uniform-cost", "", "failed"],
        ["1", "breadth-first", "", "failed"],
        ["7", "uniform-cost", "", "optimal"],
        ["7", "breadth-first", "", "optimal"],
    ]
    assert done.stderr.count("KeyError: 'no such state'") == 2


def test_a_wrong_number_is_refused(tmp_path: Path) -> None:
    """Before any search."""
    done = run_command(["compare", "sliding-tile", "1 2 3 4 5 6 7 _ 8", "--workers", "0"], tmp_path)
    assert done.returncode == 2
    assert "workers is 0" in done.stderr
