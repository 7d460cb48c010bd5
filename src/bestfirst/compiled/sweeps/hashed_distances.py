"""The exact distance of every state of a domain without a rank: the states in a hash table, with one byte each.

As in distances.py it goes level by level: the table is scanned for the states at distance d, and their successors, which are
their predecessors, get d + cost, if they had more, or were missing. The table (hashed_table.py) is doubled when it
fills up; then the level is restarted.
Source: Dial 1969.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.specialise import no_estimate, specialise
from bestfirst.compiled.compiler.state_fields import state_of_words, words_of_state
from bestfirst.compiled.drivers.faults import check_state
from bestfirst.compiled.kernels.distances import DONE, FAULTY, UNKNOWN, is_step
from bestfirst.compiled.kernels.hashed_distances import entered, relaxed_slots, slot_of
from bestfirst.compiled.sweeps.distances import CHUNK, Levels, Look, new_scans
from bestfirst.domain import Domain
from bestfirst.errors import InputError, ProblemError
from bestfirst.patterns.building.work_files import GrowingTable
from bestfirst.patterns.storage.hashed_table import HashedTable, may_hold

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, State


class HashedDistances(Levels):
    """Distances in a hash table of the states met so far.

    working: a growable table, empty or from an interrupted build.
    """

    def __init__(self, domain: Domain, working: GrowingTable, *, levels: list[int] | None = None) -> None:
        self._working = working
        self._hashed = HashedTable(np.asarray(working.content), working.fields)
        super().__init__(domain, self._hashed.distances, levels)
        self._relaxed = specialise(relaxed_slots, domain, no_estimate, parts=(slot_of, is_step))
        self._entered = specialise(entered, domain, no_estimate, parts=(slot_of,))
        self._size = int(np.count_nonzero(self.table != UNKNOWN))
        if not self.levels:
            self._put_goals()

    def _put_goals(self) -> None:
        goals = sorted(goals_of(self._domain))
        while may_hold(len(self.table)) < len(goals):
            self._grow()
        words = [words_of_state(self._domain, goal) for goal in goals]
        rows = tuple(np.array(column, np.int64) for column in zip(*words, strict=True))
        self._enter(rows, np.zeros(len(goals), np.uint8), self._hashed)
        self._size = int(np.count_nonzero(self.table != UNKNOWN))

    def _enter(self, rows: Array, distances: Array, table: HashedTable) -> None:
        self._entered.run(self._entered.data, rows, distances, table.rows, table.distances)

    def _look_through(self, level: int) -> Generator[float, None, Look]:
        while True:
            scans = new_scans()
            scan = scans[0]
            scan.level, scan.states, scan.capacity = level, self._size, may_hold(len(self.table))
            how, start = DONE, 0
            while start < len(self.table) and how == DONE:
                how = self._relaxed.run(self._relaxed.data, self._hashed.rows, self.table, scans, start, start + CHUNK)
                start += CHUNK
                yield min(1.0, start / len(self.table))
            self._size = int(scan.states)
            if how == FAULTY:
                self._complain(self._state(int(scan.culprit)))
            if how == DONE:
                far = self._state(int(scan.culprit)) if scan.far else None
                return Look(int(scan.found), int(scan.given), int(scan.again), far, int(scan.longest))
            self._grow()

    def _digest(self) -> str:
        """The sum of the hashes of the states with their distances: it does not depend on their slots."""
        total = 0
        for start in range(0, len(self.table), CHUNK):
            distances = self.table[start : start + CHUNK]
            settled = np.flatnonzero(distances < len(self.levels))
            hashes = distances[settled].astype(np.uint64)
            for row in self._hashed.rows:
                hashes = _mixed(hashes) ^ row[start : start + CHUNK][settled].view(np.uint64)
            total += int(_mixed(hashes).sum())
        return f"{total % 2**64:016x}"

    def _forget(self) -> None:
        """Also enter the other states anew: an empty slot must not come between a state and the slot of its hash."""
        super()._forget()
        self._move_to(self._working.another())
        self._size = int(np.count_nonzero(self.table != UNKNOWN))

    def _grow(self) -> None:
        self._move_to(self._working.larger())

    def _move_to(self, content: Array) -> None:
        """Replace the table with an empty one, after entering its states there."""
        table = HashedTable(np.asarray(content), self._working.fields)
        self._enter(self._hashed.rows, self.table, table)
        self._working.replace(content)
        self._hashed, self.table = table, table.distances

    def _state(self, slot: int) -> State:
        return state_of_words(self._domain, [row[slot] for row in self._hashed.rows])

    def put_in_order(self, table: HashedTable) -> None:
        """Enter all states into an empty table in ascending order, so that its bytes do not depend on the course of the
        build."""
        known = self.table != UNKNOWN
        rows, distances = [row[known] for row in self._hashed.rows], self.table[known]
        order = np.lexsort(rows[::-1])
        for field, row in enumerate(rows):
            rows[field] = row[order]  # one at a time, so that only one exists twice
        self._enter(tuple(rows), distances[order], table)


def _mixed(words: Array) -> Array:
    """Each word changed so that any of its bits changes about half of the bits of the result.

    Source: Steele, Lea & Flood 2014 (SplitMix64).
    """
    words = words + np.uint64(0x9E37_79B9_7F4A_7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58_476D_1CE4_E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D0_49BB_1331_11EB)
    return words ^ (words >> np.uint64(31))


def goals_of(domain: Domain) -> list[State]:
    """The goal states of a domain. Raises InputError if they are unknown, or one is not a goal."""
    goals = domain.goal_states()
    if not goals:
        raise InputError(f"the goals of {domain.name()} cannot be listed; define goal_states(), or rank() and unrank()")
    for goal in goals:
        check_state(domain, goal)
        if not domain.is_goal(goal):
            raise ProblemError(
                f"{type(domain).__name__}.goal_states() contains {goal!r}, for which is_goal returns False; "
                "correct one of the two"
            )
    return list(goals)
