"""The number of reachable positions of a game, compiled: the twin of positions_by_ply in games/perft.py.

All states are kept in the order in which they are found, so that levels are consecutive. A table of indices finds a state:
open addressing, linear probing, at most half full.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.specialise_game import specialise_game
from bestfirst.compiled.compiler.state_fields import state_of_words
from bestfirst.compiled.kernels.positions import DONE, FAULTY, FULL, SWEEP, positions_slice, slot_of
from bestfirst.compiled.store.growth import grown
from bestfirst.errors import ProblemError
from bestfirst.games.domain import GameDomain, as_words

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import State

STATES_PER_SLICE = 1_000_000
FIRST_ROOM = 1 << 12


def compiled_positions(game: GameDomain, state: State, plies: int | None) -> list[int]:
    """The number of positions that are first reached after 0, 1, 2, ... plies.

    A position takes up to 16 bytes, and up to 16 for each of its words.
    """
    compiled = specialise_game(positions_slice, game, (slot_of,))
    words, room = as_words(game, state), FIRST_ROOM
    rows, table = np.zeros(room * len(words), np.int64), np.zeros(2 * room, np.int32)
    rows[: len(words)] = words
    sweeps = np.array([(0, 1, 1, 0)], SWEEP).view(np.recarray)
    sweep = sweeps[0]
    counts = [1]
    while plies is None or len(counts) <= plies:
        how = int(compiled.run(compiled.data, rows, table, sweeps, STATES_PER_SLICE))
        if how == FULL:
            room *= 2
            rows, table = grown(rows, room * len(words)), np.zeros(2 * room, np.int32)
            sweep.entered = 0
        elif how == FAULTY:
            found = state_of_words(game, rows[: len(words)].tolist())
            raise ProblemError(
                f"legal returns no move for position {found!r}, but the game is not over; if a side may pass, set can_pass = True"
            )
        elif how == DONE:
            if sweep.found == sweep.end:
                break
            counts.append(int(sweep.found - sweep.end))
            sweep.end = sweep.found
    return counts
