"""A portfolio: several searches of one problem, each on a worker of its own, which tell each other the best solution."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from bestfirst.errors import InputError
from bestfirst.problem import Problem
from bestfirst.search.steps import Step

NAME = "portfolio"


def portfolio(
    problem: Problem,
    h: Callable[[Any], float] | None = None,
    *,
    members: Sequence[Any] | None = None,
    incumbent: Any = None,
    upper_bound: float | None = None,
) -> Iterator[Step]:
    """Several anytime searches on workers, each of which seeks only solutions better than the best one known to any.

    Guarantee: the last solution is the cheapest, if a member proves that: one that exhausts the paths below the cost of the
        best solution, or one whose lower bound meets it. Terminates as soon as one member does so.
    Time and memory: those of all members together.
    Ties: the first of equally good solutions is kept. Which member finds it depends on the speed of the workers.
    members: the searches, each an algorithm with its options; by default, a choice for the problem.
    incumbent: a known solution, or its actions, to start with. upper_bound: only solutions that cost less are sought.
    Source: Huberman, Lukose & Hogg 1997; Gomes & Selman 2001 (algorithm portfolios); the incumbent is shared as in parallel
    branch and bound (Lai & Sahni 1984).
    """
    del h, members, incumbent, upper_bound
    raise InputError(
        f"the members of a portfolio search {problem.name()} on workers, not step by step; call bf.solve(problem, {NAME!r})"
    )
