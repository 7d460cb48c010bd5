"""Draws the tree of a GameTrace as SVG, Graphviz DOT, or Posthoc, with pruned branches marked."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import count
from textwrap import wrap

from bestfirst.errors import InputError, counted, not_recorded
from bestfirst.games.game import Game
from bestfirst.games.tracing.trace import GameTrace, Visited, check_game_trace, depth_in_words, in_words, remark, shown_by
from bestfirst.trace.dot import drawn_as_dot
from bestfirst.trace.labels import columns, one_line, shortened, visible
from bestfirst.trace.layout import place
from bestfirst.trace.posthoc import posthoc_text
from bestfirst.trace.posthoc_drawing import Fields, plain
from bestfirst.trace.style import NARROW, SOLUTION, TALLEST, WIDEST, Look
from bestfirst.trace.svg import drawn_as_svg
from bestfirst.trace.tree_drawing import DrawnNode, TreeDrawing
from bestfirst.written import text_of

MAX = Look("max: the root's side moves", "#dbeafe", "#1d4ed8")
MIN = Look("min: the other side moves", "#fef9c3", "#a16207")
LEAF = Look("not searched further", "#f3f4f6", "#6b7280")
PRUNED = Look("pruned", "#fee2e2", "#b91c1c", dashed=True)
BEST_LINE = Look("best line", "#ffffff", SOLUTION)

_POSTHOC_VIEW: list[Fields] = [
    {
        "$": "path",
        "points": [{"x": "${{ parent.x }}", "y": "${{ parent.y }}"}, {"x": "${{ $.x }}", "y": "${{ $.y }}"}],
        "line-width": 0.05,
        "fill": "${{ $.fill }}",
        "$if": "${{ !!parent }}",
    },
    {
        "$": "circle",
        "x": "${{ $.x }}",
        "y": "${{ $.y }}",
        "radius": 0.45,
        "fill": "${{ $.fill }}",
        "label": "${{ $.label }}",
        "label-x": -0.4,
        "label-y": 0.75,
        "label-size": 0.3,
        "label-color": "${{ theme.foreground }}",
    },
]


def game_tree_svg(trace: GameTrace, *, limit: int = 300) -> str:
    """The last tree of a trace as an SVG string.

    Each node shows its position, max or min, its value, its window, its number in the order of the search, and the reason
    for a cut in numbers. limit: the maximum number of nodes shown, level by level from the top.
    Raises InputError for a limit below 1, and for an empty trace.
    """
    return drawn_as_svg(game_tree_drawing(trace, limit))


def game_tree_dot(trace: GameTrace, *, limit: int = 1000) -> str:
    """The last tree of a trace as a DOT string, for example for `dot -Tsvg`; otherwise as game_tree_svg."""
    return drawn_as_dot(game_tree_drawing(trace, limit))


def game_tree_posthoc(trace: GameTrace, *, limit: int = 1000) -> str:
    """The last tree of a trace as a Posthoc search trace (a YAML string, for a file .trace.yaml), for playback step by step.

    Each node is a disc in the tree. Event types: generating (a node is entered), closing (its value is known), end (a pruned
    branch). Each event has id, pId (null for the root), the coordinates x and y, move, label (the value), state, and note
    (the window, and the reason for cuts).
    """
    drawing = game_tree_drawing(trace, limit)
    nodes = {node.number: node for node in drawing.nodes}
    children: dict[int, list[int]] = {number: [] for number in nodes}
    for node in drawing.nodes:
        if node.parent is not None:
            children[node.parent].append(node.number)
    numbers = [node.number for node in drawing.nodes]
    at = {number: index for index, number in enumerate(numbers)}
    xs = place([[at[child] for child in children[number]] for number in numbers], [1.0] * len(numbers), 0.6)
    events: list[Fields] = []

    def tell(number: int, level: int) -> None:
        node = nodes[number]
        at_place = {
            "id": number,
            "pId": node.parent,
            "x": round(xs[at[number]], 2),
            "y": 2 * level,
            "move": plain(node.branch),
        }
        looked = {**at_place, "state": plain(" / ".join(map(str.strip, node.picture))), "fill": node.look.fill}
        known = {"label": plain(node.caption[0]), "note": plain("; ".join(node.caption))}
        if node.look is PRUNED:
            events.append({"type": "end", **looked, "label": None, "note": plain(node.about)})
            return
        events.append({"type": "generating", **looked, "label": None, "note": None})
        for child in children[number]:
            tell(child, level + 1)
        events.append({"type": "closing", **looked, **known})

    tell(numbers[0], 0)
    return posthoc_text(_POSTHOC_VIEW, {"x": "${{ $.x }}", "y": "${{ $.y }}", "scale": 1}, events, trace.dropped)


def game_tree_drawing(trace: GameTrace, limit: int) -> TreeDrawing:
    """The drawing of the last tree of a trace."""
    check_game_trace(trace)
    if limit < 1:
        raise InputError(f"the number of nodes to show is {limit!r}; use a whole number >= 1")
    root, game = trace.root, trace.game
    assert game is not None
    nodes = list(_TopOfTree(game, root, limit).drawn(root, None))
    used = {node.look for node in nodes}
    looks = [look for look in (MAX, MIN, LEAF, PRUNED) if look in used]
    return TreeDrawing("Game tree", nodes, _notes(trace, nodes), [*looks, BEST_LINE], "search order", BEST_LINE)


class _TopOfTree:
    """As many complete families of a tree as fit, level by level from the top."""

    def __init__(self, game: Game, root: Visited, limit: int) -> None:
        self._game = game
        self._best = {id(node) for node in root.line()}
        self._first = root.number - 1  # the nodes of a tree are numbered from 1
        self._open = self._families(root, limit)
        self._branches = count(sum(1 for _ in root.walk()) + 1)  # the numbers of pruned branches, after those of the nodes

    def drawn(self, node: Visited, parent: int | None) -> Iterator[DrawnNode]:
        """The node and the visible nodes below it."""
        is_open = id(node) in self._open
        own = self._node(node, parent, hidden=0 if is_open else len(node.children) + len(node.pruned))
        yield own
        if is_open:
            for child in node.children:
                yield from self.drawn(child, own.number)
            for move in node.pruned:
                yield self._pruned(node, move, own.number)

    def _families(self, root: Visited, limit: int) -> set[int]:
        """The nodes whose children are shown."""
        found, room, waiting = set(), limit - 1, deque([root])
        while waiting:
            node = waiting.popleft()
            family = len(node.children) + len(node.pruned)
            if family <= room:
                room -= family
                found.add(id(node))
                waiting.extend(node.children)
        return found

    def _node(self, node: Visited, parent: int | None, hidden: int) -> DrawnNode:
        told = in_words(node.value) + remark(node) if node.is_leaf else f"{_who(node)} {in_words(node.value)}"
        caption = [*wrap(told, NARROW), *([] if node.is_leaf else [node.window])]
        if node.cut:
            caption += wrap(f"cut: {node.cut}", NARROW)
        if hidden:
            caption.append(f"({hidden} below)")
        again = " again" if node.again else ""
        return DrawnNode(
            number=node.number - self._first,
            parent=parent,
            picture=_picture(self._game, node),
            caption=caption,
            branch="" if node.move is None else shortened(visible(node.move), NARROW) + again,
            look=LEAF if node.is_leaf else MAX if node.maximising else MIN,
            about=one_line(f"{text_of(self._game, 'format', node.state)}: {told}, window {node.window}"),
            order=str(node.number - self._first),
            on_path=id(node) in self._best,
        )

    def _pruned(self, node: Visited, move: str, parent: int) -> DrawnNode:
        branch = shortened(visible(move), NARROW)
        about = one_line(f"{move} was pruned: {node.cut}")
        return DrawnNode(next(self._branches), parent, ["×"], ["pruned"], branch, PRUNED, about)  # noqa: RUF001


def _who(node: Visited) -> str:
    return "max" if node.maximising else "min"


def _picture(game: Game, node: Visited) -> list[str]:
    """The lines of a picture of a position, padded to equal width; the game's label, if it defines one."""
    drawn = text_of(game, "label", node.state) if game.defines("label") else text_of(game, "draw", node.state)
    lines = [shortened(line, WIDEST) for line in visible(drawn).split("\n")][:TALLEST]
    width = max(map(columns, lines))
    return [line + " " * (width - columns(line)) for line in lines]


def _notes(trace: GameTrace, shown: list[DrawnNode]) -> list[str]:
    """The notes above the drawing: which of several trees it is, and what is omitted."""
    total = sum(1 for _ in trace.root.walk())
    visible_nodes = sum(node.look is not PRUNED for node in shown)
    notes = []
    if len(trace.rounds) > 1:
        notes.append(f"the last of {len(trace.rounds)} trees, {depth_in_words(trace.root.depth)}")
    if len(trace.passes) > 1:
        notes.append(f"pass {len(trace.passes)} of {len(trace.passes)}: {shown_by(trace.root)}")
    if visible_nodes < total:
        notes.append(f"{counted(total - visible_nodes, f'of {total:,} nodes is', f'of {total:,} nodes are')} not shown")
    if trace.dropped:
        notes.append(not_recorded(trace.dropped, "node"))
    return notes
