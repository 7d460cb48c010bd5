"""Breadth-first enumeration, compiled: by ranks, or by records. See sweeps/enumeration.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.intrinsics import lowest_bit, prefetch
from bestfirst.compiled.store.table import fill_table, find, first_slot, key_of, place_in, put

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        LEGAL_FIRST,
        as_self,
        fetch,
        fits,
        load,
        max_actions,
        prepared_for,
        put_record,
        rank,
        state_of,
        step_with,
        store,
        unrank,
    )
    from bestfirst.compiled.store.aliases import Array, Arrays, Nodes, Searches, Self, Table

FIELDS_OF_SEARCH = ("at", "expanded", "generated", "found", "states", "level_end", "capacity", "culprit")
"""The record of an enumeration: where the level continues; counts, of which found is that of the next level's states; the ranks,
or the records; where the level ends; the room for records; the faulty state."""

# The ends of a slice.
STOPPED, LEVEL_DONE, FULL, FAULTY = range(4)

# Special budgets.
NEXT_LEVEL, COLLECT, START, REFILL = -1, -2, -3, -4

PER_WORD = 32
LOW_BITS = np.uint64(0x5555_5555_5555_5555)
ONE, TWO, THREE = np.uint64(1), np.uint64(2), np.uint64(3)
NO_BITS = np.uint64(0)
BATCH = 16
"""The number of nodes whose children are looked up together, so that their memory accesses overlap."""


def ranked_slice(data: Self, codes: Array, numbers: Array, searches: Searches, budget: int) -> int:
    """Process a level for at most about `budget` expansions; return how it ended.

    codes: 2 bits for each rank. numbers: room for the ranks of the children of a word; with the budget COLLECT, it receives
    the ranks of this level, and the result is their number.
    """
    me, search = as_self(data), searches[0]
    if budget == NEXT_LEVEL:
        for at in range(len(codes)):
            word = codes[at]
            current = word & ~(word >> ONE) & LOW_BITS
            following = (word >> ONE) & ~word & LOW_BITS
            codes[at] = (word | (current << ONE)) ^ (following | (following << ONE))
        return STOPPED
    if budget == COLLECT:
        count = 0
        for at in range(len(codes)):
            current = codes[at] & ~(codes[at] >> ONE) & LOW_BITS
            while current != NO_BITS and count < len(numbers):
                numbers[count] = at * PER_WORD + lowest_bit(current) // 2
                current &= current - ONE
                count += 1
        return count
    expanded = 0
    found = 0
    generated = 0
    how = STOPPED
    start = search.at
    for at in range(start, len(codes)):
        search.at = at
        if expanded >= budget:
            break
        current = codes[at] & ~(codes[at] >> ONE) & LOW_BITS
        children = 0
        while current != NO_BITS:
            number = at * PER_WORD + lowest_bit(current) // 2
            current &= current - ONE
            expanded += 1
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
                prefetch(codes, child_number // PER_WORD)
                numbers[children] = child_number
                children += 1
        if how != STOPPED:
            break
        generated += children
        for child_place in range(children):
            place = numbers[child_place] // PER_WORD
            shift = np.uint64(2 * (numbers[child_place] % PER_WORD))
            if (codes[place] >> shift) & THREE == NO_BITS:
                codes[place] |= TWO << shift
                found += 1
    else:
        how = LEVEL_DONE
    search.expanded += expanded
    search.generated += generated
    search.found += found
    return how


def recorded_slice(
    data: Self, nodes: Nodes, table_: Table, rows: Arrays, keys: Array, searches: Searches, budget: int
) -> int:
    """Process a level for at most about `budget` expansions; return how it ended.

    rows, keys: room for the children of BATCH nodes, and for their keys in the table.
    """
    me, search = as_self(data), searches[0]
    if budget == START:
        root = load(rows, 0)
        key = key_of(me, table_, root)
        put_record(nodes, 0, root)
        put(table_, find(nodes, table_, key, root), key, 0)
        return STOPPED
    if budget == REFILL:
        fill_table(me, nodes, table_, search.states)
        return STOPPED
    at, size, end = search.at, search.states, search.level_end
    expanded = 0
    generated = 0
    how = STOPPED
    while expanded < budget:
        if at == end:
            how = LEVEL_DONE
            break
        if size + BATCH * max_actions(me) > search.capacity:
            how = FULL
            break
        batch_end = min(at + BATCH, end)
        children = 0
        for place in range(at, batch_end):
            state = state_of(nodes, place)
            pair = prepared_for(me, state)
            for action in range(max_actions(me)):
                legal, child, _cost = step_with(me, state, action, pair)
                if not legal:
                    if LEGAL_FIRST:
                        break
                    continue
                key = key_of(me, table_, child) if fits(child) else -1
                if key < 0:
                    search.culprit = place
                    how = FAULTY
                    break
                prefetch(table_, first_slot(table_, key))
                store(rows, children, child)
                keys[children] = key
                children += 1
        if how != STOPPED:
            break
        for child_place in range(children):
            known = place_in(table_, first_slot(table_, keys[child_place]))
            if known >= 0:
                fetch(nodes, known)
        for child_place in range(children):
            child = load(rows, child_place)
            slot = find(nodes, table_, keys[child_place], child)
            if place_in(table_, slot) < 0:
                put_record(nodes, size, child)
                put(table_, slot, keys[child_place], size)
                size += 1
        generated += children
        expanded += batch_end - at
        at = batch_end
    search.at, search.states = at, size
    search.expanded += expanded
    search.generated += generated
    return how
