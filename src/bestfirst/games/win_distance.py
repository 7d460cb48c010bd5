"""Win distance: a position is not searched where even the quickest win, or the quickest loss, could not matter any more."""

from __future__ import annotations

from typing import NamedTuple

from bestfirst.games.game import Game


class SoonestEnds(NamedTuple):
    """In how few plies the side to move can still win or lose, as far as foresight has not seen to it already.

    win, loss: at a node that is searched; loss_foreseen: at one where foresight has looked at the other side's replies too.
    """

    win: int
    loss: int
    loss_foreseen: int


def soonest_ends(game: Game, foresight: int) -> SoonestEnds:
    """What the rules of a game allow, with so many plies of foresight.

    Whoever moves can win with the move, unless foresight has found that no move does. Where the mover never loses, a loss takes
    a move of the other side; and where the sides take turns, wins take odd numbers of plies and losses even ones.
    """
    if not game.mover_never_loses:
        return SoonestEnds(win=1 if foresight == 0 else 2, loss=1, loss_foreseen=1)
    can_pass = getattr(game, "can_pass", False)  # foresight does not look behind a pass
    sees_replies = foresight >= 2 and not can_pass
    if not game.alternates:
        return SoonestEnds(win=1 if foresight == 0 else 2, loss=2, loss_foreseen=3 if sees_replies else 2)
    return SoonestEnds(win=1 if foresight == 0 else 3, loss=2, loss_foreseen=4 if sees_replies else 2)
