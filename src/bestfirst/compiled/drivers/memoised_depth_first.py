"""The driver of depth-first branch and bound with a memo, and what that of limited-discrepancy search shares with it."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.compiler.specialise import specialise
from bestfirst.compiled.drivers.replayed_nodes import ReplayedNodes, read_places
from bestfirst.compiled.drivers.slices import DoublingSearch, refuse_resources
from bestfirst.compiled.kernels.anytime_beam import CLOSED, OPEN, compared, without_dominated
from bestfirst.compiled.kernels.memoised_depth_first import OWN_FIELDS, OWN_TOTALS, memoised_slice, put_in_order
from bestfirst.compiled.kernels.slices import FOUND, is_sound
from bestfirst.compiled.store import totals
from bestfirst.compiled.store.growth import grown
from bestfirst.compiled.store.inconsistent_edges import falls_to, note_fall
from bestfirst.compiled.store.nodes import Nodes, add_node, enter_nodes
from bestfirst.compiled.store.saved_values import Saved, require
from bestfirst.compiled.store.state_table import NONE, empty_table
from bestfirst.compiled.store.state_table import PARTS as STATE_TABLE
from bestfirst.domain import Domain
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.search.incumbent import UpperBound

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, SavedState, Search

PARTS = (*totals.PARTS, *STATE_TABLE, add_node, enter_nodes, is_sound, falls_to, note_fall, put_in_order)


class MemoisedDepthFirst(DoublingSearch):
    """Depth-first branch and bound with a memo on a domain, in slices."""

    _by_discrepancies = False

    def __init__(
        self,
        domain: Domain,
        heuristic: Heuristic | None,
        *,
        incumbent: Any = None,
        upper_bound: float | UpperBound | None = None,
    ) -> None:
        super().__init__(domain, heuristic)
        parts = (*PARTS, compared, without_dominated) if domain.resources else PARTS
        self._compiled = specialise(
            memoised_slice,
            domain,
            self._estimate,
            parts=parts,
            by_group=True,
            BY_DISCREPANCIES=self._by_discrepancies,
        )
        self._begin_with(OWN_FIELDS, OWN_TOTALS, floats=self._compiled.has_float_costs)
        self._nodes = Nodes([domain], self._cost_type, self._size)
        self._table = empty_table(self._size)
        self._marks = np.zeros(self._size, np.int8)
        self._rivals = np.full(self._size if domain.resources else 1, NONE, np.int32)
        self._depths = np.zeros(self._size, np.int32)
        self._stack = self._empty_stack(self._size)
        self._waiting = self._empty_stack(self._size if self._by_discrepancies else 1)
        self._put_root()
        self._begin_below(incumbent, upper_bound)
        self._advance(0)  # compiles, before the clock starts

    def _empty_stack(self, size: int) -> Arrays:
        return np.zeros(size, np.int32), np.zeros(size, self._totals.dtype)

    def _put_root(self) -> None:
        self._search.nodes = 1
        if self._root.h < inf:
            self._search.stack = self._search.open = 1
            self._marks[0] = OPEN
            self._stack[1][0] = self._root.f

    def _call(self, budget: int) -> int:
        of_nodes = self._nodes.arrays, self._table, self._marks, self._rivals, self._depths
        arrays = *of_nodes, self._stack, self._waiting, self._edge
        return int(self._compiled.run(self._compiled.data, self._searches, *arrays, budget))

    def _react(self, how: int) -> None:
        if how == FOUND:
            self._way_to_goal = self._way()
        else:
            self._end_with(self._totals.number(self._search.best))

    def _way(self) -> list[int]:
        return self._nodes.way(int(self._search.place))

    def _arrays(self) -> Iterator[Array]:
        yield from (*self._nodes, self._table, self._marks, self._rivals, self._depths, *self._stack, *self._waiting)

    def _make_room(self, size: int) -> None:
        self._nodes.resize(size)
        self._table = empty_table(size)
        self._marks, self._depths = grown(self._marks, size), grown(self._depths, size)
        if self._domain.resources:
            self._rivals = grown(self._rivals, size)
        self._stack = tuple(grown(column, size) for column in self._stack)
        if self._by_discrepancies:
            self._waiting = tuple(grown(column, size) for column in self._waiting)

    def saved(self) -> SavedState:
        refuse_resources(self._domain)
        return super().saved()

    def _saved_nodes(self) -> SavedState:
        places = self._stack[0][: self._search.stack]
        return {**self._nodes.saved(int(self._search.nodes)), "stack": places[self._marks[places] == OPEN]}

    def _restore_nodes(self, saved: Saved, search: Search) -> None:
        """The nodes follow from their actions; those on the stack are open, and the others closed."""
        size = int(search.nodes)
        require(size == saved.length("parents"), "its number of nodes is wrong")
        if self.ended:
            return
        self._make_room_for(size + self._domain.max_actions)
        nodes = ReplayedNodes(saved, self._nodes, [self._domain], self._estimate)
        nodes.estimates[0] = self._root.h
        places = read_places(saved, "stack", size)
        require(len(places) == search.open, "its counts contradict its nodes")
        require(search.place < size, "its current node does not exist")
        require(np.isin(nodes.parents[1:], places, invert=True).all(), "a node has a parent that has not been expanded")
        search.stack = len(places)
        self._marks[:size] = CLOSED
        self._marks[places] = OPEN
        self._depths[:size] = nodes.depths
        self._stack[0][: len(places)] = places
        self._stack[1][: len(places)] = nodes.totals(self._totals.dtype)[places]
        self.bound, search.best = self._bound_at_start, self._best_known()
