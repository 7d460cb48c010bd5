"""How the viewer draws states: as boards of cells, as places on a map, or as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any, Protocol, TypeAlias

from bestfirst.problem import Cell, Problem
from bestfirst.trace.labels import visible
from bestfirst.viewer.columns import column
from bestfirst.written import cells_of, text_of

Place: TypeAlias = tuple[float, float]
"""(row, column)."""
PlaceOf: TypeAlias = Callable[[str], int]
"""The index of a string among the strings of a recording."""


class Picture(Protocol):
    """How the states of a recording are drawn."""

    header: dict[str, Any]

    def columns(self, text: PlaceOf, /) -> dict[str, Any]:
        """The columns of the states that the drawing needs."""


def picture_of(problem: Problem, states: Sequence[Any]) -> Picture:
    """A board if states have several cells, a map if each state is one cell, otherwise what text_of(problem, "draw", ) returns."""
    cells = [_cells(problem, state) for state in states]
    if not cells or not all(cells):
        return _Text(problem, states)
    if all(len(picture) == 1 for picture in cells):
        return _Map(problem, [picture[0] for picture in cells])
    return _Board(cells)


def _cells(problem: Problem, state: Any) -> list[Cell]:
    return [(row, col, text) for row, col, text in cells_of(problem, state) if isfinite(row) and isfinite(col)]


class _Text:
    def __init__(self, problem: Problem, states: Sequence[Any]) -> None:
        self.header: dict[str, Any] = {"kind": "text"}
        self._drawn = [visible(text_of(problem, "draw", state)) for state in states]

    def columns(self, text: PlaceOf, /) -> dict[str, Any]:
        return {"drawn": column("u4", map(text, self._drawn))}


class _Board:
    def __init__(self, cells: list[list[Cell]]) -> None:
        places = sorted({(row, col) for picture in cells for row, col, _ in picture})
        self.header: dict[str, Any] = {"kind": "board", "places": places}
        self._cells, self._places = cells, places

    def columns(self, text: PlaceOf, /) -> dict[str, Any]:
        numbers: list[int] = []
        for picture in self._cells:
            texts = {(row, col): visible(written) for row, col, written in picture}
            numbers += [text(texts.get(place, "")) for place in self._places]
        return {"cells": column("u1" if max(numbers, default=0) < 1 << 8 else "u4", numbers)}


class _Map:
    def __init__(self, problem: Problem, cells: list[Cell]) -> None:
        lines, blocked = problem.background()
        self.header: dict[str, Any] = {"kind": "map", "lines": [list(line) for line in lines], "blocked": list(blocked)}
        self._cells = cells

    def columns(self, _text: PlaceOf, /) -> dict[str, Any]:
        rows, cols = zip(*((row, col) for row, col, _ in self._cells), strict=True)
        return {"y": column("f8", rows), "x": column("f8", cols)}
