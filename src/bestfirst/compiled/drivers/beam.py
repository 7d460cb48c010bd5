"""The driver of beam search."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.specialise import specialise
from bestfirst.compiled.drivers.replayed_nodes import ReplayedNodes
from bestfirst.compiled.drivers.slices import PARTS, DoublingSearch
from bestfirst.compiled.kernels.beam import MOST_NODES, OWN_FIELDS, beam_slice, next_level
from bestfirst.compiled.kernels.slices import FOUND
from bestfirst.compiled.store import levels
from bestfirst.compiled.store.levels import LevelEntries
from bestfirst.compiled.store.nodes import Nodes
from bestfirst.compiled.store.saved_values import Saved, require
from bestfirst.compiled.store.state_table import empty_table
from bestfirst.domain import Domain
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.search.beam import WIDTH as DEFAULT_WIDTH
from bestfirst.search.beam import check_width

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, SavedState, Search


class Beam(DoublingSearch):
    """Beam search on a domain, in slices."""

    def __init__(self, domain: Domain, heuristic: Heuristic | None, *, width: int = DEFAULT_WIDTH) -> None:
        check_width(width)
        super().__init__(domain, heuristic)
        self._compiled = specialise(beam_slice, domain, self._estimate, parts=(*PARTS, *levels.PARTS, next_level))
        self._begin_with(OWN_FIELDS, floats=self._compiled.has_float_costs)
        self._nodes = Nodes([domain], self._cost_type, self._size)
        self._table = empty_table(self._size)
        self._levels = LevelEntries(self._size)
        self._width = min(width, MOST_NODES)
        self._search.width, self._search.nodes = self._width, 1
        self._search.level = int(self._root.h < inf)
        self._levels.fill(np.arange(self._search.level), np.arange(0), self._totals.array(0), self._totals.array(0))
        self._advance(0)  # compiles, before the clock starts

    def _call(self, budget: int) -> int:
        arrays = self._nodes.arrays, self._table, self._levels.arrays, self._edge
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
        yield from (*self._nodes, self._table, *self._levels.arrays)

    def _make_room(self, size: int) -> None:
        self._nodes.resize(size)
        self._table = empty_table(size)
        self._levels.make_room(size)

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
        self._fill(level[done:], candidates, nodes.estimates)

    def _fill(self, level: Array, candidates: Array, estimates: Array) -> None:
        totals = estimates.astype(self._totals.dtype)
        self._levels.fill(level, candidates, totals, np.zeros_like(totals))

    @staticmethod
    def _in_order(nodes: ReplayedNodes, places: Array) -> Array:
        """Node indices in the order of the beam."""
        return places[np.lexsort((places, nodes.estimates[places]))]
