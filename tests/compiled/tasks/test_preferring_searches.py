"""Compiled lazy searches of tasks, and greedy search with preferred operators: twins of the reference engine."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.compiled.tasks.driver import TaskSearch
from bestfirst.compiled.tasks.preferring_driver import LazyAnytime, LazyGreedy, greedy
from bestfirst.errors import NotCompilableError
from bestfirst.planning import Effect, Fact, Operator, Task, Variable
from planning_tasks import random_tasks, switches, towers
from profiles import examples
from twins import assert_twins

DRIVERS: dict[str, Any] = {"lazy-greedy": LazyGreedy, "lazy-anytime": LazyAnytime, "greedy": greedy}
SEARCHES: list[tuple[str, dict[str, Any]]] = [
    ("lazy-greedy", {}),
    ("lazy-greedy", {"preferred": False}),
    ("lazy-anytime", {}),
    ("lazy-anytime", {"weights": (2.5, 1), "preferred": False}),
    ("greedy", {"preferred": True}),
]


def compiled(task: Task, algorithm: str, heuristic: str, *runs: int | None, **options: Any) -> TaskSearch:
    """A search of the compiled engine, after runs with these limits on expansions."""
    search: TaskSearch = DRIVERS[algorithm](task, heuristic, **options)
    for expansions in runs:
        search.run(bf.Limits(expansions=expansions), None)
    return search


def assert_same(task: Task, algorithm: str, heuristic: str, expansions: int | None, **options: Any) -> TaskSearch:
    """Both engines agree in counts, path, bound and history."""
    search = compiled(task, algorithm, heuristic, expansions, **options)
    limits = bf.Limits(expansions=expansions)
    reference = bf.solve(task, algorithm, heuristic, engine="python", limits=limits, **options)
    assert replace(search.stats, seconds=0) == replace(reference.stats, seconds=0)
    nodes = search.goal.path() if search.goal else []
    assert [node.action for node in nodes[1:]] == reference.actions
    assert [node.state for node in nodes] == reference.states
    assert (nodes[-1].g if nodes else None) == reference.cost
    assert search.ended == (reference.status != "limit" or reference.limit == "upper_bound")
    told = [(row.expanded, row.cost) for row in search.history]
    assert told == [(row.expanded, row.cost) for row in reference.history][: len(told)]
    if reference.status in ("optimal", "unsolvable"):
        assert search.proved == reference.lower_bound
    return search


@pytest.mark.parametrize(("algorithm", "options"), SEARCHES)
@examples(10)
@given(task=random_tasks(), expansions=st.one_of(st.none(), st.integers(0, 40)))
def test_the_engines_agree_on_random_tasks(
    algorithm: str, options: dict[str, Any], task: Task, expansions: int | None
) -> None:
    """With costs of 0, conditional effects and dead ends, at every limit."""
    assert_same(task, algorithm, "ff", expansions, **options)


def test_a_heuristic_from_pattern_databases_gives_a_bound() -> None:
    """Lazy anytime search needs to know whether it is admissible."""
    assert assert_same(towers(4), "lazy-anytime", "pdb:0-1", None, preferred=False).proved == 3


@pytest.mark.parametrize(("algorithm", "options"), SEARCHES)
def test_solutions_agree(algorithm: str, options: dict[str, Any]) -> None:
    """The engines agree in all that a solution says, and the compiled one runs by default once it is ready."""
    for task in (towers(4), switches(4)):
        for expansions in (0, 3, 500):
            assert_twins(task, algorithm, "ff", expansions=expansions, **options)
    plan = bf.plan(towers(4), algorithm, "ff", **options)
    assert [stage.engine for stage in plan.stages] == ["reference", "compiled"]


@examples(15)
@given(task=random_tasks(), expansions=st.one_of(st.none(), st.integers(0, 40)))
def test_an_admissible_heuristic_prunes_in_both_engines(task: Task, expansions: int | None) -> None:
    assert_same(task, "lazy-anytime", "hmax", expansions)


@examples(15)
@given(task=random_tasks())
def test_operators_of_one_name_are_preferred_together(task: Task) -> None:
    """A preferred action is a name, which several operators can share."""
    shared = [replace(operator, name=f"act {number % 2}") for number, operator in enumerate(task.operators)]
    same = Task(task.variables, shared, task.initial, task.goal)
    for algorithm, options in SEARCHES:
        if algorithm != "lazy-anytime":
            assert_same(same, algorithm, "ff", None, **options)


@pytest.mark.parametrize(("algorithm", "options"), SEARCHES)
def test_a_search_goes_on_where_it_stopped(algorithm: str, options: dict[str, Any]) -> None:
    """In slices it is the same search as in one go."""
    once = compiled(towers(4), algorithm, "ff", 3000, **options)
    slices = compiled(towers(4), algorithm, "ff", *[7] * 20, 3000 - 7 * 20, **options)
    assert replace(slices.stats, seconds=0) == replace(once.stats, seconds=0)
    assert slices.goal is not None and once.goal is not None
    assert [node.action for node in slices.goal.path()] == [node.action for node in once.goal.path()]


def rebuilt(*order: int) -> Task:
    """One tower of these blocks, from the bottom to the top, to be built again in the order of towers()."""
    count = len(order)
    task = towers(count)
    below = {block: under for under, block in pairwise((count, *order))}
    initial = (*(below[block] for block in range(count)), *(int(block == order[-1]) for block in range(count)))
    return Task(task.variables, task.operators, initial, task.goal)


def test_arrays_grow_during_a_search() -> None:
    """More nodes, entries and children than there is room for at first: the search stays that of the reference engine."""
    assert assert_same(rebuilt(5, 3, 4, 1, 2, 0), "lazy-anytime", "ff", 2000).stats.generated > 1 << 13
    search = compiled(rebuilt(5, 3, 4, 1, 2, 0), "lazy-anytime", "ff", None, weights=[1])
    assert search.goal is not None and search.ended
    assert search.stats.expanded > 1 << 12
    assert search.goal.g == search.proved == bf.solve(rebuilt(5, 3, 4, 1, 2, 0), "astar", "hmax", engine="python").cost


@pytest.mark.parametrize("upper_bound", [5, 6, 6.5, 7, 2**62 + 1, 1e20, 10**400])
def test_a_cost_to_beat(upper_bound: float) -> None:
    """Both engines prove that nothing is cheaper, or find what is."""
    assert bf.solve(switches(3), "astar", "hmax", engine="python").cost == 6
    search = assert_same(switches(3), "lazy-anytime", "ff", None, upper_bound=upper_bound)
    assert (search.goal is None) == (upper_bound <= 6)
    assert search.gave_up == (None if upper_bound > 6 else "upper_bound")


@pytest.mark.parametrize("cost", [2**31, 2**63, 2**70])
def test_a_cost_to_beat_beyond_what_can_be_added(cost: int) -> None:
    """The compiled engine cannot tell which of two such costs is greater, and says so; an operator in no plan does no harm."""
    near = Operator("near", (Fact(0, 0),), (Effect(Fact(0, 1)),), 1)
    far = Operator("far", (Fact(0, 0),), (Effect(Fact(0, 2)),), cost)
    task = Task([Variable("x", ("start", "end", "elsewhere"))], [near, far], (0,), [Fact(0, 1)])
    assert compiled(task, "lazy-anytime", "goal-count", None).goal is not None
    with pytest.raises(NotCompilableError, match="a path costs more"):
        compiled(task, "lazy-anytime", "goal-count", None, upper_bound=cost)
    idle = [near, Operator("idle", (Fact(0, 0),), (Effect(Fact(0, 0)),), cost)]
    assert_same(Task(task.variables, idle, (0,), task.goal), "lazy-greedy", "ff", None)


def test_a_known_solution() -> None:
    """Both engines start with it and improve it."""
    known = bf.solve(towers(4), "lazy-greedy", "ff", engine="python", preferred=False)
    search = assert_same(towers(4), "lazy-anytime", "ff", 5000, incumbent=known)
    assert search.history[0].cost == known.cost


def test_ties() -> None:
    """Last in, first out, in both engines."""
    one, other = (
        assert_same(rebuilt(5, 3, 4, 1, 2, 0), "greedy", "ff", None, preferred=True, ties=ties) for ties in ("fifo", "lifo")
    )
    assert one.stats.expanded != other.stats.expanded


def test_what_cannot_be_searched() -> None:
    """A heuristic without preferred operators; a weight whose products are not exact."""
    with pytest.raises(bf.InputError, match="no preferred actions"):
        compiled(towers(3), "greedy", "hmax", preferred=True)
    with pytest.raises(NotCompilableError, match="use at most"):
        compiled(towers(3), "lazy-anytime", "ff", weights=[2**30, 1])


def test_a_limit_on_memory() -> None:
    """A search that would need more stops before it takes it, and says so."""
    search: TaskSearch = LazyAnytime(rebuilt(5, 3, 4, 1, 2, 0), "ff", weights=[1])
    search.run(bf.Limits(memory="1MiB"), None)
    assert (search.stopped, search.ended) == ("memory", False)
