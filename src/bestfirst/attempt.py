"""An attempt: one algorithm with one heuristic on a problem, run by the reference engine or the compiled one.

The engines are twins: the compiled one runs the same search from its start and soon catches up with the reference engine.
So an attempt can change to the compiled engine at any time, and back if the code turns out not to compile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any

from bestfirst.cached import cached_property
from bestfirst.domain import Domain
from bestfirst.engine import Engine
from bestfirst.errors import (
    BestfirstError,
    InputError,
    NotCompilableError,
    changed,
    fallback_warning,
    is_of_compiler,
    needing_numpy,
)
from bestfirst.heuristics.heuristic import ZERO, Heuristic
from bestfirst.heuristics.naming import find_heuristic
from bestfirst.looking_once import is_as_shipped, looking_once
from bestfirst.lost_claims import why_not
from bestfirst.preparations import Preparations
from bestfirst.problem import Problem
from bestfirst.replay import replay, tested
from bestfirst.rounding import as_number
from bestfirst.search.driver import Driver
from bestfirst.search.node import Node, expand, root_of
from bestfirst.search.steps import Step
from bestfirst.search_plan import COMPILED, HEAD_START, Choice, HeuristicChoice, not_by_own, not_this_search, own_engine_of
from bestfirst.solution import Limits
from bestfirst.stated import checked_backward, checked_domain, checked_heuristics
from bestfirst.system.beside import Beside, OutOfTime, giving_way
from bestfirst.system.interrupt import CtrlC
from bestfirst.trace import Trace
from bestfirst.trace.recording import Subject

if TYPE_CHECKING:
    from bestfirst.compiled.drivers.driver import CompiledDriver
    from bestfirst.own_engine import OwnEngine
    from bestfirst.recycled import Recycled

SECONDS_TO_LOAD = 0.1
"""How long a limited search waits for the compiled engine before the reference engine resumes: cached code is loaded by
then."""
SECONDS_BESIDE = 0.05
"""How long the reference engine searches before it pauses and leaves all time to the compiler."""
LONGEST_PAUSE, PAUSES = 0.5, 20
"""The pause as a fraction of the time left: the more time is left, the more a compiled engine gains."""
SECONDS_OF_HEAD_START = 1.0
"""How long the reference engine begins the search of a problem with an engine of its own: its heuristics can take long."""
_ENGINE_IN_THE_MAKING, _DOMAIN, _ALGORITHM, _CODE = "the compiled engine", "domain()", "the algorithm", "the compiled code"
"""What is prepared in another thread, as messages name it."""
LONG_PATH = 1_000
"""Replaying a longer path takes long enough for the user to press Ctrl-C meanwhile."""
Progress = Callable[[], None] | None

_COMPILED: dict[tuple[Any, ...], set[Any]] = {}
"""The kinds of search, with the shapes of their domains, for which this process has compiled code: they need no head
start."""


class Attempt:
    """See the docstring of attempt.py. driver: the engine that runs the search.

    engine: the engine that was given. must_compile: whether the compiled engine was asked for, directly or by asking for
    threads.
    recycled: returns the arrays of an earlier search, if any.
    fallback: why the reference engine runs a search that the compiled one should have run, if it does.
    """

    def __init__(
        self,
        problem: Problem,
        choice: Choice,
        heuristic: Heuristic | None,
        preparations: Preparations,
        *,
        engine: str | None,
        must_compile: bool,
        trace: Trace | None,
        recycled: Callable[[], Recycled | None],
    ) -> None:
        self.problem, self.choice, self.heuristic, self.engine = problem, choice, heuristic, engine
        self.algorithm, self.options, self.threads = choice.algorithm, dict(choice.options), choice.threads
        self.must_compile = must_compile
        self.fallback: str | None = None
        self.backward: Heuristic | None = None
        self.backward_warning: str | None = None
        self.reverse: Problem | None = None
        self._recycled = recycled
        self._trace = trace
        self._preparations = preparations
        self._is_named = choice.heuristic is None or isinstance(choice.heuristic, str) or self._is_offered(heuristic)
        self._replayed: tuple[Node, int | float] | None = None
        self._may_compile: bool | None = None  # not known before the first run
        self.driver: Engine = self._reference(trace)

    @property
    def engine_name(self) -> str:
        """The engine, as a solution names it."""
        return "python" if isinstance(self.driver, Driver) and self.engine != COMPILED else COMPILED

    @property
    def is_in_compiled_engine(self) -> bool:
        """Whether the compiled engine has taken over."""
        return not isinstance(self.driver, Driver)

    @cached_property
    def at_start(self) -> float | None:
        """The estimate of the start, if it is known to be a lower bound."""
        if self.heuristic is None or not self.heuristic.admissible:
            return None
        made = self.driver.at_start
        return self.heuristic.checked()(self.problem.initial) if made is None else made

    def cost(self, *, verify: bool) -> int | float | None:
        """The cost of the best solution, summed in Python along the problem's own successors; None if there is no
        solution."""
        goal = self.driver.goal
        if goal is None:
            return None
        if not verify:
            g, first = as_number(goal.g), self.driver.first_child
            is_whole = first is not None and isinstance(first.g, int) and g == int(g)
            return int(g) if is_whole else g  # the compiled engine may return it as a float
        if self._replayed is None or self._replayed[0] is not goal:
            nodes = goal.path()
            with CtrlC() if len(nodes) > LONG_PATH else nullcontext():
                cost = replay(self.problem, [node.action for node in nodes[1:]], [node.state for node in nodes], goal.g)
            self._replayed = goal, cost
        return self._replayed[1]

    # Running it.

    def run(self, limits: Limits, progress: Progress) -> None:
        """Run the reference engine, then the compiled one where possible. Raises OutOfTime and KeyboardInterrupt.

        progress may change the problem, so with it there is another look at the end.
        """
        self.check_unchanged()
        before, started = self.driver.stats.expanded, perf_counter()
        try:
            left = self._to_the_compiled_engine(limits, progress)
            if left is not None:
                self._prepare(left)
                if progress is not None and not isinstance(self.driver, Driver):
                    self.driver.compiled.noted.complete()  # type: ignore[attr-defined]
                self.driver.run(self._preparations.left_of(left), progress)
                if progress is not None:
                    self.check_unchanged(is_over=True)
        except Exception as error:
            if self.must_compile or isinstance(self.driver, Driver) or not is_of_compiler(error, has_begun=True):
                raise
            self._fall_back(error)
            self.driver.run(self._preparations.left_of(_left_of(limits, started, before)), progress)

    def check_unchanged(self, *, is_over: bool = False) -> None:
        """Raise InputError if the problem is no longer what it was when the last run ended, as far as that can be seen: the
        estimate of the start, and what compiled code reads. is_over: whether to look at a search that is over, too.
        """
        if self.driver.ended and not is_over:
            return
        if "at_start" in vars(self):
            was = self.at_start
            del self.at_start
            if self.at_start != was:
                raise changed("the estimate of the start", self.problem)
        if isinstance(self.driver, Driver):
            return
        from bestfirst.compiled.drivers.checkpoint import has_changed  # noqa: PLC0415  (it imports NumPy)

        driver: CompiledDriver = self.driver  # type: ignore[assignment]
        if self.own is not None:
            noted: Any = driver.compiled.noted
            noted.check(None, self.problem)
            return
        domain = self._carrying() if checked_domain(self.problem) is not None else None
        if domain is None:
            raise changed("the code", self.problem)
        driver.compiled.noted.check(domain, self.problem)
        offered = None if self._own_name is None else domain.heuristics().get(self._own_name)
        if (offered is None) != (self._own_name is None) or has_changed(driver.compiled, domain, offered):
            raise changed("the code", self.problem)

    def begin(self, limits: Limits, progress: Progress) -> Limits | None:
        """Search for HEAD_START expansions; returns what part() returns."""
        self.settle(limits, is_next=True)
        if self.engine == COMPILED and isinstance(self.driver, Driver):
            self._compile()
        return self._head_start(limits, progress)

    def settle(self, limits: Limits, *, is_next: bool = False) -> None:
        """Decide whether the compiled engine may run the search; raises InputError if it must and cannot.

        domain() is called only if the compiled engine must run: it takes time that small searches do not have.
        is_next: whether the compiled engine is made next, without a deadline; that calls domain(), and raises the error.
        """
        if self._may_compile is not None:
            return
        if self.engine == "python":
            self._may_compile = False
            return
        reason = not_this_search(self.problem, self.choice, limits, is_traced=self._trace is not None)
        if self.must_compile:
            if reason is None and not (is_next and self.engine == COMPILED and self._preparations.deadline is None):
                reason = self._preparations.in_time(_DOMAIN, self._why_not_this_problem, "why not")
            if reason is not None:
                raise self._cannot(reason)
        self._may_compile = reason is None

    def _cannot(self, reason: str) -> InputError:
        """The error for a search that must be compiled, and cannot be."""
        asked = "threads" if self.choice.on is None else "on"
        instead = f"omit {asked} to use the reference engine"
        if self.engine == COMPILED and self.choice.on is None:
            instead = "use engine='python'"
        remedy = f", or {instead}" if ";" in reason else f"; {instead}"
        return InputError(f"the compiled engine cannot run this search: {reason}{remedy}")

    def stay(self) -> None:
        """Stay with the current engine."""
        self._may_compile = False

    def part(
        self, limits: Limits, progress: Progress, *, expansions: int | None = None, seconds: float | None = None
    ) -> Limits | None:
        """Run for a number of expansions or seconds; returns what is left of the limits, or None if the search is over."""
        self._prepare(limits)
        driver, before = self.driver, self.driver.stats.expanded
        given = self._preparations.left_of(limits)
        of_part = {"expansions": expansions, "seconds": seconds}
        smaller: dict[str, Any] = {
            name: most
            for name, most in of_part.items()
            if most is not None and (getattr(given, name) is None or most < getattr(given, name))
        }
        if isinstance(driver, Driver) and "seconds" in smaller:
            driver.calls_until = inf if given.seconds is None else perf_counter() + given.seconds
        driver.run(replace(given, **smaller), progress)
        if isinstance(driver, Driver):
            driver.calls_until = None
        if driver.ended or driver.stopped not in smaller:
            return None
        made = driver.stats.expanded - before
        return replace(limits, expansions=None if limits.expansions is None else limits.expansions - made)

    def _head_start(self, limits: Limits, progress: Progress) -> Limits | None:
        """Let the reference engine begin: a small search is over before code is compiled or a table built; returns what
        part() returns."""
        seconds = None if self.own is None else SECONDS_OF_HEAD_START
        return self.part(limits, progress, expansions=max(0, HEAD_START - self.driver.stats.expanded), seconds=seconds)

    def _prepare(self, limits: Limits) -> None:
        """Prepare the algorithm within the time limit, if the reference engine is to begin."""
        driver = self.driver
        if isinstance(driver, Driver) and not driver.is_prepared:
            if self._preparations.deadline is None:
                driver.prepared(limits)
            else:
                self._preparations.in_time(_ALGORITHM, partial(driver.prepared, limits))

    # The reference engine.

    def _reference(self, trace: Trace | None) -> Driver:
        """The reference engine, at the start of the search."""
        if trace is not None:
            trace.begin(Subject(self.problem, self.algorithm, self.heuristic.name if self.heuristic else None))
        return Driver(self.problem, self.start, trace, tests_goals="backward_heuristic" not in self.algorithm.options)

    def start(self, problem: Problem) -> Iterator[Step]:
        """The steps of the algorithm. Raises InputError if it cannot search the problem."""
        options = dict(self.options)
        if self.heuristic is None:
            return self.algorithm.run(problem, **options)
        if "backward_heuristic" in self.algorithm.options:
            options["backward_h"] = self._backward_heuristic(options.pop("backward_heuristic", None))
            if problem is self.problem and self._reversed is not None:
                problem = _Turnable(problem, self._reversed)
        h = replace(self.heuristic, function=self.heuristic.checked())
        return self.algorithm.run(problem, h if self.algorithm.asks_heuristic else h.function, **options)

    @cached_property
    def _reversed(self) -> Problem | None:
        return checked_backward(self.problem)

    def _backward_heuristic(self, given: HeuristicChoice | None) -> Callable[[Any], float]:
        """The heuristic of the backward half: the given one, or the one with the same name as a heuristic given by name."""
        assert self.heuristic is not None
        reverse = self.reverse = self._reversed
        if reverse is None:
            return ZERO.function  # the algorithm itself reports that it needs a backward problem
        if given is not None or self._is_named:
            self.backward = find_heuristic(reverse, self.heuristic.name if given is None else given)
            return self.backward.checked()
        self.backward_warning = "the backward half searches without a heuristic; pass backward_heuristic="
        return ZERO.function

    def _is_offered(self, heuristic: Heuristic | None) -> bool:
        """Whether the problem offers this heuristic by name, though it was given as an object."""
        return heuristic is not None and checked_heuristics(self.problem).get(heuristic.name) == heuristic

    # From the reference engine to the compiled one, and back.

    def _to_the_compiled_engine(self, limits: Limits, progress: Progress) -> Limits | None:
        """Let the compiled engine take over, if it can, after a head start of the reference engine; returns what part()
        returns."""
        self.settle(limits, is_next=True)
        if not self._may_compile or not isinstance(self.driver, Driver):
            return limits
        is_compiled_only = self.engine == COMPILED or self.choice.is_own_search
        is_ready = is_compiled_only or self._is_compiled()
        left = limits if is_ready else self._head_start(limits, progress)
        if left is not None and self._preparations.deadline is not None and not is_compiled_only:
            left = self._search_beside(self._code_in_the_making(), left, progress)
        if left is not None:
            self._compile()
        return left

    def _search_beside(self, preparation: Beside[Any], limits: Limits, progress: Progress) -> Limits | None:
        """Let the engine search while something is prepared; returns what part() returns. Without a time limit, waiting is
        faster."""
        deadline = self._preparations.deadline
        assert deadline is not None
        left: Limits | None = limits
        pause = SECONDS_TO_LOAD
        with giving_way():
            while left is not None and not preparation.wait(min(deadline, perf_counter() + pause)):
                left = self.part(left, progress, seconds=SECONDS_BESIDE)
                pause = min(LONGEST_PAUSE, (deadline - perf_counter()) / PAUSES)
        return left

    def check_savable(self) -> None:
        """Raise InputError for a search by an engine of the problem's own, which cannot be saved."""
        if self.own is not None:
            raise InputError(f"searches of {self.problem.name()} cannot be saved; run the search to the end")

    def compiled(self, limits: Limits) -> CompiledDriver:
        """The compiled engine, whose search can be saved; raises NotCompilableError if it cannot run the search."""
        self.check_savable()
        if isinstance(self.driver, Driver):
            reason = not_this_search(self.problem, self.choice, limits, is_traced=self._trace is not None)
            reason = reason or self._why_not_this_problem()
            if reason is not None:
                raise NotCompilableError(f"this search cannot be saved: it runs in the reference engine, because {reason}")
            self.engine, self.must_compile, self._may_compile = COMPILED, True, True
            self._compile()
        return self.driver  # type: ignore[return-value]

    @contextmanager
    def while_compiled(self, limits: Limits) -> Iterator[CompiledDriver]:
        """Like compiled(), but only for a while: afterwards the attempt continues in the engine that it had."""
        kept = self.engine, self.must_compile, self._may_compile, self.driver
        try:
            yield self.compiled(limits)
        finally:
            self.engine, self.must_compile, self._may_compile, self.driver = kept

    @property
    def _kind(self) -> tuple[Any, ...]:
        """What searches that share compiled code have in common, whatever their instance."""
        heuristic = self.heuristic.name if self.heuristic else None
        return type(self.problem), self.algorithm.name, heuristic, self.threads > 1, str(self.options)

    @property
    def _shape(self) -> Any:
        """The main properties of the instance on which compiled code depends."""
        if self.own is not None:
            return type(self.own)
        domain = self.domain
        if domain is None:
            return None
        lengths = tuple(len(value) for value in domain.initial if isinstance(value, tuple))
        fixed = tuple(repr(domain.compiled_value(name)) for name in domain.fixed if isinstance(getattr(domain, name), int))
        return type(domain), lengths, fixed, *domain.bits.items()

    def _is_compiled(self) -> bool:
        """Whether this process has compiled code for this search; for a problem with an engine of its own, or the disk."""
        if self.own is not None:
            driver = self._made_in_time()
            return driver is not None and self.own.is_ready(driver)
        shapes = _COMPILED.get(self._kind)
        if not shapes:
            return False
        is_at_hand = isinstance(self.problem, Domain) and is_as_shipped(self.problem)
        shape = self._shape if is_at_hand else self._preparations.in_time(_DOMAIN, lambda: self._shape)
        return shape in shapes

    def _made_in_time(self) -> CompiledDriver | None:
        """The compiled engine at the start of the search; None if it cannot be made: _compile() then reports why."""
        making = self._engine_in_the_making()
        if not making.wait(self._preparations.deadline):
            raise OutOfTime(_ENGINE_IN_THE_MAKING)
        try:
            return making.result()
        except Exception:
            return None

    def _compile(self) -> None:
        """Change to the compiled engine, which runs the same search and so soon catches up with the reference engine."""
        making: Beside[CompiledDriver | None] | None = None
        try:
            driver = self._made_here()
            if driver is None:
                making = self._engine_in_the_making()
                driver = self._waited_for(making)
        except OutOfTime:
            raise
        except Exception as error:
            self._fall_back_unless_compiled(error, has_begun=False)
            return
        if driver is None:
            self._may_compile = False
            return
        before = self.driver.stats
        behind = before.expanded - driver.stats.expanded
        if behind > 0:
            try:
                driver.run(self._preparations.left_of(Limits(expansions=behind)), None)
            except Exception as error:
                self._fall_back_unless_compiled(error, has_begun=True)
                return
        _COMPILED.setdefault(self._kind, set()).add(self._shape)
        if making is not None and driver.stats.expanded < before.expanded and driver.stopped in ("seconds", "interrupted"):
            self._preparations.keep(_ENGINE_IN_THE_MAKING, making)  # the next run waits for it again
            if driver.stopped == "seconds":
                raise OutOfTime(_ENGINE_IN_THE_MAKING)
            raise KeyboardInterrupt
        driver.stats.seconds += before.seconds
        self.driver = driver

    def _fall_back_unless_compiled(self, error: Exception, *, has_begun: bool) -> None:
        """Stay with the reference engine; raise the error if the compiled engine was asked for or is not its cause."""
        if self.must_compile or not is_of_compiler(error, has_begun=has_begun):
            from bestfirst.raised import raised_by_hidden  # noqa: PLC0415  (it is seldom needed)

            named = raised_by_hidden(self.problem, error)
            if named is not None:
                raise named from error
            raise error
        self._note_fallback(error)

    def _fall_back(self, error: Exception) -> None:
        """Restart the search in the reference engine, which needs no compilable form and has ints of any size."""
        self._note_fallback(error)
        _COMPILED.get(self._kind, set()).discard(self._shape)
        seconds = self.driver.stats.seconds
        self.driver = self._reference(None)
        self.driver.stats.seconds = seconds

    def _note_fallback(self, error: Exception) -> None:
        self._may_compile = False
        self.fallback = fallback_warning("search", error)

    # Making the compiled engine.

    def _engine_in_the_making(self) -> Beside[CompiledDriver | None]:
        """The compiled engine for this search, prepared in another thread; None if it cannot run the search."""
        return self._preparations.beside(_ENGINE_IN_THE_MAKING, self._compiled_engine)

    def _waited_for(self, making: Beside[CompiledDriver | None]) -> CompiledDriver | None:
        if not making.wait(self._preparations.deadline):
            raise OutOfTime(_ENGINE_IN_THE_MAKING)
        try:
            return making.result()
        finally:
            self._preparations.forget(_ENGINE_IN_THE_MAKING)

    def _made_here(self) -> CompiledDriver | None:
        """The compiled engine, made in this thread; None if the search has begun, or if code must be compiled first.

        To hand the work to another thread and back would take twice as long.
        """
        is_next = self.driver.stats.expanded == 0 and self._preparations.deadline is None and not self.choice.needs_compiling
        if not (is_next and self.own is None and _COMPILED.get(self._kind)):
            return None
        from bestfirst.compiled.compiler.may_compile import NotInCacheError, from_cache_only  # noqa: PLC0415

        def made() -> CompiledDriver | None:
            driver = self._compiled_engine()
            if driver is not None and self.domain is not None:
                driver.methods_return = is_as_shipped(self.domain)
            return driver

        try:
            with from_cache_only():
                return looking_once(self.problem, made)
        except NotInCacheError:
            return None

    def _code_in_the_making(self) -> Beside[Any]:
        """The work that precedes the compiled search, in another thread."""
        driver = None if self.own is None else self._made_in_time()
        if self.own is None or driver is None:
            return self._engine_in_the_making()
        return self._preparations.beside(_CODE, partial(self.own.prepare, driver))

    def _compiled_engine(self) -> CompiledDriver | None:
        """The compiled engine, at the start of the search; raises NotCompilableError if NumPy or Numba is missing."""
        reason = self._why_not_this_problem()
        if reason is not None:
            if self.must_compile:
                raise self._cannot(reason)
            return None
        try:
            from bestfirst.compiled import compiled_driver  # noqa: PLC0415  (it imports NumPy)
        except ImportError as error:
            from bestfirst.hidden_modules import same_name  # noqa: PLC0415  (it is rarely needed)

            raise NotCompilableError(
                "the compiled engine needs NumPy and Numba, one of which cannot be imported "
                f"({error}{same_name(error)}); install both, or use engine='python'"
            ) from error
        if "backward_heuristic" in self.algorithm.options and self.backward is None:
            self._backward_heuristic(None)
        first_child = self._first_child()
        if self.own is not None:
            made: CompiledDriver = self.own.driver(self.algorithm.name, self._name_for_own, self.options)
            made.first_child = first_child
            return made
        assert self.domain is not None
        own = None if self._own_name is None else self._offered[self._own_name]
        driver = compiled_driver(
            self.domain,
            self.algorithm.name,
            own,
            threads=self.threads,
            problem=self.problem,
            recycled=self._recycled(),
            **self._workers(),
            **self.options,
        )
        driver.first_child = first_child
        has_table = self.heuristic is not None and self.heuristic.domain is not None
        driver.trusts_estimates = (
            not has_table and self._is_named and is_as_shipped(self.problem) and is_as_shipped(self.domain)
        )
        return driver

    def _workers(self) -> Mapping[str, Any]:
        """The arguments of the driver for workers: where they are, how many, and the heuristic for them to find."""
        choice = self.choice
        if choice.on is None:
            return {}
        named = choice.heuristic_name if isinstance(choice.heuristic, str) or self._is_named else None
        return {"on": choice.on, "workers": choice.workers, "given": named or self.heuristic}

    def _first_child(self) -> Node | None:
        """The first child of the start, made in plain Python: running step and is_goal reports how they break their
        contract.

        Errors that they raise themselves are left to the search, since code that cannot be compiled has its own error.
        """
        try:
            tested(self.problem, self.problem.initial)
            return next(expand(self.problem, root_of(self.problem)), None)
        except BestfirstError:
            raise
        except Exception:
            return None

    @cached_property
    def own(self) -> OwnEngine | None:
        """The compiled engine of the problem's own; None if it has none, or would not be asked."""
        if self._may_compile is False:
            return None
        try:
            with needing_numpy("the compiled engine", NotCompilableError):
                return own_engine_of(self.problem)
        except NotCompilableError:
            if self.must_compile:
                raise
            return None

    @property
    def _name_for_own(self) -> str | None:
        """The heuristic, as the problem's own engine names it."""
        return None if self.heuristic is None or self.heuristic is ZERO else self.heuristic.name

    @cached_property
    def domain(self) -> Domain | None:
        """The compilable form that is searched; None if there is none."""
        with needing_numpy("the compiled engine", NotCompilableError):
            return self._carrying()

    def _carrying(self) -> Domain | None:
        """The compilable form of the problem as it is now."""
        if self.heuristic is not None and self.heuristic.domain is not None:
            carrying: Domain | None = self.heuristic.domain(self.problem)
            return carrying
        return checked_domain(self.problem)

    def compilable(self) -> tuple[Domain, Heuristic | None]:
        """What compiled code searches, and the heuristic as its method. Raises NotCompilableError with the reason if it cannot."""
        reason = f"{self.problem.name()} has an engine of its own" if self.own is not None else self._why_not_this_problem()
        if reason is not None:
            raise NotCompilableError(reason)
        assert self.domain is not None
        return self.domain, self.offered_heuristic()

    def offered_heuristic(self) -> Heuristic | None:
        """The heuristic, as a method of the domain."""
        assert self.domain is not None
        return None if self._own_name is None else self.domain.heuristics()[self._own_name]

    @cached_property
    def _offered(self) -> Mapping[str, Heuristic]:
        """The heuristics that the domain offered when this search was planned."""
        assert self.domain is not None
        return checked_heuristics(self.domain)

    @property
    def _own_name(self) -> str | None:
        """The name of the heuristic among those of the domain; None if there is none, or ZERO: that is the same search."""
        heuristic = self.heuristic
        is_zero = heuristic is ZERO and ZERO.name not in self._offered
        return None if heuristic is None or is_zero else heuristic.name

    def _why_not_this_problem(self) -> str | None:
        """Why the compiled engine cannot search this problem with this heuristic; None if it can."""
        if self.own is not None:
            name = self._name_for_own
            return not_by_own(self.own, self.problem, self.choice, name, name is None or self._is_named)
        domain, heuristic = self.domain, self.heuristic
        if domain is None and heuristic is not None and heuristic.domain is not None:
            what = f"this problem cannot be compiled with the heuristic {heuristic.name}"
            return f"{what}, which has too many patterns, or was built for a different goal"
        if domain is None:
            name = type(self.problem).__name__
            return why_not(self.problem, "domain") or f"{name} is not written as a Domain, or is too large for one"
        if heuristic is None:
            return None
        is_carried = heuristic.domain is not None
        if is_carried and "backward_heuristic" in self.algorithm.options:
            return "pattern databases, which are built for one goal, cannot be used in a bidirectional search"
        if self._own_name is None:
            return None
        if not (self._is_named or is_carried) or heuristic.name not in self._offered:
            return "its heuristic was not given by the name of one of the domain's @heuristic methods"
        return None


class _Turnable(Problem):
    """A problem whose backward problem has already been made."""

    def __init__(self, problem: Problem, reverse: Problem | None) -> None:
        self.initial, self.unit_cost = problem.initial, problem.unit_cost
        self.successors = problem.successors  # type: ignore[method-assign]
        self.is_goal = problem.is_goal  # type: ignore[method-assign]
        self.key = problem.key  # type: ignore[method-assign]
        self.name = problem.name  # type: ignore[method-assign]
        self.backward = lambda: reverse  # type: ignore[method-assign]


def _left_of(limits: Limits, started: float, before: int) -> Limits:
    """The limits of a run that restarts the search. before: expansions before the run."""
    return replace(
        limits,
        seconds=None if limits.seconds is None else max(0.0, limits.seconds - (perf_counter() - started)),
        expansions=None if limits.expansions is None else limits.expansions + before,
    )
