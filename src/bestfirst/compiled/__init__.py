"""The compiled engine: the same searches as the reference engine, specialised to a domain and compiled at first use."""

from __future__ import annotations

from collections.abc import Callable

from bestfirst.compiled.best_first import astar, greedy, uniform_cost
from bestfirst.compiled.driver import CompiledDriver
from bestfirst.compiled.idastar import IDAStar
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.problem import Domain, Problem

_DRIVERS: dict[str, Callable[[Domain, Heuristic | None], CompiledDriver]] = {
    "idastar": IDAStar,
    "astar": astar,
    "uniform-cost": uniform_cost,
    "greedy": greedy,
}


def compiled_driver(problem: Problem, algorithm: str, heuristic: Heuristic | None) -> CompiledDriver:
    """The compiled search of a problem by the algorithm and the heuristic of those names.

    Raises CompileError for a domain that cannot be compiled.
    """
    domain = problem.domain()
    assert domain is not None
    return _DRIVERS[algorithm](domain, domain.heuristics()[heuristic.name] if heuristic else None)
