"""Base of the alpha-beta searches of both engines: the root, the limits, and principal variation search."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from typing import Any, TypeAlias

from bestfirst.errors import ProblemError
from bestfirst.games.contract import as_searched
from bestfirst.games.engine.line import Chain
from bestfirst.games.engine.mate_distance import SoonestEnds, soonest_ends
from bestfirst.games.engine.ordering import MoveOrder
from bestfirst.games.engine.packed_table import PackedTable
from bestfirst.games.engine.settings import Settings
from bestfirst.games.engine.transposition import Entry, TranspositionTable
from bestfirst.games.game import Game, Move, Position, estimated_value, line_too_long
from bestfirst.games.score import INFINITY, MOST_PLIES
from bestfirst.games.stats import GameStats
from bestfirst.words import words_of
from bestfirst.written import text_of

Valued: TypeAlias = tuple[int, Chain]
"""A value relative to the side to move, and the line of play that attains it."""
NODES_BETWEEN_LOOKS = 64


class StopSearchError(Exception):
    """A limit or Ctrl-C, named by `why`, stops the search."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True)
class RootLine:
    """A move at the root with its value.

    complete: whether the value depends on no estimate. is_guess: whether the moves after the first are unproved, from a
    null-window search. goes_on: whether play continues after the line, but is unknown.
    """

    move: Move
    value: int
    rest: Chain
    complete: bool
    is_guess: bool = False
    goes_on: bool = False


def ranked(lines: Sequence[RootLine], line: RootLine, most: int) -> list[RootLine]:
    """Lines, best first, with one more inserted after its equals, cut to `most`."""
    place = next((at for at, other in enumerate(lines) if other.value < line.value), len(lines))
    return [*lines[:place], line, *lines[place:]][:most]


