"""The driver of anytime beam search."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.compiler.specialise import specialise
from bestfirst.compiled.compiler.state_fields import state_words, words_of_state
from bestfirst.compiled.drivers.replayed_nodes import ReplayedNodes, read_places
from bestfirst.compiled.drivers.slices import PARTS, DoublingSearch, refuse_resources
from bestfirst.compiled.kernels.anytime_beam import (
    BATCH,
    BATCH_FIELDS,
    CLOSED,
    MADE_FIELDS,
    OPEN,
    OUTSIDE,
    OWN_FIELDS,
    OWN_TOTALS,
    WIDEST,
    WINDOW_FIELDS,
    WINDOW_TOTALS,
    add_counts,
    anytime_beam_slice,
    compared,
    enter_batch,
    enter_child,
    fetch_node,
    is_refused,
    is_target,
    make_batch,
    next_plain,
    without_dominated,
)
from bestfirst.compiled.kernels.slices import FOUND
from bestfirst.compiled.store import children, levels
from bestfirst.compiled.store.growth import grown, record_type
from bestfirst.compiled.store.levels import LevelEntries
from bestfirst.compiled.store.nodes import Nodes
from bestfirst.compiled.store.saved_values import Saved, require
from bestfirst.compiled.store.state_table import NONE, empty_table
from bestfirst.domain import Domain
from bestfirst.errors import CompileError, NotCompilableError
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.search.anytime_beam import FIRST_WIDTH
from bestfirst.search.beam import check_width
from bestfirst.search.incumbent import UpperBound
from bestfirst.search.node import Node
from bestfirst.solution import Iteration

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, SavedState, Search, Template


def parts_of(domain: Domain, *, has_windows: bool) -> tuple[Template, ...]:
    """The parts of the kernel for a domain."""
    fronts = (compared, without_dominated) if domain.resources else ()
    windows = (is_target,) if has_windows else ()
    own = (fetch_node, is_refused, *windows, next_plain, add_counts, make_batch, enter_child, enter_batch)
    return *PARTS, *levels.PARTS, *children.PARTS, *fronts, *own


def _records(fields: tuple[str, ...], size: int) -> Array:
    return np.zeros(size, record_type(*[(name, np.int64) for name in fields]))


class AnytimeBeam(DoublingSearch):
    """Anytime beam search on a domain, which runs in slices."""

    _has_windows = False

    def __init__(
        self,
        domain: Domain,
        heuristic: Heuristic | None,
        *,
        width: int = FIRST_WIDTH,
        incumbent: Any = None,
        upper_bound: float | UpperBound | None = None,
    ) -> None:
        check_width(width)
        super().__init__(domain, heuristic)
        self._make_arrays()
        self._nodes_before = 1
        """The number of nodes at the end of the iteration before the last one."""
        self._width = width
        self._begin_below(incumbent, upper_bound)
        if self._root.f >= self._totals.number(self._search.best):
            self.dead_ends = int(self._root.h == inf)
            self._end_with(self._totals.number(self._search.best))
        else:
            self._search.proved = self._root.f
            self._start_iteration()
            self._advance(0)  # compiles, before the clock starts

    def _make_arrays(self) -> None:
        domain, has_windows = self._domain, self._has_windows
        parts = parts_of(domain, has_windows=has_windows)
        self._compiled = specialise(
            anytime_beam_slice, domain, self._estimate, parts=parts, by_group=True, HAS_WINDOWS=has_windows
        )
        fields, names = (WINDOW_FIELDS, WINDOW_TOTALS) if has_windows else ((), ())
        self._begin_with((*OWN_FIELDS, *fields), (*OWN_TOTALS, *names), floats=self._compiled.has_float_costs)
        self._make_node_arrays()
        made = BATCH * domain.max_actions
        self._estimates, self._slots = np.zeros(made, self._cost_type), np.zeros(made, np.int64)
        self._made, self._batch = _records(MADE_FIELDS, 1), _records(BATCH_FIELDS, BATCH)
        target = tuple(np.zeros(1, np.int64) for _ in state_words(domain))
        self._window: Arrays = target, np.zeros(domain.max_actions, np.bool_)

    def _make_node_arrays(self) -> None:
        self._nodes = Nodes([self._domain], self._cost_type, self._size)
        self._table = empty_table(self._size)
        self._marks = np.zeros(self._size, np.int8)
        self._rivals = np.full(self._size if self._domain.resources else 1, NONE, np.int32)
        self._levels = LevelEntries(self._size)

    def _start_iteration(self) -> None:
        self._make_room_ahead()
        self.stats.iterations.append(Iteration(self._width))
        self._note()
        self._start_beam(self._root)

    def _make_room_ahead(self) -> None:
        """If this iteration is likely to fill the arrays, double them now, when they hold nothing that has to be kept.

        The number of nodes is expected to grow as it did last time, and not more than the width of the beam.
        """
        nodes, before = int(self._search.nodes), self._nodes_before
        self._nodes_before = nodes
        if min(2 * before, nodes) * nodes > self._size * before and self._may_double():
            self._size *= 2
            self._make_node_arrays()

    def _start_beam(self, root: Node) -> None:
        """Begin a beam at a node, which becomes the first of the arrays."""
        self._table.fill(NONE)
        search = self._search
        search.table_is_new = search.nodes = search.open = 1
        search.width = search.room = min(self._width, WIDEST)
        search.lowest_outside = self._totals.beyond
        rows, costs, _parents, _actions = self._nodes.arrays
        for row, word in zip(rows, words_of_state(self._domain, root.state), strict=True):
            row[0] = word
        costs[0] = root.g
        self._marks[0] = OPEN
        self._rivals[0] = NONE
        self._levels.fill(np.array([0]), np.arange(0), self._totals.array(root.f), self._totals.array(root.h))

    def _call(self, budget: int) -> int:
        until = int(self._search.expanded) + budget
        try:
            return self._slice(budget)
        except (CompileError, NotCompilableError):
            raise
        except Exception:  # of a method, perhaps at a node that is never expanded: a child of an earlier one replaces it
            self._batch = _records(BATCH_FIELDS, 1)
            return self._slice(until - int(self._search.expanded))

    def _slice(self, budget: int) -> int:
        records = self._searches, self._made, self._batch
        of_nodes = self._nodes.arrays, self._table, self._marks, self._rivals
        arrays = *of_nodes, self._levels.arrays, self._estimates, self._slots, self._window, self._edge
        return int(self._compiled.run(self._compiled.data, *records, *arrays, budget))

    def _take_counts(self) -> None:
        expanded, generated = self.stats.expanded, self.stats.generated
        super()._take_counts()
        row = self.stats.iterations[-1]
        row.expanded += self.stats.expanded - expanded
        row.generated += self.stats.generated - generated

    def _react(self, how: int) -> None:
        if how == FOUND:
            self._way_to_goal = self._way()
            return
        self._prove()
        self._end_or_start_iteration()

    def _prove(self) -> None:
        """Raise the lower bound after a beam from the start."""
        search = self._search
        search.proved = max(search.proved, min(search.best, search.lowest_outside))
        if search.proved < search.best:
            self.bound = max(self.bound, self._totals.number(search.proved))

    def _end_or_start_iteration(self) -> None:
        search = self._search
        if search.proved < search.best:
            self._width *= 2
            self._start_iteration()
        else:
            self._end_with(self._totals.number(search.best))

    def _way(self) -> list[int]:
        return self._nodes.way(int(self._search.place))

    def _arrays(self) -> Iterator[Array]:
        yield from (*self._nodes, self._table, self._marks, self._rivals, *self._levels.arrays)

    def _make_room(self, size: int) -> None:
        self._nodes.resize(size)
        self._table = empty_table(size)
        self._marks = grown(self._marks, size)
        if self._domain.resources:
            self._rivals = grown(self._rivals, size)
        self._levels.make_room(size)

    def saved(self) -> SavedState:
        refuse_resources(self._domain)
        return super().saved()

    def _saved_nodes(self) -> SavedState:
        size = int(self._search.nodes)
        level, following = self._levels.places
        return {
            **self._nodes.saved(size),
            "marks": self._marks[:size],
            "level": level,
            "following": following,
            "proved": self._totals.number(self._search.proved),
            "width": self._width,
        }

    def _restore_nodes(self, saved: Saved, search: Search) -> None:
        size = int(search.nodes)
        require(size == saved.length("parents"), "its number of nodes is wrong")
        self._make_room_for(size + self._domain.max_actions)
        self._width = saved.whole("width", 1)
        iterations = self.stats.iterations
        require(iterations and iterations[-1].bound == self._width == search.width, "its beam has the wrong width")
        if self.ended:
            return
        nodes = ReplayedNodes(saved, self._nodes, [self._domain], self._estimate)
        nodes.estimates[0] = self._root.h
        marks = saved.array("marks", np.int8, size, most=OUTSIDE)
        level, following = read_places(saved, "level", size), read_places(saved, "following", size)
        require(search.open == (marks == OPEN).sum(), "its counts contradict its nodes")
        self._check_place(nodes, marks, search)
        depth = nodes.depths[search.place]
        is_right = (nodes.depths[level] == depth).all() and (nodes.depths[following] == depth + 1).all()
        require(is_right or not search.is_pending, "a node is not on its level")
        waiting = np.union1d(level, following)
        require(np.isin(np.flatnonzero(marks == OPEN), waiting).all(), "an open node is not on the open list")
        f = nodes.totals(self._totals.dtype)
        self._marks[:size] = marks
        self._levels.fill(level, following, f, nodes.estimates.astype(f.dtype), last=(int(search.place),))
        proved = saved.number("proved")
        require(proved < inf and proved <= self.bound, "its bound exceeds what it has proved")
        is_outside = marks == OUTSIDE
        search.lowest_outside = f[is_outside].min() if is_outside.any() else self._totals.beyond
        search.best = self._best_known()
        search.proved = self._totals.checked(proved, "proved")

    @staticmethod
    def _check_place(nodes: ReplayedNodes, marks: Array, search: Search) -> None:
        """Check the last selected node, and the other fields of the record for the level."""
        require(search.place < nodes.size and search.is_pending <= 1, "its current node does not exist")
        require(not search.is_pending or marks[search.place] == CLOSED, "its current node is still open")
        require(search.room <= search.width, "its beam has room for more nodes than its width")
