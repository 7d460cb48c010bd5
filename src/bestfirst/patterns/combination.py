"""Several pattern databases as one heuristic: the largest of their distances, or the sum if no action is counted twice."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from random import Random
from typing import Any, cast

from bestfirst.arguments import check_kind
from bestfirst.domain import Domain
from bestfirst.errors import InputError
from bestfirst.heuristics.heuristic import EstimateOfProblem, Heuristic
from bestfirst.heuristics.table_lookup import Combination, Table, TableEstimate
from bestfirst.lost_claims import why_not
from bestfirst.patterns.abstract_domain import as_abstract, method_of
from bestfirst.patterns.building.methods import shares_entries
from bestfirst.patterns.checking.abstraction import check_abstraction, why_unconfirmed
from bestfirst.patterns.checking.random_walks import random_actions
from bestfirst.patterns.database import UNKNOWN, PatternDatabase
from bestfirst.patterns.identity import Identity
from bestfirst.patterns.storage.packed_table import DISTANCE, PackedTable
from bestfirst.problem import Problem
from bestfirst.written import text_of

WALKS, STEPS = 20, 50
"""Random walks for testing a sum, and their steps."""


@dataclass(frozen=True)
class Lookups(TableEstimate, EstimateOfProblem):
    """The estimate for a state of the problem to whose abstractions the databases belong.

    Compiled code does not call this, but looks in the tables itself (see table_lookup.py). If an abstract goal cannot
    be reached, an entry is treated as 255: no goal of the problem can be either.
    """

    databases: Sequence[PatternDatabase]
    combination: Combination
    dual: bool = False
    """Whether to look up the dual of the state too."""

    def check_for(self, problem: Problem) -> str | None:
        form = _form(problem)
        for database in self.databases:
            check_abstraction(problem, form, database)
        return next((why for one in self.databases if (why := why_unconfirmed(problem, one))), None)

    @property
    def _views(self) -> list[tuple[PatternDatabase, str]]:
        """The lookups: a database, and the method of its domain that returns the abstract state."""
        names = ("abstract", "dual") if self.dual else ("abstract",)
        return [(database, name) for name in names for database in self.databases]

    @property
    def tables(self) -> Sequence[Table]:
        return [_table_of(database, name) for database, name in self._views]

    @property
    def identity(self) -> str:
        of_databases = [Identity.of(database.domain) for database in self.databases]
        return repr([self.combination, self.dual, *((found.key, found.source) for found in of_databases)])

    def __call__(self, state: Any) -> int:
        values = [
            self._value(database, getattr(as_abstract(database.domain), name)(state)) for database, name in self._views
        ]
        return sum(values) if self.combination == "sum" else max(values)

    def _value(self, database: PatternDatabase, abstract_state: Any) -> int:
        return int(min(UNKNOWN, database.distance(abstract_state)))


def _table_of(database: PatternDatabase, view: str) -> Table:
    """A database as compiled code looks in it. view: the method of its domain that finds the abstract state."""
    domain, table = database.domain, database.table
    methods = {"abstract": method_of(domain, view)}
    if database.hashed is None:
        methods["number"] = method_of(domain, "entry" if shares_entries(domain) else "rank")
    keys = None if database.hashed is None else database.hashed.rows
    if isinstance(table, PackedTable):
        return Table(domain, methods, table.content, keys, is_packed=True)
    return Table(domain, methods, table, keys)


def largest(
    problem: Problem, databases: Sequence[PatternDatabase], name: str = "pattern-databases", *, dual: bool = False
) -> Heuristic:
    """The largest of the distances in several databases of a problem, which is always a lower bound.

    dual: look up the dual of each state too (see AbstractDomain.dual), which is equally far from the goal. That makes
    estimates greater, but inconsistent.
    Raises InputError if no database is given, for a database from a different problem, and if there is no dual, or its
    distance turns out to differ.
    """
    if not dual:
        return _combined(problem, databases, "max", name, "an abstract distance is never greater")
    _check_databases(databases)
    for database in databases:
        if not database.domain.defines("dual"):
            raise InputError(f"{database!r} has no dual lookup: its domain does not define dual(state); omit dual")
    heuristic = _combined(
        problem,
        databases,
        "max",
        name,
        "a state and its dual are equally far from the goal, but the duals of two neighbours need not be neighbours",
        dual=True,
    )
    _try_out_dual(problem, heuristic)
    return heuristic


def additive(problem: Problem, databases: Sequence[PatternDatabase], name: str = "additive-pattern-databases") -> Heuristic:
    """The sum of the distances in several databases of a problem of which no two count the same action.

    An abstract domain declares by `counted` which actions it counts, such as the tiles whose moves have a cost there; these
    sets must be disjoint. The claim is tested on random walks, along which the sum must not fall by more than an action
    costs.
    Raises InputError, with the reason, for databases that are not additive.
    Source: Korf & Felner 2002; Yang, Culberson, Holte, Zahavi & Felner 2008.
    """
    check_counted(databases)
    heuristic = _combined(problem, databases, "sum", name, "no action is counted in two patterns")
    _try_out(problem, databases)
    return heuristic


def check_counted(databases: Sequence[PatternDatabase]) -> None:
    """Raise InputError for databases that do not say which actions they count, and for two that count the same."""
    _check_databases(databases)
    for database in databases:
        counted: Any = as_abstract(database.domain).counted
        if counted is not None and (isinstance(counted, str) or not isinstance(counted, Iterable)):
            raise InputError(
                f"counted is {counted!r} in the domain of {database!r}; set it to the items whose actions cost something there, "
                "such as (1, 2, 3)"
            )
        if counted is None:
            raise InputError(
                f"{database!r} does not say which actions it counts, so a sum might count some twice; set `counted` on its domain, "
                "or use the maximum: bf.max_of(*databases)"
            )
    for one, other in combinations(databases, 2):
        both = _both(as_abstract(one.domain).counted or (), as_abstract(other.domain).counted or ())
        if both:
            raise InputError(f"{one!r} and {other!r} both count the actions of {both}; use the maximum: bf.max_of(...)")


def _check_databases(databases: object) -> None:
    check_kind("databases", databases, Sequence, "a list of PatternDatabase.build(problem, pattern)")
    assert isinstance(databases, Sequence)
    for database in databases:
        check_kind("one of the databases", database, PatternDatabase, "PatternDatabase.build(problem, pattern)")
    if not databases:
        raise InputError("no pattern database was given; pass at least one")


def _try_out_dual(problem: Problem, heuristic: Heuristic) -> None:
    """Raise InputError if a random walk from the goal is shorter than the estimate for its end."""
    form, goal, random = _form(problem), problem.goal_state(), Random(0)
    if goal is None or not form.can_be_undone():
        raise InputError(
            f"{problem.name()} has no dual lookup, which needs a single goal_state() and actions that can be undone; omit dual"
        )
    for _ in range(WALKS):
        state: Any = goal
        walked: float = 0
        for _ in range(STEPS):
            _action, state, cost = random.choice(list(problem.successors(state)))
            walked += cost
            if heuristic(state) > walked:
                raise InputError(
                    f"{text_of(problem, 'format', state)} is at most {walked} from the goal, but the estimate with its dual is "
                    f"{heuristic(state)}, so the dual is not equally far from the goal; omit dual"
                )


def _both(one: Sequence[Hashable], other: Sequence[Hashable]) -> list[Hashable]:
    return [thing for thing in one if thing in other]


def _try_out(problem: Problem, databases: Sequence[PatternDatabase]) -> None:
    """Raise InputError if, along an action, the costs in the abstract domains sum to more than its cost."""
    encode = _form(problem).encode
    for state, action, after, cost in random_actions(problem, WALKS, STEPS):
        counted = sum(_abstract_cost(database.domain, encode(state), encode(after)) for database in databases)
        if counted > cost:
            raise InputError(
                f"action {action!r} in {text_of(problem, 'format', state)} costs {cost}, but the patterns together "
                f"count {counted} for it, "
                "so their distances are not additive; use the maximum: bf.max_of(...)"
            )


def _abstract_cost(domain: Domain, state: Any, after: Any) -> float:
    """The cost of the cheapest action between two states in an abstract domain; 0 if they are the same there."""
    abstract = as_abstract(domain).abstract
    here, there = abstract(state), abstract(after)
    if here == there:
        return 0
    return min((cost for _, other, cost in domain.successors(here) if other == there), default=0)


def _combined(
    problem: Problem,
    databases: Sequence[PatternDatabase],
    combination: Combination,
    name: str,
    note: str,
    *,
    dual: bool = False,
) -> Heuristic:
    check_kind("problem", problem, Problem, "an instance of a Problem")
    _check_databases(databases)
    for database in databases:
        if isinstance(database.table, PackedTable) and database.table.packing != DISTANCE:
            raise InputError(
                f"{database!r} is compressed as differences from {database.table.packing}, which this heuristic cannot read; "
                "rebuild it without compress"
            )
    form = _form(problem)
    lookups = Lookups(tuple(databases), combination, dual)
    doubt = lookups.check_for(problem)
    consistent = False if dual else all(not database.domain.defines("entry") for database in databases) or None
    admissible = None if doubt else True
    of_form = Heuristic(lookups, name, admissible=admissible, consistent=consistent, note=doubt or note)
    function = lookups if form is problem else _Encoding(lookups, form.encode)
    return replace(of_form, function=function, domain=partial(_offering, of_form))


@dataclass(frozen=True)
class _Encoding(EstimateOfProblem):
    """The estimate for a state of a problem through the compilable form that the abstractions belong to."""

    lookups: Lookups
    encode: Callable[[Any], Any]

    def check_for(self, problem: Problem) -> str | None:
        return self.lookups.check_for(problem)

    def __call__(self, state: Any) -> int:
        return self.lookups(self.encode(state))


@dataclass(frozen=True)
class _OwnForm:
    """A problem without a compilable form, such as a planning task: abstract() takes its own states."""

    problem: Problem

    def encode(self, state: Any) -> Any:
        return state

    def decode(self, state: Any) -> Any:
        return state

    def goal_states(self) -> Sequence[Any] | None:
        return self.problem.goal_states()

    def can_be_undone(self) -> bool:
        return False


def _form(problem: Problem) -> Domain:
    """The form of a problem whose states abstract() takes: the compilable one, if there is one. Raises InputError if the problem
    has no abstractions."""
    why = why_not(problem, "domain") or why_not(problem, "project") or why_not(problem, "abstractions")
    if why is not None:
        raise InputError(f"{type(problem).__name__} cannot use pattern databases: {why}")
    form = problem.domain()
    if form is None and type(problem).project is not Problem.project:
        return cast("Domain", _OwnForm(problem))
    if form is None or (form is not problem and not form.defines("encode")):
        raise InputError(
            f"{problem.name()} cannot use pattern databases: domain() must return a Domain that defines encode(state)"
        )
    return form


def _offering(heuristic: Heuristic, problem: Problem) -> Domain | None:
    """The compilable form of a problem, which offers the heuristic by name."""
    form = problem.domain()
    if form is None:
        return None
    made = copy(form)
    made.heuristics = lambda: {heuristic.name: heuristic}  # type: ignore[method-assign]
    return made
