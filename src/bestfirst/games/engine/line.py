"""Lines of moves as a search returns them: linked lists of (move, rest), which share their tails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from bestfirst.games.score import Score
from bestfirst.games.stats import GameStats

Chain: TypeAlias = tuple[Any, Any] | None
"""A move and the chain of the following moves; None is the empty chain."""


def unroll(chain: Chain) -> tuple[Any, ...]:
    """The moves of a chain, first to last."""
    moves = []
    while chain is not None:
        move, chain = chain
        moves.append(move)
    return tuple(moves)


def chained(moves: Sequence[Any]) -> Chain:
    """The chain of a sequence of moves."""
    chain: Chain = None
    for move in reversed(moves):
        chain = move, chain
    return chain


@dataclass(frozen=True)
class Found:
    """The result of an algorithm for one position: the score relative to the side to move, and the line of best play.

    pv: the principal variation, the line that leads to the score, as far as it was searched.
    """

    score: Score
    pv: tuple[Any, ...]
    stats: GameStats

    @property
    def move(self) -> Any | None:
        """The best move; None if the game is over or was not searched."""
        return self.pv[0] if self.pv else None
