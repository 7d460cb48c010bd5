"""The plan of a search, with reasons: a function of the problem and the arguments alone, not of disk, clock or machine.

    plan = bf.plan(bf.SlidingTile("8 6 7 2 5 4 3 _ 1"))
    print(plan)          # the stages, and a reason for each choice
    plan.heuristic       # "pdb:8"

A plan has one or two searches. A problem may name a heuristic for long searches (Problem.long_search): a search for which
no heuristic is given then begins with the default one, and starts again with the other if it has not ended after 2,000
expansions. Each search begins in the reference engine and continues in the compiled one, if it can: the counts are the same.
A problem with a compiled engine of its own (own_engine.py) is searched by that from the start, if its code is compiled
already, perhaps for another problem.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from bestfirst.arguments import check_kind, check_whole
from bestfirst.deprecated import warn_deprecated
from bestfirst.domain import Domain, resources_of
from bestfirst.errors import InputError, UnknownNameError, cut, shown
from bestfirst.heuristics.deferred import DeferredHeuristic
from bestfirst.heuristics.heuristic import ZERO, Heuristic
from bestfirst.long_search import LongSearch
from bestfirst.objectives.objective import RestatedForm, restated
from bestfirst.problem import Problem
from bestfirst.search import Algorithm, algorithm_named, is_portfolio
from bestfirst.search.dominance import declares_by_function
from bestfirst.solution import Limits
from bestfirst.stated import checked_heuristics
from bestfirst.system.threads import check_threads

if TYPE_CHECKING:
    from bestfirst.algorithms import AlgorithmChoice
    from bestfirst.own_engine import OwnEngine
    from bestfirst.patterns.policy import Policy

HeuristicChoice = str | Heuristic | DeferredHeuristic | Callable[[Any], float]
COMPILED_ALGORITHMS: Mapping[str, frozenset[str]] = {
    "idastar": frozenset({"order", "prune", "prune_from"}),
    "astar": frozenset({"ties"}),
    "uniform-cost": frozenset({"ties"}),
    "greedy": frozenset({"ties"}),
    "weighted-astar": frozenset({"ties", "weight"}),
    "anytime-weighted-astar": frozenset({"ties", "weight", "incumbent", "upper_bound"}),
    "depth-first-branch-and-bound": frozenset({"memo", "incumbent", "upper_bound"}),
    "limited-discrepancy": frozenset({"incumbent", "upper_bound"}),
    "beam": frozenset({"width"}),
    "anytime-beam": frozenset({"width", "incumbent", "upper_bound"}),
    "large-neighbourhood-beam": frozenset({"width", "seed", "incumbent", "upper_bound"}),
    "bidirectional-astar": frozenset(),
}
"""The algorithms of the compiled engine, with the options that they support there."""
PARALLEL_ALGORITHMS = ("idastar", "astar", "uniform-cost", "anytime-beam")
"""Those that can use several threads."""
SAME_COUNTS = ("idastar", "anytime-beam")
"""Those of them whose counts are the same whatever the number of threads."""
SHARED_UNASKED = ("idastar",)
"""Those of these for which a plan may choose several threads."""
DISTRIBUTED = ("idastar",)
"""Those that several workers can share."""
PLACES = ("local", "ray")
"""Where workers can be: processes of this machine, or of a Ray cluster."""
HEAD_START = 2_000
"""Expansions of the reference engine before the compiled one takes over, unless an engine is given."""
NEEDED = {"numpy": "NumPy", "numba": "Numba"}
"""The packages without which there is no compiled engine."""
REFERENCE, COMPILED = "reference", "compiled"
ENGINES = ("python", COMPILED)
"""The names of the engines as arguments; "reference" is another name of "python"."""
KEYWORDS = (
    "algorithm",
    "heuristic",
    "limits",
    "trace",
    "progress",
    "on_improvement",
    "engine",
    "threads",
    "on",
    "workers",
    "verify",
    "databases",
)
"""Keyword arguments of solve() for all algorithms; suggestions for a misspelt option include them."""
GIVEN = "you chose it"
MOST_NAMES_SHOWN = 200
"""The length of the longest list of names in a message."""


@dataclass(frozen=True)
class Choice:
    """One search of a plan.

    heuristic: a name, the given object, or None. may_share: whether it uses all processors. on, workers: where other processes
    search, and how many; None: nowhere, and as many as there are processors.
    meaning: what a name stands for (Problem.heuristic_alias): resolved late, since that may need NumPy.
    """

    algorithm: Algorithm
    heuristic: HeuristicChoice | None
    options: Mapping[str, Any] = field(default_factory=dict)
    threads: int = 1
    may_share: bool = False
    on: str | None = None
    workers: int | None = None
    meaning: Callable[[str], str] = str

    @property
    def needs_compiling(self) -> bool:
        """Whether only the compiled engine can run it to its end: several threads or other processes were asked for."""
        return self.threads > 1 or self.on is not None

    @property
    def is_own_search(self) -> bool:
        """Whether its threads make a search of their own, which the reference engine cannot begin."""
        return self.threads > 1 and self.algorithm.name not in SAME_COUNTS

    @property
    def heuristic_name(self) -> str | None:
        """The name of the heuristic, as far as it is known before the heuristic exists."""
        if self.heuristic is None:
            return None
        if isinstance(self.heuristic, str):
            return self.meaning(self.heuristic)
        name = getattr(self.heuristic, "name", None) or getattr(self.heuristic, "__name__", None)
        return str(name or type(self.heuristic).__name__)


@dataclass(frozen=True)
class Stage:
    """A stage of a plan: one engine that runs one search. expansions: the next stage begins after this many; None: no limit.

    threads: the number of threads; None: all processors. starts_again: whether it starts a new search, or resumes the last.
    on: where workers search; None: nowhere else. if_needed: whether it is left out if the code of the next stage is compiled
    already.
    """

    algorithm: str
    heuristic: str | None
    engine: str
    threads: int | None = 1
    expansions: int | None = None
    starts_again: bool = False
    on: str | None = None
    if_needed: bool = False

    def __str__(self) -> str:
        heuristic = f" with {self.heuristic}" if self.heuristic else ""
        threads = "" if self.threads == 1 else f", {self.threads or 'all'} threads"
        threads += "" if self.on is None else f", {self.on} workers"
        end = f"for {self.expansions:,} expansions" if self.expansions else "to the end"
        end += ", unless the next stage is compiled already" if self.if_needed else ""
        return f"{self.algorithm}{heuristic}, {self.engine} engine{threads}, {end}"


@dataclass(frozen=True)
class Plan:
    """The searches of a plan, and why. engine: the one that was given; None: the reference engine, then the compiled one.

    first, long: see the docstring of search_plan.py; long is None if there is only one search. why: a reason for each of algorithm,
    heuristic, engine and threads. has_own: whether the compiled engine is the problem's own.
    offered: the names of the problem's heuristics, if none was given and the problem has no default; otherwise empty.
    members: the plans of the members of a portfolio, in order; empty for any other search.
    """

    first: Choice
    long: Choice | None
    engine: str | None
    why: Mapping[str, str]
    compiles: bool
    has_own: bool = False
    offered: str = ""
    members: tuple[Plan, ...] = ()

    @property
    def algorithm(self) -> str:
        """The algorithm of the last stage."""
        return (self.long or self.first).algorithm.name

    @property
    def heuristic(self) -> str | None:
        """The heuristic of the last stage."""
        return (self.long or self.first).heuristic_name

    @property
    def threads(self) -> int | None:
        """The number of threads of the last stage; None: all processors."""
        return self.stages[-1].threads

    @property
    def stages(self) -> tuple[Stage, ...]:
        """All stages, in order. A search that ends sooner runs fewer. Of a portfolio: those of all members, side by side."""
        if self.members:
            return tuple(replace(stage, on=self.first.on) for member in self.members for stage in member.stages)
        if self.long is None:
            return tuple(self._stages_of(self.first, starts_again=True))
        head = self._stages_of(replace(self.first, threads=1, on=None), starts_again=True)[0]
        return (replace(head, expansions=HEAD_START), *self._stages_of(self.long, starts_again=True))

    def _stages_of(self, choice: Choice, *, starts_again: bool) -> list[Stage]:
        name, heuristic = choice.algorithm.name, choice.heuristic_name
        stages = []
        if self.engine != COMPILED and not choice.is_own_search:
            end = HEAD_START if self.compiles else None
            is_skipped = self.compiles and self.has_own
            stages.append(Stage(name, heuristic, REFERENCE, 1, end, starts_again, if_needed=is_skipped))
        if self.compiles:
            threads = None if choice.may_share else choice.threads
            stages.append(Stage(name, heuristic, COMPILED, threads, starts_again=not stages, on=choice.on))
        return stages

    def to_dict(self) -> dict[str, Any]:
        """The plan as a JSON object."""
        told = {
            "algorithm": self.algorithm,
            "heuristic": self.heuristic,
            "engine": self.engine,
            "threads": self.threads,
            "stages": [vars(stage) for stage in self.stages],
            "why": dict(self.why),
        }
        if self.members:
            told["members"] = [
                {**member.to_dict(), "options": {name: _shown(value) for name, value in member.first.options.items()}}
                for member in self.members
            ]
        return told

    def __str__(self) -> str:
        if self.members:
            return self._of_members()
        stages = [f"{number}. {stage}" for number, stage in enumerate(self.stages, 1)]
        return "\n".join([*stages, *(f"{choice}: {reason}" for choice, reason in self.why.items())])

    def _of_members(self) -> str:
        """The plan of a portfolio, for people."""
        first = self.first
        lines = [f"portfolio, {len(self.members)} {first.on} worker{'s' * (len(self.members) > 1)}, side by side:"]
        for number, member in enumerate(self.members, 1):
            stage = member.stages[-1]
            options = "".join(f", {name} {_shown(value)}" for name, value in member.first.options.items())
            heuristic = f" with {stage.heuristic}" if stage.heuristic else ""
            lines.append(f"{number}. {stage.algorithm}{heuristic}{options}, {stage.engine} engine")
        return "\n".join([*lines, *(f"{choice}: {reason}" for choice, reason in self.why.items())])


def _shown(value: object) -> object:
    """The value of an option for people and programs."""
    return value if isinstance(value, bool | int | float | str | None) else repr(value)


def plan(
    problem: Problem,
    algorithm: str | AlgorithmChoice | None = None,
    heuristic: HeuristicChoice | None = None,
    *,
    limits: Limits | None = None,
    trace: object = False,
    engine: str | None = None,
    threads: int | None = None,
    on: str | None = None,
    workers: int | None = None,
    databases: Policy | None = None,
    **options: Any,
) -> Plan:
    """The plan of a search with these arguments, which are those of solve(); nothing is searched, compiled or built.

    Raises InputError for arguments that contradict each other or do not fit the problem.
    """
    searched = restated(problem)
    algorithm, options = named(algorithm, {"threads": threads, **options})
    if isinstance(searched, RestatedForm) and searched is not problem:
        answers = import_module("bestfirst.objectives.answer")  # by name: it makes solutions, which have plans
        heuristic, options = searched.chosen(heuristic), answers.Answer(problem, searched).options(options)
    return plan_as_searched(
        searched,
        algorithm,
        heuristic,
        limits=limits,
        trace=trace,
        engine=engine,
        on=on,
        workers=workers,
        databases=databases,
        **options,
    )


def plan_as_searched(
    problem: Problem,
    algorithm: str | AlgorithmChoice | None,
    heuristic: HeuristicChoice | None,
    *,
    limits: Limits | None,
    trace: object,
    databases: Policy | None,
    engine: str | None = None,
    threads: int | None = None,
    on: str | None = None,
    workers: int | None = None,
    **options: Any,
) -> Plan:
    """plan() for a problem in the form in which it is searched (see restated()), and options for that form."""
    algorithm, options = named(algorithm, {"threads": threads, **options})
    if is_portfolio(algorithm):
        from bestfirst.portfolio.planning import portfolio_plan  # noqa: PLC0415  (most searches have no members)

        given = {"limits": limits, "engine": engine, "databases": databases}
        return portfolio_plan(problem, heuristic, given, trace=bool(trace), on=on, workers=workers, **options)
    options = {name: _plain(value) for name, value in options.items()}
    threads = options.pop("threads")
    engine = engine_named(engine)
    why = {}
    has_heuristic = heuristic is not None or problem.default_heuristic is not None
    if algorithm is None:
        name = "astar" if has_heuristic else "uniform-cost"
        why["algorithm"] = f"{name} is the default for a search {'with' if has_heuristic else 'without'} a heuristic"
    else:
        name, why["algorithm"] = algorithm, GIVEN
    chosen = algorithm_named(name)
    chosen.check_options(options, also=_keywords_of(name))
    if isinstance(problem, RestatedForm):
        _check_can_restate(problem, chosen)
    if "weight" in options:
        chosen = replace(chosen, weight=options["weight"])
    wanted, why["heuristic"] = _heuristic(problem, chosen, heuristic)
    offered = offered_names(problem) if algorithm is None and not has_heuristic else ""
    if offered:
        why["heuristic"] = f"none was given, and {problem.name()} has no default heuristic; it offers {offered}"
    first = Choice(chosen, wanted, options, meaning=partial(_meaning, problem, databases or _policy_that_holds()))
    long = _long(problem, first, may_change=algorithm is None and not options) if heuristic is None else None
    if long is not None:
        why["heuristic"] += f"; {problem.name()} names {long.heuristic} for a search of more than {HEAD_START:,} expansions"
        if long.algorithm is not first.algorithm:
            why["algorithm"] += f"; {problem.name()} names {long.algorithm.name} for longer searches"
    first, long, why["threads"] = _shared(first, long, threads, algorithm, engine)
    if on is not None or workers is not None:
        _check_distributed(long or first, on, workers, threads, engine, is_traced=bool(trace))
        first, long = _distributed(first, long, on, workers)
        why["workers"] = GIVEN
    last = long or first
    if last.is_own_search and resources_of(problem):
        is_largest = isinstance(problem, RestatedForm) and problem.objective.takes_maximum
        what = "path_cost = 'max'" if is_largest else "the resources"
        raise InputError(
            f"threads is {threads}, but {last.algorithm.name} supports {what} of {problem.name()} only with one thread; "
            "omit threads"
        )
    reason = not_compiled(problem, last, limits or Limits(), is_traced=bool(trace))
    if engine is not None:
        why["engine"] = GIVEN
    elif reason is not None:
        why["engine"] = f"the compiled engine cannot run this search: {reason}"
    elif last.is_own_search:
        why["engine"] = f"only the compiled engine runs {last.algorithm.name} with several threads"
    else:
        why["engine"] = "the compiled engine runs the same search faster, and small searches end before it is ready"
    compiles = engine == COMPILED or (engine is None and reason is None)
    return Plan(first, long, engine, why, compiles, has_own=own_engine_of(problem) is not None, offered=offered)


def _check_can_restate(problem: RestatedForm, algorithm: Algorithm) -> None:
    """Raise InputError for an algorithm that does not mean anything for a restated problem."""
    kind, objective = type(problem).__name__, problem.objective
    if "backward_heuristic" in algorithm.options:
        raise InputError(f"{algorithm.name} also searches from the goal, but {kind} has {objective}; use astar")
    if algorithm.promise == "bounded" and objective.has_gains:
        raise InputError(
            f"{algorithm.name} promises a cost of at most `weight` times the optimum, which means nothing if costs can be "
            f"gains, but {kind} has {objective}; use anytime-weighted-astar"
        )


def _meaning(problem: Problem, databases: Policy | None, name: str) -> str:
    with using(databases):
        return problem.heuristic_alias(name)


def _policy_that_holds() -> Policy | None:
    """The policy of an enclosing with statement; None if its module is not loaded, so that NumPy is not needed."""
    module = sys.modules.get("bestfirst.patterns.policy")
    return None if module is None else module.current_policy()


@contextmanager
def using(databases: Policy | None) -> Iterator[None]:
    """Apply a policy for databases within a with statement, if one is given."""
    if databases is None:
        yield
        return
    from bestfirst.patterns.policy import database_policy  # noqa: PLC0415  (it imports NumPy)

    with database_policy(databases):
        yield


def _plain(value: object) -> object:
    """A number of NumPy as one of Python; anything else as it is."""
    is_of_numpy = type(value).__module__ == "numpy" and getattr(value, "ndim", None) == 0
    return value.item() if is_of_numpy else value  # type: ignore[attr-defined]


def named(algorithm: object, arguments: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """The name of an algorithm given as an object, and the arguments with its options; other arguments unchanged."""
    if algorithm is None or isinstance(algorithm, str):
        return algorithm, arguments
    from bestfirst.algorithms import AlgorithmChoice  # noqa: PLC0415  (a small search does without it)

    if not isinstance(algorithm, AlgorithmChoice):
        raise InputError(
            f"algorithm is {shown(algorithm)}; pass a name such as 'astar', or an object such as bf.IDAStar(prune=8)"
        )
    return algorithm.name, algorithm.merged(arguments)


def check_search(algorithm: object, engine: object, threads: object, options: Mapping[str, Any]) -> None:
    """Raise InputError for arguments of a search that are wrong whatever its problem is."""
    engine_named(engine)
    name, arguments = named(algorithm, {"threads": threads, **options})
    if (threads := arguments.pop("threads")) is not None:
        check_threads(threads)
    if name is not None:
        algorithm_named(name).check_options(arguments, also=_keywords_of(name))


def _keywords_of(algorithm: str) -> list[str]:
    """Those of KEYWORDS that an algorithm accepts."""
    return [name for name in KEYWORDS if name != "threads" or algorithm in PARALLEL_ALGORITHMS]


def engine_named(engine: object) -> str | None:
    """An engine's name, with aliases resolved; raises UnknownNameError for any other name."""
    if engine == REFERENCE:
        return "python"
    if engine is not None and engine not in ENGINES:
        raise UnknownNameError("engine", str(engine), [*ENGINES, REFERENCE])
    return engine


