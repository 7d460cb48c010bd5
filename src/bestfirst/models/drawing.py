"""Small SVG pictures: routes through places, bars over time, rows of letters, and paths on a grid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby
from math import floor, log10
from typing import NamedTuple

WIDTH = 640
_COLOURS = "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb"
"""Colours that colour-blind people can tell apart (Tol 2021)."""
_LIGHT = 3, 4, 6
"""Those on which black text is easier to read."""
_MARGIN, _ROW, _TALLEST, _LETTER = 46, 14, 420, 10
_MOST_TEXTS = 60
"""With more rows or places, names are left out."""


class Bar(NamedTuple):
    """Something that takes time. row: from the top; colour: a number, -1 for grey; is_filled: or an outline."""

    row: int
    start: float
    end: float
    name: str = ""
    colour: int = 0
    is_filled: bool = True


def bars(rows: Sequence[str], content: Iterable[Bar], end: float, *, marks: Iterable[tuple[int, float]] = ()) -> str:
    """A chart of bars from time 0 to `end`, where longer ones are cut. rows: the name of each; marks: (row, time) of points."""
    height = max(1, min(_ROW, _TALLEST // max(1, len(rows))))
    scale = (WIDTH - _MARGIN - 20) / max(end, 1)
    texts = len(rows) <= _MOST_TEXTS and height >= 7
    bottom = len(rows) * height + 6
    parts = []
    for row, name in enumerate(rows):
        if texts and name:
            parts.append(_text(_MARGIN - 4, row * height + height * 0.8, name, "end", min(9, height)))
    for bar in content:
        left, wide = _MARGIN + bar.start * scale, max((min(bar.end, end) - bar.start) * scale, 1)
        paint = f'fill="{colour(bar.colour)}"' if bar.is_filled else f'fill="none" stroke="{colour(bar.colour)}"'
        parts.append(
            f'<rect x="{left:.1f}" y="{bar.row * height + 1}" width="{wide:.1f}" height="{max(height - 2, 1)}" {paint}/>'
        )
        if bar.name and wide > 7 * len(bar.name) and texts:
            parts.append(_text(left + wide / 2, bar.row * height + height * 0.8, bar.name, "middle", min(9, height), "#fff"))
    for row, time in marks:
        x, y = _MARGIN + time * scale, row * height
        parts.append(f'<path d="M{x:.1f} {y}v{height}" stroke="#000" stroke-width="2"/>')
    for time in _ticks(max(end, 1)):
        x = _MARGIN + time * scale
        parts.append(f'<path d="M{x:.1f} 0V{bottom}" stroke="#999" stroke-width=".4"/>')
        parts.append(_text(x, bottom + 9, str(time), "middle", 9))
    return document(WIDTH, bottom + 14, parts)


def _ticks(end: float) -> list[int]:
    """Round numbers from 0 to the end, at most seven."""
    power = 10 ** max(0, floor(log10(end / 6)))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor * 6 >= end)
    return list(range(0, floor(end) + 1, step))


def routes(
    points: Sequence[tuple[float, float]],
    paths: Sequence[Sequence[int]],
    names: Sequence[str],
    done: set[int],
    here: int = -1,
) -> str:
    """Places on a map, and routes through them; place 0 is a square. done: the places that are filled; here: the red one.

    y points up.
    """
    xs, ys = [x for x, _ in points], [y for _, y in points]
    size = max(max(xs) - min(xs), max(ys) - min(ys)) or 1
    scale = (WIDTH - 40) / size
    at = [(20 + (x - min(xs)) * scale, 20 + (max(ys) - y) * scale) for x, y in points]
    parts = []
    for number, path in enumerate(paths):
        line = " ".join(f"{at[place][0]:.1f},{at[place][1]:.1f}" for place in path)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour(number)}" stroke-width="2"/>')
    radius = 5 if len(points) <= _MOST_TEXTS else 3
    for place, (x, y) in enumerate(at):
        paint = colour(1) if place == here else "#333" if place in done else "#fff"
        shape = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}"'
        if place == 0:
            shape = f'<rect x="{x - radius:.1f}" y="{y - radius:.1f}" width="{2 * radius}" height="{2 * radius}"'
        parts.append(f'{shape} fill="{paint}" stroke="#333"/>')
        if len(points) <= _MOST_TEXTS:
            parts.append(_text(x + radius + 2, y - radius, names[place], "start", 10))
    return document(WIDTH, 40 + (max(ys) - min(ys)) * scale, parts)


def letters(names: Sequence[str], rows: Sequence[str], blank: str) -> str:
    """Rows of letters in blocks of some columns, each letter in a colour of its own; blank: the one that is left white."""
    order = sorted({letter for row in rows for letter in row if letter != blank})
    number = {letter: place for place, letter in enumerate(order)}
    across = (WIDTH - 2 * _MARGIN) // _LETTER
    length = max(map(len, rows), default=0)
    blocks = max(1, -(-length // across))
    parts = []
    for block in range(blocks):
        for row, text in enumerate(rows):
            y = 6 + (block * (len(rows) + 1) + row) * _ROW
            parts.append(_text(_MARGIN - 4, y + _ROW * 0.8, names[row], "end", 9))
            for place, letter in enumerate(text[block * across : (block + 1) * across]):
                x = _MARGIN + place * _LETTER
                if letter != blank:
                    paint = colour(number[letter])
                    parts.append(f'<rect x="{x}" y="{y}" width="{_LETTER}" height="{_ROW - 1}" fill="{paint}"/>')
                shade = "#333" if letter == blank or number[letter] % len(_COLOURS) in _LIGHT else "#fff"
                parts.append(_text(x + _LETTER / 2, y + _ROW * 0.75, letter, "middle", 9, shade))
    return document(WIDTH, 12 + (blocks * (len(rows) + 1) - 1) * _ROW, parts)


def grid_picture(
    free: Sequence[Sequence[bool]],
    paths: Sequence[Sequence[tuple[int, int]]],
    discs: Sequence[tuple[int, int]],
    rings: Sequence[tuple[int, int]],
    names: Sequence[str],
) -> str:
    """A map from above, and agents on it: for each a path, a disc and a ring with its name, in a colour of its own."""
    columns = len(free[0])
    size = max(2, min(32, WIDTH // columns))
    blocked = []
    for y, row in enumerate(free):
        x = 0
        for is_free, run in groupby(row):
            wide = len(list(run))
            if not is_free:
                blocked.append(f"M{x * size} {y * size}h{wide * size}v{size}h-{wide * size}z")
            x += wide
    parts = [f'<path d="{"".join(blocked)}" fill="#555"/>']
    if size >= 8:
        lines = "".join(f"M{x * size} 0V{len(free) * size}" for x in range(columns + 1))
        lines += "".join(f"M0 {y * size}H{columns * size}" for y in range(len(free) + 1))
        parts.append(f'<path d="{lines}" stroke="#ddd" stroke-width=".5"/>')
    for number, path in enumerate(paths):
        # side by side, so that paths through the same cells can be told apart
        aside = ((number % 5) - 2) * 0.1
        line = " ".join(f"{(x + 0.5 + aside) * size:.1f},{(y + 0.5 + aside) * size:.1f}" for x, y in path)
        parts.append(
            f'<polyline points="{line}" fill="none" stroke="{colour(number)}" stroke-width="{max(1, size / 10):g}" '
            'stroke-linejoin="round"/>'
        )
    for number, (x, y) in enumerate(rings):
        at = f'cx="{(x + 0.5) * size}" cy="{(y + 0.5) * size}" r="{size * 0.4:g}"'
        parts.append(f'<circle {at} fill="none" stroke="{colour(number)}" stroke-width="{max(1, size / 10):g}"/>')
        if size >= 16:
            parts.append(_text((x + 0.5) * size, (y + 0.5) * size + 3, names[number], "middle", 9))
    for number, (x, y) in enumerate(discs):
        middle, down = (x + 0.5) * size, (y + 0.5) * size
        parts.append(f'<circle cx="{middle}" cy="{down}" r="{size * 0.3:g}" fill="{colour(number)}"/>')
        if size >= 16:
            parts.append(
                _text(middle, down + 3, names[number], "middle", 9, "#333" if number % len(_COLOURS) in _LIGHT else "#fff")
            )
    return document(columns * size, len(free) * size, parts)


def colour(number: int) -> str:
    """The colour with a number; -1: light grey."""
    return "#ddd" if number < 0 else _COLOURS[number % len(_COLOURS)]


def document(width: float, height: float, parts: Iterable[str]) -> str:
    """An SVG document on white."""
    box = f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" font-family="sans-serif">'
        f"{box}{''.join(parts)}</svg>"
    )


def _text(x: float, y: float, text: str, anchor: str, size: float, fill: str = "#333") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}" fill="{fill}">{escape(text)}</text>'
