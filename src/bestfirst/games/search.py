"""The alpha-beta search with all its techniques, each a switch of Settings: one search of a position to one depth.

How techniques that have a module of their own come in: the table (transposition.py), the order of moves (ordering.py), searching
on where it is too early to stop (continuation.py), and pruning that can be wrong (pruning.py). Progressive deepening
(deepening.py), aspiration and MTD(f) (mtdf.py) drive this search from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import TypeAlias

from bestfirst.games import continuation, pruning
from bestfirst.games.game import Game, Move, Position, estimated_value, final_value, no_moves
from bestfirst.games.line import Chain
from bestfirst.games.ordering import MoveOrder
from bestfirst.games.score import INFINITY, in_plies_from_here, in_plies_from_root
from bestfirst.games.settings import Settings
from bestfirst.games.stats import GameStats
from bestfirst.games.transposition import Bound, Entry, TranspositionTable

Valued: TypeAlias = tuple[int, Chain]
"""A value for the side to move, and the line of play that it comes from."""
NODES_BETWEEN_LOOKS = 64


class StopSearchError(Exception):
    """A limit, or Ctrl-C, ends the search where it is; `why` names it."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True)
class RootLine:
    """A move at the root with its value; complete: no estimate was needed to know it."""

    move: Move
    value: int
    rest: Chain
    complete: bool


