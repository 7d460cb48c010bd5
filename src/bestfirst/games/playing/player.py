"""Player: whoever chooses moves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TypeAlias

from bestfirst.games.game import Move
from bestfirst.games.playing.played import PlayedGame


@dataclass(frozen=True)
class Resign:
    """An answer instead of a move: the other player has won."""


@dataclass(frozen=True)
class Leave:
    """An answer instead of a move: the game is broken off, without a result."""


@dataclass(frozen=True)
class TakeBack:
    """An answer instead of a move: so many plies are undone."""

    plies: int


Answer: TypeAlias = Move | Resign | Leave | TakeBack


class Player(ABC):
    """Whoever chooses moves. One method is enough:

        class Cautious(Player):
            name = "cautious"
            def choose(self, played): return played.game.legal_moves(played.state)[0]

    A player can play many games one after the other, but one at a time.
    """

    name: str

    @abstractmethod
    def choose(self, played: PlayedGame) -> Answer:
        """A legal move in the last position of a game, where it is this player's turn; or an answer instead of a move.

        Raises PlayerError where the player cannot go on; it has lost then, and so it has by any other exception.
        """

    def begin(self, played: PlayedGame) -> None:
        """A new game begins; it is in its starting position."""
        del played

    def close(self) -> None:  # noqa: B027  (most have nothing to do)
        """No more games will be played: let go of what was needed for them."""
