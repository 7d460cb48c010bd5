"""Perft, compiled: the twin of games/perft.py, with the moves still to be played as one set for each ply."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from bestfirst.compiled.compiler.specialise_game import specialise_game
from bestfirst.compiled.kernels.perft import FAULTY, LINES, STOPPED, perft_slice
from bestfirst.errors import ProblemError
from bestfirst.games.domain import PASS, GameDomain, as_words
from bestfirst.system.beside import done_beside
from bestfirst.words import signed

NODES_PER_SLICE = 1_000_000


def compiled_perft(game: GameDomain, depth: int, state: Any) -> int:
    """The number of lines of play of exactly `depth` plies, at least 2, from a state that is not over."""
    compiled = specialise_game(perft_slice, game)
    rows = np.zeros(depth * len(game.State._fields), np.int64)
    moves, passes = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    control = np.array([0, 0, depth], np.int64)
    rows[: len(state)] = as_words(game, state)
    legal_moves = game.moves(state)
    passes[0] = legal_moves == [PASS]
    moves[0] = signed(sum(1 << move for move in legal_moves if move != PASS))
    run = partial(compiled.run, compiled.data, rows, moves, passes, control)
    how = done_beside(partial(run, 1))  # compiles, and must not lose a Ctrl-C
    while how == STOPPED:
        how = int(run(NODES_PER_SLICE))
    if how == FAULTY:
        found = game.State(*rows[: len(state)].tolist())
        raise ProblemError(
            f"legal returns no move for position {found!r}, but the game is not over; see GameDomain.can_pass"
        )
    return int(control[LINES])
