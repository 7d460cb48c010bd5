"""The transposition table of games whose keys are words: flat, of a known size, and the same in both engines.

A place has the words of the key and one word for what is known:

     63         value, counted from the position         26 25       depth      10 9   move + 1   3    2      1     0
    +------------------------------------------------------+-----------------------+--------------+----------+---------+
    |                                                      |                       |              | complete |  bound  |
    +------------------------------------------------------+-----------------------+--------------+----------+---------+

The words of the key are kept XOR that word. Several threads may write to one place at a time without a lock: what then belongs to
two entries is the key of neither. Source: Hyatt and Mann 2002.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from bestfirst.games.engine.settings import Replacement
from bestfirst.games.engine.transposition import Bound, Entry, check_table
from bestfirst.games.stats import GameStats
from bestfirst.words import hash_of, signed

COMPLETE_SHIFT, MOVE_SHIFT, DEPTH_SHIFT, VALUE_SHIFT = 2, 3, 10, 26
BOUND_MASK, MOVE_MASK, DEPTH_MASK = 0b11, 0x7F, 0xFFFF

LARGE = 1 << 26
"""Bytes of a table that is to lie in huge pages. They make a long search a few percent faster, but each of them is cleared as a
whole when it is first written to: a search that is over in a millisecond would wait a tenth of a second for that."""


class PackedTable:
    """A transposition table for keys of one or more words; the interface is that of TranspositionTable.

    size: in bytes; the number of places is the greatest power of two that fits, at least 1.
    Raises InputError where there is not so much memory.
    """

    def __init__(self, size: int, key_words: int, replacement: Replacement, stats: GameStats) -> None:
        check_table(size)
        self.places = 1 << max(0, (size // (8 * (key_words + 1))).bit_length() - 1)
        self.words = _zeros(self.places * (key_words + 1))
        self._view: Any = memoryview(self.words)  # quicker than NumPy's own indexing
        self._key_words = key_words
        self._keeps_deeper = replacement == "deeper"
        self.stats = stats

    def probe(self, key: int | tuple[int, ...]) -> Entry | None:
        """The entry of a position, if there is one."""
        self.stats.probes += 1
        entry = self.entry(key)
        self.stats.hits += entry is not None
        return entry

    def entry(self, key: int | tuple[int, ...]) -> Entry | None:
        """The same, not counted."""
        words = words_of(key)
        at = self._at(words)
        data = self._view[at + self._key_words]
        if data == 0 or not self._is_key(at, words, data):
            return None
        return _unpacked(words, data)

    def store(self, entry: Entry) -> None:
        """Write what was found out, unless a deeper entry of another position is in the way."""
        words = words_of(entry.key)
        at = self._at(words)
        old = self._view[at + self._key_words]
        if old != 0 and not self._is_key(at, words, old):
            if self._keeps_deeper and old >> DEPTH_SHIFT & DEPTH_MASK > entry.depth:
                return
            self.stats.replaced += 1
        data = _packed(entry)
        for number, word in enumerate(words):
            self._view[at + number] = word ^ data
        self._view[at + self._key_words] = data
        self.stats.stored += 1

    def entries(self) -> Iterator[Entry]:
        """What is in the table; keys as tuples of words with signs."""
        rows = self.words.reshape(self.places, self._key_words + 1)
        for row in rows[rows[:, -1] != 0].tolist():
            yield _unpacked(tuple(word ^ row[-1] for word in row[:-1]), row[-1])

    def _is_key(self, at: int, words: tuple[int, ...], data: int) -> bool:
        return all(self._view[at + number] == word ^ data for number, word in enumerate(words))

    def _at(self, words: tuple[int, ...]) -> int:
        return (hash_of(words) & self.places - 1) * (self._key_words + 1)


def words_of(key: object) -> tuple[int, ...]:
    """A key as words with signs, as the table has them."""
    return (signed(key),) if isinstance(key, int) else tuple(signed(word) for word in key)  # type: ignore[attr-defined]


def _packed(entry: Entry) -> int:
    assert isinstance(entry.move, int)
    return (
        entry.value << VALUE_SHIFT
        | entry.depth << DEPTH_SHIFT
        | (entry.move + 1) << MOVE_SHIFT
        | entry.complete << COMPLETE_SHIFT
        | entry.bound
    )


def _unpacked(words: tuple[int, ...], data: int) -> Entry:
    return Entry(
        words,
        data >> DEPTH_SHIFT & DEPTH_MASK,
        bool(data >> COMPLETE_SHIFT & 1),
        Bound(data & BOUND_MASK),
        data >> VALUE_SHIFT,
        (data >> MOVE_SHIFT & MOVE_MASK) - 1,
    )


def _zeros(count: int) -> Any:
    """So many words, all 0."""
    import numpy as np  # noqa: PLC0415  (it takes a while)

    if 8 * count >= LARGE:
        return np.zeros(count, np.int64)  # NumPy asks for huge pages
    memory = mmap.mmap(-1, 8 * count)
    if hasattr(mmap, "MADV_NOHUGEPAGE"):
        with suppress(OSError):  # of a system that has none
            memory.madvise(mmap.MADV_NOHUGEPAGE)
    return np.frombuffer(memory, np.int64)
