"""Openings: random moves at the start of the games of a match, so that the games differ."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bestfirst.errors import InputError
from bestfirst.games.game import Game, Move, Position

TRIES = 50


def random_openings(game: Game, plies: int, seed: int = 0) -> Iterator[tuple[Position, list[Move]]]:
    """An endless stream of positions after `plies` random plies, with the moves played, determined by the seed.

    No move of an opening ends the game. Positions are not repeated as long as new ones are found.
    Raises InputError if no random game is long enough.
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
                f"opening_plies is {plies}, but {game.name()} ends earlier: the longest of {TRIES} random openings had {longest} "
                f"plies; use at most {longest}"
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
