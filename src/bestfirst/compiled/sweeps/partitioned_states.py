"""The states of a space in partitions on disk: expanding those of a level, and marking their children, one partition at a time.

As in RankedLevels, a state has 2 bits, but the ranks are divided into partitions (partitions.py). The children of a level go
to the buffers of their partitions. When they are carried out, their partition is loaded, and its new states get the mark of the
next level. Both can be repeated with the same result. The file of a partition says of which level its marks are; they are
advanced when it is loaded for a later one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.specialise import no_estimate, specialise
from bestfirst.compiled.kernels.disk_enumeration import (
    CHECKSUM,
    FAULTY,
    FIELDS_OF_SEARCH,
    MARK,
    PARTITION_DONE,
    TURN,
    checksum,
    partition_slice,
)
from bestfirst.compiled.kernels.enumeration import PER_WORD
from bestfirst.compiled.store.growth import record_type
from bestfirst.compiled.sweeps.enumeration import raise_fault
from bestfirst.compiled.sweeps.partitions import Layout, Partitions, Updates, Workplace
from bestfirst.domain import Domain
from bestfirst.enumerated import ANTIPODES

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array

OPTIONAL = ("rank", "unrank")
MOST_BITS = 32
"""An update has 32 bits for the rank in its partition."""


def layout_within(domain: Domain, memory: int, bits: int | None, workers: int | None = None) -> Layout:
    """The layout of the states of a domain. bits, workers: see Layout. Raises InputError if the memory is too little."""
    return Layout.within(
        f"the enumeration of {domain.size:,} ranks on disk",
        domain.size,
        2,
        memory,
        least_room=2 * PER_WORD * domain.max_actions,
        most_bits=MOST_BITS,
        bits=bits,
        workers=workers,
    )


class PartitionedStates:
    """The kernel and its arrays, which hold nothing before use().

    search: its record; `kept` counts the farthest states. farthest: their ranks.
    """

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self._searches = np.zeros(1, record_type(*((name, np.int64) for name in FIELDS_OF_SEARCH)))
        self.search = self._searches[0]
        self.farthest = np.zeros(ANTIPODES, np.int64)
        self.compiled = specialise(partition_slice, domain, no_estimate, optional=OPTIONAL, parts=(checksum,))
        self._codes, self._buffers, self._filled = np.zeros(1, np.uint64), np.zeros(1, np.uint32), np.zeros(1, np.int64)
        self._call(CHECKSUM)  # compiles, before the clock starts

    def use(self, place: Workplace, layout: Layout, run: str) -> None:
        """Work on the partitions in a directory. run: the name of the work."""
        self._place, self._layout = place, layout
        self._codes = np.zeros(layout.partition_bytes // 8, np.uint64)
        self.updates = Updates(place, layout)
        self._buffers, self._filled = self.updates.buffers, self.updates.filled
        self.search.states, self.search.shift, self.search.room = self._domain.size, layout.bits, layout.room
        self.partitions = Partitions(place, layout, run, self._codes, 0, partial(self._call, CHECKSUM))
        self._loaded: int | None = None

    def _call(self, budget: int, updates: Array | None = None) -> int:
        return int(
            self.compiled.run(
                self.compiled.data,
                self._codes,
                self._buffers if updates is None else updates,
                self._filled,
                self.farthest,
                self._searches,
                budget,
            )
        )

    def forget(self) -> None:
        """Load each partition again: other processes may have changed it."""
        self._loaded = None

    def put_start(self) -> None:
        """Begin with the initial state alone."""
        number, place = self._layout.where(self._domain.rank(self._domain.initial))
        self._codes[:] = 0
        self._codes[place // PER_WORD] = 1 << 2 * (place % PER_WORD)
        self.partitions.save(number, level=0, current=1, next=0)

    def counts(self, number: int, level: int) -> tuple[int, int]:
        """The number of states of a level in a partition, and of the next level, as far as its file knows."""
        facts = self.partitions.facts.get(number)
        if facts is None or facts["level"] < level - 1:
            return 0, 0
        return (facts["next"], 0) if facts["level"] == level - 1 else (facts["current"], facts["next"])

    def _load(self, number: int, level: int) -> None:
        """Load a partition, with the marks of a level."""
        self.partitions.load(number)
        facts = self.partitions.facts.get(number)
        for _ in range(0 if facts is None else min(2, level - facts["level"])):  # after two, all are done
            self._call(TURN)

    def expand(self, number: int, level: int, budget: int) -> bool:
        """Expand states of a level in a partition, where search.at says, for about so many expansions; return whether it is done.

        Raises ProblemError for a state whose children are faulty.
        """
        if self._loaded != number:
            self._load(number, level)
            self._loaded, self.search.first = number, number << self._layout.bits
        how = self._call(budget)
        if how == FAULTY:
            raise_fault(self._domain, self._domain.unrank(int(self.search.culprit)))
        if how == PARTITION_DONE:
            self._loaded, self.search.at = None, 0
        self.updates.write_full(PER_WORD * self._domain.max_actions)
        return how == PARTITION_DONE

    def mark(self, number: int, level: int, updates: Iterable[tuple[Array, int]]) -> None:
        """Give the mark of the next level to new states of a partition. updates: arrays, each with the number that it holds."""
        self._loaded = None
        self._load(number, level)
        current, following = self.counts(number, level)
        self.search.marked = 0
        for array, count in updates:
            self.search.count = count
            if self._call(MARK, array) == FAULTY:
                raise self._place.damaged(f"the updates of partition {number} were changed")
        if self.search.marked:
            self.partitions.save(number, level=level, current=current, next=following + int(self.search.marked))
