"""Alpha-beta: minimax without moves that cannot affect the value."""

from __future__ import annotations

from bestfirst.arguments import check_kind, check_whole
from bestfirst.games.contract import position_of
from bestfirst.games.engine.line import Chain, Found, unroll
from bestfirst.games.game import Game, Position, check_game, estimated_value, final_value, no_moves
from bestfirst.games.score import INFINITY, Score
from bestfirst.games.stats import GameStats
from bestfirst.games.tracing.trace import GameTrace


def alpha_beta(
    game: Game,
    state: Position | None = None,
    depth: int | None = None,
    alpha: int = -INFINITY,
    beta: int = INFINITY,
    trace: GameTrace | None = None,
) -> Found:
    """Negamax that skips the remaining moves of a position once one is so good that the other side will avoid the position.

    trace: records the search tree, with the window and value of each node, and the cuts.
    alpha: the value that the side to move has already secured elsewhere; beta: the value that the other side will not allow.
    Contract (fail-soft), where v is minimax's value and r the result:
        if v <= alpha, then v <= r <= alpha: the result is an upper bound;
        if alpha < v < beta, then r = v;
        if v >= beta, then beta <= r <= v: the result is a lower bound.
    pv is best play as far as known: empty in the first case, a move with a value of at least r in the last case.
    Moves are tried in the game's order. With the best move first everywhere, a uniform tree of branching b and depth d costs
    b**ceil(d/2) + b**floor(d/2) - 1 leaves, the minimum for any algorithm that proves the value.
    Source: Knuth and Moore 1975, procedure F2; fail-soft: Fishburn 1983.
    """
    check_game(game)
    check_whole("depth", depth, 0, otherwise="None for the end of the game")
    check_whole("alpha", alpha, -INFINITY, INFINITY)
    check_whole("beta", beta, -INFINITY, INFINITY)
    check_kind("trace", trace, GameTrace | None, "a GameTrace()")
    stats = GameStats()

    def value(state: Position, depth: float, ply: int, alpha: int, beta: int) -> tuple[int, Chain]:
        stats.nodes += 1
        if game.is_over(state):
            stats.ended += 1
            return final_value(game, state, ply), None
        if depth == 0:
            stats.estimated += 1
            return estimated_value(game, state), None
        best, line = -INFINITY, None
        for rank, move in enumerate(game.moves(state)):
            child = game.play(state, move)
            if game.moves_again(state, child):
                worth, rest = look(child, depth - 1, ply + 1, alpha, beta)
            else:
                worth, rest = look(child, depth - 1, ply + 1, -beta, -alpha)
                worth = -worth
            if worth > best:
                best, line = worth, (move, rest)
                alpha = max(alpha, best)
                if alpha >= beta:
                    stats.cuts += 1
                    stats.first_cuts += rank == 0
                    break
        if line is None:
            raise no_moves(game, state)
        return best, line

    look = value if trace is None else trace.watching(game, value)
    start = position_of(game, state)
    worth, line = look(start, float("inf") if depth is None else depth, 0, alpha, beta)
    moves = unroll(line)
    shown = moves[:0] if worth <= alpha else moves[:1] if worth >= beta else moves
    return Found(Score(worth, proven=stats.estimated == 0), shown, stats)
