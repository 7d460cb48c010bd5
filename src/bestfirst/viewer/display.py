"""What notebooks show of results: a solution with its path as pictures, an analysis of a game, an audit of a heuristic.

It uses inline styles and the colours of the page, since notebooks remove style sheets and may be dark.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from bestfirst.pictured import svg_of
from bestfirst.trace.labels import shortened, visible
from bestfirst.written import cells_of, text_of

if TYPE_CHECKING:
    from bestfirst.games.analysis import Analysis
    from bestfirst.games.game import Game
    from bestfirst.heuristics.audit import Audit
    from bestfirst.problem import Cell, Problem
    from bestfirst.solution import Solution

MOST_PICTURES = 24
"""The maximum number of states of a path that are shown."""
MOST_LETTERS = 1_000
"""The maximum length of the drawing of a state."""
MOST_LINES = 12
"""The maximum number of lines of a position."""
_LETTER = 0.62
"""The width of a letter, relative to the font size."""
_SIDE = 22
"""The side of a cell, in pixels."""
_WIDEST = 240
_HIGHEST = 110
"""The maximum height of an SVG picture, in pixels."""
_MUTED = "opacity: 0.65"

Bundle = dict[str, str]


def solution_bundle(solution: Solution[Any, Any]) -> Bundle:
    """A solution as text and as HTML."""
    title = solution.problem.name() + " by " + solution.algorithm
    title += f" with {solution.heuristic}" if solution.heuristic else ""
    stats = solution.stats
    counts = [
        ("expanded", f"{stats.expanded:,}"),
        ("generated", f"{stats.generated:,}"),
        ("duplicates", f"{stats.duplicates:,}"),
        ("reopened", f"{stats.reopened:,}"),
        ("pruned", f"{stats.pruned:,}"),
        ("peak open list", f"{stats.peak_agenda:,}"),
        ("engine", solution.engine),
    ]
    outcome = str(solution).split(": ")[0]
    parts = [_title(title, outcome), _path(solution), _row(counts), *map(_warning, solution.warnings)]
    if solution.reason:
        parts.insert(1, f"<div>{escape(solution.reason)}</div>")
    return _bundle(str(solution), parts)


def analysis_bundle(analysis: Analysis) -> Bundle:
    """The analysis of a position as text and as HTML: the board and its lines, best first."""
    game, position = analysis.game, analysis.position
    rows = [
        (str(number), escape(str(line.score)), escape(" ".join(analysis.moves_as_text(line.pv)) + " ..." * line.goes_on))
        for number, line in enumerate(analysis.lines[:MOST_LINES], 1)
    ]
    counts = [("nodes", f"{analysis.nodes:,}"), ("seconds", f"{analysis.seconds:.3g}")]
    outcome = f"{analysis.score}, {'solved' if analysis.solved else f'to depth {analysis.depth}'}"
    board = _image(game, position) or _drawing(text_of(game, "draw", position))
    return _bundle(
        str(analysis),
        [_title(game.name(), outcome), _beside(board, _table(("", "score", "line"), rows)), _row(counts)],
    )


def audit_bundle(audit: Audit) -> Bundle:
    """The audit of a heuristic as text and as HTML: its report, and h next to the true distance."""
    report = f"<pre style='margin: 0; white-space: pre-wrap'>{escape(visible(str(audit)))}</pre>"
    return _bundle(str(audit), [report, _scatter(audit.histogram)])


def problem_bundle(problem: Problem[Any, Any]) -> Bundle:
    """A problem as text and as HTML: its name and a picture of its initial state."""
    words = f"{problem.name()}: {visible(text_of(problem, 'format', problem.initial))}"
    return _bundle(words, [_title(problem.name(), ""), _picture(problem, problem.initial)])


def _bundle(text: str, parts: Iterable[str]) -> Bundle:
    html = "".join(part for part in parts if part)
    return {
        "text/plain": text,
        "text/html": f"<div style='display: grid; gap: 8px; justify-items: start; font-size: 13px'>{html}</div>",
    }


def _title(name: str, outcome: str) -> str:
    return f"<div><b>{escape(name)}</b>{f'&ensp;{escape(outcome)}' if outcome else ''}</div>"


def _warning(words: str) -> str:
    return f"<div>\N{WARNING SIGN} {escape(words)}</div>"


def _row(pairs: Iterable[tuple[str, str]]) -> str:
    cells = (f"<span><span style='{_MUTED}'>{escape(name)}</span> {escape(value)}</span>" for name, value in pairs)
    return f"<div style='display: flex; flex-wrap: wrap; gap: 2px 18px'>{''.join(cells)}</div>"


def _beside(*parts: str) -> str:
    return f"<div style='display: flex; flex-wrap: wrap; gap: 24px; align-items: start'>{''.join(parts)}</div>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    style = "text-align: left; padding: 1px 14px 1px 0; background: none; border: 0"
    lines = ["".join(f"<th style='{style}; {_MUTED}; font-weight: normal'>{name}</th>" for name in head)]
    lines += ["".join(f"<td style='{style}'>{value}</td>" for value in row) for row in rows]
    return f"<table style='margin: 0; border: 0'>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def _path(solution: Solution[Any, Any]) -> str:
    """The states of the path, each below the action that leads to it; of a long path, its two ends."""
    problem, states = solution.problem, solution.states
    actions = ["start", *(text_of(problem, "format_action", action) for action in solution.actions)]
    steps = list(zip(actions, states, strict=False))
    left_out = len(steps) - MOST_PICTURES
    if not steps:
        return ""
    half = MOST_PICTURES // 2
    shown = steps if left_out <= 1 else steps[:half] + steps[-half:]
    drawn = [_step(problem, action, state) for action, state in shown]
    if left_out > 1:
        drawn.insert(half, f"<i>{left_out:,} states</i>")
    return f"<div style='display: flex; flex-wrap: wrap; gap: 10px 14px; align-items: end'>{''.join(drawn)}</div>"


def _step(problem: Problem[Any, Any], action: str, state: Any) -> str:
    name = f"<div style='{_MUTED}; max-width: {_WIDEST}px; overflow: hidden'>{escape(visible(action))}</div>"
    return f"<div style='text-align: center'>{name}{_picture(problem, state)}</div>"


def _picture(problem: Problem[Any, Any], state: Any) -> str:
    """The state's picture, a board of cells, or text: on one line if it is a place on a map, or its drawing is large."""
    image = _image(problem, state)
    if image:
        return image
    cells = cells_of(problem, state)
    if len(cells) > 1:
        return _board(cells)
    words = text_of(problem, "format", state) if cells else text_of(problem, "draw", state)
    if len(words) > MOST_LETTERS:
        words = shortened(text_of(problem, "format", state), MOST_LETTERS)
    return _drawing(words)


