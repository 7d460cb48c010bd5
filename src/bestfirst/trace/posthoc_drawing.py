"""Drawing instructions for the Posthoc visualiser: the main view, and the event fields that it needs.

A view is a list of primitives of Posthoc's renderer (rect, circle, path). An expression ${{ ... }} in a view is evaluated by
the visualiser for each event: $ is the event, parent the event of its parent, color the colours of the types of events.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeAlias

from bestfirst.problem import Cell, Problem
from bestfirst.trace.json_lines import finite
from bestfirst.trace.labels import columns, one_line
from bestfirst.written import cells_of, text_of

Fields: TypeAlias = dict[str, Any]
Place: TypeAlias = tuple[float, float]
"""(row, column)."""


class Drawing(Protocol):
    """A style of drawing states."""

    pivot: Fields | None
    """The end points of lines between nodes; None if states have no place."""

    def view(self) -> list[Fields]:
        """The primitives of the main view."""

    def fields(self, cells: Iterable[Cell], /) -> Fields:
        """The additional event fields that the view needs, from the cells of its state."""


def drawing_of(problem: Problem, states: Sequence[Any]) -> Drawing:
    """A board if states have several cells, a map if each state is one cell, otherwise the string of the state."""
    pictures = [[(finite(row) or 0, finite(column) or 0) for row, column, _ in cells_of(problem, state)] for state in states]
    if not pictures or not all(pictures):
        return _Text(max((columns(one_line(text_of(problem, "format", state))) for state in states), default=1))
    places = sorted({place for picture in pictures for place in picture})
    return _Map(places) if all(len(picture) == 1 for picture in pictures) else _Board(places)


def plain(text: str) -> str | None:
    """A string made safe for the visualiser, which evaluates ${{ ... }} in any string and rejects empty ones."""
    return one_line(text).replace("${{", "$ {{") or None


class _Text:
    """The string of the state at each step, in the colour of the event."""

    pivot: Fields | None = None

    def __init__(self, longest: int) -> None:
        self._longest = longest

    def fields(self, _cells: Iterable[Cell], /) -> Fields:
        return {}

    def view(self) -> list[Fields]:
        box = {
            "$": "rect",
            "x": 0,
            "y": 0,
            "width": round(0.7 * self._longest + 1, 1),
            "height": 2,
            "fill": "${{ color[$.type] }}",
            "label": "${{ $.state }}",
            "label-x": 0.5,
            "label-y": 1.35,
            "label-size": 1,
            "label-color": "black",
            "clear": True,
        }
        return [box]


class _Board:
    """The cells at each step, in a frame in the colour of the event."""

    pivot: Fields | None = None

    def __init__(self, places: Sequence[Place]) -> None:
        self._places = places

    def fields(self, cells: Iterable[Cell], /) -> Fields:
        texts = {(row, column): text for row, column, text in cells}
        return {"cells": [plain(texts.get(place, "")) for place in self._places]}

    def view(self) -> list[Fields]:
        ys, xs = [row for row, _ in self._places], [column for _, column in self._places]
        frame = {
            "$": "rect",
            "x": min(xs) - 0.15,
            "y": min(ys) - 0.15,
            "width": max(xs) - min(xs) + 1.3,
            "height": max(ys) - min(ys) + 1.3,
            "fill": "${{ color[$.type] }}",
            "clear": True,
        }
        cell = {
            "$": "rect",
            "x": f"${{{{ {xs}[$.i] + 0.02 }}}}",
            "y": f"${{{{ {ys}[$.i] + 0.02 }}}}",
            "width": 0.96,
            "height": 0.96,
            "fill": "${{ $.cells[$.i] ? theme.foreground : theme.background }}",
            "label": "${{ $.cells[$.i] }}",
            "label-x": "${{ 0.48 - 0.14 * ($.cells[$.i] || '').length }}",
            "label-y": 0.66,
            "label-size": 0.5,
            "label-color": "${{ theme.background }}",
            "clear": True,
            "$for": {"$let": "i", "$from": 0, "$to": len(self._places)},
        }
        return [frame, cell]


class _Map:
    """Each state as a disc at its place, with a line from its parent; dropped nodes are not drawn."""

    def __init__(self, places: Sequence[Place]) -> None:
        ys, xs = [row for row, _ in places], [column for _, column in places]
        extent = max(max(ys) - min(ys), max(xs) - min(xs))
        self._radius = extent / 60 if extent else 1.0
        self.pivot: Fields | None = {"x": "${{ $.x }}", "y": "${{ $.y }}", "scale": self._radius}

    def fields(self, cells: Iterable[Cell], /) -> Fields:
        [(row, column, name)] = cells
        return {"x": finite(column), "y": finite(row), "name": plain(name)}

    def view(self) -> list[Fields]:
        kept = "$.kind != 'duplicate' && $.kind != 'prune'"
        line = {
            "$": "path",
            "points": [{"x": "${{ parent.x }}", "y": "${{ parent.y }}"}, {"x": "${{ $.x }}", "y": "${{ $.y }}"}],
            "line-width": self._radius / 4,
            "fill": "${{ color[$.type] }}",
            "$if": f"${{{{ !!parent && {kept} }}}}",
        }
        disc = {
            "$": "circle",
            "x": "${{ $.x }}",
            "y": "${{ $.y }}",
            "radius": self._radius,
            "fill": "${{ color[$.type] }}",
            "label": "${{ $.name }}",
            "label-x": self._radius * 1.3,
            "label-y": 0,
            "label-size": self._radius * 1.5,
            "label-color": "${{ theme.foreground }}",
            "$if": f"${{{{ {kept} }}}}",
        }
        return [line, disc]
