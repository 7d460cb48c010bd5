"""Beam search: breadth-first search that keeps only the best few nodes of each level."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import Any

from bestfirst.errors import InputError
from bestfirst.problem import Problem
from bestfirst.search.node import Node, expand, root_of, total_of
from bestfirst.search.open_list import by_estimate
from bestfirst.search.steps import DEAD_END, DUPLICATE, GENERATE, Drop, End, Expand, Fate, Goal, Made, Step

OUTSIDE = Drop("outside the beam")
WIDTH = 100


def check_width(width: int) -> None:
    """Raise InputError for a width below 1."""
    if isinstance(width, bool) or not isinstance(width, int) or width < 1:
        raise InputError(f"the width of the beam is {width!r}; use a whole number >= 1")


def beam(problem: Problem, h: Callable[[Any], float], *, width: int = WIDTH) -> Iterator[Step]:
    """Expand all nodes of a level; keep the `width` children with the lowest h as the next level.

    Guarantee: none, neither that a solution is found nor about its cost. If nothing fell outside the beam and no goal was
    found, the problem is unsolvable; otherwise a failed search ends with status limit (width).
    Terminates on every finite problem: no state is entered twice.
    Time: width nodes per level. Memory: the states reached.
    Ties: among equal h, the child generated first.
    Source: Lowerre 1976; Bisiani 1987.
    """
    check_width(width)
    return _beam(problem, h, width)


def _beam(problem: Problem, h: Callable[[Any], float], width: int) -> Iterator[Step]:
    root = root_of(problem, h)
    made: Made = [(GENERATE, root)]
    level = [root] if root.h < inf else []
    met = {root.state: root.h}
    narrowed = False
    while level:
        candidates: list[Node] = []
        for place, node in enumerate(level):
            waiting = range(len(level) - place - 1 + len(candidates))
            if problem.is_goal(node.state):
                yield Goal(node, made, waiting, 0)
                return
            yield Expand(node, made, waiting, 0)
            made = []
            for child in expand(problem, node):
                fate: Fate = GENERATE
                known = met.get(child.state)
                child.h = h(child.state) if known is None else known
                child.f = total_of(child.g, child.h)
                if known is not None:
                    fate = DUPLICATE
                else:
                    met[child.state] = child.h
                    if child.h == inf:
                        fate = DEAD_END
                    else:
                        candidates.append(child)
                made.append((fate, child))
        candidates.sort(key=by_estimate)
        level = candidates[:width]
        for node in candidates[width:]:
            narrowed = True
            made.append((OUTSIDE, node))
    yield End(made, level, 0 if narrowed else inf, "width" if narrowed else None)
