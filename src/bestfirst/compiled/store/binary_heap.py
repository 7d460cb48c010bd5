"""A binary heap of (first, second, serial), lowest first, compiled. Parts of engine templates.

A heap is three arrays; the template keeps the number of entries. Serial numbers are distinct and identify the node of an
entry, so the order of entries is fixed, and superseded entries can be recognised when popped.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def push(heap: Any, size: Any, first: Any, second: Any, serial: Any) -> None:
    """Add an entry to a heap of `size` entries."""
    firsts, seconds, serials = heap
    place = size
    while place > 0:
        above = (place - 1) >> 1
        if (
            firsts[above] < first
            or (firsts[above] == first and seconds[above] < second)
            or (firsts[above] == first and seconds[above] == second and serials[above] < serial)
        ):
            break
        firsts[place], seconds[place], serials[place] = firsts[above], seconds[above], serials[above]
        place = above
    firsts[place], seconds[place], serials[place] = first, second, serial


def pop(heap: Any, size: Any) -> Any:
    """Pop the first entry from a heap of `size` entries and return its serial number."""
    firsts, seconds, serials = heap
    taken = serials[0]
    last = size - 1
    first, second, serial = firsts[last], seconds[last], serials[last]
    place, below = 0, 1
    while below < last:
        beside = below + 1
        if beside < last and (
            firsts[beside] < firsts[below]
            or (firsts[beside] == firsts[below] and seconds[beside] < seconds[below])
            or (firsts[beside] == firsts[below] and seconds[beside] == seconds[below] and serials[beside] < serials[below])
        ):
            below = beside
        if (
            first < firsts[below]
            or (first == firsts[below] and second < seconds[below])
            or (first == firsts[below] and second == seconds[below] and serial < serials[below])
        ):
            break
        firsts[place], seconds[place], serials[place] = firsts[below], seconds[below], serials[below]
        place, below = below, 2 * below + 1
    firsts[place], seconds[place], serials[place] = first, second, serial
    return taken


def empty_heap(size: int, key: type[np.number[Any]]) -> tuple[Any, ...]:
    """A heap with room for `size` entries, whose first and second are numbers of a type."""
    return np.zeros(size, key), np.zeros(size, key), np.zeros(size, np.int32)
