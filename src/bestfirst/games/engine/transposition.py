"""The transposition table: what was found out about positions that can be reached in several ways."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from enum import IntEnum
from typing import Any, NamedTuple

from bestfirst.games.engine.settings import Replacement
from bestfirst.games.stats import GameStats
from bestfirst.system.memory import check_room

BYTES_PER_ENTRY = 384
"""About what Python takes for an entry and its key: 250 to 480 bytes in the games that come with bestfirst."""


class Bound(IntEnum):
    """What the value of an entry says about the true value of the position."""

    LOWER = 1
    """It is at least this: the search failed high."""
    UPPER = 2
    """It is at most this: the search failed low."""
    EXACT = 3


class Entry(NamedTuple):
    """What is known about a position.

    key: the position, without the window of the search that wrote the entry. depth: how deep that search was; complete:
    whether it leant on no estimate, so that it is deep enough for every other.
    value: with the plies of a win or loss counted from the position. move: the best one that was found.
    """

    key: Hashable
    depth: int
    complete: bool
    bound: Bound
    value: int
    move: Any

    def settles(self, depth: int, alpha: int, beta: int, value: int) -> bool:
        """Whether a search to a depth with a window need not be made; value is the entry's, counted from the root."""
        if self.depth < depth and not self.complete:
            return False
        return self.bound is Bound.EXACT or (value >= beta if self.bound is Bound.LOWER else value <= alpha)


def check_table(size: int) -> None:
    """Raise InputError for a table of more bytes than there are."""
    check_room("the transposition table", size, "write a smaller one, such as table=64MB")


class TranspositionTable:
    """A table of a fixed number of places; each position has one, which it shares with others.

    size: in bytes, at about BYTES_PER_ENTRY for each place. replacement: "deeper" keeps the deeper of two positions that
    compete, "always" the new one.
    stats: where look-ups and entries are counted. Raises InputError where there is not so much memory.
    Keys that are ints, or tuples of ints, have the same place in every run; texts have another one in each run of Python,
    so exact node counts cannot be repeated with them unless the table is large enough for all.
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
        """The entry of a position, if there is one."""
        self.stats.probes += 1
        entry = self.entry(key)
        self.stats.hits += entry is not None
        return entry

    def entry(self, key: Hashable) -> Entry | None:
        """The same, not counted."""
        entry = self._entries.get(hash(key) % self.places)
        return None if entry is None or entry.key != key else entry

    def store(self, entry: Entry) -> None:
        """Write what was found out, unless a deeper entry of another position is in the way."""
        place = hash(entry.key) % self.places
        old = self._entries.get(place)
        if old is not None and old.key != entry.key:
            if self._keeps_deeper and old.depth > entry.depth:
                return
            self.stats.replaced += 1
        self._entries[place] = entry
        self.stats.stored += 1

    def entries(self) -> Iterator[Entry]:
        """What is in the table."""
        return iter(self._entries.values())
