"""solve_many(): many problems, such as pairs of places on one map, reusing all that one search can leave to the next.

paths = bf.solve_many(grid.between(start, goal) for start, goal in pairs)
for solution in bf.solve_many(puzzles, on="local"): ...      # on all processors of this machine
for solution in bf.solve_many(puzzles, on="ray"): ...        # on a Ray cluster
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal, overload

from bestfirst.arguments import check_function, check_kind, suggesting
from bestfirst.errors import InputError
from bestfirst.problem import Problem
from bestfirst.search_plan import HeuristicChoice, check_search
from bestfirst.solution import Limits, Solution
from bestfirst.typed import ActionT, StateT

if TYPE_CHECKING:
    from bestfirst.algorithms import AlgorithmChoice
    from bestfirst.batches.batch import Batch
    from bestfirst.patterns.policy import Policy


@overload
def solve_many(
    problems: Iterable[Problem[StateT, ActionT]],
    algorithm: str | AlgorithmChoice | None = None,
    heuristic: HeuristicChoice | None = None,
    *,
    on: None = None,
    workers: None = None,
    ordered: Literal[True] = True,
    limits: Limits | None = None,
    seconds: float | None = None,
    progress: bool | Callable[[Solution[StateT, ActionT]], None] | None = None,
    engine: str | None = None,
    threads: int | None = None,
    verify: bool = True,
    databases: Policy | None = None,
    **options: Any,
) -> list[Solution[StateT, ActionT]]: ...


@overload
def solve_many(
    problems: Iterable[Problem[StateT, ActionT]],
    algorithm: str | AlgorithmChoice | None = None,
    heuristic: HeuristicChoice | None = None,
    *,
    on: str,
    workers: int | None = None,
    ordered: Literal[True] = True,
    limits: Limits | None = None,
    seconds: float | None = None,
    progress: bool | Callable[[Solution[StateT, ActionT]], None] | None = None,
    engine: str | None = None,
    threads: int | None = None,
    verify: bool = True,
    databases: Policy | None = None,
    **options: Any,
) -> Batch[Solution[StateT, ActionT]]: ...


@overload
def solve_many(
    problems: Iterable[Problem[StateT, ActionT]],
    algorithm: str | AlgorithmChoice | None = None,
    heuristic: HeuristicChoice | None = None,
    *,
    on: str,
    workers: int | None = None,
    ordered: Literal[False],
    limits: Limits | None = None,
    seconds: float | None = None,
    progress: bool | Callable[[Solution[StateT, ActionT]], None] | None = None,
    engine: str | None = None,
    threads: int | None = None,
    verify: bool = True,
    databases: Policy | None = None,
    **options: Any,
) -> Batch[tuple[int, Solution[StateT, ActionT]]]: ...


@suggesting
def solve_many(
    problems: Iterable[Problem[StateT, ActionT]],
    algorithm: str | AlgorithmChoice | None = None,
    heuristic: HeuristicChoice | None = None,
    *,
    on: str | None = None,
    workers: int | None = None,
    ordered: bool = True,
    limits: Limits | None = None,
    seconds: float | None = None,
    progress: bool | Callable[[Solution[StateT, ActionT]], None] | None = None,
    engine: str | None = None,
    threads: int | None = None,
    verify: bool = True,
    databases: Policy | None = None,
    **options: Any,
) -> list[Solution[StateT, ActionT]] | Batch[Solution[StateT, ActionT]] | Batch[tuple[int, Solution[StateT, ActionT]]]:
    """Solve many problems: the solutions and the counts are those of solve() for each.

    Without `on`, they are solved one after another in this process, and the result is a list. Meant for many queries on one
    map, such as grid.between(start, goal) for many pairs: the searches share compiled code, and best-first searches of the
    compiled engine share the arrays for their nodes, which makes each faster.

    on: "local", for worker processes on this machine, or "ray", for a Ray cluster (extra `ray`): the one that this program
    is connected to, that RAY_ADDRESS names or that runs on this machine, or else a new one, which ends with the batch. The
    result is then a Batch, an iterator.
    workers: their number; default: the processors.
    ordered: False: the batch yields pairs of the number of a problem, from 0, and its solution, each as soon as it is ready.
    problems: any iterable; a generator is asked for the next problem when the previous one is solved; a batch reads at
    most 64 problems per worker ahead of the solutions that were taken.
    limits: the limits of each search. seconds: wall-clock time of all searches together; when it is over, running searches have the
    status limit, and no other begins.
    progress: called with each solution, when its search is over; True: a line on standard error, if that is a terminal.
    The other arguments are those of solve(), for each search. There are no traces, and no searches are saved.

    The list has fewer solutions than there are problems if `seconds` or Ctrl-C ended the call: it has the solutions so far, the
    last of which may have the status limit or interrupted. A batch ends early in the same way. If it is ordered, a problem without
    a result that comes before one with a result has a solution with that status, so the solutions stay in place.
    Raises what solve() raises; the message begins with the number of the problem, from 0 (for another error that a method
    raises, a note has the number). The solutions before it have been passed to progress.
    A batch goes on instead: the solution of that problem has the status failed, and `reason` says why; likewise if the
    process of a search ends. A process that exceeds a limit of its search by far is ended, and the solution has the
    status limit. Only what is wrong with the first problem, or with the arguments, is raised.
    """
    if on is None and (workers is not None or not ordered):
        raise InputError(f"{'ordered' if workers is None else 'workers'}= requires on=; also pass on='local' or on='ray'")
    check_kind("problems", problems, Iterable, "a list or a generator of problems")
    if not isinstance(progress, bool):
        check_function("progress", progress, "each Solution")
    if limits is not None:
        check_kind("limits", limits, Limits, "Limits(seconds=..., expansions=..., memory=..., depth=...)")
    if "trace" in options:
        raise InputError("solve_many() records no traces; omit trace, or use solve()")
    if "save_to" in options:
        raise InputError(
            "solve_many() saves no searches; omit save_to, or use solve(save_to=...) or Search for each problem"
        )
    check_search(algorithm, engine, threads, options)
    arguments: dict[str, Any] = {"engine": engine, "threads": threads, "verify": verify, "databases": databases, **options}
    from bestfirst.batches.solving import Solving  # noqa: PLC0415  (most programs need no batches)

    work = Solving(algorithm, heuristic, limits or Limits(), arguments)
    if on is not None:
        from bestfirst.batches.starting import start  # noqa: PLC0415

        return start(problems, work, on=on, workers=workers, ordered=ordered, seconds=seconds, progress=progress)
    from bestfirst.batches.in_turn import in_turn  # noqa: PLC0415

    return in_turn(problems, work, "problem", seconds=Limits(seconds=seconds).seconds, progress=progress)
