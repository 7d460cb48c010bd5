"""True distances in small spaces, by breadth-first search, for the tests of domains whose actions cost 1."""

from __future__ import annotations

from collections import deque
from math import inf
from typing import Any

from bestfirst.problem import Problem


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
