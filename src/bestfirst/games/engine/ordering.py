"""Move ordering: alpha-beta prunes most if the best move comes first."""

from __future__ import annotations

from collections.abc import Iterable

from bestfirst.games.engine.settings import Settings
from bestfirst.games.game import Game, Move, Position, game_order


class MoveOrder:
    """Hash move, then killers, then the game's static order, then history, then the order of the game."""

    def __init__(self, game: Game, settings: Settings) -> None:
        self._game = game
        self._by_hash = settings.hash_move
        self._most_killers = settings.killers
        self._by_history = settings.history
        self._by_static = settings.static_order and game.defines("order")
        self._as_given = not (self._by_static or self._by_history or self._most_killers or self._by_hash)
        self._killers: dict[int, list[Move]] = {}
        self._history: dict[tuple[int, Move], int] = {}

    def ordered(self, state: Position, moves: Iterable[Move], ply: int, hash_move: Move | None) -> Iterable[Move]:
        """The moves of a position, most promising first; ties keep the order of the game."""
        if self._as_given:
            return moves
        game, killers, side = self._game, self._killers.get(ply, ()), ply & 1

        def promise(move: Move) -> tuple[bool, bool, int, int]:
            return (
                self._by_hash and hash_move is not None and move == hash_move,
                move in killers,
                game_order(game, state, move) if self._by_static else 0,
                self._history.get((side, move), 0) if self._by_history else 0,
            )

        return sorted(moves, key=promise, reverse=True)

    def note_cut(self, move: Move, ply: int, depth: int) -> None:
        """Remember a move that caused a cut-off."""
        if self._most_killers:
            killers = self._killers.setdefault(ply, [])
            if move not in killers:
                killers.insert(0, move)
                del killers[self._most_killers :]
        if self._by_history:
            place = (ply & 1, move)
            self._history[place] = self._history.get(place, 0) + depth * depth
