"""Checks of a problem's definition on first use: missing members, wrong types, contradictions."""

from __future__ import annotations

import operator
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import is_dataclass
from functools import partial
from typing import Any, TypeVar

from bestfirst.arguments import check_no_method
from bestfirst.array_attributes import can_be_held
from bestfirst.claims import check_noted, guard_later_claims, keep_as_it_is, without_broken
from bestfirst.cleared_classes import stating, was_cleared
from bestfirst.domain import DIRECTIONS, Domain, home_of_member
from bestfirst.errors import InputError, StateError, counted, how_to_write
from bestfirst.heuristics.deferred import DeferredHeuristic
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.looking_once import is_as_shipped, once
from bestfirst.own_starts import check_own_start
from bestfirst.prepared import needs_prepared, takes_prepared
from bestfirst.problem import Problem

_ProblemT = TypeVar("_ProblemT", bound=Problem)

_PASS_A_PROBLEM = "pass an instance of a Problem, or Problem.of(initial, successors, is_goal)"
MOST_BITS = 8_192
"""The width of an int field: 128 words."""
MOST_BITS_OF_ELEMENT = 63
"""The width of an element of a tuple that declares fewer bits than 64."""


def checked_problem(problem: _ProblemT) -> _ProblemT:
    """A well-defined problem as it is searched: without claims that a rule set on it invalidates. Raises what check_problem()
    raises."""
    check_problem(problem)
    return without_broken(problem)


def check_problem(problem: object) -> None:
    """Raise InputError for a value that is not a well-defined problem; StateError for an unusable initial state.

    Takes microseconds; only the initial state is examined.
    """
    if not isinstance(problem, Problem):
        from bestfirst.games.game import Game  # noqa: PLC0415  (only to say what to call)

        hint = "it is a game; use bf.analyse" if isinstance(problem, Game) else _PASS_A_PROBLEM
        raise InputError(f"problem is {problem!r}; {hint}")
    check_noted(type(problem))
    guard_later_claims(type(problem))
    _check_functions(
        problem, "successors", "is_goal", "heuristics", "backward", "domain", "unsolvable", "name", "format", "own_engine"
    )
    _check_truth_value(problem, "unit_cost")
    default = problem.default_heuristic
    if not (default is None or isinstance(default, str | Heuristic | DeferredHeuristic) or callable(default)):
        raise InputError(
            f"{_class(problem)}.default_heuristic is {default!r}; set it to the name of a heuristic, or to None"
        )
    if isinstance(problem, Domain):
        check_domain(problem)
    _check_initial(problem)
    if not is_as_shipped(problem):
        check_own_start(problem)


def check_domain(domain: Domain) -> None:
    """Raise InputError for a domain that is not well defined, and StateError if the initial state is not a State of it."""
    once(domain, "check_domain", partial(_check_domain, domain))


def _check_domain(domain: Domain) -> None:
    if not is_as_shipped(domain):
        domain.hold_arrays()
    _check_functions(domain, "step", "prepare", "forced")
    _check_prepared(domain)
    for name in ("undirected", "unit_cost", "legal_first"):
        _check_truth_value(domain, name)
    for name in ("size", "block_size", "entries"):
        value = getattr(domain, name, 0)
        if not _is_whole(value):
            raise InputError(f"{_class(domain)}.{name} is {value!r}; set it to a whole number >= 0")
    _check_actions(domain)
    fields = _fields(domain)
    _check_bits(domain, fields)
    identity = _names(domain, "identity", "('node',)")
    for name in identity:
        if name not in fields:
            raise InputError(
                f"{_class(domain)}.identity contains {name!r}, but the fields of State are {', '.join(map(repr, fields))}"
            )
    _check_resources(domain, fields)
    _check_fixed(domain)
    _check_initial(domain)
    if type(domain.initial) is not domain.State:
        raise StateError(
            f"the initial state is {domain.initial!r}; {how_to_write(domain.initial, domain.State, 'self.State', 'problem')}"
        )
    for name, value in zip(fields, domain.initial, strict=True):
        if hasattr(value, "__array_interface__"):
            raise StateError(
                f"the field {name} of the initial state is {value!r}, a NumPy value; convert it to a Python int, or a tuple"
            )
        if isinstance(value, tuple) and not value:
            raise StateError(f"the field {name} of the initial state is an empty tuple; remove the field from State")
        if isinstance(value, tuple) and domain.bits.get(name, 0) > MOST_BITS_OF_ELEMENT:
            raise InputError(
                f"{_class(domain)}.bits assigns the elements of the tuple {name} the width {domain.bits[name]}; use 1 .. "
                f"{MOST_BITS_OF_ELEMENT}, or omit {name!r} for signed 64-bit ints"
            )
        if isinstance(value, tuple) and domain.bits.get(name) == 0:
            raise InputError(
                f"{_class(domain)}.bits assigns the tuple {name} the width 0; write the number of bits of an element"
            )


