"""Check how a problem is stated, when it is first used: members that are missing, of a wrong type, or in contradiction."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any

from bestfirst.array_attributes import can_be_held
from bestfirst.domain import Domain
from bestfirst.errors import InputError, StateError
from bestfirst.heuristics.deferred import DeferredHeuristic
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.problem import Problem

MOST_BITS = 63
"""Of a field of a state that has fewer than all 64."""


def check_problem(problem: object) -> None:
    """Raise InputError for what is no problem, or is stated wrongly; StateError for an initial state that cannot be one.

    It takes microseconds; nothing is asked about states.
    """
    if not isinstance(problem, Problem):
        raise InputError(
            f"problem is {problem!r}; give an instance of a Problem, or Problem.of(initial, successors, is_goal)"
        )
    _check_functions(problem, "successors", "is_goal", "heuristics", "backward", "domain", "unsolvable")
    _check_truth_value(problem, "unit_cost")
    default = problem.default_heuristic
    if not (default is None or isinstance(default, str | Heuristic | DeferredHeuristic) or callable(default)):
        raise InputError(
            f"default_heuristic of {problem.name()} is {default!r}; set it to the name of a heuristic, or to None"
        )
    if isinstance(problem, Domain):
        check_domain(problem)
    _check_initial(problem)


def check_domain(domain: Domain) -> None:
    """Raise InputError for a domain that is stated wrongly, and StateError for an initial state that is no State of it."""
    _check_functions(domain, "step")
    for name in ("undirected", "unit_cost"):
        _check_truth_value(domain, name)
    for name in ("size", "block_size", "entries"):
        value = getattr(domain, name, 0)
        if not _is_whole(value):
            raise InputError(f"{name} of {domain.name()} is {value!r}; set it to a whole number >= 0")
    _check_actions(domain)
    fields = _fields(domain)
    _check_bits(domain, fields)
    identity = _names(domain, "identity", "('node',)")
    for name in identity:
        if name not in fields:
            raise InputError(
                f"identity of {domain.name()} names {name!r}; the fields of its State are {', '.join(map(repr, fields))}"
            )
    _check_fixed(domain)
    _check_initial(domain)
    if type(domain.initial) is not domain.State:
        raise StateError(f"the initial state is {domain.initial!r}; write self.State(...) with the fields {fields}")


def checked_backward(problem: Problem) -> Problem | None:
    """What backward() gives; raises InputError for what is neither a Problem nor None."""
    reverse = problem.backward()
    if reverse is not None:
        if not isinstance(reverse, Problem):
            raise InputError(
                f"backward() of {problem.name()} returns {reverse!r}; return the problem the other way round, as an instance of a "
                "Problem, or None"
            )
        check_problem(reverse)
    return reverse


def backward_domain(problem: Problem) -> Domain | None:
    """The compilable form of what backward() gives; None where there is no backward problem or it has no such form."""
    reverse = checked_backward(problem)
    return None if reverse is None else checked_domain(reverse)


def checked_domain(problem: Problem) -> Domain | None:
    """What domain() gives; raises InputError for what is neither a Domain nor None, and for a domain that is stated wrongly."""
    domain = problem.domain()
    if domain is not None:
        if not isinstance(domain, Domain):
            raise InputError(f"domain() of {problem.name()} returns {domain!r}; return an instance of a Domain, or None")
        check_domain(domain)
    return domain


def checked_unsolvable(problem: Problem) -> str | None:
    """What unsolvable() gives; raises InputError for what is neither a text nor None."""
    reason = problem.unsolvable()
    if reason is not None and not isinstance(reason, str):
        raise InputError(
            f"unsolvable() of {problem.name()} returns {reason!r}; return the reason why no goal can be reached, as a text, or None"
        )
    return reason


def checked_heuristics(problem: Problem) -> Mapping[str, Heuristic]:
    """What heuristics() gives; raises InputError for what is no mapping of names to Heuristics."""
    offered = problem.heuristics()
    if not isinstance(offered, Mapping):
        raise InputError(f"heuristics() of {problem.name()} returns {offered!r}; return a dict of names and Heuristics")
    for name, heuristic in offered.items():
        if not isinstance(name, str) or not isinstance(heuristic, Heuristic):
            raise InputError(
                f"heuristics() of {problem.name()} has {heuristic!r} under the name {name!r}; write a text and a "
                "Heuristic(function, name)"
            )
    return offered


def _check_functions(problem: Problem, *names: str) -> None:
    for name in names:
        if not callable(getattr(problem, name)):
            raise InputError(f"{name} of {problem.name()} is {getattr(problem, name)!r}; define it as a method")


def _check_truth_value(problem: Problem, name: str) -> None:
    value = getattr(problem, name)
    if not isinstance(value, bool):
        raise InputError(f"{name} of {problem.name()} is {value!r}; set it to True or False")


def _check_initial(problem: Problem) -> None:
    if not hasattr(problem, "initial"):
        raise InputError(f"{type(problem).__name__} has no initial state; set initial on the class or in __init__")
    try:
        hash(problem.initial)
    except TypeError as error:
        raise StateError(
            f"the initial state {problem.initial!r} is not hashable ({error}); "
            "write states as numbers, texts, tuples or frozen sets"
        ) from None


def _check_actions(domain: Domain) -> None:
    most = getattr(domain, "max_actions", None)
    if most is None:
        raise InputError(f"{domain.name()} has no max_actions; set it to the number of actions, on the class or in __init__")
    if not _is_whole(most):
        raise InputError(f"max_actions of {domain.name()} is {most!r}; set it to the number of actions, a whole number >= 0")
    actions = domain.actions
    if actions is None:
        return
    if not (hasattr(actions, "__len__") and hasattr(actions, "__getitem__")) or isinstance(actions, Mapping):
        raise InputError(f"actions of {domain.name()} is {actions!r}; set it to a list of the names of its {most} actions")
    if len(actions) != most:
        raise InputError(
            f"actions of {domain.name()} has {len(actions)} names, and max_actions is {most}; name each action, in order"
        )


def _fields(domain: Domain) -> tuple[str, ...]:
    """The fields of the domain's State."""
    kind = getattr(domain, "State", None)
    fields = getattr(kind, "_fields", None)
    if isinstance(kind, type) and issubclass(kind, tuple) and fields:
        return tuple(fields)
    what = "missing" if kind is None else "a dataclass" if is_dataclass(kind) else repr(kind)
    if isinstance(kind, type) and issubclass(kind, tuple) and fields == ():
        what = "a NamedTuple without fields"
    raise InputError(f"State of {domain.name()} is {what}; write class State(NamedTuple) with fields that are ints")


