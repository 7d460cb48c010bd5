"""Heuristic continuation: searches beyond the horizon where a line would be cut at a bad moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bestfirst.games.engine.line import Chain
from bestfirst.games.engine.transposition import Bound, Entry
from bestfirst.games.game import Move, Position, estimated_value, final_value
from bestfirst.games.score import DECISIVE, INFINITY, in_plies_from_root

if TYPE_CHECKING:
    from bestfirst.games.engine.search import AlphaBetaSearch

LEAST_DEPTH_FOR_EXCLUSION = 4
MOST_EXTENSION = 2
"""Maximum depth of a line as a multiple of the requested depth, so that extensions terminate."""


def beyond_the_horizon(search: AlphaBetaSearch, state: Position, alpha: int, beta: int, ply: int) -> tuple[int, Chain]:
    """The value of a position at the horizon where the game is not over; its node has already been counted.

    Without quiescence search or noisy moves it is the game's estimate. Otherwise it is the best value of the noisy moves
    and, unless they are forced, of the estimate: the side to move may stand pat, because some quiet move is rarely worse.
    Contract: that of alpha-beta, for the tree of the noisy moves.
    """
    game, stats = search.game, search.stats
    noisy = tuple(game.noisy_moves(state)) if search.settings.quiescence else ()
    best = -INFINITY
    if not (noisy and game.noisy_is_forced):
        stats.estimated += 1
        search.estimates += 1
        best = estimated_value(game, state)
        if best >= beta:
            return best, None
        alpha = max(alpha, best)
    line: Chain = None
    for move in noisy:
        child = game.play(state, move)
        again = game.moves_again(state, child)
        low, high = (alpha, beta) if again else (-beta, -alpha)
        value, rest = search.quiescent(state, move, child, low, high, ply + 1)
        value = value if again else -value
        if value > best:
            best, line = value, (move, rest)
            alpha = max(alpha, best)
            if alpha >= beta and search.settings.method != "minimax":
                stats.cuts += 1
                break
    return best, line


def after_noisy_move(search: AlphaBetaSearch, state: Position, alpha: int, beta: int, ply: int) -> tuple[int, Chain]:
    """The value of a node of the quiescence search: it is counted, and the game may be over there."""
    search.enter()
    search.check_ply(state, ply)
    search.stats.quiescent += 1
    if search.game.is_over(state):
        search.stats.ended += 1
        return final_value(search.game, state, ply), None
    return beyond_the_horizon(search, state, alpha, beta, ply)


def singular_move(
    search: AlphaBetaSearch, state: Position, moves: Sequence[Move], entry: Entry | None, depth: int, ply: int
) -> Move | None:
    """The move that is clearly better than its siblings and is searched a ply deeper; None if there is none."""
    settings = search.settings
    if ply + depth >= MOST_EXTENSION * search.root_depth:
        return None
    if len(moves) == 1:
        return moves[0]
    if settings.singular == "static":
        return _statically_singular(search, state, moves)
    return _singular_by_exclusion(search, state, moves, entry, depth, ply)


def _statically_singular(search: AlphaBetaSearch, state: Position, moves: Sequence[Move]) -> Move | None:
    """The move whose position has an estimate above all others by the margin."""
    worths = []
    for move in moves:
        child = search.game.play(state, move)
        value = final_value(search.game, child, 0) if search.game.is_over(child) else estimated_value(search.game, child)
        worths.append(value if search.game.moves_again(state, child) else -value)
    best = max(range(len(moves)), key=worths.__getitem__)
    second = max(worth for number, worth in enumerate(worths) if number != best)
    return moves[best] if worths[best] - second >= search.settings.singular_margin else None


def _singular_by_exclusion(
    search: AlphaBetaSearch, state: Position, moves: Sequence[Move], entry: Entry | None, depth: int, ply: int
) -> Move | None:
    """The table's move, if a search without it to half the depth stays below its value by the margin."""
    if entry is None or entry.bound is Bound.UPPER or depth < LEAST_DEPTH_FOR_EXCLUSION:
        return None
    move = entry.move
    if move not in moves or entry.depth < depth - 3 or abs(entry.value) >= DECISIVE:
        return None
    bar = in_plies_from_root(entry.value, ply) - search.settings.singular_margin
    value, _ = search.value(state, bar - 1, bar, (depth - 1) // 2, ply, without=move)
    return next((own for own in moves if own == move), None) if value < bar else None
