"""Unsound pruning, compiled: the twin of games/engine/pruning.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bestfirst.compiled.kernels.game_search import NO_BRANCHING, NO_MOVE, NOTHING, Search, estimated_value
from bestfirst.games.engine.pruning import LEAST_DEPTH
from bestfirst.games.score import DECISIVE, INFINITY

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.game_names import HAS_NOISY, HAS_NULL, State, is_over, noisy, null, whole
    from bestfirst.compiled.kernels.alpha_beta import value


def without_moves(
    search: Search, state: State, alpha: int, beta: int, depth: int, ply: int, may_pass: bool
) -> tuple[bool, int]:
    """Whether a position need not be searched, and a value for it then."""
    settings, stats = search.settings, search.stats
    if settings.disaster >= 0 and alpha > -INFINITY:
        estimate = estimated_value(search, state, ply)
        if estimate <= alpha - settings.disaster:
            stats.pruned_disaster += 1
            stats.estimated += 1
            return True, estimate
    if alpha <= -DECISIVE or beta >= DECISIVE:
        return False, 0
    if HAS_NULL:
        if settings.null_move >= 0 and may_pass and depth > 1:
            passed = null(search.game, state)
            if not is_over(search.game, passed):
                reduced = depth - 1 - settings.null_move
                found = value(search, passed, -beta, 1 - beta, reduced, ply + 1, NO_BRANCHING, False, NO_MOVE, NOTHING)
                if -found >= beta:
                    stats.pruned_null_move += 1
                    return True, beta
    if settings.probcut >= 0 and depth >= LEAST_DEPTH:
        bar = beta + settings.probcut
        found = value(search, state, bar - 1, bar, depth - 2, ply, NO_BRANCHING, False, NO_MOVE, NOTHING)
        if found >= bar:
            stats.pruned_probcut += 1
            return True, beta
        bar = alpha - settings.probcut
        found = value(search, state, bar, bar + 1, depth - 2, ply, NO_BRANCHING, False, NO_MOVE, NOTHING)
        if found <= bar:
            stats.pruned_probcut += 1
            return True, alpha
    return False, 0


def is_nothing_to_gain(search: Search, best: int, alpha: int, beta: int) -> bool:
    """P. H. Winston's futility cut-off: the possible gain of the other moves is too small to search for."""
    futility = search.settings.futility
    is_futile = futility >= 0 and best == alpha and alpha + futility >= beta
    search.stats.pruned_futility += is_futile
    return is_futile


def most_of_futile(search: Search, state: State, alpha: int, depth: int, ply: int) -> int:
    """QuietMoves.most: the bound for the value of a futile move; -INFINITY if no move of the position is futile."""
    margin, most = search.settings.futility_margin, -INFINITY
    if margin >= 0 and depth == 1:
        bound = estimated_value(search, state, ply) + margin
        if bound <= alpha:
            most = bound
    return most


def noisy_moves(search: Search, state: State, most: int) -> int:
    """The noisy moves of a position, as a set; empty where no other move is futile or late."""
    noise = 0
    if HAS_NOISY:
        if most > -INFINITY or search.settings.late_moves >= 0:
            noise = whole(noisy(search.game, state))
    return noise


def is_futile(search: Search, move: int, most: int, noise: int) -> bool:
    """Whether a move is skipped, because it can hardly reach alpha."""
    is_skipped = most > -INFINITY and not is_among(move, noise)
    search.stats.pruned_futility_margin += is_skipped
    return is_skipped


def is_late(search: Search, move: int, number: int, depth: int, noise: int) -> bool:
    """Whether a move is searched with reduced depth, because enough better-looking moves were tried before."""
    late = search.settings.late_moves
    is_reduced = late >= 0 and number > late and depth >= LEAST_DEPTH and not is_among(move, noise)
    search.stats.pruned_late_moves += is_reduced
    return is_reduced


def is_among(move: int, moves: int) -> bool:
    """Whether a move, or a pass, is in a set of moves."""
    return move >= 0 and moves >> move & 1 != 0


PARTS = (is_among, without_moves, is_nothing_to_gain, most_of_futile, noisy_moves, is_futile, is_late)
"""Callees before callers."""