def check_robot(problem: Problem, state: Any) -> None:
    """Raise StateError unless a value has the form of a state of a well-defined problem; for a robot that moves."""
    if not isinstance(problem, Domain):
        _check_hashable("the robot's state", state)
        return
    fields, first = _fields(problem), problem.initial
    if type(state) is not problem.State:
        raise StateError(f"the robot's state is {state!r}; pass a State of the problem, with the fields {fields}")
    for name, value, example in zip(fields, state, first, strict=True):
        if isinstance(example, tuple):
            is_alike = isinstance(value, tuple) and len(value) == len(example) and all(map(_is_int, value))
        else:
            is_alike = _is_int(value)
        if not is_alike:
            what = f"a tuple of {len(example)} ints" if isinstance(example, tuple) else "an int"
            raise StateError(f"the field {name} of the robot's state is {value!r}; it must be {what}")


def checked_backward(problem: Problem) -> Problem | None:
    """The result of backward(); raises InputError unless it is a Problem or None."""
    reverse = problem.backward()
    if reverse is not None:
        if not isinstance(reverse, Problem):
            raise InputError(
                f"{_class(problem)}.backward() returns {reverse!r}; return the reversed problem (an instance "
                "of Problem) or None"
            )
        if was_cleared(type(problem), "identity"):  # states of the two might never be recognised as the same
            kind, other = type(problem).__name__, stating(type(problem), "identity").__name__
            raise InputError(
                f"{kind} changes the rules of {other}, so the identity of {other} does not hold for it, and a search with "
                f"backward() needs to know which fields distinguish states; set identity in {kind} (identity = () if all "
                "fields do)"
            )
        keep_as_it_is(reverse)
        return checked_problem(reverse)
    return None


def backward_domain(problem: Problem) -> Domain | None:
    """The compilable form of the result of backward(); None if there is no backward problem or it has no such form."""
    reverse = checked_backward(problem)
    return None if reverse is None else checked_domain(reverse)


def checked_domain(problem: Problem) -> Domain | None:
    """The result of domain(); raises InputError unless it is a well-defined Domain or None."""
    domain = problem.domain()
    if domain is problem and domain.defines(
        "decode"
    ):  # the domain of another problem, searched itself: its states are the answer
        domain = copy(domain)
        vars(domain)["decode"] = vars(domain)["encode"] = _as_it_is
    if domain is not None:
        if not isinstance(domain, Domain):
            raise InputError(f"{_class(problem)}.domain() returns {domain!r}; return an instance of a Domain, or None")
        check_domain(domain)
        domain = without_broken(domain)
    return domain


def _as_it_is(state: Any) -> Any:
    return state


def checked_unsolvable(problem: Problem) -> str | None:
    """The result of unsolvable(); raises InputError unless it is a string or None."""
    reason = problem.unsolvable()
    if reason is not None and not isinstance(reason, str):
        raise InputError(f"{_class(problem)}.unsolvable() returns {reason!r}; return the reason as a string, or None")
    return reason


def checked_goal_states(problem: Problem) -> Collection[Any] | None:
    """The result of goal_states(); raises InputError unless it is a list of states, another collection, or None."""
    goals = problem.goal_states()
    if goals is not None and not isinstance(goals, Collection):
        raise InputError(
            f"{_class(problem)}.goal_states() returns {goals!r}; return a list of the goal states, or None if they are not known"
        )
    return goals


def checked_heuristics(problem: Problem) -> Mapping[str, Heuristic]:
    """The result of heuristics(); raises InputError unless it maps names to Heuristics."""
    return once(problem, "heuristics", partial(_checked_heuristics, problem))


def _checked_heuristics(problem: Problem) -> Mapping[str, Heuristic]:
    offered = problem.heuristics()
    if not isinstance(offered, Mapping):
        raise InputError(f"{_class(problem)}.heuristics() returns {offered!r}; return a dict from names to Heuristics")
    for name, heuristic in offered.items():
        if not isinstance(name, str) or not isinstance(heuristic, Heuristic):
            raise InputError(
                f"{_class(problem)}.heuristics() has {heuristic!r} under the name {name!r}; write a string and a "
                "Heuristic(function, name)"
            )
    return offered


def _check_functions(problem: Problem, *names: str) -> None:
    own, kind = vars(problem), type(problem)
    for name in names:
        # on the class first: whether a claim holds does not matter here, and takes longer to find out
        if not callable(own.get(name, getattr(kind, name, None))) and not callable(getattr(problem, name)):
            raise InputError(f"{_class(problem)}.{name} is {getattr(problem, name)!r}; define it as a method")


