"""Search, which chooses and drives an engine, and solve(), its shorthand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from functools import cached_property
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from bestfirst.arguments import check_function, check_path
from bestfirst.claims import notice, why_not
from bestfirst.engine import Engine
from bestfirst.errors import InputError, NotCompilableError, StateError, UnknownNameError
from bestfirst.heuristics.from_databases import FromDatabases
from bestfirst.heuristics.heuristic import ZERO, Heuristic
from bestfirst.heuristics.naming import find_heuristic
from bestfirst.long_search import LongSearch, has_long_search, long_search_heuristic
from bestfirst.node import Node
from bestfirst.numbers import exceeds
from bestfirst.problem import Domain, Problem
from bestfirst.search import Algorithm, algorithm_named
from bestfirst.search.bidirectional import own_state
from bestfirst.search.driver import Driver
from bestfirst.solution import Limits, Solution, Stats, Status
from bestfirst.threads import check_threads, processors
from bestfirst.trace import Event, Trace
from bestfirst.trace.events import Step

if TYPE_CHECKING:
    from bestfirst.compiled.driver import CompiledDriver

HeuristicChoice = str | Heuristic | FromDatabases | Callable[[Any], float]
COMPILED_ALGORITHMS: Mapping[str, frozenset[str]] = {
    "idastar": frozenset({"order", "prune", "prune_from"}),
    "astar": frozenset({"ties"}),
    "uniform-cost": frozenset({"ties"}),
    "greedy": frozenset({"ties"}),
    "weighted-astar": frozenset({"ties", "weight"}),
    "anytime-weighted-astar": frozenset({"ties", "weight"}),
    "depth-first-branch-and-bound": frozenset(),
    "beam": frozenset({"width"}),
    "anytime-beam": frozenset({"width"}),
    "bidirectional-astar": frozenset(),
}
"""The algorithms that the compiled engine has, with the options that they take there."""
PARALLEL_ALGORITHMS = ("idastar",)
"""Those of them that several threads can share."""
HEAD_START = 2_000
"""Expansions that the reference engine makes before the compiled one is called in, unless an engine is asked for."""

ENGINES = ("python", "compiled")
_ENGINE_STATE = ("bound", "stopped", "gave_up", "bound_when_barred", "dead_ends", "falls", "ended")
"""What a checkpoint keeps of any engine, beside its statistics, goal and fall."""
_COMPILED: dict[tuple[Any, ...], set[Any]] = {}
"""The kinds of search for which this process has compiled code, and the shapes of their domains: these need no head start."""


def solve(
    problem: Problem,
    algorithm: str | None = None,
    heuristic: HeuristicChoice | None = None,
    *,
    limits: Limits | None = None,
    trace: bool | Trace = False,
    progress: Callable[[Search], None] | None = None,
    engine: str | None = None,
    threads: int | None = None,
    **options: Any,
) -> Solution:
    """Search a problem to the end, or to a limit.

    algorithm: a name of bestfirst.ALGORITHMS; unless given, "astar" where there is a heuristic ("idastar" with several threads),
        otherwise "uniform-cost".
        (A long search of sliding tiles goes on with "idastar", which takes no memory; see heuristic.)
    heuristic: a name that the problem offers, a function of a state, a Heuristic, or heuristics.Additive([databases]); unless
        given, the problem's default (but branch-and-bound uses one only if it is given). Where that has not led to the end after
        some expansions, the search goes on with the one that the problem has for long searches, if any; that can be pattern
        databases, which are built if they are not there, in a few seconds and once (but not under a limit on seconds or memory;
        see database_policy). So it is the same search whatever the engine. With a trace, a limit on expansions or depth, and
        where no lower bound is promised, it stays with the usual one.
    limits: what the search may take. trace: True, or a Trace, to record its events.
    progress: is called with the Search before each expansion, so it should be quick.
    engine: "python", the reference engine, or "compiled"; unless given, the compiled one takes over from the reference engine
        after some expansions, where it can. Both make the same search, so nothing but the speed shows it.
    threads: how many search side by side; more than one only by "idastar" in the compiled engine. The solution and, at the end
        of the search, all counts are the same whatever their number. Unless given, one; but where neither algorithm nor heuristic
        are given, the long search of a problem that names "idastar" for it is shared by all processors.
    options: of the algorithm, such as weight=2 or width=50.
    Raises InputError and ProblemError (see bestfirst.errors).
    """
    search = Search(problem, algorithm, heuristic, limits=limits, trace=trace, engine=engine, threads=threads, **options)
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
        threads: int | None = None,
        **options: Any,
    ) -> None:
        _check_problem(problem)
        if engine is not None and engine not in ENGINES:
            raise UnknownNameError("engine", str(engine), ENGINES)
        self._engine = engine
        self.problem = problem
        _check_limits(limits)
        if not isinstance(trace, bool | Trace):
            raise InputError(f"trace is {trace!r}; give True, or a Trace")
        has_heuristic = heuristic is not None or problem.default_heuristic is not None
        chosen = algorithm_named(_default_algorithm(has_heuristic, threads) if algorithm is None else algorithm)
        self.algorithm = replace(chosen, weight=options["weight"]) if "weight" in options else chosen
        self.heuristic = _choose_heuristic(problem, self.algorithm, heuristic)
        self._is_named = heuristic is None or isinstance(heuristic, str) or self._is_offered(self.heuristic)
        self._long = LongSearch(
            is_ahead=heuristic is None and not trace and has_long_search(problem, self.algorithm),
            may_change_algorithm=algorithm is None and not options,
            may_share=threads is None,
        )
        self.limits = limits or Limits()
        self.trace: Trace | None = trace if isinstance(trace, Trace) else Trace() if trace else None
        self._options = options
        self.algorithm.check_options(options)
        self._reverse: Problem | None = None
        _check_threads(threads, self.algorithm, engine)
        self._threads = threads
        self._sharing = threads or 1
        self._backward: Heuristic | None = None
        self._backward_warning: str | None = None
        self._unsolvable = problem.unsolvable()
        self._unclaimed = notice(problem)
        self._driver: Engine = Driver(problem, self._start, self.trace)
        self._may_compile: bool | None = None  # not known before the first run
        if self._unsolvable is not None:  # no search is made that would find out whether it can be made
            self._suits_the_compiler(self.limits)
            self._start(problem)

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
        _check_limits(limits)
        check_function("progress", progress, "the Search")
        if not self._is_over():
            self._run(limits or self.limits, None if progress is None else lambda: progress(self))
        return self.solution

    def _run(self, limits: Limits, progress: Callable[[], None] | None) -> None:
        left: Limits | None = limits
        if self._may_compile is None:
            self._may_compile = self._engine != "python" and self._suits_the_compiler(limits)
        try:
            if self._long.is_ahead:
                left = self._as_a_short_search(limits, progress)
            if left is not None:
                left = self._to_the_compiled_engine(left, progress)
        except KeyboardInterrupt:  # while tables were built, or code was compiled
            self._driver.stopped = "interrupted"
            return
        if left is not None:
            self._driver.run(left, progress)

    def _to_the_compiled_engine(self, limits: Limits, progress: Callable[[], None] | None) -> Limits | None:
        """Have the compiled engine go on, where it can, after a head start of the other one; what _head_start says."""
        if not self._may_compile or not isinstance(self._driver, Driver):
            return limits
        is_ready = self._engine == "compiled" or self._is_compiled()
        left = limits if is_ready else self._head_start(self._driver, limits, progress)
        if left is not None:
            self._compile()
        return left

    def _as_a_short_search(self, limits: Limits, progress: Callable[[], None] | None) -> Limits | None:
        """Begin with the usual heuristic. If that does not lead to the end or to a solution soon, begin anew as a long search.

        Only its expansions are counted then; the seconds are those of both. See _head_start.
        """
        self._long.is_ahead = limits.expansions is None and limits.depth is None
        if not self._long.is_ahead:
            return limits
        if self._engine == "compiled" and isinstance(self._driver, Driver):
            self._compile(threads=1)  # several could be over this small search, or not
        left = self._head_start(self._driver, limits, progress)
        if left is None or self._driver.goal is not None:
            return left
        usual = self.heuristic
        try:
            may_build = limits.seconds is None and limits.memory is None
            self._begin_anew(long_search_heuristic(self.problem, may_build=may_build))
        except InputError as error:
            self._long.stayed = f"the search stayed with heuristic {self.problem.default_heuristic!r}: {error}"
            self._begin_anew(usual)
        return left

    def _begin_anew(self, heuristic: Heuristic | None) -> None:
        """Begin the long search, with a heuristic that the problem has by name. The bound that was proved before still holds."""
        if self.heuristic is not None and self.heuristic.admissible:
            self._long.proved = self.lower_bound
        self._long.is_ahead, self._is_named, self.heuristic = False, True, heuristic
        if self._long.may_change_algorithm and self.problem.long_search_algorithm is not None:
            self.algorithm = algorithm_named(self.problem.long_search_algorithm)
            self._options = dict(self.problem.long_search_options)
            if self._long.may_share and self.algorithm.name in PARALLEL_ALGORITHMS:
                self._sharing = processors()
        seconds = self._driver.stats.seconds
        for depends_on_it in ("_domain", "_at_start"):
            self.__dict__.pop(depends_on_it, None)
        self._driver = Driver(self.problem, self._start, None)
        self._may_compile = self._engine != "python" and self._suits_the_compiler(Limits())
        self._driver.stats.seconds = seconds

    def _head_start(self, driver: Engine, limits: Limits, progress: Callable[[], None] | None) -> Limits | None:
        """Let an engine begin: a small search is over before a compiler would be ready, or a table built.

        What is left of the limits then; None if the run is over.
        """
        expanded, seconds = driver.stats.expanded, driver.stats.seconds
        few = max(0, HEAD_START - expanded)
        if limits.expansions is not None and limits.expansions <= few:
            driver.run(limits, progress)
            return None
        driver.run(replace(limits, expansions=few), progress)
        if driver.ended or driver.stopped != "expansions":
            return None
        return replace(
            limits,
            seconds=None if limits.seconds is None else max(0.0, limits.seconds - (driver.stats.seconds - seconds)),
            expansions=None if limits.expansions is None else limits.expansions - (driver.stats.expanded - expanded),
        )

    @property
    def _kind(self) -> tuple[Any, ...]:
        """What searches that share compiled code have in common, whatever the instance."""
        heuristic = self.heuristic.name if self.heuristic else None
        return type(self.problem), self.algorithm.name, heuristic, self._sharing > 1, str(self._options)

    @property
    def _shape(self) -> Any:
        """What, of the instance, compiled code depends on."""
        return None if self._domain is None else (self._domain.max_actions, *self._domain.bits.items())

    def _is_compiled(self) -> bool:
        """Whether this process has compiled code for such a search."""
        shapes = _COMPILED.get(self._kind)
        return shapes is not None and self._shape in shapes

    def _compile(self, threads: int | None = None) -> None:
        """Change to the compiled engine: it makes the same search, so it soon is where the reference engine has come."""
        if self._why_not_this_problem() is not None:
            self._may_compile = False
            return
        from bestfirst.compiled import compiled_driver  # noqa: PLC0415  (it imports NumPy)

        before = self._driver.stats
        if "backward_heuristic" in self.algorithm.options and self._backward is None:
            self._backward_heuristic(None)
        try:
            assert self._domain is not None
            driver = compiled_driver(
                self._domain,
                self.algorithm.name,
                self.heuristic,
                threads=threads or self._sharing,
                problem=self.problem,
                **self._options,
            )
        except NotCompilableError:
            if self._must_compile:
                raise
            self._may_compile = False
            return
        if threads is None:
            _COMPILED.setdefault(self._kind, set()).add(self._shape)
        if before.expanded:
            driver.run(Limits(expansions=before.expanded), None)
        driver.stats.seconds += before.seconds
        self._driver = driver

    def save(self, path: str | Path) -> None:
        """Write the search to a file, from which load() goes on with it, in this process or another one.

        The file is at every moment either as it was or complete. Only the compiled engine's searches can be saved.
        Raises InputError where that cannot be done.
        """
        check_path("path", path)
        if isinstance(self._driver, Driver):
            reason = self._why_not_this_search(self.limits) or self._why_not_this_problem()
            if reason is not None:
                raise InputError(f"only searches of the compiled engine can be saved, and this is none: {reason}")
            self._engine, self._may_compile = "compiled", True
            self._compile(threads=1 if self._long.is_ahead else None)
        from bestfirst.compiled import checkpoint  # noqa: PLC0415  (it imports NumPy)

        driver = cast("CompiledDriver", self._driver)
        assert self._domain is not None
        header = {
            "problem": repr(self.problem),
            "algorithm": self.algorithm.name,
            "heuristic": self.heuristic.name if self.heuristic else None,
            "options": self._options,
            "threads": self._threads,
            "sharing": self._sharing,
            "limits": asdict(self.limits),
            "long_search": asdict(self._long),
            "fingerprint": checkpoint.fingerprint(self._domain, self._offered_heuristic()),
        }
        state = {
            "engine": {name: getattr(driver, name) for name in _ENGINE_STATE},
            "stats": checkpoint.encoded_stats(driver.stats),
            "goal": checkpoint.encoded_path(self.problem, driver.goal),
            "fall": checkpoint.encoded_path(self.problem, driver.fall_from_start),
            "driver": driver.saved(),
        }
        checkpoint.save(path, header, state, self.problem)

    @classmethod
    def load(cls, path: str | Path, problem: Problem | None = None) -> Search:
        """The search that save() wrote to a file.

        problem: the problem that was searched. It can be left out, but then it is unpickled from the file, which can make
            Python do anything: load only files that you trust.
        Raises InputError for a file that is no saved search, is damaged, or is of another problem, and for a problem whose code
        or data have changed since.
        """
        from bestfirst.compiled import checkpoint  # noqa: PLC0415  (it imports NumPy)

        saved = checkpoint.read(path)
        header, state = saved.header, saved.state
        problem = saved.problem() if problem is None else problem
        search = cls(
            problem,
            header["algorithm"],
            header["heuristic"],
            limits=Limits(**header["limits"]),
            engine="compiled",
            threads=header["threads"],
            **header["options"],
        )
        if not search._suits_the_compiler(search.limits) or search._domain is None:
            raise InputError(f"{str(path)!r} holds a search of the compiled engine, which cannot make it now")
        if checkpoint.fingerprint(search._domain, search._offered_heuristic()) != header["fingerprint"]:
            raise InputError(
                f"{str(path)!r} holds a search of {header['problem']}, not of {problem!r}, or its code has changed since; "
                "give the same problem, or start a new search"
            )
        search._long, search._sharing = LongSearch(**header["long_search"]), header["sharing"]
        search._may_compile = True
        search._compile(threads=1 if search._long.is_ahead else None)
        driver = cast("CompiledDriver", search._driver)
        for name in _ENGINE_STATE:
            setattr(driver, name, state["engine"][name])
        driver.stats = checkpoint.decoded_stats(state["stats"])
        h = search.heuristic.checked() if search.heuristic else ZERO.checked()
        driver.goal = checkpoint.decoded_path(problem, h, state["goal"])
        driver.fall = checkpoint.decoded_path(problem, h, state["fall"])
        driver.restore(state["driver"])
        return search

    def _offered_heuristic(self) -> Heuristic | None:
        """The heuristic as the domain has it."""
        assert self._domain is not None
        return None if self.heuristic is None else self._domain.heuristics()[self.heuristic.name]

    def __iter__(self) -> Iterator[Event]:
        """Search on within the search's limits, giving the events one by one."""
        if self._is_over():
            return iter(())
        if self._is_parallel:
            raise InputError("a search by several threads cannot be gone through event by event; leave threads out")
        self._may_compile = self._long.is_ahead = False
        return self._driver.events(self.limits)

    def _suits_the_compiler(self, limits: Limits) -> bool:
        """Whether the compiled engine may be able to make the search; raises InputError if it must and cannot.

        Whether the problem has a form that compiles is asked only where it must: that takes time, which small searches do not have.
        """
        reason = self._why_not_this_search(limits)
        if self._must_compile:
            reason = reason or self._why_not_this_problem()
            if reason is not None:
                remedy = (
                    f"; leave threads={self._threads} out, and the reference engine makes it" if self._is_parallel else ""
                )
                raise InputError(f"the compiled engine cannot make this search: {reason}{remedy}")
        return reason is None

    @property
    def _must_compile(self) -> bool:
        """Whether the compiled engine is asked for, be it by asking for threads, which only it has."""
        return self._engine == "compiled" or self._is_parallel

    @property
    def _is_parallel(self) -> bool:
        """Whether several threads are asked for."""
        return self._threads is not None and self._threads > 1

    def _why_not_this_search(self, limits: Limits) -> str | None:
        """Why the compiled engine cannot make such a search of any problem; None if it can."""
        if self.algorithm.name not in COMPILED_ALGORITHMS:
            return f"{self.algorithm.name} is not compiled yet, only {', '.join(COMPILED_ALGORITHMS)}"
        for option in self._options:
            if option not in COMPILED_ALGORITHMS[self.algorithm.name]:
                return f"it has the option {option}"
        if self.trace is not None:
            return "it is to be traced"
        return "it has a limit on depth" if limits.depth is not None else None

    @cached_property
    def _domain(self) -> Domain | None:
        if self.heuristic is not None and self.heuristic.domain is not None:
            return self.heuristic.domain(self.problem)
        return self.problem.domain()

    def _why_not_this_problem(self) -> str | None:
        """Why the compiled engine cannot search this problem with this heuristic; None if it can."""
        domain = self._domain
        if domain is None and self.heuristic is not None and self.heuristic.domain is not None:
            what = f"states of this problem cannot carry the heuristic {self.heuristic.name}"
            return f"{what}: it has too many patterns, or is for another goal"
        if domain is None:
            name = type(self.problem).__name__
            return why_not(self.problem, "domain") or f"{name} is not stated as a Domain, or is too large for one"
        if self.heuristic is None:
            return None
        offered = domain.heuristics()
        is_carried = self.heuristic.domain is not None
        if is_carried and "backward_heuristic" in self.algorithm.options:
            return "a search from both ends cannot look in pattern databases that are those of one goal"
        if not (self._is_named or is_carried) or self.heuristic.name not in offered:
            return "its heuristic is not a method of the domain that is marked with @heuristic and asked for by name"
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
            stats=driver.stats.copy(),
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
            if bound == inf:
                return Status.UNSOLVABLE, None
            return Status.LIMIT, driver.gave_up or ("heuristic" if driver.bound_when_barred is None else "depth")
        if not exceeds(cost, bound):  # equal up to rounding: a bound adds the same costs in another order
            return Status.OPTIMAL, None
        keeps_promise = self.algorithm.promise == "bounded" and bound > 0 and driver.bound_when_barred is None
        return (Status.BOUNDED if keeps_promise else Status.SOLVED), None

    def _proved(self) -> tuple[float, list[str]]:
        """The lower bound, as far as the heuristic can be trusted, and what the caller should know about it."""
        if self._unsolvable is not None:
            return inf, []
        driver = self._driver
        said = (self._backward_warning, self._long.stayed, self._unclaimed)
        warnings = [warning for warning in said if warning is not None]
        if driver.is_stuck:
            warnings.append("a step, goal test or heuristic did not come to an end, so the search cannot go on")
        bound = max(driver.proved, self._long.proved)
        if self._at_start is not None:
            bound = max(bound, self._at_start)
        if driver.goal is not None:
            bound = min(bound, driver.goal.g)
        if self.heuristic is None:
            return bound, warnings
        relies_on_it = self.algorithm.promise != "none"
        is_news = not (self.heuristic.admissible and self.heuristic.consistent is False)
        if relies_on_it and driver.fall is not None and is_news:
            warnings.append(_inconsistency(self.problem, self.heuristic, driver.fall, driver.falls))
        doubt = self._doubt()
        if doubt and (relies_on_it or (bound == inf and driver.dead_ends)):
            warnings.append(f"{doubt}: nothing is proved about the cost")
            return (inf if bound == inf and not driver.dead_ends else 0), warnings
        condition = self._condition()
        if condition:
            warnings.append(f"nobody has said that {condition}; bestfirst.audit checks it")
        return bound, warnings

    def _heuristics(self) -> list[Heuristic]:
        """The heuristics in use: the problem's, and in bidirectional search that of the backward half."""
        return [heuristic for heuristic in (self.heuristic, self._backward) if heuristic is not None]

    def _doubt(self) -> str | None:
        """Why a heuristic is known to overestimate, if one is: by its own word, or on the path of the solution."""
        for heuristic in self._heuristics():
            if heuristic.admissible is False:
                note = f" ({heuristic.note})" if heuristic.note else ""
                return f"heuristic {heuristic.name!r} can overestimate{note}"
        goal = self._driver.goal
        if goal is None:
            return None
        for node in goal.path():
            if exceeds(node.h, goal.g - node.g):
                return self._lie(self.heuristic, node, node.h, "a goal", goal.g - node.g)
        if self._backward is not None:
            for node, state in self._seen_backward(goal):
                if exceeds(self._backward(state), node.g):
                    return self._lie(self._backward, node, self._backward(state), "the start", node.g)
        return None

    def _seen_backward(self, goal: Node) -> Iterator[tuple[Node, Any]]:
        """The nodes of the path to a goal, from there on, with their states as the backward problem has them."""
        assert self._reverse is not None
        node, state = goal, self._reverse.initial
        yield node, state
        while node.parent is not None:
            state = own_state(self._reverse, state, node.action, node.parent.state)
            node = node.parent
            yield node, state

    def _lie(self, heuristic: Heuristic | None, node: Node, h: float, end: str, distance: float) -> str:
        assert heuristic is not None
        where = self.problem.format(node.state)
        return (
            f"heuristic {heuristic.name!r} overestimates: it gives {h:g} for {where}, from where {end} is {distance:g} away"
        )

    def _condition(self) -> str | None:
        """What is taken for granted in what is proved: that heuristics of which nobody has said it never overestimate."""
        if self.algorithm.promise == "none" and not self._driver.dead_ends:
            return None
        names = [repr(heuristic.name) for heuristic in self._heuristics() if heuristic.admissible is None]
        return f"heuristic {' and '.join(names)} never overestimates" if names else None

    @cached_property
    def _at_start(self) -> float | None:
        """The estimate of the start, where that is known to be a lower bound."""
        if self.heuristic is None or not self.heuristic.admissible:
            return None
        return self.heuristic.checked()(self.problem.initial)

    def _is_offered(self, heuristic: Heuristic | None) -> bool:
        """Whether it is one that the problem offers by name, though it was not asked for by its name."""
        return heuristic is not None and self.problem.heuristics().get(heuristic.name) == heuristic

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
        reverse = self._reverse = self.problem.backward()
        if reverse is None:
            return ZERO.function  # the algorithm itself says that it needs a backward problem
        if given is not None or self._is_named:
            self._backward = find_heuristic(reverse, self.heuristic.name if given is None else given)
            return self._backward.checked()
        self._backward_warning = "the backward half searches without a heuristic; give backward_heuristic="
        return ZERO.function


