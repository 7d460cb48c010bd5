"""Checks what a task is made of: without it, a wrong number would end compiled code, or make a task seem unsolvable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise
from operator import index
from typing import Any, NoReturn

from bestfirst.errors import InputError, counted, shown
from bestfirst.planning.pddl_text import short
from bestfirst.planning.task import Effect, Fact, Operator, State, Variable

_NOT_IN_NAMES = frozenset("();\r\n")
"""Characters with a meaning in plan files."""


def checked_variables(variables: Any) -> tuple[Variable, ...]:
    """The variables, with tuples of facts. Raises InputError for anything but Variable objects with at least one fact."""
    return tuple(map(_variable, range(len(found := _listed(variables, "variables", "Variable objects"))), found))


def _variable(number: int, variable: Any) -> Variable:
    if not isinstance(variable, Variable):
        raise InputError(f'variable {number} is {shown(variable)}; write Variable("lamp", ("off", "on"))')
    which, facts = f"variable {number} ({shown(variable.name)})", variable.facts
    if not isinstance(variable.name, str):
        raise InputError(f"the name of {which} is not a string; write a name such as 'lamp'")
    if not isinstance(facts, tuple | list) or not facts or not all(isinstance(fact, str) for fact in facts):
        raise InputError(
            f'the facts of {which} are {shown(facts)}; write a string for each of its values, such as ("off", "on")'
        )
    return variable if facts.__class__ is tuple else replace(variable, facts=tuple(facts))


def checked_initial(initial: Any, variables: Sequence[Variable]) -> State:
    """The initial state in Python's ints. Raises InputError unless it has a value of each variable."""
    values = _listed(initial, "the initial state", "the number of a value for each variable, such as (0, 1)")
    if len(values) != len(variables):
        raise InputError(
            f"the initial state has {counted(len(values), 'value')}, but the task has {counted(len(variables), 'variable')}; "
            "pass one value for each"
        )
    numbers = tuple(map(_whole, values))
    for place, (number, variable) in enumerate(zip(numbers, variables, strict=True)):
        if number is None or not 0 <= number < len(variable.facts):
            raise InputError(
                f"the initial value of {_shown_variable(variables, place)} is {shown(values[place])}; {_range(variable)}"
            )
    return tuple(number for number in numbers if number is not None)


