"""The compiled engine: the searches of the reference engine, specialised to a domain and compiled on first use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bestfirst.compiled.drivers.anytime_beam import AnytimeBeam
from bestfirst.compiled.drivers.anytime_weighted_astar import AnytimeWeightedAStar
from bestfirst.compiled.drivers.beam import Beam
from bestfirst.compiled.drivers.best_first import astar, greedy, uniform_cost, weighted_astar
from bestfirst.compiled.drivers.bidirectional import BidirectionalAStar
from bestfirst.compiled.drivers.depth_first_branch_and_bound import DepthFirstBranchAndBound
from bestfirst.compiled.drivers.driver import CompiledDriver
from bestfirst.compiled.drivers.faults import check_start
from bestfirst.compiled.drivers.idastar import IDAStar
from bestfirst.compiled.drivers.parallel_idastar import ParallelIDAStar
from bestfirst.domain import Domain
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.problem import Problem

_DRIVERS: dict[str, Callable[..., CompiledDriver]] = {
    "idastar": IDAStar,
    "astar": astar,
    "uniform-cost": uniform_cost,
    "greedy": greedy,
    "weighted-astar": weighted_astar,
    "anytime-weighted-astar": AnytimeWeightedAStar,
    "depth-first-branch-and-bound": DepthFirstBranchAndBound,
    "beam": Beam,
    "anytime-beam": AnytimeBeam,
    "bidirectional-astar": BidirectionalAStar,
}

_PARALLEL_DRIVERS: dict[str, Callable[..., CompiledDriver]] = {"idastar": ParallelIDAStar}


def compiled_driver(
    domain: Domain,
    algorithm: str,
    heuristic: Heuristic | None,
    threads: int = 1,
    problem: Problem | None = None,
    **options: Any,
) -> CompiledDriver:
    """The compiled search of a domain by this algorithm and heuristic, with the options of the algorithm.

    threads: more than one only for an algorithm of solve.PARALLEL_ALGORITHMS. problem: the original problem, if the domain
    has one.
    Raises CompileError for a domain that cannot be compiled, StateError for a bad initial state, InputError for a bad option.
    """
    check_start(domain)
    own = domain.heuristics()[heuristic.name] if heuristic else None
    if options.get("prune"):
        options["problem"] = problem
    if threads > 1:
        return _PARALLEL_DRIVERS[algorithm](domain, own, threads=threads, **options)
    return _DRIVERS[algorithm](domain, own, **options)
