"""Games between players (people, engines and external programs), and matches with their statistics."""

from __future__ import annotations

from bestfirst.games.playing.human import Human
from bestfirst.games.playing.play import play
from bestfirst.games.playing.played import Ending, PlayedGame
from bestfirst.games.playing.player import Leave, Player, Resign, TakeBack
from bestfirst.games.playing.players import EnginePlayer, MonteCarloPlayer, RandomPlayer

__all__ = [
    "Ending",
    "EnginePlayer",
    "Human",
    "Leave",
    "MonteCarloPlayer",
    "PlayedGame",
    "Player",
    "RandomPlayer",
    "Resign",
    "TakeBack",
    "play",
]