def _heuristic(problem: Problem, algorithm: Algorithm, wanted: HeuristicChoice | None) -> tuple[HeuristicChoice | None, str]:
    """The heuristic for an algorithm, and why."""
    if wanted is not None:
        if algorithm.heuristic == "none":
            raise InputError(f"{algorithm.name} takes no heuristic; omit the heuristic, or use astar")
        return wanted, GIVEN
    if algorithm.heuristic in ("required", "if any") and problem.default_heuristic is not None:
        return problem.default_heuristic, f"it is the default of {problem.name()}"
    if algorithm.heuristic == "required":
        offered = offered_names(problem)
        raise InputError(
            f"{algorithm.name} needs a heuristic, but {problem.name()} has no default heuristic; name "
            f"{f'one of its heuristics ({offered})' if offered else 'one'}, or use uniform-cost"
        )
    return None, f"none was given, and {algorithm.name} does not need one"


def offered_names(problem: Problem) -> str:
    """The names of the problem's own heuristics, for a message; empty if it has none."""
    return cut(", ".join(checked_heuristics(problem)), MOST_NAMES_SHOWN)


def _long(problem: Problem, first: Choice, *, may_change: bool) -> Choice | None:
    """The long search, which begins if the first has not ended; None if the problem names none, or one that does not fit.

    may_change: whether it may have another algorithm. Raises InputError if the problem's long_search does not fit.
    """
    is_one_way = "backward_heuristic" not in first.algorithm.options  # the heuristic can be that of one goal
    is_used = first.heuristic is not None and is_one_way and first.algorithm.promise != "none"
    said = _long_search(problem)
    if said is None or not is_used:
        return None
    if said.algorithm is None:
        return replace(first, heuristic=said.heuristic)
    name, options = named(said.algorithm, dict(said.options))
    other = algorithm_named(str(name))
    if other.heuristic not in ("required", "if any") or "backward_heuristic" in other.options:
        raise InputError(
            f"{type(problem).__name__}.long_search names {other.name!r}, which does not use exactly one heuristic; name "
            "an algorithm that does, such as 'idastar'"
        )
    other.check_options(options)
    changed = replace(first, algorithm=other, options=options) if may_change else first
    return replace(changed, heuristic=said.heuristic)


