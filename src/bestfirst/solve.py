"""Search, which chooses and drives an engine, and solve(), its shorthand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any

from bestfirst.errors import InputError, StateError, UnknownNameError
from bestfirst.heuristics.heuristic import ZERO, Heuristic, is_overestimate
from bestfirst.heuristics.naming import find_heuristic
from bestfirst.node import Node
from bestfirst.problem import Problem
from bestfirst.search import Algorithm, algorithm_named
from bestfirst.search.driver import Driver
from bestfirst.solution import Limits, Solution, Stats, Status
from bestfirst.trace import Event, Trace
from bestfirst.trace.events import Step

if TYPE_CHECKING:
    from bestfirst.compiled.driver import CompiledDriver

HeuristicChoice = str | Heuristic | Callable[[Any], float]
COMPILED_ALGORITHMS = ("idastar",)
ENGINES = ("python", "compiled")


def solve(
    problem: Problem,
    algorithm: str | None = None,
    heuristic: HeuristicChoice | None = None,
    *,
    limits: Limits | None = None,
    trace: bool | Trace = False,
    progress: Callable[[Search], None] | None = None,
    engine: str | None = None,
    **options: Any,
) -> Solution:
    """Search a problem to the end, or to a limit.

    algorithm: a name of bestfirst.ALGORITHMS; unless given, "astar" where there is a heuristic, otherwise "uniform-cost".
    heuristic: a name that the problem offers, a function of a state, or a Heuristic; unless given, the problem's default
        (but branch-and-bound uses one only if it is given).
    limits: what the search may take. trace: True, or a Trace, to record its events.
    progress: is called with the Search before each expansion, so it should be quick.
    engine: "python", the reference engine, or "compiled"; unless given, the compiled one where it can make the search. Both
        make the same search; the first search of a domain in the compiled one takes a second or two more.
    options: of the algorithm, such as weight=2 or width=50.
    Raises InputError and ProblemError (see bestfirst.errors).
    """
    search = Search(problem, algorithm, heuristic, limits=limits, trace=trace, engine=engine, **options)
    return search.run(progress=progress)


class Search:
    """One algorithm at work on one problem. It can be run, stopped by a limit, looked at, and run on.

        search = Search(puzzle, "idastar", heuristic="manhattan")
        for event in search: ...                   # step by step
        search.run(Limits(seconds=1)); search.stats.expanded; search.run()

    The arguments are those of solve(); limits hold for every run that is given none of its own.
    """

    def __init__(
        self,
        problem: Problem,
        algorithm: str | None = None,
        heuristic: HeuristicChoice | None = None,
        *,
        limits: Limits | None = None,
        trace: bool | Trace = False,
        engine: str | None = None,
        **options: Any,
    ) -> None:
        _check_problem(problem)
        if engine is not None and engine not in ENGINES:
            raise UnknownNameError("engine", str(engine), ENGINES)
        self._engine = engine
        self.problem = problem
        if not isinstance(limits, Limits | None):
            raise InputError(f"limits is {limits!r}; give Limits(seconds=..., expansions=..., memory=..., depth=...)")
        has_heuristic = heuristic is not None or problem.default_heuristic is not None
        chosen = algorithm_named(algorithm or ("astar" if has_heuristic else "uniform-cost"))
        self.algorithm = replace(chosen, weight=options["weight"]) if "weight" in options else chosen
        self.heuristic = _choose_heuristic(problem, self.algorithm, heuristic)
        self._is_named = heuristic is None or isinstance(heuristic, str)
        self.limits = limits or Limits()
        self.trace: Trace | None = Trace() if trace is True else (trace if isinstance(trace, Trace) else None)
        self._options = options
        _check_options(self.algorithm, options)
        self._backward_warning: str | None = None
        self._unsolvable = problem.unsolvable()
        self._driver: Driver | CompiledDriver = Driver(problem, self._start, self.trace)
        self._is_started = False

    @property
    def stats(self) -> Stats:
        """What the search has done so far."""
        return self._driver.stats

    @property
    def ended(self) -> bool:
        """Whether the search is over: it has found what it was to find, or has nothing left to look at."""
        return self._is_over()

    @property
    def lower_bound(self) -> float:
        """No solution is cheaper than this: proved, as far as the search has come."""
        return self._proved()[0]

    def run(self, limits: Limits | None = None, progress: Callable[[Search], None] | None = None) -> Solution:
        """Search on, to the end or to a limit. Seconds and expansions are counted for each run anew."""
        limits = limits or self.limits
        if not self._is_over():
            if not self._is_started:
                self._choose_engine(limits)
            self._driver.run(limits, None if progress is None else lambda: progress(self))
        return self.solution

    def __iter__(self) -> Iterator[Event]:
        """Search on within the search's limits, giving the events one by one."""
        if self._is_over():
            return iter(())
        self._is_started = True
        return self._driver.events(self.limits)

    def _choose_engine(self, limits: Limits) -> None:
        """Let the compiled engine make the search, if it is wanted and can."""
        self._is_started = True
        if self._engine == "python":
            return
        reason = self._why_not_compiled(limits)
        if reason is None:
            from bestfirst.compiled import compiled_driver  # noqa: PLC0415  (it imports Numba, which takes a while)

            assert self.heuristic is not None
            self._driver = compiled_driver(self.problem, self.algorithm.name, self.heuristic)
        elif self._engine == "compiled":
            raise InputError(f"the compiled engine cannot make this search: {reason}")

    def _why_not_compiled(self, limits: Limits) -> str | None:
        """Why the search must be left to the reference engine; None if it need not."""
        domain = self.problem.domain()
        if domain is None:
            return f"{type(self.problem).__name__} is not stated as a Domain"
        if self.algorithm.name not in COMPILED_ALGORITHMS:
            return f"{self.algorithm.name} is not compiled yet, only {', '.join(COMPILED_ALGORITHMS)}"
        if self.heuristic is None or not self._is_named or self.heuristic.name not in domain.heuristics():
            return "its heuristic is not a method of the domain that is marked with @heuristic and asked for by name"
        if self.trace is not None:
            return "it is to be traced"
        if limits.depth is not None:
            return "it has a limit on depth"
        return None

    @property
    def solution(self) -> Solution:
        """What is known now."""
        driver = self._driver
        bound, warnings = self._proved()
        cost = driver.goal.g if driver.goal else None
        status, limit = self._status(cost, bound)
        path = driver.goal.path() if driver.goal else []
        if status is Status.SOLVED and self.algorithm.promise == "fewest actions":
            warnings.append(
                "the solution has the fewest actions, but it is not known to be the cheapest: use uniform-cost, or "
                "set unit_cost = True on the problem if every action costs 1"
            )
        return Solution(
            problem=self.problem,
            algorithm=self.algorithm.name,
            heuristic=self.heuristic.name if self.heuristic else None,
            engine="python" if isinstance(driver, Driver) else "compiled",
            status=status,
            cost=cost,
            lower_bound=bound,
            actions=[node.action for node in path[1:]],
            states=[node.state for node in path],
            stats=driver.stats,
            limit=limit,
            reason=self._unsolvable,
            weight=self.algorithm.weight if status is Status.BOUNDED else None,
            condition=self._condition(),
            warnings=warnings,
            trace=self.trace,
        )

    def _is_over(self) -> bool:
        return self._unsolvable is not None or self._driver.ended

    def _status(self, cost: float | None, bound: float) -> tuple[Status, str | None]:
        """The status, and the limit that it names."""
        driver = self._driver
        if self._unsolvable is not None:
            return Status.UNSOLVABLE, None
        if not driver.ended:
            if driver.stopped == "interrupted":
                return Status.INTERRUPTED, None
            return Status.LIMIT, driver.stopped or "paused"
        if cost is None:
            return (Status.UNSOLVABLE, None) if bound == inf else (Status.LIMIT, driver.gave_up or "depth")
        if not is_overestimate(cost, bound):  # equal up to rounding: a bound adds the same costs in another order
            return Status.OPTIMAL, None
        keeps_promise = self.algorithm.promise == "bounded" and bound > 0 and driver.barred == inf
        return (Status.BOUNDED if keeps_promise else Status.SOLVED), None

    def _proved(self) -> tuple[float, list[str]]:
        """The lower bound, as far as the heuristic can be trusted, and what the caller should know about it."""
        if self._unsolvable is not None:
            return inf, []
        driver, heuristic = self._driver, self.heuristic
        warnings = [] if self._backward_warning is None else [self._backward_warning]
        bound = min(driver.bound, driver.barred)
        if driver.goal is not None:
            bound = min(bound, driver.goal.g)
        if heuristic is None:
            return bound, warnings
        if self._at_start is not None and bound < self._at_start:
            bound = self._at_start if driver.goal is None else min(self._at_start, driver.goal.g)
        if self.algorithm.promise == "none":
            return bound, warnings
        if driver.fall is not None:
            warnings.append(_inconsistency(self.problem, heuristic, driver.fall, driver.falls))
        doubt = _why_not_admissible(self.problem, heuristic, driver.goal)
        if doubt:
            warnings.append(f"{doubt}: nothing is proved about the cost")
            return (inf if bound == inf else 0), warnings
        if heuristic.admissible is None:
            warnings.append(f"nobody has said that {self._condition()}; bestfirst.audit checks it")
        return bound, warnings

    def _condition(self) -> str | None:
        """What is taken for granted in what is proved."""
        if self.heuristic is None or self.heuristic.admissible is not None or self.algorithm.promise == "none":
            return None
        return f"heuristic {self.heuristic.name!r} never overestimates"

    @cached_property
    def _at_start(self) -> float | None:
        """The estimate of the start, where that is known to be a lower bound."""
        if self.heuristic is None or not self.heuristic.admissible:
            return None
        return self.heuristic.checked()(self.problem.initial)

    def _start(self, problem: Problem) -> Iterator[Step]:
        options = dict(self._options)
        if self.heuristic is None:
            return self.algorithm.run(problem, **options)
        if "backward_heuristic" in self.algorithm.options:
            options["backward_h"] = self._backward_heuristic(options.pop("backward_heuristic", None))
        return self.algorithm.run(problem, self.heuristic.checked(), **options)

    def _backward_heuristic(self, given: HeuristicChoice | None) -> Callable[[Any], float]:
        """The heuristic of the backward half: the one given, or the one of the same name where that was given by name."""
        assert self.heuristic is not None
        reverse = self.problem.backward()
        if reverse is None:
            return ZERO.function  # the algorithm itself says that it needs a backward problem
        if given is not None:
            return find_heuristic(reverse, given).checked()
        if self._is_named:
            return find_heuristic(reverse, self.heuristic.name).checked()
        self._backward_warning = "the backward half searches without a heuristic; give backward_heuristic="
        return ZERO.function