def _check_prepared(domain: Domain) -> None:
    """Raise InputError if step() needs a prepared value and none is prepared, or the other way round."""
    prepared = home_of_member(domain, "prepare")
    if prepared is None and needs_prepared(domain.step):
        raise InputError(
            f"{_class(domain)}.step takes a third argument, but {type(domain).__name__} does not define prepare; define "
            "prepare(self, state), whose result is this argument, or write step(self, state, action)"
        )
    if prepared is not None and not takes_prepared(domain.step) and prepared <= (home_of_member(domain, "step") or 0):
        raise InputError(
            f"{_class(domain)}.prepare is defined, but step takes no third argument; write step(self, state, action, prepared), "
            "or remove prepare"
        )


def _check_truth_value(problem: Problem, name: str) -> None:
    value = getattr(problem, name)
    if not isinstance(value, bool):
        raise InputError(f"{_class(problem)}.{name} is {value!r}; set it to True or False")


def _check_initial(problem: Problem) -> None:
    if not hasattr(problem, "initial"):
        raise InputError(f"{type(problem).__name__} has no initial state; set initial on the class or in __init__")
    check_no_method(type(problem).__name__, "initial", problem.initial, "the start state")
    _check_hashable("the initial state", problem.initial)


def _check_hashable(what: str, state: Any) -> None:
    try:
        hash(state)
    except TypeError as error:
        raise StateError(
            f"{what} {state!r} is not hashable ({error}); use numbers, strings, tuples or frozen sets as states"
        ) from None


def _check_actions(domain: Domain) -> None:
    most = getattr(domain, "max_actions", None)
    if most is None:
        raise InputError(f"{domain.name()} has no max_actions; set it to the number of actions, on the class or in __init__")
    if not _is_whole(most):
        raise InputError(f"{_class(domain)}.max_actions is {most!r}; set it to the number of actions, a whole number >= 0")
    actions = domain.actions
    if actions is None:
        return
    if not (hasattr(actions, "__len__") and hasattr(actions, "__getitem__")) or isinstance(actions, Mapping):
        raise InputError(f"{_class(domain)}.actions is {actions!r}; set it to a list of the names of its {most} actions")
    if len(actions) != most:
        raise InputError(
            f"{_class(domain)}.actions has {counted(len(actions), 'name')}, but max_actions is {most}; name each action, in order"
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
    raise InputError(f"{_class(domain)}.State is {what}; define class State(NamedTuple) with fields that are ints")


def _check_resources(domain: Domain, fields: tuple[str, ...]) -> None:
    resources = domain.resources
    if not isinstance(resources, Mapping):
        raise InputError(f'{_class(domain)}.resources is {resources!r}; set it to a dict such as {{"{fields[0]}": "less"}}')
    for name, better in resources.items():
        if name not in fields:
            raise InputError(
                f"{_class(domain)}.resources has the key {name!r}, but the fields of State are {', '.join(map(repr, fields))}"
            )
        if better not in DIRECTIONS:
            raise InputError(
                f"{_class(domain)}.resources gives {name!r} the value {better!r}; write 'less' or 'more', whichever is better"
            )


def _check_bits(domain: Domain, fields: tuple[str, ...]) -> None:
    bits = domain.bits
    if not isinstance(bits, Mapping):
        raise InputError(f'{_class(domain)}.bits is {bits!r}; set it to a dict such as {{"{fields[0]}": 8}}')
    for name, width in bits.items():
        if name not in fields:
            raise InputError(
                f"{_class(domain)}.bits has the key {name!r}, but the fields of State are {', '.join(map(repr, fields))}"
            )
        if not _is_whole(width) or width > MOST_BITS:
            raise InputError(
                f"{_class(domain)}.bits assigns {name!r} the width {width!r}; use 0 .. {MOST_BITS}, or omit {name!r} for a "
                "signed 64-bit int"
            )


def _check_fixed(domain: Domain) -> None:
    for name in _names(domain, "fixed", "('width',)"):
        if not hasattr(domain, name):
            raise InputError(
                f"{_class(domain)}.fixed contains {name!r}, which is not an attribute of self; set it in __init__"
            )
        value = domain.compiled_value(name)
        if not (isinstance(value, int) or can_be_held(value)):
            raise InputError(
                f"{_class(domain)}.fixed contains {name!r}, which is {value!r}; remove it: fixed can name ints and arrays only"
            )


def _names(domain: Domain, member: str, example: str) -> Sequence[str]:
    names: Any = getattr(domain, member)
    if isinstance(names, str) or not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise InputError(f"{_class(domain)}.{member} is {names!r}; set it to a tuple of names, such as {example}")
    return names


def _class(problem: Problem) -> str:
    return type(problem).__name__


def _is_int(value: Any) -> bool:
    return isinstance(value, int)


def _is_whole(value: Any) -> bool:
    """Whether a value is an int >= 0, including NumPy ints."""
    if isinstance(value, bool):
        return False
    try:
        return operator.index(value) >= 0
    except TypeError:
        return False
