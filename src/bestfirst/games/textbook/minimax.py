"""Minimax: the value of a game under best play by both sides."""

from __future__ import annotations

from bestfirst.arguments import check_whole
from bestfirst.games.contract import position_of
from bestfirst.games.engine.line import Chain, Found, unroll
from bestfirst.games.game import Game, Position, check_game, estimated_value, final_value, no_moves
from bestfirst.games.score import INFINITY, Score
from bestfirst.games.stats import GameStats


def minimax(game: Game, state: Position | None = None, depth: int | None = None) -> Found:
    """Search every line of play: the side to move at the root takes the greatest value, the other side the least.

    depth: the depth in plies; positions at that depth get the game's own estimate. None: search to the end of the game.
    Guarantee: the exact score, proven if no position was estimated. Ties: among equal moves, the first.
    Time: b**depth. Memory: one line of play.
    Source: Zermelo 1913; von Neumann 1928; Shannon 1950.
    """
    check_game(game)
    check_whole("depth", depth, 0, otherwise="None for the end of the game")
    stats = GameStats()

    def value(state: Position, depth: float, ply: int, maximising: bool) -> tuple[int, Chain]:
        """The value of a position relative to the side to move at the root."""
        stats.nodes += 1
        sign = 1 if maximising else -1
        if game.is_over(state):
            stats.ended += 1
            return sign * final_value(game, state, ply), None
        if depth == 0:
            stats.estimated += 1
            return sign * estimated_value(game, state), None
        best, line = -INFINITY * sign, None
        for move in game.moves(state):
            child = game.play(state, move)
            same_side = game.moves_again(state, child)
            worth, rest = value(child, depth - 1, ply + 1, maximising == same_side)
            if worth > best if maximising else worth < best:
                best, line = worth, (move, rest)
        if line is None:
            raise no_moves(game, state)
        return best, line

    start = position_of(game, state)
    worth, line = value(start, float("inf") if depth is None else depth, 0, True)
    return Found(Score(worth, proven=stats.estimated == 0), unroll(line), stats)
