"""Large-neighbourhood beam search: between ever wider beams, parts of the best path are searched again, for a cheaper way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf
from random import Random
from typing import Any

from bestfirst.arguments import check_whole
from bestfirst.problem import Problem
from bestfirst.search.anytime_beam import FIRST_WIDTH, Known, Region, beam_in, whole_beam
from bestfirst.search.beam import check_width
from bestfirst.search.depth_fence import DepthFence
from bestfirst.search.dominance import is_as_good_in
from bestfirst.search.incumbent import UpperBound, child_by, incumbent_of
from bestfirst.search.node import Node, root_of
from bestfirst.search.steps import Step

EFFORT = 4
"""Windows may take so many times the expansions of the last beam from the start without an improvement."""
ATTEMPTS = 100
"""How often a window is drawn until it is one that was not searched before."""


def large_neighbourhood_beam(
    problem: Problem,
    h: Callable[[Any], float],
    *,
    width: int = FIRST_WIDTH,
    seed: int = 0,
    incumbent: Any = None,
    upper_bound: float | UpperBound | None = None,
) -> Iterator[Step]:
    """Anytime beam search that also improves parts of the best path after each iteration.

    Such a part, a window, is 2, 4, 8, ... actions long and lies anywhere on the path. A beam of the same width looks for a
    cheaper way to the state at its end, or to one that dominates it; the rest of the path is then followed. If no action is taken
    twice on the path, as in tours and schedules, the actions after the window are not tried in it. Windows are drawn at
    random, until they have taken 4 times the expansions of the iteration without an improvement.

    Guarantee: that of anytime beam search, whose iterations alone prove the lower bound. Terminates on every finite
    problem. Suited to long paths, such as large schedules and tours, whose parts depend little on each other.
    Time: up to 5 times that of anytime beam search to the same width, and more while windows bring improvements.
    Memory: the states reached in one iteration.
    Ties: among equal f, the lower h first, then first in, first out.
    seed: the random seed for the windows. width, incumbent, upper_bound: as in anytime beam search.
    Source: Kuroiwa & Beck 2023 (large neighborhood beam search; here simpler: windows are drawn at random, without learning
    which length pays).
    """
    check_width(width)
    check_whole("seed", seed, 0)
    known = incumbent_of(problem, incumbent, h)
    return _large_neighbourhood_beam(problem, h, width, Windows(seed), known, UpperBound.of(upper_bound))


def _large_neighbourhood_beam(
    problem: Problem, h: Callable[[Any], float], width: int, windows: Windows, incumbent: Node | None, below: UpperBound
) -> Iterator[Step]:
    root = root_of(problem, h)
    known = Known(root, below)
    yield from known.begin_with(incumbent)
    while known.proved < known.best:
        before = known.expanded
        lowest_outside = yield from whole_beam(problem, h, known, root, width)
        known.prove(lowest_outside)
        yield from known.adopt(problem, h)
        if known.goal is not None:
            yield from _improve(problem, h, known, width, windows, EFFORT * (known.expanded - before))
        width *= 2
    yield known.end()


def _improve(
    problem: Problem, h: Callable[[Any], float], known: Known, width: int, windows: Windows, effort: int
) -> Iterator[Step]:
    """Search windows of the best path, until this many expansions have brought no improvement."""
    assert known.goal is not None
    path = windows.begin(known.goal)
    until = known.expanded + effort
    while known.proved < known.best and known.expanded < until:
        window = windows.draw()
        if window is None:
            return
        start, end = window
        before = known.goal
        lowest_outside = yield from beam_in(_Window(problem, h, known, path, end), h, known, path[start], width)
        yield from known.adopt(problem, h)
        if known.goal is not before:
            path = windows.begin(known.goal)
            until = known.expanded + effort
        elif lowest_outside == inf:
            windows.settle(window)


class _Window(Region):
    """What is searched from a place of a path: ways to the place where a window ends.

    end: that place. known: its best cost is the one to beat.
    """

    def __init__(self, problem: Problem, h: Callable[[Any], float], known: Known, path: list[Node], end: int) -> None:
        super().__init__(problem)
        self._h, self._known = h, known
        self._is_as_good = is_as_good_in(problem)
        self._deepest = problem.depth if isinstance(problem, DepthFence) else inf
        self._target = path[end] if end < len(path) - 1 else None
        self._rest = [node.action for node in path[end + 1 :]]
        self._reserved = reserved(path, end)
        if self._target is not None:
            self.limit = self._target.g

    def is_end(self, node: Node) -> bool:
        return super().is_end(node) or (self._target is not None and self._is_as_good(node.state, self._target.state))

    def solution(self, node: Node) -> Node | None:
        if super().is_end(node):
            return node
        goal = completed(self.problem, node, self._rest, self._h)
        if goal is None or goal.g >= self._known.best or goal.depth > self._deepest:
            return None
        self.limit = node.g
        return goal

    def children(self, node: Node) -> Iterator[Node]:
        return (child for child in super().children(node) if not self._reserved or child.action not in self._reserved)


def completed(problem: Problem, node: Node, actions: Sequence[Any], h: Callable[[Any], float]) -> Node | None:
    """The goal that actions lead to from a node; None if they are not legal there, or lead to no goal."""
    for action in actions:
        following = child_by(problem, node, action, h)
        if following is None:
            return None
        node = following
    return node if problem.is_goal(node.state) else None


def reserved(path: Sequence[Node], end: int) -> frozenset[Any]:
    """The actions that a window does without: those of the path after its end, if no action is taken twice on the path.

    An action that is not hashable is never reserved.
    """
    try:
        actions = {node.action for node in path[1:]}
    except TypeError:
        return frozenset()
    return frozenset(node.action for node in path[end + 1 :]) if len(actions) == len(path) - 1 else frozenset()


class Windows:
    """Windows of a path in random order, each once for each width: pairs of places on it."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)
        self._path: list[Node] = []
        self._settled: set[tuple[int, int]] = set()
        self._drawn: set[tuple[int, int]] = set()

    def begin(self, goal: Node) -> list[Node]:
        """Begin anew, with the path to a goal or with another width; returns the path."""
        if not self._path or self._path[-1] is not goal:
            self._path = goal.path()
            self._settled = set()
        self._drawn = set(self._settled)
        return self._path

    def draw(self) -> tuple[int, int] | None:
        """The next window; None if none was found."""
        length = len(self._path) - 1
        longest = length.bit_length() - 1
        if longest < 1:
            return None
        for _ in range(ATTEMPTS):
            size = 1 << self._chance.randint(1, longest)
            start = self._chance.randint(0, length - size)
            window = start, start + size
            if window not in self._drawn and self._path[window[1]].g > self._path[start].g:
                self._drawn.add(window)
                return window
        return None

    def settle(self, window: tuple[int, int]) -> None:
        """Do not draw a window again, whatever the width, until there is a better path: all of it was searched."""
        self._settled.add(window)
