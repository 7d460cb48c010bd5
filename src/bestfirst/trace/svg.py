"""Draws a tree as self-contained SVG, without any other program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from bestfirst.problem import Problem
from bestfirst.trace.labels import columns
from bestfirst.trace.layout import place
from bestfirst.trace.style import EDGE, FONT, INK, SOLUTION, Look
from bestfirst.trace.tree import SearchTree
from bestfirst.trace.tree_drawing import DrawnNode, TreeDrawing, search_tree_drawing

MARGIN = 16.0
GAP_ACROSS, GAP_DOWN = 18.0, 44.0
PADDING = 7.0
STATE_SIZE, SMALL_SIZE, NOTE_SIZE = 14.0, 10.0, 12.0
LINE = 1.25
ADVANCE = 0.602
"""Width of a character in a monospaced font, relative to the font size."""
BADGE = 16.0
GAP_IN_LEGEND = 24.0
LEGEND_LINE = 24.0
WIDEST = 1600.0
"""The width at which a wider drawing is shown: a browser shows all of it at first, and can zoom in."""
LEGEND_WIDTH = 400.0
"""Width of the legend above a narrower tree; samples that do not fit are moved to further rows."""


@dataclass(slots=True)
class _Box:
    """A node with its size, and the position of the middle of its upper edge."""

    node: DrawnNode
    x: float = 0.0
    y: float = 0.0

    @property
    def width(self) -> float:
        picture = max(_text_width(line, STATE_SIZE) for line in self.node.picture)
        below = max((_text_width(line, SMALL_SIZE) for line in self.node.caption), default=0.0)
        return max(picture, below) + 2 * PADDING

    @property
    def height(self) -> float:
        return (len(self.node.picture) * STATE_SIZE + len(self.node.caption) * SMALL_SIZE) * LINE + 2 * PADDING

    @property
    def room(self) -> float:
        """The width reserved for it: its corner label extends beyond the box, and its edge label may."""
        return max(self.width + _badge_width(self.node.order), _text_width(self.node.branch, SMALL_SIZE) + 8)


def to_svg(tree: SearchTree, problem: Problem, *, limit: int = 300) -> str:
    """The tree as an SVG string.

    Each node shows its state as drawn by problem.draw, g, h and f, and its expansion number in a disc; edges show actions,
    and the tooltip of a node shows the whole state. The output is deterministic.
    limit: the maximum number of nodes shown: the solution, and the nodes generated first.
    Raises InputError for a limit below 1.
    """
    return drawn_as_svg(search_tree_drawing(tree, problem, limit))


def drawn_as_svg(drawing: TreeDrawing) -> str:
    """A drawing as an SVG string. The parent of each node, if any, must be part of the drawing.

    Tree and legend are centred, one above the other. A drawing wider than WIDEST is shown smaller.
    """
    boxes = [_Box(node) for node in drawing.nodes]
    place_of = {box.node.number: box for box in boxes}
    top = MARGIN + len(drawing.notes) * NOTE_SIZE * 1.6 + (BADGE / 2 if boxes else 0)
    bottom = _arrange(boxes, top)
    tree_width = max((box.x + box.room / 2 for box in boxes), default=0.0)
    notes_width = max((_text_width(note, NOTE_SIZE) for note in drawing.notes), default=0.0)
    legend = _in_rows(list(_legend(drawing)), max(tree_width, notes_width, LEGEND_WIDTH))
    legend_width = max((sum(sample.width for sample in row) + GAP_IN_LEGEND * (len(row) - 1) for row in legend), default=0.0)
    inner = max(tree_width, notes_width, legend_width)
    for box in boxes:
        box.x += MARGIN + (inner - tree_width) / 2
    below = bottom + GAP_DOWN / 2
    width, height = inner + 2 * MARGIN, below + len(legend) * LEGEND_LINE - (LEGEND_LINE - BADGE if legend else 0) + MARGIN
    scale = min(1.0, WIDEST / width)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{scale * width:.0f}" height="{scale * height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" font-family="{FONT}" fill="{INK}">',
        f"<title>{escape(drawing.title)}</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        *(
            _text(note, MARGIN, MARGIN + (number + 0.8) * NOTE_SIZE * 1.6, NOTE_SIZE, anchor="start")
            for number, note in enumerate(drawing.notes)
        ),
        *(_edge(place_of[box.node.parent], box) for box in boxes if box.node.parent is not None),
        *(_branch(box) for box in boxes if box.node.branch),
        *(_drawn(box) for box in boxes),
        *_drawn_legend(legend, MARGIN + (inner - legend_width) / 2, below),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _arrange(boxes: list[_Box], top: float) -> float:
    """Place each box, level by level from the top, the leftmost at 0; return the y of the lower end."""
    number_of = {box.node.number: number for number, box in enumerate(boxes)}
    children: list[list[int]] = [[] for _ in boxes]
    for number, box in enumerate(boxes):
        if box.node.parent is not None:
            children[number_of[box.node.parent]].append(number)
    for box, x in zip(boxes, place(children, [box.room for box in boxes], GAP_ACROSS), strict=True):
        box.x = x
    levels = [0] * len(boxes)
    tallest: list[float] = []
    for number, box in enumerate(boxes):
        if levels[number] == len(tallest):
            tallest.append(0.0)
        tallest[levels[number]] = max(tallest[levels[number]], box.height)
        for child in children[number]:
            levels[child] = levels[number] + 1
    tops = [top + sum(tallest[:level]) + level * GAP_DOWN for level in range(len(tallest))]
    for number, box in enumerate(boxes):
        box.y = tops[levels[number]]
    return max((box.y + box.height for box in boxes), default=top)


def _drawn(box: _Box) -> str:
    """The box of a node with its strings."""
    node, left = box.node, box.x - box.width / 2
    y = box.y + PADDING
    texts = []
    for line in node.picture:
        texts.append(_words(line, box.x, y + STATE_SIZE))
        y += STATE_SIZE * LINE
    for line in node.caption:
        texts.append(_text(line, box.x, y + SMALL_SIZE, SMALL_SIZE))
        y += SMALL_SIZE * LINE
    if node.order:
        texts.append(_badge(node.order, left, box.y))
    outline = _outline(node.look, node.on_path)
    frame = f'<rect x="{left:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="6" {outline}/>'
    return f'<g id="n{node.number}"><title>{escape(node.about)}</title>{frame}{"".join(texts)}</g>'


def _edge(above: _Box, below: _Box) -> str:
    start, end = f"{above.x:.1f} {above.y + above.height:.1f}", f"{below.x:.1f} {below.y:.1f}"
    middle = (above.y + above.height + below.y) / 2
    on_path = above.node.on_path and below.node.on_path
    return (
        f'<path d="M{start}C{above.x:.1f} {middle:.1f} {below.x:.1f} {middle:.1f} {end}" '
        f'fill="none" stroke="{SOLUTION if on_path else EDGE}" stroke-width="{3 if on_path else 1.2}"/>'
    )


def _branch(box: _Box) -> str:
    """The label of the edge, just above the node."""
    width, y = _text_width(box.node.branch, SMALL_SIZE) + 4, box.y - 9
    ground = f'<rect x="{box.x - width / 2:.1f}" y="{y - SMALL_SIZE:.1f}" width="{width:.1f}" height="13" fill="#ffffff"/>'
    return ground + _text(box.node.branch, box.x, y, SMALL_SIZE)


def _badge(order: str, x: float, y: float) -> str:
    """The disc on the corner of an expanded node."""
    width = _badge_width(order)
    disc = (
        f'<rect x="{x - width / 2:.1f}" y="{y - BADGE / 2:.1f}" width="{width:.1f}" height="{BADGE:.1f}" '
        f'rx="{BADGE / 2:.1f}" fill="#ffffff" stroke="{INK}"/>'
    )
    return disc + _text(order, x, y + SMALL_SIZE * 0.36, SMALL_SIZE)


@dataclass(frozen=True, slots=True)
class _Sample:
    """A legend entry: a style, or the disc (None), with its meaning."""

    meaning: str
    look: Look | None
    on_path: bool = False

    @property
    def picture_width(self) -> float:
        return 30.0 if self.look is not None else BADGE + 6

    @property
    def width(self) -> float:
        return self.picture_width + _text_width(self.meaning, NOTE_SIZE)

    def drawn(self, x: float, y: float) -> str:
        name = _text(self.meaning, x + self.picture_width, y + 12, NOTE_SIZE, anchor="start")
        if self.look is None:
            return _badge("1", x + BADGE / 2, y + BADGE / 2) + name
        frame = f'<rect x="{x:.1f}" y="{y:.1f}" width="24" height="{BADGE:.1f}" rx="4" {_outline(self.look, self.on_path)}/>'
        return frame + name


def _legend(drawing: TreeDrawing) -> Iterator[_Sample]:
    """A sample of each style in use, and of the disc."""
    for look in drawing.looks:
        yield _Sample(look.meaning, look, look is drawing.path)
    if drawing.order_means:
        yield _Sample(drawing.order_means, None)


def _in_rows(samples: list[_Sample], width: float) -> list[list[_Sample]]:
    """The samples in rows of at most this width, or of one sample each."""
    rows: list[list[_Sample]] = []
    right = 0.0
    for sample in samples:
        right += GAP_IN_LEGEND + sample.width
        if not rows or right > width:
            rows.append([])
            right = sample.width
        rows[-1].append(sample)
    return rows


def _drawn_legend(rows: list[list[_Sample]], left: float, top: float) -> Iterator[str]:
    for number, row in enumerate(rows):
        x = left
        for sample in row:
            yield sample.drawn(x, top + number * LEGEND_LINE)
            x += sample.width + GAP_IN_LEGEND


def _outline(look: Look, on_path: bool) -> str:
    dashes = ' stroke-dasharray="5 3"' if look.dashed else ""
    stroke = f'stroke="{SOLUTION}" stroke-width="3"' if on_path else f'stroke="{look.line}"'
    return f'fill="{look.fill}" {stroke}{dashes}'


def _text(text: str, x: float, y: float, size: float, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}">{escape(text)}</text>'


def _words(line: str, x: float, y: float) -> str:
    """A line of a picture, with each word at its column, because viewers drop spaces and fonts differ in width."""
    left = x - _text_width(line, STATE_SIZE) / 2
    words = []
    for match in re.finditer(r"\S+", line):
        start = left + _text_width(line[: match.start()], STATE_SIZE)
        width = _text_width(match[0], STATE_SIZE)
        words.append(f'<tspan x="{start:.1f}" textLength="{width:.1f}">{escape(match[0])}</tspan>')
    return f'<text y="{y:.1f}" font-size="{STATE_SIZE:g}">{"".join(words)}</text>' if words else ""


def _text_width(text: str, size: float) -> float:
    return columns(text) * size * ADVANCE


def _badge_width(order: str) -> float:
    return max(BADGE, _text_width(order, SMALL_SIZE) + 8) if order else 0.0
