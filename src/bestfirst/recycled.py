"""Recycled: arrays that one search leaves to the next, because making new ones takes as long as a small search."""

from __future__ import annotations

from threading import local
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array
    from bestfirst.compiled.store.heap import Heap

ENTRIES_PER_NODE = 256
"""A table with more entries for each of its nodes is not cleared but made anew: memory that is never touched costs nothing."""
MOST_BYTES = 1 << 28
"""Larger arrays are not kept for the next search of solve_many()."""
MOST_BYTES_KEPT = 1 << 24
"""Larger arrays are not kept for the next solve(), which may never come."""


class Recycled:
    """What the last search has left: the words of its records, its table, and its heap. Whoever takes one owns it.

    most: the bytes of the largest array that is kept.
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._arrays: dict[str, Array] = {}  # one step takes an array out: a signal handler may search, too
        self._nodes = 0
        self._heaps: dict[bool, Heap] = {}

    def give(self, words: Array, table: Array, nodes: int) -> None:
        """Leave the words of records, and a table in which so many nodes are left."""
        self._arrays = {name: array for name, array in (("words", words), ("table", table)) if array.nbytes <= self._most}
        self._nodes = nodes

    def words(self, least: int) -> Array | None:
        """At least this many words, with any content; None if none were left."""
        words = self._arrays.pop("words", None)
        return None if words is None or len(words) < least else words

    def table(self, entries: int, *, is_exact: bool) -> Array | None:
        """An empty table; None if none was left that fits, or a new one is faster.

        entries: how many there must be; if not is_exact, at least so many, and a power of two, as hashing needs it.
        """
        table = self._arrays.pop("table", None)
        if table is None or len(table) < entries:
            return None
        if (len(table) != entries) if is_exact else (len(table) & (len(table) - 1)):
            return None
        if self._nodes > 0:
            if len(table) > ENTRIES_PER_NODE * self._nodes:
                return None
            table[:] = 0
        return table

    def give_heap(self, heap: Heap) -> None:
        """Leave a heap."""
        if heap.bytes <= self._most:
            self._heaps[heap.is_wide] = heap

    def heap(self, *, wide: bool) -> Heap | None:
        """An empty heap with keys of this width, if one was left."""
        heap = self._heaps.pop(wide, None)
        if heap is not None:
            heap.clear()
        return heap


class _OfThread(local):
    """What the last solve() of each thread has left."""

    def __init__(self) -> None:
        self.recycled = Recycled(MOST_BYTES_KEPT)


_OF_THREAD = _OfThread()


def of_last_solve() -> Recycled:
    """What the last solve() of this thread has left."""
    return _OF_THREAD.recycled
