"""Breadth-first enumeration of all states reachable from a start, compiled.

Ranked domains (RankedLevels) take 2 bits for each rank, 32 ranks in a word: 0 not met, 1 in this level, 2 in the next level,
3 done. A level is one pass over the words, which skips those without a 1.
Source: Cooperman & Finkelstein 1992 (two bits for each state); Korf 2008.

In other domains (RecordedLevels), the array of records is the queue, and a table finds the states in it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.specialise import no_estimate, specialise
from bestfirst.compiled.compiler.state_fields import state_of_words, state_words, words_of_state
from bestfirst.compiled.drivers.driver import CompiledDriver
from bestfirst.compiled.drivers.faults import check_start, check_state, disagreement
from bestfirst.compiled.kernels.enumeration import (
    BATCH,
    COLLECT,
    FAULTY,
    FIELDS_OF_SEARCH,
    FULL,
    LEVEL_DONE,
    NEXT_LEVEL,
    PER_WORD,
    REFILL,
    START,
    ranked_slice,
    recorded_slice,
)
from bestfirst.compiled.store import table
from bestfirst.compiled.store.growth import record_type
from bestfirst.compiled.store.node_store import NodeStore
from bestfirst.compiled.store.records import layout_of
from bestfirst.compiled.store.table import is_ranked
from bestfirst.domain import Domain
from bestfirst.enumerated import ANTIPODES, Enumeration
from bestfirst.errors import InputError
from bestfirst.problem import Problem
from bestfirst.search.node import Node, expand
from bestfirst.solution import Limits
from bestfirst.system.memory import available_bytes

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import State


class Levels(CompiledDriver):
    """The enumeration in progress, in slices."""

    def __init__(self, domain: Domain) -> None:
        super().__init__()
        self._domain = self.domain = domain
        check_start(domain)
        self._searches = np.zeros(1, record_type(*((name, np.int64) for name in FIELDS_OF_SEARCH)))
        self._search = self._searches[0]
        self._levels = [1]
        self._met_next = 0

    @property
    def levels(self) -> list[int]:
        """The number of states found so far in each level."""
        return self._levels + [self._met_next] * (self._met_next > 0)

    @abstractmethod
    def antipodes(self) -> list[State]:
        """States of the last expanded level, at most ANTIPODES of them."""

    @property
    @abstractmethod
    def bytes(self) -> int:
        """The bytes that the states take in memory."""

    disk: int | None = None
    """The most bytes that files may take; None without files."""

    def close(self) -> None:
        """Let go of what is kept outside of memory."""

    def _take_counts(self, met_next: int) -> None:
        self.stats.expanded = int(self._search.expanded)
        self.stats.generated = 1 + int(self._search.generated)
        self._met_next = met_next

    def _end_level(self) -> None:
        """Advance to the next level, if it has states."""
        if self._met_next == 0:
            self.bound, self.ended = inf, True
            return
        self._levels.append(self._met_next)
        self._met_next = 0
        self._begin_level()

    @abstractmethod
    def _begin_level(self) -> None: ...


def raise_fault(domain: Domain, state: State) -> None:
    """Raise the error for a state whose children are faulty."""
    for child in expand(domain, Node(state, None, None, 0, 0)):
        check_state(domain, child.state)
    raise disagreement(state)


class RankedLevels(Levels):
    """An enumeration that keeps 2 bits for each rank of the domain."""

    def __init__(self, domain: Domain) -> None:
        super().__init__(domain)
        self._compiled = specialise(ranked_slice, domain, no_estimate, optional=("rank", "unrank"))
        self._codes = np.zeros(-(-domain.size // PER_WORD), np.uint64)
        self._numbers = np.zeros(max(ANTIPODES, PER_WORD * domain.max_actions), np.int64)
        self._search.states = domain.size
        first = domain.rank(domain.initial)
        self._codes[first // PER_WORD] = 1 << 2 * (first % PER_WORD)
        self._advance(0)  # compiles, before the clock starts

    def _call(self, budget: int) -> int:
        return int(self._compiled.run(self._compiled.data, self._codes, self._numbers, self._searches, budget))

    def _advance(self, budget: int) -> None:
        how = self._call(budget)
        self._take_counts(int(self._search.found))
        if how == FAULTY:
            raise_fault(self._domain, self._domain.unrank(int(self._search.culprit)))
        elif how == LEVEL_DONE:
            self._end_level()

    def _begin_level(self) -> None:
        self._call(NEXT_LEVEL)
        self._search.at = self._search.found = 0

    def antipodes(self) -> list[State]:
        count = self._call(COLLECT)
        return [self._domain.unrank(int(number)) for number in self._numbers[: min(count, ANTIPODES)]]

    @property
    def bytes(self) -> int:
        return int(self._codes.nbytes)


class RecordedLevels(Levels):
    """An enumeration that keeps a record of each state, and a table that finds the records."""

    def __init__(self, domain: Domain) -> None:
        super().__init__(domain)
        optional = ("rank",) if is_ranked(domain) else ()
        layout = layout_of(domain, {}, cost_bits=None)
        self._compiled = specialise(
            recorded_slice,
            domain,
            no_estimate,
            optional=optional,
            parts=table.PARTS,
            layout=layout,
            RANKED=bool(optional),
        )
        children = BATCH * max(1, domain.max_actions)
        self._store = NodeStore(layout, domain.size if optional else 0, children)
        self._rows = tuple(np.zeros(children, np.int64) for _ in state_words(domain))
        self._keys = np.zeros(children, np.int64)
        for row, word in zip(self._rows, words_of_state(domain, domain.initial), strict=True):
            row[0] = word
        self._search.states = self._search.level_end = 1
        self._level_start = 0
        self._call(START)

    def _call(self, budget: int) -> int:
        self._search.capacity = self._store.capacity
        how = self._compiled.run(
            self._compiled.data,
            self._store.nodes,
            self._store.table,
            self._rows,
            self._keys,
            self._searches,
            budget,
        )
        return int(how)

    def _advance(self, budget: int) -> None:
        how = self._call(budget)
        self._take_counts(int(self._search.states - self._search.level_end))
        if how == FAULTY:
            raise_fault(self._domain, self._state(int(self._search.culprit)))
        elif how == FULL:
            self._grow()
        elif how == LEVEL_DONE:
            self._end_level()

    def _begin_level(self) -> None:
        self._level_start = int(self._search.level_end)
        self._search.level_end = self._search.states

    def _grow(self) -> None:
        limit = self._limits.memory
        left = inf if not isinstance(limit, int) else limit - self.bytes
        if not self._store.grow(min(left, available_bytes())):
            self.stopped = "memory"
        if self._store.table_is_empty:
            self._call(REFILL)
            self._store.table_is_empty = False

    def _state(self, place: int) -> State:
        words = (self._store.value(f"state.{word.name}", place) for word in state_words(self._domain))
        return state_of_words(self._domain, [*words])

    def antipodes(self) -> list[State]:
        end = min(int(self._search.level_end), self._level_start + ANTIPODES)
        return [self._state(place) for place in range(self._level_start, end)]

    @property
    def bytes(self) -> int:
        return self._store.bytes


def levels_of(domain: Domain, limits: Limits) -> Levels:
    """The enumeration of a domain's states, compiled. Raises InputError if it takes more memory than the limit."""
    by_rank = domain.defines("rank") and domain.defines("unrank") and domain.size > 0
    if by_rank and isinstance(limits.memory, int) and domain.size // 4 > limits.memory:
        raise InputError(
            f"2 bits for each of {domain.size:,} ranks take {domain.size // 4:,} bytes, more than the limit on memory; raise "
            "the limit, or pass a directory for files"
        )
    return RankedLevels(domain) if by_rank else RecordedLevels(domain)


def enumerate_compiled(
    problem: Problem, levels: Levels, limits: Limits, progress: Callable[[Enumeration], None] | None
) -> Enumeration:
    """Enumerate the states of a domain, returned as states of the original problem."""
    found = Enumeration(problem, "compiled", bytes=levels.bytes)

    def report() -> None:
        found.levels, found.seconds = levels.levels, levels.stats.seconds
        found.bytes, found.disk = levels.bytes, levels.disk
        if progress is not None and levels.stopped != "interrupted":
            try:
                progress(found)
            except KeyboardInterrupt:
                levels.stopped = "interrupted"

    try:
        levels.run(limits, report)
    finally:
        levels.close()
    report()
    found.complete, found.limit = levels.ended, levels.stopped
    found.antipodes = [levels.domain.decode(state) for state in levels.antipodes()]
    return found