def _check_bits(domain: Domain, fields: tuple[str, ...]) -> None:
    bits = domain.bits
    if not isinstance(bits, Mapping):
        raise InputError(f'bits of {domain.name()} is {bits!r}; set it to a dict such as {{"{fields[0]}": 8}}')
    for name, width in bits.items():
        if name not in fields:
            raise InputError(
                f"bits of {domain.name()} names {name!r}; the fields of its State are {', '.join(map(repr, fields))}"
            )
        if not _is_whole(width) or width > MOST_BITS:
            raise InputError(
                f"bits of {domain.name()} gives {name} {width!r} bits; write a number 0 .. {MOST_BITS}, or leave it out for all 64"
            )


def _check_fixed(domain: Domain) -> None:
    for name in _names(domain, "fixed", "('width',)"):
        if not hasattr(domain, name):
            raise InputError(f"fixed of {domain.name()} names {name!r}, which is no attribute of self; set it in __init__")
        value = domain.data(name)
        if not (isinstance(value, int) or can_be_held(value)):
            raise InputError(
                f"fixed of {domain.name()} names {name!r}, which is {value!r}; it can name ints and arrays, leave it out"
            )


def _names(domain: Domain, member: str, example: str) -> Sequence[str]:
    names: Any = getattr(domain, member)
    if isinstance(names, str) or not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise InputError(f"{member} of {domain.name()} is {names!r}; set it to a tuple of names, such as {example}")
    return names


def _is_whole(value: Any) -> bool:
    """Whether a value is an int >= 0, also one of NumPy."""
    if isinstance(value, bool):
        return False
    try:
        return operator.index(value) >= 0
    except TypeError:
        return False
