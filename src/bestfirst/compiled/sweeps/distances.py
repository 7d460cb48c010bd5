"""The exact distance of every state of a domain to the nearest goal, one byte each, by rank, for pattern databases.

Level by level: the table is scanned for the states at distance d, and their predecessors get d + cost, if they had more.
In an undirected domain predecessors are successors (relaxed_backward; relaxed_blocks, if the domain defines the effect
of an action on whole blocks of states, which takes less than half the time). Otherwise each state without a distance
looks for a successor that gives it one (relaxed_forward), which scans all of them for every level.

States of a level may lead to others at no cost; then the level is repeated until nothing changes.
Source: Dial 1969; Culberson & Schaeffer 1998.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.compiler.specialise import no_estimate, specialise
from bestfirst.compiled.drivers.faults import check_start, check_state, disagreement
from bestfirst.compiled.kernels.distances import (
    DONE,
    FARTHEST,
    FIELDS_OF_SCAN,
    SPAN,
    UNKNOWN,
    entries_slice,
    goals_slice,
    is_step,
    relaxed_backward,
    relaxed_blocks,
    relaxed_forward,
)
from bestfirst.compiled.store.aliases import Scans
from bestfirst.compiled.store.growth import record_type
from bestfirst.domain import Domain
from bestfirst.errors import InputError, ProblemError
from bestfirst.patterns.abstract_domain import as_abstract
from bestfirst.patterns.building.methods import has_blocks
from bestfirst.system.threads import side_by_side

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, State, Template

CHUNK = 1 << 20
"""Bytes of the table per slice: a multiple of 8."""
PADDING = 8
SECONDS_BETWEEN_LOOKS = 0.1
"""Seconds after which a thread lets its caller report progress."""
TRIAL, TRIAL_STEP = 1 << 13, 7919
"""A trial processes this many ranks at a time, and then skips this many such pieces."""


@dataclass
class Look:
    """The result of a scan; its fields are those of the record of a scan. far: a state that is too far."""

    found: int = 0
    given: int = 0
    again: int = 0
    far: State | None = None
    longest: int = 0


def new_scans() -> Scans:
    """The record of a scan, as an array of one."""
    return np.zeros(1, record_type(*((name, np.int64) for name in FIELDS_OF_SCAN)))


class Sweep(ABC):
    """What computes a table of distances.

    table: one byte for each index. levels: the number of states of each finished level. complete: whether all levels are finished.
    """

    def __init__(self, domain: Domain, table: Array, levels: list[int] | None) -> None:
        check_start(domain)
        self._domain = domain
        self.table = table
        self.levels = list(levels or [])
        self.complete = False

    @abstractmethod
    def next_level(self) -> Iterator[float]:
        """Process a level, or all, yielding the fraction done from time to time; complete tells whether it was the last one."""

    def traits(self) -> dict[str, Any]:
        """What a note of the finished levels says besides: resume() needs it."""
        return {}

    def resume(self, traits: dict[str, Any], *, complete: bool) -> bool:
        """Continue an interrupted build, whose levels were given; False if the table is not what was noted."""
        raise NotImplementedError

    def _refuse(self, state: State) -> None:
        raise InputError(
            f"{self._domain.name()} has states farther than {FARTHEST} from the goal, such as one near {state!r}, but "
            "a table stores each distance in one byte; use a smaller pattern, or divide all costs by a common divisor"
        )


class Levels(Sweep):
    """Working tables of distances, level by level.

    A resumed build begins with the levels that were finished before. Their distances are final, so that a digest shows damage to
    them. Larger distances change from then on: they are forgotten, and the levels that lead to them are repeated.
    """

    def __init__(self, domain: Domain, table: Array, levels: list[int] | None) -> None:
        super().__init__(domain, table, levels)
        self._longest = 1  # the largest cost of an action, as far as it matters
        self._may_be_far = bool(self.levels)  # a state of levels finished earlier may lead too far
        self._may_be_beyond = True  # later levels may have states, though this one leads to none

    def next_level(self) -> Iterator[float]:
        look = Look(again=1)
        while look.again:
            look = yield from self._look_through(len(self.levels))
        self.levels.append(look.found)
        self._longest = max(self._longest, look.longest)
        self._may_be_far |= look.far is not None
        if look.far is not None and self._domain.unit_cost:
            self._refuse(look.far)
        is_last = not self._may_be_beyond or not self._is_any_beyond(len(self.levels))
        complete = not look.given and is_last
        if complete and self._may_be_far and not self._domain.unit_cost:
            yield from self._check_far()
        self.complete = complete

    def traits(self) -> dict[str, Any]:
        return {"digest": self._digest(), "longest": self._longest}

    def resume(self, traits: dict[str, Any], *, complete: bool) -> bool:
        if self._digest() != traits["digest"]:
            return False
        self._longest, self.complete = traits["longest"], complete
        self._forget()
        if not complete:
            del self.levels[max(0, len(self.levels) - self._longest) :]
        return True

    def _digest(self) -> str:
        """The digest of the states of the finished levels, with their distances."""
        raise NotImplementedError

    def _forget(self) -> None:
        """Make the distances of all other states unknown."""
        for piece in pieces_of(self.table):
            piece[piece >= len(self.levels)] = UNKNOWN

    def _is_any_beyond(self, level: int) -> bool:
        """Whether any state has at least this distance, as far as known."""
        return bool(histogram(self.table)[level:UNKNOWN].any())

    def _check_far(self) -> Iterator[float]:
        """Refuse a table in which states lack a distance because they are too far, not unreachable: by now all cheaper paths
        are known."""
        for level in range(len(self.levels)):
            look = yield from self._look_through(level)
            if look.far is not None:
                self._refuse(look.far)

    @abstractmethod
    def _look_through(self, level: int) -> Generator[float, None, Look]:
        """Relax from the states of a level, yielding the scanned fraction of the table from time to time."""

    def _complain(self, state: State) -> None:
        """Raise the error for a faulty state."""
        for _action, other, cost in self._domain.successors(state):
            check_state(self._domain, other)
            if not is_step(cost):
                raise ProblemError(
                    f"an action in {state!r} costs {cost!r}; a table of distances needs costs that are whole numbers >= 0"
                )
        raise disagreement(state)


class Distances(Levels):
    """Distances by rank. table: a byte for each rank, padded to a multiple of 8; all UNKNOWN, or from an interrupted
    build."""

    def __init__(self, domain: Domain, table: Array, *, threads: int = 1, levels: list[int] | None = None) -> None:
        super().__init__(domain, table, levels)
        self._words = table.view(np.uint64)
        self._forward = not domain.can_be_undone()
        self._threads = threads if domain.unit_cost and not self._forward else 1
        self._has_blocks = has_blocks(domain)
        self._may_be_beyond = levels is not None or not domain.unit_cost or self._forward
        self._longest = 0 if self._forward else 1  # forward, nothing but the level gets a distance
        self._states = self._slice(self._template(len(self.levels)))
        if not self.levels:
            self._mark_goals()

    def _template(self, level: int) -> Template:
        """The function that relaxes from the states of a level; only relaxed_backward reports each state that is too far."""
        if self._forward:
            return relaxed_forward
        return relaxed_blocks if self._has_blocks and level < FARTHEST else relaxed_backward

    def _slice(self, template: Template) -> Callable[..., int]:
        parts = () if template is goals_slice else (is_step,)
        optional = ("block_step", "turned") if template is relaxed_blocks else ("rank", "unrank")
        compiled = specialise(template, self._domain, no_estimate, optional=optional, parts=parts)
        return partial(compiled.run, compiled.data, self.table, self._words)

    def _digest(self) -> str:
        found = hashlib.sha256()
        for piece in pieces_of(self.table):
            found.update(np.where(piece < len(self.levels), piece, np.uint8(UNKNOWN)).data)
        return found.hexdigest()

    def _mark_goals(self) -> None:
        goal = self._domain.goal_state()
        if goal is not None:
            check_state(self._domain, goal)
            self.table[self._domain.rank(goal)] = 0
            return
        scans = new_scans()
        scan = scans[0]
        self._slice(goals_slice)(scans, np.zeros(0, np.int64), self._domain.size, 0, len(self.table))
        if scan.given == 0:
            raise InputError(f"no state of {self._domain.name()} is a goal, so there are no goal distances")

    def _look_through(self, level: int) -> Generator[float, None, Look]:
        if level == FARTHEST:
            self._states = self._slice(self._template(level))
        look = Look()
        left = deque(pairwise([*range(0, len(self.table), CHUNK), len(self.table)]))
        count = len(left)
        while left:
            all_scans = [self._scans(level) for _ in range(min(self._threads, len(left)))]
            side_by_side([partial(self._work_off, left, scans) for scans in all_scans])
            for (scan,) in all_scans:
                look.found += int(scan.found)
                look.given += int(scan.given)
                look.again += int(scan.again)
                look.longest = max(look.longest, int(scan.longest))
                if scan.far:
                    look.far = self._domain.unrank(int(scan.culprit))
            yield 1 - len(left) / count
        return look

    def _scans(self, level: int) -> Scans:
        scans = new_scans()
        scan = scans[0]
        scan.level, scan.block_size = level, as_abstract(self._domain).block_size
        scan.actions = self._domain.max_actions
        return scans

    def _work_off(self, left: deque[tuple[int, int]], scans: Scans) -> None:
        """Process pieces of the table that no thread has begun, for a while."""
        until = perf_counter() + SECONDS_BETWEEN_LOOKS
        with suppress(IndexError):  # another thread has taken the last piece
            while True:
                self._do(*left.popleft(), scans)
                if perf_counter() >= until:
                    break

    def _do(self, start: int, end: int, scans: Scans) -> None:
        line = np.zeros(SPAN + 1 if self._has_blocks else 0, np.int64)
        if self._states(scans, line, self._domain.size, start, end) != DONE:
            self._complain(self._domain.unrank(int(scans[0].culprit)))

    def try_out(self, start: int, end: int) -> int:
        """Relax from the states of level 0 among these ranks; returns their number."""
        scans = self._scans(0)
        self._do(start, end, scans)
        return int(scans[0].found) or end - start

    def entries(self, least: Array) -> Iterator[float]:
        """Put into an array of UNKNOWN, by entry, the minimum of the distances of its states; yields the fraction done."""
        compiled = specialise(entries_slice, self._domain, no_estimate, optional=("unrank", "entry"))
        size = self._domain.size
        for start in range(0, size, CHUNK):
            wrong = int(compiled.run(compiled.data, self.table, least, size, start, start + CHUNK))
            if wrong >= 0:
                state = self._domain.unrank(wrong)
                raise ProblemError(
                    f"entry({state!r}) is {as_abstract(self._domain).entry(state)!r}; it must be in 0 .. {len(least) - 1}"
                )
            yield min(1.0, (start + CHUNK) / size)


def expansion_rate(domain: Domain, seconds: float) -> float:
    """The number of states processed per second, estimated by a trial on states spread over the domain.

    In a table of zeros all states are of level 0, and none gets a smaller distance; so nothing is written, and the table's
    memory is not touched.
    """
    table = np.zeros(rounded_up(domain.size), np.uint8)
    table[domain.size :] = UNKNOWN  # padding, which must not be scanned
    if not domain.can_be_undone():
        table[:] = UNKNOWN  # relaxed_forward processes states without a distance
    distances = Distances(domain, table, levels=[0])
    distances.try_out(0, PADDING)  # compiles
    started, looked, number = perf_counter(), 0, 0
    pieces = max(1, len(distances.table) // TRIAL)
    while number < pieces and (number == 0 or perf_counter() - started < seconds):
        start = TRIAL * (number * TRIAL_STEP % pieces)
        looked += distances.try_out(start, min(start + TRIAL, len(distances.table)))
        number += 1
    return looked / (perf_counter() - started)


def histogram(table: Array) -> Array:
    """The number of occurrences of each byte in a table.

    NumPy converts its input to 64-bit numbers, so this works piece by piece, and on two bytes at a time, which is faster.
    """
    counts = np.zeros((256, 256), np.int64)
    even = len(table) - len(table) % 2
    for start in range(0, even, CHUNK):
        counts += np.bincount(table[start : min(start + CHUNK, even)].view(np.uint16), minlength=1 << 16).reshape(256, 256)
    return counts.sum(axis=0) + counts.sum(axis=1) + np.bincount(table[even:], minlength=256)


def pieces_of(table: Array) -> Iterator[Array]:
    """A table in pieces of a megabyte, so that what is made from them needs little memory."""
    return (table[start : start + CHUNK] for start in range(0, len(table), CHUNK))


def rounded_up(size: int) -> int:
    """The length of a table for `size` ranks: whole words."""
    return -(-size // PADDING) * PADDING
