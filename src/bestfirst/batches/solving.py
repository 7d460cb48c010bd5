"""To solve each problem of a batch: what a worker does, and the Solution of a problem that no worker could solve."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Any

from bestfirst.batches.work import INTERRUPTED, Failure
from bestfirst.looking_once import looking_once
from bestfirst.objectives.objective import least_cost
from bestfirst.problem import FunctionProblem
from bestfirst.recycled import Recycled
from bestfirst.resumable_search import Search
from bestfirst.search_plan import HeuristicChoice
from bestfirst.solution import Limits, Solution, Stats, Status
from bestfirst.vocabulary import is_shipped

if TYPE_CHECKING:
    from bestfirst.algorithms import AlgorithmChoice


@dataclass
class Solving:
    """Solve problems by solve() with these arguments. The searches of a worker share arrays, as in solve_many()."""

    algorithm: str | AlgorithmChoice | None
    heuristic: HeuristicChoice | None
    limits: Limits
    arguments: Mapping[str, Any]
    _recycled: Recycled | None = None
    _names: tuple[str, str | None] = field(default=("", None))

    @property
    def seconds(self) -> float | None:
        return self.limits.seconds

    @property
    def memory(self) -> int | None:
        return None if self.limits.memory is None else int(self.limits.memory)

    def check(self, item: Any) -> None:
        plan = self._search(item, self.limits).plan
        self._names = plan.algorithm, plan.heuristic

    def do(self, item: Any, seconds: float | None) -> Solution:
        if self._recycled is None and self.limits.memory is None:
            self._recycled = Recycled()
        limits = self.limits
        if seconds is not None:
            limits = replace(limits, seconds=min(seconds, inf if limits.seconds is None else limits.seconds))
        given = self.algorithm, self.heuristic, *self.arguments.values()
        return looking_once(item, lambda: self._search(item, limits)._run_with(self._recycled), *given)

    def _search(self, problem: Any, limits: Limits) -> Search:
        return Search(problem, self.algorithm, self.heuristic, limits=limits, **self.arguments)

    def known(self, item: Any) -> tuple[Any, ...]:
        return item, self.heuristic

    def fault(self, item: Any, result: Solution) -> str | None:
        return fault_of(item, result) if self.arguments.get("verify", True) else None

    def is_interrupted(self, result: Any) -> bool:
        return bool(result.status is Status.INTERRUPTED)

    def failed(self, item: Any, failure: Failure) -> Solution:
        return unsolved(item, *self._names, failure)


def fault_of(problem: Any, solution: Solution) -> str | None:
    """Why a solution of a worker is none in this process; None if it is one. A user's modules may have other data there."""
    if solution.cost is None or (is_shipped(type(problem)) and not isinstance(problem, FunctionProblem)):
        return None
    try:
        solution.verify()
    except Exception as error:
        return (
            f"the worker found a solution that is none in this program: {error}; the modules that define the problem must have "
            "the same data in every process"
        )
    return None


def unsolved(problem: Any, algorithm: str, heuristic: str | None, failure: Failure) -> Solution:
    """The solution of a problem that no worker could solve."""
    is_interrupted = failure.limit == INTERRUPTED
    is_failed = failure.limit is None
    return Solution(
        problem=problem,
        algorithm=algorithm,
        heuristic=heuristic,
        engine="",
        status=Status.FAILED if is_failed else Status.INTERRUPTED if is_interrupted else Status.LIMIT,
        cost=None,
        lower_bound=least_cost(problem),
        actions=[],
        states=[],
        stats=Stats(),
        limit=None if is_interrupted else failure.limit,
        reason=failure.why if is_failed else None,
        warnings=[] if is_failed else [failure.why],
    )
