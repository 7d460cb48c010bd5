"""The node records of a search and the table that finds their states; both grow as they fill."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.machine_code import Kept
from bestfirst.compiled.store.records import Layout
from bestfirst.compiled.store.table import ENTRY
from bestfirst.recycled import Recycled

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Number

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

    def __init__(self, layout: Layout, ranks: int, max_actions: int, recycled: Recycled | None = None) -> None:
        """recycled: arrays of an earlier search."""
        self.layout = layout
        self._ranks = ranks
        records = FIRST_NODES + 2 * max_actions
        slots = ranks or _power_of_two(2 * records)
        words = None if recycled is None else recycled.words(records * layout.words)
        table = None if recycled is None else recycled.table(slots, is_exact=ranks > 0)
        if words is None:
            words = np.zeros(records * layout.words, np.int64)
        self._take(words[: len(words) // layout.words * layout.words])  # those of an earlier search may have other records
        self._records = min(len(self._words) // layout.words, MOST_NODES)
        self.table = np.zeros(slots, ENTRY) if table is None else table
        self.table_is_empty = False

    def _take(self, words: Array) -> None:
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

    def give_back(self, recycled: Recycled, nodes: int) -> None:
        """Leave the arrays, with so many nodes in the table, to the next search."""
        recycled.give(self._words[: self._records * self.layout.words], self.table, nodes)  # without what is only reserved

    def words_of(self, nodes: int) -> Array:
        """The records of the first nodes, as stored."""
        return self._words[: nodes * self.layout.words]

    def put_root(self, state_words: Sequence[int]) -> None:
        """Make the first record."""
        self._words[: self.layout.words] = self.layout.root(state_words)

    def fill(self, words: Array) -> None:
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
        field, width = self.layout.places["parent"], self.layout.words
        word, shift, mask = self._words[field.word :].item, field.shift, field.mask
        places = [place]
        while before := word(place * width) >> shift & mask:
            place = before - 1
            places.append(place)
        places.reverse()
        return places

    def columns(self, names: Sequence[str], places: list[int]) -> list[list[Number]]:
        """Some fields of some records: a list for each field."""
        width = self.layout.words
        records = self._words.reshape(-1, width)[places].ravel()
        return [self.layout.column(records, name).tolist() for name in names]

    def reader(self, name: str) -> Callable[[int], int]:
        """A fast function from the index of a node to a field of its record, of fewer than 64 bits."""
        place, width = self.layout.places[name], self.layout.words
        word_of, shift, mask = self._words[place.word :].item, place.shift, place.mask
        return lambda node: word_of(node * width) >> shift & mask

    def value(self, name: str, place: int) -> Number:
        """A field of one record."""
        return self.layout.value(self._words, name, place)


def _power_of_two(least: int) -> int:
    return 1 << (least - 1).bit_length()
