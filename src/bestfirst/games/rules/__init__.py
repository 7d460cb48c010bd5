"""The games of bestfirst by name: each module has the rules and the notation of one game, but no search."""

from __future__ import annotations

from bestfirst.games.game import Game
from bestfirst.games.rules.checkers import Checkers
from bestfirst.games.rules.connect_four import ConnectFour
from bestfirst.games.rules.game_tree import GameTree
from bestfirst.games.rules.kalah import Kalah
from bestfirst.games.rules.mnk import MNK, TicTacToe
from bestfirst.games.rules.nim import Nim
from bestfirst.games.rules.othello import Othello
from bestfirst.games.rules.pig import Pig

GAMES: dict[str, type[Game]] = {
    game.name(): game
    for game in (
        TicTacToe,
        MNK,
        ConnectFour,
        Othello,
        Checkers,
        Kalah,
        Nim,
        GameTree,
    )
}
"""Every game that analyse can search, by its command-line name."""

__all__ = ["GAMES", "MNK", "Checkers", "ConnectFour", "GameTree", "Kalah", "Nim", "Othello", "Pig", "TicTacToe"]
