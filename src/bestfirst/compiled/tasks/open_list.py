"""The agenda of task searches: a bucket of nodes for each key, whatever the costs, and a heap of the keys.

A key is a pair (primary, secondary). A bucket is a list of nodes, linked by an array `nexts`. A hash table finds the
bucket of a key; once made, a bucket stays there. A bucket is in the heap while it has nodes.

agenda: (heap, buckets, index, as_real, as_bits). The search record has the numbers `buckets` and `heap_size`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.store.growth import grown

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, Flag, Int, OpenList, Order, Search

BUCKET = 4
"""Numbers for each bucket: its key (two), its first node and its last one, or -1."""
NOBODY = -1
AT_END, AT_FRONT = range(2)
"""Where a node enters its bucket: first in, first out; or last in, first out."""


def new_agenda(size: int) -> Arrays:
    """An empty agenda with room for `size` buckets, a power of two."""
    real = np.zeros(1)
    return (
        np.zeros(size, np.int64),
        np.zeros(size * BUCKET, np.int64),
        np.zeros(2 * size, np.int64),
        real,
        real.view(np.int64),
    )


def grown_agenda(agenda: Arrays, size: int, buckets: int) -> Arrays:
    """The agenda with room for `size` buckets. buckets: their number."""
    heap, old, _index, real, bits = agenda
    index = np.zeros(2 * size, np.int64)
    for number, (primary, secondary) in enumerate(old.reshape(-1, BUCKET)[:buckets, :2].tolist()):
        slot = bucket_slot(index, old, primary, secondary)
        index[slot] = number + 1
    return grown(heap, size), grown(old, size * BUCKET), index, real, bits


def primary_key(order: Order, weight: float, agenda: OpenList, g: Int, h: Int) -> Int:
    """The primary key of a node; a float >= 0 as the int with the same bits, which has the same order. A part of kernels."""
    if order[3] != 0:
        agenda[3][0] = g + weight * h
        return agenda[4][0]
    return order[0] * g + order[1] * h


def bucket_slot(index: Array, buckets: Array, primary: Int, secondary: Int) -> Int:
    """The slot of a key in the index, which is free if it is new. A part of kernels."""
    mask = len(index) - 1
    mixed = (primary & 0xFFFFFFFFFFFF) * 31 + (primary >> 48) + secondary  # which does not overflow
    slot = (mixed ^ (mixed >> 7) ^ (mixed >> 21) ^ (mixed >> 44)) & mask
    while index[slot] != 0:
        at = (index[slot] - 1) * BUCKET
        if buckets[at] == primary and buckets[at + 1] == secondary:
            break
        slot = (slot + 1) & mask
    return slot


def comes_before(buckets: Array, one: Int, other: Int) -> Flag:
    """Whether the key of a bucket is lower than that of another. A part of kernels."""
    first, second = buckets[np.uint64(one * BUCKET)], buckets[np.uint64(other * BUCKET)]
    if first != second:
        return first < second
    return buckets[np.uint64(one * BUCKET + 1)] < buckets[np.uint64(other * BUCKET + 1)]


def enter(search: Search, agenda: OpenList, nexts: Array, place: Int, primary: Int, secondary: Int, end: int) -> None:
    """Put a node on the agenda, which has room for another bucket. A part of kernels."""
    heap, buckets, index, _real, _bits = agenda
    slot = bucket_slot(index, buckets, primary, secondary)
    if index[slot] == 0:
        at = search.buckets * BUCKET
        buckets[at], buckets[at + 1], buckets[at + 2] = primary, secondary, NOBODY
        search.buckets += 1
        index[slot] = search.buckets
    bucket = index[slot] - 1
    at = bucket * BUCKET
    if buckets[at + 2] == NOBODY:
        buckets[at + 2] = buckets[at + 3] = place
        nexts[place] = NOBODY
        hole = search.heap_size
        search.heap_size += 1
        while hole > 0 and comes_before(buckets, bucket, heap[(hole - 1) // 2]):
            heap[hole] = heap[(hole - 1) // 2]
            hole = (hole - 1) // 2
        heap[hole] = bucket
    elif end == AT_END:
        nexts[place] = NOBODY
        nexts[np.uint64(buckets[at + 3])] = place
        buckets[at + 3] = place
    else:
        nexts[place] = buckets[at + 2]
        buckets[at + 2] = place


def first_node(search: Search, agenda: OpenList) -> Int:
    """The first node of the lowest bucket, after removing empty ones; the agenda has a node. A part of kernels."""
    heap, buckets, _index, _real, _bits = agenda
    while buckets[np.uint64(heap[0] * BUCKET + 2)] == NOBODY:
        search.heap_size -= 1
        last = heap[search.heap_size]
        hole = np.int64(0)
        while 2 * hole + 1 < search.heap_size:
            child = 2 * hole + 1
            if child + 1 < search.heap_size and comes_before(buckets, heap[child + 1], heap[child]):
                child += 1
            if not comes_before(buckets, heap[child], last):
                break
            heap[hole] = heap[child]
            hole = child
        heap[hole] = last
    return buckets[np.uint64(heap[0] * BUCKET + 2)]


def drop_first(agenda: OpenList, nexts: Array, place: Int) -> None:
    """Remove the node that first_node() returned. A part of kernels."""
    heap, buckets, _index, _real, _bits = agenda
    buckets[np.uint64(heap[0] * BUCKET + 2)] = nexts[np.uint64(place)]


PARTS = (primary_key, bucket_slot, comes_before, enter, first_node, drop_first)
