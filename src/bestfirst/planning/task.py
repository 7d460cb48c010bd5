"""Task: a planning task in finite-domain variables (SAS+), which every algorithm searches like any other problem.

Source: Helmert, "The Fast Downward planning system", 2006.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bestfirst.problem import Problem

if TYPE_CHECKING:
    from bestfirst.domain import Domain
    from bestfirst.heuristics.heuristic import Heuristic

State: TypeAlias = tuple[int, ...]
"""The value of each variable."""


class Fact(NamedTuple):
    """That a variable has a value. Both are numbers, counted from 0."""

    variable: int
    value: int


@dataclass(frozen=True)
class Variable:
    """A variable. facts: what each of its values means, such as "Atom on(a, b)"."""

    name: str
    facts: tuple[str, ...]


@dataclass(frozen=True)
class Effect:
    """What an operator makes true, if the conditions hold in the state to which it is applied."""

    fact: Fact
    conditions: tuple[Fact, ...] = ()


@dataclass(frozen=True)
class Operator:
    """An operator. name: such as "unstack a b", which several operators can share. preconditions: sorted; one per variable.

    effects: of two that set the same variable, the later one counts. cost: an int >= 0.
    """

    name: str
    preconditions: tuple[Fact, ...]
    effects: tuple[Effect, ...]
    cost: int = 1

    def applies(self, state: State) -> bool:
        """Whether its preconditions hold in a state."""
        return all(state[variable] == value for variable, value in self.preconditions)

    def applied(self, state: State) -> State:
        """The state to which it leads."""
        values = list(state)
        for effect in self.effects:
            if all(state[variable] == value for variable, value in effect.conditions):
                values[effect.fact.variable] = effect.fact.value
        return tuple(values)


class Task(Problem[State, str]):
    """A planning task. Its actions are the names of operators; its states are tuples, with a value for each variable.

    Successors are in the order of the preconditions of their operators: by their variables, then by the number of the operator.
    """

    def __init__(
        self,
        variables: Sequence[Variable],
        operators: Iterable[Operator],
        initial: State,
        goal: Sequence[Fact],
    ) -> None:
        self.variables = tuple(variables)
        self.operators = tuple(sorted(operators, key=lambda operator: operator.preconditions))
        self.initial = tuple(initial)
        self.goal = tuple(sorted(goal))
        self.unit_cost = all(operator.cost == 1 for operator in self.operators)

    def is_goal(self, state: State) -> bool:
        return all(state[variable] == value for variable, value in self.goal)

    def successors(self, state: State) -> Iterator[tuple[str, State, int]]:
        for operator in self.operators:
            if operator.applies(state):
                yield operator.name, operator.applied(state), operator.cost

    def heuristic_named(self, name: str) -> Heuristic | None:
        """A heuristic such as pdb:3-7-12, from pattern databases in memory (planning/pattern_heuristic.py)."""
        module = import_module(
            "bestfirst.planning.pattern_heuristic"
        )  # by name: it needs this class, not the other way round
        found: Heuristic | None = module.heuristic_named(self, name)
        return found

    def heuristic_alias(self, name: str) -> str:
        """pdb stands for pdb:auto."""
        return "pdb:auto" if name == "pdb" else name

    def project(self, pattern: Iterable[int]) -> Domain:
        """The task in which only the variables of the pattern count. Raises InputError for an invalid pattern."""
        made: Domain = import_module("bestfirst.planning.projections").Projection(self, pattern)
        return made

    def abstractions(self, pattern: str) -> list[Domain]:
        """The projections whose pattern databases pdb:PATTERN uses."""
        named = import_module("bestfirst.planning.patterns").patterns_named(self, pattern)
        return [self.project(one) for one in named]
