"""The delete relaxation of a task: what is true once stays true. The heuristics h_max, h_add, FF and LM-cut are solved in it.

Source: Bonet & Geffner, "Planning as heuristic search", 2001.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from bestfirst.errors import InputError
from bestfirst.planning.task import Fact

if TYPE_CHECKING:
    from bestfirst.planning.task import Effect, Operator, State, Task

COST_LIMIT = 2**31 - 1
"""Relaxed plans must cost less."""
MOST_COMPARED = 5
"""The maximum number of preconditions of rules that are compared with those with fewer preconditions."""


class Rule(NamedTuple):
    """Facts that come true together, once all preconditions are true.

    preconditions, effects: numbers of facts; at least one of each. operators: for each effect, the number in task.operators of an
    operator that has it. cost: of each of them.
    """

    preconditions: tuple[int, ...]
    effects: tuple[int, ...]
    operators: tuple[int, ...]
    cost: int


class Relaxation:
    """The delete relaxation of a task, reduced to the facts from which the goal can depend.

    Each operator is a rule; each of its conditional effects is one more, with the conditions among the preconditions. What has
    no preconditions gets an artificial one, a fact that is always true.
    merged: whether to merge rules of different operators (see merge()).
    facts: the number of facts. number: the number of each fact. always: the number of the artificial fact, always the last.
    rules: in the order of their operators. goal: the numbers of the goal's facts, each once.
    needed_by: for each fact, the numbers of the rules that have it as a precondition.
    """

    def __init__(self, task: Task, *, merged: bool) -> None:
        stated = [rule for number, operator in enumerate(task.operators) for rule in _rules_of(number, operator)]
        relevant = _relevant(stated, task.goal)
        self.number = {fact: number for number, fact in enumerate(sorted(relevant))}
        self.always = len(self.number)
        self.facts = self.always + 1
        self.goal = tuple(sorted({self.number[fact] for fact in task.goal}))
        rules: list[Rule] = []
        for operator, preconditions, effects in stated:
            useful = sorted(self.number[fact] for fact in effects & relevant)
            if useful:
                needed = sorted(self.number[fact] for fact in preconditions) or [self.always]
                operators = (operator,) * len(useful)
                rules.append(Rule(tuple(needed), tuple(useful), operators, task.operators[operator].cost))
        self.rules = merge(rules, self.always) if merged else rules
        self.needed_by: list[list[int]] = [[] for _ in range(self.facts)]
        for number, rule in enumerate(self.rules):
            for fact in rule.preconditions:
                self.needed_by[fact].append(number)
        self._check_costs()

    def true_in(self, state: State) -> list[int]:
        """The numbers of the facts that are true in a state."""
        known = (self.number.get(Fact(variable, value)) for variable, value in enumerate(state))
        return [*(number for number in known if number is not None), self.always]

    def _check_costs(self) -> None:
        """Raise InputError for costs that are too large. A relaxed plan needs at most one rule for each fact."""
        dearest = [0] * self.facts
        for rule in self.rules:
            for fact in rule.effects:
                dearest[fact] = max(dearest[fact], rule.cost)
        if sum(dearest) >= COST_LIMIT:
            raise InputError(
                f"the costs of the operators are too large: relaxed plans may cost {sum(dearest):,}, but must cost less "
                f"than {COST_LIMIT:,}; divide all costs by a common divisor, or use the heuristic 'blind'"
            )


_KEPT: WeakKeyDictionary[Task, dict[str, tuple[object, object, Relaxation]]] = WeakKeyDictionary()
"""The delete relaxations of tasks that still exist, by kind, each with the operators and the goal that it is of."""


def kept(task: Task, kind: str, make: Callable[[Task], Relaxation]) -> Relaxation:
    """A delete relaxation of some kind, which is made once unless the task changes."""
    relaxations = _KEPT.setdefault(task, {})
    operators, goal, relaxation = relaxations.get(kind, (None, None, None))
    if relaxation is None or operators is not task.operators or goal != task.goal:
        relaxation = make(task)
        relaxations[kind] = task.operators, task.goal, relaxation
    return relaxation


def merged_relaxation(task: Task) -> Relaxation:
    """The delete relaxation of a task with merged rules, made once. Raises InputError for costs that are too large."""
    return kept(task, "merged", lambda task: Relaxation(task, merged=True))


class _Stated(NamedTuple):
    operator: int
    preconditions: frozenset[Fact]
    effects: frozenset[Fact]


def _rules_of(number: int, operator: Operator) -> Iterable[_Stated]:
    """The rules of an operator: one for each set of conditions of its effects."""
    by_conditions: dict[frozenset[Fact], set[Effect]] = {}
    for effect in operator.effects:
        by_conditions.setdefault(frozenset(effect.conditions), set()).add(effect)
    for conditions, effects in by_conditions.items():
        preconditions = conditions.union(operator.preconditions)
        yield _Stated(number, preconditions, frozenset(effect.fact for effect in effects) - preconditions)


def _relevant(rules: Sequence[_Stated], goal: Sequence[Fact]) -> set[Fact]:
    """The facts from which the goal can depend: those of the goal, and the preconditions of rules with a relevant effect."""
    achievers: dict[Fact, list[_Stated]] = {}
    for rule in rules:
        for fact in rule.effects:
            achievers.setdefault(fact, []).append(rule)
    relevant, waiting = set(goal), list(goal)
    while waiting:
        for rule in achievers.get(waiting.pop(), ()):
            new = rule.preconditions - relevant
            relevant |= new
            waiting.extend(new)
    return relevant


def merge(rules: Iterable[Rule], always: int) -> list[Rule]:
    """Fewer rules, by which each fact costs the same: one for each set of preconditions and cost.

    A rule loses an effect which other rules have at no higher cost, with the same preconditions or some of them. always: the
    number of the fact that is always true.
    """
    unary: dict[tuple[int, tuple[int, ...]], tuple[int, int]] = {}
    for rule in rules:
        for effect, operator in zip(rule.effects, rule.operators, strict=True):
            key = effect, rule.preconditions
            unary[key] = min(unary.get(key, (rule.cost, operator)), (rule.cost, operator))
    merged: dict[tuple[tuple[int, ...], int], list[tuple[int, int]]] = {}
    for (effect, preconditions), (cost, operator) in unary.items():
        fewer = [unary.get((effect, some)) for some in _parts(preconditions, always)]
        if not any(other is not None and other[0] <= cost for other in fewer):
            merged.setdefault((preconditions, cost), []).append((effect, operator))
    made = []
    for (preconditions, cost), pairs in merged.items():
        effects, operators = zip(*sorted(pairs), strict=True)
        made.append(Rule(preconditions, effects, operators, cost))
    return made


def _parts(preconditions: tuple[int, ...], always: int) -> Iterable[tuple[int, ...]]:
    """Each choice of some of the preconditions, but not of all; for many preconditions, none, since there are too many choices."""
    if len(preconditions) <= MOST_COMPARED and preconditions != (always,):
        yield (always,)
        for count in range(1, len(preconditions)):
            yield from combinations(preconditions, count)
