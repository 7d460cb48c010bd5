"""Breadth-first enumeration, compiled, by partitions of the ranks. See sweeps/disk_enumeration.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.intrinsics import lowest_bit
from bestfirst.compiled.kernels.enumeration import LOW_BITS, NO_BITS, ONE, PER_WORD, THREE, TWO

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import LEGAL_FIRST, as_self, max_actions, prepared_for, rank, step_with, unrank
    from bestfirst.compiled.store.aliases import Array, Int, Searches, Self

FIELDS_OF_SEARCH = ("at", "first", "shift", "states", "room", "expanded", "generated", "count", "marked", "kept", "culprit")
"""The record of an enumeration: where the partition continues; its first rank; the binary logarithm of its ranks; the ranks of
the domain; the updates in a full buffer; counts of expansions and children; the updates to carry out, and the states that
they put into the next level; the farthest states kept; the faulty state."""

# The ends of a slice.
STOPPED, PARTITION_DONE, FULL, FAULTY = range(4)

# Special budgets.
TURN, MARK, CHECKSUM = -1, -2, -3

FACTOR = np.uint64(0x9E37_79B9_7F4A_7C15)
HALF_WORD = np.uint64(32)


def checksum(words: Array) -> Int:
    """A hash of an array of 64-bit words that changes with any of them. A part of the templates."""
    found = FACTOR
    for at in range(len(words)):
        found = (found ^ words[at]) * FACTOR
        found ^= found >> HALF_WORD
    return np.int64(found)


def partition_slice(
    data: Self, codes: Array, updates: Array, filled: Array, farthest: Array, searches: Searches, budget: int
) -> int:
    """Expand the states of the level in a partition, for at most about `budget` expansions; return how it ended.

    codes: 2 bits for each rank of the partition: 0 not met, 1 in this level, 2 in the next level, 3 done.
    updates: a buffer for each partition, in which a child is its rank there; filled: how many each holds.
    farthest: room for the first ranks of this level.
    With the budget TURN, the codes become those of the next level. With MARK, the first `count` updates are carried out. With
    CHECKSUM, the checksum of the codes is returned.
    """
    me, search = as_self(data), searches[0]
    if budget == TURN:
        for at in range(len(codes)):
            word = codes[at]
            current = word & ~(word >> ONE) & LOW_BITS
            following = (word >> ONE) & ~word & LOW_BITS
            codes[at] = (word | (current << ONE)) ^ (following | (following << ONE))
        return STOPPED
    if budget == MARK:
        marked = 0
        for at in range(search.count):
            place = np.uint64(updates[at])
            if place >> np.uint64(search.shift) != NO_BITS:
                return FAULTY
            shift = TWO * (place % np.uint64(PER_WORD))
            if (codes[place // np.uint64(PER_WORD)] >> shift) & THREE == NO_BITS:
                codes[place // np.uint64(PER_WORD)] |= TWO << shift
                marked += 1
        search.marked += marked
        return STOPPED
    if budget == CHECKSUM:
        return checksum(codes)  # type: ignore[no-any-return]
    expanded = 0
    generated = 0
    how = STOPPED
    mask = (1 << search.shift) - 1
    start = search.at
    for at in range(start, len(codes)):
        search.at = at
        if expanded >= budget or how != STOPPED:
            break
        current = codes[at] & ~(codes[at] >> ONE) & LOW_BITS
        while current != NO_BITS and how != FAULTY:
            number = search.first + at * PER_WORD + lowest_bit(current) // 2
            current &= current - ONE
            expanded += 1
            if search.kept < len(farthest):
                farthest[search.kept] = number
                search.kept += 1
            state = unrank(me, number)
            pair = prepared_for(me, state)
            for action in range(max_actions(me)):
                legal, child, _cost = step_with(me, state, action, pair)
                if not legal:
                    if LEGAL_FIRST:
                        break
                    continue
                child_number = rank(me, child)
                if not 0 <= child_number < search.states:
                    search.culprit = number
                    how = FAULTY
                    break
                partition = child_number >> search.shift
                count = filled[partition]
                updates[partition * search.room + count] = child_number & mask
                filled[partition] = count + 1
                generated += 1
                if count + PER_WORD * max_actions(me) >= search.room:  # the next word may not fit
                    how = FULL
    else:
        how = how if how != STOPPED else PARTITION_DONE
        search.at = len(codes)
    search.expanded += expanded
    search.generated += generated
    return how
