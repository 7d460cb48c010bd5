"""Foresight: detects wins within two plies without a search."""

from __future__ import annotations

from bestfirst.games.engine.line import Chain
from bestfirst.games.engine.rooted import RootedSearch
from bestfirst.games.game import Move, Position, no_moves
from bestfirst.games.score import WIN


def look_ahead(
    search: RootedSearch, state: Position, depth: int, ply: int, *, keeps_line: bool
) -> tuple[int, Chain] | frozenset[Move]:
    """The value and line of a position decided by a win within two plies; otherwise the moves that need no search.

    The depth is at least 1. A win of the other side is two plies away, so it is ignored at depth 1 and with one ply of
    foresight.
    """
    game = search.game
    for winning in game.winning_moves(state):
        search.stats.foreseen += 1
        return WIN - (ply + 1), (winning, None) if keeps_line else None
    if min(depth, search.foreseen_plies) < 2:
        return frozenset()
    losing = frozenset(game.losing_moves(state))
    first = None
    for move in game.moves(state):
        if move not in losing:
            return losing
        first = move if first is None else first
    if first is None:
        raise no_moves(game, state)
    search.stats.foreseen += 1
    if not keeps_line:
        return ply + 2 - WIN, None
    replies = game.winning_moves(game.play(state, first))
    return ply + 2 - WIN, (first, (next(iter(replies)), None))
