"""Plans in the format of the International Planning Competition: those of other planners are replayed step by step."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from bestfirst.arguments import check_kind, check_path
from bestfirst.domains.shared.files import bytes_of
from bestfirst.errors import InputError, UnknownNameError, VerificationError, counted, shown
from bestfirst.planning.pddl_text import short
from bestfirst.planning.task import Fact, Operator, State, Task
from bestfirst.solution import Solution
from bestfirst.system.atomic import write_atomically


class VerifiedPlan(NamedTuple):
    """A plan that leads to a goal. states: one more than actions."""

    actions: tuple[str, ...]
    states: tuple[tuple[int, ...], ...]
    cost: int


def write_plan(path: str | Path, plan: Solution | Sequence[str], task: Task) -> None:
    """Write a plan: one action per line, in parentheses, then its cost. plan: a solution, or names of operators.

    The file is written atomically. Raises InputError if a solution has no plan, or the file cannot be written, and
    VerificationError if the plan does not lead to a goal.
    """
    check_path("path", path)
    _check_task(task)
    if isinstance(plan, Solution) and not plan.found:
        raise InputError(f"the solution has no plan to write: its status is {plan.status}")
    actions = plan.actions if isinstance(plan, Solution) else plan
    write_atomically(path, plan_text(verify_plan(actions, task), task))


def plan_text(plan: VerifiedPlan, task: Task) -> str:
    """A plan in this format."""
    kind = "unit cost" if task.unit_cost else "general cost"
    return "".join(f"({action})\n" for action in plan.actions) + f"; cost = {plan.cost} ({kind})\n"


def read_plan(path: str | Path, task: Task) -> list[str]:
    """The actions of a plan file. Text after ; is a comment; a number before a colon is the time of a step.

    Upper and lower case and the number of blanks matter only if two names of the task differ in nothing else.
    Raises InputError, which names the file and the line, for a line that is not an action of the task.
    """
    check_path("path", path)
    _check_task(task)
    file = Path(path)
    known: dict[str, list[str]] = {}
    for name in dict.fromkeys(operator.name for operator in task.operators):
        known.setdefault(_plain(name), []).append(name)
    actions = []
    for number, line in enumerate(bytes_of(file).decode("utf-8-sig", "replace").splitlines(), 1):
        step = line.partition(";")[0].strip()
        time, colon, after = step.partition(":")
        if colon and time.strip().replace(".", "", 1).isdecimal():
            step = after.strip()
            if not step:
                raise InputError(f"{file}, line {number}: the time {time.strip()} has no action; write one after the colon")
        if not step:
            continue
        if not (step.startswith("(") and step.endswith(")")):
            raise InputError(f"{file}, line {number}: {short(step)} is not an action in parentheses, such as (move a b)")
        written = step[1:-1].strip()
        action = _plain(written)
        if action not in known:
            raise InputError(f"{file}, line {number}: {_unknown(action, known)}")
        meant = [written] if written in known[action] else known[action]
        if len(meant) > 1:
            several = " or ".join(f"({name})" for name in meant)
            raise InputError(f"{file}, line {number}: {short(step)} could mean {several}; write one of them exactly")
        actions.append(meant[0])
    return actions


def _check_task(task: object) -> None:
    check_kind("task", task, Task, "a Task of bestfirst.planning")


def _plain(action: str) -> str:
    """An action in lower case, with single blanks."""
    return " ".join(action.lower().split())


def _unknown(action: str, known: Collection[str]) -> str:
    """What is wrong with an action that no operator has: the translator leaves out those that never apply."""
    kind = action.partition(" ")[0]
    kinds = {name.partition(" ")[0] for name in known}
    if kind not in kinds:
        return str(UnknownNameError("action", kind, kinds))
    return f"the task has no action {short(f'({action})')} that can ever apply; check its objects"


def verify_plan(plan: Sequence[str], task: Task) -> VerifiedPlan:
    """Replay a plan of another program, given as names of operators. If several operators share a name, any of them counts.

    Raises InputError if the plan is not a sequence of names, and VerificationError at the first action that does not apply, and
    if the last state is not a goal.
    """
    _check_task(task)
    if isinstance(plan, str) or not isinstance(plan, Sequence):
        given = "a Solution" if isinstance(plan, Solution) else shown(plan)
        raise InputError(f"plan is {given}; pass a list of names of operators, such as solution.actions")
    operators: dict[str, list[Operator]] = {}
    for operator in task.operators:
        operators.setdefault(operator.name, []).append(operator)
    layers: list[_Layer] = [{task.initial: (0, task.initial)}]
    for step, action in enumerate(plan, 1):
        if not isinstance(action, str):
            raise InputError(f"step {step} of the plan is {shown(action)}; write the name of an operator as a string")
        if action not in operators:
            raise VerificationError(f"step {step}: {_unknown(action, operators)}")
        layer = _after(layers[-1], operators[action])
        if not layer:
            why = _missing(task, operators[action][0].preconditions, next(iter(layers[-1])))
            raise VerificationError(f"step {step}: ({action}) does not apply: {why}")
        layers.append(layer)
    goals = [(cost, state) for state, (cost, _) in layers[-1].items() if task.is_goal(state)]
    if not goals:
        why = _missing(task, task.goal, next(iter(layers[-1])))
        raise VerificationError(f"the plan of {counted(len(plan), 'step')} does not reach the goal: {why}")
    cost, state = min(goals)
    states = [state]
    for layer in reversed(layers[1:]):
        states.append(layer[states[-1]][1])
    return VerifiedPlan(tuple(plan), tuple(reversed(states)), cost)


_Layer = dict[State, tuple[int, State]]
"""The states after a number of steps, each with the cost of the cheapest way to it, and the state before."""


def _after(layer: _Layer, operators: Sequence[Operator]) -> _Layer:
    """The states to which operators lead."""
    found: _Layer = {}
    for state, (cost, _) in layer.items():
        for operator in operators:
            if operator.applies(state):
                way = (cost + operator.cost, state)
                following = operator.applied(state)
                found[following] = min(way, found.get(following, way))
    return found


def _missing(task: Task, facts: Sequence[Fact], state: State) -> str:
    """Which of some facts do not hold in a state."""
    missing = [task.fact_text(fact) for fact in facts if state[fact.variable] != fact.value]
    return f"{', '.join(missing)} does not hold" if len(missing) == 1 else f"these do not hold: {', '.join(missing)}"
