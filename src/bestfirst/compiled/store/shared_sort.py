"""Sorting a level by several threads, by digits as in levels.py: a long level takes as long to sort as some of its expansions.

The sort has phases, each with the same parts of the entries (parallel_anytime_beam.py): RANGE of the keys; for each digit COUNT
and SCATTER; and COPY, if the entries are in the other half at the end. counts: by part and digit, first their number, then where
the next entry with it goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bestfirst.compiled.store.levels import DIGIT, copy_entry, word

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Flag, Int, Levels, Search, Searches

SORT_FIELDS = (
    "by_first",  # whether by the first key, 1 or 0; 2 at the end
    "shift",  # by the digit from which bit on
    "begin",  # where the entries begin
    "other",  # and where they begin after this digit
)
PART_KEYS = ("least_first", "most_first", "least_second", "most_second")  # the range of the keys

RANGE, COUNT, SCATTER, COPY = range(10, 14)


def part_of(share: Search, number: Int) -> Int:
    """The first entry of a part."""
    return min(share.end, share.start + number * share.size)


def begin_phase(share: Search, parts: Searches, phase: Int, start: Int, size: Int) -> None:
    """Begin a phase with so many entries."""
    share.phase, share.start, share.end = phase, start, start + size
    share.size = (size + share.parts - 1) // share.parts
    for number in range(share.parts):
        parts[word(number)].failed = 0


def range_of(share: Search, part: Search, levels: Levels) -> None:
    """Note the range of the keys in a part."""
    entries = levels[0]
    begin, end = part_of(share, part.number), part_of(share, part.number + 1)
    entry = entries[word(min(begin, share.end - 1))]
    least_first = most_first = entry.first
    least_second = most_second = entry.second
    for at in range(begin, end):
        entry = entries[word(at)]
        least_first, most_first = min(least_first, entry.first), max(most_first, entry.first)
        least_second, most_second = min(least_second, entry.second), max(most_second, entry.second)
    part.least_first, part.most_first = least_first, most_first
    part.least_second, part.most_second = least_second, most_second


def digit_of(share: Search, part: Search, levels: Levels, at: Int) -> Int:
    """The current digit of an entry."""
    entry = levels[0][word(at)]
    key = entry.first - part.least_first if share.by_first else entry.second - part.least_second
    return key >> word(share.shift) & word((1 << DIGIT) - 1)


def count_digits(share: Search, part: Search, levels: Levels, counts: Array) -> None:
    """Count the digits in a part."""
    row = part.number << DIGIT
    for digit in range(1 << DIGIT):
        counts[row + digit] = 0
    moved = share.begin - share.start
    for at in range(part_of(share, part.number) + moved, part_of(share, part.number + 1) + moved):
        counts[word(row) + digit_of(share, part, levels, at)] += 1


def place_digits(share: Search, counts: Array) -> None:
    """Turn the numbers of digits into places."""
    to = share.other
    for digit in range(1 << DIGIT):
        for number in range(share.parts):
            at = (number << DIGIT) + digit
            count = counts[at]
            counts[at] = to
            to += count


def scatter(share: Search, part: Search, levels: Levels, counts: Array) -> None:
    """Move the entries of a part to where they belong."""
    entries = levels[0]
    row = word(part.number << DIGIT)
    moved = share.begin - share.start
    for at in range(part_of(share, part.number) + moved, part_of(share, part.number + 1) + moved):
        digit = row + digit_of(share, part, levels, at)
        copy_entry(entries, counts[digit], at)
        counts[digit] += 1


def copy_back(share: Search, part: Search, levels: Levels) -> None:
    """Move a part of the sorted entries to where the level begins."""
    entries = levels[0]
    moved = share.begin - share.start
    for at in range(part_of(share, part.number), part_of(share, part.number + 1)):
        copy_entry(entries, at, at + moved)


def sort_part(share: Search, part: Search, levels: Levels, counts: Array) -> None:
    """Do a part of a phase of the sort."""
    if share.phase == RANGE:
        range_of(share, part, levels)
    elif share.phase == COUNT:
        count_digits(share, part, levels, counts)
    elif share.phase == SCATTER:
        scatter(share, part, levels, counts)
    else:
        copy_back(share, part, levels)


def begin_sort(share: Search, parts: Searches, levels: Levels) -> None:
    """Join the ranges of the keys, and begin with the lowest digit."""
    half = len(levels[0]) // 2
    share.begin = share.start
    share.other = share.begin + half if share.begin < half else share.begin - half
    share.by_first = share.shift = 0
    first = parts[0]
    for number in range(1, share.parts):
        part = parts[word(number)]
        first.least_first = min(first.least_first, part.least_first)
        first.most_first = max(first.most_first, part.most_first)
        first.least_second = min(first.least_second, part.least_second)
        first.most_second = max(first.most_second, part.most_second)
    for number in range(1, share.parts):
        part = parts[word(number)]
        part.least_first, part.least_second = first.least_first, first.least_second


def is_over(share: Search, first: Search) -> Flag:
    """Whether keys differ in no further digit; otherwise, go to the next one in which they do."""
    while share.by_first < 2:
        most = first.most_first - first.least_first if share.by_first else first.most_second - first.least_second
        if share.shift < 64 and most >> word(share.shift) != word(0):
            return False
        share.by_first += 1
        share.shift = 0
    return True


def is_sorted_after(share: Search, parts: Searches, levels: Levels, counts: Array) -> Flag:
    """Whether the sort is over after a phase; otherwise, say which phase is next."""
    if share.phase == COPY:
        return True
    if share.phase == COUNT:
        place_digits(share, counts)
        share.phase = SCATTER
        return False
    if share.phase == RANGE:
        begin_sort(share, parts, levels)
    else:
        share.begin, share.other = share.other, share.begin
        share.shift += DIGIT
    if not is_over(share, parts[0]):
        share.phase = COUNT
        return False
    share.phase = COPY
    return share.begin == share.start


PARTS = (
    part_of,
    begin_phase,
    range_of,
    digit_of,
    count_digits,
    place_digits,
    scatter,
    copy_back,
    sort_part,
    begin_sort,
    is_over,
    is_sorted_after,
)
