"""GameTrace: the tree of a game search, with windows, values and cuts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeAlias

from bestfirst.arguments import check_kind, suggesting
from bestfirst.displayed import or_text
from bestfirst.errors import InputError, not_recorded
from bestfirst.games.engine.line import Chain
from bestfirst.games.game import Game, Move, Position
from bestfirst.games.score import INFINITY, MOST_PLIES, Score
from bestfirst.written import text_of

if TYPE_CHECKING:
    from bestfirst.viewer.notebook import View

Look: TypeAlias = Callable[[Position, float, int, int, int], tuple[int, Chain]]
"""The recursion of alpha-beta: (state, depth, ply, alpha, beta) -> (value, line), relative to the side to move."""

MOST_NODES = 100_000


@dataclass(eq=False)
class Visited:
    """A visited node. All numbers are relative to the side to move at the root.

    number: its number in search order, from 1. move: the move that led here, as a string; for a search without a move (a
    null move, or the same position at a smaller depth), its description. maximising: whether the root's side moves here.
    depth: the remaining plies. is_leaf: whether it was not searched further; why: "over", "horizon", "table", or the switch
    that pruned it. again: whether the same move is searched again, with another window.
    quiescent: the number of quiescence nodes below it. beyond: the first of them, those after its noisy moves, which are not
    part of the tree; untried: the noisy moves not tried.
    extended: whether it is searched a ply deeper than its siblings. pruned: the moves not searched. switches: the unsound
    pruning used here. began, ended: when it was visited and when its value was known, in seconds since the first visit.
    """

    number: int
    state: Position
    move: str | None
    maximising: bool
    alpha: int
    beta: int
    depth: float
    value: int = 0
    is_leaf: bool = False
    why: str | None = None
    again: bool = False
    quiescent: int = 0
    children: list[Visited] = field(default_factory=list)
    pruned: list[str] = field(default_factory=list)
    switches: tuple[str, ...] = ()
    extended: bool = False
    beyond: list[Visited] = field(default_factory=list)
    untried: list[str] = field(default_factory=list)
    began: float = 0.0
    ended: float = 0.0

    @property
    def cut(self) -> str | None:
        """The reason why moves were pruned, in numbers; None if no move was pruned."""
        return self.reason if self.pruned else None

    @property
    def reason(self) -> str:
        """The reason for pruning, in numbers."""
        by = f" ({', '.join(self.switches)})" if self.switches else ""
        if self.maximising and self.value >= self.beta:
            return f"{in_words(self.value)} >= beta {in_words(self.beta)}{by}"
        if not self.maximising and self.value <= self.alpha:
            return f"{in_words(self.value)} <= alpha {in_words(self.alpha)}{by}"
        return ", ".join(self.switches) or "excluded without a search"

    @property
    def window(self) -> str:
        """Alpha and beta."""
        return f"[{in_words(self.alpha)}, {in_words(self.beta)}]"

    def line(self) -> list[Visited]:
        """The nodes from this one down from which its value comes: at each step the last visit of the first child with that
        value."""
        nodes, node = [self], self
        while node.children:
            moves = [child.move for child in node.children if child.value == node.value]
            if not moves:
                break
            node = [child for child in node.children if child.move == moves[0] and child.value == node.value][-1]
            nodes.append(node)
        return nodes

    def walk(self) -> Iterator[Visited]:
        """The node and its descendants, in preorder."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)


