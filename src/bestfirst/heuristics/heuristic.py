"""Heuristic: an estimate of the remaining cost, with its known properties."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import inf
from types import MappingProxyType, MethodType
from typing import Any, Protocol, TypeVar

from bestfirst.arguments import check_kind, suggesting, suggesting_fields
from bestfirst.claims import Claims, is_alike
from bestfirst.errors import HeuristicError, InputError
from bestfirst.holding import holds, keeps_all
from bestfirst.looking_once import is_as_shipped
from bestfirst.lost_claims import why_not
from bestfirst.rounding import LARGEST_PART, as_number
from bestfirst.vocabulary import is_root

_Method = TypeVar("_Method", bound=Callable[..., Any])


class DomainMaker(Protocol):
    """A function that makes the compilable form of a problem."""

    def __call__(self, problem: Any, /) -> Any:
        """A Domain with the states of a Problem; None if there is none. (Any, since their modules import this one.)"""


@suggesting_fields
@dataclass(frozen=True)
class Heuristic:
    """A function of a state that estimates the cost from there to the nearest goal.

    An estimate is a number >= 0; math.inf marks a dead end.

    admissible: True if it never overestimates, False if it is known to overestimate, None if undeclared. A search that
    needs an admissible heuristic assumes it for None, and says so in the warnings of the solution.
    consistent: the same for h(s) <= cost(s, t) + h(t) along every edge.
    """

    function: Callable[[Any], float]
    name: str
    admissible: bool | None = None
    consistent: bool | None = None
    note: str = ""
    """One sentence: why it is admissible or not, if that needs a reason."""
    domain: DomainMaker | None = field(default=None, compare=False)
    """Creates a compilable form whose states store this estimate, for a problem whose own form does not offer it."""
    preferred: Callable[[Any], Sequence[Any]] | None = field(default=None, compare=False)
    """The actions in a state that probably begin a good path, each once: for searches that try these first."""
    safe: bool | None = None
    """Whether an infinite estimate is always right: True if only dead ends have one. An admissible heuristic is safe."""

    def __post_init__(self) -> None:
        if not (callable(self.function) and isinstance(self.name, str)):
            check_kind("the function of a heuristic", self.function, Callable, "a function of a state")
            check_kind("the name of a heuristic", self.name, str, "a string")
        if not (self.preferred is None or callable(self.preferred)):
            check_kind(
                "the argument preferred of a heuristic",
                self.preferred,
                Callable,
                "a function from a state to actions, or None",
            )

    def __call__(self, state: Any) -> float:
        return self.function(state)

    def checked(self) -> Callable[[Any], float]:
        """The function, raising HeuristicError for an estimate that is negative, NaN, not a number, or beyond floats."""
        function, name = self.function, self.name

        def estimate(state: Any) -> float:
            value = function(state)
            try:
                number = value if value.__class__ is int or value.__class__ is float else as_number(value)
            except (TypeError, ValueError, OverflowError):
                raise HeuristicError(name, state, value) from None
            if 0 <= number <= LARGEST_PART or number == inf:
                return number
            raise HeuristicError(name, state, value)

        return estimate


def zero(_state: Any) -> float:
    """The uninformed estimate: 0 everywhere."""
    return 0


ZERO = Heuristic(zero, "zero", admissible=True, consistent=True)

MARK = "_bestfirst_heuristic"
_PARTS = "_bestfirst_parts"


@suggesting
def heuristic(
    method: None = None, /, *, admissible: bool | None = None, consistent: bool | None = None, note: str = ""
) -> Callable[[_Method], _Method]:
    """Mark a method of a Problem as a heuristic with a name (underscores become hyphens).

    @heuristic(admissible=True, consistent=True)
    def misplaced(self, state): ...
    """

    if method is not None:
        raise InputError("@heuristic needs parentheses; write @heuristic(), or @heuristic(admissible=True)")

    def mark(method: _Method) -> _Method:
        if isinstance(method, property | staticmethod | classmethod):
            kind = type(method).__name__
            raise InputError(f"@heuristic cannot decorate a {kind}; remove @{kind}, and write a method (self, state)")
        setattr(method, MARK, {"admissible": admissible, "consistent": consistent, "note": note})
        return method

    return mark


def declared_heuristics(owner: object) -> Mapping[str, Heuristic]:
    """The methods of an object, or of a class, that @heuristic marks: by name, in order of definition."""
    found: dict[str, Heuristic] = {}
    kind = owner if isinstance(owner, type) else type(owner)
    is_certain = not isinstance(owner, Claims) or keeps_all(owner)
    marked = _marked_as_shipped(kind) if isinstance(owner, Claims) and is_as_shipped(owner) else _marked(kind)
    for attribute, facts in marked:
        name = attribute.replace("_", "-")
        declared = Heuristic(getattr(owner, attribute), name, **facts)
        found[name] = declared if is_certain else doubted(owner, declared)
    return found


def _marked(kind: type) -> list[tuple[str, dict[str, Any]]]:
    """The members of a class that @heuristic marks, with what it says of them."""
    found = []
    for declaring in reversed([one for one in kind.__mro__ if not is_root(one)]):
        for attribute, member in vars(declaring).items():
            if attribute.startswith("__"):
                continue
            if isinstance(member, _WRAPPERS):
                _check_not_wrapped(attribute, member)
            facts = getattr(member, MARK, None)
            if facts is not None:
                found.append((attribute, {**facts, **_UNDECLARED} if _is_marked_inside(member) else facts))
    return found


_UNDECLARED: Mapping[str, None] = MappingProxyType({"admissible": None, "consistent": None})


def _is_marked_inside(member: Any) -> bool:
    """Whether functools.wraps() copied the mark to another function, which may return other estimates; a cache does not."""
    inner = getattr(member, "__wrapped__", None)
    return getattr(inner, MARK, None) is getattr(member, MARK, None) is not None and not hasattr(member, "cache_info")


@cache
def _marked_as_shipped(kind: type) -> list[tuple[str, dict[str, Any]]]:
    """The same for a class whose members, and those of its bases, are still those that it was shipped with."""
    return _marked(kind)


_WRAPPERS = property, staticmethod, classmethod


def _check_not_wrapped(attribute: str, member: object) -> None:
    """Raise InputError for a marked function that became a property, or a static or class method: its mark would be lost."""
    inner = member.fget if isinstance(member, property) else getattr(member, "__func__", None)
    if hasattr(inner, MARK):
        kind = type(member).__name__
        raise InputError(
            f"{attribute} has @heuristic and @{kind}; remove @{kind}, and write a method {attribute}(self, state)"
        )


def doubted(owner: Any, offered: Heuristic) -> Heuristic:
    """A heuristic of an object, without the properties that were declared for other rules or another method."""
    attribute = offered.name.replace("-", "_")
    method = inspect.getattr_static(owner, attribute, None)
    is_declared = hasattr(method, MARK) and not _is_marked_inside(method)
    if not (offered.admissible or offered.consistent) or (is_declared and holds(owner, attribute)):
        return offered
    return _without_properties(offered, why_not(owner, attribute))


def with_parts(function: Callable[[Any], float], heuristics: Iterable[Heuristic]) -> Callable[[Any], float]:
    """A function that puts the estimates of some heuristics together."""
    setattr(function, _PARTS, tuple(heuristics))
    return function


class EstimateOfProblem:
    """A function that was made for one problem, such as a lookup in databases of its abstractions."""

    def check_for(self, problem: Any) -> str | None:
        """Why it might overestimate for this problem, if it might. Raises InputError if it is no estimate for it."""
        raise NotImplementedError


def declared_for(owner: Claims, given: Heuristic) -> Heuristic:
    """A heuristic that a caller gives, without properties that @heuristic declared for another problem than this one.

    Raises InputError for one that was made for another problem.
    """
    parts = [declared_for(owner, part) for part in getattr(given.function, _PARTS, ())]
    for part, before in zip(parts, getattr(given.function, _PARTS, ()), strict=True):
        if part is not before:
            return _without_properties(given, part.note)
    method = given.function
    if isinstance(method, EstimateOfProblem):
        why = method.check_for(owner)
        return _without_properties(given, why) if why else given
    if not (isinstance(method, MethodType) and isinstance(method.__self__, Claims) and hasattr(method, MARK)):
        return given
    if not is_alike(method.__self__, owner):
        return _without_properties(given, f"it is a method of another {type(method.__self__).__name__}")
    return given if holds(owner, method.__name__) else _without_properties(given, why_not(owner, method.__name__))


def _without_properties(given: Heuristic, why: str | None) -> Heuristic:
    """The heuristic as one of which nothing is known. A declared overestimate stays: a search then gives no guarantee."""
    if not (given.admissible or given.consistent):
        return given
    return replace(
        given,
        admissible=None if given.admissible else given.admissible,
        consistent=None if given.consistent else given.consistent,
        note=why or "its properties were declared for another method",
    )
