"""Random walks in a problem, on which claims about its actions are tried out: the same ones each time."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from bestfirst.problem import Problem


def random_actions(problem: Problem, walks: int, steps: int) -> Iterator[tuple[Any, Any, Any, float]]:
    """The actions of random walks from the start, of so many steps at most: (state, action, state after it, cost)."""
    random = Random(0)
    for _ in range(walks):
        state = problem.initial
        for _ in range(steps):
            following = list(problem.successors(state))
            if not following:
                break
            action, after, cost = random.choice(following)
            yield state, action, after, cost
            state = after
