"""Heuristic continuation, compiled: the twin of games/engine/continuation.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bestfirst.compiled.compiler.intrinsics import lowest_bit
from bestfirst.compiled.kernels.game_search import (
    NO_BRANCHING,
    NO_MOVE,
    NOT_SINGULAR,
    NOTHING,
    STATIC,
    UPPER,
    Search,
    check_ply,
    enter,
    estimated_value,
    final_value,
    keep_line,
    moves_again,
    unsigned,
)
from bestfirst.compiled.kernels.transposition import depth_of, move_of, value_at
from bestfirst.games.engine.continuation import LEAST_DEPTH_FOR_EXCLUSION, MOST_EXTENSION
from bestfirst.games.engine.packed_table import BOUND_MASK, VALUE_SHIFT
from bestfirst.games.score import DECISIVE, INFINITY

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.game_names import HAS_NOISY, NOISY_IS_FORCED, State, is_over, noisy, play, whole
    from bestfirst.compiled.kernels.alpha_beta import value


def beyond_the_horizon(search: Search, state: State, alpha: int, beta: int, ply: int) -> int:
    """The value of a position at the horizon where the game is not over; its node has already been counted."""
    game, stats = search.game, search.stats
    search.lengths[unsigned(ply)] = 0
    best, left = -INFINITY, 0
    if HAS_NOISY:
        left = whole(noisy(game, state)) if search.settings.quiescence else 0
    if left == 0 or not NOISY_IS_FORCED:
        stats.estimated += 1
        search.run.estimates += 1
        best = estimated_value(search, state, ply)
        if best >= beta or left == 0:
            return best
        alpha = max(alpha, best)
    if HAS_NOISY:
        while left != 0:
            move = lowest_bit(left)
            left &= left - 1
            child = play(game, state, move)
            enter(search)
            check_ply(search, child, ply + 1)
            stats.quiescent += 1
            again = moves_again(search, state, child)
            low, high = (alpha, beta) if again else (-beta, -alpha)
            if is_over(game, child):
                stats.ended += 1
                search.lengths[unsigned(ply + 1)] = 0
                found = final_value(search, child, ply + 1)
            else:
                found = beyond_the_horizon(search, child, low, high, ply + 1)
            found = found if again else -found
            if found > best:
                best = found
                keep_line(search, ply, move)
                alpha = max(alpha, best)
                if alpha >= beta and search.settings.is_cutting:
                    stats.cuts += 1
                    break
    return best


def singular_move(search: Search, state: State, first: int, count: int, entry: int, depth: int, ply: int) -> int:
    """The move that is clearly better than its siblings and is searched a ply deeper; NO_MOVE if there is none."""
    settings = search.settings
    if settings.singular == NOT_SINGULAR or ply + depth >= MOST_EXTENSION * settings.root_depth:
        return NO_MOVE
    if count == 1:
        return int(search.moves[first].move)
    if settings.singular == STATIC:
        return statically_singular(search, state, first, count, ply)
    return singular_by_exclusion(search, state, first, count, entry, depth, ply)


def statically_singular(search: Search, state: State, first: int, count: int, ply: int) -> int:
    """The move whose position has an estimate above all others by the margin."""
    best, second, singular = -INFINITY - 1, -INFINITY - 1, NO_MOVE
    for place in range(first, first + count):
        move = search.moves[place].move
        child = play(search.game, state, move)
        ends = is_over(search.game, child)
        worth = final_value(search, child, 0) if ends else estimated_value(search, child, ply + 1)
        if not moves_again(search, state, child):
            worth = -worth
        if worth > best:
            best, second, singular = worth, best, move
        elif worth > second:
            second = worth
    return singular if best - second >= search.settings.singular_margin else NO_MOVE


def singular_by_exclusion(search: Search, state: State, first: int, count: int, entry: int, depth: int, ply: int) -> int:
    """The table's move, if a search without it to half the depth stays below its value by the margin."""
    if entry == 0 or entry & BOUND_MASK == UPPER or depth < LEAST_DEPTH_FOR_EXCLUSION:
        return NO_MOVE
    if depth_of(entry) < depth - 3 or abs(entry >> VALUE_SHIFT) >= DECISIVE:
        return NO_MOVE
    move, is_legal = move_of(entry), False
    for place in range(first, first + count):
        is_legal = is_legal or search.moves[place].move == move
    if not is_legal:
        return NO_MOVE
    bar = value_at(entry, ply) - search.settings.singular_margin
    found = value(search, state, bar - 1, bar, (depth - 1) // 2, ply, NO_BRANCHING, True, move, NOTHING)
    return move if found < bar else NO_MOVE


PARTS = (beyond_the_horizon,)
"""The parts of every search."""
SELECTIVE_PARTS = (statically_singular, singular_by_exclusion, singular_move)
"""The parts of singular extensions, callees before callers."""
