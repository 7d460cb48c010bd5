"""The driver of A* and uniform-cost search with several threads."""

from __future__ import annotations

from functools import partial
from itertools import chain, repeat
from math import inf
from time import sleep
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from bestfirst.compiled.compiler.machine_code import Kept
from bestfirst.compiled.compiler.may_compile import is_interpreted
from bestfirst.compiled.compiler.specialise import Numbers as KindsOfNumbers
from bestfirst.compiled.compiler.specialise import methods_of, no_estimate, numbers_in, specialise
from bestfirst.compiled.compiler.state_fields import state_maker, state_words, words_of_state
from bestfirst.compiled.compiler.translate import translate
from bestfirst.compiled.drivers.agenda import Agenda
from bestfirst.compiled.drivers.driver import CompiledDriver
from bestfirst.compiled.drivers.faults import compiled_root, complain
from bestfirst.compiled.drivers.paths import Step, decoded_in_place, named_path
from bestfirst.compiled.drivers.undo import layout_with_undo
from bestfirst.compiled.kernels.best_first import prepare, supersede
from bestfirst.compiled.kernels.parallel_best_first import (
    AWAY,
    DELAY,
    HELD_UP,
    NOTHING,
    OWN_FIELDS,
    OWN_TOTALS,
    PARTS,
    QUOTA,
    REPORT_FIELDS,
    REPORT_TOTALS,
    TAKING,
    UNLIMITED,
    parallel_slice,
)
from bestfirst.compiled.kernels.prefetch import actions_by_undo
from bestfirst.compiled.kernels.slices import COSTLY, COUNTS, EXHAUSTED, FAULTY, FOUND, FULL, NO_ROOM, STOPPED, new_searches
from bestfirst.compiled.store import open_list, table, totals
from bestfirst.compiled.store.growth import record_type
from bestfirst.compiled.store.inconsistent_edges import falls_to
from bestfirst.compiled.store.node_store import COPIED_BELOW, NodeStore
from bestfirst.compiled.store.open_list import RECORD_FIELDS
from bestfirst.compiled.store.records import WORD, Layout, most_cost
from bestfirst.compiled.store.saved_values import Saved
from bestfirst.compiled.store.totals import Words
from bestfirst.domain import Domain
from bestfirst.errors import InputError
from bestfirst.heuristics.heuristic import ZERO, Heuristic
from bestfirst.search.node import Node
from bestfirst.search.open_list import check_ties
from bestfirst.system.memory import available_bytes
from bestfirst.system.threads import side_by_side

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Method, Names, SavedState, Search

FEWEST_SHARED = 20_000
"""The minimum number of expansions worth sharing: one thread finishes fewer while others would still be starting."""
MESSAGES_PER_EXPANSION = 4
"""A thread has room for this many messages for each expansion of its quota. A phase ends early if there are more."""
MOST_COPIED = 1 << 14
LINE = 128
"""Bytes: what different threads write is at least this far apart, or they would slow each other down."""
OWNER_BITS = 1, 2, 4, 8
"""The widths of the field for an owner: few, since each needs its own compiled code."""
SECONDS_AWAY = *(100 * [0.00002]), 0.001
"""How long a thread sleeps before it looks again whether the others have arrived: the first times, and from then on."""

NOT_SAVED = "a best-first search with several threads cannot be saved; omit threads, or run it to the end"

End = tuple["Worker", int]
"""How a thread ended."""


class Worker:
    """What belongs to one thread: the record of its part of the search, its nodes, its table and its agenda.

    data: those of the domain, with notes of its own.
    """

    def __init__(self, me: int, threads: int, totals: Words, store: NodeStore, agenda: Agenda, data: Kept) -> None:
        self.me = me
        self.searches = apart(new_searches(OWN_FIELDS, OWN_TOTALS, totals.dtype))
        self.search: Search = self.searches[0]
        self.search.me, self.search.threads, self.search.goal = me, threads, -1
        self.search.part, self.search.message = TAKING, NOTHING
        self.search.best = self.search.own_best = self.search.least_sent = totals.beyond
        self.store, self.agenda, self.data = store, agenda, data
        self.search.capacity = store.capacity
        self.set_agenda_apart()

    def set_agenda_apart(self) -> None:
        """Move the small arrays of the agenda away from those of other threads."""
        self.agenda.open.arrays = Kept(apart(array) for array in self.agenda.open.arrays)

    @property
    def bytes(self) -> int:
        """The bytes of its arrays."""
        return self.store.bytes + self.agenda.open.bytes