class GameTrace:
    """The record of a search with trace=GameTrace(): alpha_beta(...), or analyse(...), which records a tree for each depth.

    limit: the maximum number of recorded nodes; `dropped` counts the others. text() draws the last tree; see also
    drawing.py.
    """

    @suggesting
    def __init__(self, limit: int = MOST_NODES) -> None:
        if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
            raise InputError(f"the limit of the trace is {limit!r}; use a whole number >= 1")
        self.limit = limit
        self.rounds: list[Visited] = []
        self.dropped = 0
        self.game: Game | None = None
        self.algorithm = ""
        self._number = self._beyond = 0
        self._started = 0.0

    @property
    def root(self) -> Visited:
        """The root of the last tree. Raises InputError if nothing has been recorded."""
        if not self.rounds:
            raise InputError("nothing has been recorded; pass the trace to a search: alpha_beta(game, trace=trace)")
        return self.rounds[-1]

    @property
    def passes(self) -> list[Visited]:
        """The trees of the last depth, more than one if it was searched with several windows (MTD(f) or aspiration)."""
        roots, last = self.rounds, self.root
        first = next((at for at in range(len(roots), 0, -1) if roots[at - 1].depth != last.depth), 0)
        return roots[first:]

    def clear(self, game: Game, algorithm: str = "game search") -> None:
        """Clear the trace for a new search of a game. algorithm: its name."""
        self.game, self.rounds, self.dropped, self.algorithm = game, [], 0, algorithm
        self._number = self._beyond = 0

    def add(self, parent: Visited | None, node: Visited) -> None:
        """Record a node below its parent, or as the root of a new tree, up to the limit."""
        self._number += 1
        self._begin(node)
        if self._number > self.limit:
            self.dropped += 1
        elif parent is None:
            self.rounds.append(node)
        else:
            parent.children.append(node)

    def add_beyond(self, parent: Visited, node: Visited) -> None:
        """Record a node of the quiescence search, up to the limit, which holds for these nodes separately."""
        self._beyond += 1
        self._begin(node)
        if self._beyond > self.limit:
            self.dropped += 1
        else:
            parent.beyond.append(node)

    def _begin(self, node: Visited) -> None:
        node.number, now = self._number, perf_counter()
        if self._number == 1:
            self._started = now
        node.began = now - self._started

    def end(self, node: Visited, value: int) -> None:
        """Record the value of a node, relative to the side to move there."""
        node.value = value if node.maximising else -value
        node.ended = perf_counter() - self._started

    def forget(self, root: Visited) -> None:
        """Drop the last tree, with this root, because its search was aborted."""
        if self.rounds and self.rounds[-1] is root:
            self.rounds.pop()

    def watching(self, game: Game, look: Look) -> Look:
        """The recursion with recording. It must try moves in the order of the game."""
        self.clear(game)
        path: list[tuple[Visited, list[Move]]] = []

        def watched(state: Position, depth: float, ply: int, alpha: int, beta: int) -> tuple[int, Chain]:
            parent, move = None, None
            if path:
                parent, untried = path[-1]
                move = text_of(game, "format_move", parent.state, untried.pop(0))
            node = looked_at(game, parent, state, move, depth, alpha, beta)
            self.add(parent, node)
            node.is_leaf = depth == 0 or game.is_over(state)
            path.append((node, [] if node.is_leaf else list(game.moves(state))))
            value, line = look(state, depth, ply, alpha, beta)
            _, untried = path.pop()
            self.end(node, value)
            node.pruned = [text_of(game, "format_move", state, move) for move in untried]
            return value, line

        return watched

    def view(self, other: GameTrace | None = None, *, height: int = 640) -> View:
        """The search in a notebook, step by step, alone or beside another one. height: in pixels.

        Raises InputError if nothing was recorded.
        """
        view: View = import_module("bestfirst.viewer.html").view_of(self, other, height)  # most searches are not shown
        return view

    @or_text
    def _repr_mimebundle_(self) -> dict[str, Any]:
        """The view, where a notebook shows a trace; a line if nothing was recorded."""
        return self.view()._repr_mimebundle_() if self.rounds else {"text/plain": repr(self)}

    def __repr__(self) -> str:
        of = "" if self.game is None else f": {self.game.name()}"
        more = f", {self.dropped:,} more not recorded" if self.dropped else ""
        return f"GameTrace({min(self._number, self.limit):,} nodes{more}{of})"

    def text(self) -> str:
        """The last tree, a node per line: its move, max or min, its value and window; and the pruned moves.

        If the last depth was searched in several passes, the trees of all of them, each below its result.
        """
        missing = [f"... {not_recorded(self.dropped, 'node')}"] if self.dropped else []
        passes = self.passes
        if len(passes) == 1:
            return "\n".join([*_lines(self.root, ""), *missing])
        trees = [
            "\n".join([f"pass {number} of {len(passes)}: {shown_by(root)}", *_lines(root, "")])
            for number, root in enumerate(passes, start=1)
        ]
        return "\n".join(["\n\n".join(trees), *missing])


def check_game_trace(trace: object) -> None:
    """Raise InputError for anything else than the trace of a game, such as that of a search."""
    check_kind(
        "trace", trace, GameTrace, "a GameTrace; for the Trace of a search, use its save() or view(), or recording_of()"
    )


def looked_at(
    game: Game, parent: Visited | None, state: Position, move: str | None, depth: float, alpha: int, beta: int
) -> Visited:
    """A new node, with a window relative to the side to move there."""
    maximising = True
    if parent is not None:
        same_side = state == parent.state or game.moves_again(parent.state, state)
        maximising = parent.maximising == same_side
    low, high = (alpha, beta) if maximising else (-beta, -alpha)
    return Visited(0, state, move, maximising, low, high, depth)


def shown_by(root: Visited) -> str:
    """The bound that a pass has proved for the value of its root or, if the root has one move, of that move."""
    value = in_words(root.value)
    if root.value >= root.beta:
        return f"at least {value}"
    return f"at most {value}" if root.value <= root.alpha else f"exactly {value}"


def depth_in_words(depth: float) -> str:
    """The depth of a tree as a phrase."""
    return "to the end of the game" if depth >= MOST_PLIES else f"to depth {depth:g}"


def _lines(node: Visited, indent: str) -> Iterator[str]:
    yield _told(node)
    number = len(node.children) + len(node.pruned)
    for place, child in enumerate(node.children, start=1):
        first, *others = _lines(child, "")
        yield f"{indent}|-- {first}"
        for line in others:
            yield f"{indent}{'    ' if place == number else '|   '}{line}"
    for move in node.pruned:
        yield f"{indent}|-- {move}: pruned"


def _told(node: Visited) -> str:
    name = f"{node.move}{' again' if node.again else ''}: " if node.move is not None else ""
    if node.is_leaf:
        return f"{name}{in_words(node.value)}{remark(node)}"
    more = ", extended" * node.extended + (f", cut: {node.cut}" if node.cut else "")
    return f"{name}{'max' if node.maximising else 'min'} {in_words(node.value)} {node.window}{more}"


def remark(node: Visited) -> str:
    """The reason for a leaf other than the end of the game or the horizon."""
    if node.quiescent:
        return f" (quiescence: {node.quiescent:,} node{'' if node.quiescent == 1 else 's'})"
    return f" ({node.why})" if node.why not in (None, "over", "horizon") else ""


def in_words(value: int) -> str:
    """A value or a bound as a string."""
    if abs(value) >= INFINITY:
        return "inf" if value > 0 else "-inf"
    score = Score(value)
    return str(score).replace(" in ", "-in-") if score.decisive else str(value)
