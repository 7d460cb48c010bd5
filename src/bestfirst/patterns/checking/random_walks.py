"""Reproducible random walks in a problem, for testing claims about its actions."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from bestfirst.problem import Problem


def random_actions(problem: Problem, walks: int, steps: int) -> Iterator[tuple[Any, Any, Any, float]]:
    """The actions of random walks from the start, with at most `steps` each: (state, action, next state, cost)."""
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
