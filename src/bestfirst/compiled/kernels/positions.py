"""Positions that a game can reach, compiled: the twin of positions_by_ply in games/perft.py.

States are kept in the order in which they are found, so that levels are consecutive. A table of indices finds a state: open
addressing, linear probing, at most half full.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.intrinsics import lowest_bit
from bestfirst.games.domain import PASS

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.game_names import (
        CAN_PASS,
        FIELDS,
        State,
        Words,
        as_self,
        hash_of,
        is_over,
        legal,
        load_row,
        play,
        store_row,
        whole,
    )

SWEEP = np.dtype([(name, np.int64) for name in ("next", "found", "end", "entered")])
"""The next state to expand, and how many have been found, belong to the levels so far, and are in the table."""
DONE, STOPPED, FULL, FAULTY = range(4)
MOST_CHILDREN = 64
unsigned = np.uint64
HALF = unsigned(32)


def slot_of(rows: Words, table: Words, state: State) -> int:
    """The slot with the index of a state, plus 1, or the empty one where it belongs. A part of the template.

    The high half of the hash decides, as in store/state_table.py.
    """
    slot: int = np.int64((hash_of(state) >> HALF) * unsigned(len(table)) >> HALF)  # type: ignore[assignment]
    while table[slot] != 0 and load_row(rows, (table[slot] - 1) * FIELDS) != state:
        slot = (slot + 1) & (len(table) - 1)
    return slot


def positions_slice(data: Words, rows: Words, table: Words, sweeps: Words, budget: int) -> int:
    """Expand at most `budget` states of a level; return how it ended. States missing from the table are inserted first."""
    me, sweep = as_self(data), sweeps[0]
    while sweep.entered < sweep.found:
        place = sweep.entered
        table[slot_of(rows, table, load_row(rows, place * FIELDS))] = place + 1
        sweep.entered += 1
    while sweep.next < sweep.end:
        found = sweep.found
        if found + MOST_CHILDREN > len(table) // 2:
            return FULL
        if budget == 0:
            return STOPPED
        budget -= 1
        state = load_row(rows, sweep.next * FIELDS)
        sweep.next += 1
        if is_over(me, state):
            continue
        left = whole(legal(me, state))
        passes = left == 0
        if passes and not CAN_PASS:
            store_row(rows, 0, state)
            return FAULTY
        while left != 0 or passes:
            if passes:
                child = play(me, state, PASS)
                passes = False
            else:
                child = play(me, state, lowest_bit(left))
                left &= left - 1
            slot = slot_of(rows, table, child)
            if table[slot] == 0:
                store_row(rows, found * FIELDS, child)
                found += 1
                table[slot] = found
        sweep.found = sweep.entered = found
    return DONE
