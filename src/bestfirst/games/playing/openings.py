"""Openings: random moves with which the games of a match begin, so that they differ."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bestfirst.errors import InputError
from bestfirst.games.game import Game, Move, Position

TRIES = 50


def random_openings(game: Game, plies: int, seed: int = 0) -> Iterator[tuple[Position, list[Move]]]:
    """Positions after so many random plies with the moves that led there, without end; the same seed gives the same ones.

    No move of an opening ends the game. As long as new positions turn up, none comes twice.
    Raises InputError where no random course of play goes on for so long.
    """
    chance, met, longest = random.Random(seed), set(), 0
    while True:
        whole = []
        for _ in range(TRIES):
            state, moves = _random_opening(game, plies, chance)
            longest = max(longest, len(moves))
            if len(moves) == plies:
                whole.append((state, moves))
                if state not in met:
                    break
        if not whole:
            raise InputError(
                f"the openings are to have {plies} plies, and {game.name()} is over before: of {TRIES} random ones none had more "
                f"than {longest}; write at most that for opening_plies"
            )
        met.add(whole[-1][0])
        yield whole[-1]


def _random_opening(game: Game, plies: int, chance: random.Random) -> tuple[Position, list[Move]]:
    state, moves = game.initial, []
    for _ in range(plies):
        going_on = [move for move in game.moves(state) if not game.is_over(game.play(state, move))]
        if not going_on:
            break
        moves.append(chance.choice(going_on))
        state = game.play(state, moves[-1])
    return state, moves
