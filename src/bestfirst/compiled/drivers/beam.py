"""The driver of beam search."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.compiler.specialise import specialise
from bestfirst.compiled.drivers.replayed_nodes import ReplayedNodes, filled_heap
from bestfirst.compiled.drivers.slices import SlicedSearch
from bestfirst.compiled.kernels.control import (
    DEAD_ENDS,
    EXPANDED,
    GENERATED,
    is_sound,
)
from bestfirst.compiled.store import totals
from bestfirst.compiled.store.binary_heap import empty_heap, pop, push
from bestfirst.compiled.store.growth import grown
from bestfirst.compiled.store.inconsistent_edges import falls_to, note_fall
from bestfirst.compiled.store.nodes import Nodes
from bestfirst.compiled.store.saved_values import Saved, require
from bestfirst.compiled.store.state_table import empty_table, find
from bestfirst.domain import Domain
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.search.beam import WIDTH as DEFAULT_WIDTH
from bestfirst.search.beam import check_width

if TYPE_CHECKING:
    pass

from bestfirst.compiled.kernels.beam import (
    CHILDREN,
    DONE,
    FOUND,
    LEVEL,
    MOST_NODES,
    NODES,
    OUTSIDE,
    TAKEN,
    WIDTH,
    beam_slice,
)


class Beam(SlicedSearch):
    """Beam search on a domain, in slices."""

    def __init__(self, domain: Domain, heuristic: Heuristic | None, *, width: int = DEFAULT_WIDTH) -> None:
        check_width(width)
        assert heuristic is not None
        parts = (*totals.PARTS, find, is_sound, falls_to, note_fall, push, pop)
        compiled = specialise(beam_slice, domain, heuristic.function, parts=parts)
        super().__init__(domain, heuristic, compiled, TAKEN + 1)
        self._nodes = Nodes([domain], self._cost_type, self._size)
        self._table = empty_table(self._size)
        self._children = empty_heap(self._size, self._cost_type)
        self._level = np.zeros(self._size, np.int32)
        self._control[[WIDTH, NODES, GENERATED]] = min(width, MOST_NODES), 1, 1
        if self._root.h < inf:
            self._control[LEVEL] = 1
        else:
            self._control[DEAD_ENDS] = 1
        self._advance(0)  # compiles, before the clock starts

    def _call(self, budget: int) -> int:
        how = self._compiled.run(
            self._compiled.data,
            self._nodes.arrays,
            self._table,
            self._level,
            self._children,
            self._falls.arrays,
            self._control,
            budget,
        )
        return int(how)

    def _react(self, how: int) -> None:
        self.ended = True
        if how == FOUND:
            self._way_to_goal = self._way()
        elif self._control[OUTSIDE]:
            self.gave_up = "width"
        else:
            self.bound = inf

    def _way(self) -> list[int]:
        return self._nodes.way(int(self._control[TAKEN]))

    def _arrays(self) -> Iterator[Any]:
        yield from (*self._nodes, self._table, *self._children, self._level)

    def _make_room(self, size: int) -> None:
        self._nodes.resize(size)
        self._table = empty_table(size)
        self._children = tuple(grown(column, size) for column in self._children)
        self._level = grown(self._level, size)

    def _saved_nodes(self) -> dict[str, Any]:
        _rows, _costs, parents, actions = self._nodes.arrays
        size = int(self._control[NODES])
        return {"parents": parents[:size], "actions": actions[:size]}

    def _restore_nodes(self, saved: Saved, control: Any) -> None:
        """The level consists of the best nodes of its depth, and the children are all deeper nodes."""
        size = int(control[NODES])
        require(size == saved.length("parents"), "its number of nodes is wrong")
        self._make_room_for(size + self._domain.max_actions)
        assert self._heuristic is not None
        nodes = ReplayedNodes(saved, self._nodes, [self._domain], self._heuristic.function)
        nodes.estimates[0] = self._root.h
        width, taken, done = (int(control[at]) for at in (WIDTH, TAKEN, DONE))
        require(width == self._control[WIDTH], f"its beam is {width} wide")
        require(taken < size, "its current node does not exist")
        is_alive = nodes.estimates < inf
        level = self._in_order(nodes, np.flatnonzero(is_alive & (nodes.depths == nodes.depths[taken])))[:width]
        children = np.flatnonzero(is_alive & (nodes.depths > nodes.depths[taken]))
        outside = size - int((~is_alive).sum()) - int(control[EXPANDED]) - (len(level) - done) - len(children)
        if self.ended:  # nothing is left to resume
            return
        require(done < len(level) and level[done] == taken, "its current node is not the next one")
        is_on_level = np.isin(nodes.parents[nodes.depths > nodes.depths[taken]], level[:done])
        require(is_on_level.all(), "a node has a parent that has not been expanded")
        counts = (LEVEL, len(level)), (CHILDREN, len(children)), (OUTSIDE, outside), (DEAD_ENDS, int((~is_alive).sum()))
        require(all(control[at] == count for at, count in counts), "its counts contradict its nodes")
        self._level[: len(level)] = level
        filled_heap(self._children, nodes.estimates[children], np.zeros_like(nodes.estimates[children]), children)

    @staticmethod
    def _in_order(nodes: ReplayedNodes, places: Any) -> Any:
        """Node indices in the order in which they leave the heap."""
        return places[np.lexsort((places, nodes.estimates[places]))]
