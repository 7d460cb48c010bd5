"""Expectiminimax: minimax for games with chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bestfirst.arguments import check_whole
from bestfirst.errors import InputError
from bestfirst.games.chance import ChanceGame
from bestfirst.games.contract import position_of
from bestfirst.games.game import Move, Position, estimated_value, no_moves
from bestfirst.games.stats import GameStats


@dataclass(frozen=True)
class Expected:
    """The expectation relative to the side to move, and its best move (None if chance moves, or at depth 0)."""

    value: float
    move: Move | None
    stats: GameStats


def expectiminimax(game: ChanceGame, state: Position | None = None, depth: int = 4) -> Expected:
    """The best expectation that the side to move can guarantee, with outcomes of chance weighted by their probabilities.

    depth: the depth in plies of the sides; throws of the dice are not counted. Deeper positions get the game's own estimate.
    Guarantee: the exact expectation to that depth. Time: (b * outcomes)**depth.
    Source: Michie 1966; Russell and Norvig, section 5.5.
    """
    if not isinstance(game, ChanceGame):
        raise InputError(f"game is {game!r}; pass a ChanceGame, or use minimax for a game without chance")
    check_whole("depth", depth, 0)
    stats = GameStats()

    def value(state: Position, depth: int) -> tuple[float, Any]:
        """The expectation relative to the side to move, and its best move."""
        stats.nodes += 1
        if game.is_over(state):
            stats.ended += 1
            return game.score(state), None
        outcomes = game.outcomes(state)
        if outcomes:
            return sum(share * seen_from(state, following, depth) for share, following in outcomes), None
        if depth == 0:
            stats.estimated += 1
            return estimated_value(game, state), None
        best, choice = float("-inf"), None
        for move in game.moves(state):
            worth = seen_from(state, game.play(state, move), depth - 1)
            if worth > best:
                best, choice = worth, move
        if choice is None:
            raise no_moves(game, state)
        return best, choice

    def seen_from(state: Position, following: Position, depth: int) -> float:
        """The expectation of a successor relative to the side to move in `state`."""
        worth, _ = value(following, depth)
        return worth if game.moves_again(state, following) else -worth

    expectation, move = value(position_of(game, state), depth)
    return Expected(expectation, move, stats)
