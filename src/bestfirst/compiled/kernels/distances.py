"""Distances of all states to the nearest goal, compiled: scans of a table by rank. See sweeps/distances.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        as_self,
        block_step,
        entry,
        is_goal,
        max_actions,
        prepared_for,
        rank,
        step_with,
        turned,
        unrank,
    )
    from bestfirst.compiled.store.aliases import Array, Number, Scans, Self

UNKNOWN = 255
"""A byte of the table: no distance is known."""
FARTHEST = 254

FIELDS_OF_SCAN = (
    "level",
    "found",
    "given",
    "again",
    "far",
    "culprit",
    "block_size",
    "actions",
    "states",
    "capacity",
    "longest",
)
"""The record of a scan: the level; the number of its states, and of those that got a distance; whether one of this level did;
the number of distances too large for a byte; the faulty state, or one that is too far; the number of states in a block, and of
actions; of a hash table, the number of states, and its maximum; the largest cost that gave a distance."""
SPAN = 1 << 10
"""The number of states of a block that are processed together."""
word = np.uint64
"""An index: unsigned, which saves the check for negative values."""

# The ends of a slice.
DONE, FAULTY = range(2)

ONES = np.uint64(0x0101_0101_0101_0101)
HIGHS = np.uint64(0x8080_8080_8080_8080)
NOTHING = np.uint64(0)


def is_step(cost: Number) -> bool:
    """Whether a cost is a whole number >= 0, and so leads from level to level. A part of the templates."""
    return cost >= 0 and cost % 1 == 0  # type: ignore[no-any-return]


def goals_slice(
    data: Self,
    table: Array,
    words: Array,  # noqa: ARG001  (as relaxed_backward takes them)
    scans: Scans,
    line: Array,  # noqa: ARG001  (as relaxed_blocks takes it)
    size: int,
    start: int,
    end: int,
) -> int:
    """Give the goals among these ranks the distance 0."""
    me, scan = as_self(data), scans[0]
    for number in range(start, min(end, size)):
        state = unrank(me, number)
        if is_goal(me, state) and rank(me, state) == number:
            table[number] = 0
            scan.given += 1
    return DONE


def relaxed_backward(
    data: Self,
    table: Array,
    words: Array,
    scans: Scans,
    line: Array,  # noqa: ARG001  (as relaxed_blocks takes it)
    size: int,
    start: int,
    end: int,
) -> int:
    """Relax the predecessors, which are also the successors, of the level's states among these ranks.

    words: the table as 64-bit words: those without a byte of the level are skipped.
    """
    me, scan = as_self(data), scans[0]
    level = scan.level
    wanted = np.uint64(level) * ONES
    found = 0
    given = 0
    for at in range(start // 8, end // 8):
        differing = words[at] ^ wanted
        if (differing - ONES) & ~differing & HIGHS == NOTHING:
            continue
        for number in range(8 * at, 8 * at + 8):
            if table[number] != level:
                continue
            found += 1
            state = unrank(me, number)
            pair = prepared_for(me, state)
            for action in range(max_actions(me)):
                legal, other, cost = step_with(me, state, action, pair)
                if not legal:
                    continue
                source = rank(me, other)
                if not 0 <= source < size or not is_step(cost):
                    scan.culprit = number
                    return FAULTY
                distance = level + (cost if cost <= FARTHEST else UNKNOWN)  # a larger sum may not fit
                if distance > FARTHEST:
                    if table[source] == UNKNOWN:
                        scan.far += 1
                        scan.culprit = number
                elif distance < table[source]:
                    table[source] = distance
                    given += 1
                    scan.longest = max(scan.longest, np.int64(cost))
                    if cost == 0:
                        scan.again = 1
    scan.found += found
    scan.given += given
    return DONE


def relaxed_blocks(
    data: Self,
    table: Array,
    words: Array,  # noqa: ARG001  (as relaxed_backward takes them)
    scans: Scans,
    line: Array,
    size: int,
    start: int,
    end: int,
) -> int:
    """relaxed_backward, by blocks: the effect of an action is computed once for the level's states in a part of a block.

    line: room for the orders of the level's states in such a part.
    """
    me, scan = as_self(data), scans[0]
    level = scan.level
    orders = scan.block_size
    blocks = size // orders
    distance = level + 1
    found = 0
    given = 0
    beyond = start
    while beyond < min(end, size):
        at = beyond
        block = at // orders
        first = block * orders
        beyond = min(at + SPAN, first + orders, end)
        count = 0
        for number in range(at, beyond):  # most often none, which this detects in a tenth of the time
            count += table[word(number)] == level
        if count == 0:
            continue
        count = 0
        for number in range(at, beyond):
            line[word(count)] = number - first
            count += table[word(number)] == level
        found += count
        for action in range(scan.actions):
            legal, other, turn = block_step(me, block, action)
            if not legal:
                continue
            if not 0 <= other < blocks:
                scan.culprit = first + line[0]
                return FAULTY
            for number in range(count):
                order = turned(me, turn, line[word(number)])
                if not 0 <= order < orders:
                    scan.culprit = first + line[word(number)]
                    return FAULTY
                place = word(other * orders + order)
                if table[place] > distance:
                    table[place] = distance
                    given += 1
    scan.found += found
    scan.given += given
    return DONE


def relaxed_forward(
    data: Self,
    table: Array,
    words: Array,  # noqa: ARG001  (as relaxed_backward takes them)
    scans: Scans,
    line: Array,  # noqa: ARG001  (as relaxed_blocks takes it)
    size: int,
    start: int,
    end: int,
) -> int:
    """Assign the level to those states among these ranks that have an action to a state nearer by its cost."""
    me, scan = as_self(data), scans[0]
    level = scan.level
    found = 0
    for number in range(start, min(end, size)):
        if table[number] == level:
            found += 1
        if table[number] != UNKNOWN:
            continue
        state = unrank(me, number)
        if rank(me, state) != number:
            continue
        pair = prepared_for(me, state)
        for action in range(max_actions(me)):
            legal, other, cost = step_with(me, state, action, pair)
            if not legal:
                continue
            target = rank(me, other)
            if not 0 <= target < size or not is_step(cost):
                scan.culprit = number
                return FAULTY
            if table[target] == UNKNOWN:
                continue
            distance = np.int64(table[target]) + (cost if cost <= FARTHEST else UNKNOWN)
            if distance == level:
                table[number] = level
                found += 1
                scan.again = 1
                break
            if distance > FARTHEST:
                scan.far += 1
                scan.culprit = number
            elif distance > level:
                scan.given += 1
    scan.found += found
    return DONE


def entries_slice(data: Self, table: Array, least: Array, size: int, start: int, end: int) -> int:
    """Set each entry to the least distance among the states with these ranks that share it.

    Returns -1, or the first rank whose entry is out of range.
    """
    me = as_self(data)
    for number in range(start, min(end, size)):
        if table[number] != UNKNOWN:
            place = entry(me, unrank(me, number))
            if not 0 <= place < len(least):
                return number
            least[place] = min(least[place], table[number])
    return -1
