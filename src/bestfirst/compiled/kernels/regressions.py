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
FIELDS_OF_REGRESSION = ("last", "settled", "goals")
"""The record: the distance of the state settled last, the number of settled states, the number of goals."""

# The ends of a slice.
DONE, STOPPED, TOO_FAR = range(3)


def bucket_of(distance: Int, last: Int) -> Int:
    """The bucket of a distance: the length of its difference from the last one."""
    difference = distance ^ last
    bucket = 0
    while difference > 0:
        difference >>= 1
        bucket += 1
    return bucket


def put_in(links: Arrays, bucket: Int, state: Int) -> None:
    """Put a state into a bucket, as its first."""
    heads, following, preceding = links
    first = heads[bucket]
    following[state] = first
    preceding[state] = -1
    if first >= 0:
        preceding[first] = state
    heads[bucket] = state


def take_out(links: Arrays, bucket: Int, state: Int) -> None:
    """Take a state out of its bucket."""
    heads, following, preceding = links
    before, after = preceding[state], following[state]
    if before >= 0:
        following[before] = after
    else:
        heads[bucket] = after
    if after >= 0:
        preceding[after] = before


def other_values(number: Int, first: Int, end: Int, free: Arrays) -> Int:
    """What the free variables first .. end - 1 add to a rank, for one of the combinations of their values."""
    sizes, multipliers = free
    added = 0
    for at in range(first, end):
        added += number % sizes[at] * multipliers[at]
        number //= sizes[at]
    return added


def relaxed_regressions(
    sizes: Array,
    tree: Arrays,
    rules: Arrays,
    free: Arrays,
    links: Arrays,
    room: Arrays,
    distances: Array,
    searches: Searches,
    budget: int,
) -> int:
    """Settle up to `budget` states in order of distance, and relax their predecessors.

    sizes: of the variables. tree: of the rules, by what is true after them: for each node where its rules begin
    and end, its variable, where its children begin, and the child for the rules that do not say the variable's value; and the
    children by value. rules: cost, shift of the rank, number of combinations of the free variables, where these begin and end.
    links: the heads of the buckets, and the following and preceding state of each. room: for a state's values, and for a stack.
    """
    search = searches[0]
    begins, ends, variable_of, children_of, other_of, children = tree
    costs, shifts, combinations, free_begins, free_ends = rules
    heads, following, _preceding = links
    values, stack = room
    until = search.settled + budget
    last = search.last
    while True:
        state = heads[0]
        if state < 0:
            bucket = 1
            while bucket < BUCKETS and heads[bucket] < 0:
                bucket += 1
            if bucket == BUCKETS:
                search.last = last
                return DONE
            state = heads[bucket]
            last = np.int64(FAR)
            while state >= 0:
                last = min(last, np.int64(distances[state]))
                state = following[state]
            state = heads[bucket]
            heads[bucket] = -1
            while state >= 0:
                after = following[state]
                put_in(links, bucket_of(np.int64(distances[state]), last), state)
                state = after
            continue
        if search.settled == until:
            search.last = last
            return STOPPED
        search.settled += 1
        take_out(links, 0, state)
        rest = np.uint64(state)
        for variable in range(len(sizes)):
            quotient = rest // np.uint64(sizes[variable])
            values[variable] = np.int64(rest - quotient * np.uint64(sizes[variable]))
            rest = quotient
        stack[0] = 0
        height = 1
        while height > 0:
            height -= 1
            node = stack[height]
            for rule in range(begins[node], ends[node]):
                distance = last + costs[rule]
                if distance >= FAR:
                    return TOO_FAR
                base = state + shifts[rule]
                for number in range(combinations[rule]):
                    source = base + other_values(number, free_begins[rule], free_ends[rule], free)
                    known = np.int64(distances[source])
                    if distance < known:
                        if known != FAR:
                            take_out(links, bucket_of(known, last), source)
                        distances[source] = distance
                        put_in(links, bucket_of(distance, last), source)
            if other_of[node] >= 0:
                stack[height] = other_of[node]
                height += 1
            if variable_of[node] >= 0:
                child = children[children_of[node] + values[variable_of[node]]]
                if child >= 0:
                    stack[height] = child
                    height += 1


def entered_goals(base: Int, count: Int, free: Arrays, links: Arrays, distances: Array) -> None:
    """Give the goals the distance 0. base: the rank of the first; count: how many; free: the variables that tell them apart."""
    for number in range(count):
        state = base + other_values(number, 0, len(free[0]), free)
        distances[state] = 0
        put_in(links, 0, state)
