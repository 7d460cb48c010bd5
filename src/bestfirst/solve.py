"""Search, which chooses and drives an engine, and solve(), its shorthand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import asdict, replace
from functools import cached_property, partial
from math import inf
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar, cast

from bestfirst.arguments import check_function, check_kind, check_path
from bestfirst.beside import Beside, OutOfTime, giving_way
from bestfirst.claims import notice, why_not
from bestfirst.engine import Engine
from bestfirst.errors import (
    BestfirstError,
    InputError,
    NotCompilableError,
    UnknownNameError,
    VerificationError,
    fallback_warning,
    is_of_compiler,
)
from bestfirst.heuristics.from_databases import FromDatabases
from bestfirst.heuristics.heuristic import ZERO, Heuristic
from bestfirst.heuristics.naming import find_heuristic
from bestfirst.interrupt import CtrlC
from bestfirst.long_search import LongSearch, found_in_time, has_long_search, long_search_heuristic
from bestfirst.node import Node, expand, root_of
from bestfirst.numbers import as_number, exceeds_bound, exceeds_part, sound_bound
from bestfirst.problem import Domain, Problem
from bestfirst.replay import check_repeatable, replay, tested
from bestfirst.search import Algorithm, algorithm_named
from bestfirst.search.bidirectional import own_state
from bestfirst.search.driver import Driver
from bestfirst.solution import Limits, Solution, Stats, Status
from bestfirst.stated import check_problem, checked_backward, checked_domain, checked_heuristics, checked_unsolvable
from bestfirst.threads import check_threads, processors
from bestfirst.trace import Event, Trace
from bestfirst.trace.events import Step

if TYPE_CHECKING:
    from bestfirst.compiled.checkpoint import Checkpoint
    from bestfirst.compiled.driver import CompiledDriver
    from bestfirst.compiled.saved_values import Saved

_Result = TypeVar("_Result")
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

SECONDS_TO_LOAD = 0.1
"""So long a limited search waits for the compiled engine before the reference engine goes on: code on disk is loaded by then."""
SECONDS_BESIDE = 0.05
"""So long the reference engine searches before it makes a pause, in which all time is the compiler's."""
LONGEST_PAUSE, PAUSES = 0.5, 20
"""The pause is that part of the time left: the more there is, the more is gained where the compiled engine is ready soon."""
_ENGINE_IN_THE_MAKING, _DOMAIN, _ALGORITHM, _LONG_HEURISTIC = (
    "the compiled engine",
    "domain()",
    "the algorithm",
    "the long search",
)
"""What is prepared beside, as a person is told of it."""

