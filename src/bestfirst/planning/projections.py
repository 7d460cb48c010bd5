"""Projection: a task in which only some variables count, the abstract problem of a pattern database.

A state of the projection is a number in mixed radix: the sum over the variables of value * multiplier. An operator keeps the
preconditions and effects on variables of the pattern. Operators without an effect there are dropped, and of equal ones the
cheapest counts. So no path costs more than the corresponding one in the task.
Source: Edelkamp, "Planning with pattern databases", 2001.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import accumulate, product
from math import prod
from operator import mul
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from bestfirst.errors import InputError, shown
from bestfirst.patterns.abstract_domain import AbstractDomain
from bestfirst.patterns.regressions import Regressions, Rule
from bestfirst.planning.task import BETWEEN_FACTS, Fact, Task

if TYPE_CHECKING:
    from bestfirst.planning.task import Operator

MOST_CASES = 10_000
"""The greatest number of cases into which the conditions of an operator's effects are divided."""
MOST_STATES = (1 << 31) - 1
LARGEST_COST = 1 << 62
"""A greater cost of an operator, which might not fit into a word, counts as this one: no table holds either."""


class Projection(AbstractDomain):
    """A task in which only the variables of a pattern count.

    pattern: the numbers of the variables, ascending. radix: the number of values of each; multiplier: what a value counts in the
    number of a state.
    Raises InputError for a projection with more than 2**31 - 1 states, and for an operator whose effects have too many
    conditions.
    """

    class State(NamedTuple):
        """A state, by its number."""

        number: int

    def __init__(self, task: Task, pattern: Iterable[int]) -> None:
        self.pattern = checked_pattern(task, pattern)
        sizes = [len(task.variables[variable].facts) for variable in self.pattern]
        self.size = prod(sizes)
        if self.size > MOST_STATES:
            raise InputError(
                f"the pattern {pattern_text(self.pattern)} has {self.size:,} abstract states; use a pattern with at most "
                f"{MOST_STATES:,}"
            )
        self._task, self._sizes = task, sizes
        multipliers = multipliers_of(sizes)
        place = {variable: index for index, variable in enumerate(self.pattern)}
        self._goal = [(place[variable], value) for variable, value in task.goal if variable in place]
        rules = _projected(task, place)
        self._rules, self.actions = list(rules), list(rules.values())
        self.max_actions = len(self._rules)
        self.unit_cost = all(rule.cost == 1 for rule in self._rules)
        self.radix, self.multiplier = np.array(sizes), np.array(multipliers)
        self.cost = np.array([rule.cost for rule in self._rules], np.int64)
        self.first_before, self.before_variable, self.before_value = _flat([rule.before for rule in self._rules])
        self.first_effect, self.effect_variable, self.effect_value = _flat([rule.effects for rule in self._rules])
        _, self.goal_variable, self.goal_value = _flat([self._goal])
        self.initial = self.abstract(task.initial)
        self.counted = tuple(number for number in affecting(task, self.pattern) if task.operators[number].cost)

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        number = state.number
        for at in range(self.first_before[action], self.first_before[action + 1]):
            variable = self.before_variable[at]
            if number // self.multiplier[variable] % self.radix[variable] != self.before_value[at]:
                return False, state, 0
        following = number
        for at in range(self.first_effect[action], self.first_effect[action + 1]):
            variable = self.effect_variable[at]
            value = number // self.multiplier[variable] % self.radix[variable]
            following += (self.effect_value[at] - value) * self.multiplier[variable]
        return True, self.State(following), self.cost[action]

    def is_goal(self, state: State) -> bool:
        for at in range(len(self.goal_variable)):
            variable = self.goal_variable[at]
            if state.number // self.multiplier[variable] % self.radix[variable] != self.goal_value[at]:
                return False
        return True

    def rank(self, state: State) -> int:
        return state.number

    def unrank(self, number: int) -> State:
        return self.State(number)

    def abstract(self, state: Sequence[int]) -> State:
        """The state that stands for a state of the task."""
        weighted = zip(self.pattern, self.multiplier, strict=True)
        return self.State(sum(state[variable] * multiplier for variable, multiplier in weighted))

    def regressions(self) -> Regressions:
        return Regressions(self._sizes, self._goal, self._rules)

    def parameters(self) -> Mapping[str, Any]:
        """Two projections with the same values, goal and operators have the same table, whatever their variables mean."""
        operators = hashlib.sha256(repr(self._rules).encode()).hexdigest()[:16]
        goal = [f"{variable}={value}" for variable, value in self._goal]
        return {"sizes": self._sizes, "goal": goal, "operators": operators}

    def format(self, state: State) -> str:
        values = [state.number // multiplier % radix for multiplier, radix in zip(self.multiplier, self.radix, strict=True)]
        facts = [Fact(variable, value) for variable, value in zip(self.pattern, values, strict=True)]
        return BETWEEN_FACTS.join(self._task.fact_text(fact) for fact in facts)


def checked_pattern(task: Task, pattern: Iterable[int]) -> tuple[int, ...]:
    """The variables of a pattern, ascending. Raises InputError for anything but different variables of the task."""
    check_has_variables(task)
    count = len(task.variables)
    remedy = f"pass some of the variables 0 .. {count - 1}, each once"
    if isinstance(pattern, str) or not isinstance(pattern, Iterable):
        raise InputError(f"the pattern is {shown(pattern)}; {remedy}, such as [0]")
    chosen = list(pattern)
    wrong = [one for one in chosen if type(one) is not int or not 0 <= one < count or chosen.count(one) > 1]
    if wrong or not chosen:
        what = f"has unknown or repeated variables: {', '.join(map(repr, wrong))}" if wrong else "is empty"
        raise InputError(f"the pattern {what}; {remedy}")
    return tuple(sorted(chosen))


def check_has_variables(task: Task) -> None:
    """Raise InputError for a task without variables, which has no patterns."""
    if not task.variables:
        raise InputError(
            "the task has no variables, so there are no pattern databases; use another heuristic, such as blind"
        )


def pattern_text(pattern: Iterable[int]) -> str:
    """A pattern as a name contains it, such as 3-7-12."""
    return "-".join(map(str, pattern))


def multipliers_of(sizes: Sequence[int]) -> list[int]:
    """What a value of each variable counts in the number of a state. sizes: the number of values of each."""
    return list(accumulate(sizes[:-1], mul, initial=1))


def affecting(task: Task, pattern: Iterable[int]) -> list[int]:
    """The numbers of the operators with an effect on any of these variables, ascending."""
    if task not in _AFFECTING:
        by_variable: list[set[int]] = [set() for _ in task.variables]
        for number, operator in enumerate(task.operators):
            for effect in operator.effects:
                by_variable[effect.fact.variable].add(number)
        _AFFECTING[task] = by_variable
    return sorted(set[int]().union(*(_AFFECTING[task][variable] for variable in pattern)))


_AFFECTING: WeakKeyDictionary[Task, Sequence[Set[int]]] = WeakKeyDictionary()
"""The operators that affect each variable, found once for a task."""


def _flat(lists: Sequence[Sequence[tuple[int, int]]]) -> tuple[Any, Any, Any]:
    """Lists of facts as arrays: where each list begins, the variables, the values."""
    facts = [fact for one in lists for fact in one]
    first = np.array(list(accumulate(map(len, lists), initial=0)), np.int64)
    return first, np.array([fact[0] for fact in facts], np.int64), np.array([fact[1] for fact in facts], np.int64)


def _projected(task: Task, place: Mapping[int, int]) -> dict[Rule, str]:
    """The projected operators, each with the name of one of the cheapest operators that it stands for.

    place: the index of each variable of the pattern.
    """
    cheapest: dict[tuple[Any, Any], tuple[int, str]] = {}
    for operator in (task.operators[number] for number in affecting(task, place)):
        for before, effects in _cases(task, operator, place):
            rule = tuple(sorted(before.items())), tuple(sorted(effects.items()))
            known = cheapest.get(rule)
            cost = min(operator.cost, LARGEST_COST)
            if effects and (known is None or cost < known[0]):
                cheapest[rule] = cost, operator.name
    return {Rule(before, effects, cost): name for (before, effects), (cost, name) in sorted(cheapest.items())}


def _cases(task: Task, operator: Operator, place: Mapping[int, int]) -> Iterator[tuple[dict[int, int], dict[int, int]]]:
    """What an operator needs and makes true in the pattern: one case for each way in which conditions of its effects hold.

    Effects that change nothing are left out.
    """
    given = dict(operator.preconditions)
    effects = [effect for effect in operator.effects if effect.fact.variable in place]
    asked = sorted({condition.variable for effect in effects for condition in effect.conditions} - given.keys())
    count = prod(len(task.variables[variable].facts) for variable in asked)
    if count > MOST_CASES:
        raise InputError(
            f"the conditions of the effects of operator {shown(operator.name)} have {count:,} cases, more than {MOST_CASES:,}; use "
            "a pattern with fewer of the variables that the operator changes, or another heuristic"
        )
    for values in product(*(range(len(task.variables[variable].facts)) for variable in asked)):
        known = given | dict(zip(asked, values, strict=True))
        made = {effect.fact.variable: effect.fact.value for effect in effects if _hold(effect.conditions, known)}
        yield (
            {place[variable]: value for variable, value in known.items() if variable in place},
            {place[variable]: value for variable, value in made.items() if known.get(variable) != value},
        )


def _hold(conditions: Iterable[Fact], known: Mapping[int, int]) -> bool:
    return all(known[variable] == value for variable, value in conditions)
