"""ChanceGame: a game for two in which dice are thrown."""

from __future__ import annotations

from collections.abc import Sequence

from bestfirst.games.game import Game, Position


class ChanceGame(Game):
    """A game with dice: in some states chance moves.

    Where outcomes(state) is not empty, no side moves: one of the outcomes comes about. As everywhere, score and evaluate are FOR
    THE SIDE TO MOVE; side_to_move tells who that is, in states of chance too, where it is the side that has thrown the dice.
    score may be any number; its expectation is what a search finds.
    """

    _is_root = True

    alternates = False
    counts_points = True
    has_chance = True

    def outcomes(self, state: Position) -> Sequence[tuple[float, Position]]:
        """The (probability, following state) pairs of a state where chance moves; empty where a side does."""
        raise NotImplementedError(f"{type(self).__name__} must define outcomes(state)")
