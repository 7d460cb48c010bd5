"""Distances of all states to the nearest goal, compiled, by partitions of the ranks. See sweeps/disk_distances.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.kernels.disk_enumeration import checksum
from bestfirst.compiled.kernels.distances import FARTHEST, HIGHS, NOTHING, ONES, UNKNOWN, is_step

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        LEGAL_FIRST,
        as_self,
        entry,
        is_goal,
        max_actions,
        prepared_for,
        rank,
        step_with,
        unrank,
    )
    from bestfirst.compiled.store.aliases import Array, Scans, Self

FIELDS_OF_SCAN = ("level", "found", "given", "again", "far", "culprit", "at", "first", "shift", "room", "size", "count")
"""The record of a scan. level .. culprit: as in kernels/distances.py; where the partition continues; its first rank; the binary
logarithm of its ranks; the updates in a full buffer; the ranks of the domain, or its entries; updates to carry out."""
PER_WORD = 8
DISTANCE_SHIFT = 24
"""An update has a distance above so many bits, which hold a place in a partition."""
PLACES = (1 << DISTANCE_SHIFT) - 1

# The ends of a slice.
DONE, FULL, FAULTY = range(3)

# What a slice does.
GOALS, SPREAD, CARRY_OUT, COUNT, CHECKSUM = range(5)


def distances_slice(
    data: Self, table: Array, words: Array, updates: Array, filled: Array, counts: Array, scans: Scans, what: int
) -> int:
    """Do something with a partition of the table; return how it ended.

    words: the table as 64-bit words. updates: a buffer for each partition; filled: how many each holds.
    GOALS: give the goals the distance 0. SPREAD: put the distances of the predecessors of the level's states, which are also
    the successors, into the buffers; UNKNOWN stands for one too far. CARRY_OUT: carry out the first `count` updates. COUNT:
    count the states at each distance. CHECKSUM: return the checksum.
    """
    me, scan = as_self(data), scans[0]
    if what == GOALS:
        for place in range(min(len(table), scan.size - scan.first)):
            state = unrank(me, scan.first + place)
            if is_goal(me, state) and rank(me, state) == scan.first + place:
                table[place] = 0
                scan.given += 1
        return DONE
    if what == CARRY_OUT:
        for at in range(scan.count):
            entry_at = np.uint64(updates[at]) & np.uint64(PLACES)
            distance = np.int64(updates[at]) >> DISTANCE_SHIFT
            if entry_at >= np.uint64(len(table)):
                return FAULTY
            if distance == UNKNOWN:
                if table[entry_at] == UNKNOWN:
                    scan.far += 1
                    scan.culprit = scan.first + np.int64(entry_at)
            elif distance < table[entry_at]:
                table[entry_at] = distance
                scan.given += 1
                if distance == scan.level:
                    scan.again = 1
        return DONE
    if what == COUNT:
        counts[:] = 0
        for at in range(len(table)):
            counts[table[at]] += 1
        return DONE
    if what == CHECKSUM:
        return checksum(words)  # type: ignore[no-any-return]
    level = scan.level
    wanted = np.uint64(level) * ONES
    mask = (1 << scan.shift) - 1
    how = DONE
    found = 0
    start = scan.at
    for at in range(start, len(words)):
        if how != DONE:
            break
        scan.at = at + 1
        differing = words[at] ^ wanted
        if (differing - ONES) & ~differing & HIGHS == NOTHING:
            continue
        for place in range(PER_WORD * at, PER_WORD * at + PER_WORD):
            if table[place] != level:
                continue
            found += 1
            number = scan.first + place
            state = unrank(me, number)
            pair = prepared_for(me, state)
            for action in range(max_actions(me)):
                legal, other, cost = step_with(me, state, action, pair)
                if not legal:
                    if LEGAL_FIRST:
                        break
                    continue
                source = rank(me, other)
                if not 0 <= source < scan.size or not is_step(cost):
                    scan.culprit = number
                    return FAULTY
                given = UNKNOWN if cost > FARTHEST - level else int(level + cost)
                partition = source >> scan.shift
                count = filled[partition]
                updates[partition * scan.room + count] = given << DISTANCE_SHIFT | (source & mask)
                filled[partition] = count + 1
                if count + PER_WORD * max_actions(me) >= scan.room:  # the next word may not fit
                    how = FULL
    scan.found += found
    return how


def entries_slice(data: Self, table: Array, updates: Array, filled: Array, scans: Scans) -> int:
    """Put the distances of the states of a partition, by entry, into the buffers of the partitions of the entries.

    size: the number of entries.
    """
    me, scan = as_self(data), scans[0]
    mask = (1 << scan.shift) - 1
    start = scan.at
    for at in range(start, len(table)):
        scan.at = at + 1
        if table[at] == UNKNOWN:
            continue
        place = entry(me, unrank(me, scan.first + at))
        if not 0 <= place < scan.size:
            scan.culprit = scan.first + at
            return FAULTY
        partition = place >> scan.shift
        count = filled[partition]
        updates[partition * scan.room + count] = np.int64(table[at]) << DISTANCE_SHIFT | (place & mask)
        filled[partition] = count + 1
        if count + 2 >= scan.room:
            return FULL
    return DONE
