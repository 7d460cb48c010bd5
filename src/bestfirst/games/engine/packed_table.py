"""The transposition table for keys of 64-bit words: flat, of fixed size, and the same in both engines.

A slot has the words of the key and one data word:

     63         value, counted from the position         26 25       depth      10 9   move + 1   3    2      1     0
    +------------------------------------------------------+-----------------------+--------------+----------+---------+
    |                                                      |                       |              | complete |  bound  |
    +------------------------------------------------------+-----------------------+--------------+----------+---------+

The words of the key are stored XORed with the data word. Several threads may write to one slot simultaneously without a lock: a
mixture of two entries matches the key of neither. Source: Hyatt and Mann 2002.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING

from bestfirst.games.engine.settings import Replacement
from bestfirst.games.engine.transposition import Bound, Entry, check_table
from bestfirst.games.stats import GameStats
from bestfirst.words import hash_of, words_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COMPLETE_SHIFT, MOVE_SHIFT, DEPTH_SHIFT, VALUE_SHIFT = 2, 3, 10, 26
BOUND_MASK, MOVE_MASK, DEPTH_MASK = 0b11, 0x7F, 0xFFFF

LARGE = 1 << 26
"""Size in bytes from which a table uses huge pages. They make a long search a few percent faster, but each is cleared as a
whole on the first write: a search of a millisecond would wait a tenth of a second for that."""


class PackedTable:
    """A transposition table for keys of one or more words, with the interface of TranspositionTable.

    size: the size in bytes; the number of slots is the greatest power of two that fits, at least 1.
    Raises InputError if the memory is insufficient.
    """

    def __init__(self, size: int, key_words: int, replacement: Replacement, stats: GameStats) -> None:
        check_table(size)
        self.places = 1 << max(0, (size // (8 * (key_words + 1))).bit_length() - 1)
        self._view = _zeros(self.places * (key_words + 1))
        self._key_words = key_words
        self._keeps_deeper = replacement == "deeper"
        self.stats = stats

    @property
    def words(self) -> NDArray[np.int64]:
        """The words of all slots, as the compiled engine reads and writes them."""
        import numpy as np  # noqa: PLC0415  (the reference engine does without)

        return np.frombuffer(self._view, np.int64)

    def probe(self, key: int | tuple[int, ...]) -> Entry | None:
        """The entry of a position, or None."""
        self.stats.probes += 1
        entry = self.entry(key)
        self.stats.hits += entry is not None
        return entry

    def entry(self, key: int | tuple[int, ...]) -> Entry | None:
        """The entry of a position, or None, without counting a probe."""
        words = words_of(key)
        at = self._at(words)
        data = self._view[at + self._key_words]
        if data == 0 or not self._is_key(at, words, data):
            return None
        return _unpacked(words, data)

    def store(self, entry: Entry) -> None:
        """Write an entry, unless the slot holds a deeper entry for another position."""
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
        """All entries; keys are tuples of signed words."""
        rows = self.words.reshape(self.places, self._key_words + 1)
        for row in rows[rows[:, -1] != 0].tolist():
            yield _unpacked(tuple(word ^ row[-1] for word in row[:-1]), row[-1])

    def _is_key(self, at: int, words: tuple[int, ...], data: int) -> bool:
        return all(self._view[at + number] == word ^ data for number, word in enumerate(words))

    def _at(self, words: tuple[int, ...]) -> int:
        return (hash_of(words) & self.places - 1) * (self._key_words + 1)


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


def _zeros(count: int) -> memoryview:
    """A view of `count` zero words."""
    if 8 * count >= LARGE and find_spec("numpy") is not None:
        import numpy as np  # noqa: PLC0415  (a slow import)

        return memoryview(np.zeros(count, np.int64).data)  # NumPy requests huge pages
    return memoryview(zero_bytes(8 * count)).cast("q")


def zero_bytes(count: int) -> mmap.mmap:
    """Memory whose pages are small: those that are never used cost nothing."""
    memory = mmap.mmap(-1, count)
    if hasattr(mmap, "MADV_NOHUGEPAGE"):
        with suppress(OSError):  # on systems without huge pages
            memory.madvise(mmap.MADV_NOHUGEPAGE)
    return memory
