"""Distances of all states to the nearest goal, compiled: scans of a hash table. See sweeps/hashed_distances.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.kernels.distances import DONE, FARTHEST, FAULTY, UNKNOWN, is_step

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        LEGAL_FIRST,
        as_self,
        hash_of,
        is_same,
        load,
        max_actions,
        prepared_for,
        step_with,
        store,
    )
    from bestfirst.compiled.store.aliases import Array, Arrays, Int, Scans, Self, State

FULL = 2
"""One more end of a slice: the table must grow."""


def slot_of(rows: Arrays, table: Array, state: State) -> Int:
    """The slot of a state, or the empty one where it belongs."""
    last = len(table) - 1
    slot = np.int64(hash_of(state) & np.uint64(last))
    while table[slot] != UNKNOWN and not is_same(rows, slot, state):
        slot = (slot + 1) & last
    return slot


def relaxed_slots(data: Self, rows: Arrays, table: Array, scans: Scans, start: int, end: int) -> int:
    """Relax the predecessors, which are also the successors, of the level's states in these slots."""
    me, scan = as_self(data), scans[0]
    level = scan.level
    for slot in range(start, min(end, len(table))):
        if table[slot] != level:
            continue
        if scan.states + max_actions(me) > scan.capacity:
            return FULL
        scan.found += 1
        state = load(rows, slot)
        pair = prepared_for(me, state)
        for action in range(max_actions(me)):
            legal, other, cost = step_with(me, state, action, pair)
            if not legal:
                if LEGAL_FIRST:
                    break
                continue
            if not is_step(cost):
                scan.culprit = slot
                return FAULTY
            distance = level + (cost if cost <= FARTHEST else UNKNOWN)  # a larger sum may not fit
            place = slot_of(rows, table, other)
            known = table[place]
            if distance > FARTHEST:
                if known == UNKNOWN:
                    scan.far += 1
                    scan.culprit = slot
            elif distance < known:
                if known == UNKNOWN:
                    store(rows, place, other)
                    scan.states += 1
                table[place] = distance  # last, so that a killed build leaves no state without a distance
                scan.given += 1
                scan.longest = max(scan.longest, np.int64(cost))
                if cost == 0:
                    scan.again = 1
    return DONE


def entered(data: Self, old_rows: Arrays, old_distances: Array, rows: Arrays, distances: Array) -> None:  # noqa: ARG001
    """Insert all states of one table into another one, in order."""
    for slot in range(len(old_distances)):
        if old_distances[slot] != UNKNOWN:
            state = load(old_rows, slot)
            place = slot_of(rows, distances, state)
            store(rows, place, state)
            distances[place] = old_distances[slot]
