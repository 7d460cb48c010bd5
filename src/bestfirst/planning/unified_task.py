"""From a problem of unified-planning to a Task, and from the names of its operators back to the problem's actions.

The problem is written in PDDL and grounded by the translator, which finds variables with many values. What would need axioms
is removed before: object fluents, quantifiers, and a goal that is not a conjunction of literals. Costs do not pass through
PDDL: they are computed from the problem, for each operator, so that they may be fractions and arithmetic expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Any

from unified_planning.engines import CompilationKind
from unified_planning.engines.compilers.quantifiers_remover import QuantifiersRemover
from unified_planning.engines.compilers.usertype_fluents_remover import UsertypeFluentsRemover
from unified_planning.io import PDDLWriter
from unified_planning.model import Action, FNode, InstantaneousAction, Problem
from unified_planning.model.fluent import get_all_fluent_exp
from unified_planning.model.metrics import MinimizeActionCosts, MinimizeSequentialPlanLength
from unified_planning.model.walkers import Simplifier
from unified_planning.plans import ActionInstance, SequentialPlan

from bestfirst.errors import InputError
from bestfirst.planning.grounding import ground
from bestfirst.planning.sas import task_of
from bestfirst.planning.task import State, Task
from bestfirst.solution import Limits, Solution


class UnsupportedError(InputError):
    """A problem that is not supported, although its kind is."""


class UnifiedTask:
    """A problem as a Task.

    task: with the costs of the problem times `unit`, which makes them ints. has_metric: whether the problem states what counts;
    if not, each action costs 1.
    """

    def __init__(self, problem: Problem, limits: Limits) -> None:
        """limits: on the process that grounds. Raises LimitError if one is reached, UnsupportedError, and InputError."""
        self._problem = problem
        self.has_metric = bool(problem.quality_metrics)
        _check_initial_values(problem)
        cost_of = _cost_function(problem)
        written = _written(_compiled(problem))
        writer = PDDLWriter(written)
        kinds = written.user_types
        # all objects are constants of the domain: by itself the writer chooses some, in an order that differs from run to run
        writer.domain_objects = {kind: [found for found in written.all_objects if found.type == kind] for kind in kinds}
        domain, text = writer.get_domain(), writer.get_problem()
        task = task_of(ground(domain.encode(), text.encode(), f"the problem {problem.name}", limits).output)
        self._instances: dict[str, ActionInstance | None] = {}
        for name in {operator.name: None for operator in task.operators}:
            action, *objects = (writer.get_item_named(word) for word in name.split())
            self._instances[name] = problem.action(action.name)(*objects) if problem.has_action(action.name) else None
        costs = {name: Fraction(0) if found is None else cost_of(found) for name, found in self._instances.items()}
        self.unit = lcm(*(cost.denominator for cost in costs.values()))
        operators = [replace(operator, cost=int(costs[operator.name] * self.unit)) for operator in task.operators]
        self.task = Task(task.variables, operators, task.initial, task.goal)

    def cost(self, solution: Solution[State, str]) -> Fraction:
        """What the plan of a solution costs in the problem."""
        return Fraction(solution.cost or 0) / self.unit

    def plan(self, names: Iterable[str]) -> SequentialPlan:
        """The plan of the problem for the names of operators."""
        found = [self._instances[name] for name in names]
        actions = [one.action(*one.actual_parameters) for one in found if one is not None]  # none twice: plans need new ones
        return SequentialPlan(actions, self._problem.environment)


def _check_initial_values(problem: Problem) -> None:
    """Raise an InputError for a fluent that a condition, an effect or an object needs, but that has no value at the start."""
    fluents_in = problem.environment.free_vars_extractor.get
    asked = list(problem.goals)
    for action in problem.actions:
        asked += action.preconditions
        for effect in action.effects:
            asked += [effect.condition, effect.value, *effect.fluent.args]
    used = {found.fluent() for condition in asked for found in fluents_in(condition)}
    for fluent in problem.fluents:
        if fluent in used or fluent.type.is_user_type():
            for fact in get_all_fluent_exp(problem, fluent):
                if problem.initial_value(fact) is None:
                    raise InputError(f"the fluent {fact} has no initial value; set one, or give {fluent.name} a default")


def _compiled(problem: Problem) -> Problem:
    """The problem without object fluents and quantifiers. Its actions have the names and parameters that they had."""
    kind = problem.kind
    problem = problem.clone()
    problem.clear_quality_metrics()
    if kind.has_object_fluents():
        problem = _without(problem, UsertypeFluentsRemover(), CompilationKind.USERTYPE_FLUENTS_REMOVING)
        kind = problem.kind
    if kind.has_existential_conditions() or kind.has_universal_conditions():
        problem = _without(problem, QuantifiersRemover(), CompilationKind.QUANTIFIERS_REMOVING)
    return problem


def _without(problem: Problem, compiler: Any, kind: CompilationKind) -> Problem:
    """The problem that a compiler of the library makes."""
    compiler.skip_checks = True  # it would refuse fluents without initial values, even if nothing asks for them
    return compiler.compile(problem, kind).problem


def _written(problem: Problem) -> Problem:
    """The problem as it is written in PDDL: without numbers, constants in conditions, and assignments of conditions."""
    simplify = Simplifier(problem.environment, problem).simplify
    written = Problem("task", problem.environment)
    for fluent in problem.fluents:
        if fluent.type.is_bool_type():
            written.add_fluent(fluent)
    written.add_objects(problem.all_objects)
    for fact, value in problem.initial_values.items():
        if fact.type.is_bool_type():
            written.set_initial_value(fact, value)
    for action in problem.actions:
        stated = _stated(action, simplify)
        if stated is not None:
            written.add_action(stated)
    goal = simplify(problem.environment.expression_manager.And(problem.goals))
    if all(_is_literal(part) for part in (goal.args if goal.is_and() else [goal])):
        written.add_goal(goal)
        return written
    reached = written.add_fluent(_fresh("goal-is-reached", problem), default_initial_value=False)
    reach = InstantaneousAction(_fresh("reach-goal", problem), _env=problem.environment)
    if not goal.is_true():
        reach.add_precondition(goal)
    reach.add_effect(reached, True)
    if not goal.is_false():
        written.add_action(reach)
    written.add_goal(reached)
    return written


def _fresh(name: str, problem: Problem) -> str:
    """A name that nothing in the problem has."""
    return _fresh(f"{name}-", problem) if problem.has_name(name) else name


def _is_literal(condition: FNode) -> bool:
    return bool(condition.is_fluent_exp() or (condition.is_not() and condition.arg(0).is_fluent_exp()))


def _stated(action: Action, simplify: Callable[[FNode], FNode]) -> InstantaneousAction | None:
    """An action with simplified conditions; None if it never applies, or changes nothing."""
    manager = action.environment.expression_manager
    stated = action.clone()
    stated.clear_preconditions()
    stated.clear_effects()
    condition = simplify(manager.And(action.preconditions))
    if condition.is_false():
        return None
    if not condition.is_true():
        stated.add_precondition(condition)
    for effect in action.effects:
        value = simplify(effect.value)
        for result, case in ((True, value), (False, manager.Not(value))):
            when = simplify(manager.And(effect.condition, case))
            if not when.is_false():
                stated.add_effect(effect.fluent, result, when, effect.forall)
    return stated if stated.effects else None


def _cost_function(problem: Problem) -> Callable[[ActionInstance], Fraction]:
    """What an action costs. Raises UnsupportedError for a metric that is not supported."""
    if len(problem.quality_metrics) > 1:
        raise UnsupportedError(f"the problem has {len(problem.quality_metrics)} quality metrics; use at most one")
    metric = next(iter(problem.quality_metrics), MinimizeSequentialPlanLength())
    if not isinstance(metric, MinimizeActionCosts):
        return lambda _: Fraction(1)
    simplify = Simplifier(problem.environment, problem).simplify

    def cost_of(instance: ActionInstance) -> Fraction:
        cost = metric.get_action_cost(instance.action)
        if cost is None:
            raise UnsupportedError(
                f"the metric has no cost for the action {instance.action.name}; add one, or set a default"
            )
        parameters = dict(zip(instance.action.parameters, instance.actual_parameters, strict=True))
        cost = simplify(cost.substitute(parameters))
        if not cost.is_constant():
            raise UnsupportedError(f"{instance} costs {cost}, which has no value; set one, or give the fluent a default")
        if cost.constant_value() < 0:
            raise UnsupportedError(f"{instance} costs {cost}; a cost must not be negative")
        return Fraction(cost.constant_value())

    return cost_of
