"""Comparisons: algorithms with heuristics on instances, one search after the other, so that their times can be compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bestfirst.errors import BestfirstError, InputError
from bestfirst.problem import Problem
from bestfirst.resumable_search import Search
from bestfirst.search import Algorithm, algorithm_named
from bestfirst.solution import Solution, Status, effective_branching_factor
from bestfirst.studio.instances import problem_of
from bestfirst.studio.searching import Progress, arguments, limits_of
from bestfirst.studio.worker import Request, Tell

MOST_SEARCHES = 400


def compare(request: Request, tell: Tell) -> None:
    """Search each of the request's `instances` with each of its `algorithms` and `heuristics`; tell a row for each.

    An instance is an object with the fields instance and options; others are ignored.
    """
    instances = request.get("instances") or []
    algorithms = [algorithm_named(str(name)) for name in request.get("algorithms") or ()]
    if not instances:
        raise InputError("there is no instance; add one, or add random instances")
    if not algorithms:
        raise InputError("there is no algorithm; choose one or more")
    wanted = [str(name) for name in request.get("heuristics") or ()]
    if len(instances) * len(algorithms) * max(1, len(wanted)) > MOST_SEARCHES:
        raise InputError(f"this is more than {MOST_SEARCHES} searches; choose fewer instances, algorithms or heuristics")
    for number, instance in enumerate(instances):
        problem = problem_of({**request, **{field: instance.get(field, "") for field in ("instance", "options")}})
        for algorithm, heuristic in _pairs(problem, algorithms, wanted):
            about = {"instance": number, "algorithm": algorithm.name, "heuristic": heuristic}
            tell({"begins": about})
            row = _row(problem, algorithm, heuristic, request, Progress(tell, **about))
            tell({"row": {**about, **row}})
            if row.get("status") == Status.INTERRUPTED:
                return


def _pairs(
    problem: Problem[Any, Any], algorithms: list[Algorithm], wanted: list[str]
) -> Iterator[tuple[Algorithm, str | None]]:
    """The pairs of an algorithm and a heuristic: None for an algorithm that takes none."""
    for algorithm in algorithms:
        if algorithm.heuristic == "none":
            yield algorithm, None
            continue
        names: list[str | None] = [*wanted] or [problem.default_heuristic]
        for heuristic in names:
            yield algorithm, heuristic


def _row(
    problem: Problem[Any, Any], algorithm: Algorithm, heuristic: str | None, request: Request, progress: Progress
) -> dict[str, Any]:
    """The result of one search; its error in words, if it cannot be done."""
    given = arguments(request)
    options = {name: value for name, value in given.items() if name == "engine" or name in algorithm.options}
    try:
        running = Search(problem, algorithm.name, heuristic, limits=limits_of(request), **options)
        return _result(running.run(progress=progress))
    except BestfirstError as error:
        return {"error": str(error)}


def _result(solution: Solution[Any, Any]) -> dict[str, Any]:
    stats = solution.stats
    return {
        "status": solution.status,
        "limit": solution.limit,
        "cost": solution.cost,
        "lower_bound": solution.lower_bound,
        "actions": len(solution) if solution.found else None,
        "expanded": stats.expanded,
        "generated": stats.generated,
        "seconds": stats.seconds,
        "peak_agenda": stats.peak_agenda,
        "branching": effective_branching_factor(stats.generated, len(solution)),
        "engine": solution.engine,
        "warnings": solution.warnings,
    }
