"""Restated: a problem with another objective as one whose costs are added up and never negative, for every search.

The state of the restated problem has the state of the original one, and beside it, as far as the objective needs them, the
largest cost of the path so far and whether the path has ended. Its costs are those of rules.py. A path ends by an action of
its own, END, which is left out of the answer (answer.py).
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

from bestfirst.as_written import fact
from bestfirst.claims import without_broken
from bestfirst.domain import LESS, Domain, has_fixed_names, single_step
from bestfirst.errors import InputError, ProblemError, StateError, needing_numpy
from bestfirst.heuristics.deferred import DeferredHeuristic
from bestfirst.heuristics.heuristic import ZERO, EstimateOfProblem, Heuristic, declared_for
from bestfirst.objectives.objective import Objective, RestatedForm, restated
from bestfirst.objectives.rules import beyond, left_over, left_over_at_cost, lost, lost_at_cost, raised
from bestfirst.problem import Background, Problem, Successor
from bestfirst.replay import tested
from bestfirst.rounding import as_number
from bestfirst.search.dominance import declares_by_function
from bestfirst.search.node import no_triple
from bestfirst.stated import checked_heuristics, checked_unsolvable

END = "end"
"""The action that ends a path."""


class Beside(NamedTuple):
    """What a restated state has beside the original one. most: the largest cost so far. ended: 1 after the end of the path."""

    most: Any = 0
    ended: int = 0


class Restated(RestatedForm):
    """A restated problem: what it is, whether the original one is a Domain or not."""

    def inner(self, state: Any) -> Any:
        """The state of the original problem in a restated one."""
        raise NotImplementedError

    def beside(self, state: Any) -> Beside:
        """What else a restated state has."""
        raise NotImplementedError

    def gain_left(self, inner: Any) -> Any:
        """What the original problem says can still be gained from a state on."""
        return _number(f"most_gain({inner!r})", self.original.most_gain(inner))

    def end_cost_of(self, inner: Any) -> Any:
        """What it costs to end a path in a state of the original problem."""
        return _number(f"end_cost({inner!r})", self.original.end_cost(inner))

    def restated_cost(self, state: Any, cost: Any, after: Any) -> Any:
        """The cost of an action of the original problem that leads from a restated state to a state. after: None at the end."""
        objective = self.objective
        if not (objective.takes_maximum or objective.has_gains):
            return cost
        cost = _number(f"the cost of an action in {self.inner(state)!r}", cost, "is")
        if objective.takes_maximum:
            return raised(self.beside(state).most, cost)
        promised = self.gain_left(self.inner(state))
        left = 0 if after is None else self.gain_left(after)
        return (lost if objective.maximises else lost_at_cost)(promised, cost, left)

    def following(self, state: Any, cost: Any) -> Beside:
        """What is beside the state after an action of the original problem."""
        most = _number(f"the cost of an action in {self.inner(state)!r}", cost, "is") if self.objective.takes_maximum else 0
        return Beside(max(self.beside(state).most, most)) if self.objective.takes_maximum else Beside()

    def restated_estimate(self, state: Any, estimate: Callable[[Any], Any]) -> Any:
        """An estimate of the original problem, as one of the restated costs."""
        objective, inner = self.objective, self.inner(state)
        if objective.ends and self.beside(state).ended:
            return 0
        value = estimate(inner)
        try:
            value = as_number(value)
        except (TypeError, ValueError, OverflowError):
            return value  # the search reports it
        if objective.takes_maximum:
            return beyond(value, self.beside(state).most)
        if not objective.has_gains:
            return value
        return (left_over if objective.maximises else left_over_at_cost)(self.gain_left(inner), value)

    def is_goal(self, state: Any) -> bool:
        return bool(self.beside(state).ended) if self.objective.ends else tested(self.original, self.inner(state))

    def restated(self, given: Heuristic) -> Heuristic:
        """A heuristic of the original problem, for this one. Raises InputError for one that is made for sums of costs."""
        given = declared_for(self.original, given)
        if isinstance(given.function, EstimateOfProblem) and (self.objective.takes_maximum or self.objective.has_gains):
            raise InputError(
                f"heuristic {given.name!r} estimates a sum of costs, but {type(self.original).__name__} has {self.objective}; use "
                "another heuristic"
            )
        preferred = given.preferred
        return replace(
            given,
            function=RestatedEstimate(self, given.function),
            domain=None,
            preferred=None if preferred is None else lambda state: preferred(self.inner(state)),
        )

    def why_wrong(self, state: Any, where: str, estimate: Any, distance: Any) -> str:
        """What is wrong with a restated estimate that exceeds the restated cost of a path from the state to a goal."""
        objective = self.objective
        if objective.takes_maximum:
            most = self.beside(state).most
            return (
                f"overestimates: it returns {most + estimate:g} for {where}, but the largest cost of a path through it is "
                f"{most + distance:g}"
            )
        promised = self.gain_left(self.inner(state)) if objective.has_gains else 0
        if objective.maximises:
            return f"is too low: it returns {promised - estimate:g} for {where}, from which {promised - distance:g} can be gained"
        return f"overestimates: it returns {estimate - promised:g} for {where}, whose distance to a goal is {distance - promised:g}"

    def chosen(self, heuristic: Any) -> Any:
        """The heuristic argument of a caller, for this problem: a name stays a name."""
        if heuristic is None or isinstance(heuristic, str):
            return heuristic
        if heuristic is ZERO or (isinstance(heuristic, Heuristic) and isinstance(heuristic.function, RestatedEstimate)):
            return heuristic
        if isinstance(heuristic, DeferredHeuristic):
            heuristic = heuristic.of(self.original)
        return self.restated(_found(self.original, heuristic))

    def heuristics(self) -> Mapping[str, Heuristic]:
        return {
            name: self.restated(offered)
            for name, offered in checked_heuristics(self.original).items()
            if not isinstance(offered.function, EstimateOfProblem)
        }

    def heuristic_named(self, name: str) -> Heuristic | None:
        with needing_numpy(f"heuristic {name!r}"):
            return self.restated(_found(self.original, name))

    def heuristic_alias(self, name: str) -> str:
        return self.original.heuristic_alias(name)

    def unsolvable(self) -> str | None:
        return checked_unsolvable(self.original)

    def __reduce__(self) -> tuple[Any, ...]:
        return restated, (self.original,)

    # How it is shown.

    def format(self, state: Any) -> str:
        return self.original.format(self.inner(state))

    def label(self, state: Any) -> str:
        return self.original.label(self.inner(state))

    def draw(self, state: Any) -> str:
        return self.original.draw(self.inner(state))

    def cells(self, state: Any) -> Any:
        return self.original.cells(self.inner(state))

    def picture(self, state: Any) -> str | None:
        return self.original.picture(self.inner(state))

    def background(self) -> Background:
        return self.original.background()

    def format_action(self, action: Any) -> str:
        return END if self.objective.ends and action is END else self.original.format_action(action)

    def __repr__(self) -> str:
        return repr(self.original)


def _number(what: str, value: Any, verb: str = "returns") -> Any:
    """A number that the original problem gives. Raises ProblemError, which names what gave it, for anything else."""
    if value.__class__ is int or value.__class__ is float:
        return value
    try:
        return as_number(value)
    except (TypeError, ValueError, OverflowError):
        raise ProblemError(f"{what} {verb} {value!r}; it must be a number") from None


def _found(problem: Problem, wanted: Any) -> Heuristic:
    """The heuristic of a problem that a caller means."""
    naming = import_module("bestfirst.heuristics.naming")  # by name: it leads to the compiler, which reads this module
    found: Heuristic = naming.find_heuristic(problem, wanted)
    return found


class RestatedEstimate:
    """An estimate of the original problem, as a function of the states of the restated one."""

    def __init__(self, problem: Restated, original: Callable[[Any], Any]) -> None:
        self.problem, self.original = problem, original
        self.__name__ = getattr(original, "__name__", type(original).__name__)

    def __call__(self, state: Any) -> Any:
        return self.problem.restated_estimate(state, self.original)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RestatedEstimate) and (self.problem.original, self.original) == (
            other.problem.original,
            other.original,
        )

    def __hash__(self) -> int:
        return hash(self.original)


class OnPath(NamedTuple):
    """The state of a restated problem that is not a Domain."""

    state: Any
    most: Any = 0
    ended: int = 0


class RestatedProblem(Restated):
    """A problem that is not a Domain, restated."""

    def __init__(self, original: Problem, objective: Objective) -> None:
        self.original, self.objective = original, objective
        self.initial = OnPath(original.initial)
        self.default_heuristic = self.chosen(original.default_heuristic)

    def inner(self, state: Any) -> Any:
        return state.state

    def beside(self, state: Any) -> Beside:
        return Beside(state.most, state.ended)

    def successors(self, state: Any) -> Iterator[Successor]:
        original, ends = self.original, self.objective.ends
        if ends and state.ended:
            return
        for successor in original.successors(state.state):
            try:
                action, after, cost = successor
            except (TypeError, ValueError):
                raise no_triple(state.state, successor) from None
            yield action, OnPath(after, *self.following(state, cost)), self.restated_cost(state, cost, after)
        if ends and tested(original, state.state):
            cost = self.end_cost_of(state.state)
            yield END, OnPath(state.state, self.following(state, cost).most, 1), self.restated_cost(state, cost, None)


class ComparedProblem(RestatedProblem):
    """A restated problem some of whose states are better than others: with a lower maximum, or as the original one says."""

    def dominates(self, state: Any, other: Any) -> bool:
        is_as_good = state.most <= other.most
        return is_as_good and (not declares_by_function(self.original) or self.original.dominates(state.state, other.state))

    def dominance_group(self, state: Any) -> Any:
        original, inner = self.original, state.state
        group = original.dominance_group(inner) if declares_by_function(original) else inner
        return group, state.ended, self.gain_left(inner) if self.objective.has_gains else None


class RestatedDomain(Restated, Domain):
    """A Domain, restated. Its State has the fields of the original one, and behind them those of Beside that are needed.

    extra: the names of these, by those in Beside.
    """

    original: Domain
    extra: Mapping[str, str]

    def __init__(self, original: Domain, objective: Objective) -> None:
        self.original, self.objective = original, objective
        self.initial = self.State(*original.initial, *(0 for _ in self.extra))
        self.max_actions = original.max_actions + objective.ends
        self.default_heuristic = self.chosen(original.default_heuristic)
        self.bits = {**original.bits, **{name: 1 for place, name in self.extra.items() if place == "ended"}}
        self.identity = (*original.identity, *self.extra.values()) if original.identity else ()
        self.resources = {**original.resources, **{name: LESS for place, name in self.extra.items() if place == "most"}}
        self.fixed = original.fixed
        names = range(original.max_actions) if original.actions is None else original.actions
        self.actions = (*names, END) if objective.ends and has_fixed_names(original) else original.actions
        self._inner_fields = len(original.State._fields)

    def __getattr__(self, name: str) -> Any:
        """The data that methods of the original domain read."""
        if name.startswith("_") or name in ("original", "objective"):
            raise AttributeError(name)
        return getattr(self.original, name)

    def compiled_value(self, name: str) -> Any:
        return super().compiled_value(name) if name in _OWN_DATA else self.original.compiled_value(name)

    def inner(self, state: Any) -> Any:
        return self.original.State(*state[: self._inner_fields])

    def beside(self, state: Any) -> Beside:
        return Beside(**{place: getattr(state, name) for place, name in self.extra.items()})

    def gain_left(self, inner: Any) -> Any:
        resources = self.original.resources
        if resources:
            inner = inner._replace(**{name: _nothing(getattr(inner, name)) for name in resources})
        return super().gain_left(inner)

    def _made(self, inner: Any, beside: Beside) -> Any:
        return self.State(*inner, *(getattr(beside, place) for place in self.extra))

    def step(self, state: Any, action: int) -> tuple[bool, Any, Any]:
        original, ends = self.original, self.objective.ends
        if ends and self.beside(state).ended:
            return False, state, 0
        inner = self.inner(state)
        if ends and action == original.max_actions:
            if not tested(original, inner):
                return False, state, 0
            cost = self.end_cost_of(inner)
            beside = Beside(self.following(state, cost).most, 1)
            return True, self._made(inner, beside), self.restated_cost(state, cost, None)
        outcome: Any = single_step(original)(inner, action)
        try:
            legal, after, cost = outcome
        except (TypeError, ValueError):
            raise ProblemError(f"step({inner!r}, {action}) returns {outcome!r}; return (legal, next_state, cost)") from None
        if not legal:
            return False, state, 0
        if type(after) is not original.State:
            raise StateError(f"step({inner!r}, {action}) leads to {after!r}; write self.State(...)")
        return True, self._made(after, self.following(state, cost)), self.restated_cost(state, cost, after)


class NamingDomain(RestatedDomain):
    """A restated domain in which the name of an action depends on the state."""

    def action_name(self, state: Any, action: int) -> Any:
        if self.objective.ends and action == self.original.max_actions:
            return END
        return self.original.action_name(self.inner(state), action)


_OWN_DATA = frozenset({"unit_cost", "actions", "bits", "identity", "resources"})
"""The data of a restated domain that are not those of the original one."""


def _nothing(value: Any) -> Any:
    """The value of a resource that most_gain() sees."""
    return (0,) * len(value) if isinstance(value, tuple) else 0


def made_for(problem: Problem, objective: Objective) -> Restated:
    """The restated form of a problem with another objective than the least sum of costs."""
    original = without_broken(problem)
    if isinstance(original, Domain):
        of_domain: Restated = _class_of_domain(original, objective)(original, objective)
        return of_domain
    is_compared = objective.takes_maximum or declares_by_function(original)
    base = ComparedProblem if is_compared else RestatedProblem
    kind: Any = type(original)
    made: Restated = fact(kind, ("restated", base), lambda: _class_like(kind, base, {}))(original, objective)
    return made


def _class_of_domain(original: Domain, objective: Objective) -> Any:
    """The class of the restated domain: it has a State of its own."""
    kind: Any = type(original)
    stops = original.stops_at_illegal() and not objective.ends
    base = RestatedDomain if has_fixed_names(original) else NamingDomain
    key = "restated", base, original.State, objective, stops
    return fact(kind, key, partial(_made_class_of_domain, kind, base, original.State, objective, stops=stops))


def _made_class_of_domain(kind: Any, base: type, state: Any, objective: Objective, *, stops: bool) -> Any:
    wanted = {"most": objective.takes_maximum, "ended": objective.ends}
    extra = {name: _free(name, state._fields) for name, is_wanted in wanted.items() if is_wanted}
    fields = namedtuple("State", (*state._fields, *extra.values()))  # type: ignore[misc]
    fields.__qualname__ = f"{kind.__qualname__}.State"
    members = {"State": fields, "extra": MappingProxyType(extra), "legal_first": stops, "frozen_arrays": kind.frozen_arrays}
    return _class_like(kind, base, {**members, "greatest_int": kind.greatest_int})


def _free(name: str, taken: Sequence[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _class_like(kind: Any, base: type, members: dict[str, Any]) -> Any:
    """A class of restated problems that messages name like the original one."""
    members |= {"__module__": kind.__module__, "__qualname__": kind.__qualname__, "name": classmethod(lambda _: kind.name())}
    return type(kind.__name__, (base,), members)
