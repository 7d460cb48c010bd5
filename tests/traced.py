"""Traces of small searches for the tests of what is made from them."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Any

import pytest

from bestfirst.domains import SlidingTile
from bestfirst.problem import Problem, Successor
from bestfirst.search import ALGORITHMS
from bestfirst.solution import Limits, Solution
from bestfirst.solve import solve
from bestfirst.trace import Trace

ODD_STATES = (
    "",
    'a "b" <c> & &amp; ]]>',
    "two\nlines \\n \\",
    "日本 é ${{ $.x }}",
    "\x00\x1b[1m\u2028",
    "1e5",
    "dead \ud800 end",
    "goal",
)


DEAD_END = 6


class Odd(Problem):
    """A chain of states whose texts are hard to quote, with short cuts, ways back that cost nothing, and a dead end."""

    initial = 0

    def successors(self, state: int) -> Iterable[Successor]:
        if state == DEAD_END:
            return []
        last = len(ODD_STATES) - 1
        steps = [(f"-> {step}\n\"'", min(state + step, last), cost) for step, cost in ((2, 3), (1, 1))]
        return [*steps, ("", 0, 0)]

    def is_goal(self, state: int) -> bool:
        return state == len(ODD_STATES) - 1

    def backward(self) -> Problem:
        return _OddBackward()

    def goal_state(self) -> int:
        return len(ODD_STATES) - 1

    def format(self, state: int) -> str:
        return ODD_STATES[state]


class _OddBackward(Odd):
    initial = len(ODD_STATES) - 1

    def successors(self, state: int) -> Iterable[Successor]:
        forward = Odd()
        return [
            (action, before, cost)
            for before in range(len(ODD_STATES))
            for action, after, cost in forward.successors(before)
            if after == state
        ]

    def is_goal(self, state: int) -> bool:
        return state == 0


def odd_estimate(state: int) -> float:
    return inf if state == DEAD_END else 0


LECTURE = SlidingTile("3 1 2 4 7 5 6 8 _", "_ 1 2 3 4 5 6 7 8", moves="UDLR")
"""The puzzle of worked case 4."""

every_algorithm = pytest.mark.parametrize("algorithm", list(ALGORITHMS))
every_problem = pytest.mark.parametrize("problem", [LECTURE, Odd()], ids=["boards", "odd texts"])


def solved(
    problem: Problem, algorithm: str, *, limit: int = 100_000, agendas: bool = False, expansions: int = 60
) -> Solution:
    """A small search with its trace."""
    heuristic: Any = "manhattan" if isinstance(problem, SlidingTile) else odd_estimate
    options: dict[str, Any] = {"depth": 6} if algorithm == "depth-limited" else {}
    return solve(
        problem,
        algorithm,
        None if ALGORITHMS[algorithm].heuristic == "none" else heuristic,
        trace=Trace(limit, agendas=agendas),
        limits=Limits(expansions=expansions),
        **options,
    )


def traced(problem: Problem, algorithm: str, *, limit: int = 100_000, agendas: bool = False, expansions: int = 60) -> Trace:
    """The trace of a small search."""
    trace = solved(problem, algorithm, limit=limit, agendas=agendas, expansions=expansions).trace
    assert trace is not None
    return trace
