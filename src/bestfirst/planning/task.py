"""Task: a planning task in finite-domain variables (SAS+), which every algorithm searches like any other problem.

Source: Helmert, "The Fast Downward planning system", 2006.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.planning.heuristics import offered_by
from bestfirst.planning.successor_tree import SuccessorTree
from bestfirst.problem import Problem

if TYPE_CHECKING:
    from bestfirst.own_engine import OwnEngine

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

    default_heuristic = "blind"

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
        operators = self.operators
        for number in self.tree.applicable(state):
            operator = operators[number]
            yield operator.name, operator.applied(state), operator.cost

    @cached_property
    def tree(self) -> SuccessorTree:
        """The decision tree for applicable operators."""
        return SuccessorTree(self.operators)

    def heuristics(self) -> Mapping[str, Heuristic]:
        return self._offered

    @cached_property
    def _offered(self) -> Mapping[str, Heuristic]:
        return offered_by(self)

    def own_engine(self) -> OwnEngine | None:
        module = import_module("bestfirst.compiled.tasks.engine")  # by name: it needs tasks, not the other way round
        engine: OwnEngine = module.TaskEngine(self)
        return engine