LONG_PATH = 1_000
"""Actions of a path that takes long enough to replay for Ctrl-C to be pressed meanwhile."""
ENGINES = ("python", "compiled")
KEYWORDS = ("algorithm", "heuristic", "limits", "trace", "progress", "engine", "threads", "verify")
"""What solve() takes for all algorithms, which is listed with their options where a name is misspelt."""
_ENGINE_STATE = ("bound", "stopped", "gave_up", "bound_when_barred", "dead_ends", "falls", "ended")
"""What a checkpoint keeps of any engine, beside its statistics, goal and fall."""
STOPS = ("seconds", "expansions", "memory", "interrupted")
"""What ends a run of a compiled search."""
MOST_THREADS = 4096
MOST_ROUNDS_TO_THE_END = 3
"""After so many runs without an expansion a search has ended that ends without one more."""
_NO_OPTIONS = {"problem", "algorithm", "heuristic", "limits", "trace", "engine", "threads"}
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
    verify: bool = True,
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
    verify: whether a solution is replayed through the problem's own successors and goal test before it is given.
    options: of the algorithm, such as weight=2 or width=50.
    Raises InputError, ProblemError, and VerificationError for a solution that does not hold (see bestfirst.errors).
    """
    search = Search(
        problem, algorithm, heuristic, limits=limits, trace=trace, engine=engine, threads=threads, verify=verify, **options
    )
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
        verify: bool = True,
        **options: Any,
    ) -> None:
        started = perf_counter()
        check_problem(problem)
        if engine is not None and engine not in ENGINES:
            raise UnknownNameError("engine", str(engine), ENGINES)
        self._engine = engine
        self.problem = problem
        _check_limits(limits)
        self.limits = limits or Limits()
        self._deadline: float | None = None  # of a run, as perf_counter() tells it
        self._at_work: dict[tuple[str, Any], Beside[Any]] = {}
        self._late: str | None = None
        if not isinstance(trace, bool | Trace):
            raise InputError(f"trace is {trace!r}; give True, or a Trace")
        check_kind("verify", verify, bool, "True or False")
        self._verify = verify
        has_heuristic = heuristic is not None or problem.default_heuristic is not None
        chosen = algorithm_named(_default_algorithm(has_heuristic, threads) if algorithm is None else algorithm)
        self.algorithm = replace(chosen, weight=options["weight"]) if "weight" in options else chosen
        choose = partial(_choose_heuristic, problem, self.algorithm, heuristic)
        seconds = self.limits.seconds
        self.heuristic = choose() if seconds is None else found_in_time(choose, problem, heuristic, seconds)
        self._is_named = heuristic is None or isinstance(heuristic, str) or self._is_offered(self.heuristic)
        self._long = LongSearch(
            is_ahead=heuristic is None and not trace and has_long_search(problem, self.algorithm),
            may_change_algorithm=algorithm is None and not options,
            may_share=threads is None,
        )
        self.trace: Trace | None = trace if isinstance(trace, Trace) else Trace() if trace else None
        self._options = options
        self.algorithm.check_options(options, also=KEYWORDS)
        self._reverse: Problem | None = None
        _check_threads(threads, self.algorithm, engine)
        self._threads = threads
        self._sharing = threads or 1
        self._backward: Heuristic | None = None
        self._backward_warning: str | None = None
        self._fallback: str | None = None
        """Why the reference engine makes a search that the compiled one would have made, if so."""
        self._start_hash = hash(problem.initial)
        self._replayed: tuple[Node, int | float] | None = None
        self._unsolvable = checked_unsolvable(problem)
        self._unclaimed = notice(problem)
        self._driver: Engine = self._reference(self.trace)
        self._may_compile: bool | None = None  # not known before the first run
        if self._unsolvable is not None:  # no search is made that would find out whether it can be made
            self._suits_the_compiler(self.limits)
            self._start(problem)
        self._spent = perf_counter() - started

    def _reference(self, trace: Trace | None) -> Driver:
        """The reference engine, at the beginning of the search."""
        return Driver(self.problem, self._start, trace, tests_goals="backward_heuristic" not in self.algorithm.options)

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
            spent, self._spent = self._spent if limits is None else 0.0, 0.0  # the search was made under its own limits
            self._run(limits or self.limits, None if progress is None else lambda: progress(self), spent)
        return self.solution

    def _run(self, limits: Limits, progress: Callable[[], None] | None, spent: float) -> None:
        """spent: seconds that count against the limit already."""
        self._late = None
        if limits.seconds is None:
            self._run_or_fall_back(limits, progress)
            return
        before, started = self.stats.seconds, perf_counter() - spent
        self._deadline = started + limits.seconds
        try:
            self._run_or_fall_back(limits, progress)
        finally:
            self._deadline = None
            self.stats.seconds = before + perf_counter() - started

    def _run_or_fall_back(self, limits: Limits, progress: Callable[[], None] | None) -> None:
        """Run an engine; where the compiled one turns out not to be able to make the search, the reference engine."""
        before, started = self._driver.stats.expanded, perf_counter()
        try:
            self._run_either(limits, progress)
        except Exception as error:
            if self._must_compile or isinstance(self._driver, Driver) or not is_of_compiler(error, has_begun=True):
                raise
            self._fall_back(error)
            self._driver.run(self._left_of(_left_of(limits, started, before)), progress)

    def _run_either(self, limits: Limits, progress: Callable[[], None] | None) -> None:
        """Run the reference engine, and the compiled one where it can take over."""
        left: Limits | None = limits
        try:
            if self._may_compile is None:
                self._may_compile = self._engine != "python" and self._suits_the_compiler(limits)
            if self._long.is_ahead:
                left = self._as_a_short_search(limits, progress)
            if left is not None:
                left = self._to_the_compiled_engine(left, progress)
            if left is not None:
                self._prepare(left)
        except KeyboardInterrupt:  # while tables were built, or code was compiled
            self._driver.stopped = "interrupted"
            return
        except OutOfTime as late:
            self._driver.stopped = "seconds"
            self._late = f"the limit on seconds passed while {late} was being prepared; the next run goes on with that"
            return
        if left is not None:
            self._driver.run(self._left_of(left), progress)

    def _prepare(self, limits: Limits) -> None:
        """Have the algorithm get ready in time, if the reference engine is to begin."""
        driver = self._driver
        if isinstance(driver, Driver) and not driver.is_prepared:
            if self._deadline is None:
                driver.prepared(limits)
            else:
                self._in_time(_ALGORITHM, partial(driver.prepared, limits))

    def _left_of(self, limits: Limits) -> Limits:
        """The limits with the seconds that are left of this run."""
        return limits if self._deadline is None else replace(limits, seconds=max(0.0, self._deadline - perf_counter()))

    def _in_time(self, what: str, work: Callable[[], _Result], kind: Any = None) -> _Result:
        """What some work gives, which is done beside. Raises OutOfTime and KeyboardInterrupt; the next run waits for it again."""
        beside = self._beside(what, work, kind)
        if not beside.wait(self._deadline):
            raise OutOfTime(what)
        self._at_work.pop((what, kind))
        return beside.result()

    def _beside(self, what: str, work: Callable[[], _Result], kind: Any = None) -> Beside[_Result]:
        """Some work, begun now or by an earlier run: a limit that passes ends the waiting for it, and not the work."""
        if (what, kind) not in self._at_work:
            self._at_work[what, kind] = Beside(work)
        return self._at_work[what, kind]

    def _fall_back(self, error: Exception) -> None:
        """Begin the search again with the reference engine, which needs no form that compiles and has ints of any size."""
        self._note_fallback(error)
        _COMPILED.get(self._kind, set()).discard(self._shape)
        seconds = self._driver.stats.seconds
        self._driver = self._reference(None)
        self._driver.stats.seconds = seconds

    def _note_fallback(self, error: Exception) -> None:
        self._may_compile = False
        self._fallback = fallback_warning("search", error)

    def _to_the_compiled_engine(self, limits: Limits, progress: Callable[[], None] | None) -> Limits | None:
        """Have the compiled engine go on, where it can, after a head start of the other one; what _head_start says."""
        if not self._may_compile or not isinstance(self._driver, Driver):
            return limits
        is_ready = self._engine == "compiled" or self._is_compiled()
        left = limits if is_ready else self._head_start(limits, progress)
        if left is not None and self._deadline is not None and self._engine != "compiled":
            left = self._search_beside(self._engine_in_the_making(), left, progress)
        if left is not None:
            self._compile()
        return left

    def _search_beside(self, preparation: Beside[Any], limits: Limits, progress: Callable[[], None] | None) -> Limits | None:
        """Have the engine go on while something is prepared; what _part says. Without a limit on seconds, waiting is faster."""
        assert self._deadline is not None
        left: Limits | None = limits
        pause = SECONDS_TO_LOAD
        with giving_way():
            while left is not None and not preparation.wait(min(self._deadline, perf_counter() + pause)):
                left = self._part(left, progress, seconds=SECONDS_BESIDE)
                pause = min(LONGEST_PAUSE, (self._deadline - perf_counter()) / PAUSES)
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
        left = self._head_start(limits, progress)
        if left is None or self._driver.goal is not None:
            return left
        usual = self.heuristic
        try:
            may_build = limits.seconds is None and limits.memory is None
            find = partial(long_search_heuristic, self.problem, may_build=may_build)
            self._begin_anew(find() if self._deadline is None else self._in_time(_LONG_HEURISTIC, find))
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
        self._driver = self._reference(None)
        self._driver.stats.seconds = seconds
        self._at_work.clear()
        self._may_compile = None
        self._may_compile = self._engine != "python" and self._suits_the_compiler(Limits())

    def _head_start(self, limits: Limits, progress: Callable[[], None] | None) -> Limits | None:
        """Let an engine begin: a small search is over before a compiler would be ready, or a table built; what _part says."""
        return self._part(limits, progress, expansions=max(0, HEAD_START - self._driver.stats.expanded))

    def _part(
        self,
        limits: Limits,
        progress: Callable[[], None] | None,
        *,
        expansions: int | None = None,
        seconds: float | None = None,
    ) -> Limits | None:
        """Make a part of the run, of so many expansions or seconds; what is left of its limits then, None if it is over."""
        self._prepare(limits)
        driver, before = self._driver, self._driver.stats.expanded
        given = self._left_of(limits)
        of_part = {"expansions": expansions, "seconds": seconds}
        smaller: dict[str, Any] = {
            name: most
            for name, most in of_part.items()
            if most is not None and (getattr(given, name) is None or most < getattr(given, name))
        }
        driver.run(replace(given, **smaller), progress)
        if driver.ended or driver.stopped not in smaller:
            return None
        made = driver.stats.expanded - before
        return replace(limits, expansions=None if limits.expansions is None else limits.expansions - made)

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
        return shapes is not None and self._in_time(_DOMAIN, lambda: self._shape) in shapes

    def _compile(self, threads: int | None = None) -> None:
        """Change to the compiled engine: it makes the same search, so it soon is where the reference engine has come."""
        making = self._engine_in_the_making(threads)
        if not making.wait(self._deadline):
            raise OutOfTime(_ENGINE_IN_THE_MAKING)
        try:
            driver = making.result()
        except Exception as error:
            self._fall_back_unless_compiled(error, has_begun=False)
            return
        finally:
            self._at_work.pop((_ENGINE_IN_THE_MAKING, threads))
        if driver is None:
            self._may_compile = False
            return
        before = self._driver.stats
        behind = before.expanded - driver.stats.expanded
        if behind > 0:
            try:
                driver.run(self._left_of(Limits(expansions=behind)), None)
            except Exception as error:
                self._fall_back_unless_compiled(error, has_begun=True)
                return
        if threads is None:
            _COMPILED.setdefault(self._kind, set()).add(self._shape)
        if driver.stats.expanded < before.expanded and driver.stopped in ("seconds", "interrupted"):
            self._at_work[_ENGINE_IN_THE_MAKING, threads] = making  # the next run has it go on
            if driver.stopped == "seconds":
                raise OutOfTime(_ENGINE_IN_THE_MAKING)
            raise KeyboardInterrupt
        driver.stats.seconds += before.seconds
        self._driver = driver

    def _fall_back_unless_compiled(self, error: Exception, *, has_begun: bool) -> None:
        """Stay with the reference engine; raise the error where the compiled one was asked for, or is not to blame."""
        if self._must_compile or not is_of_compiler(error, has_begun=has_begun):
            raise error
        self._note_fallback(error)

    def _engine_in_the_making(self, threads: int | None = None) -> Beside[CompiledDriver | None]:
        """The compiled engine for this search, which is made beside; None where it cannot make it."""
        return self._beside(_ENGINE_IN_THE_MAKING, partial(self._compiled_engine, threads or self._sharing), threads)

    def _compiled_engine(self, threads: int) -> CompiledDriver | None:
        """The compiled engine, at the beginning of the search; raises NotCompilableError where NumPy or Numba is missing."""
        if self._why_not_this_problem() is not None:
            return None
        try:
            from bestfirst.compiled import compiled_driver  # noqa: PLC0415  (it imports NumPy)
        except ImportError as error:
            raise NotCompilableError(
                f"the compiled engine needs NumPy and Numba, which cannot be imported ({error}); install them, or give "
                "engine='python'"
            ) from error
        if "backward_heuristic" in self.algorithm.options and self._backward is None:
            self._backward_heuristic(None)
        assert self._domain is not None
        first_child = self._first_child()
        driver = compiled_driver(
            self._domain, self.algorithm.name, self.heuristic, threads=threads, problem=self.problem, **self._options
        )
        driver.first_child = first_child
        return driver

    def _first_child(self) -> Node | None:
        """The first child of the start, made in plain Python: what breaks the contract of step or is_goal is told by what it does.

        What it raises itself is left to the search, since code that cannot be compiled has an error of its own.
        """
        try:
            tested(self.problem, self.problem.initial)
            return next(expand(self.problem, root_of(self.problem)), None)
        except BestfirstError:
            raise
        except Exception:
            return None

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
    def load(cls, path: str | Path, problem: Problem | None = None, *, unpickle: bool = False) -> Search:
        """The search that save() wrote to a file.

        problem: the problem that was searched. unpickle: take the problem that is in the file instead; unpickling can run any code,
            so do this only with files that you have written.
        All that the file says is checked before it is used. What it says was searched without result is believed, but for a
        search of few expansions, which is made once more, and best-first searches (see docs/solutions.md).
        Raises InputError for a file that is no saved search, is damaged, or is of another problem, for one that somebody else could
        have written, and for a problem whose code or data have changed since.
        """
        check_path("path", path)
        check_kind("unpickle", unpickle, bool, "True or False")
        from bestfirst.compiled import checkpoint  # noqa: PLC0415  (it imports NumPy)

        if problem is None and not unpickle:
            raise InputError(
                f"give the problem of the saved search: Search.load({str(path)!r}, problem); or, if you wrote the file yourself, "
                "unpickle=True, to take the problem that is in it, which can run any code"
            )
        saved = checkpoint.read(path)
        problem = saved.problem() if problem is None else problem
        with checkpoint.refusing(path):
            search = cls._of_header(problem, saved)
            search._resume(saved)
        return search

    @classmethod
    def _of_header(cls, problem: Problem, saved: Checkpoint) -> Search:
        """A search as the header of a checkpoint describes it, at its start."""
        from bestfirst.compiled import checkpoint  # noqa: PLC0415  (it imports NumPy)

        header = saved.header
        options = header.mapping("options")
        if options.keys() & _NO_OPTIONS:
            raise InputError(f"{saved.path!r} names as an option what is none")
        search = cls(
            problem,
            header.text("algorithm"),
            header.optional_text("heuristic"),
            limits=Limits(**header.mapping("limits")),
            engine="compiled",
            threads=None if header.is_none("threads") else header.whole("threads", 1, MOST_THREADS),
            **options,
        )
        if not search._suits_the_compiler(search.limits) or search._domain is None:
            raise InputError(f"{saved.path!r} holds a search of the compiled engine, which cannot make it now")
        if checkpoint.fingerprint(search._domain, search._offered_heuristic()) != header.text("fingerprint"):
            raise InputError(
                f"{saved.path!r} holds a search of {header.text('problem')}, not of {problem!r}, or its code has changed since; "
                "give the same problem, or start a new search"
            )
        search._sharing = header.whole("sharing", 1, MOST_THREADS)
        if search._sharing > 1 and search.algorithm.name not in PARALLEL_ALGORITHMS:
            raise InputError(f"{saved.path!r} says that several threads search by {search.algorithm.name}")
        search._long = search._checked_long_search(header.part("long_search"))
        return search

    def _checked_long_search(self, told: Saved) -> LongSearch:
        """The state of a long search. What the first search proved is found out again if it is more than is known without it."""
        found = LongSearch(
            told.flag("is_ahead"),
            told.flag("may_change_algorithm"),
            told.flag("may_share"),
            told.number("proved"),
            told.optional_text("stayed"),
        )
        if found.proved > 0 and found.proved > (self._at_start or 0):
            usual = None if found.may_change_algorithm else self.algorithm.name
            options = {} if found.may_change_algorithm else self._options
            first = Search(self.problem, usual, self.problem.default_heuristic, engine="python", **options)
            if exceeds_bound(found.proved, first.run(Limits(expansions=HEAD_START)).lower_bound, HEAD_START):
                raise InputError(
                    f"it says that a search of {HEAD_START} expansions proved {found.proved}, which it does not"
                )
        return found

    def _resume(self, saved: Checkpoint) -> None:
        """Go to where a checkpoint says that the search is."""
        from bestfirst.compiled import checkpoint  # noqa: PLC0415  (it imports NumPy)

        self._may_compile = True
        self._compile(threads=1 if self._long.is_ahead else None)
        driver = cast("CompiledDriver", self._driver)
        stats, engine = checkpoint.decoded_stats(saved.state.part("stats")), saved.state.part("engine")
        ended, stopped = engine.flag("ended"), engine.optional_text("stopped")
        seconds, peak_memory = stats.seconds, stats.peak_memory
        if stopped not in (None, *STOPS):
            raise InputError(f"it says that the search was stopped by {stopped!r}")
        is_replayed = self._sharing == 1 and stats.expanded <= checkpoint.REPLAYED  # threads stop at other nodes each time
        if is_replayed:
            driver.run(Limits(expansions=stats.expanded), None)
            if driver.stopped == "interrupted":
                raise KeyboardInterrupt
        else:
            self._restore(driver, saved, stats)
        for _ in range(MOST_ROUNDS_TO_THE_END if ended else 0):
            if not driver.ended:
                driver.run(Limits(expansions=0), None)
        if driver.ended != ended or (is_replayed and driver.stats.expanded != stats.expanded):
            raise InputError("it does not say how far the search has come")
        driver.stopped = None if ended else stopped
        driver.stats.seconds, driver.stats.peak_memory = seconds, peak_memory

    def _restore(self, driver: CompiledDriver, saved: Checkpoint, stats: Stats) -> None:
        """Take the state of a driver from a checkpoint."""
        from bestfirst.compiled import checkpoint  # noqa: PLC0415  (it imports NumPy)

        engine = saved.state.part("engine")
        h = self.heuristic.checked() if self.heuristic else ZERO.checked()
        driver.stats = stats
        driver.goal = checkpoint.decoded_path(self.problem, h, saved.state, "goal")
        driver.fall = checkpoint.decoded_path(self.problem, h, saved.state, "fall")
        if driver.goal is not None and not self.problem.is_goal(driver.goal.state):
            raise InputError("its solution does not lead to a goal")
        driver.bound, driver.ended = engine.number("bound"), engine.flag("ended")
        driver.dead_ends, driver.falls = engine.whole("dead_ends"), engine.whole("falls")
        driver.gave_up = engine.optional_text("gave_up")
        if not engine.is_none("bound_when_barred") or driver.gave_up not in (None, "width"):
            raise InputError("it has a limit that compiled searches do not have")
        driver.restore(saved.state.part("driver"))

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
            reason = reason or self._in_time(_DOMAIN, self._why_not_this_problem, "why not")
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
        return checked_domain(self.problem)

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
        cost = self._cost()
        bound, warnings = self._proved()
        status, limit = self._status(cost, bound)
        path = driver.goal.path() if driver.goal else []
        self._check_start_again(status)
        if status is Status.SOLVED and self.algorithm.promise == "fewest actions":
            warnings.append(
                "the solution has the fewest actions, but it is not known to be the cheapest: use uniform-cost, or "
                "set unit_cost = True on the problem if every action costs 1"
            )
        return Solution(
            problem=self.problem,
            algorithm=self.algorithm.name,
            heuristic=self.heuristic.name if self.heuristic else None,
            engine="python" if isinstance(driver, Driver) and self._engine != "compiled" else "compiled",
            status=status,
            cost=cost,
            lower_bound=bound,
            actions=[node.action for node in path[1:]],
            states=[node.state for node in path],
            stats=driver.stats.copy(),
            limit=limit,
            reason=self._unsolvable,
            weight=self.algorithm.weight if status is Status.BOUNDED else None,
            condition=self._condition(status, cost, bound),
            warnings=warnings,
            trace=self.trace,
        )

    def _cost(self) -> int | float | None:
        """The cost of the best solution, as Python adds it up along the problem's own successors; None if there is none."""
        goal = self._driver.goal
        if goal is None:
            return None
        if not self._verify:
            g, first = as_number(goal.g), self._driver.first_child
            is_whole = (
                first is not None and isinstance(first.g, int) and g == int(g)
            )  # the compiled engine can have it as a float
            return int(g) if is_whole else g
        if self._replayed is None or self._replayed[0] is not goal:
            nodes = goal.path()
            with CtrlC() if len(nodes) > LONG_PATH else nullcontext():
                cost = replay(self.problem, [node.action for node in nodes[1:]], [node.state for node in nodes], goal.g)
            self._replayed = goal, cost
        return self._replayed[1]

    def _check_start_again(self, status: Status) -> None:
        """Raise VerificationError where the start is no longer what it was, or has other successors each time."""
        if not self._verify:
            return
        if hash(self.problem.initial) != self._start_hash:
            raise VerificationError(
                f"the initial state has changed during the search: it is {self.problem.initial!r} now, with another hash; "
                "successors() must make new states, and never change one in place"
            )
        if status is Status.UNSOLVABLE and self._driver.stats.expanded:
            check_repeatable(self.problem, self._driver.first_child)

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
        if not exceeds_bound(cost, bound, self._additions):  # floats: up to rounding, as a bound adds them in another order
            return Status.OPTIMAL, None
        keeps_promise = self.algorithm.promise == "bounded" and bound > 0 and driver.bound_when_barred is None
        return (Status.BOUNDED if keeps_promise else Status.SOLVED), None

    def _proved(self) -> tuple[float, list[str]]:
        """The lower bound, as far as the heuristic can be trusted, and what the caller should know about it."""
        bound, warnings = self._proved_unrounded()
        return self._as_cost(bound), warnings

    def _as_cost(self, bound: float) -> float:
        """A bound as a number of the type that costs have, where it can be one."""
        if bound == inf:
            return bound
        if self._has_whole_costs():
            bound = sound_bound(bound)
            return int(bound) if bound == int(bound) else bound
        return float(bound)

    def _has_whole_costs(self) -> bool:
        """Whether costs are ints, as far as is known: the cost of the solution, or of an action at the start, is one."""
        cost = self._cost()
        if cost is not None:
            return isinstance(cost, int)
        first = self._driver.first_child
        return self.problem.unit_cost or first is None or isinstance(first.g, int)

    @property
    def _additions(self) -> int:
        """How many costs have been added up for the solution."""
        return 0 if self._driver.goal is None else self._driver.goal.depth

    def _proved_unrounded(self) -> tuple[float, list[str]]:
        if self._unsolvable is not None:
            return inf, []
        driver = self._driver
        said = (self._backward_warning, self._long.stayed, self._late, self._fallback, self._unclaimed)
        warnings = [warning for warning in said if warning is not None]
        if driver.is_stuck:
            warnings.append("a step, goal test or heuristic did not come to an end, so the search cannot go on")
        bound = max(driver.proved, self._long.proved)
        if self._at_start is not None:
            bound = max(bound, self._at_start)
        cost = self._cost()
        if cost is not None:
            bound = min(bound, cost)
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
        condition = self._untested()
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
            if exceeds_part(node.h, goal.g - node.g, goal.g, goal.depth):
                return self._lie(self.heuristic, node, node.h, "a goal", goal.g - node.g)
        if self._backward is not None:
            for node, state in self._seen_backward(goal):
                if exceeds_part(self._backward(state), node.g, goal.g, goal.depth):
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

    def _condition(self, status: Status, cost: float | None, bound: float) -> str | None:
        """What is taken for granted in what is proved."""
        conditions = [self._untested()]
        if status is Status.OPTIMAL and cost is not None and cost > bound:
            conditions.append(
                f"costs that differ by {cost - bound:.2g}, as rounding explains in sums of {self._additions} floats, are equal"
            )
        return " and ".join(condition for condition in conditions if condition is not None) or None

    def _untested(self) -> str | None:
        """The condition that heuristics of which nobody has said it never overestimate."""
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
        return heuristic is not None and checked_heuristics(self.problem).get(heuristic.name) == heuristic

    def _start(self, problem: Problem) -> Iterator[Step]:
        options = dict(self._options)
        if self.heuristic is None:
            return self.algorithm.run(problem, **options)
        if "backward_heuristic" in self.algorithm.options:
            options["backward_h"] = self._backward_heuristic(options.pop("backward_heuristic", None))
            if problem is self.problem:
                problem = _Turnable(problem, self._reversed)
        return self.algorithm.run(problem, self.heuristic.checked(), **options)

    @cached_property
    def _reversed(self) -> Problem | None:
        return checked_backward(self.problem)

    def _backward_heuristic(self, given: HeuristicChoice | None) -> Callable[[Any], float]:
        """The heuristic of the backward half: the one given, or the one of the same name where that was given by name."""
        assert self.heuristic is not None
        reverse = self._reverse = self._reversed
        if reverse is None:
            return ZERO.function  # the algorithm itself says that it needs a backward problem
        if given is not None or self._is_named:
            self._backward = find_heuristic(reverse, self.heuristic.name if given is None else given)
            return self._backward.checked()
        self._backward_warning = "the backward half searches without a heuristic; give backward_heuristic="
        return ZERO.function


