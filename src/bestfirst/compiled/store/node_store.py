"""The node records of a search and the table that finds their states; both grow as they fill."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bestfirst.compiled.compiler.machine_code import Kept
from bestfirst.compiled.store.records import Layout
from bestfirst.compiled.store.table import ENTRY

FIRST_NODES = 1 << 13
FULL_SHARE = 0.5
"""The maximum load of a hash table: beyond this fraction of the slots, lookups take long."""
MOST_NODES = 2**31 - 2
"""A node index + 1 has 31 bits."""
DOUBLED_BELOW = 1 << 26
"""Bytes: room for more records than these grows by a quarter."""
COPIED_BELOW = 1 << 22
"""Bytes: larger arrays reserve address space for the maximum number of records at once. Memory is used only where it is
written (in large pages if the system has them, which makes access to records faster), and nothing need be copied again."""


class NodeStore:
    """The records and the table.

    nodes: the records, as ints and as floats. ranks: the entries of a table by rank, or 0 for a hash table. capacity: the
    number of nodes that fit, minus those that one expansion can make. table_is_empty: whether the table was rebuilt, so that
    the nodes must be entered again.
    """

    def __init__(self, layout: Layout, ranks: int, max_actions: int) -> None:
        self.layout = layout
        self._ranks = ranks
        self._records = FIRST_NODES + 2 * max_actions
        self._take(np.zeros(self._records * layout.words, np.int64))
        slots = ranks or _power_of_two(2 * self._records)
        self.table = np.zeros(slots, ENTRY)
        self.table_is_empty = False

    def _take(self, words: Any) -> None:
        """Use an array for the records."""
        self._words, self.nodes = words, Kept((words, words.view(np.float64)))

    @property
    def capacity(self) -> int:
        """The number of nodes that fit."""
        return self._records if self._ranks else min(self._records, int(FULL_SHARE * len(self.table)))

    @property
    def bytes(self) -> int:
        """The bytes of records and table."""
        return self._record_bytes * self._records + int(self.table.nbytes)

    @property
    def is_small(self) -> bool:
        """Whether it can grow without asking how much memory is available, which takes longer."""
        return 2 * self._record_bytes * self._records <= COPIED_BELOW

    @property
    def _record_bytes(self) -> int:
        return 8 * self.layout.words

    def grow(self, may_take: float) -> bool:
        """Make room for more nodes; return False if that would exceed the given bytes."""
        if not self._ranks and self.capacity < self._records:
            return self._grow_table(may_take)
        return self._grow_records(may_take)

    def _grow_records(self, may_take: float) -> bool:
        taken = self._record_bytes * self._records
        wanted = taken if taken < DOUBLED_BELOW else taken // 4
        more = min(int(min(wanted, may_take)) // self._record_bytes, MOST_NODES - self._records)
        if 16 * more < self._records:
            return False
        if (self._records + more) * self.layout.words > len(self._words) and not self._move(more, may_take):
            return False
        self._records += more
        return True

    def _move(self, more: int, may_take: float) -> bool:
        """Move the records to a larger array, if possible one large enough for the maximum."""
        room = self._records + more
        if self._record_bytes * room > COPIED_BELOW:
            room = max(room, int(min(self._records + may_take // self._record_bytes, MOST_NODES)))
        for records in (room, self._records + more):
            try:
                words = np.zeros(records * self.layout.words, np.int64)
            except MemoryError:
                continue
            words[: len(self._words)] = self._words
            self._take(words)
            return True
        return False

    def _grow_table(self, may_take: float) -> bool:
        """A table twice as large, still empty; the old one is freed first."""
        slots = len(self.table)
        if self.table.nbytes > may_take:
            return False
        self.table = np.zeros(1, ENTRY)
        self.table_is_empty = True
        try:
            self.table = np.zeros(2 * slots, ENTRY)
        except MemoryError:
            self.table = np.zeros(slots, ENTRY)
            return False
        return True

    def words_of(self, nodes: int) -> Any:
        """The records of the first nodes, as stored."""
        return self._words[: nodes * self.layout.words]

    def put_root(self, state_words: Sequence[int]) -> None:
        """Make the first record."""
        self._words[: self.layout.words] = self.layout.root(state_words)

    def fill(self, words: Any) -> None:
        """Replace the records, and the table with a new, empty one."""
        records = len(words) // self.layout.words
        self._take(np.zeros(max(len(words), len(self._words)), np.int64))
        self._words[: len(words)] = words
        self._records = len(self._words) // self.layout.words
        if not self._ranks:
            slots = max(len(self.table), _power_of_two(int(records / FULL_SHARE) + 1))
            self.table = np.zeros(slots, ENTRY)
        else:
            self.table[:] = 0
        self.table_is_empty = True

    def path_to(self, place: int) -> list[int]:
        """The indices of the nodes from the root to a node."""
        parent, width = self.layout.places["parent"], self.layout.words
        word_of, shift, mask = self._words[parent.word :].item, parent.shift, parent.mask
        places = [place]
        while before := word_of(place * width) >> shift & mask:
            place = before - 1
            places.append(place)
        places.reverse()
        return places

    def values(self, name: str, places: list[int]) -> list[Any]:
        """A field of some records."""
        records = self._words.reshape(-1, self.layout.words)[places]
        values: list[Any] = self.layout.column(records.ravel(), name).tolist()
        return values

    def value(self, name: str, place: int) -> Any:
        """A field of one record."""
        return self.layout.value(self._words, name, place)


def _power_of_two(least: int) -> int:
    return 1 << (least - 1).bit_length()
