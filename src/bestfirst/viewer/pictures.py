"""How the viewer draws states: as boards of cells, as places on a map, as text, or as their own SVG documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from bestfirst.pictured import svg_of
from bestfirst.problem import Cell, Problem
from bestfirst.trace.labels import visible
from bestfirst.viewer.columns import Column, column
from bestfirst.written import cells_of, text_of

if TYPE_CHECKING:
    from bestfirst.games.game import Game

Place: TypeAlias = tuple[float, float]
"""(row, column)."""
PlaceOf: TypeAlias = Callable[[str], int]
"""The index of a string among the strings of a recording."""


MOST_SVG = 16 << 20
"""The maximum number of letters of all SVG pictures of a recording. Later states have none."""
NO_SVG, LEFT_OUT = -1, -2
UNSEEN = object()
"""What stands for the state of a move that was never tried."""


class Picture(Protocol):
    """How the states of a recording are drawn."""

    header: dict[str, Any]

    def columns(self, states: Sequence[Any], cells: Sequence[list[Cell]], text: PlaceOf, /) -> dict[str, Any] | None:
        """The columns of states, with their cells, that the drawing needs; None if it cannot show one of them."""


def picture_of(problem: Problem, cells: Sequence[list[Cell]]) -> Picture:
    """How to draw states with these cells: a board if they have several, a map if each has one, otherwise problem.draw(state)."""
    if not cells or not all(cells):
        return _Text(problem)
    if all(len(picture) == 1 for picture in cells):
        return _Map(problem)
    return _Board(cells)


def finite_cells(problem: Problem, state: Any) -> list[Cell]:
    """The cells of a state that have finite coordinates."""
    return [(row, col, text) for row, col, text in cells_of(problem, state) if isfinite(row) and isfinite(col)]


class _Text:
    def __init__(self, problem: Problem) -> None:
        self.header: dict[str, Any] = {"kind": "text"}
        self._problem = problem

    def columns(self, states: Sequence[Any], _cells: Sequence[list[Cell]], text: PlaceOf, /) -> dict[str, Any]:
        return {"drawn": column("u4", (text(visible(text_of(self._problem, "draw", state))) for state in states))}


class _Board:
    def __init__(self, cells: Sequence[list[Cell]]) -> None:
        self._places = sorted({(row, col) for picture in cells for row, col, _ in picture})
        self.header: dict[str, Any] = {"kind": "board", "places": self._places}
        self._known = set(self._places)

    def columns(self, _states: Sequence[Any], cells: Sequence[list[Cell]], text: PlaceOf, /) -> dict[str, Any] | None:
        numbers: list[int] = []
        for picture in cells:
            texts = {(row, col): visible(written) for row, col, written in picture}
            if not texts or not texts.keys() <= self._known:
                return None
            numbers += [text(texts.get(place, "")) for place in self._places]
        return {"cells": column("u1" if max(numbers, default=0) < 1 << 8 else "u4", numbers)}


class _Map:
    def __init__(self, problem: Problem) -> None:
        lines, blocked = problem.background()
        self.header: dict[str, Any] = {"kind": "map", "lines": [list(line) for line in lines], "blocked": list(blocked)}

    def columns(self, _states: Sequence[Any], cells: Sequence[list[Cell]], _text: PlaceOf, /) -> dict[str, Any] | None:
        if any(len(picture) != 1 for picture in cells):
            return None
        rows, cols = [picture[0][0] for picture in cells], [picture[0][1] for picture in cells]
        return {"y": column("f8", rows), "x": column("f8", cols)}


class Svgs:
    """The SVG pictures of the states of a recording. header: the fields that say so, if there are any."""

    def __init__(self, of: Problem | Game) -> None:
        self.header: dict[str, float] = {}
        self._of, self._left = of, MOST_SVG
        self._is_first = True

    def columns(self, states: Iterable[Any], text: PlaceOf) -> dict[str, Column] | None:
        """The column of the pictures of more states; {} if there is none so far, None if the first comes too late for the
        header."""
        is_announced = self._is_first or bool(self.header)
        self._is_first = False
        places = [self._place(state, text) for state in states]
        if not self.header:
            return {}
        return {"svg": column("i4", places)} if is_announced else None

    def _place(self, state: Any, text: PlaceOf) -> int:
        if state is UNSEEN:
            return NO_SVG
        if self._left <= 0:
            return LEFT_OUT
        svg = svg_of(self._of, state)
        if svg is None:
            return NO_SVG
        self.header = self.header or {"aspect": svg.aspect}
        self._left -= len(svg.text)
        return text(svg.text)
