"""Pig: throw a die as often as you dare; a 1 loses the points of the turn.

A state is (points of the side to move, points of the other side, points of this turn, side to move, whether the die is
rolling). A move is "roll" or "hold". A player who holds adds the turn's points, and wins on reaching the target.
"""

from __future__ import annotations

from typing import NamedTuple

from bestfirst.errors import InputError
from bestfirst.games.chance import ChanceGame

SIDES_OF_A_DIE = 6
CERTAINTY = 100_000


class Turn(NamedTuple):
    """See the module docstring."""

    mine: int
    theirs: int
    turn: int
    side: int
    rolling: bool


class Pig(ChanceGame):
    """Pig for two players to a target, usually 100. The score is 1 for a win and -1 for a loss, in units of CERTAINTY.

    A side that would reach the target by holding has won. The estimate is the lead as a fraction of the target.
    Raises InputError for a target that is not a whole number >= 1.
    Source: Neller and Presser 2004.
    """

    def __init__(self, target: int = 100) -> None:
        if isinstance(target, bool) or not isinstance(target, int) or target < 1:
            raise InputError(f"the target is {target!r}; use a whole number >= 1, such as 100")
        self.target = target
        self.initial = Turn(0, 0, 0, 0, rolling=False)

    def moves(self, state: Turn) -> list[str]:
        return ["roll", "hold"] if state.turn else ["roll"]

    def play(self, state: Turn, move: str) -> Turn:
        if move == "roll":
            return state._replace(rolling=True)
        return Turn(state.theirs, state.mine + state.turn, 0, 1 - state.side, rolling=False)

    def outcomes(self, state: Turn) -> list[tuple[float, Turn]]:
        if not state.rolling:
            return []
        share = 1 / SIDES_OF_A_DIE
        lost = Turn(state.theirs, state.mine, 0, 1 - state.side, rolling=False)
        kept = [state._replace(turn=state.turn + eyes, rolling=False) for eyes in range(2, SIDES_OF_A_DIE + 1)]
        return [(share, lost), *((share, following) for following in kept)]

    def is_over(self, state: Turn) -> bool:
        return not state.rolling and (state.theirs >= self.target or state.mine + state.turn >= self.target)

    def score(self, state: Turn) -> int:
        return -CERTAINTY if state.theirs >= self.target else CERTAINTY

    def evaluate(self, state: Turn) -> int:
        return round(CERTAINTY * (state.mine + state.turn - state.theirs) / (2 * self.target))

    def side_to_move(self, state: Turn) -> int:
        return state.side

    def format(self, state: Turn) -> str:
        return f"{state.mine}+{state.turn} : {state.theirs}{' rolling' if state.rolling else ''}"

    def __repr__(self) -> str:
        return f"Pig({self.target})"
