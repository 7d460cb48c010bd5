"""Engines for unified-planning: its users can solve their problems with bestfirst.

from bestfirst.planning import unified
unified.register()
with OneshotPlanner(name="bestfirst-opt", params={"heuristic": "hmax"}) as planner:
    result = planner.solve(problem, timeout=60)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import inf
from time import perf_counter
from typing import IO, Any
from warnings import warn

from bestfirst.errors import InputError, LimitError
from bestfirst.planning.task import State, Task
from bestfirst.resumable_search import Search
from bestfirst.solution import Limits, Solution
from bestfirst.solution import Status as SearchStatus

try:
    from unified_planning.engines import Credits, Engine, LogMessage, PlanGenerationResult
    from unified_planning.engines import PlanGenerationResultStatus as Status
    from unified_planning.engines.mixins import AnytimePlannerMixin, OneshotPlannerMixin
    from unified_planning.engines.mixins.anytime_planner import AnytimeGuarantee
    from unified_planning.engines.mixins.oneshot_planner import OptimalityGuarantee
    from unified_planning.engines.results import LogLevel
    from unified_planning.environment import Environment, get_environment
    from unified_planning.exceptions import UPUsageError
    from unified_planning.model import Problem, ProblemKind
    from unified_planning.model.problem_kind_versioning import LATEST_PROBLEM_KIND_VERSION

    from bestfirst.planning.unified_task import UnifiedTask, UnsupportedError
except ModuleNotFoundError as error:
    raise InputError(
        f"the engines need {error.name}, which is not installed: pip install 'bestfirst[unified-planning]'"
    ) from error

SUPPORTED = (
    "ACTION_BASED",
    "FLAT_TYPING",
    "HIERARCHICAL_TYPING",
    "NEGATIVE_CONDITIONS",
    "DISJUNCTIVE_CONDITIONS",
    "EQUALITIES",
    "EXISTENTIAL_CONDITIONS",
    "UNIVERSAL_CONDITIONS",
    "CONDITIONAL_EFFECTS",
    "FORALL_EFFECTS",
    "STATIC_FLUENTS_IN_BOOLEAN_ASSIGNMENTS",
    "FLUENTS_IN_BOOLEAN_ASSIGNMENTS",
    "OBJECT_FLUENTS",
    "STATIC_FLUENTS_IN_OBJECT_ASSIGNMENTS",
    "FLUENTS_IN_OBJECT_ASSIGNMENTS",
    "ACTIONS_COST",
    "PLAN_LENGTH",
    "INT_NUMBERS_IN_ACTIONS_COST",
    "REAL_NUMBERS_IN_ACTIONS_COST",
    "STATIC_FLUENTS_IN_ACTIONS_COST",
    "BOUNDED_TYPES",  # of numbers in costs alone: others would be INT_FLUENTS, or parameters that are not supported
)
"""The features of problems that are supported, by their names in unified-planning."""

_CHECKED_LATER = ("UNDEFINED_INITIAL_SYMBOLIC", "UNDEFINED_INITIAL_NUMERIC")
"""Features that are no fault of fluents that nothing asks for."""

_SLICE = 0.05
"""The seconds for which an anytime search goes on before its new plans are given out."""
_RELAXED = ("hadd", "ff")
"""Heuristics that may overestimate, but whose dead ends are proved: without axioms, what no relaxed plan reaches, no plan does."""
_LIMITS = {"seconds": Status.TIMEOUT, "memory": Status.MEMOUT}


def register(environment: Environment | None = None) -> None:
    """Add the engines "bestfirst" and "bestfirst-opt" to an environment of unified-planning; by default, to the global one."""
    factory = (environment or get_environment()).factory
    for engine in (BestfirstPlanner, BestfirstOptimalPlanner):
        if engine.label not in factory.engines:
            factory.add_engine(engine.label, engine.__module__, engine.__name__)


class _Planner(Engine, OneshotPlannerMixin):  # type: ignore[misc]  # unified-planning has no types
    """What the engines share."""

    label: str
    default_algorithm: str

    def __init__(
        self, algorithm: str | None = None, heuristic: str | None = None, memory: int | str | None = None, **options: Any
    ) -> None:
        Engine.__init__(self)
        OneshotPlannerMixin.__init__(self)
        self._algorithm, self._heuristic, self._options = algorithm, heuristic, options
        with _usage_errors():
            self._limits = Limits(memory=memory)

    @property
    def name(self) -> str:
        return self.label

    @staticmethod
    def supported_kind() -> ProblemKind:
        return ProblemKind(SUPPORTED, version=LATEST_PROBLEM_KIND_VERSION)

    @staticmethod
    def supports(problem_kind: ProblemKind) -> bool:
        return bool(problem_kind <= _Planner.supported_kind())

    @staticmethod
    def get_credits(**_: Any) -> Credits:
        return Credits(
            "bestfirst",
            "The bestfirst authors",
            "",
            "",
            "MIT",
            "Heuristic search: the problem is grounded by Fast Downward's translator.",
            "Heuristic search: the problem is grounded by Fast Downward's translator, and searched by bestfirst.",
        )

    @staticmethod
    def default_heuristic(task: Task) -> str:
        """The name of the heuristic that is used if the user names none."""
        raise NotImplementedError

    def _solve(
        self,
        problem: Problem,
        heuristic: Any = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
        **more: Any,
    ) -> PlanGenerationResult:
        ignored = {"heuristic": heuristic, **more}
        (result,) = self._results(problem, timeout, output_stream, self.default_algorithm, ignored, is_anytime=False)
        return result

    _solve_with_params = _solve

    def _results(
        self,
        problem: Problem,
        timeout: float | None,
        stream: IO[str] | None,
        algorithm: str,
        ignored: dict[str, Any],
        *,
        is_anytime: bool,
    ) -> Iterator[PlanGenerationResult]:
        """The final result, and before it, if is_anytime, each plan as it is found."""
        begun = perf_counter()
        for name, value in ignored.items():
            if value is not None:
                warn(f"the engine {self.label} ignores the argument {name}", stacklevel=4)
        report = _Report(self.label, stream, begun)
        try:
            with _usage_errors():
                _check_features(problem)
                limits = replace(self._limits, seconds=timeout)
                unified = UnifiedTask(problem, limits)
                task = unified.task
                report.say(f"{len(task.variables)} variables, {len(task.operators)} operators")
                search = Search(
                    task,
                    self._algorithm or algorithm,
                    self._heuristic or self.default_heuristic(task),
                    **self._options,
                )
                report.say(f"{search.plan.algorithm}, heuristic {search.plan.heuristic}")
                if is_anytime:
                    yield from self._plans(search, unified, limits, report)
                yield report.final(unified, self._run(search, limits, report))
        except UnsupportedError as error:
            yield report.failure(Status.UNSUPPORTED_PROBLEM, error)
        except LimitError as error:
            yield report.failure(_LIMITS[error.limit], error)
        except MemoryError as error:
            yield report.failure(Status.MEMOUT, error)

    def _plans(
        self, search: Search[State, str], unified: UnifiedTask, limits: Limits, report: _Report
    ) -> Iterator[PlanGenerationResult]:
        """Each plan that is cheaper than those before, until the search ends or a limit does."""
        best = inf
        while True:
            is_last = report.left(limits) <= _SLICE
            found: list[Solution[State, str]] = []
            solution = self._run(search, limits, report, _SLICE, found.append)
            for better in found:
                if better.cost is not None and better.cost < best:
                    best = better.cost
                    yield report.intermediate(unified, better)
            if search.ended or is_last or solution.limit != "seconds":
                return

    def _run(
        self,
        search: Search[State, str],
        limits: Limits,
        report: _Report,
        at_most: float = inf,
        on_improvement: Callable[[Solution[State, str]], None] | None = None,
    ) -> Solution[State, str]:
        """What a search knows after some more seconds, as far as the limits allow. Ctrl-C raises KeyboardInterrupt."""
        limits = replace(limits, seconds=min(report.left(limits), at_most))
        solution = search.run(limits, on_improvement=on_improvement)
        if solution.status is SearchStatus.INTERRUPTED:
            raise KeyboardInterrupt
        return solution


class BestfirstPlanner(_Planner, AnytimePlannerMixin):  # type: ignore[misc]
    """Finds a plan, or ever better ones.

    algorithm, heuristic: names, as for bestfirst.solve; default: "lazy-greedy" and "ff"; "lazy-anytime" for better ones.
    memory: a limit such as "2GiB", on the process that grounds
    the problem, and on what the search adds to this process. Other parameters are options of the algorithm, such as weight=2.
    """

    label = "bestfirst"
    default_algorithm = "lazy-greedy"

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        return bool(optimality_guarantee == OptimalityGuarantee.SATISFICING)

    @staticmethod
    def ensures(anytime_guarantee: AnytimeGuarantee) -> bool:
        return bool(anytime_guarantee == AnytimeGuarantee.INCREASING_QUALITY)

    @staticmethod
    def default_heuristic(task: Task) -> str:  # noqa: ARG004
        return "ff"

    def _get_solutions(
        self, problem: Problem, timeout: float | None = None, output_stream: IO[str] | None = None, **more: Any
    ) -> Iterator[PlanGenerationResult]:
        return self._results(problem, timeout, output_stream, "lazy-anytime", more, is_anytime=True)

    _get_solutions_with_params = _get_solutions


class BestfirstOptimalPlanner(_Planner):
    """Finds a cheapest plan, or a shortest one if the problem has no quality metric.

    algorithm, heuristic: names, as for bestfirst.solve; default: "astar" and "lmcut", or "hmax" with conditional effects.
    memory: a limit such as "2GiB", on the process that grounds
    the problem, and on what the search adds to this process. Other parameters are options of the algorithm, such as weight=2.
    """

    label = "bestfirst-opt"
    default_algorithm = "astar"

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:  # noqa: ARG004
        return True

    @staticmethod
    def default_heuristic(task: Task) -> str:
        has_conditions = any(effect.conditions for operator in task.operators for effect in operator.effects)
        return "hmax" if has_conditions else "lmcut"  # lmcut is not defined with conditional effects


def _check_features(problem: Problem) -> None:
    """Raise an UnsupportedError for what is not supported: the library itself only warns if the engine is chosen by its name."""
    features = sorted(problem.kind.features - {*SUPPORTED, *_CHECKED_LATER})
    if features:
        raise UnsupportedError(f"the problem has {', '.join(features)}, which bestfirst does not support")


class _Report:
    """What is told about a run: results, their log messages, and lines on the user's stream."""

    def __init__(self, engine: str, stream: IO[str] | None, begun: float) -> None:
        self._engine, self._stream, self._begun = engine, stream, begun
        self._messages: list[LogMessage] = []

    @property
    def seconds(self) -> float:
        return perf_counter() - self._begun

    def left(self, limits: Limits) -> float:
        """The seconds that are left."""
        return inf if limits.seconds is None else max(0.0, limits.seconds - self.seconds)

    def say(self, text: str, level: LogLevel = LogLevel.INFO) -> None:
        self._messages.append(LogMessage(level, text))
        if self._stream is not None:
            self._stream.write(f"{self._engine}: {text} ({self.seconds:.2f} s)\n")

    def intermediate(self, unified: UnifiedTask, solution: Solution[State, str]) -> PlanGenerationResult:
        self.say(f"plan of cost {unified.cost(solution)}")
        return self._result(Status.INTERMEDIATE, unified, solution)

    def final(self, unified: UnifiedTask, solution: Solution[State, str]) -> PlanGenerationResult:
        for warning in solution.warnings:
            self.say(warning, LogLevel.WARNING)
        self.say(str(solution))
        return self._result(_status(solution, has_metric=unified.has_metric), unified, solution)

    def failure(self, status: Status, error: Exception) -> PlanGenerationResult:
        self.say(str(error), LogLevel.ERROR)
        metrics = {"engine_internal_time": f"{self.seconds:.6f}"}
        return PlanGenerationResult(status, None, self._engine, metrics, self._messages)

    def _result(self, status: Status, unified: UnifiedTask, solution: Solution[State, str]) -> PlanGenerationResult:
        metrics = {
            "engine_internal_time": f"{self.seconds:.6f}",
            "search_time": f"{solution.stats.seconds:.6f}",
            "expanded": str(solution.stats.expanded),
            "generated": str(solution.stats.generated),
        }
        if solution.found:
            metrics["cost"] = str(unified.cost(solution))
        plan = unified.plan(solution.actions) if solution.found else None
        return PlanGenerationResult(status, plan, self._engine, metrics, [*self._messages])


def _status(solution: Solution[State, str], *, has_metric: bool) -> Status:
    """The status of the library for what a search has found and proved."""
    proved = solution.condition is None
    if solution.limit in _LIMITS and solution.status is SearchStatus.LIMIT:
        return _LIMITS[solution.limit]
    if solution.found:
        is_best = solution.status is SearchStatus.OPTIMAL and proved and has_metric
        return Status.SOLVED_OPTIMALLY if is_best else Status.SOLVED_SATISFICING
    are_dead_ends = solution.limit == "heuristic" and solution.heuristic in _RELAXED
    is_proved = (solution.status is SearchStatus.UNSOLVABLE or are_dead_ends) and proved
    return Status.UNSOLVABLE_PROVEN if is_proved else Status.UNSOLVABLE_INCOMPLETELY


@contextmanager
def _usage_errors() -> Iterator[None]:
    """Raise the library's own error for what a user should write otherwise, such as a heuristic that does not exist."""
    try:
        yield
    except UnsupportedError:
        raise
    except InputError as error:
        raise UPUsageError(str(error)) from error