def _long_search(problem: Problem) -> LongSearch | None:
    """What the problem names for long searches, by long_search or by the members that it replaced."""
    said = problem.long_search
    if said is None and problem.long_search_heuristic is None:
        return None
    example = 'such as bf.LongSearch("pdb:7-8", bf.IDAStar(prune=8))'
    if said is None:
        warn_deprecated(f"{type(problem).__name__}.long_search_heuristic", f"long_search, {example}")
        said = LongSearch(str(problem.long_search_heuristic), problem.long_search_algorithm, problem.long_search_options)
    check_kind(f"{type(problem).__name__}.long_search", said, LongSearch, f"a LongSearch, {example}")
    check_kind(f"{type(problem).__name__}.long_search.options", said.options, Mapping, 'a dict, such as {"prune": 8}')
    if said.options and not isinstance(said.algorithm, str):
        raise InputError(
            f"{type(problem).__name__}.long_search has options but names no algorithm for them; name one, {example}"
        )
    return said


def _shared(
    first: Choice, long: Choice | None, threads: int | None, algorithm: str | None, engine: str | None
) -> tuple[Choice, Choice | None, str]:
    """The searches with their threads, and why. Raises InputError for threads that an algorithm or engine does not
    support."""
    last = long or first
    if threads is None:
        if long is not None and algorithm is None and long.algorithm.name in SHARED_UNASKED:
            return first, replace(long, may_share=True), "the counts do not depend on the number of threads"
        return first, long, "1 is the default"
    check_threads(threads)
    if threads == 1:
        return first, long, GIVEN
    if last.algorithm.name not in PARALLEL_ALGORITHMS:
        raise InputError(
            f"threads is {threads}, but {last.algorithm.name} searches with one thread; "
            f"omit threads, or use {', '.join(PARALLEL_ALGORITHMS[:-1])} or {PARALLEL_ALGORITHMS[-1]}"
        )
    if algorithm is None and last.algorithm.name not in SAME_COUNTS:
        raise InputError(
            f"threads is {threads}, but the default algorithm, {last.algorithm.name}, runs a different search with several "
            f"threads; omit threads, or name the algorithm: {last.algorithm.name!r}"
        )
    if engine == "python":
        raise InputError(
            f"threads is {threads}, but the reference engine searches with one thread; omit threads or engine='python'"
        )
    if long is None:
        return replace(first, threads=threads), None, GIVEN
    return first, replace(long, threads=threads), GIVEN


