"""Compiled IDA* on planning tasks is the reference engine's, node for node."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.planning import Effect, Fact, Operator, Task, Variable
from planning_tasks import random_tasks, switches, towers
from profiles import examples
from twins import assert_twins

ORDERS = ("given", "f")


@examples(30)
@given(
    task=random_tasks(),
    heuristic=st.sampled_from(["blind", "goal-count"]),
    order=st.sampled_from(ORDERS),
    expansions=st.none() | st.integers(0, 30),
)
def test_the_engines_agree_on_random_tasks(task: Task, heuristic: str, order: Any, expansions: int | None) -> None:
    """With operators that cost nothing, conditional effects, and goals that cannot be reached, iteration by iteration."""
    limit = 2_000 if expansions is None else expansions
    assert_twins(task, "idastar", heuristic, expansions=limit, order=order)


@examples(15)
@given(task=random_tasks(), expansions=st.integers(0, 200))
def test_the_engines_agree_with_the_heuristics_that_tasks_search_with_by_default(task: Task, expansions: int) -> None:
    """LM-cut, whose f falls along some edges, or hmax where effects have conditions."""
    assert_twins(task, "idastar", task.default_heuristic, expansions=expansions)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("expansions", [0, 1, 2, 17, None])
def test_the_engines_agree_at_every_limit(order: Any, expansions: int | None) -> None:
    """Counts, bounds and plans are equal, stopped or not."""
    assert_twins(towers(4), "idastar", "goal-count", expansions=expansions, order=order)
    assert_twins(switches(6), "idastar", "blind", expansions=expansions, order=order)


@pytest.mark.parametrize("order", ORDERS)
def test_a_search_goes_on_where_it_stopped(order: Any) -> None:
    """In slices it is the same search as in one go, and its iterations too."""
    whole = bf.solve(towers(4), "idastar", "blind", engine="compiled", order=order)
    search = bf.Search(towers(4), "idastar", "blind", engine="compiled", order=order)
    solution = search.run(limits=bf.Limits(expansions=3))
    while solution.limit == "expansions":
        solution = search.run(limits=bf.Limits(expansions=7))
    solution.stats.seconds = whole.stats.seconds
    assert (solution.stats, solution.actions, solution.cost) == (whole.stats, whole.actions, whole.cost)
    assert len(whole.stats.iterations) == 3


def counter(length: int, *, goal: int) -> Task:
    """A counter that goes up at no cost, and down at a cost of 1."""
    variable = Variable("counter", tuple(map(str, range(length))))
    steps = [(value, value + 1, 0) for value in range(length - 1)] + [(value + 1, value, 1) for value in range(length - 1)]
    operators = [
        Operator(f"from {one} to {other}", (Fact(0, one),), (Effect(Fact(0, other)),), cost) for one, other, cost in steps
    ]
    return Task([variable], operators, (0,), [Fact(0, goal)])


@pytest.mark.parametrize("order", ORDERS)
def test_long_paths_and_many_untried_operators_have_room(order: Any) -> None:
    """The arrays grow: 400 nodes on the path, and more than 1,024 operators untried."""
    assert assert_twins(counter(400, goal=399), "idastar", "goal-count", order=order).stats.peak_agenda == 399
    assert_twins(towers(9), "idastar", "goal-count", order=order, expansions=60)


def test_a_task_without_solution_is_proved_to_have_none() -> None:
    """Once no cut path has only new states; also where the start is a dead end."""
    task = counter(5, goal=4)
    none = Task(task.variables, [one for one in task.operators if "to 4" not in one.name], (0,), task.goal)
    for heuristic in ("blind", "hmax"):
        assert assert_twins(none, "idastar", heuristic).status == "unsolvable"


def test_a_start_that_is_a_goal_ends_the_search() -> None:
    """With one iteration, in which nothing is expanded."""
    solution = assert_twins(counter(5, goal=0), "idastar", "blind")
    assert (solution.cost, [row.expanded for row in solution.stats.iterations]) == (0, [0])


def test_pruning_is_left_to_the_reference_engine() -> None:
    """The compiled engine says so, and unasked the search stays in the other."""
    with pytest.raises(bf.InputError, match="the option prune"):
        bf.solve(towers(3), "idastar", "blind", engine="compiled", prune=3)
    assert bf.solve(towers(3), "idastar", "blind", prune=3).engine == "python"


def test_costs_beyond_the_words_of_nodes_are_an_error() -> None:
    """The compiled engine says so; without an engine named, the reference engine searches on."""
    task = counter(5, goal=4)
    costly = Task(
        task.variables,
        [Operator(one.name, one.preconditions, one.effects, 1 << 30) for one in task.operators],
        (0,),
        task.goal,
    )
    with pytest.raises(bf.InputError, match="a path costs more than 2,147,483,646"):
        bf.solve(costly, "idastar", "blind", engine="compiled")
    solution = bf.solve(costly, "idastar", "blind")
    assert (solution.engine, solution.cost) == ("python", 4 << 30)


def test_a_limit_on_memory() -> None:
    """A path that would need more memory stops the search."""
    stopped = bf.solve(
        counter(6_000, goal=5_999), "idastar", "goal-count", engine="compiled", limits=bf.Limits(memory=1 << 10)
    )
    assert stopped.limit == "memory"
