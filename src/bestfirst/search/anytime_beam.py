"""Anytime beam search: ever wider beams, until one of them is complete."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import Any

from bestfirst.problem import Problem
from bestfirst.search.beam import OUTSIDE, check_width
from bestfirst.search.incumbent import checked_upper_bound, gave_up, incumbent_of
from bestfirst.search.node import Node, expand, root_of
from bestfirst.search.open_list import Agenda, by_total
from bestfirst.search.reached import Reached
from bestfirst.search.steps import DEAD_END, GENERATE, Drop, End, Expand, Goal, Made, Prune, Round, Step

FIRST_WIDTH = 1


def anytime_beam(
    problem: Problem,
    h: Callable[[Any], float],
    *,
    width: int = FIRST_WIDTH,
    incumbent: Any = None,
    upper_bound: float | None = None,
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
    return _anytime_beam(problem, h, width, incumbent_of(problem, incumbent, h), checked_upper_bound(upper_bound))


def _anytime_beam(
    problem: Problem, h: Callable[[Any], float], width: int, incumbent: Node | None, best: float
) -> Iterator[Step]:
    root = root_of(problem, h)
    made: Made = [(GENERATE, root)]
    proved = root.f
    has_solution = incumbent is not None and incumbent.g < best
    if incumbent is not None and has_solution:
        best = incumbent.g
        yield Goal(incumbent, made, [], min(proved, best))
        made = []
    while proved < best:
        level, following = Agenda(by_total), Agenda(by_total)
        agenda = _Levels(level, following)
        yield Round(root, made, agenda, proved, what="width", limit=width)
        made = []
        level.push(root)
        reached = Reached(problem, root)
        room = width
        lowest_outside = inf
        while level and proved < best:
            node = level.pop()
            if node.f >= best:
                made.append((Drop("f", best), node))
            elif problem.is_goal(node.state):
                best, has_solution = node.g, True
                yield Goal(node, made, agenda, min(proved, best))
                made = []
            elif room == 0:
                made.append((OUTSIDE, node))
                reached.forget(node)
                lowest_outside = min(lowest_outside, node.f)
            else:
                room -= 1
                yield Expand(node, made, agenda, min(proved, best))
                made = []
                for child in expand(problem, node):
                    twin = reached.at(child.state)
                    child.h = h(child.state) if twin is None else twin.h
                    child.f = child.g + child.h
                    if child.h == inf:
                        made.append((DEAD_END, child))
                    elif child.f >= best:
                        made.append((Prune("f", best), child))
                    else:
                        reached.enter(child, following, made)
            if not level:
                level, following, room = following, level, width
        proved = max(proved, min(best, lowest_outside))
        width *= 2
    yield End(made, [], best, gave_up(best, has_solution))


class _Levels:
    """The waiting nodes of a level and those of the next one, as one agenda."""

    def __init__(self, *levels: Agenda) -> None:
        self._levels = levels

    def __len__(self) -> int:
        return sum(map(len, self._levels))

    def __iter__(self) -> Iterator[Node]:
        for level in self._levels:
            yield from level
