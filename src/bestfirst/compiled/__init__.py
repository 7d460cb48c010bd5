"""The compiled engine: the searches of the reference engine, specialised to a domain and compiled on first use."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from bestfirst.compiled.drivers.faults import check_start
from bestfirst.domain import Domain
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.problem import Problem

if TYPE_CHECKING:
    from bestfirst.compiled.drivers.driver import CompiledDriver
    from bestfirst.recycled import Recycled

_DRIVERS = {
    "idastar": "idastar.IDAStar",
    "astar": "best_first.astar",
    "uniform-cost": "best_first.uniform_cost",
    "greedy": "best_first.greedy",
    "weighted-astar": "best_first.weighted_astar",
    "anytime-weighted-astar": "anytime_weighted_astar.AnytimeWeightedAStar",
    "depth-first-branch-and-bound": "depth_first_branch_and_bound.depth_first_branch_and_bound",
    "limited-discrepancy": "limited_discrepancy.LimitedDiscrepancy",
    "beam": "beam.Beam",
    "anytime-beam": "anytime_beam.AnytimeBeam",
    "large-neighbourhood-beam": "large_neighbourhood_beam.LargeNeighbourhoodBeam",
    "bidirectional-astar": "bidirectional.BidirectionalAStar",
}
"""The module in drivers/, and its driver, for each algorithm; a search imports only its own."""
_RECYCLING = frozenset({"astar", "uniform-cost", "greedy", "weighted-astar"})
_PARALLEL_DRIVERS = {
    "idastar": "parallel_idastar.ParallelIDAStar",
    "astar": "parallel_best_first.ParallelBestFirst",
    "uniform-cost": "parallel_best_first.ParallelBestFirst",
    "anytime-beam": "parallel_anytime_beam.ParallelAnytimeBeam",
}


def compiled_driver(
    domain: Domain,
    algorithm: str,
    heuristic: Heuristic | None,
    threads: int = 1,
    problem: Problem | None = None,
    recycled: Recycled | None = None,
    on: str | None = None,
    **options: Any,
) -> CompiledDriver:
    """The compiled search of a domain by this algorithm, with its options, and a heuristic of the domain.

    threads: more than one only for an algorithm of solve.PARALLEL_ALGORITHMS. problem: the original problem, if the domain
    has one. recycled: the arrays of an earlier search, which best-first searches can use. on: where workers search, with the
    options `workers` and `given` (distributed/driver.py).
    Raises CompileError for a domain that cannot be compiled, StateError for a bad initial state, InputError for a bad option.
    """
    check_start(domain)
    if on is not None:
        return _driver("bestfirst.distributed.crews.distributed")(domain, heuristic, on=on, problem=problem, **options)
    if options.get("prune"):
        options["problem"] = problem
    if threads > 1:
        return _driver(_PARALLEL_DRIVERS[algorithm])(domain, heuristic, threads=threads, **options)
    if recycled is not None and algorithm in _RECYCLING:
        options["recycled"] = recycled
    return _driver(_DRIVERS[algorithm])(domain, heuristic, **options)


def _driver(place: str) -> Callable[..., CompiledDriver]:
    module, _, name = place.rpartition(".")
    made: Callable[..., CompiledDriver] = getattr(
        import_module(module if "." in module else f"{__name__}.drivers.{module}"), name
    )
    return made
