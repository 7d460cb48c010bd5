"""Distances to the nearest goal over operators that cannot be undone, compiled. See sweeps/regressions.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, Int, Searches

FAR = (1 << 31) - 1
"""No distance is known."""
BUCKETS = 33
"""Of the radix heap: one for each length of the difference of two distances in binary."""
FIELDS_OF_REGRESSION = ("last", "settled")
"""The record: the distance of the state settled last, and the number of settled states."""
AFTER, BEFORE, LINKS = range(3)
"""The links of a state, side by side in memory: the next and the previous state in its bucket."""
FIRST, LEAST, MOST, FIELDS_OF_BUCKET = range(4)
"""What is known of a bucket: its first state, or -1; and bounds of the distances in it."""

word = np.uint64
"""An index: unsigned, which saves the check for negative values."""

# The ends of a slice.
DONE, STOPPED, TOO_FAR = range(3)


def bucket_of(distance: Int, last: Int) -> Int:
    """The place of the bucket of a distance: the length of its difference from the last one counts."""
    difference = distance ^ last
    bucket = 0
    while difference > 0:
        difference >>= 1
        bucket += FIELDS_OF_BUCKET
    return bucket


def put_in(buckets: Array, bucket: Int, links: Array, state: Int, distance: Int) -> None:
    """Put a state into a bucket, as its first."""
    first = buckets[word(bucket + FIRST)]
    links[word(LINKS * state + AFTER)] = first
    links[word(LINKS * state + BEFORE)] = -1
    if first >= 0:
        links[word(LINKS * first + BEFORE)] = state
    buckets[word(bucket + FIRST)] = state
    buckets[word(bucket + LEAST)] = min(buckets[word(bucket + LEAST)], distance)
    buckets[word(bucket + MOST)] = max(buckets[word(bucket + MOST)], distance)


def take_out(buckets: Array, bucket: Int, links: Array, state: Int) -> None:
    """Take a state out of its bucket."""
    after, before = np.int64(links[word(LINKS * state + AFTER)]), np.int64(links[word(LINKS * state + BEFORE)])
    if before >= 0:
        links[word(LINKS * before + AFTER)] = after
    else:
        buckets[word(bucket + FIRST)] = after
    if after >= 0:
        links[word(LINKS * after + BEFORE)] = before


def filled(buckets: Array, links: Array, distances: Array) -> Int:
    """Move the states of the least distance into the first bucket, which is empty, and others of theirs nearer to it. Returns that
    distance, or FAR if no state waits."""
    bucket = FIELDS_OF_BUCKET
    while bucket < len(buckets) and buckets[word(bucket + FIRST)] < 0:
        bucket += FIELDS_OF_BUCKET
    if bucket == len(buckets):
        return np.int64(FAR)
    first, least, most = buckets[word(bucket + FIRST)], buckets[word(bucket + LEAST)], buckets[word(bucket + MOST)]
    buckets[word(bucket + FIRST)], buckets[word(bucket + LEAST)], buckets[word(bucket + MOST)] = -1, FAR, 0
    buckets[LEAST], buckets[MOST] = FAR, 0
    if least == most:  # as with equal costs
        buckets[FIRST] = first
        return least
    state = first
    least = np.int64(FAR)
    while state >= 0:
        least = min(least, np.int64(distances[word(state)]))
        state = np.int64(links[word(LINKS * state + AFTER)])
    state = first
    while state >= 0:
        after = np.int64(links[word(LINKS * state + AFTER)])
        distance = np.int64(distances[word(state)])
        put_in(buckets, bucket_of(distance, least), links, state, distance)
        state = after
    return least


def other_values(number: Int, first: Int, end: Int, free: Arrays) -> Int:
    """What the free variables first .. end - 1 add to a rank, for one of the combinations of their values."""
    sizes, multipliers = free
    added = 0
    for at in range(first, end):
        added += number % sizes[word(at)] * multipliers[word(at)]
        number //= sizes[word(at)]
    return added


def relaxed_regressions(
    sizes: Array,
    tree: Arrays,
    rules: Arrays,
    free: Arrays,
    buckets: Array,
    links: Array,
    distances: Array,
    room: Arrays,
    searches: Searches,
    budget: int,
) -> int:
    """Settle up to `budget` states in order of distance, and relax their predecessors.

    sizes: of the variables. tree: of the rules, by what is true after them: for each node where its rules begin and end, its
    variable, where its children begin, and the child for the rules that do not say the variable's value; and the children by
    value. rules: cost, shift of the rank, number of combinations of the free variables, where these begin and end. room: for a
    state's values, and for a stack.
    """
    search = searches[0]
    begins, ends, variable_of, children_of, other_of, children = tree
    costs, shifts, combinations, free_begins, free_ends = rules
    values, stack = room
    until = search.settled + budget
    last = search.last
    while True:
        state = buckets[FIRST]
        if state < 0:
            last = filled(buckets, links, distances)
            if last == FAR:
                return DONE
            continue
        if search.settled == until:
            search.last = last
            return STOPPED
        search.settled += 1
        take_out(buckets, 0, links, state)
        rest = np.uint64(state)
        for variable in range(len(sizes)):
            quotient = rest // np.uint64(sizes[word(variable)])
            values[word(variable)] = np.int64(rest - quotient * np.uint64(sizes[word(variable)]))
            rest = quotient
        stack[0] = 0
        height = 1
        while height > 0:
            height -= 1
            node = stack[word(height)]
            for rule in range(begins[word(node)], ends[word(node)]):
                if costs[word(rule)] >= FAR - last:
                    return TOO_FAR
                distance = last + costs[word(rule)]
                base = state + shifts[word(rule)]
                for number in range(combinations[word(rule)]):
                    source = base + other_values(number, free_begins[word(rule)], free_ends[word(rule)], free)
                    known = np.int64(distances[word(source)])
                    if distance < known:
                        if known != FAR:
                            take_out(buckets, bucket_of(known, last), links, source)
                        distances[word(source)] = distance
                        put_in(buckets, bucket_of(distance, last), links, source, distance)
            if other_of[word(node)] >= 0:
                stack[word(height)] = other_of[word(node)]
                height += 1
            if variable_of[word(node)] >= 0:
                child = children[word(children_of[word(node)] + values[word(variable_of[word(node)])])]
                if child >= 0:
                    stack[word(height)] = child
                    height += 1


def entered_goals(base: int, count: int, free: Arrays, buckets: Array, links: Array, distances: Array) -> None:
    """Give the goals the distance 0. base: the rank of the first; count: how many; free: the variables that tell them apart."""
    for number in range(count):
        state = base + other_values(number, 0, len(free[0]), free)
        distances[word(state)] = 0
        put_in(buckets, 0, links, state, np.int64(0))
