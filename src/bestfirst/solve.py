"""solve(): search a problem to the end, or to a limit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bestfirst.looking_once import looking_once
from bestfirst.problem import Problem
from bestfirst.recycled import of_last_solve
from bestfirst.resumable_search import OnImprovement, Progress, Search
from bestfirst.search_plan import HeuristicChoice
from bestfirst.solution import Limits, Solution
from bestfirst.trace import Trace
from bestfirst.typed import ActionT, StateT

if TYPE_CHECKING:
    from bestfirst.algorithms import AlgorithmChoice
    from bestfirst.patterns.policy import Policy

__all__ = ["Search", "solve"]


def solve(
    problem: Problem[StateT, ActionT],
    algorithm: str | AlgorithmChoice | None = None,
    heuristic: HeuristicChoice | None = None,
    *,
    limits: Limits | None = None,
    trace: bool | Trace = False,
    progress: Progress[StateT, ActionT] = None,
    on_improvement: OnImprovement[StateT, ActionT] = None,
    engine: str | None = None,
    threads: int | None = None,
    on: str | None = None,
    workers: int | None = None,
    verify: bool = True,
    databases: Policy | None = None,
    save_to: str | Path | None = None,
    **options: Any,
) -> Solution[StateT, ActionT]:
    """Search a problem to the end, or to a limit.

    The search depends on the problem and these arguments alone: solution.plan names each choice and its reason (see
    search_plan.py).

    algorithm: a name of bestfirst.ALGORITHMS, "portfolio", or an object such as IDAStar(prune=8). Default: "astar" if there is a
    heuristic, otherwise "uniform-cost". A long sliding-tile search uses "idastar", which needs almost no memory.
    heuristic: a name that the problem offers, a function of a state, a Heuristic, or bf.sum_of(*databases).
    Default: the problem's default heuristic (branch and bound uses a heuristic only if you name one), and after 2,000
    expansions the problem's heuristic for long searches, if any; if that needs pattern databases, they are built once,
    in a few seconds. A search that gives no lower bound keeps the default heuristic.
    limits: what the search may use. trace: True, or a Trace, to record its events.
    progress: called with the Search before each expansion, so it should be quick.
    on_improvement: called with the Solution when a better one is known; at most ten times a second in the compiled engine.
    engine: "python", the reference engine, or "compiled". By default the compiled engine takes over from the reference
    engine after 2,000 expansions, if it can. Both run the same search: only the speed differs.
    threads: the number of worker threads, for "idastar", "astar", "uniform-cost" and "anytime-beam" in the compiled engine. The
        status, the cost and the bound are the same for any number. For "idastar" and "anytime-beam", so are the solution and,
        at the end of the search, all counts; for the others, they depend on the number, but are the same in each run. Default:
        one; all processors for the long search of a problem that names "idastar".
    on: "local" or "ray": for "idastar", workers search the parts of each iteration: processes of this machine, or of a Ray cluster
        (the extra `ray`). The solution and, at the end of the search, all counts are those of one thread. workers: their number;
        default: one for each processor of the machine, or of the cluster. The limit on memory is for this process alone. For
        "portfolio": where its members search, and how many it has; default: "local", one for each processor, at least two. The
        members share the limits.
    verify: whether to replay the solution through the problem's own successors and goal test before returning it.
    databases: a bestfirst.patterns.Policy: whether pattern databases may be built, and where they are stored.
    save_to: a file to which the search is saved every minute and at the end, as Search.save() does, so that Search.load() can
        continue it if this process ends. A search that ends before the compiled engine takes over is not saved.
    options: the options of the algorithm, such as weight=2 or width=50.
    Raises InputError, ProblemError, and VerificationError for a solution that does not hold (see bestfirst.errors).
    """

    def work() -> Solution[StateT, ActionT]:
        search = Search(
            problem,
            algorithm,
            heuristic,
            limits=limits,
            trace=trace,
            engine=engine,
            threads=threads,
            on=on,
            workers=workers,
            verify=verify,
            databases=databases,
            **options,
        )
        if search.limits.memory is None and progress is None and on_improvement is None and save_to is None:
            return search._run_with(of_last_solve())
        return search._run_at_once(progress, on_improvement, save_to)

    return looking_once(problem, work, algorithm, heuristic, *options.values())
