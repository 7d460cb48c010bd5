"""GameTrace: the tree that alpha-beta has looked at, with windows, values and cuts, for a person to read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from bestfirst.errors import InputError
from bestfirst.games.game import Game, Position
from bestfirst.games.line import Chain
from bestfirst.games.score import INFINITY, Score

Look: TypeAlias = Callable[[Position, float, int, int, int], tuple[int, Chain]]
"""The recursion of alpha-beta: (state, depth, ply, alpha, beta) -> (value, line), for the side to move."""


@dataclass
class Visited:
    """A node that was looked at. All numbers are for the side to move at the root.

    move: the move that led here, as a text. maximising: whether the root's side moves here. pruned: the moves not looked at.
    """

    move: str | None
    label: str
    maximising: bool
    alpha: int
    beta: int
    value: int = 0
    is_leaf: bool = False
    children: list[Visited] = field(default_factory=list)
    pruned: list[str] = field(default_factory=list)

    @property
    def cut(self) -> str | None:
        """Why the pruned moves were not looked at, in numbers; None where there are none."""
        if not self.pruned:
            return None
        if self.maximising:
            return f"{_in_words(self.value)} >= beta {_in_words(self.beta)}"
        return f"{_in_words(self.value)} <= alpha {_in_words(self.alpha)}"


class GameTrace:
    """What one alpha_beta(..., trace=GameTrace()) has looked at; text() draws it."""

    def __init__(self) -> None:
        self._root: Visited | None = None
        self._path: list[tuple[Visited, Position, list[Any]]] = []

    @property
    def root(self) -> Visited:
        """The node where the search began. Raises InputError where nothing has been recorded."""
        if self._root is None:
            raise InputError("nothing has been recorded; give the trace to a search: alpha_beta(game, trace=trace)")
        return self._root

    def watching(self, game: Game, look: Look) -> Look:
        """The same recursion, which is recorded as it goes."""
        self._root, self._path = None, []

        def watched(state: Position, depth: float, ply: int, alpha: int, beta: int) -> tuple[int, Chain]:
            move, maximising = None, True
            if self._path:
                parent, before, untried = self._path[-1]
                move = game.format_move(before, untried.pop(0))
                maximising = parent.maximising == game.moves_again(before, state)
            window = (alpha, beta) if maximising else (-beta, -alpha)
            node = Visited(move, game.label(state), maximising, *window)
            if self._path:
                self._path[-1][0].children.append(node)
            else:
                self._root = node
            node.is_leaf = depth == 0 or game.is_over(state)
            self._path.append((node, state, [] if node.is_leaf else list(game.moves(state))))
            value, line = look(state, depth, ply, alpha, beta)
            _, _, untried = self._path.pop()
            node.value = value if maximising else -value
            node.pruned = [game.format_move(state, move) for move in untried]
            return value, line

        return watched

    def text(self) -> str:
        """The tree, a node on each line: its move, who chooses there, its value and window; and the moves that were cut."""
        return "\n".join(_lines(self.root, ""))


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
    name = f"{node.move}: " if node.move is not None else ""
    if node.is_leaf:
        return f"{name}{_in_words(node.value)}"
    window = f"[{_in_words(node.alpha)}, {_in_words(node.beta)}]"
    cut = f", cut: {node.cut}" if node.cut else ""
    return f"{name}{'max' if node.maximising else 'min'} {_in_words(node.value)} {window}{cut}"


def _in_words(value: int) -> str:
    if abs(value) >= INFINITY:
        return "inf" if value > 0 else "-inf"
    score = Score(value)
    return str(score).replace(" in ", "-in-") if score.decisive else str(value)
