"""Mate-distance pruning (switch win_distance): skips positions where even the fastest win or loss is irrelevant."""

from __future__ import annotations

from typing import NamedTuple

from bestfirst.games.game import Game


class SoonestEnds(NamedTuple):
    """The fewest plies in which the side to move can win or lose, beyond what foresight has excluded.

    win, loss: at a node that is searched; loss_foreseen: at a node where foresight has checked the other side's replies too.
    """

    win: int
    loss: int
    loss_foreseen: int


def soonest_ends(game: Game, foresight: int) -> SoonestEnds:
    """How soon the rules of a game allow it to end, if foresight looks this number of plies ahead.

    The side to move can win immediately, unless foresight has excluded that. If the mover never loses, a loss needs a move
    of the other side. If the sides take turns, wins take odd numbers of plies and losses even ones.
    """
    if getattr(game, "can_pass", False):
        foresight = 0  # foresight ignores wins by a pass
    if not game.mover_never_loses:
        return SoonestEnds(win=1 if foresight == 0 else 2, loss=1, loss_foreseen=1)
    later_win, later_loss = (3, 4) if game.alternates else (2, 3)
    return SoonestEnds(win=1 if foresight == 0 else later_win, loss=2, loss_foreseen=2 if foresight < 2 else later_loss)
