"""The strengths at which the engine plays, and the searches whose trees can be shown."""

from __future__ import annotations

from typing import NamedTuple

from bestfirst.games.limits import GameLimits


class Level(NamedTuple):
    """A strength. limits: the limits for each move; None for random moves."""

    name: str
    summary: str
    limits: GameLimits | None


LEVELS = (
    Level("1 random", "any legal move", None),
    Level("2 beginner", "looks 1 ply ahead", GameLimits(depth=1)),
    Level("3 casual", "looks 2 plies ahead", GameLimits(depth=2, seconds=2)),
    Level("4 club", "looks 4 plies ahead", GameLimits(depth=4, seconds=5)),
    Level("5 strong", "thinks half a second", GameLimits(seconds=0.5)),
    Level("6 expert", "thinks 2 seconds", GameLimits(seconds=2)),
    Level("7 best", "thinks 10 seconds", GameLimits(seconds=10)),
)

METHODS = {
    "minimax": "plain,method=minimax",
    "alpha-beta": "plain",
    "alpha-beta, deepening": "plain,deepening=true",
    "all techniques": "",
}
"""The settings of the searches whose trees can be shown, by name on the page."""
