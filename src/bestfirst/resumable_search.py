"""Search: a plan at work, which can be stopped, inspected, saved and resumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from math import inf
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeAlias

from bestfirst.arguments import check_bool, check_function
from bestfirst.errors import InputError, needing_numpy
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.looking_once import looking_once
from bestfirst.objectives.objective import restated
from bestfirst.problem import Problem
from bestfirst.recycled import Recycled
from bestfirst.saver import Saver
from bestfirst.search import Algorithm
from bestfirst.search_plan import HeuristicChoice, Plan, named, plan_as_searched
from bestfirst.solution import Limits, Solution, Stats
from bestfirst.stages import Stages
from bestfirst.system.exclusive import Exclusive, Stepwise
from bestfirst.system.mapped_files import check_mapped
from bestfirst.trace import Event, Trace
from bestfirst.typed import ActionT, StateT, Typed

if TYPE_CHECKING:
    from bestfirst.algorithms import AlgorithmChoice
    from bestfirst.objectives.answer import Answer
    from bestfirst.patterns.policy import Policy

Progress: TypeAlias = "Callable[[Search[StateT, ActionT]], None] | None"
OnImprovement: TypeAlias = "Callable[[Solution[StateT, ActionT]], None] | None"


class Search(Typed[StateT, ActionT]):
    """A search of a problem. It can be run, stopped by a limit, inspected, and resumed.

        search = Search(puzzle, "idastar", heuristic="manhattan")
        for event in search: ...                   # step by step
        search.run(Limits(seconds=1)); search.stats.expanded; search.run()

    The arguments are those of solve(); the limits hold for every run without limits of its own. Running, saving
    or stepping a search that is already running, in another thread or from its own progress function, raises InputError.

    The problem must not change between two runs. A compiled search looks at the numbers, arrays and code that it uses, and
    raises InputError if they have changed.
    """

    def __init__(
        self,
        problem: Problem[StateT, ActionT],
        algorithm: str | AlgorithmChoice | None = None,
        heuristic: HeuristicChoice | None = None,
        *,
        limits: Limits | None = None,
        trace: bool | Trace = False,
        engine: str | None = None,
        threads: int | None = None,
        on: str | None = None,
        workers: int | None = None,
        verify: bool = True,
        databases: Policy | None = None,
        **options: Any,
    ) -> None:
        started = perf_counter()
        _check_limits(limits)
        if not isinstance(trace, bool | Trace):
            raise InputError(f"trace is {trace!r}; pass True, or a Trace")
        check_bool("verify", verify)
        self.problem, self.limits = problem, limits or Limits()
        self.trace: Trace | None = trace if isinstance(trace, Trace) else Trace() if trace else None
        algorithm, arguments = named(algorithm, {"engine": engine, "threads": threads, **options})
        arguments.update({name: value for name, value in (("on", on), ("workers", workers)) if value is not None})
        self._asked = algorithm, heuristic, arguments
        self._databases, self._verify = databases, verify
        self._in_use = Exclusive("this search")
        self._make()
        self._has_begun = False
        self._spent = perf_counter() - started

    def _make(self) -> None:
        """Make the plan, and its first search, for the problem as it is now."""
        algorithm, heuristic, arguments = self._asked
        looking_once(self.problem, self._make_plan, algorithm, heuristic, *arguments.values())

    def _make_plan(self) -> None:
        algorithm, heuristic, arguments = self._asked
        check_mapped(self.problem, heuristic)
        trace = self.trace if self.trace is not None else False
        searched = restated(self.problem)
        self._answer: Answer | None = None
        if searched is not self.problem:
            from bestfirst.objectives.answer import Answer  # noqa: PLC0415  (few problems need it)
            from bestfirst.objectives.restated import Restated  # noqa: PLC0415

            assert isinstance(searched, Restated)
            self._answer = Answer(self.problem, searched)
            heuristic, arguments = searched.chosen(heuristic), self._answer.options(arguments)
        self.plan: Plan = plan_as_searched(
            searched, algorithm, heuristic, limits=self.limits, trace=trace, databases=self._databases, **arguments
        )
        self._stages = stages_of(self.plan)(
            searched,
            self.plan,
            seconds=self.limits.seconds,
            databases=self._databases,
            trace=self.trace,
            verify=self._verify,
        )
        self._stages.check(self._of_search(self.limits))

    def _of_search(self, limits: Limits) -> Limits:
        """Limits, as the stages count."""
        return limits if self._answer is None else self._answer.limits(limits)

    def _in_own_words(self) -> AbstractContextManager[None]:
        """Let errors speak of the states of the problem."""
        return nullcontext() if self._answer is None else self._answer.in_own_words()

    def _begin(self) -> None:
        """Begin with the problem as it is now, in case it has changed since this object was made; or look at its tables."""
        check_mapped(self.problem, self.heuristic)
        if not self._has_begun:
            self._make()
            self._has_begun = True

    @property
    def algorithm(self) -> Algorithm:
        """The algorithm in use."""
        return self._stages.algorithm

    @property
    def heuristic(self) -> Heuristic | None:
        """The heuristic in use."""
        return self._stages.heuristic

    @property
    def stats(self) -> Stats:
        """What the search has done so far."""
        return self._stages.stats

    @property
    def head_start(self) -> int:
        """The expansions of the first search of the plan, which `stats` leaves out, if the long one has replaced it."""
        return self._stages.head_start

    @property
    def ended(self) -> bool:
        """Whether the search is over: it has found what it looked for, or nothing is left to expand."""
        return self._stages.is_over

    @property
    def cost(self) -> float | None:
        """The cost of the best solution so far, as the engine adds it up; None without one."""
        return self._stages.cost if self._answer is None else self._answer.cost(self._stages.cost)

    @property
    def lower_bound(self) -> float:
        """The lower bound on the cost of every solution that the search has proved so far."""
        return self._bounds()[0]

    @property
    def upper_bound(self) -> float:
        """The upper bound on the profit of every solution, if the problem has maximise = True; otherwise infinite."""
        return self._bounds()[1]

    def _bounds(self) -> tuple[float, float]:
        with self._in_own_words():
            bound = self._stages.proved()[0]
        return (bound, inf) if self._answer is None else self._answer.bounds(self.cost, bound)

    @property
    def solution(self) -> Solution[StateT, ActionT]:
        """What is known so far."""
        with self._in_own_words():
            solution = self._stages.solution()
        return solution if self._answer is None else self._answer.solution(solution)

    def run(
        self,
        limits: Limits | None = None,
        progress: Progress[StateT, ActionT] = None,
        on_improvement: OnImprovement[StateT, ActionT] = None,
        *,
        save_to: str | Path | None = None,
    ) -> Solution[StateT, ActionT]:
        """Resume the search, to the end or to a limit. Limits on seconds and expansions apply to each run separately.

        progress, on_improvement, save_to: see solve().
        """
        _check_limits(limits)
        tick = self._tick(progress, on_improvement)
        with self._in_use:
            started = perf_counter()
            self._begin()
            self._spent += perf_counter() - started
            return self._run(limits, tick, save_to)

    def _tick(
        self, progress: Progress[StateT, ActionT], on_improvement: OnImprovement[StateT, ActionT]
    ) -> Callable[[], None] | None:
        """What to call from time to time while the search runs."""
        check_function("progress", progress, "the Search")
        check_function("on_improvement", on_improvement, "the Solution")
        if on_improvement is None:
            return None if progress is None else lambda: progress(self)
        told: list[float] = []

        def tick() -> None:
            cost = self._stages.cost
            if cost is not None and not any(cost >= earlier for earlier in told):
                told[:] = [cost]
                on_improvement(self.solution)
            if progress is not None:
                progress(self)

        return tick

    def _run(
        self, limits: Limits | None, tick: Callable[[], None] | None, save_to: str | Path | None = None
    ) -> Solution[StateT, ActionT]:
        """run(), without another check of the problem."""
        self._has_begun = True
        self._stages.check_unsolvable()
        if save_to is not None:
            self._stages.check_savable()
        saver = None if save_to is None else Saver(save_to, self._save)
        if not self.ended:
            spent, self._spent = self._spent if limits is None else 0.0, 0.0  # it was created under its own limits
            with self._in_own_words():
                self._stages.run(
                    self._of_search(limits or self.limits), tick if saver is None else saver.before(tick), spent
                )
        if saver is not None:
            saver.end(is_over=self.ended)
        return self.solution

    def _run_at_once(
        self,
        progress: Progress[StateT, ActionT] = None,
        on_improvement: OnImprovement[StateT, ActionT] = None,
        save_to: str | Path | None = None,
    ) -> Solution[StateT, ActionT]:
        """Run a search that has just been made, and whose problem therefore has not changed."""
        tick = self._tick(progress, on_improvement)
        with self._in_use:
            return self._run(None, tick, save_to)

    def watch(
        self, limits: Limits | None = None, *, height: int = 640, per_second: float | None = None
    ) -> Solution[StateT, ActionT]:
        """Like run(), but shows the search in the output of a notebook cell while it runs. Ctrl-C, or the notebook's stop
        button, ends it with what it has found so far.

        height: the height of the view, in pixels. per_second: the maximum number of expansions a second, to watch a short search.
        The search must have a trace (trace=True). Needs anywidget, the extra `notebook`.
        Raises InputError without a trace or anywidget, and for a wrong height or rate.
        """
        from bestfirst.viewer.live import watched  # noqa: PLC0415  (an extra)

        return watched(self, limits, height=height, per_second=per_second)

    def _run_with(self, recycled: Recycled | None) -> Solution[StateT, ActionT]:
        """Search to the end or to a limit, for the last time: the arrays are left to the next search."""
        self._stages.recycled = recycled
        solution = self._run_at_once()
        if recycled is not None:
            self._stages.attempt.driver.give_back()
        return solution

    def __iter__(self) -> Iterator[Event]:
        """Resume the search within its limits, yielding the events one by one."""
        with self._in_use:
            self._begin()
            if self.ended:
                return iter(())
            for argument, workers in (
                ("threads", (self.plan.threads or 1) > 1),
                ("on", self.plan.stages[-1].on is not None),
            ):
                if workers:
                    raise InputError(f"a search with several workers has no single sequence of events; omit {argument}=")
            return Stepwise(self._events(), self._in_use)

    def _events(self) -> Iterator[Event]:
        with self._in_own_words():
            yield from self._stages.events(self._of_search(self.limits))

    def __reduce__(self) -> str:
        raise InputError(
            "a search cannot be pickled or copied; save it with search.save(path), and load it with Search.load"
        )

    def save(self, path: str | Path) -> None:
        """Write the search to a file, from which load() resumes it, in this process or another one.

        The file is at every moment either unchanged or complete. Only searches of the compiled engine can be saved.
        Raises InputError if the search cannot be saved.
        """
        with self._in_use:
            self._begin()
            self._save(path)

    def _save(self, path: str | Path, *, only_compiled: bool = False) -> bool:
        """save(), while it runs; returns whether it was saved. only_compiled: only if the compiled engine has taken over."""
        self._stages.check_savable()
        if only_compiled and not self._stages.attempt.is_in_compiled_engine:
            return False
        with needing_numpy("a saved search"):
            from bestfirst.saved_search import save  # noqa: PLC0415

        save(self.problem, self._stages, self._asked, self.limits, path)
        return True

    @classmethod
    def load(
        cls,
        path: str | Path,
        problem: Problem | None = None,
        *,
        heuristic: HeuristicChoice | None = None,
        on: str | None = None,
        workers: int | None = None,
        unpickle: bool = False,
    ) -> Search:
        """The search that save() wrote to a file.

        problem: the problem that was searched. unpickle: take the problem from the file instead; unpickling can run
        arbitrary code, so do this only with files that you have written.
        heuristic: the one that the search was given; only needed for an object, such as bf.max_of(database), since a name
        is in the file. on, workers: for a search that was saved with workers: where it continues, and with
        how many.
        Everything in the file is checked before use, except its claims about what was searched without a result, which are
        trusted; short searches, which are repeated, and best-first searches are checked fully (see
        docs/file-formats.md).
        Raises InputError if the file is not a saved search, is damaged, belongs to another problem or heuristic, or could have been
        written by somebody else, and if the problem's code or data have changed since.
        """
        with needing_numpy("a saved search"):
            from bestfirst.saved_search import load  # noqa: PLC0415

        return load(cls, path, problem, heuristic=heuristic, places={"on": on, "workers": workers}, unpickle=unpickle)


def stages_of(plan: Plan) -> type[Stages]:
    """What carries out a plan."""
    if not plan.members:
        return Stages
    from bestfirst.portfolio.stages import PortfolioStages  # noqa: PLC0415  (most searches have no members)

    return PortfolioStages


def _check_limits(limits: object) -> None:
    if not isinstance(limits, Limits | None):
        raise InputError(f"limits is {limits!r}; pass Limits(seconds=..., expansions=..., memory=..., depth=...)")
