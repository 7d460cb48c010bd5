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
    if getattr(game, "can_pass", False):
        foresight = 0  # it is not told whether a pass wins
    if not game.mover_never_loses:
        return SoonestEnds(win=1 if foresight == 0 else 2, loss=1, loss_foreseen=1)
    later_win, later_loss = (3, 4) if game.alternates else (2, 3)
    return SoonestEnds(win=1 if foresight == 0 else later_win, loss=2, loss_foreseen=2 if foresight < 2 else later_loss)
