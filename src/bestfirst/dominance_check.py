"""A check of declared dominance: states that should be at least as good as others, but have no path to a goal as cheap."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from itertools import islice, permutations
from typing import Any, TypeVar

from bestfirst.heuristics.space import explore_watched
from bestfirst.heuristics.watch import Watch
from bestfirst.problem import Problem
from bestfirst.rounding import exceeds_rounding
from bestfirst.search.dominance import dominance_of

_T = TypeVar("_T")
MOST_STATES = 1 << 62


class _First(Watch):
    """A watch that ends each loop after some states."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def over(self, results: Iterable[_T], *_: object, **__: object) -> Iterator[_T]:
        return islice(iter(results), self._most)


def counter_example(problem: Problem, states: int) -> str | None:
    """A state that dominates another one although its cheapest path to a goal costs more; None if none was found.

    states: the number of states to expand, breadth-first from the initial one. Pairs of states are compared whose distances to
    the nearest goal are then known.
    """
    dominance = dominance_of(problem)
    if dominance is None:
        return None
    space = explore_watched(problem, MOST_STATES, _First(states))
    assert space is not None, "more states than any machine holds"
    groups: defaultdict[Hashable, list[tuple[Any, float]]] = defaultdict(list)
    for state, distance in zip(space.states, space.known_distances(), strict=True):
        if distance is not None:
            groups[dominance.group(state)].append((state, distance))
    for group in groups.values():
        for (state, distance), (other, others) in permutations(group, 2):
            if exceeds_rounding(distance, others, 1) and dominance.dominates(state, other):
                return (
                    f"{state!r} dominates {other!r}, but the cheapest path to a goal costs {distance:g} from the first and "
                    f"{others:g} from the second"
                )
    return None