def _drawing(words: str) -> str:
    return f"<pre style='margin: 0; line-height: 1.2; text-align: left'>{escape(visible(words))}</pre>"


def _image(of: Problem[Any, Any] | Game, state: Any) -> str:
    """The picture that a problem or a game makes of a state; "" if it makes none."""
    svg = svg_of(of, state)
    if svg is None:
        return ""
    width = min(_WIDEST, _HIGHEST / svg.aspect)
    words = escape(visible(text_of(of, "format", state)), quote=True)
    return f"<img src='{svg.url}' alt='{words}' style='width: {width:g}px; height: {width * svg.aspect:g}px'>"


def _board(cells: Sequence[Cell]) -> str:
    rows, columns = [row for row, _, _ in cells], [column for _, column, _ in cells]
    top, left = min(rows), min(columns)
    height, width = max(rows) - top + 1, max(columns) - left + 1
    scale = min(1.0, _WIDEST / (width * _SIDE))
    drawn = "".join(_cell(column - left, row - top, visible(text)) for row, column, text in cells)
    return (
        f"<svg width='{width * _SIDE * scale:g}' height='{height * _SIDE * scale:g}' viewBox='0 0 {width:g} {height:g}' "
        f"font-family='sans-serif' text-anchor='middle' fill='currentColor' stroke='none'>{drawn}</svg>"
    )


def _cell(x: float, y: float, text: str) -> str:
    opacity = 0.14 if text else 0.04
    ground = f"<rect x='{x + 0.04:g}' y='{y + 0.04:g}' width='0.92' height='0.92' rx='0.1' fill-opacity='{opacity}'/>"
    if not text:
        return ground
    size = min(0.6, 0.9 / (len(text) * _LETTER))
    return f"{ground}<text x='{x + 0.5:g}' y='{y + 0.5 + 0.36 * size:g}' font-size='{size:.3g}'>{escape(text)}</text>"


def _scatter(histogram: dict[tuple[float, float], int]) -> str:
    """A square for each pair of h (across) and distance (upwards), the darker the more states it has; on the line, they are
    equal. The studio draws audits in the same way."""
    known = {place: count for place, count in histogram.items() if max(place) < float("inf")}
    if not known:
        return ""
    most, side = max(max(place) for place in known) or 1, 220
    largest = max(known.values())
    unit = side / (most + 1)
    squares = "".join(
        f"<rect x='{h * unit:g}' y='{side - (distance + 1) * unit:g}' width='{unit:g}' height='{unit:g}' "
        f"fill='{'#d55e00' if h > distance else '#0072b2'}' fill-opacity='{0.25 + 0.75 * (count / largest) ** 0.4:.2f}'>"
        f"<title>h {h:g}, distance {distance:g}: {count:,} states</title></rect>"
        for (h, distance), count in sorted(known.items())
    )
    middle = f"text-anchor='middle' transform='translate({side / 2:g} {side + 16})'"
    upright = f"text-anchor='middle' transform='translate(-8 {side / 2:g}) rotate(-90)'"
    return (
        f"<svg width='{side + 40}' height='{side + 49}' viewBox='-30 -10 {side + 40} {side + 49}' font-family='sans-serif' "
        f"font-size='11' fill='currentColor'><line x1='0' y1='{side}' x2='{side}' y2='0' stroke='currentColor' opacity='0.4'/>"
        f"{squares}<text {middle}>estimate, 0 to {most:g}<tspan x='0' dy='15'>below the line: an overestimate</tspan></text>"
        f"<text {upright}>true distance, 0 to {most:g}</text></svg>"
    )