class _Turnable(Problem):
    """A problem whose backward problem has been made already."""

    def __init__(self, problem: Problem, reverse: Problem | None) -> None:
        self.initial, self.unit_cost = problem.initial, problem.unit_cost
        self.successors = problem.successors  # type: ignore[method-assign]
        self.is_goal = problem.is_goal  # type: ignore[method-assign]
        self.key = problem.key  # type: ignore[method-assign]
        self.name = problem.name  # type: ignore[method-assign]
        self.backward = lambda: reverse  # type: ignore[method-assign]


def _default_algorithm(has_heuristic: bool, threads: int | None) -> str:
    """The algorithm to use when none is asked for."""
    if not has_heuristic:
        return "uniform-cost"
    return "astar" if threads in (None, 1) else "idastar"


def _check_limits(limits: object) -> None:
    if not isinstance(limits, Limits | None):
        raise InputError(f"limits is {limits!r}; give Limits(seconds=..., expansions=..., memory=..., depth=...)")


def _left_of(limits: Limits, started: float, before: int) -> Limits:
    """The limits of a run that is made again from the beginning of the search. before: expansions before the run."""
    return replace(
        limits,
        seconds=None if limits.seconds is None else max(0.0, limits.seconds - (perf_counter() - started)),
        expansions=None if limits.expansions is None else limits.expansions + before,
    )


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
