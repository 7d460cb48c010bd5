"""Unsound pruning: skips moves that are probably useless. It can be wrong, so each use is counted and nothing is proved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bestfirst.games.game import Move, Position, estimated_value
from bestfirst.games.score import DECISIVE, INFINITY

if TYPE_CHECKING:
    from bestfirst.games.engine.search import AlphaBetaSearch

LEAST_DEPTH = 3
"""The least depth at which a reduced search is informative."""


def without_moves(
    search: AlphaBetaSearch, state: Position, alpha: int, beta: int, depth: int, ply: int, *, may_pass: bool
) -> int | None:
    """A value for a position that need not be searched; None if it must be searched."""
    game, settings, stats = search.game, search.settings, search.stats
    if settings.disaster is not None and alpha > -INFINITY:
        estimate = estimated_value(game, state)
        if estimate <= alpha - settings.disaster:
            stats.prune("disaster")
            stats.estimated += 1
            return estimate
    bounded = alpha > -DECISIVE and beta < DECISIVE
    if settings.null_move is not None and may_pass and bounded and depth > 1:
        passed = game.null(state)
        if passed is not None and not game.is_over(passed):
            value, _ = search.value(passed, -beta, 1 - beta, depth - 1 - settings.null_move, ply + 1, may_pass=False)
            if -value >= beta:
                stats.prune("null_move")
                return beta
    if settings.probcut is not None and bounded and depth >= LEAST_DEPTH:
        bar = beta + settings.probcut
        value, _ = search.value(state, bar - 1, bar, depth - 2, ply, may_pass=False)
        if value >= bar:
            stats.prune("probcut")
            return beta
        bar = alpha - settings.probcut
        value, _ = search.value(state, bar, bar + 1, depth - 2, ply, may_pass=False)
        if value <= bar:
            stats.prune("probcut")
            return alpha
    return None


def is_nothing_to_gain(search: AlphaBetaSearch, best: int, alpha: int, beta: int) -> bool:
    """P. H. Winston's futility cut-off: the possible gain of the other moves is too small to search for."""
    assert search.settings.futility is not None
    if best == alpha and alpha + search.settings.futility >= beta:
        search.stats.prune("futility")
        return True
    return False


class QuietMoves:
    """The quiet moves of a position: which of them are futile (a ply above the horizon), and which are late.

    most: the upper bound, by the margin, for the value of a futile move.
    """

    def __init__(self, search: AlphaBetaSearch, state: Position, alpha: int, depth: int) -> None:
        settings = search.settings
        self._search, self._depth = search, depth
        self._noisy: frozenset[Move] = frozenset()
        self.most = -INFINITY
        self._futile = False
        if settings.futility_margin is not None and depth == 1:
            self.most = estimated_value(search.game, state) + settings.futility_margin
            self._futile = self.most <= alpha
        if self._futile or settings.late_moves is not None:
            self._noisy = frozenset(search.game.noisy_moves(state))

    def is_futile(self, move: Move) -> bool:
        """Whether a move is skipped, because it can hardly reach alpha."""
        if self._futile and move not in self._noisy:
            self._search.stats.prune("futility_margin")
            return True
        return False

    def is_late(self, move: Move, number: int) -> bool:
        """Whether a move is searched with reduced depth, because enough better-looking moves were tried before."""
        late = self._search.settings.late_moves
        if late is not None and number > late and self._depth >= LEAST_DEPTH and move not in self._noisy:
            self._search.stats.prune("late_moves")
            return True
        return False
