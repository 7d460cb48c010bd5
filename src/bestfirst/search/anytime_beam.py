"""Anytime beam search: ever wider beams, until one of them is complete."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sized
from math import inf
from typing import Any

from bestfirst.problem import Problem
from bestfirst.search.beam import OUTSIDE, check_width
from bestfirst.search.incumbent import UpperBound, gave_up, incumbent_of
from bestfirst.search.node import Node, expand, root_of, total_of
from bestfirst.search.open_list import Agenda, by_total
from bestfirst.search.reached import Reached
from bestfirst.search.steps import DEAD_END, GENERATE, Drop, End, Expand, Goal, Made, Prune, Round, Step

FIRST_WIDTH = 1
NO_BETTER = Drop("the rest of the path leads to no better solution")


def anytime_beam(
    problem: Problem,
    h: Callable[[Any], float],
    *,
    width: int = FIRST_WIDTH,
    incumbent: Any = None,
    upper_bound: float | UpperBound | None = None,
) -> Iterator[Step]:
    """Search with beams of `width`, 2 * `width`, 4 * `width`, ... nodes.

    Nodes whose f is not below the best cost are pruned. On each level the `width` nodes with the lowest f are expanded,
    and the others fall outside the beam and are forgotten. A cheaper path to a state replaces the known one, even if
    that has been expanded.

    Guarantee: the last solution is the cheapest, if h is admissible; h need not be consistent. Any path to a cheaper
    solution contains a node that fell outside the beam in the last iteration. So the lowest f of those nodes is a lower
    bound; the search ends when this bound reaches the best cost, at the latest when nothing falls outside.
    Terminates on every finite problem. Suited to problems with many goals at unknown depths and few dead ends: the first
    iterations are short, and each may improve on those before.
    Time: all iterations before the last together take about as long as the last. Memory: the states reached in one iteration.
    Ties: among equal f, the lower h first, then first in, first out.
    incumbent: a known solution, or its actions, to start with. upper_bound: only solutions that cost less are sought.
    Source: Zhang 1998 (complete anytime beam search); Kuroiwa & Beck 2023 (by layers, with widths doubled).
    """
    check_width(width)
    return _anytime_beam(problem, h, width, incumbent_of(problem, incumbent, h), UpperBound.of(upper_bound))


def _anytime_beam(
    problem: Problem, h: Callable[[Any], float], width: int, incumbent: Node | None, below: UpperBound
) -> Iterator[Step]:
    root = root_of(problem, h)
    known = Known(root, below)
    yield from known.begin_with(incumbent)
    while known.proved < known.best:
        lowest_outside = yield from whole_beam(problem, h, known, root, width)
        known.prove(lowest_outside)
        width *= 2
    yield known.end()


class Known:
    """What a search has found and proved, and what its next step will report.

    best: the cost of the best solution, or the one to beat; goal: its last node, or None; proved: the lower bound; made: see Step;
    expanded: the number of expansions. below: the bound that other searches lower.
    """

    def __init__(self, root: Node, below: UpperBound) -> None:
        self.best, self.proved, self.below = below.cost, root.f, below
        self.goal: Node | None = None
        self.made: Made = [(GENERATE, root)]
        self.expanded = 0

    def begin_with(self, incumbent: Node | None) -> Iterator[Step]:
        """Take a known solution as the best one, if it is."""
        if incumbent is not None and incumbent.g < self.best:
            yield self.improved(incumbent, [])

    def improved(self, goal: Node, agenda: Sized) -> Goal:
        """The step to a better solution."""
        self.goal, self.best = goal, goal.g
        return Goal(goal, self.reported(), agenda, self.bound)

    def adopt(self, problem: Problem, h: Callable[[Any], float]) -> Iterator[Step]:
        """Take the solution that another search has found, if it is better."""
        actions = self.below.actions
        if actions is not None and (self.goal is None or self.below.cost < self.goal.g):
            goal = incumbent_of(problem, actions, h)
            assert goal is not None
            yield self.improved(goal, [])

    def expand(self, node: Node, agenda: Sized) -> Expand:
        """The step that expands a node."""
        self.expanded += 1
        self.best = min(self.best, self.below.cost)
        return Expand(node, self.reported(), agenda, self.bound)

    def end(self) -> End:
        """The last step."""
        return End(self.made, [], self.best, gave_up(self.best, self.goal is not None))

    def prove(self, lowest_outside: float) -> None:
        """Raise the lower bound after a beam from the start. lowest_outside: the lowest f that fell outside it."""
        self.proved = max(self.proved, min(self.best, lowest_outside))

    @property
    def bound(self) -> float:
        """The lower bound on the cost of every solution."""
        return min(self.proved, self.best)

    def reported(self) -> Made:
        """What was made since the last step, which now reports it."""
        made, self.made = self.made, []
        return made


class Region:
    """The part of a problem that a beam searches: here, the whole problem.

    limit: nodes whose path does not cost less are dropped.
    """

    limit: float = inf

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def is_end(self, node: Node) -> bool:
        """Whether the region is left at a node, which is then not expanded."""
        return self.problem.is_goal(node.state)

    def solution(self, node: Node) -> Node | None:
        """The goal that follows from such a node; None if there is none that is better."""
        return node

    def children(self, node: Node) -> Iterator[Node]:
        """The children of a node that are in the region."""
        return expand(self.problem, node)


def whole_beam(
    problem: Problem, h: Callable[[Any], float], known: Known, root: Node, width: int
) -> Generator[Step, None, float]:
    """One iteration: a beam from the start to goals. Returns the lowest f that fell outside it."""
    yield Round(root, known.reported(), [], known.proved, what="width", limit=width)
    return (yield from beam_in(Region(problem), h, known, root, width))


def beam_in(region: Region, h: Callable[[Any], float], known: Known, root: Node, width: int) -> Generator[Step, None, float]:
    """Search a region with a beam from a node. Returns the lowest f that fell outside it."""
    level, following = Agenda(by_total), Agenda(by_total)
    agenda = Levels(level, following)
    level.push(root)
    reached = Reached(region.problem, root)
    room = width
    lowest_outside = inf
    while level and known.proved < known.best:
        node = level.pop()
        if node.f >= known.best:
            known.made.append((Drop("f", known.best), node))
        elif node.g >= region.limit:
            known.made.append((Drop("g", region.limit), node))
        elif region.is_end(node):
            goal = region.solution(node)
            if goal is None:
                known.made.append((NO_BETTER, node))
            else:
                yield known.improved(goal, agenda)
        elif room == 0:
            known.made.append((OUTSIDE, node))
            reached.forget(node)
            lowest_outside = min(lowest_outside, node.f)
        else:
            room -= 1
            yield known.expand(node, agenda)
            for child in region.children(node):
                twin = reached.at(child.state)
                child.h = h(child.state) if twin is None else twin.h
                child.f = total_of(child.g, child.h)
                if child.h == inf:
                    known.made.append((DEAD_END, child))
                elif child.f >= known.best:
                    known.made.append((Prune("f", known.best), child))
                elif child.g >= region.limit:
                    known.made.append((Prune("g", region.limit), child))
                else:
                    reached.enter(child, following, known.made)
        if not level:
            level, following, room = following, level, width
    return lowest_outside


class Levels:
    """The waiting nodes of a level and those of the next one, as one agenda."""

    def __init__(self, *levels: Agenda) -> None:
        self._levels = levels

    def __len__(self) -> int:
        return sum(map(len, self._levels))

    def __iter__(self) -> Iterator[Node]:
        for level in self._levels:
            yield from level
