"""The alpha-beta search with all its techniques, with recording: the same nodes, windows and values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from bestfirst.arguments import check_kind
from bestfirst.games.engine.rooted import RootLine, Valued
from bestfirst.games.engine.search import AlphaBetaSearch
from bestfirst.games.engine.settings import Settings
from bestfirst.games.game import Game, Move, Position
from bestfirst.games.score import INFINITY
from bestfirst.games.stats import GameStats
from bestfirst.games.tracing.trace import GameTrace, Visited, looked_at
from bestfirst.written import text_of


class _Frame:
    """A node under search: its unsearched moves, and the counters before and below it."""

    def __init__(self, game: Game, node: Visited, counts: Counter[str]) -> None:
        self.node, self.counts, self.below = node, counts, Counter[str]()
        self.is_leaf = True
        self._game = game
        self._moves: dict[Position, list[str]] | None = None
        self._last: tuple[Position, str] | None = None

    def move_to(self, state: Position) -> tuple[str, bool]:
        """The move to a position searched below this node, and whether the same move was searched just before."""
        untried = self.untried.get(state)
        if untried:
            self._last = state, untried.pop(0)
            return self._last[1], False
        if self._last is not None and self._last[0] == state:
            return self._last[1], True
        return ("less deep" if state == self.node.state else "null move"), False

    def set_aside(self, move: Move) -> None:
        """Mark a move as not to be searched."""
        state = self.node.state
        self.untried[self._game.play(state, move)].remove(text_of(self._game, "format_move", state, move))

    @property
    def untried(self) -> dict[Position, list[str]]:
        """The unsearched moves, by the positions to which they lead."""
        if self._moves is None:
            self._moves = {}
            game, state = self._game, self.node.state
            for move in game.legal_moves(state):
                self._moves.setdefault(game.play(state, move), []).append(text_of(game, "format_move", state, move))
        return self._moves


class TracedSearch(AlphaBetaSearch):
    """An AlphaBetaSearch that records its nodes in a trace."""

    def __init__(self, game: Game, settings: Settings, stats: GameStats, trace: GameTrace) -> None:
        check_kind("trace", trace, GameTrace, "a GameTrace()")
        super().__init__(game, settings, stats)
        self._trace = trace
        self._path: list[_Frame] = []
        self._beyond: list[Visited] = []  # the path beyond the horizon
        beyond = [name for name, is_on in (("quiescence", settings.quiescence), ("extensions", settings.singular)) if is_on]
        trace.clear(game, f"{settings.method}{' with ' if beyond else ''}{' and '.join(beyond)}")

    def root(
        self,
        state: Position,
        moves: Sequence[Move],
        depth: int,
        lines: int = 1,
        alpha: int = -INFINITY,
        beta: int = INFINITY,
    ) -> list[RootLine]:
        """Like AlphaBetaSearch.root, but starts a tree of the trace."""
        self._path, self._beyond = [], []
        frame = self._begin(state, depth, alpha, beta)
        try:
            found = super().root(state, moves, depth, lines, alpha, beta)
        except BaseException:
            self._trace.forget(frame.node)  # the tree of an unfinished depth
            raise
        self._end(frame, found[0].value)
        return found

    def value(self, state: Position, alpha: int, beta: int, depth: int, ply: int, **more: Any) -> Valued:
        """Like AlphaBetaSearch.value, but adds a node to the trace."""
        if self.is_apart:
            return super().value(state, alpha, beta, depth, ply, **more)
        frame = self._begin(state, depth, alpha, beta)
        if more.get("without") is not None:
            frame.set_aside(more["without"])
        value, line = super().value(state, alpha, beta, depth, ply, **more)
        self._end(frame, value)
        return value, line

    def quiescent(self, parent: Position, move: Move, state: Position, alpha: int, beta: int, ply: int) -> Valued:
        """Like AlphaBetaSearch.quiescent, but records the node beyond the horizon."""
        if self.is_apart:
            return super().quiescent(parent, move, state, alpha, beta, ply)
        above = self._beyond[-1] if self._beyond else self._path[-1].node
        node = looked_at(self.game, above, state, self.game.format_move(parent, move), 0, alpha, beta)
        self._trace.add_beyond(above, node)
        self._beyond.append(node)
        value, line = super().quiescent(parent, move, state, alpha, beta, ply)
        self._beyond.pop()
        self._trace.end(node, value)
        node.is_leaf, node.why = not node.beyond, "over" if self.game.is_over(state) else "horizon"
        node.untried = self._untried_beyond(node)
        return value, line

    def _untried_beyond(self, node: Visited) -> list[str]:
        """The noisy moves that were not tried, since the value was known to be outside the window."""
        if not self.settings.quiescence or node.why == "over" or self._trace.dropped:
            return []
        moves = [self.game.format_move(node.state, move) for move in self.game.noisy_moves(node.state)]
        return moves[len(node.beyond) :]

    def _begin(self, state: Position, depth: int, alpha: int, beta: int) -> _Frame:
        above = self._path[-1] if self._path else None
        move, again = (None, False) if above is None else above.move_to(state)
        parent = None
        if above is not None:
            parent, above.is_leaf = above.node, False
        node = looked_at(self.game, parent, state, move, depth, alpha, beta)
        node.again = again
        node.extended = parent is not None and state != parent.state and depth == parent.depth
        self._trace.add(parent, node)
        frame = _Frame(self.game, node, self._counts())
        self._path.append(frame)
        return frame

    def _end(self, frame: _Frame, value: int) -> None:
        self._path.pop()
        node, all_counts = frame.node, self._counts() - frame.counts
        own = all_counts - frame.below
        if self._path:
            self._path[-1].below += all_counts
        self._trace.end(node, value)
        node.switches = tuple(sorted(name for name in own if name not in ("table", "quiescent", "foreseen", "too_far")))
        node.quiescent = own["quiescent"]
        if frame.is_leaf:
            node.is_leaf, node.why = True, self._why(node, own)
            if node.why == "horizon" or node.beyond:
                node.untried = self._untried_beyond(node)
        else:
            node.pruned = [move for moves in frame.untried.values() for move in moves]

    def _why(self, node: Visited, own: Counter[str]) -> str:
        """The reason why a node is a leaf."""
        if self.game.is_over(node.state):
            return "over"
        if own["foreseen"]:
            return "foresight"
        if own["too_far"]:
            return "win distance"
        return "table" if own["table"] else ", ".join(node.switches) or "horizon"

    def _counts(self) -> Counter[str]:
        """The counters of the events that can end the search of a node."""
        stats = self.stats
        return Counter(
            {
                **stats.pruned,
                "table": stats.table_cuts,
                "quiescent": stats.quiescent,
                "foreseen": stats.foreseen,
                "too_far": stats.too_far,
            }
        )
