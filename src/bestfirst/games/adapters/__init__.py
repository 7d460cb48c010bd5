"""Games with rules from other packages. Each is an optional extra, imported when such a game is made."""

from __future__ import annotations

from bestfirst.games.adapters.chess import Chess
from bestfirst.games.adapters.open_spiel import OpenSpielGame
from bestfirst.games.game import Game

ADAPTERS: dict[str, type[Game]] = {game.name(): game for game in (Chess, OpenSpielGame)}
"""The adapters by command-line name."""

__all__ = ["ADAPTERS", "Chess", "OpenSpielGame"]
