"""The search of parts of an iteration, by the kernel of IDA* with one thread: what a worker does.

See jobs.py for parts. The nodes that a worker has yet to search are those on its stack.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from bestfirst.compiled.drivers.idastar import IDAStar, Walk
from bestfirst.compiled.kernels.idastar import EXHAUSTED, FAULTY, FOUND, NOT_KNOWN, STOPPED, WORTHWHILE
from bestfirst.distributed.jobs import MOST_PIECES, Job, Outcome, Part, Result, Searched
from bestfirst.errors import BestfirstError

if TYPE_CHECKING:
    from bestfirst.compiled.store.walks import Records
    from bestfirst.distributed.jobs import Actions, Counts, Place

SECONDS_PER_SLICE = 0.01
"""How often a worker looks whether it is asked to return what is left."""
FIRST_SLICE = 1_000
_OUTCOMES = {FOUND: Outcome.FOUND, FAULTY: Outcome.FAULTY}


class PartSearch(IDAStar):
    """IDA* for one job after another, in one iteration at a time."""

    _most_ended = 0

    def do(self, job: Job, is_asked: Callable[[], bool]) -> Result:
        """Search the parts of a job until its budget is used up, or until it is asked to return what is left."""
        if job.is_pruned and not (self._moves is not None and self._moves.names):
            self._prune_from = 0
            self._get_ready()
        self._bound, self._next_bound = job.bound, inf
        searched: list[Searched] = []
        falls: list[Actions] = []
        rest: tuple[Part, ...] = ()
        is_worthwhile, how, left = job.is_worthwhile, EXHAUSTED, job.budget
        for place, part in enumerate(job.parts):
            self._go_to_part(part, is_worthwhile=is_worthwhile)
            how = self._search_part(left, job.least - (job.budget - left), is_asked)
            walk = self._walk
            searched.append(Searched(part.place, counts_of(walk)))
            left -= searched[-1].counts[0]
            is_worthwhile = is_worthwhile or walk.is_worthwhile
            if walk.first_fall:
                falls.append(tuple(walk.first_fall))
            if how == STOPPED:
                rest = (*self.pieces(walk, part.base), *job.parts[place + 1 :])
            if how != EXHAUSTED:
                break
        return Result(
            job.number,
            _OUTCOMES.get(how, Outcome.RETURNED),
            tuple(searched),
            rest,
            self._next_bound,
            is_worthwhile,
            tuple(falls),
            tuple(self._walk.actions()) if how in _OUTCOMES else (),
        )

    def _go_to_part(self, part: Part, *, is_worthwhile: bool) -> None:
        walk = self._walk
        walk.begin(self._root_row())
        walk.record.repeat_depth = WORTHWHILE if is_worthwhile else NOT_KNOWN
        self._go_to(walk, part.actions, part.base)

    def _search_part(self, budget: int, least: int, is_asked: Callable[[], bool]) -> int:
        """Search what is on the stack; return how that ended: STOPPED if something is left.

        least: the number of expansions before it may be interrupted.
        """
        size, used = FIRST_SLICE, 0
        while True:
            started = perf_counter()
            how = self._search(min(size, budget - used))
            if self.stopped is not None:
                raise BestfirstError("a worker ran out of memory while it stored the path of its search")
            fresh = int(self._walk.record.expanded) - used
            used += fresh
            if how != STOPPED or used >= budget or (used >= least and is_asked()):
                return how
            if fresh >= size:
                size = min(8 * size, max(FIRST_SLICE, int(size * SECONDS_PER_SLICE / (perf_counter() - started))))

    def pieces(self, walk: Walk, base: int) -> list[Part]:
        """What is left of a walk, in order: the nodes at each of the shallowest depths, and at last all deeper ones.

        base: of the part that was searched.
        """
        return pieces_of(walk.stack[: int(walk.record.height)], walk.path, walk.actions(), base, by_f=self._by_f)

    def part_at(self, actions: Sequence[int], base: int) -> Part:
        """The part that begins at a node. Raises SavedError if there is no such node."""
        nodes = self._checked_nodes(actions)
        steps = [(node.f, action) for node, action in zip(nodes[1:], actions, strict=True)]
        return Part(tuple(actions), base, _place(steps, by_f=self._by_f))


def counts_of(walk: Walk) -> Counts:
    """The counts of a walk, as whole numbers of Python."""
    return tuple(walk.counts.tolist())


def pieces_of(stack: Records, path: Records, actions: Sequence[int], base: int, *, by_f: bool) -> list[Part]:
    """See PartSearch.pieces(). stack: up to the current node, to which `actions` lead; path: the nodes before it."""
    if not len(stack):
        return []
    depths, top = stack["depth"].tolist(), len(stack) - 1
    steps = [(path[depth]["f"].item(), action) for depth, action in enumerate(actions, 1)]
    if steps:
        steps[-1] = stack[top]["f"].item(), actions[-1]
    first_of_depth = {depths[place]: place for place in range(top)}  # of several siblings, the last one on the stack
    pieces: list[Part] = []
    for depth in sorted(first_of_depth)[: MOST_PIECES - 1]:
        node = stack[first_of_depth[depth]]
        way = [*steps[: depth - 1], (node["f"].item(), int(node["action"]))]
        pieces.append(Part(tuple(action for _f, action in way), depth - 1, _place(way, by_f=by_f)))
        base = depth
    here = Part(tuple(actions), base, _place(steps, by_f=by_f))
    return [here, *reversed(pieces)]


def _place(steps: Sequence[tuple[float, int]], *, by_f: bool) -> Place:
    """The place of a node, by the f of each node on the path to it, and the action that led there."""
    if by_f:
        return tuple(number for step in steps for number in step)
    return tuple(action for _f, action in steps)
