"""Expectiminimax: minimax for games with chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bestfirst.arguments import check_whole
from bestfirst.errors import InputError, ProblemError, ScoreError, shown
from bestfirst.games.chance import ChanceGame
from bestfirst.games.contract import position_of, several
from bestfirst.games.game import Move, Position, estimated_value, no_moves
from bestfirst.games.stats import GameStats
from bestfirst.rounding import LARGEST_PART, as_number
from bestfirst.written import text_of

SUM_TOLERANCE = 1e-6
"""How far from 1 the sum of probabilities may be: those of NumPy may be rounded to 24 bits."""


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
    Raises ScoreError for a score that is not a number of at most 9e307 in size, and ProblemError for probabilities that are
    negative or do not add up to 1.
    """
    if not isinstance(game, ChanceGame):
        raise InputError(f"game is {game!r}; pass a ChanceGame, or use minimax for a game without chance")
    if game.alternates or type(game).side_to_move is ChanceGame.side_to_move:
        raise InputError(
            f"{game.name()} does not say who moves, which a game with chance must; leave alternates False, and define "
            "side_to_move(state) to return 0 or 1"
        )
    check_whole("depth", depth, 0)
    stats = GameStats()

    def value(state: Position, depth: int) -> tuple[float, Any]:
        """The expectation relative to the side to move, and its best move."""
        stats.nodes += 1
        if game.is_over(state):
            stats.ended += 1
            return _score(game, state), None
        outcomes = _outcomes(game, state)
        if outcomes:
            return sum(share * seen_from(state, following, depth) for share, following in outcomes), None
        if depth == 0:
            stats.estimated += 1
            return estimated_value(game, state), None
        best, choice = float("-inf"), None  # below every score
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
        return worth if _side(game, state) == _side(game, following) else -worth

    expectation, move = value(position_of(game, state), depth)
    return Expected(expectation, move, stats)


def _side(game: ChanceGame, state: Position) -> int:
    side = game.side_to_move(state)
    if side not in (0, 1):
        raise ProblemError(
            f"in position {text_of(game, 'format', state)!r}, side_to_move returns {side!r}; it must be 0 or 1, also where chance "
            "moves or the game is over"
        )
    return side


def _score(game: ChanceGame, state: Position) -> float:
    """The score as a Python number: the small types of NumPy overflow when it is negated."""
    score = game.score(state)
    try:
        number = as_number(score)
        if not isinstance(score, bool) and abs(number) <= LARGEST_PART:
            return number
    except (TypeError, ValueError, OverflowError):
        pass
    raise ScoreError(
        "score",
        text_of(game, "format", state),
        score,
        f"it must be a number of at most {LARGEST_PART:.2g} in size, relative to the side to move",
    )


def _outcomes(game: ChanceGame, state: Position) -> list[tuple[float, Position]]:
    """The outcomes of chance, with probabilities that are checked; none if a side moves."""
    where = f"in position {text_of(game, 'format', state)!r},"
    given = several(game.outcomes(state), "outcomes", "pairs (probability, position), empty if a side moves", where)
    outcomes = [(_probability(game, state, share), following) for share, following in (_pair(pair, where) for pair in given)]
    total = sum(share for share, _ in outcomes)
    if outcomes and abs(total - 1) > SUM_TOLERANCE:
        raise ProblemError(
            f"the probabilities of outcomes for position {text_of(game, 'format', state)!r} add up to {total}; "
            f"they must add up to 1, within {SUM_TOLERANCE:.6f}"
        )
    return outcomes


def _pair(given: Any, where: str) -> tuple[object, Position]:
    try:
        share, following = given
    except (TypeError, ValueError):
        raise ProblemError(f"{where} outcomes returns {given!r}; it must return pairs (probability, position)") from None
    return share, following


def _probability(game: ChanceGame, state: Position, share: object) -> float:
    try:
        number = as_number(share)
        if 0 <= number <= 1 + SUM_TOLERANCE:
            return number
    except (TypeError, ValueError, OverflowError):
        pass
    raise ProblemError(
        f"outcomes returns the probability {shown(share)} for position {text_of(game, 'format', state)!r}; "
        "use a number from 0 to 1"
    )
