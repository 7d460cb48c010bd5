"""Games whose rules another package brings along; each is an extra, imported when such a game is made."""

from __future__ import annotations

from bestfirst.games.adapters.chess import Chess
from bestfirst.games.adapters.open_spiel import OpenSpielGame
from bestfirst.games.game import Game

ADAPTERS: dict[str, type[Game]] = {game.name(): game for game in (Chess, OpenSpielGame)}
"""The adapters by their names on the command line."""

__all__ = ["ADAPTERS", "Chess", "OpenSpielGame"]