class RootedSearch(ABC):
    """A search of one game. Its table, killers and history are kept for later calls.

    is_apart: whether an uncounted search is running (see apart).
    estimates: the number of estimated values used so far; its change shows whether the search of a subtree needed any.
    """

    def __init__(self, game: Game, settings: Settings, stats: GameStats | None = None) -> None:
        game = as_searched(game)
        self.game, self.settings = game, settings
        self.stats = stats or GameStats()
        self.estimates = 0
        self.root_depth = 0
        self.root_estimate = 0
        self._domain = game.domain()
        self._table = self._new_table()
        self._order = MoveOrder(game, settings)
        self._cuts = settings.method != "minimax"
        self._is_pvs = settings.method == "pvs"
        self._mirrored_plies = settings.symmetries if game.defines("symmetries") else 0
        self.lineless_plies = MOST_PLIES if game.key_merges else self._mirrored_plies
        self.foreseen_plies = min(settings.foresight, _most_foreseen(game))
        self.soonest: SoonestEnds | None = None
        if settings.win_distance and self._cuts and not game.counts_points:
            self.soonest = soonest_ends(game, self.foreseen_plies)
        self._most_nodes: float = inf
        self._next_look: float = inf
        self._stop: Callable[[], str | None] | None = None
        self.is_apart = False

    def note_data(self) -> None:  # noqa: B027  (the reference engine reads the data anew)
        """Note the data of the game that the search has read, for check_data()."""

    def check_data(self) -> None:  # noqa: B027
        """Raise InputError if the noted data have changed, as far as that can be seen."""

    def _new_table(self) -> TranspositionTable | PackedTable | None:
        game, settings = self.game, self.settings
        if not settings.table:
            return None
        assert isinstance(settings.table, int)
        if self._domain is None:
            return TranspositionTable(settings.table, settings.replacement, self.stats)
        return PackedTable(settings.table, len(words_of(game.key(game.initial))), settings.replacement, self.stats)

    @abstractmethod
    def value(
        self,
        state: Position,
        alpha: int,
        beta: int,
        depth: int,
        ply: int,
        *,
        branching: int | None = None,
    ) -> Valued:
        """The value of a position relative to the side to move, by the contract of alpha-beta (see alpha_beta.py).

        branching: number of moves that a tapered search may still try.
        """

    def limit(self, most_nodes: float, stop: Callable[[], str | None] | None) -> None:
        """From now on, raise StopSearchError before exceeding this number of nodes, or when stop() names a reason."""
        self._most_nodes, self._stop = most_nodes, stop
        self._next_look = most_nodes if stop is None else min(most_nodes, self.stats.nodes + NODES_BETWEEN_LOOKS)

    def enter(self) -> None:
        """Count a node, unless a limit forbids it."""
        if self.stats.nodes >= self._next_look:
            self.look()
        self.stats.nodes += 1

    def check_ply(self, state: Position, ply: int) -> None:
        """Raise ProblemError at a position deeper than a search can be."""
        if ply > MOST_PLIES:
            raise line_too_long(self.game, state)

    def look(self) -> None:
        """Raise StopSearchError if a limit is reached."""
        if self.stats.nodes >= self._most_nodes:
            raise StopSearchError("nodes")
        why = self._stop() if self._stop is not None else None
        if why is not None:
            raise StopSearchError(why)
        self._next_look = min(self._most_nodes, self.stats.nodes + NODES_BETWEEN_LOOKS)

    @contextmanager
    def apart(self, most_nodes: int) -> Iterator[None]:
        """Search at most this number of nodes without counting them in stats. All limits except the node limit still apply.

        A limit ends only the searches inside.
        """
        stats, estimates, most, table = self.stats, self.estimates, self._most_nodes, self._table
        self.stats = GameStats()
        if table is not None:
            table.stats = self.stats
        self.is_apart = True
        self.limit(most_nodes, self._stop)
        try:
            yield
        except StopSearchError:
            pass
        finally:
            self.stats, self.estimates, self.is_apart = stats, estimates, False
            if table is not None:
                table.stats = stats
            self.limit(most, self._stop)

    def start_order(self, state: Position) -> list[Move]:
        """The moves of the root in the order of the first iteration."""
        return list(self._order.ordered(state, self.game.moves(state), 0, None))

    def root(
        self,
        state: Position,
        moves: Sequence[Move],
        depth: int,
        lines: int = 1,
        alpha: int = -INFINITY,
        beta: int = INFINITY,
    ) -> list[RootLine]:
        """The best moves of an unfinished position, as many as lines are requested, best first.

        Their values are exact within the window, and alpha-beta bounds outside it. The other moves are only shown to be no
        better than the last line.
        """
        self.enter()
        self.root_depth, self.root_estimate = depth, estimated_value(self.game, state) if self.settings.unsound else 0
        best: list[RootLine] = []
        for rank, move in enumerate(moves, start=1):
            enough = len(best) >= lines
            floor = max(alpha, best[-1].value) if enough else alpha
            before = self.estimates
            child = self.game.play(state, move)
            branching = None if self.settings.tapered is None else self.settings.tapered - rank
            value, rest = self.scouted(state, child, floor, beta, depth - 1, 1, branching, scout=enough)
            if not enough or value > best[-1].value:
                best = ranked(best, RootLine(move, value, rest, complete=self.estimates == before), lines)
            if self._cuts and lines == 1 and best[0].value >= beta:
                break
        return best

    def scouted(
        self,
        state: Position,
        child: Position,
        alpha: int,
        beta: int,
        depth: int,
        ply: int,
        branching: int | None,
        *,
        scout: bool,
    ) -> Valued:
        """The value of a child for the side that moves at its parent; principal variation search tries a null window
        first."""
        if not (scout and self._is_pvs and beta - alpha > 1 and alpha > -INFINITY):
            return self._child(state, child, alpha, beta, depth, ply, branching)
        value, rest = self._child(state, child, alpha, alpha + 1, depth, ply, branching)
        if alpha < value < beta:
            self.stats.researches += 1
            value, rest = self._child(state, child, alpha, beta, depth, ply, branching)
        return value, rest

    def _child(
        self, state: Position, child: Position, alpha: int, beta: int, depth: int, ply: int, branching: int | None = None
    ) -> Valued:
        """The value of a child for the side that moves at its parent."""
        if not self._cuts:
            alpha, beta = -INFINITY, INFINITY
        if self.game.moves_again(state, child):
            return self.value(child, alpha, beta, depth, ply, branching=branching)
        value, rest = self.value(child, -beta, -alpha, depth, ply, branching=branching)
        return -value, rest

    def key(self, state: Position, *, mirrored: bool) -> object:
        """The table key of a position: with symmetries, the least key of its images."""
        key = self.own_key(state)
        if not mirrored:
            return key
        keys: list[Any] = [key, *(self.own_key(image) for image in self.game.symmetries(state))]
        try:
            return min(keys)
        except TypeError as error:
            raise ProblemError(
                f"in position {text_of(self.game, 'format', state)!r}, the keys of the position and its symmetries cannot be "
                f"ordered ({error}); define key(state) to return numbers, strings, or tuples of them"
            ) from error

    def own_key(self, state: Position) -> object:
        """The table key of a position itself, not shared with its mirror images."""
        key = self.game.key(state)
        return key if self._domain is None else words_of(key)

    def entry(self, state: Position, ply: int) -> Entry | None:
        """The table entry of a position at `ply`, without counting a probe."""
        if self._table is None:
            return None
        return self._table.entry(self.key(state, mirrored=0 < ply <= self._mirrored_plies))  # type: ignore[arg-type]

    def following(self, state: Position, move: Move, value: int) -> tuple[Position, int]:
        """The position after a move, and a value relative to the side to move there."""
        child = self.game.play(state, move)
        return child, value if self.game.moves_again(state, child) else -value


def _most_foreseen(game: Game) -> int:
    """The number of plies that foresight can see in a game."""
    if game.counts_points or not game.defines("winning_moves"):
        return 0
    return 2 if game.defines("losing_moves") and game.mover_never_loses else 1
