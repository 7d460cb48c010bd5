"""The driver of anytime beam search with several threads."""

from __future__ import annotations

from functools import partial
from time import sleep
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.compiler.guards import has_notes
from bestfirst.compiled.compiler.machine_code import Kept
from bestfirst.compiled.compiler.may_compile import is_interpreted
from bestfirst.compiled.compiler.specialise import specialise
from bestfirst.compiled.drivers.anytime_beam import AnytimeBeam, parts_of
from bestfirst.compiled.kernels.anytime_beam import OPEN
from bestfirst.compiled.kernels.beam_phases import (
    BEGIN,
    LOWEST,
    PART_FIELDS,
    PART_TOTALS,
    SHARE_FIELDS,
    STRIDE,
    row_of_counts,
)
from bestfirst.compiled.kernels.parallel_anytime_beam import (
    AWAY,
    CLAIMS,
    GOING,
    LEAST_PART,
    LIMIT,
    NOBODY,
    ODD,
    PART,
    PARTS,
    WIDE,
    shared_beam,
)
from bestfirst.compiled.kernels.slices import FULL, STOPPED
from bestfirst.compiled.store.growth import record_type
from bestfirst.compiled.store.levels import DIGIT, TAKEN
from bestfirst.compiled.store.shared_sort import PART_KEYS
from bestfirst.compiled.store.state_table import NONE
from bestfirst.domain import Domain
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.search.anytime_beam import FIRST_WIDTH
from bestfirst.search.incumbent import UpperBound
from bestfirst.system.threads import side_by_side

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Template

PARTS_PER_THREAD = 2
"""The parts of a phase differ in size; with more of them, threads wait less for each other, but boxes are smaller."""
BOXED = 1 << 12
"""The number of children of a part for which there is room, if they belong to all parts of the table alike."""
ALONE = 1 << 10
"""The number of expansions of one thread before it looks whether the level has become wide."""
AFTER_ODD = 8
"""The same after a node that is for one thread."""
SECONDS_AWAY = 0.00005, 0.001
"""How long a thread that has nothing to do sleeps: the first time, and the longest time."""