class AlphaBetaSearch:
    """A search of one game; what it remembers (table, killers, history) serves its next calls too.

    estimates: how often a value that was not searched to the end of the game has been used, so that it can be told whether the
        search of some subtree needed any.
    """

    def __init__(self, game: Game, settings: Settings, stats: GameStats | None = None) -> None:
        self.game, self.settings = game, settings
        self.stats = stats or GameStats()
        self.estimates = 0
        assert isinstance(settings.table, int)
        self._table = TranspositionTable(settings.table, settings.replacement, self.stats) if settings.table else None
        self._order = MoveOrder(game, settings)
        self._cuts = settings.method != "minimax"
        self._is_pvs = settings.method == "pvs"
        self._most_nodes: float = inf
        self._next_look: float = inf
        self._stop: Callable[[], str | None] | None = None
        self.root_depth = 0
        self.root_estimate = 0

    def limit(self, most_nodes: float, stop: Callable[[], str | None] | None) -> None:
        """From now on raise StopSearchError before there are more nodes, or when stop() names a reason."""
        self._most_nodes, self._stop = most_nodes, stop
        self._next_look = most_nodes if stop is None else min(most_nodes, self.stats.nodes + NODES_BETWEEN_LOOKS)

    def enter(self) -> None:
        """Count a node, unless a limit forbids it."""
        if self.stats.nodes >= self._next_look:
            self._look()
        self.stats.nodes += 1

    def _look(self) -> None:
        if self.stats.nodes >= self._most_nodes:
            raise StopSearchError("nodes")
        why = self._stop() if self._stop is not None else None
        if why is not None:
            raise StopSearchError(why)
        self._next_look = min(self._most_nodes, self.stats.nodes + NODES_BETWEEN_LOOKS)

    def start_order(self, state: Position) -> list[Move]:
        """The moves of the root in the order in which the first round tries them."""
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
        """The best moves of a position that is not over, as many as there are to be lines, the best first.

        Their values are exact within the window; outside it they are bounds as alpha-beta gives them. The other moves are only
        shown to be no better than the last line.
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
            value, rest = self._scouted(state, child, floor, beta, depth - 1, 1, branching, scout=enough)
            if not enough or value > best[-1].value:
                line = RootLine(move, value, rest, complete=self.estimates == before)
                place = next((at for at, other in enumerate(best) if other.value < value), len(best))
                best.insert(place, line)
                del best[lines:]
            if self._cuts and lines == 1 and best[0].value >= beta:
                break
        return best

    def value(
        self,
        state: Position,
        alpha: int,
        beta: int,
        depth: int,
        ply: int,
        *,
        branching: int | None = None,
        may_pass: bool = True,
        without: Move | None = None,
    ) -> Valued:
        """The value of a position for the side to move, by the contract of alpha-beta (see alpha_beta.py).

        branching: how many moves a tapered search may still try. may_pass: whether the null move may be tried.
        without: a move that is left out, to see whether it stands out.
        """
        game, settings, stats = self.game, self.settings, self.stats
        self.enter()
        stats.deepest = max(stats.deepest, ply)
        if game.is_over(state):
            stats.ended += 1
            return final_value(game, state, ply), None
        if depth <= 0 or (branching is not None and branching <= 0):
            if depth > 0:
                stats.prune("tapered")
            return continuation.beyond_the_horizon(self, state, alpha, beta, ply)
        before = self.estimates
        entry, key = None, None
        if self._table is not None and without is None:
            key = self._key(state)
            entry = self._table.probe(key)
            if entry is not None:
                known = in_plies_from_root(entry.value, ply)
                if entry.settles(depth, alpha, beta, known):
                    stats.table_cuts += 1
                    self.estimates += not entry.complete
                    return known, None if settings.symmetries else entry.line  # an image's line is not this position's
        if settings.unsound:
            pruned = pruning.without_moves(self, state, alpha, beta, depth, ply, may_pass=may_pass)
            if pruned is not None:
                self.estimates += 1
                return pruned, None
        hash_move = entry.line[0] if entry is not None and entry.line is not None else None
        moves = self._order.ordered(state, game.moves(state), ply, hash_move)
        longer = None
        if settings.singular is not None and without is None:
            moves = list(moves)
            longer = continuation.singular_move(self, state, moves, entry, depth, ply)
        quiet = pruning.QuietMoves(self, state, alpha, depth) if settings.unsound else None
        low, best, line = alpha, -INFINITY, None
        tried = 0
        for move in moves:
            if without is not None and move == without:
                continue
            if branching is not None and tried >= branching:
                stats.prune("tapered")
                self.estimates += 1
                break
            if quiet is not None and tried and quiet.is_futile(move):
                self.estimates += 1
                best = max(best, quiet.most)
                continue
            tried += 1
            child = game.play(state, move)
            after = None if branching is None else branching - tried
            deeper = move is longer
            stats.extensions += deeper
            if quiet is not None and quiet.is_late(move, tried):
                value, rest = self._child(state, child, alpha, alpha + 1, depth - 2, ply + 1, after)
                if value > alpha:
                    stats.researches += 1
                    value, rest = self._scouted(state, child, alpha, beta, depth - 1, ply + 1, after, scout=True)
            else:
                value, rest = self._scouted(state, child, alpha, beta, depth - 1 + deeper, ply + 1, after, scout=tried > 1)
            if value > best:
                best, line = value, (move, rest)
                alpha = max(alpha, best)
                if self._cuts and alpha >= beta:
                    stats.cuts += 1
                    stats.first_cuts += tried == 1
                    self._order.note_cut(move, ply, depth)
                    break
                if settings.futility is not None and pruning.is_nothing_to_gain(self, best, alpha, beta):
                    self.estimates += 1
                    break
        if best == -INFINITY:
            raise no_moves(game, state)
        if key is not None and self._table is not None:
            bound = Bound.UPPER if best <= low else Bound.LOWER if best >= beta else Bound.EXACT
            kept = line if not settings.symmetries else line and (line[0], None)
            self._table.store(Entry(key, depth, self.estimates == before, bound, in_plies_from_here(best, ply), kept))
        return best, line

    def _scouted(
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
        """The value of a child for the side that moves at its parent; principal variation search looks first whether it matters."""
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

    def _key(self, state: Position) -> object:
        """What the table calls a position: with symmetries, the least of the keys of its images."""
        key = self.game.key(state)
        if not self.settings.symmetries:
            return key
        return min([key, *(self.game.key(image) for image in self.game.symmetries(state))])  # type: ignore[type-var]