def _check_problem(problem: object) -> None:
    if not isinstance(problem, Problem):
        raise InputError(
            f"problem is {problem!r}; give an instance of a Problem, or Problem.of(initial, successors, is_goal)"
        )
    if not hasattr(problem, "initial"):
        raise InputError(f"{type(problem).__name__} has no initial state; set initial on the class or in __init__")
    try:
        hash(problem.initial)
    except TypeError as error:
        raise StateError(
            f"the initial state {problem.initial!r} is not hashable ({error}); "
            "write states as numbers, texts, tuples or frozen sets"
        ) from None


def _check_options(algorithm: Algorithm, options: dict[str, Any]) -> None:
    for name in options:
        if name not in algorithm.options:
            raise UnknownNameError(f"option of {algorithm.name}", name, algorithm.options)
    if algorithm.name == "depth-limited" and "depth" not in options:
        raise InputError("depth-limited must be told how deep to look: give depth=")


def _choose_heuristic(problem: Problem, algorithm: Algorithm, wanted: HeuristicChoice | None) -> Heuristic | None:
    if wanted is not None:
        if algorithm.heuristic == "none":
            raise InputError(f"{algorithm.name} takes no heuristic; leave it out, or use astar")
        return find_heuristic(problem, wanted)
    if algorithm.heuristic in ("required", "if any") and problem.default_heuristic is not None:
        return find_heuristic(problem, problem.default_heuristic)
    if algorithm.heuristic == "required":
        raise InputError(
            f"{algorithm.name} needs a heuristic, and {problem.name()} has no default: give heuristic=, or use uniform-cost"
        )
    return None


def _why_not_admissible(problem: Problem, heuristic: Heuristic, goal: Node | None) -> str | None:
    """Why the heuristic is known to overestimate, if it is: by its own word, or on the path of the solution."""
    if heuristic.admissible is False:
        note = f" ({heuristic.note})" if heuristic.note else ""
        return f"heuristic {heuristic.name!r} can overestimate{note}"
    if goal is not None:
        for node in goal.path():
            if is_overestimate(node.h, goal.g - node.g):
                return (
                    f"heuristic {heuristic.name!r} overestimates: it gives {node.h:g} for "
                    f"{problem.format(node.state)}, from where a goal is {goal.g - node.g:g} away"
                )
    return None


def _inconsistency(problem: Problem, heuristic: Heuristic, fall: Node, falls: int) -> str:
    assert fall.parent is not None
    edge = f"{problem.format(fall.parent.state)} and {problem.format(fall.state)}"
    return (
        f"heuristic {heuristic.name!r} is inconsistent: f fell along {falls} edge{'s' * (falls > 1)}, "
        f"first from {fall.parent.f:g} to {fall.f:g} between {edge}"
    )