class ParallelAnytimeBeam(AnytimeBeam):
    """Anytime beam search on a domain with several threads, in slices: node for node the search of one thread."""

    def __init__(
        self,
        domain: Domain,
        heuristic: Heuristic | None,
        *,
        threads: int,
        width: int = FIRST_WIDTH,
        incumbent: Any = None,
        upper_bound: float | UpperBound | None = None,
    ) -> None:
        self._threads = threads
        self._is_ready = False
        super().__init__(domain, heuristic, width=width, incumbent=incumbent, upper_bound=upper_bound)

    def _make_arrays(self) -> None:
        super()._make_arrays()
        parts: tuple[Template, ...] = *parts_of(self._domain, has_windows=False), *PARTS
        self._sharing = specialise(shared_beam, self._domain, self._estimate, parts=parts, by_group=True, HAS_WINDOWS=False)
        self._datas = [self._sharing.with_own_notes() for _ in range(self._threads)]
        self._held = [np.full(STRIDE, NOBODY, np.int64) for _ in range(self._threads)]
        for number, held in enumerate(self._held):
            held[1] = PARTS_PER_THREAD * number
        self._make_parts(PARTS_PER_THREAD * self._threads, self._domain.max_actions)

    def _make_parts(self, parts: int, actions: int) -> None:
        """Make what belongs to the parts of a phase. actions: the maximum number of children of a node."""
        box = BOXED // parts + 2 * actions
        boxed = parts * box
        self._zone_size = parts * (boxed + actions)
        self._shares = np.zeros(1, record_type(*((name, np.int64) for name in SHARE_FIELDS)))
        share = self._shares[0]
        share.parts, share.box, share.most = parts, box, PART
        totals, keys = dict.fromkeys(PART_TOTALS, self._totals.dtype), dict.fromkeys(PART_KEYS, np.uint64)
        apart = {f"apart{number}": np.int64 for number in range(STRIDE)}  # from the fields of the next part, in the cache
        self._parts = np.zeros(parts, record_type(*(dict.fromkeys(PART_FIELDS, np.int64) | totals | keys | apart).items()))
        self._parts["number"] = range(parts)
        self._parts["place"], self._parts["high"], self._parts["lowest"] = NONE, LOWEST, self._totals.beyond
        self._mine = Kept(
            np.zeros((parts, size), kind)
            for size, kind in (
                (actions, self._cost_type),
                (actions, np.int64),
                (boxed, np.int64),
                (boxed, self._cost_type),
                (PART, np.int64),
            )
        )
        rows, counted = parts * boxed, parts * row_of_counts(parts)
        self._boxes = Kept(np.zeros(size, np.int64) for size in (counted, rows, rows, rows, counted))
        self._counts: Array = np.zeros(parts << DIGIT, np.int64)
        self._meeting: Array = np.zeros(CLAIMS + STRIDE * parts, np.int64)

    def _get_ready(self) -> None:
        """Compile what the threads run, before the first wide beam."""
        if not self._is_ready and self._width >= WIDE // 2 and not is_interpreted():  # there, additions are not atomic
            self._sharing.prepare(*self._arguments(0)[1:])
            self._is_ready = True

    def _call(self, budget: int) -> int:
        search = self._search
        until = int(search.expanded) + budget
        if self._is_ready and search.table_is_new:
            how = super()._call(0)  # which fills it
            if how != STOPPED:
                return how
        while self._is_ready and until - search.expanded >= WIDE:
            alone = ALONE
            if self._is_wide:
                how = self._share(until)
                if how == FULL:
                    return FULL
                if how == ODD:
                    alone = AFTER_ODD
            how = super()._call(min(alone, until - int(search.expanded)))
            if how != STOPPED:
                return how
        return super()._call(until - int(search.expanded))

    @property
    def _is_wide(self) -> bool:
        """Whether the level is worth sharing, or the next one."""
        search, (taken, level, size) = self._search, self._levels.arrays[2]
        return bool(search.proved < search.best and search.width >= WIDE and max(level - taken, size - level) >= WIDE)

    def _share(self, until: int) -> int:
        """Run all threads until there is something for one thread; return what."""
        search, share = self._search, self._shares[0]
        if search.is_pending:
            self._put_back()
        taken, level, size = self._levels.arrays[2]
        share.zone = self._size - self._zone_size
        if search.nodes >= share.zone:
            return FULL
        share.level = self._levels.arrays[0]["place"][level] if size > level else search.nodes
        share.phase, share.how, share.odd, share.end, share.until = BEGIN, GOING, 0, taken, until
        share.most = max(LEAST_PART, share.most)
        self._parts["nodes"] = self._size - self._domain.max_actions * (1 + self._parts["number"])
        self._meeting[:] = 0
        self._meeting[LIMIT] = share.parts
        return side_by_side([partial(self._run, number) for number in range(self._threads)])[0]

    def _put_back(self) -> None:
        """Put the node that was to be expanded back on its level."""
        search, (entries, _counts, ends) = self._search, self._levels.arrays
        assert entries["place"][ends[TAKEN] - 1] == search.place
        ends[TAKEN] -= 1
        search.is_pending = 0
        search.room += 1
        search.open += 1
        self._marks[search.place] = OPEN

    def _arguments(self, number: int) -> tuple[object, ...]:
        """The arguments of the kernel for a thread."""
        of_nodes = self._nodes.arrays, self._table, self._marks, self._rivals, self._levels.arrays
        others = self._boxes, self._counts, self._window, self._edge, self._meeting
        records = self._searches, self._shares, self._parts, self._held[number]
        return self._datas[number], *records, *of_nodes, self._mine, *others

    def _run(self, number: int) -> int:
        """Run one thread, until all of them end."""
        arguments = self._arguments(number)
        pause, limit = SECONDS_AWAY[0], 0
        while True:
            how = AWAY
            try:
                how = int(self._sharing.code(*arguments))
            except Exception:  # of a method: one thread will meet with it, too, unless it ends before
                self._forget_error(number)
                continue
            if how != AWAY or self.is_stuck:
                return how
            sleep(pause)
            before, limit = limit, int(self._meeting[LIMIT])
            pause = min(2 * pause, SECONDS_AWAY[1]) if before == limit else SECONDS_AWAY[0]

    def _forget_error(self, number: int) -> None:
        notes = self._datas[number][0]
        has_notes(notes)  # waits until they are written
        notes[:] = 0
        self._parts[self._held[number][0]].failed = 1
