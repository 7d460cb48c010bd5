"""h_max, h_add, FF and LM-cut: against brute force, the compiled ones, and Fast Downward."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from importlib.util import find_spec
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.compiled.tasks.evaluation import DEAD_END
from bestfirst.errors import InputError
from bestfirst.planning import Effect, Fact, Operator, State, Task, Variable
from bestfirst.planning.heuristics.ff import FF
from bestfirst.planning.heuristics.hadd import HAdd
from bestfirst.planning.heuristics.hmax import HMax
from bestfirst.planning.heuristics.landmark_cut import LandmarkCut
from bestfirst.planning.heuristics.relaxation import COST_LIMIT
from evaluated_tasks import Evaluated
from planning_tasks import random_tasks, switches, towers
from profiles import examples
from relaxed_plans import (
    all_states,
    cheapest_plan,
    cheapest_relaxed_operators,
    cheapest_relaxed_plan,
    fixed_point,
    is_relaxed_plan,
)

REFERENCES: dict[str, Callable[[Task], Callable[[State], float]]] = {
    "hmax": HMax,
    "hadd": HAdd,
    "ff": FF,
    "lmcut": LandmarkCut,
}
MOST_STATES = 30


def some_state(task: Task, data: st.DataObject) -> State:
    return tuple(data.draw(st.integers(0, len(variable.facts) - 1)) for variable in task.variables)


@examples(25)
@given(random_tasks(), st.data())
def test_hmax_and_hadd_satisfy_their_equations(task: Task, data: st.DataObject) -> None:
    """Their estimates are the least solutions of the equations that define them."""
    state = some_state(task, data)
    assert HMax(task)(state) == fixed_point(task, state, max)
    assert HAdd(task)(state) == fixed_point(task, state, sum)


@examples(25)
@given(random_tasks(conditional=False), st.data())
def test_lmcut_lies_between_hmax_and_the_cheapest_relaxed_plan(task: Task, data: st.DataObject) -> None:
    """h_max <= LM-cut <= h+ <= h*, and all but the last are infinite in the same states."""
    state = some_state(task, data)
    relaxed = cheapest_relaxed_plan(task, state)
    assert HMax(task)(state) <= LandmarkCut(task)(state) <= relaxed <= cheapest_plan(task, state)
    assert (HMax(task)(state) == inf) == (relaxed == inf)


@examples(25)
@given(random_tasks(), st.data())
def test_ff_is_the_cost_of_a_relaxed_plan(task: Task, data: st.DataObject) -> None:
    """Its operators reach the goal in the delete relaxation; preferred are those that can be applied. A dead end has no plan."""
    state = some_state(task, data)
    ff = FF(task)
    plan = ff.relaxed_plan(state)
    relaxed = cheapest_relaxed_operators(task, state)
    if plan is None:
        assert (ff(state), ff.preferred(state), relaxed) == (inf, [], inf)
    else:
        assert is_relaxed_plan(task, state, plan)
        assert ff(state) == sum(task.operators[number].cost for number in plan) >= relaxed
        assert ff.preferred(state) == [task.operators[one].name for one in plan if task.operators[one].applies(state)]


@examples(20)
@given(st.booleans().flatmap(lambda conditional: random_tasks(conditional=conditional)))
def test_compiled_estimates_are_those_of_the_references(task: Task) -> None:
    """In each state, one after the other, and with the same preferred operators."""
    assert_twins(task)


@pytest.mark.parametrize("task", [towers(4), switches(5)], ids=["towers", "switches"])
def test_compiled_estimates_on_larger_tasks(task: Task) -> None:
    """In the states near the initial one."""
    assert_twins(task, [state for _, state, _ in task.successors(task.initial)])


@examples(15)
@given(random_tasks(most_cost=10_000))
def test_compiled_estimates_with_large_costs(task: Task) -> None:
    """Where costs exceed the buckets of the queue."""
    assert_twins(task)


def assert_twins(task: Task, states: list[State] | None = None) -> None:
    states = states or all_states(task)[:MOST_STATES]
    has_conditions = any(effect.conditions for operator in task.operators for effect in operator.effects)
    for name, reference in REFERENCES.items():
        if name == "lmcut" and has_conditions:
            continue
        wanted, compiled = reference(task), Evaluated(task, name)
        assert compiled.estimates(states) == [wanted(state) for state in states], name
        if isinstance(wanted, FF):
            assert [compiled.preferred(state) for state in states] == [wanted.preferred(state) for state in states]


def test_tasks_offer_them_by_name() -> None:
    """With what is known about them; FF with its preferred operators."""
    task = towers(4)
    offered = task.heuristics()
    assert [offered[name](task.initial) for name in REFERENCES] == [1, 3, 3, 3]
    assert (offered["hmax"].admissible, offered["hmax"].consistent) == (True, True)
    assert (offered["lmcut"].admissible, offered["lmcut"].consistent) == (True, False)
    assert offered["ff"].preferred is not None
    assert offered["ff"].preferred(task.initial) == ["move 0 4 1", "move 1 4 2", "move 2 4 3"]
    assert offered["hmax"].preferred is None


@pytest.mark.parametrize("name", ["hmax", "lmcut"])
def test_admissible_ones_lead_to_optimal_plans(name: str) -> None:
    """A* finds a plan of the known cost."""
    assert bf.solve(towers(4), "astar", name, engine="python").cost == 3
    assert bf.solve(switches(4), "astar", name, engine="python").cost == 10


def test_a_goal_that_is_true_costs_nothing() -> None:
    """Also in a task without operators, and without a goal."""
    coin = [Variable("coin", ("heads", "tails"))]
    for goal in ([Fact(0, 0)], []):
        assert_twins(Task(coin, [], (0,), goal))
        assert all(reference(Task(coin, [], (0,), goal))((0,)) == 0 for reference in REFERENCES.values())
    assert all(reference(Task(coin, [], (0,), [Fact(0, 1)]))((0,)) == inf for reference in REFERENCES.values())


def doubling(count: int, cost: int = 1) -> Task:
    """Each fact needs two others of the level below: h_add doubles with each level."""
    variables = [Variable(f"{name} {level}", ("no", "yes")) for level in range(count + 1) for name in "ab"]
    operators = [
        Operator(
            f"{side} {level}", (Fact(2 * level, 1), Fact(2 * level + 1, 1)), (Effect(Fact(2 * level + 2 + side, 1)),), cost
        )
        for level in range(count)
        for side in range(2)
    ]
    goal = [Fact(2 * count, 1)]
    return Task(variables, operators, (1, 1, *(0,) * (2 * count)), goal)


def test_sums_of_costs_end_at_the_largest_estimate() -> None:
    """h_add grows exponentially, but a fact that can be reached is no dead end; FF counts each operator once."""
    task = doubling(40)
    assert HAdd(task)(task.initial) == COST_LIMIT - 1 == DEAD_END - 1
    assert FF(task)(task.initial) == 79
    assert_twins(task, [task.initial])


def test_costs_that_are_too_large_are_refused() -> None:
    """If a relaxed plan could cost as much as a dead end, an InputError says so."""
    for reference in REFERENCES.values():
        reference(doubling(3, COST_LIMIT // 5 - 1))
        with pytest.raises(InputError, match="divide all costs by a common divisor, or use the heuristic 'blind'"):
            reference(doubling(3, COST_LIMIT // 5 + 1))
    with pytest.raises(InputError, match="divide all costs by a common divisor, or use the heuristic 'blind'"):
        Evaluated(doubling(3, COST_LIMIT // 5 + 1), "hmax")


def test_lmcut_refuses_conditional_effects() -> None:
    """An InputError names the operator, and another heuristic."""
    flip = Operator("flip", (), (Effect(Fact(0, 1), (Fact(0, 0),)),))
    task = Task([Variable("coin", ("heads", "tails"))], [flip], (0,), [Fact(0, 1)])
    for make in (LandmarkCut, lambda one: Evaluated(one, "lmcut")):
        with pytest.raises(InputError, match="flip has conditional effects; use hmax"):
            make(task)


@pytest.mark.skipif(find_spec("up_fast_downward") is None, reason="up-fast-downward is not installed")
@examples(10)
@given(random_tasks(), st.data())
def test_hmax_and_hadd_are_those_of_fast_downward(task: Task, data: st.DataObject) -> None:
    """What it prints as the initial estimate of a task with a goal."""
    assume(task.goal)
    state = some_state(task, data)
    assert HMax(task)(state) == fast_downward(task, state, "hmax")
    assert HAdd(task)(state) == fast_downward(task, state, "add")


def fast_downward(task: Task, state: State, evaluator: str) -> float:
    """The initial estimate that Fast Downward prints."""
    package = find_spec("up_fast_downward")
    assert package is not None
    assert package.origin is not None
    program = Path(package.origin).parent / "downward" / "builds" / "release" / "bin" / "downward"
    command = [str(program), "--search", f"astar({evaluator}(),max_time=0)"]
    with TemporaryDirectory() as place:
        text = sas_text(task, state)
        run = subprocess.run(command, input=text, capture_output=True, text=True, check=False, cwd=place)
    found = re.search(r"Initial heuristic value for \w+: (\w+)", run.stdout)
    assert found is not None, run.stdout + run.stderr
    return inf if found[1] == "infinity" else int(found[1])


def sas_text(task: Task, state: State) -> str:
    """The task with another initial state, as the translator writes it."""
    lines: list[object] = ["begin_version", 3, "end_version", "begin_metric", 1, "end_metric", len(task.variables)]
    for variable in task.variables:
        lines += ["begin_variable", variable.name, -1, len(variable.facts), *variable.facts, "end_variable"]
    lines += [0, "begin_state", *state, "end_state", "begin_goal", len(task.goal)]
    lines += [f"{variable} {value}" for variable, value in task.goal]
    lines += ["end_goal", len(task.operators)]
    for operator in task.operators:
        lines += ["begin_operator", operator.name, len(operator.preconditions)]
        lines += [f"{variable} {value}" for variable, value in operator.preconditions]
        lines.append(len(operator.effects))
        for effect in operator.effects:
            conditions = [str(number) for fact in effect.conditions for number in fact]
            lines.append(
                " ".join([str(len(effect.conditions)), *conditions, f"{effect.fact.variable} -1 {effect.fact.value}"])
            )
        lines += [operator.cost, "end_operator"]
    return "\n".join(map(str, [*lines, 0, ""]))
