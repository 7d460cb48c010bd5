"""Perft, compiled: the twin of games/perft.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bestfirst.compiled.compiler.intrinsics import lowest_bit
from bestfirst.compiled.kernels.game_search import Record, Words, enter, look, stop_at
from bestfirst.games.domain import PASS

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.game_names import CAN_PASS, Game, State, as_self, is_over, legal, load_row, play, whole

STATS = np.dtype([("nodes", np.int64)])


class Perft(NamedTuple):
    """A count of lines of play, with those members of a Search that it needs."""

    game: Game
    stats: Record
    run: Record
    fault: Words


def perft(given: Words, depth: int) -> int:
    """The number of lines of play of exactly this length; the host's entry."""
    data, row, stats, run, fault = given
    return lines_of_play(Perft(as_self(data), stats[0], run[0], fault), load_row(row, 0), depth)


def lines_of_play(search: Perft, state: State, depth: int) -> int:
    """The number of lines of play of exactly this length, at least 1, from a state."""
    game = search.game
    if is_over(game, state):
        return 0
    enter(search)
    left = whole(legal(game, state))
    if left == 0 and not CAN_PASS:
        stop_at(search, state, 0)
    if depth == 1:
        return 1 if left == 0 else left.bit_count()
    if left == 0:
        return lines_of_play(search, play(game, state, PASS), depth - 1)
    lines = 0
    while left != 0:
        lines += lines_of_play(search, play(game, state, lowest_bit(left)), depth - 1)
        left &= left - 1
    return lines


PARTS = (look, enter, stop_at, lines_of_play)
"""Callees before callers."""
