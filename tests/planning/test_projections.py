"""Projections: the abstract problems of planning tasks, and the databases of their distances."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.errors import InputError, VerificationError
from bestfirst.planning import Effect, Fact, Operator, Task, Variable
from bestfirst.planning.pattern_heuristic import tables_of
from bestfirst.planning.projections import Projection
from planning_tasks import switches, towers
from profiles import examples
from random_tasks import abstract_distances, states_of, tasks


def lamps(count: int, *, most: int = 1) -> Task:
    """One operator turns all lamps on, each if the next one is on; there are `most` ways in which a lamp is on."""
    variables = [Variable(f"lamp {number}", ("off", *(f"on {way}" for way in range(most)))) for number in range(count)]
    effects = tuple(Effect(Fact(one, 1), (Fact((one + 1) % count, 1),)) for one in range(count))
    return Task(variables, [Operator("all on", (), effects)], (0,) * count, [Fact(0, 1)])


@examples(20)
@given(st.sampled_from([0, 1, 3, 10**6]).flatmap(lambda most: tasks(most_cost=most)), st.data())
def test_each_entry_is_the_distance_in_the_projection(task: Task, data: st.DataObject) -> None:
    """Of conditional effects and costs of 0 too."""
    pattern = tuple(data.draw(st.lists(st.integers(0, len(task.variables) - 1), min_size=1, unique=True).map(sorted)))
    (table,) = tables_of(task, [pattern])
    truth = abstract_distances(task, pattern)
    for state in states_of(task):
        assert table.distance(state) == truth[tuple(state[variable] for variable in pattern)]


@examples(20)
@given(tasks())
def test_a_projection_has_the_images_of_the_transitions(task: Task) -> None:
    """Of equal ones the cheapest; those that change nothing in the pattern are missing."""
    projection = Projection(task, [0, 1])
    expected: dict[tuple[int, int], float] = {}
    for state in states_of(task):
        here = projection.abstract(state).number
        for _action, after, cost in task.successors(state):
            edge = here, projection.abstract(after).number
            if edge[0] != edge[1]:
                expected[edge] = min(cost, expected.get(edge, math.inf))
    found: dict[tuple[int, int], float] = {}
    for number in range(projection.size):
        for _action, there, abstract_cost in projection.successors(projection.State(number)):
            edge = number, there.number
            if edge[0] != edge[1]:
                found[edge] = min(abstract_cost, found.get(edge, math.inf))
    assert found == expected


def test_a_projection_is_searched_like_any_domain() -> None:
    """With equal costs in both engines, and readable states."""
    projection = Projection(towers(4), range(5))
    for engine in ("python", "compiled"):
        assert bf.solve(projection, "uniform-cost", engine=engine).cost == 3
    assert projection.format(projection.initial).startswith("block 0: on the table  block 1: on the table")
    assert bf.check(projection).ok


@pytest.mark.parametrize("cost", [0, 1, 200, 255, 10**9])
def test_costs_may_be_any_ints(cost: int) -> None:
    """A distance beyond 254 is in a table of four bytes for each."""
    task = Task(
        [Variable("v", ("a", "b", "c"))], [Operator("go", (Fact(0, 0),), (Effect(Fact(0, 1)),), cost)], (0,), [Fact(0, 1)]
    )
    (table,) = tables_of(task, [(0,)])
    assert [table.distance((value,)) for value in range(3)] == [cost, 0, math.inf]


@pytest.mark.parametrize("cost", [2**31, 2**64])
def test_a_distance_that_no_table_holds_is_refused(cost: int) -> None:
    """2**31 - 1 stands for a dead end."""
    task = Task([Variable("v", ("a", "b"))], [Operator("go", (), (Effect(Fact(0, 1)),), cost)], (0,), [Fact(0, 1)])
    with pytest.raises(InputError, match="smaller pattern"):
        tables_of(task, [(0,)])


def test_databases_are_stored_and_loaded(tmp_path: Path) -> None:
    """With the same entries as a table in memory; a database knows its levels."""
    task = towers(4)
    database = bf.PatternDatabase.build(task, [0, 1, 2, 4, 5], data=tmp_path)
    (table,) = tables_of(task, [(0, 1, 2, 4, 5)])
    assert np.array_equal(database.table, table.distances)
    assert database(task.initial) == table.distance(task.initial) == 3
    assert sum(database.header["levels"]) + database.header["unreachable"] == 5**3 * 2**2
    assert bf.PatternDatabase.load(task, [0, 1, 2, 4, 5], data=tmp_path) == database
    assert database.verify(samples=100) == 100
    wrong = replace(database, table=np.minimum(database.table, 1))
    with pytest.raises(VerificationError, match="the table is wrong"):
        wrong.verify()


def test_a_stored_database_refuses_distances_beyond_a_byte(tmp_path: Path) -> None:
    """Tables in memory have room for them."""
    task = Task([Variable("v", ("a", "b"))], [Operator("go", (), (Effect(Fact(0, 1)),), 255)], (0,), [Fact(0, 1)])
    assert tables_of(task, [(0,)])[0].distance(task.initial) == 255
    with pytest.raises(InputError, match="farther than 254"):
        bf.PatternDatabase.build(task, [0], data=tmp_path)


def test_databases_of_a_task_are_combined(tmp_path: Path) -> None:
    """The maximum of any, the sum of those that count no operator twice."""
    task = towers(3)
    one, other = (bf.PatternDatabase.build(task, [block], data=tmp_path) for block in (0, 1))
    assert bf.max_of(one, other).of(task)(task.initial) == 1
    assert bf.sum_of(one, other).of(task)(task.initial) == 2
    assert bf.solve(task, "astar", bf.sum_of(one, other), engine="python").cost == 2
    both = bf.PatternDatabase.build(task, [0, 1], data=tmp_path)
    with pytest.raises(InputError, match="both count"):
        bf.sum_of(one, both).of(task)
    with pytest.raises(InputError, match="does not belong"):
        bf.max_of(bf.PatternDatabase.build(switches(3), [0], data=tmp_path)).of(task)


def test_too_many_cases_of_conditional_effects_are_refused() -> None:
    """The conditions of one effect may hold in any combination; so many are not worked out."""
    assert tables_of(lamps(4), [(0, 1)])[0].distance((0, 0, 0, 1)) == 2
    with pytest.raises(InputError, match="'all on' have 531,441 cases"):
        lamps(12, most=2).project(range(12))


@pytest.mark.parametrize(
    ("pattern", "essential"),
    [
        ([], "empty"),
        ([0, 0], "repeated"),
        ([9], "unknown"),
        ([True], "unknown"),
        ("01", "pattern is '01'"),
        (3, "pattern is 3"),
    ],
)
def test_a_wrong_pattern_is_refused(pattern: object, essential: str) -> None:
    """With the variables of the task."""
    with pytest.raises(InputError, match=essential):
        switches(3).project(pattern)  # type: ignore[arg-type]


def test_a_projection_with_too_many_states_is_refused() -> None:
    """A state is numbered in 31 bits."""
    with pytest.raises(InputError, match="2,147,483,647"):
        switches(31).project(range(31))
