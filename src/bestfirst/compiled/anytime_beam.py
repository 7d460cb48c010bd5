"""Anytime beam search, compiled: the twin of search/anytime_beam.py.

The nodes of a level and those of the next one are on two heaps, by (f, h), which change places at the end of a level. A node that
is not wanted any more stays on its heap, and is skipped when its turn comes: its mark tells.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled import totals
from bestfirst.compiled.arrays import grown
from bestfirst.compiled.binary_heap import empty_heap, pop, push
from bestfirst.compiled.falls import falls_to, note_fall
from bestfirst.compiled.nodes import Nodes
from bestfirst.compiled.replayed_nodes import ReplayedNodes, filled_heap, read_places
from bestfirst.compiled.saved_values import Saved, require
from bestfirst.compiled.slices import (
    DEAD_ENDS,
    DUPLICATES,
    EXPANDED,
    FAULTY,
    FRESH,
    FULL,
    GENERATED,
    OWN,
    PEAK,
    PRUNED,
    REOPENED,
    STOPPED,
    WAYS,
    SlicedSearch,
    is_sound,
)
from bestfirst.compiled.specialise import specialise
from bestfirst.compiled.state_table import NONE, empty_table, find
from bestfirst.compiled.totals import as_total, is_hopeless, total_of
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.problem import Domain
from bestfirst.search.anytime_beam import FIRST_WIDTH
from bestfirst.search.beam import check_width
from bestfirst.solution import Iteration

if TYPE_CHECKING:
    from bestfirst.compiled.names import LEGAL_FIRST, MAX_ACTIONS, as_self, estimate, is_goal, load, step, store

# Further places of the control array: how many nodes there are, and how many of them wait; the entries on the heap of the level
# and on that of the next one; whether these two have changed places; how many nodes of the level may still be expanded; the width
# of the beam; the node that was taken last; and whether it is still to be expanded.
NODES, WAITING, ON_LEVEL, ON_NEXT, SWAPPED, ROOM, WIDTH, TAKEN, PENDING = range(OWN, OWN + 9)

# The totals: the cost of the best goal, the lower bound, and the lowest f that fell outside the beam.
BEST, PROVED, LOWEST_OUTSIDE = range(3)

# Further ways in which a slice ends.
BETTER, ROUND_OVER = range(WAYS, WAYS + 2)

# The marks of nodes.
CLOSED, OPEN, OUTSIDE = range(3)

WIDEST = 2**31 - 1


def anytime_beam_slice(
    data: Any,
    nodes: Any,
    table: Any,
    marks: Any,
    level: Any,
    following: Any,
    falls: Any,
    control: Any,
    bounds: Any,
    budget: int,
) -> int:
    """Search on, for at most `budget` expansions, to a better goal or to the end of the round: how it ended.

    nodes: see Nodes. table: see state_table.py. marks: of the nodes. level, following: the heaps.
    """
    me = as_self(data)
    rows, costs, parents, actions = nodes
    best = bounds[BEST]
    until = control[EXPANDED] + budget
    if control[FRESH]:
        for place in range(control[NODES]):
            table[find(rows, table, load(rows, place))] = place
        control[FRESH] = 0
    if control[SWAPPED]:
        level, following = following, level
    while bounds[PROVED] < best:
        if not control[PENDING]:
            if control[ON_LEVEL] == 0:
                if control[ON_NEXT] == 0:
                    break
                level, following = following, level
                control[SWAPPED] = 1 - control[SWAPPED]
                control[ON_LEVEL], control[ON_NEXT] = control[ON_NEXT], 0
                control[ROOM] = control[WIDTH]
            f = level[0][0]
            taken = pop(level, control[ON_LEVEL])
            control[ON_LEVEL] -= 1
            if marks[taken] != OPEN:
                continue
            marks[taken] = CLOSED
            control[WAITING] -= 1
            if f >= best:
                control[PRUNED] += 1
                continue
            control[TAKEN] = taken
            if is_goal(me, load(rows, taken)):
                control[PEAK] = max(control[PEAK], control[WAITING])
                bounds[BEST] = as_total(costs[taken])
                return BETTER
            if control[ROOM] == 0:
                marks[taken] = OUTSIDE
                control[PRUNED] += 1
                bounds[LOWEST_OUTSIDE] = min(bounds[LOWEST_OUTSIDE], f)
                continue
            control[PEAK] = max(control[PEAK], control[WAITING])
            control[ROOM] -= 1
            control[PENDING] = 1
        if control[EXPANDED] >= until:
            return STOPPED
        if control[NODES] + MAX_ACTIONS > len(costs):
            return FULL
        control[PENDING] = 0
        control[EXPANDED] += 1
        place = control[TAKEN]
        state = load(rows, place)
        g = costs[place]
        f = total_of(g, estimate(me, state))
        for action in range(MAX_ACTIONS):
            legal, child, cost = step(me, state, action)
            if not legal:
                if LEGAL_FIRST:
                    break
                continue
            h = estimate(me, child)
            if not is_sound(g, cost, h):
                return FAULTY
            control[GENERATED] += 1
            total = total_of(g + cost, h)
            slot = find(rows, table, child)
            twin = table[slot]
            is_known = twin != NONE and marks[twin] != OUTSIDE
            if is_hopeless(h):
                control[PRUNED] += 1
                control[DEAD_ENDS] += 1
            elif is_known and g + cost >= costs[twin]:
                control[DUPLICATES] += 1
            elif total >= best:
                control[PRUNED] += 1
            else:
                if is_known:
                    control[DUPLICATES] += 1
                    if marks[twin] == OPEN:
                        marks[twin] = CLOSED
                        control[WAITING] -= 1
                    else:
                        control[REOPENED] += 1
                if falls_to(f, total):
                    note_fall(falls, state, g, child, g + cost)
                made = control[NODES]
                table[slot] = made
                store(rows, made, child)
                costs[made], parents[made], actions[made], marks[made] = g + cost, place, action, OPEN
                control[NODES] += 1
                control[WAITING] += 1
                push(following, control[ON_NEXT], total, as_total(h), made)
                control[ON_NEXT] += 1
    return ROUND_OVER


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
        require(size == saved.length("parents"), "it does not say how many nodes there are")
        self._make_room_for(size + self._domain.max_actions)
        self._width = saved.whole("width", 1)
        rounds = self.stats.iterations
        require(rounds and rounds[-1].bound == self._width == control[WIDTH], "it does not say how wide its beam is")
        if self.ended:
            return
        assert self._heuristic is not None
        nodes = ReplayedNodes(saved, self._nodes, [self._domain], self._heuristic.function)
        nodes.estimates[0] = self._root.h
        marks = saved.array("marks", np.int8, size, most=OUTSIDE)
        level, following = read_places(saved, "level", size), read_places(saved, "following", size)
        sizes = (NODES, size), (ON_LEVEL, len(level)), (ON_NEXT, len(following)), (WAITING, int((marks == OPEN).sum()))
        require(all(control[at] == count for at, count in sizes), "its counts are not those of its nodes")
        self._check_taken(nodes, marks, control)
        depth = nodes.depths[control[TAKEN]]
        is_right = (nodes.depths[level] == depth).all() and (nodes.depths[following] == depth + 1).all()
        require(is_right or not control[PENDING], "a node is not on its level")
        waiting = np.union1d(level, following)
        require(np.isin(np.flatnonzero(marks == OPEN), waiting).all(), "a node waits nowhere")
        f = nodes.totals(self._totals.dtype)
        self._marks[:size] = marks
        for heap, places in zip(self._heaps, (level, following), strict=True):
            filled_heap(heap, f[places], nodes.estimates[places], places)
        proved = saved.number("proved")
        require(proved < inf and proved <= self.bound, "it has proved less than that")
        is_outside = marks == OUTSIDE
        self._bounds[LOWEST_OUTSIDE] = f[is_outside].min() if is_outside.any() else self._totals.beyond
        self._bounds[BEST] = self._best_known()
        self._bounds[PROVED] = self._totals.checked(proved, "proved")
        control[SWAPPED] = 0

    @staticmethod
    def _check_taken(nodes: ReplayedNodes, marks: Any, control: Any) -> None:
        """Check the node that was taken last, and what else the control array says of the level."""
        require(control[TAKEN] < nodes.size and control[PENDING] <= 1, "it stands at a node that is not there")
        require(not control[PENDING] or marks[control[TAKEN]] == CLOSED, "it stands at a node that still waits")
        require(control[ROOM] <= control[WIDTH], "more nodes can be expanded than the beam is wide")
