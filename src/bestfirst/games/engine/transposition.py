"""The transposition table: results for positions that several lines of play reach."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from enum import IntEnum
from typing import Any, NamedTuple

from bestfirst.games.engine.settings import Replacement
from bestfirst.games.stats import GameStats
from bestfirst.system.memory import check_room

BYTES_PER_ENTRY = 384
"""Approximate size of a Python entry with its key: 250 to 480 bytes in the games of bestfirst."""


class Bound(IntEnum):
    """The relation of an entry's value to the true value of the position."""

    LOWER = 1
    """The true value is at least this: the search failed high."""
    UPPER = 2
    """The true value is at most this: the search failed low."""
    EXACT = 3


class Entry(NamedTuple):
    """A stored result for a position.

    key: the key of the position. depth: the depth of the search that wrote the entry; complete: whether that search used no
    estimate, and so is deep enough for every other.
    value: wins and losses are counted in plies from this position. move: the best move found.
    """

    key: Hashable
    depth: int
    complete: bool
    bound: Bound
    value: int
    move: Any

    def settles(self, depth: int, alpha: int, beta: int, value: int) -> bool:
        """Whether the entry makes a search with this depth and window unnecessary. value: the value of the entry, relative
        to the root."""
        if self.depth < depth and not self.complete:
            return False
        return self.bound is Bound.EXACT or (value >= beta if self.bound is Bound.LOWER else value <= alpha)


def check_table(size: int) -> None:
    """Raise InputError for a table larger than the machine's memory."""
    check_room("the transposition table", size, "write a smaller one, such as table=64MB")


class TranspositionTable:
    """A table with a fixed number of slots. Each position has one slot, which it shares with others.

    size: the size in bytes, about BYTES_PER_ENTRY per slot. replacement: "deeper" keeps the deeper of two competing
    positions, "always" the new one.
    stats: counts lookups and entries. Raises InputError if the memory is insufficient.
    Keys of ints, or tuples of ints, have the same slot in every run. The hashes of strings differ between runs of Python, so
    node counts with them are reproducible only if the table is large enough for all positions.
    """

    def __init__(self, size: int, replacement: Replacement, stats: GameStats) -> None:
        check_table(size)
        self.places = max(1, size // BYTES_PER_ENTRY) | 1  # odd, so that every bit of a key counts
        self._entries: dict[int, Entry] = {}
        self._keeps_deeper = replacement == "deeper"
        self.stats = stats

    def __len__(self) -> int:
        return len(self._entries)

    def probe(self, key: Hashable) -> Entry | None:
        """The entry of a position, or None."""
        self.stats.probes += 1
        entry = self.entry(key)
        self.stats.hits += entry is not None
        return entry

    def entry(self, key: Hashable) -> Entry | None:
        """The entry of a position, or None, without counting a probe."""
        entry = self._entries.get(hash(key) % self.places)
        return None if entry is None or entry.key != key else entry

    def store(self, entry: Entry) -> None:
        """Write an entry, unless the slot holds a deeper entry for another position."""
        place = hash(entry.key) % self.places
        old = self._entries.get(place)
        if old is not None and old.key != entry.key:
            if self._keeps_deeper and old.depth > entry.depth:
                return
            self.stats.replaced += 1
        self._entries[place] = entry
        self.stats.stored += 1

    def entries(self) -> Iterator[Entry]:
        """All entries."""
        return iter(self._entries.values())
