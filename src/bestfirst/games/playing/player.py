"""Player: chooses the moves of a side."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TypeAlias

from bestfirst.games.game import Move
from bestfirst.games.playing.played import PlayedGame


@dataclass(frozen=True)
class Resign:
    """An answer instead of a move: the other player wins."""


@dataclass(frozen=True)
class Leave:
    """An answer instead of a move: the game is aborted without a result."""


@dataclass(frozen=True)
class TakeBack:
    """An answer instead of a move: this number of plies is undone."""

    plies: int


Answer: TypeAlias = Move | Resign | Leave | TakeBack


class Player(ABC):
    """Chooses the moves of a side. One method suffices:

        class Cautious(Player):
            name = "cautious"
            def choose(self, played): return played.game.legal_moves(played.state)[0]

    A player can play many games, one at a time.
    """

    name: str

    @abstractmethod
    def choose(self, played: PlayedGame) -> Answer:
        """A legal move in the last position of a game, or an answer instead of a move.

        A PlayerError means that the player cannot continue. Any exception loses the game.
        """

    def begin(self, played: PlayedGame) -> None:
        """Called at the start of a game, with the game in its start position."""
        del played

    def close(self) -> None:  # noqa: B027  (most have nothing to do)
        """Called after the last game, to release resources."""
