"""Perft, compiled: the twin of games/perft.py."""

from __future__ import annotations

import ctypes
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.specialise_game import specialise_game
from bestfirst.compiled.compiler.state_fields import state_of_words
from bestfirst.compiled.kernels.game_search import RUN, FaultyPositionError
from bestfirst.compiled.kernels.perft import PARTS, STATS, perft
from bestfirst.errors import ProblemError
from bestfirst.games.domain import GameDomain, as_words
from bestfirst.system.beside import SECONDS_BETWEEN_LOOKS, Beside, done_beside

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import State

NODES_BETWEEN_LOOKS = 1_000_000


def compiled_perft(game: GameDomain, depth: int, state: State) -> int:
    """The number of lines of play of exactly `depth` plies, at least 2, from a state that is not over."""
    compiled = specialise_game(perft, game, PARTS)
    row = np.array(as_words(game, state), np.int64)
    fault = np.zeros(len(row) + 1, np.int64)
    stats, run = np.recarray(1, STATS), np.recarray(1, RUN)
    stats.nodes[0], run.next_look[0] = 0, 0
    is_over = False

    def must_stop() -> int:
        """Called by the kernel, in a thread that no Ctrl-C reaches: an exception in a callback would be lost."""
        run.next_look[0] = stats.nodes[0] + NODES_BETWEEN_LOOKS
        return int(is_over)

    host = ctypes.CFUNCTYPE(ctypes.c_int64)(must_stop)
    run.host[0] = ctypes.cast(host, ctypes.c_void_p).value
    count = partial(compiled.run, (compiled.data, row, stats, run, fault))
    try:
        done_beside(partial(count, 1))  # compiles, which takes longer to stop
        counting = Beside(partial(count, depth))
        try:
            counting.wait(None)
        except KeyboardInterrupt:
            is_over = True
            while not counting.wait_for(SECONDS_BETWEEN_LOOKS):
                pass
            raise
        return int(counting.result())
    except FaultyPositionError:
        found = state_of_words(game, fault[:-1].tolist())
        raise ProblemError(
            f"legal returns no move for position {found!r}, but the game is not over; if a side may pass, set can_pass = True"
        ) from None
