"""True distances in small spaces, by breadth-first search, for the tests of domains whose actions cost 1."""

from __future__ import annotations

from collections import deque
from math import inf
from typing import Any

from bestfirst.problem import Problem

CENTRE = "1 2 3 8 _ 4 7 6 5"
CORNER = "_ 1 2 3 4 5 6 7 8"

DEPTHS = {
    CENTRE: [
        *(1, 4, 8, 8, 16, 32, 60, 72, 136, 200, 376, 512, 964, 1296, 2368, 3084, 5482, 6736, 11132, 12208, 18612, 18444),
        *(24968, 19632, 22289, 13600, 11842, 4340, 2398, 472, 148),
    ],
    CORNER: [
        *(1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878, 16993, 17110),
        *(23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2),
    ],
}
"""By goal, how many boards of the 8-puzzle there are at each distance from it."""


def distances_from(problem: Problem, start: Any) -> dict[Any, int]:
    """The distance of every state from one; where actions can be undone, also to it."""
    distances = {start: 0}
    for state in (agenda := [start]):
        for _, after, _ in problem.successors(state):
            if after not in distances:
                distances[after] = distances[state] + 1
                agenda.append(after)
    return distances


def true_distances(problem: Problem) -> dict[Any, float]:
    """The distance of every state that the start reaches to the nearest goal, against the edges; infinite if there is none."""
    before: dict[Any, list[Any]] = {problem.initial: []}
    for state in (found := [problem.initial]):
        for _, after, _ in problem.successors(state):
            if after not in before:
                before[after] = []
                found.append(after)
            before[after].append(state)
    distances: dict[Any, float] = dict.fromkeys(found, inf)
    agenda = deque(state for state in found if problem.is_goal(state))
    distances.update(dict.fromkeys(agenda, 0))
    while agenda:
        state = agenda.popleft()
        for previous in before[state]:
            if distances[previous] == inf:
                distances[previous] = distances[state] + 1
                agenda.append(previous)
    return distances
