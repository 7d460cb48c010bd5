"""Negamax: minimax with one rule for both sides, because a gain for one is an equal loss for the other."""

from __future__ import annotations

from bestfirst.arguments import check_whole
from bestfirst.games.contract import position_of
from bestfirst.games.engine.line import Chain, Found, unroll
from bestfirst.games.game import Game, Position, check_game, estimated_value, final_value, no_moves
from bestfirst.games.score import INFINITY, Score
from bestfirst.games.stats import GameStats


def negamax(game: Game, state: Position | None = None, depth: int | None = None) -> Found:
    """The value of a position relative to the side to move: the greatest of the negated values of its successors.

    It visits the same nodes in the same order as minimax, with the same result, and takes the same arguments.
    Source: Knuth and Moore 1975, procedure F1.
    """
    check_game(game)
    check_whole("depth", depth, 0, otherwise="None for the end of the game")
    stats = GameStats()

    def value(state: Position, depth: float, ply: int) -> tuple[int, Chain]:
        """The value of a position relative to the side to move in it."""
        stats.nodes += 1
        if game.is_over(state):
            stats.ended += 1
            return final_value(game, state, ply), None
        if depth == 0:
            stats.estimated += 1
            return estimated_value(game, state), None
        best, line = -INFINITY, None
        for move in game.moves(state):
            child = game.play(state, move)
            worth, rest = value(child, depth - 1, ply + 1)
            if not game.moves_again(state, child):
                worth = -worth
            if worth > best:
                best, line = worth, (move, rest)
        if line is None:
            raise no_moves(game, state)
        return best, line

    worth, line = value(position_of(game, state), float("inf") if depth is None else depth, 0)
    return Found(Score(worth, proven=stats.estimated == 0), unroll(line), stats)
