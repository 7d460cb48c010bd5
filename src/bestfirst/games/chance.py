"""ChanceGame: a two-player game with dice."""

from __future__ import annotations

from collections.abc import Sequence

from bestfirst.games.game import Game, Position


class ChanceGame(Game):
    """A game with dice: in some states, it is chance that moves.

    If outcomes(state) is not empty, no side moves: one of the outcomes happens. score and evaluate are RELATIVE TO THE
    SIDE TO MOVE. side_to_move must name it in chance states too, where it is the side that throws the dice. score may
    be any number of at most 9e307 in size. A search computes its expectation.
    """

    _is_root = True

    alternates = False
    counts_points = True
    has_chance = True

    def outcomes(self, state: Position) -> Sequence[tuple[float, Position]]:
        """The (probability, successor) pairs of a chance state; empty if a side moves.

        The probabilities add up to 1, within 0.000001.
        """
        raise NotImplementedError(f"{type(self).__name__} must define outcomes(state)")