def _check_distributed(
    last: Choice, on: object, workers: object, threads: int | None, engine: str | None, *, is_traced: bool
) -> None:
    """Raise InputError for workers that do not exist, or that the search cannot use."""
    if on is None:
        raise InputError(f"workers={shown(workers)} requires on=; also pass on='local' or on='ray', or use threads=")
    check_place(on, workers)
    if last.algorithm.name not in DISTRIBUTED:
        raise InputError(
            f"on is {shown(on)}, but {last.algorithm.name} searches in one process; omit on=, or use {' or '.join(DISTRIBUTED)}"
        )
    check_there(on)
    for given, what in ((threads not in (None, 1), "threads"), (engine == "python", "engine"), (is_traced, "trace")):
        if given:
            raise InputError(
                f"on is {shown(on)}, but each worker has one thread of the compiled engine and no trace; omit {what}"
            )


def check_place(on: object, workers: object) -> None:
    """Raise UnknownNameError for an unknown place for workers, and InputError for an impossible number of them."""
    if on not in PLACES:
        raise UnknownNameError("place for workers", str(on), PLACES)
    check_whole("workers", workers, 1, otherwise="omit it for one per processor")


def place_of_workers(on: str | None, workers: int | None) -> str | None:
    """Where the workers of a sweep on disk are; workers alone are local. Raises InputError for workers that do not exist."""
    check_place(PLACES[0] if on is None else on, workers)
    check_there(on)
    return PLACES[0] if on is None and workers is not None else on


