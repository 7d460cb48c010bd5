"""Perft, compiled: the twin of games/perft.py, with the moves still to be played as one set for each ply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bestfirst.compiled.compiler.intrinsics import lowest_bit
from bestfirst.games.domain import PASS

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.game_names import (
        CAN_PASS,
        FIELDS,
        as_self,
        is_over,
        legal,
        load_row,
        play,
        store_row,
        whole,
    )

# Indices of the control array: the counted lines, the ply, and the requested plies.
LINES, PLY, DEPTH = range(3)
DONE, STOPPED, FAULTY = range(3)


def perft_slice(data: Any, rows: Any, moves: Any, passes: Any, control: Any, budget: int) -> int:
    """Count for at most `budget` positions; return how it ended.

    rows: the states by ply. moves: by ply, the moves still to be played. passes: whether the pass is still to be played.
    """
    me = as_self(data)
    ply, depth, lines = control[PLY], control[DEPTH], control[LINES]
    while budget > 0:
        if ply < 0:
            control[LINES] = lines
            return DONE
        left = moves[ply]
        if left == 0 and passes[ply] == 0:
            ply -= 1
            continue
        state = load_row(rows, ply * FIELDS)
        if left == 0:
            passes[ply] = 0
            child = play(me, state, PASS)
        else:
            moves[ply] = left & (left - 1)
            child = play(me, state, lowest_bit(left))
        budget -= 1
        if is_over(me, child):
            continue
        left = whole(legal(me, child))
        if left == 0 and not CAN_PASS:
            store_row(rows, 0, child)
            return FAULTY
        if ply + 2 == depth:
            lines += 1 if left == 0 else left.bit_count()
            continue
        ply += 1
        store_row(rows, ply * FIELDS, child)
        moves[ply] = left
        passes[ply] = left == 0
    control[PLY], control[LINES] = ply, lines
    return STOPPED