class PartCheck:
    """Checks the operators and the goal of a task with certain variables. What is right is kept, so that this is fast."""

    def __init__(self, variables: Sequence[Variable]) -> None:
        self._variables = variables
        self._facts = {Fact(one, value) for one, variable in enumerate(variables) for value in range(len(variable.facts))}

    def goal(self, goal: Any) -> tuple[Fact, ...]:
        """The facts of the goal, ascending. Raises InputError for anything but facts of the variables."""
        facts = _listed(goal, "the goal", "facts, such as [Fact(0, 1)]")
        return tuple(sorted(self._fact(fact, "the goal") for fact in facts))

    def operators(self, operators: Any) -> list[Operator]:
        """The operators. Raises InputError, which names the operator, for one that is wrong."""
        found = _listed(operators, "operators", "Operator objects")
        return [self._operator(number, operator) for number, operator in enumerate(found)]

    def _operator(self, number: int, operator: Any) -> Operator:
        if not isinstance(operator, Operator):
            raise InputError(f"operator {number} is {shown(operator)}; write Operator(name, preconditions, effects, cost)")
        if not is_name(operator.name):
            raise InputError(
                f"the name of operator {number} is {shown(operator.name)}; write a string such as 'move a b', without "
                "parentheses, semicolons, line breaks, or blanks at either end, so that plan files can contain it"
            )
        preconditions = self._conjunction(operator.preconditions, operator, "preconditions")
        effects = self._effects(operator.effects, operator)
        cost = operator.cost
        if cost.__class__ is not int or cost < 0:
            cost = self._cost(operator)
        if preconditions is operator.preconditions and effects is operator.effects and cost is operator.cost:
            return operator
        return replace(operator, preconditions=preconditions, effects=effects, cost=cost)

    def _cost(self, operator: Operator) -> int:
        cost = _whole(operator.cost)
        if cost is None or cost < 0:
            raise InputError(f"the cost of {_shown(operator)} is {shown(operator.cost)}; write a whole number >= 0")
        return cost

    def _effects(self, effects: Any, operator: Operator) -> tuple[Effect, ...]:
        if not isinstance(effects, tuple | list):
            _fail_list(operator, "effects", effects, "(Effect(Fact(0, 1)),)")
        checked = [self._effect(effect, operator) for effect in effects]
        if isinstance(effects, tuple) and all(one is other for one, other in zip(checked, effects, strict=True)):
            return effects
        return tuple(checked)

    def _effect(self, effect: Any, operator: Operator) -> Effect:
        if not isinstance(effect, Effect):
            raise InputError(f"{_shown(operator)} has the effect {shown(effect)}; write Effect(Fact(variable, value))")
        fact = effect.fact if self._is_right(effect.fact) else self._fact(effect.fact, operator)
        conditions = self._conjunction(effect.conditions, operator, "conditions")
        if fact is effect.fact and conditions is effect.conditions:
            return effect
        return replace(effect, fact=fact, conditions=conditions)

    def _conjunction(self, facts: Any, operator: Operator, what: str) -> tuple[Fact, ...]:
        """The same facts if they are right already; otherwise sorted, each once."""
        last = -1
        if facts.__class__ is tuple:
            for fact in facts:
                if not self._is_right(fact) or fact[0] <= last:
                    break
                last = fact[0]
            else:
                return facts
        if not isinstance(facts, tuple | list):
            _fail_list(operator, what, facts, "(Fact(0, 1),)")
        ordered = tuple(sorted({self._fact(fact, operator) for fact in facts}))
        for one, other in pairwise(ordered):
            if one.variable == other.variable:
                part = "operator" if what == "preconditions" else "effect"
                raise InputError(
                    f"{_shown(operator)} has two {what} on {_shown_variable(self._variables, one.variable)}, which never "
                    f"hold together; omit the {part}, which can never apply"
                )
        return ordered

    def _is_right(self, fact: Any) -> bool:
        """Whether this is a Fact of two ints in range."""
        if fact.__class__ is not Fact:
            return False
        variable, value = fact
        return variable.__class__ is int and value.__class__ is int and fact in self._facts

    def _fact(self, fact: Any, owner: Operator | str) -> Fact:
        """A fact in Python's ints. owner: the operator, or what else has the fact."""
        variable, value = map(_whole, fact) if isinstance(fact, tuple | list) and len(fact) == 2 else (None, None)
        if variable is None or value is None:
            raise InputError(
                f"{_shown(owner)} has {shown(fact)} where a fact is expected; write Fact(variable, value), two ints"
            )
        known = self._variables
        if not 0 <= variable < len(known):
            numbered = f"variables are numbered from 0 to {len(known) - 1}" if known else "the task has no variables"
            raise InputError(f"{_shown(owner)} has {shown(fact)}, but there is no variable {shown(variable)}; {numbered}")
        if not 0 <= value < len(known[variable].facts):
            raise InputError(
                f"{_shown(owner)} has {shown(fact)}, but {_shown_variable(known, variable)} has no value {shown(value)}; "
                f"{_range(known[variable])}"
            )
        return Fact(variable, value)


def is_name(name: object) -> bool:
    """Whether a plan file can contain this name of an operator."""
    if not isinstance(name, str) or name != name.strip() or not _NOT_IN_NAMES.isdisjoint(name):
        return False
    return len(name.splitlines()) == 1 and (name.isascii() or name.encode("utf-8", "replace").decode() == name)


def _listed(given: Any, what: str, instead: str) -> Sequence[Any]:
    if isinstance(given, str | bytes | Mapping | Set) or not isinstance(given, Iterable):  # a set has no order
        raise InputError(f"{what}: {shown(given)} is not a list; pass {instead}")
    return given if isinstance(given, list | tuple) else list(given)


def _whole(number: Any) -> int | None:
    """A whole number as Python's int; None for anything else. NumPy's ints are whole numbers, bools are not."""
    if isinstance(number, bool):
        return None
    try:
        return index(number)
    except TypeError:
        return None


def _range(variable: Variable) -> str:
    return f"write an int from 0 to {len(variable.facts) - 1}"


def _shown(owner: Operator | str) -> str:
    return owner if isinstance(owner, str) else f"operator {short(owner.name)}"


def _shown_variable(variables: Sequence[Variable], number: int) -> str:
    return f"variable {number} ({short(variables[number].name)})"


def _fail_list(operator: Operator, what: str, given: object, instead: str) -> NoReturn:
    raise InputError(f"the {what} of {_shown(operator)} are {shown(given)}; write a tuple, such as {instead}")