def check_there(on: object) -> None:
    """Raise InputError if a place for workers needs a package that is not installed."""
    if on == "ray":
        from bestfirst.system.ray_cluster import check_installed  # noqa: PLC0415  (most searches need no cluster)

        check_installed()


def _distributed(first: Choice, long: Choice | None, on: str | None, workers: int | None) -> tuple[Choice, Choice | None]:
    """The searches, of which the last one has workers."""
    if long is None:
        return replace(first, on=on, workers=workers), None
    return first, replace(long, on=on, workers=workers, may_share=False)


_INSTALLED: set[str] = set()
"""The packages that were found."""


def not_compiled(problem: Problem, choice: Choice, limits: Limits, *, is_traced: bool) -> str | None:
    """Why the compiled engine cannot run a search; None if it can, as far as is known without calling domain()."""
    if not (isinstance(problem, Domain) or _defines(problem, "domain") or _defines(problem, "own_engine")):
        needed = f": with {problem.objective}, domain() is not used" if isinstance(problem, RestatedForm) else ""
        return f"{type(problem).__name__} is not written as a Domain{needed}"
    if declares_by_function(problem):
        return f"{type(problem).__name__} defines dominates(), which only the reference engine calls"
    missing = next((name for package, name in NEEDED.items() if not _is_installed(package)), None)
    if missing is not None:
        return f"{missing} is not installed"
    return not_this_search(problem, choice, limits, is_traced=is_traced)


