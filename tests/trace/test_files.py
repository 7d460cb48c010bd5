"""Traces are written in the form that the suffix of a file names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bestfirst.domains import SlidingTile
from bestfirst.errors import ProblemError
from bestfirst.problem import Problem
from bestfirst.solution import Limits
from bestfirst.solve import solve
from bestfirst.trace.files import FORMS, NODES_DRAWN, what_is_left_out, write_trace


class Steps(Problem):
    """Two steps to the goal."""

    initial = 0

    def is_goal(self, state: int) -> bool:
        return state == 2

    def successors(self, state: int) -> Iterator[tuple[str, int, int]]:
        yield "one", state + 1, 1


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("answer", [None, 7])
def test_a_format_that_is_no_text_is_an_error(form: str, answer: Any, tmp_path: Path) -> None:
    """In every form the error names the class, the method and what it returns."""
    problem = Steps()
    trace = solve(problem, trace=True).trace
    vars(problem)["format"] = lambda _: answer
    assert trace is not None
    with pytest.raises(ProblemError, match=rf"Steps\.\w+\(0\) returns {answer}; it must return a str"):
        write_trace(tmp_path / f"trace{form}", trace)


@pytest.mark.parametrize("form", [".html", ".trace.yaml"])
@pytest.mark.parametrize("answer", [[(0, 0, 7)], [("a", 0, "x")], [None], 7])
def test_cells_that_are_no_cells_are_an_error(form: str, answer: Any, tmp_path: Path) -> None:
    """The error shows what a cell must be."""
    problem = Steps()
    trace = solve(problem, trace=True).trace
    vars(problem)["cells"] = lambda _: answer
    assert trace is not None
    with pytest.raises(ProblemError, match=r"Steps\.cells\(0\) returns the cell .*\(row, column, text\)"):
        write_trace(tmp_path / f"trace{form}", trace)


@pytest.mark.parametrize(("form", "node"), [(".svg", '<g id="n'), (".dot", "\\ng=")])
def test_a_drawing_of_many_nodes_shows_some_and_names_the_page(form: str, node: str, tmp_path: Path) -> None:
    """So many nodes that they can be read, and what shows all; in the drawing, and for the command line."""
    trace = solve(SlidingTile("8 6 7 2 5 4 3 _ 1"), "astar", "manhattan", trace=True, limits=Limits(expansions=50)).trace
    assert trace is not None
    write_trace(file := tmp_path / f"run{form}", trace)
    text = file.read_text()
    assert text.count(node) == NODES_DRAWN
    assert "--view run.html" in text
    assert str(what_is_left_out(file, trace)).startswith(f"{NODES_DRAWN} of ")


def test_only_a_drawing_of_many_nodes_leaves_something_out() -> None:
    """A small drawing, and any other file, has all nodes."""
    small = solve(Steps(), trace=True).trace
    large = solve(SlidingTile("8 6 7 2 5 4 3 _ 1"), "astar", "manhattan", trace=True, limits=Limits(expansions=50)).trace
    assert small is not None and large is not None
    assert what_is_left_out(Path("run.svg"), small) is None
    assert what_is_left_out(Path("run.html"), large) is None
