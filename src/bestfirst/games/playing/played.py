"""PlayedGame: the record of a game, finished or not."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from bestfirst.games.contract import check_state
from bestfirst.games.game import Game, Move, Position, final_value
from bestfirst.written import text_of


class Ending(StrEnum):
    """Why a game has ended."""

    RULES = "the game is over"
    ILLEGAL = "illegal move"
    FAILURE = "a player failed"
    RESIGNED = "resigned"
    TIME = "out of time"
    TOO_LONG = "too many plies"
    LEFT = "a player left"
    INTERRUPTED = "interrupted"


@dataclass
class PlayedGame:
    """A game between two players: its moves so far, and once it has ended, the winner and the reason.

    Player 0 moves first in `start`; player 1 is the other.

    players: their names. moves, seconds: the moves, and the time for each; states: all positions, the start first, one more
    than moves. movers: the player to move in each position.
    ending: None while the game runs. winner: 0 or 1; None for a draw, and for a game without a result.
    fault: the fault of a player that ended the game, with the position and the legal moves.
    is_hanging: whether the player that lost on time could not be stopped and is still choosing its move.
    engine: the engine of players that name none: "python", "compiled", or None for the faster one that supports the game.
    """

    game: Game
    players: tuple[str, str]
    start: Position
    moves: list[Move] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    states: list[Position] = field(init=False)
    movers: list[int] = field(init=False)
    ending: Ending | None = None
    winner: int | None = None
    fault: str | None = None
    is_hanging: bool = False
    engine: str | None = None

    def __post_init__(self) -> None:
        self.states, self.movers = [self.start], [0]

    @property
    def state(self) -> Position:
        """The last position."""
        return self.states[-1]

    @property
    def mover(self) -> int:
        """The player to move: 0 or 1."""
        return self.movers[-1]

    @property
    def has_result(self) -> bool:
        """Whether the game was won, lost or drawn, not aborted."""
        return self.ending not in (None, Ending.LEFT, Ending.INTERRUPTED)

    @property
    def result(self) -> str:
        """1-0, 0-1 or 1/2-1/2, the first player's score first; * for a game without a result."""
        if not self.has_result:
            return "*"
        return "1/2-1/2" if self.winner is None else "0-1" if self.winner else "1-0"

    @property
    def share(self) -> float:
        """The first player's score: 1, 1/2 or 0."""
        return 0.5 if self.winner is None else 1.0 - self.winner

    @property
    def points(self) -> int | None:
        """The margin of the first player, if the rules count points and the game was played to its end; otherwise None."""
        if self.ending is not Ending.RULES or not self.game.counts_points:
            return None
        score = final_value(self.game, self.state, 0)
        return -score if self.mover else score

    def push(self, move: Move, seconds: float = 0.0) -> None:
        """Play a legal move, and end the game if the rules say so."""
        following = self.game.play(self.state, move)
        check_state(self.game, self.state, following, move)
        self.movers.append(self.mover if self.game.moves_again(self.state, following) else 1 - self.mover)
        self.states.append(following)
        self.moves.append(move)
        self.seconds.append(seconds)
        if self.game.is_over(following):
            value = final_value(self.game, following, 0)
            self.end(Ending.RULES, None if value == 0 else self.mover if value > 0 else 1 - self.mover)

    def take_back(self, plies: int) -> None:
        """Undo the last moves."""
        keep = max(0, len(self.moves) - plies)
        del self.moves[keep:], self.seconds[keep:], self.states[keep + 1 :], self.movers[keep + 1 :]

    def end(self, ending: Ending, winner: int | None, fault: str | None = None) -> None:
        """End the game with a reason and a winner."""
        self.ending, self.winner, self.fault = ending, winner, fault

    def moves_as_text(self) -> list[str]:
        """The moves in the notation of the game."""
        return [text_of(self.game, "format_move", state, move) for state, move in zip(self.states, self.moves, strict=False)]

    def side_of(self, player: int) -> str:
        """The side of a player in the game, such as X, or the player's name if the game does not say."""
        side = self.game.side_to_move(self.start)
        return self.players[player] if side is None else self.game.sides[side if player == 0 else 1 - side]

    def to_dict(self) -> dict[str, Any]:
        """The game as JSON values."""
        return {
            "game": self.game.name(),
            "start": text_of(self.game, "format", self.start),
            "players": list(self.players),
            "moves": self.moves_as_text(),
            "seconds": list(self.seconds),
            "result": self.result,
            "ending": None if self.ending is None else str(self.ending),
            "fault": self.fault,
            "points": self.points,
        }

    def __str__(self) -> str:
        """The result with its reason, on one line."""
        first, second = (self._called(player) for player in (0, 1))
        number = len(self.moves)
        after = f"after {number} move{'' if number == 1 else 's'}"
        if self.ending is None:
            return f"{first} - {second}: in progress {after}"
        points = f" by {abs(self.points)}" if self.points else ""
        who = (
            "" if not self.has_result else "drawn" if self.winner is None else f"{(first, second)[self.winner]} won{points}"
        )
        why = self.fault or ("" if self.ending is Ending.RULES else str(self.ending))
        return f"{first} - {second} {self.result} {after}, {': '.join(part for part in (who, why) if part)}"

    def _called(self, player: int) -> str:
        """A player's side and name."""
        side = self.side_of(player)
        return self.players[player] if side == self.players[player] else f"{side} ({self.players[player]})"