def _default_algorithm(has_heuristic: bool, threads: int | None) -> str:
    """The algorithm to use when none is asked for."""
    if not has_heuristic:
        return "uniform-cost"
    return "astar" if threads in (None, 1) else "idastar"


def _check_limits(limits: object) -> None:
    if not isinstance(limits, Limits | None):
        raise InputError(f"limits is {limits!r}; give Limits(seconds=..., expansions=..., memory=..., depth=...)")


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


def _check_threads(threads: int | None, algorithm: Algorithm, engine: str | None) -> None:
    if threads is None:
        return
    check_threads(threads)
    if threads == 1:
        return
    if algorithm.name not in PARALLEL_ALGORITHMS:
        raise InputError(
            f"threads is {threads}, but {algorithm.name} searches with one thread; "
            f"leave threads out, or use {' or '.join(PARALLEL_ALGORITHMS)}"
        )
    if engine == "python":
        raise InputError(
            f"threads is {threads}, but the reference engine searches with one thread; leave out threads or engine='python'"
        )


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


def _inconsistency(problem: Problem, heuristic: Heuristic, fall: Node, falls: int) -> str:
    assert fall.parent is not None
    edge = f"{problem.format(fall.parent.state)} and {problem.format(fall.state)}"
    return (
        f"heuristic {heuristic.name!r} is inconsistent: f fell along {falls} edge{'s' * (falls > 1)}, "
        f"first from {fall.parent.f:g} to {fall.f:g} between {edge}"
    )
