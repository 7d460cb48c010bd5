"""Task: a planning task in finite-domain variables (SAS+), which every algorithm searches like any other problem.

Source: Helmert, "The Fast Downward planning system", 2006.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from bestfirst.cached import cached_property
from bestfirst.errors import InputError
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.planning.heuristics import all_offered, offered_by
from bestfirst.planning.successor_tree import SuccessorTree
from bestfirst.problem import Problem
from bestfirst.trace.labels import shortened

if TYPE_CHECKING:
    from bestfirst.domain import Domain
    from bestfirst.own_engine import OwnEngine

State: TypeAlias = tuple[int, ...]
"""The value of each variable."""
LONGEST_LABEL = 80
MOST_DRAWN = 16
"""Facts of a state in a drawing."""
BETWEEN_FACTS = "  "
START = "as at the start"
STATED = ("variables", "operators", "initial", "goal")
"""The attributes that state a task."""
_ATOM, _NEGATED, _NONE = "Atom ", "NegatedAtom ", "<none of those>"
"""How the translator writes what a value means."""


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
    """An operator. name: such as "unstack a b", which several operators can share.

    preconditions: one per variable; a Task sorts them. effects: of two that set the same variable, the later one counts.
    cost: an int >= 0.
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

    A task cannot be changed; create a new one instead.

    Successors are in the order of the preconditions of their operators: by their variables, then by the number of the operator.
    A state is shown by the atoms that are true; in labels and drawings, if they are many, by those that were false at the start.
    """

    shows_states = False
    prefixed_heuristics = ("pdb:auto",)
    why_unsolvable: str | None = None
    """The reason why no goal can be reached, if whoever made the task knows one."""

    def __init__(
        self,
        variables: Sequence[Variable],
        operators: Iterable[Operator],
        initial: State,
        goal: Sequence[Fact],
    ) -> None:
        """goal: facts that must hold together.

        NumPy's ints are taken as Python's. Raises InputError, which names the variable or the operator, for what is wrong.
        """
        check = import_module("bestfirst.planning.task_check")  # by name: it needs these classes, not the other way round
        self.variables: tuple[Variable, ...] = check.checked_variables(variables)
        parts = check.PartCheck(self.variables)
        checked: list[Operator] = parts.operators(operators)
        self.operators = tuple(sorted(checked, key=lambda operator: operator.preconditions))
        self.initial: State = check.checked_initial(initial, self.variables)
        self.goal: tuple[Fact, ...] = parts.goal(goal)
        has_conditions = any(effect.conditions for operator in self.operators for effect in operator.effects)
        self.default_heuristic = "hmax" if has_conditions else "lmcut"  # which takes no conditional effects
        self.unit_cost = all(operator.cost == 1 for operator in self.operators)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute. Raises InputError for one that states the task: trees and heuristics made from it would be wrong."""
        if name in STATED and name in self.__dict__:
            raise InputError(
                f"the {name} of a Task cannot be changed; create a new Task(variables, operators, initial, goal)"
            )
        super().__setattr__(name, value)

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

    @classmethod
    def known_heuristics(cls) -> Mapping[str, Heuristic]:
        return all_offered()

    @cached_property
    def _offered(self) -> Mapping[str, Heuristic]:
        return offered_by(self)

    def own_engine(self) -> OwnEngine | None:
        module = import_module("bestfirst.planning.compiled_searches")  # by name: it needs tasks, not the other way round
        engine: OwnEngine = module.TaskEngine(self)
        return engine

    def unsolvable(self) -> str | None:
        """Checks whether it is known already, and whether the goal asks for two values of a variable."""
        for one, other in pairwise(self.goal):
            if one.variable == other.variable and one != other:
                return f"the goal asks for {self.fact_text(one)} and for {self.fact_text(other)}, which exclude each other"
        return self.why_unsolvable

    def __repr__(self) -> str:
        return f"Task({len(self.variables)} variables, {len(self.operators)} operators)"

    @classmethod
    def name(cls) -> str:
        """The name on the command line: "pddl", except for classes of users."""
        return "pddl" if cls.__module__.startswith(f"{__package__}.") else super().name()

    def format(self, state: State) -> str:
        """The atoms that are true, such as "on(a, b)  clear(a)"; other facts by the name of the variable, such as "lamp: on"."""
        return BETWEEN_FACTS.join(self._facts(state))

    def label(self, state: State) -> str:
        whole = self.format(state)
        if len(whole) <= LONGEST_LABEL:
            return whole
        new = BETWEEN_FACTS.join(self._facts(state, only_new=True))
        return shortened(f"new: {new}" if new else START, LONGEST_LABEL)

    def draw(self, state: State) -> str:
        facts = self._facts(state)
        if len(facts) <= MOST_DRAWN:
            return "\n".join(facts)
        new = self._facts(state, only_new=True)
        return "\n".join((*new, f"{len(facts) - len(new)} facts {START}"))

    def format_action(self, action: str) -> str:
        return f"({action})"

    def _facts(self, state: State, *, only_new: bool = False) -> list[str]:
        """What is true in a state, without facts that say that something is false. only_new: what was false at the start."""
        return [
            self.fact_text(Fact(variable, value))
            for variable, (value, before) in enumerate(zip(state, self.initial, strict=True))
            if not (only_new and value == before)
            if not self.variables[variable].facts[value].startswith((_NEGATED, _NONE))
        ]

    def fact_text(self, fact: Fact) -> str:
        """A fact as people read it, such as "on(a, b)", "not clear(a)" or "lamp: on"."""
        variable = self.variables[fact.variable]
        meaning = variable.facts[fact.value]
        if meaning.startswith(_ATOM):
            return meaning.removeprefix(_ATOM).removesuffix("()")
        if meaning.startswith(_NEGATED):
            return f"not {meaning.removeprefix(_NEGATED).removesuffix('()')}"
        if meaning == _NONE:
            others = [
                self.fact_text(Fact(fact.variable, value)) for value in range(len(variable.facts)) if value != fact.value
            ]
            return f"none of {', '.join(others)}"
        return f"{variable.name}: {meaning}"

    def heuristic_named(self, name: str) -> Heuristic | None:
        """A heuristic such as pdb:3-7-12, from pattern databases in memory (planning/pattern_heuristic.py)."""
        # By name: it needs this class, not the other way round.
        module = import_module("bestfirst.planning.pattern_heuristic")
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
        """pdb:3-7,1-5: the exact cost of the task in which only the variables 3 and 7 count, or 1 and 5; pdb:auto chooses."""
        named = import_module("bestfirst.planning.patterns").patterns_named(self, pattern)
        return [self.project(one) for one in named]
