"""Move ordering, compiled: the twin of games/engine/ordering.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bestfirst.compiled.compiler.intrinsics import lowest_bit
from bestfirst.compiled.kernels.game_search import MOST_MOVES, Search, stop_at, unsigned
from bestfirst.games.domain import PASS
from bestfirst.games.score import MOST_POINTS

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.game_names import HAS_ORDER, State, order, whole

RANK = 1 << 32
"""The bonus of a killer over the largest value of the game's own order; the hash move gets twice that."""


def ordered(search: Search, state: State, left: int, ply: int, hash_move: int, first: int) -> int:
    """Put the moves of a position on the stack of moves, most promising first, and return their number.

    left: the moves as a set; empty for a pass. first: their place on the stack. Ties keep the order of the game.
    """
    moves, settings = search.moves, search.settings
    if left == 0:
        moves[unsigned(first)].move = PASS
        return 1
    count = 0
    while left != 0:
        move = lowest_bit(left)
        left &= left - 1
        promise, merit = promise_of(search, state, move, ply, hash_move), 0
        if settings.history:
            merit = search.history[unsigned(history_place(move, ply))]
        place = first + count
        while place > first:
            other = moves[unsigned(place - 1)]
            if other.promise > promise or (other.promise == promise and other.merit >= merit):
                break
            moves[unsigned(place)] = other
            place -= 1
        own = moves[unsigned(place)]
        own.move, own.promise, own.merit = move, promise, merit
        count += 1
    return count


def promise_of(search: Search, state: State, move: int, ply: int, hash_move: int) -> int:
    """The rank of a move: the hash move, then killers, then the game's static order."""
    settings, promise = search.settings, 0
    if HAS_ORDER:
        if settings.static_order:
            promise = whole(order(search.game, state, move))
            if not -MOST_POINTS <= promise <= MOST_POINTS:
                stop_at(search, state, ply)
    if settings.hash_move and move == hash_move:
        promise += 2 * RANK
    for number in range(settings.killers):
        if search.killers[unsigned(ply), unsigned(number)] == move:
            promise += RANK
    return promise


def note_cut(search: Search, move: int, ply: int, depth: int) -> None:
    """Remember a move that caused a cut-off."""
    if search.settings.killers > 0:
        note_killer(search, move, ply)
    if search.settings.history:
        search.history[unsigned(history_place(move, ply))] += depth * depth


def note_killer(search: Search, move: int, ply: int) -> None:
    """Insert a move at the front of its ply's killers, unless it is one of them."""
    killers, most = search.killers[ply], search.settings.killers
    for number in range(most):
        if killers[number] == move:
            return
    for number in range(most - 1, 0, -1):
        killers[number] = killers[number - 1]
    killers[0] = move


def history_place(move: int, ply: int) -> int:
    """The index of a move in the history of its side."""
    return (ply & 1) * (MOST_MOVES + 1) + move + 1


PARTS = (history_place, promise_of, ordered, note_killer, note_cut)
"""Callees before callers."""
