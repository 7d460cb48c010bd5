"""States of problems as pictures for the page: boards, places on a map, simple shapes, SVG documents, or letters."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any, TypeAlias

from bestfirst.domains import NQueens, Pancake, RoadMap, TowersOfHanoi
from bestfirst.pictured import svg_of
from bestfirst.problem import Problem
from bestfirst.written import cells_of, text_of

Shape: TypeAlias = tuple[float, float, float, float, str, str]
"""A rectangle: x, y (downwards), width, height, what it is, and the text in it."""

MOST_CITIES = 200
"""A map with more is drawn without their names."""
MOST_CELLS = 1_000
"""A state with more cells, letters or shapes is not drawn."""
LETTERS_OF_SVG = 100
"""This many letters of an SVG document count as a cell."""
_TOO_LARGE = {"kind": "text", "text": "(too large to be drawn)"}
QUEEN = "\u265b"


def picture_of(problem: Problem[Any, Any], state: Any) -> dict[str, Any]:
    """A state as JSON. A very large one is not drawn."""
    picture = _drawn(problem, state)
    if size_of(picture) <= MOST_CELLS:
        return picture
    return _TOO_LARGE


def size_of(picture: dict[str, Any]) -> int:
    """The number of things that the page draws for a picture."""
    things = picture.get("cells") or picture.get("shapes")
    return len(things) if things else len(picture.get("text", "")) // 10 + len(picture.get("svg", "")) // LETTERS_OF_SVG


def _drawn(problem: Problem[Any, Any], state: Any) -> dict[str, Any]:
    for kind, draw in _DRAWN.items():
        if isinstance(problem, kind):
            return draw(problem, state)
    cells = [cell for cell in cells_of(problem, state) if isfinite(cell[0]) and isfinite(cell[1])]
    if len(cells) == 1:
        return {"kind": "place", "row": cells[0][0], "column": cells[0][1], "text": cells[0][2]}
    svg = svg_of(problem, state)
    if svg is not None:
        return {"kind": "svg", "svg": svg.text, "aspect": svg.aspect}
    if cells:
        return {"kind": "board", "cells": cells}
    return {"kind": "text", "text": text_of(problem, "draw", state)}


def background_of(problem: Problem[Any, Any]) -> dict[str, Any]:
    """What lies beneath the places of a map, as JSON."""
    lines, blocked = problem.background()
    return {"lines": [list(line) for line in lines], "blocked": list(blocked), "cities": _cities(problem)}


def _cities(problem: Problem[Any, Any]) -> list[tuple[float, float, str]]:
    if not isinstance(problem, RoadMap) or problem.coordinates is None or len(problem.coordinates) > MOST_CITIES:
        return []
    return [(-y, x, str(city)) for city, (x, y) in problem.coordinates.items()]


def _queens(problem: NQueens, state: Any) -> dict[str, Any]:
    if problem.n**2 > MOST_CELLS:
        return _TOO_LARGE
    columns = range(1, problem.n + 1)
    rows = [*state, *[0] * (problem.n - len(state))]
    cells = [(row, column - 1, QUEEN if column == queen else "") for row, queen in enumerate(rows) for column in columns]
    return {"kind": "board", "cells": cells}


def _pancakes(_problem: Pancake, state: Any) -> dict[str, Any]:
    width = max(state)
    shapes = [((width - size) / 2, 1.1 * row, size, 1, "dough", str(size)) for row, size in enumerate(state)]
    return _shapes(width, 1.1 * len(state), shapes)


def _hanoi(problem: TowersOfHanoi, state: Any) -> dict[str, Any]:
    """The largest disc is as wide as a peg's place; the pegs stand a little above the highest tower."""
    place, height = problem.discs + 1.5, problem.discs + 1
    shapes: list[Shape] = [(place * (peg + 0.5) - 0.1, 0, 0.2, height, "wood", "") for peg in range(problem.pegs)]
    shapes.append((0, height, place * problem.pegs, 0.25, "wood", ""))
    filled = [0] * problem.pegs
    for disc in range(problem.discs, 0, -1):
        peg = state[disc - 1] - 1
        filled[peg] += 1
        width = disc + 0.4
        shapes.append((place * (peg + 0.5) - width / 2, height - filled[peg], width, 0.92, "disc", str(disc)))
    return _shapes(place * problem.pegs, height + 0.25, shapes)


def _shapes(width: float, height: float, shapes: list[Any]) -> dict[str, Any]:
    return {"kind": "shapes", "width": width, "height": height, "shapes": shapes}


_DRAWN: dict[type[Problem[Any, Any]], Callable[[Any, Any], dict[str, Any]]] = {
    NQueens: _queens,
    Pancake: _pancakes,
    TowersOfHanoi: _hanoi,
}