def _defines(problem: Problem, name: str) -> bool:
    """Whether a problem has its own version of a method of Problem."""
    return getattr(getattr(problem, name), "__func__", None) is not getattr(Problem, name)


def _is_installed(package: str) -> bool:
    """Whether a package can be imported. It is looked for until it is found: that takes a tenth of the time of a small search."""
    if package not in _INSTALLED and find_spec(package) is not None:
        _INSTALLED.add(package)
    return package in _INSTALLED and sys.modules.get(package, ...) is not None


def not_this_search(problem: Problem, choice: Choice, limits: Limits, *, is_traced: bool) -> str | None:
    """Why the compiled engine cannot run this search, as far as the kind of problem decides; None if it can."""
    own = own_engine_of(problem)
    reason = _without_kernel(choice) if own is None else not_by_own(own, problem, choice, *_as_named(problem, choice))
    if reason is not None:
        return reason
    if is_traced:
        return "it is traced"
    return "it has a limit on depth" if limits.depth is not None else None


def _without_kernel(choice: Choice) -> str | None:
    """Why an algorithm or an option has no compiled version for domains; None if it has."""
    name = choice.algorithm.name
    if name not in COMPILED_ALGORITHMS:
        return f"{name} has no compiled version; choose one of {', '.join(COMPILED_ALGORITHMS)}"
    return next(
        (f"it has the option {option}" for option in choice.options if option not in COMPILED_ALGORITHMS[name]), None
    )


def own_engine_of(problem: Problem) -> OwnEngine | None:
    """The compiled engine of the problem's own; None if it has none."""
    return None if isinstance(problem, Domain) else problem.own_engine()


def _as_named(problem: Problem, choice: Choice) -> tuple[str | None, bool]:
    """The name of the heuristic of a choice; None without one. And whether it is what the problem means by the name."""
    heuristic = choice.heuristic
    if heuristic is None or heuristic is ZERO or heuristic == ZERO.name:
        return None, True
    name = choice.heuristic_name
    is_named = isinstance(heuristic, str) or problem.heuristics().get(str(name)) == heuristic
    return name, is_named


def not_by_own(own: OwnEngine, problem: Problem, choice: Choice, heuristic: str | None, is_named: bool) -> str | None:
    """Why the problem's own engine cannot run a search; None if it can. The heuristic: as _as_named() tells."""
    if choice.threads > 1 or choice.on is not None:
        return f"searches of {problem.name()} have one thread"
    if not is_named:
        return f"its heuristic was not given by a name that {problem.name()} offers"
    return own.why_not(choice.algorithm.name, heuristic, choice.options)