class ParallelBestFirst(CompiledDriver):
    """A* on a domain with several threads, or uniform-cost search, without a heuristic (kernels/parallel_best_first.py), in slices.

    The state of the search depends only on the number of expansions: within a phase, the threads count as if one took its turn
    after the other. They do so where the limit on expansions may fall into the phase; otherwise they run side by side.
    """

    def __init__(self, domain: Domain, heuristic: Heuristic | None, *, threads: int, ties: str = "fifo") -> None:
        super().__init__()
        check_ties(ties)
        self._domain, self._heuristic = domain, heuristic
        self._h = (heuristic or ZERO).checked()
        self._estimate: Method = heuristic.function if heuristic else no_estimate
        self._threads, self._is_lifo = threads, ties == "lifo"
        self._undone = actions_by_undo(domain)
        self._translation = translate(domain, methods_of(domain, self._estimate))
        self._floats = numbers_in(self._translation) is not KindsOfNumbers.INTS
        self._totals = Words(floats=self._floats)
        self._root = compiled_root(domain, self._h, floats=self._floats)
        self._cost_bits = 0
        self._begin()

    def _begin(self) -> None:
        """Make the arrays, with the root still to be sent."""
        agendas = [self._new_agenda() for _ in range(self._threads)]
        layout = self._compile(agendas[0])
        self._workers = [
            Worker(
                me,
                self._threads,
                self._totals,
                NodeStore(layout, 0, self._domain.max_actions),
                agenda,
                self._compiled.with_own_notes(),
            )
            for me, agenda in enumerate(agendas)
        ]
        for worker in self._workers:
            worker.search.ring = self._ring
        first = self._workers[0].search
        first.generated, first.dead_ends, first.begins = 1, int(self._root.h == inf), int(self._root.h < inf)
        self._boxes = self._new_boxes()
        kinds = dict.fromkeys(REPORT_FIELDS, np.int64) | dict.fromkeys(REPORT_TOTALS, self._totals.dtype)
        self._reports: Array = np.zeros(2 * self._threads, record_type(*kinds.items()))
        self._meeting: Array = apart(np.zeros(1, np.int64))
        self._root_row: Array = np.array(words_of_state(self._domain, self._root.state), np.int64)
        self._take_counts()

    @property
    def _ring(self) -> int:
        """The number of messages of a thread to itself for which there is room."""
        return 1 << (DELAY + self._domain.max_actions).bit_length()

    def _new_agenda(self) -> Agenda:
        agenda = Agenda((1, 1, 1), lifo=self._is_lifo, floats=self._floats, h=self._root.h)
        agenda.clear()
        return agenda

    def _new_boxes(self) -> Kept:
        """The empty boxes for messages."""
        number = np.float64 if self._floats else np.int64
        fields = ("key", "parent", "undo", "falls", "after")
        message = record_type(("g", number), ("h", number), *((name, np.int64) for name in fields))
        size = 2 * self._threads * (MESSAGES_PER_EXPANSION * QUOTA + self._domain.max_actions) + self._threads * self._ring
        ends = np.full((2 * self._threads**2, 2), NOTHING, np.int64).view(
            record_type(("first", np.int64), ("last", np.int64))
        )
        undo_by = np.zeros(self._domain.max_actions + 1, np.int64)
        for undo, undone in self._undone.items():
            undo_by[undone] = undo
        return Kept(
            (ends.ravel(), np.zeros(size, message), np.zeros(size * len(state_words(self._domain)), np.int64), undo_by)
        )

    def _compile(self, agenda: Agenda) -> Layout:
        """Compile for an agenda; returns the layout of the records."""
        owner_bits = next(bits for bits in OWNER_BITS if self._threads <= 1 << bits)
        fields = {"owner": owner_bits} | RECORD_FIELDS
        layout = layout_with_undo(self._domain, self._translation, fields, is_float=self._floats, cost_bits=self._cost_bits)
        of_records: Names = {"FLOATS": self._floats, "COST_BITS": layout.bits("g"), "RANKED": False}
        constants = of_records | agenda.constants
        self._compiled = specialise(
            parallel_slice,
            self._domain,
            self._estimate,
            optional=(),
            parts=(
                *(*totals.PARTS, *table.PARTS, *open_list.PARTS, *agenda.module.PARTS),
                *(most_cost, falls_to, prepare, supersede, *PARTS),
            ),
            translation=self._translation,
            layout=layout,
            **constants,
        )
        return layout

    # Running it.

    def _advance(self, budget: int) -> None:
        until = self.stats.expanded + budget
        while not self.ended and self.stopped is None:
            is_worthwhile = until - self.stats.expanded >= max(FEWEST_SHARED, QUOTA * self._threads)
            if is_worthwhile and self._are_level and not is_interpreted():  # where additions are not atomic
                ends = self._run_side_by_side(until)
            else:
                ends = self._run_in_turn(until)
            how = ends[-1][1]
            if how != AWAY:
                self._take_counts()
                if how == STOPPED:
                    return
                self._react(ends)

    @property
    def _are_level(self) -> bool:
        """Whether all threads are in the same phase."""
        return len({int(worker.search.meetings) for worker in self._workers}) == 1

    def _run_side_by_side(self, until: int) -> list[End]:
        """Run all threads, phase by phase, while the next one cannot exceed the number of expansions; return how each ended."""
        errors: dict[int, Exception] = {}

        def run(worker: Worker) -> End:
            how = AWAY
            for pause in chain(SECONDS_AWAY, repeat(SECONDS_AWAY[-1])):
                try:
                    how = self._run(worker, UNLIMITED, until)
                except Exception as error:
                    errors[worker.me] = error
                if how != AWAY or errors or self.is_stuck:
                    break
                sleep(pause)
            return worker, int(worker.search.how) if how == HELD_UP else how

        ends = side_by_side([partial(run, worker) for worker in self._workers])
        if errors:
            raise errors[min(errors)]  # each thread did its part of the phase, so these are the same errors in each run
        return ends

    def _run_in_turn(self, until: int) -> list[End]:
        """Let each thread do the rest of its part in a phase; return how the last one ended: the others wait for it."""
        expanded = [int(worker.searches["expanded"][0]) for worker in self._workers]
        for worker in self._workers:
            others = sum(expanded) - expanded[worker.me]
            how = self._run(worker, until - others, UNLIMITED)
            expanded[worker.me] = int(worker.searches["expanded"][0])
            if how != AWAY:
                break
        self.stats.expanded = sum(expanded)
        return [(worker, how)]

    def _run(self, worker: Worker, own_until: int, until: int) -> int:
        arrays = worker.store.nodes, worker.store.table, worker.agenda.open.arrays, self._boxes
        shared = self._reports, self._meeting, self._root_row, worker.agenda.order
        return int(self._compiled.run(worker.data, worker.searches, *arrays, *shared, own_until, until))

    def _react(self, ends: list[End]) -> None:
        """Handle the ends of a slice. More room comes first: with it, threads may still do their parts of the phase."""
        hows = {how for _worker, how in ends}
        if FOUND in hows:
            self._take_goal()
        elif EXHAUSTED in hows:
            self.bound, self.ended = inf, True
        elif hows & {FULL, NO_ROOM}:
            for worker, how in ends:
                if how == FULL:
                    self._grow(worker)
                elif how == NO_ROOM and worker.search.agenda_is_new == 0:  # otherwise it has just got a heap
                    self._grow_agenda(worker)
        elif COSTLY in hows and self._cost_bits < WORD:
            self._widen_costs()
        else:
            for worker, how in ends:
                if how in (COSTLY, FAULTY):
                    self._complain(worker)

    def _take_counts(self) -> None:
        stats = self.stats
        rows = [worker.searches.item() for worker in self._workers]
        counts = [sum(column) for column in list(zip(*rows, strict=True))[: len(COUNTS)]]
        stats.expanded, stats.generated, stats.duplicates, stats.reopened, stats.pruned, *others = counts
        self.dead_ends, _peak, self.falls = others
        searches = [worker.search for worker in self._workers]
        stats.peak_agenda = max(int(search.peak_of_all) for search in searches)
        if not self.ended:
            self.bound = self._totals.number(max(search.proved for search in searches))
        if self.fall is None and self.falls:
            first = min(
                (worker for worker in self._workers if worker.search.falls), key=lambda one: int(one.search.fall_phase)
            )
            self.fall = decoded_in_place(self._domain, self._node(first.me, int(first.search.fall_to)))

    def _take_goal(self) -> None:
        found = [worker for worker in self._workers if worker.search.goal >= 0]
        best = min(found, key=lambda worker: worker.search.own_best)
        self.goal = decoded_in_place(self._domain, self._node(best.me, int(best.search.goal)))
        self.bound, self.ended = max(self.bound, self.goal.g), True

    def _complain(self, worker: Worker) -> NoReturn:
        """Raise the reference engine's error for an invalid cost or estimate."""
        measure = None if self._heuristic is None else self._heuristic.function
        complain(self._domain, self._h, measure, self._node(worker.me, int(worker.search.place)))

    # Memory.

    def _grow(self, worker: Worker) -> None:
        """Make room for more nodes, or stop the search if that would exceed the memory limit."""
        store = worker.store
        is_small = self._limits.memory is None and store.is_small
        if not store.grow(COPIED_BELOW if is_small else self._memory_left()):
            self.stats.peak_memory = max(self.stats.peak_memory or 0, self.bytes)
            self.stopped = "memory"
        worker.search.capacity = store.capacity
        if store.table_is_empty:
            worker.search.table_is_new = 1
            store.table_is_empty = False

    def _grow_agenda(self, worker: Worker) -> None:
        search, agenda = worker.search, worker.agenda
        wanted = agenda.wanted(int(search.most_g), int(search.most_h), 1, int(search.nodes))
        if wanted is None:  # heaps take all open nodes: they leave them in the same order
            for each in self._workers:
                each.agenda.change_to_heap(int(each.search.open))
                each.set_agenda_apart()
                each.search.agenda_is_new = 1
            self._compile(agenda)
            for each in self._workers:
                each.data = self._compiled.with_own_notes()
        elif agenda.open.bytes_to_grow(wanted) > self._memory_left():
            self.stopped = "memory"
        else:
            agenda.open.grow(wanted)

    @property
    def bytes(self) -> int:
        return sum(worker.bytes for worker in self._workers)

    def _memory_left(self) -> float:
        """The number of bytes by which the arrays may grow."""
        limit = self._limits.memory
        left = inf if not isinstance(limit, int) else limit - self.bytes
        return min(left, available_bytes())

    def _widen_costs(self) -> None:
        """Repeat the search up to this point, with records that take larger costs, which usually occur early."""
        expanded = self.stats.expanded
        self._cost_bits, self.fall = WORD, None
        self._is_preparing = True
        self._begin()
        self._is_preparing = False
        # a run that ends leaves the rest to the next
        while self.stats.expanded < expanded and not self.ended and self.stopped != "memory":
            self._advance(expanded - self.stats.expanded)

    # Paths.

    def _node(self, me: int, place: int) -> Node:
        """A node of a thread with its path, in the states of the domain."""
        links = [(worker.store.reader("parent"), worker.store.reader("owner")) for worker in self._workers]
        path = []
        while True:
            parent_of, owner_of = links[me]
            parent = parent_of(place)
            if parent == 0:
                break
            path.append((me, place))
            me, place = owner_of(place), parent - 1
        words = [f"state.{word.name}" for word in state_words(self._domain)]
        steps: dict[tuple[int, int], Step] = {}
        for worker in self._workers:
            places = [place for me, place in path if me == worker.me]
            *columns, costs, undos = worker.store.columns((*words, "g", "undo"), places)
            states = map(state_maker(self._domain), zip(*columns, strict=True))
            numbers = zip(states, costs, undos, strict=True)
            steps.update(zip(((worker.me, place) for place in places), numbers, strict=True))
        return named_path(self._domain, self._h, [steps[at] for at in reversed(path)], self._undone)

    def saved(self) -> SavedState:
        raise InputError(NOT_SAVED)

    def restore(self, saved: Saved) -> None:  # noqa: ARG002
        raise InputError(NOT_SAVED)


def apart(array: Array) -> Array:
    """A copy of an array that shares no cache line with another one; a large array itself."""
    if array.nbytes > MOST_COPIED:
        return array
    words = np.zeros(array.nbytes + 2 * LINE, np.uint8)
    start = -words.ctypes.data % LINE
    copy: Array = words[start : start + array.nbytes].view(array.dtype)
    copy[:] = array
    return copy
