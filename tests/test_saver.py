"""Searches that are saved while they run."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.cli.app import run


class Endless(bf.Problem):
    """Counts up for ever; it has no compiled form."""

    initial = 0

    def is_goal(self, state: int) -> bool:
        return state == 500

    def successors(self, state: int) -> Any:
        yield "on", state + 1, 1


def test_a_search_of_the_reference_engine_is_not_saved_and_says_so(tmp_path: Path) -> None:
    """Unless it is over, since nobody needs the file then."""
    file = tmp_path / "saved"
    with pytest.warns(UserWarning, match="nothing was written to .*saved.*: .*, because Endless is not written as a Domain"):
        bf.solve(Endless(), "uniform-cost", save_to=file, limits=bf.Limits(expansions=100))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert bf.solve(Endless(), "uniform-cost", save_to=file).cost == 500
    assert not file.exists()


def test_a_search_is_saved_before_its_code_is_compiled(tmp_path: Path) -> None:
    """A limit may end it while the reference engine still runs it."""
    file = tmp_path / "saved"
    puzzle = bf.SlidingTile("8 6 7 2 5 4 3 _ 1")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first = bf.solve(puzzle, "astar", "manhattan", save_to=file, limits=bf.Limits(expansions=50))
    assert (first.engine, first.stats.expanded) == ("python", 50)
    loaded = bf.Search.load(file, puzzle)
    assert (loaded.run(bf.Limits()).cost, loaded.stats.expanded > 50) == (31, True)


def test_the_saved_search_needs_a_file_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Another result would overwrite it."""
    file = str(tmp_path / "saved")
    assert run(["solve", "pancake", "3 1 2", "--save-to", file, "--output", file]) == 2
    assert "--save-to" in capsys.readouterr().err
