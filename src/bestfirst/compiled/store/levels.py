"""The nodes of a level, and those of the next one: all enter before the first one leaves, so they are sorted once.

levels: (entries, counts, ends). entries: records of a node and its keys, and as many spare ones after them. Those before
ends[TAKEN] have left, those before ends[LEVEL] are the level, in order, and those before ends[SIZE] are the next level. Of
entries with equal keys, the one that came in first leaves first. Each level takes the place of the one before: memory that is
never touched costs nothing.

Long levels are sorted by digits (radix sort), from the lowest one of the second key to the highest one of the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.machine_code import Kept
from bestfirst.compiled.store.growth import record_type

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import FLOATS
    from bestfirst.compiled.store.aliases import Array, Flag, Int, Levels, Total

TAKEN, LEVEL, SIZE = range(3)
DIGIT = 8
"""The bits of a digit."""
SHORT = 32
"""The largest level that is sorted by insertion."""
ENTRY = record_type(("first", np.uint64), ("second", np.uint64), ("place", np.int64))
word = np.uint64
"""An index, or a key: unsigned."""


def key_of_total(total: Total) -> Int:
    """A total as an unsigned int with the same order."""
    return np.float64(total + 0.0).view(np.uint64) if FLOATS else word(total)  # -0.0 + 0.0 is 0.0


def total_of_key(key: Int) -> Total:
    """The total of a key."""
    return word(key).view(np.float64) if FLOATS else key


def append(levels: Levels, first: Total, second: Total, place: Int) -> None:
    """Add a node with two totals as its keys to the next level."""
    entries, _counts, ends = levels
    entry = entries[word(ends[SIZE])]
    entry.first, entry.second, entry.place = key_of_total(first), key_of_total(second), place
    ends[SIZE] += 1


def copy_entry(entries: Array, to: Int, at: Int) -> None:
    """Copy an entry, by fields: a record as a whole would be copied byte by byte."""
    target, source = entries[word(to)], entries[word(at)]
    target.first, target.second, target.place = source.first, source.second, source.place


def sort_by_insertion(levels: Levels) -> None:
    """Put the nodes of the next level in order."""
    entries, _counts, ends = levels
    for end in range(ends[LEVEL] + 1, ends[SIZE]):
        first, second, place = entries[end].first, entries[end].second, entries[end].place
        at = end
        while at > ends[LEVEL] and (
            entries[at - 1].first > first or (entries[at - 1].first == first and entries[at - 1].second > second)
        ):
            copy_entry(entries, at, at - 1)
            at -= 1
        entries[at].first, entries[at].second, entries[at].place = first, second, place


def sort_by_digits(levels: Levels, start: Int, by_first: Flag) -> Int:
    """Sort the next level by one of its keys; returns where it begins then: at `start`, or at the first entry of either half.

    start: where it begins now.
    """
    entries, counts, ends = levels
    size, half = ends[SIZE] - ends[LEVEL], len(entries) // 2
    other = half if start < half else 0
    lowest = highest = entries[word(start)].first if by_first else entries[word(start)].second
    for at in range(start, start + size):
        key = entries[word(at)].first if by_first else entries[word(at)].second
        lowest, highest = min(lowest, key), max(highest, key)
    shift = word(0)
    for _ in range(64 // DIGIT):
        if (highest - lowest) >> shift == word(0):
            break
        counts[:] = 0
        for at in range(start, start + size):
            key = entries[word(at)].first if by_first else entries[word(at)].second
            counts[(key - lowest) >> shift & word(len(counts) - 1)] += 1
        to = other
        for digit in range(len(counts)):
            count = counts[word(digit)]
            counts[word(digit)] = to
            to += count
        for at in range(start, start + size):
            key = entries[word(at)].first if by_first else entries[word(at)].second
            digit = (key - lowest) >> shift & word(len(counts) - 1)
            copy_entry(entries, counts[digit], at)
            counts[digit] += 1
        start, other = other, half - other
        shift += word(DIGIT)
    return start


def turn(levels: Levels) -> None:
    """Make the next level the level. What is left of that leaves, too."""
    entries, _counts, ends = levels
    first, size = ends[LEVEL], ends[SIZE] - ends[LEVEL]
    if size <= SHORT:
        sort_by_insertion(levels)
    else:
        first = sort_by_digits(levels, sort_by_digits(levels, first, False), True)
    if first != 0:
        for at in range(size):
            copy_entry(entries, at, first + at)
    ends[TAKEN], ends[LEVEL], ends[SIZE] = 0, size, size


def first_total(levels: Levels) -> Total:
    """The first total of the node that leaves next."""
    entries, _counts, ends = levels
    return total_of_key(entries[word(ends[TAKEN])].first)


def last_total(levels: Levels) -> Total:
    """The first total of the node that left last."""
    entries, _counts, ends = levels
    return total_of_key(entries[word(ends[TAKEN] - 1)].first)


def next_in(levels: Levels) -> Int:
    """The node that leaves next."""
    entries, _counts, ends = levels
    return entries[word(ends[TAKEN])].place


def leave_level(levels: Levels) -> None:
    """The next node leaves."""
    _entries, _counts, ends = levels
    ends[TAKEN] += 1


def left_in(levels: Levels) -> Int:
    """The number of nodes of the level."""
    _entries, _counts, ends = levels
    return ends[LEVEL] - ends[TAKEN]


def entered_in(levels: Levels) -> Int:
    """The number of nodes of the next level."""
    _entries, _counts, ends = levels
    return ends[SIZE] - ends[LEVEL]


PARTS = (
    key_of_total,
    total_of_key,
    append,
    copy_entry,
    sort_by_insertion,
    sort_by_digits,
    turn,
    first_total,
    last_total,
    next_in,
    leave_level,
    left_in,
    entered_in,
)


class LevelEntries:
    """The arrays of the levels."""

    def __init__(self, size: int) -> None:
        self.arrays = _arrays(size)

    @property
    def places(self) -> tuple[Array, Array]:
        """The nodes of the level, in order, and those of the next one."""
        entries, _counts, (taken, level, size) = self.arrays
        places = entries["place"].astype(np.int32)
        return places[taken:level], places[level:size]

    def make_room(self, size: int) -> None:
        """Make room for this many nodes, including those that have left."""
        entries, _counts, ends = self.arrays
        self.arrays = _arrays(size)
        self.arrays[0][: ends[SIZE]] = entries[: ends[SIZE]]
        self.arrays[-1][:] = ends

    def fill(self, level: Array, following: Array, firsts: Array, seconds: Array, last: tuple[int, ...] = ()) -> None:
        """Replace all nodes. level, following: those of the two levels. firsts, seconds: the totals of all nodes. last: the node
        that left last, if any."""
        entries, _counts, ends = self.arrays
        level = level[np.lexsort((level, seconds[level], firsts[level]))]
        places = np.concatenate((np.array(last, np.int64), level, following))
        ends[:] = len(last), len(last) + len(level), len(places)
        for field, column in (("first", _keys(firsts[places])), ("second", _keys(seconds[places])), ("place", places)):
            entries[field][: len(places)] = column


def _arrays(size: int) -> Kept:
    return Kept((np.zeros(2 * size, ENTRY), np.zeros(1 << DIGIT, np.int64), np.zeros(3, np.int64)))


def _keys(totals: Array) -> Array:
    """What key_of_total() makes of each."""
    return (totals + 0.0).view(np.uint64) if totals.dtype == np.float64 else totals
