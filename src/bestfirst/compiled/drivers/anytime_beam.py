"""The driver of anytime beam search."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.compiler.specialise import specialise
from bestfirst.compiled.drivers.replayed_nodes import ReplayedNodes, filled_heap, read_places
from bestfirst.compiled.drivers.slices import SlicedSearch
from bestfirst.compiled.kernels.control import (
    FRESH,
    GENERATED,
    is_sound,
)
from bestfirst.compiled.store import totals
from bestfirst.compiled.store.binary_heap import empty_heap, pop, push
from bestfirst.compiled.store.growth import grown
from bestfirst.compiled.store.inconsistent_edges import falls_to, note_fall
from bestfirst.compiled.store.nodes import Nodes
from bestfirst.compiled.store.saved_values import Saved, require
from bestfirst.compiled.store.state_table import NONE, empty_table, find
from bestfirst.domain import Domain
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.search.anytime_beam import FIRST_WIDTH
from bestfirst.search.beam import check_width
from bestfirst.solution import Iteration

if TYPE_CHECKING:
    pass

from bestfirst.compiled.kernels.anytime_beam import (
    BEST,
    BETTER,
    CLOSED,
    LOWEST_OUTSIDE,
    NODES,
    ON_LEVEL,
    ON_NEXT,
    OPEN,
    OUTSIDE,
    PENDING,
    PROVED,
    ROOM,
    SWAPPED,
    TAKEN,
    WAITING,
    WIDEST,
    WIDTH,
    anytime_beam_slice,
)


class AnytimeBeam(SlicedSearch):
    """Anytime beam search on a domain, in slices."""

    def __init__(self, domain: Domain, heuristic: Heuristic | None, *, width: int = FIRST_WIDTH) -> None:
        check_width(width)
        assert heuristic is not None
        parts = (*totals.PARTS, find, is_sound, falls_to, note_fall, push, pop)
        compiled = specialise(anytime_beam_slice, domain, heuristic.function, parts=parts)
        super().__init__(domain, heuristic, compiled, PENDING + 1)
        self._nodes = Nodes([domain], self._cost_type, self._size)
        self._table = empty_table(self._size)
        self._marks = np.zeros(self._size, np.int8)
        self._heaps = empty_heap(self._size, self._totals.dtype), empty_heap(self._size, self._totals.dtype)
        self._width = width
        self._bounds = np.full(3, self._totals.beyond, self._totals.dtype)
        self.stats.generated = self._control[GENERATED] = 1
        self.bound = self._root.f
        if self._root.h < inf:
            self._bounds[PROVED] = self._root.f
            self._start_round()
            self._advance(0)  # compiles, before the clock starts
        else:
            self.dead_ends, self.ended = 1, True

    def _start_round(self) -> None:
        self.stats.iterations.append(Iteration(self._width))
        self._table.fill(NONE)
        self._control[[FRESH, NODES, WAITING, ON_LEVEL]] = 1
        self._control[[ON_NEXT, SWAPPED]] = 0
        self._control[[WIDTH, ROOM]] = min(self._width, WIDEST)
        firsts, seconds, places = self._heaps[0]
        firsts[0], seconds[0], places[0] = self._root.f, self._root.h, 0
        self._marks[0] = OPEN
        self._bounds[LOWEST_OUTSIDE] = self._totals.beyond

    def _call(self, budget: int) -> int:
        how = self._compiled.run(
            self._compiled.data,
            self._nodes.arrays,
            self._table,
            self._marks,
            *self._heaps,
            self._falls.arrays,
            self._control,
            self._bounds,
            budget,
        )
        return int(how)

    def _take_counts(self) -> None:
        expanded, generated = self.stats.expanded, self.stats.generated
        super()._take_counts()
        row = self.stats.iterations[-1]
        row.expanded += self.stats.expanded - expanded
        row.generated += self.stats.generated - generated

    def _react(self, how: int) -> None:
        if how == BETTER:
            self._way_to_goal = self._way()
            return
        best, proved, lowest_outside = self._bounds
        self._bounds[PROVED] = max(proved, min(best, lowest_outside))
        if self._bounds[PROVED] < best:
            self.bound = max(self.bound, self._totals.number(self._bounds[PROVED]))
            self._width *= 2
            self._start_round()
        else:
            self.bound, self.ended = max(self.bound, self._totals.number(best)), True

    def _way(self) -> list[int]:
        return self._nodes.way(int(self._control[TAKEN]))

    def _arrays(self) -> Iterator[Any]:
        yield from (*self._nodes, self._table, self._marks)
        for heap in self._heaps:
            yield from heap

    def _make_room(self, size: int) -> None:
        self._nodes.resize(size)
        self._table = empty_table(size)
        self._marks = grown(self._marks, size)
        first, second = (tuple(grown(column, size) for column in heap) for heap in self._heaps)
        self._heaps = first, second

    def _saved_nodes(self) -> dict[str, Any]:
        _rows, _costs, parents, actions = self._nodes.arrays
        size = int(self._control[NODES])
        heaps = self._heaps[::-1] if self._control[SWAPPED] else self._heaps
        level, following = (heap[2][: self._control[at]] for heap, at in zip(heaps, (ON_LEVEL, ON_NEXT), strict=True))
        return {
            "parents": parents[:size],
            "actions": actions[:size],
            "marks": self._marks[:size],
            "level": level,
            "following": following,
            "proved": self._totals.number(self._bounds[PROVED]),
            "width": self._width,
        }

    def _restore_nodes(self, saved: Saved, control: Any) -> None:
        size = int(control[NODES])
        require(size == saved.length("parents"), "its number of nodes is wrong")
        self._make_room_for(size + self._domain.max_actions)
        self._width = saved.whole("width", 1)
        rounds = self.stats.iterations
        require(rounds and rounds[-1].bound == self._width == control[WIDTH], "its beam has the wrong width")
        if self.ended:
            return
        assert self._heuristic is not None
        nodes = ReplayedNodes(saved, self._nodes, [self._domain], self._heuristic.function)
        nodes.estimates[0] = self._root.h
        marks = saved.array("marks", np.int8, size, most=OUTSIDE)
        level, following = read_places(saved, "level", size), read_places(saved, "following", size)
        sizes = (NODES, size), (ON_LEVEL, len(level)), (ON_NEXT, len(following)), (WAITING, int((marks == OPEN).sum()))
        require(all(control[at] == count for at, count in sizes), "its counts contradict its nodes")
        self._check_taken(nodes, marks, control)
        depth = nodes.depths[control[TAKEN]]
        is_right = (nodes.depths[level] == depth).all() and (nodes.depths[following] == depth + 1).all()
        require(is_right or not control[PENDING], "a node is not on its level")
        waiting = np.union1d(level, following)
        require(np.isin(np.flatnonzero(marks == OPEN), waiting).all(), "an open node is not on the agenda")
        f = nodes.totals(self._totals.dtype)
        self._marks[:size] = marks
        for heap, places in zip(self._heaps, (level, following), strict=True):
            filled_heap(heap, f[places], nodes.estimates[places], places)
        proved = saved.number("proved")
        require(proved < inf and proved <= self.bound, "its bound exceeds what it has proved")
        is_outside = marks == OUTSIDE
        self._bounds[LOWEST_OUTSIDE] = f[is_outside].min() if is_outside.any() else self._totals.beyond
        self._bounds[BEST] = self._best_known()
        self._bounds[PROVED] = self._totals.checked(proved, "proved")
        control[SWAPPED] = 0

    @staticmethod
    def _check_taken(nodes: ReplayedNodes, marks: Any, control: Any) -> None:
        """Check the last selected node, and the other entries of the control array for the level."""
        require(control[TAKEN] < nodes.size and control[PENDING] <= 1, "its current node does not exist")
        require(not control[PENDING] or marks[control[TAKEN]] == CLOSED, "its current node is still open")
        require(control[ROOM] <= control[WIDTH], "it has more room than the width of its beam")
