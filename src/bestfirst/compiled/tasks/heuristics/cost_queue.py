"""The queue of an exploration: the cheapest fact leaves first, of equal ones that which entered last.

Entries are numbered from 1 in the order in which they enter; their facts and links are in `entries`, in turn. Costs below
BUCKETS have a list of entries each, which begins at heads[cost] and follows the links. The others are in a binary heap of keys:
the cost in the upper 32 bits, the complement of the entry's number in the lower ones. So any costs are possible.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, Int

BUCKETS = 4096
LOWER = 2**32 - 1
HALF = 32


def new_queue(most: int) -> Arrays:
    """The arrays of a queue that at most this number of entries enter: heads, entries, heap."""
    return np.zeros(BUCKETS, np.int32), np.zeros(2 * most + 2, np.int32), np.zeros(most + 2, np.int64)


def add_fact(queue: Arrays, number: Int, fact: Int, cost: Int, far: Int) -> Int:
    """Enter a fact as the entry of a number. far: the number of entries in the heap; returns the new one."""
    heads, entries, heap = queue
    entries[np.uint64(2 * number)] = fact
    if cost < BUCKETS:
        entries[np.uint64(2 * number + 1)] = heads[np.uint64(cost)]
        heads[np.uint64(cost)] = number
        return far
    key, place = (cost << HALF) | (LOWER - number), far + 1
    while place > 1 and heap[np.uint64(place >> 1)] > key:
        heap[np.uint64(place)] = heap[np.uint64(place >> 1)]
        place >>= 1
    heap[np.uint64(place)] = key
    return far + 1


def next_fact(queue: Arrays, cost: Int, near: Int, far: Int) -> Int:
    """Remove the first entry. cost: no entry has a lower one. near, far: the numbers of entries in the lists and in the heap, of
    which one is not 0. Returns the entry's cost, its fact, and the new numbers."""
    heads, entries, heap = queue
    if near > 0:
        while heads[np.uint64(cost)] == 0:
            cost += 1
        number = np.int64(heads[np.uint64(cost)])
        heads[np.uint64(cost)] = entries[np.uint64(2 * number + 1)]
        return cost, np.int64(entries[np.uint64(2 * number)]), near - 1, far
    key = next_key(heap, far)
    return key >> HALF, np.int64(entries[np.uint64(2 * (LOWER - (key & LOWER)))]), near, far - 1


def next_key(heap: Array, far: Int) -> Int:
    """Remove the first entry of the heap, of `far` entries; returns its key."""
    first, last = heap[1], heap[np.uint64(far)]
    place, child = 1, 2
    while child < far:
        if child + 1 < far and heap[np.uint64(child + 1)] < heap[np.uint64(child)]:
            child += 1
        if heap[np.uint64(child)] >= last:
            break
        heap[np.uint64(place)] = heap[np.uint64(child)]
        place, child = child, 2 * child
    heap[np.uint64(place)] = last
    return first


def empty_lists(queue: Arrays, cost: Int, near: Int) -> None:
    """Empty the lists from a cost on, in which `near` entries are left."""
    heads, entries, _heap = queue
    while near > 0:
        number = heads[np.uint64(cost)]
        heads[np.uint64(cost)] = 0
        while number > 0:
            near -= 1
            number = entries[np.uint64(2 * number + 1)]
        cost += 1


parts = add_fact, next_key, next_fact, empty_lists
"""Their names differ from those of the parts of searches, since they are parts of the same kernels."""
