"""Resolving the heuristic argument of a caller."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from types import FunctionType, MappingProxyType
from typing import Any

from bestfirst.errors import InputError, UnknownNameError, needing_numpy, shown
from bestfirst.heuristics.composition import maximum
from bestfirst.heuristics.deferred import DeferredHeuristic
from bestfirst.heuristics.heuristic import ZERO, Heuristic, declared_for
from bestfirst.problem import Problem
from bestfirst.stated import checked_heuristics

MOST_PARENTHESES = 50


def find_heuristic(problem: Problem, wanted: str | Heuristic | DeferredHeuristic | Callable[[Any], float]) -> Heuristic:
    """The heuristic of a problem that is given by name, as a function of a state, or as an object.

    A name is one that the problem offers, 'zero', or max(NAME, NAME, ...); an unmarked method of the problem can
    also be named. Raises UnknownNameError, with suggestions, and InputError for anything else.
    """
    if isinstance(wanted, Heuristic):
        return declared_for(problem, wanted)
    if isinstance(wanted, DeferredHeuristic):
        return wanted.of(problem)
    if isinstance(wanted, str):
        if wanted.count("(") > MOST_PARENTHESES:
            raise InputError(
                f"the name of the heuristic has {wanted.count('(')} opening parentheses; use at most {MOST_PARENTHESES}"
            )
        several = re.fullmatch(r"\s*max\((.*)\)\s*", wanted)
        if several:
            return maximum(*(find_heuristic(problem, name) for name in split_names(several[1])))
        return _by_name(problem, wanted.strip())
    if callable(wanted):
        _check_takes_a_state(wanted)
        return Heuristic(wanted, getattr(wanted, "__name__", type(wanted).__name__))
    raise InputError(f"heuristic is {wanted!r}; pass a name, a function of a state, or a Heuristic")


def _check_takes_a_state(function: Callable[[Any], float]) -> None:
    """Raise InputError for a function that cannot be called with one argument, such as a method of a class."""
    try:
        taken = inspect.signature(function)
    except (TypeError, ValueError):  # of some functions that are written in C
        return
    try:
        taken.bind(None)
    except TypeError:
        name = getattr(function, "__name__", type(function).__name__)
        if name.isidentifier():
            raise InputError(
                f"heuristic is {name}{taken}; pass a function of one state. For a method of the problem, write its name: "
                f"{shown(name)}"
            ) from None
        raise InputError(f"heuristic is {name}{taken}; pass a function of one state") from None


def split_names(text: str) -> list[str]:
    """The names between commas outside parentheses, stripped of spaces."""
    names, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            names.append("")
        else:
            names[-1] += character
    return [name.strip() for name in names]


def is_method(problem: Problem, name: str) -> bool:
    """Whether a name is that of a method of the problem, or "zero": such a heuristic needs no building."""
    key = _key_of(problem, name)
    return key in {*checked_heuristics(problem), ZERO.name} or _method(problem, key) is not None


def _key_of(problem: Problem, name: str) -> str:
    return problem.heuristic_alias(name.lower().replace("_", "-"))


def _method(problem: Problem, key: str) -> Callable[[Any], float] | None:
    """A method that is a heuristic by its name only."""
    attribute = key.replace("-", "_")
    declared = inspect.getattr_static(type(problem), attribute, None)
    if not isinstance(declared, FunctionType) or attribute.startswith("_") or hasattr(Problem, attribute):
        return None
    method: Callable[[Any], float] = getattr(problem, attribute)
    return method


def _by_name(problem: Problem, name: str) -> Heuristic:
    offered = checked_heuristics(problem)
    with needing_numpy(f"heuristic {shown(name)}"):
        key = _key_of(problem, name)
        if key in offered:
            return offered[key]
        if key == ZERO.name:
            return ZERO
        made = problem.heuristic_named(key) or _by_prefix(problem, key)
    if made is not None:
        return made if isinstance(made, Heuristic) else find_heuristic(problem, made)
    method = _method(problem, key)
    if method is not None:
        return Heuristic(method, key)
    public = next(kind.__name__ for kind in type(problem).__mro__ if not kind.__name__.startswith("_"))
    raise UnknownNameError(f"heuristic of {public}", name, [*offered, *problem.prefixed_heuristics, ZERO.name])


def _by_prefix(problem: Problem, name: str) -> Heuristic | None:
    """The heuristic whose name begins with one of the PREFIXES, if the problem has such heuristics."""
    make = next((make for prefix, make in PREFIXES.items() if name.startswith(prefix)), None)
    return None if make is None else make(problem, name)


def _from_databases(problem: Problem, name: str) -> Heuristic | None:
    """Pattern databases by name: pdb:7-8."""
    if type(problem).abstractions is Problem.abstractions:
        return None
    from bestfirst.patterns.named import heuristic_of  # noqa: PLC0415  (they are seldom wanted)

    return heuristic_of(problem, name)


PREFIXES: Mapping[str, Callable[[Problem, str], Heuristic | None]] = MappingProxyType({"pdb:": _from_databases})
"""Makers of heuristics by the prefix of their names, for problems that do not make them themselves (Problem.heuristic_named)."""
