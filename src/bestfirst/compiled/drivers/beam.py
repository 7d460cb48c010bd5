"""The driver of beam search."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.specialise import specialise
from bestfirst.compiled.drivers.replayed_nodes import ReplayedNodes
from bestfirst.compiled.drivers.slices import DoublingSearch
from bestfirst.compiled.kernels.beam import MOST_NODES, OWN_FIELDS, beam_slice, next_level
from bestfirst.compiled.kernels.slices import FOUND, is_sound
from bestfirst.compiled.store import heap, totals
from bestfirst.compiled.store.growth import grown
from bestfirst.compiled.store.heap import PLAIN, Heap
from bestfirst.compiled.store.inconsistent_edges import falls_to, note_fall
from bestfirst.compiled.store.nodes import Nodes, add_node, enter_nodes
from bestfirst.compiled.store.saved_values import Saved, require
from bestfirst.compiled.store.state_table import empty_table, find
from bestfirst.domain import Domain
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.search.beam import WIDTH as DEFAULT_WIDTH
from bestfirst.search.beam import check_width

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, SavedState, Search

PARTS = (*totals.PARTS, find, add_node, enter_nodes, is_sound, falls_to, note_fall, *heap.PARTS)


class Beam(DoublingSearch):
    """Beam search on a domain, in slices."""

    def __init__(self, domain: Domain, heuristic: Heuristic | None, *, width: int = DEFAULT_WIDTH) -> None:
        check_width(width)
        super().__init__(domain, heuristic)
        self._compiled = specialise(beam_slice, domain, self._estimate, parts=(*PARTS, next_level), **PLAIN)
        self._begin_with(OWN_FIELDS, floats=self._compiled.has_float_costs)
        self._nodes = Nodes([domain], self._cost_type, self._size)
        self._table = empty_table(self._size)
        self._candidates = Heap(entries=self._size)
        self._level = np.zeros(self._size, np.int32)
        self._width = min(width, MOST_NODES)
        self._search.width, self._search.nodes = self._width, 1
        self._search.level = int(self._root.h < inf)
        self._advance(0)  # compiles, before the clock starts

    def _call(self, budget: int) -> int:
        arrays = self._nodes.arrays, self._table, self._level, self._candidates.arrays, self._edge
        return int(self._compiled.run(self._compiled.data, self._searches, *arrays, budget))

    def _react(self, how: int) -> None:
        self.ended = True
        if how == FOUND:
            self._way_to_goal = self._way()
        elif self._search.outside:
            self.gave_up = "width"
        else:
            self.bound = inf

    def _way(self) -> list[int]:
        return self._nodes.way(int(self._search.place))

    def _arrays(self) -> Iterator[Array]:
        yield from (*self._nodes, self._table, *self._candidates.arrays, self._level)

    def _make_room(self, size: int) -> None:
        self._nodes.resize(size)
        self._table = empty_table(size)
        self._candidates.make_room(size)
        self._level = grown(self._level, size)

    def _saved_nodes(self) -> SavedState:
        return self._nodes.saved(int(self._search.nodes))

    def _restore_nodes(self, saved: Saved, search: Search) -> None:
        """The level consists of the best nodes of its depth, and the candidates are all deeper nodes."""
        size = int(search.nodes)
        require(size == saved.length("parents"), "its number of nodes is wrong")
        self._make_room_for(size + self._domain.max_actions)
        nodes = ReplayedNodes(saved, self._nodes, [self._domain], self._estimate)
        nodes.estimates[0] = self._root.h
        width, taken, done = (int(search[name]) for name in ("width", "place", "done"))
        require(width == self._width, f"its beam is {width} wide")
        require(taken < size, "its current node does not exist")
        is_alive = nodes.estimates < inf
        level = self._in_order(nodes, np.flatnonzero(is_alive & (nodes.depths == nodes.depths[taken])))[:width]
        candidates = np.flatnonzero(is_alive & (nodes.depths > nodes.depths[taken]))
        outside = size - int((~is_alive).sum()) - int(search.expanded) - (len(level) - done) - len(candidates)
        if self.ended:  # nothing is left to resume
            return
        require(done < len(level) and level[done] == taken, "its current node is not the next one")
        is_on_level = np.isin(nodes.parents[nodes.depths > nodes.depths[taken]], level[:done])
        require(is_on_level.all(), "a node has a parent that has not been expanded")
        counts = {"level": len(level), "outside": outside, "dead_ends": int((~is_alive).sum())}
        require(all(search[name] == count for name, count in counts.items()), "its counts contradict its nodes")
        self._level[: len(level)] = level
        estimates = nodes.estimates[candidates].astype(self._totals.dtype)
        self._candidates.fill(estimates, np.zeros_like(estimates), candidates)

    @staticmethod
    def _in_order(nodes: ReplayedNodes, places: Array) -> Array:
        """Node indices in the order in which they leave the heap."""
        return places[np.lexsort((places, nodes.estimates[places]))]
