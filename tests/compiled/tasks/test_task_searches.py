"""Compiled searches of planning tasks are the reference engine's, node for node."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.planning import Effect, Fact, Operator, Task, Variable
from bestfirst.planning.heuristics.landmark_cut import LandmarkCut
from planning_tasks import random_tasks, switches, towers
from profiles import examples
from twins import assert_twins

SEARCHES: list[tuple[str, str | None, dict[str, Any]]] = [
    ("astar", "blind", {}),
    ("astar", "goal-count", {}),
    ("astar", "goal-count", {"ties": "lifo"}),
    ("uniform-cost", None, {}),
    ("greedy", "goal-count", {}),
    ("weighted-astar", "goal-count", {"weight": 3}),
    ("weighted-astar", "goal-count", {"weight": 1.7}),
]


def wide(variables: int, cost: int = 1) -> Task:
    """A task with states of several words: each variable is set to a value that needs the one before."""
    size = 200
    return Task(
        [Variable(f"v{number}", tuple(map(str, range(size)))) for number in range(variables)],
        [
            Operator(
                f"set {number} {value}", ((Fact(number - 1, value),) if number else ()), (Effect(Fact(number, value)),), cost
            )
            for number in range(variables)
            for value in (1, size - 1)
        ],
        (0,) * variables,
        [Fact(variables - 1, size - 1), Fact(0, 1)],
    )


@pytest.mark.parametrize(("algorithm", "heuristic", "options"), SEARCHES)
@pytest.mark.parametrize("expansions", [0, 1, 30, None])
def test_the_engines_agree_at_every_limit(
    algorithm: str, heuristic: str | None, options: dict[str, Any], expansions: int | None
) -> None:
    """Counts, bounds and plans are equal, stopped or not."""
    assert_twins(towers(4), algorithm, heuristic, expansions=expansions, **options)


@examples(30)
@given(
    task=st.one_of(random_tasks(), random_tasks(most_cost=1 << 24)),
    search=st.sampled_from(SEARCHES),
    expansions=st.none() | st.integers(0, 20),
)
def test_the_engines_agree_on_random_tasks(
    task: Task, search: tuple[str, str | None, dict[str, Any]], expansions: int | None
) -> None:
    """With conditional effects, operators that cost nothing, large costs, and goals that cannot be reached."""
    algorithm, heuristic, options = search
    assert_twins(task, algorithm, heuristic, expansions=expansions, **options)


def test_states_can_have_many_words() -> None:
    """A state of 20 variables with 200 values has three words; the nodes outgrow the first arrays."""
    solution = assert_twins(wide(20), "uniform-cost", expansions=1_000)
    assert solution.stats.generated > 4_096
    assert_twins(wide(4), "astar", "goal-count")


def test_each_cost_can_have_a_bucket() -> None:
    """More different costs than the first agenda has buckets."""
    assert_twins(switches(12), "uniform-cost")
    task = towers(5)
    costly = Task(
        task.variables,
        [
            Operator(one.name, one.preconditions, one.effects, 1 + 7919 * number % 10_007)
            for number, one in enumerate(task.operators)
        ],
        task.initial,
        task.goal,
    )
    assert_twins(costly, "uniform-cost")


def test_costs_beyond_the_words_of_nodes_are_an_error() -> None:
    """The compiled engine says so; without an engine named, the reference engine searches on."""
    for cost in (1 << 30, 1 << 70):
        task = wide(3, cost=cost)
        with pytest.raises(bf.InputError, match="a path costs more than 2,147,483,646"):
            bf.solve(task, "uniform-cost", engine="compiled")
        solution = bf.solve(task, "uniform-cost")
        assert (solution.engine, solution.cost) == ("python", 4 * cost)


def test_a_task_is_searched_by_compiled_code_from_the_start() -> None:
    """Where the code is on disk, even a small search runs in it, since heuristics in Python can take long."""
    bf.solve(towers(3), "astar", "blind", engine="compiled")
    assert bf.solve(towers(3), "astar", "blind").engine == "compiled"


def test_a_search_in_compiled_code_makes_no_estimates_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither of the start nor along the plan: for a small search, these would take most of the time."""
    bf.solve(towers(3), "astar", "lmcut", engine="compiled")
    monkeypatch.setattr(LandmarkCut, "__call__", None)
    for engine in ("compiled", None):
        solution = bf.solve(towers(4), "astar", "lmcut", engine=engine)
        assert (solution.engine, solution.cost, solution.lower_bound) == ("compiled", 3, 3)
    stopped = bf.solve(towers(4), "astar", "lmcut", engine="compiled", limits=bf.Limits(expansions=0))
    assert stopped.lower_bound == 3


def test_estimates_too_large_for_the_words_of_nodes_are_an_error() -> None:
    """The compiled engine says so; without an engine named, the reference engine searches on."""
    for cost in ((1 << 31) - 1, 1 << 40):
        with pytest.raises(bf.InputError, match="the cheapest operator costs more than 2,147,483,646"):
            bf.solve(wide(2, cost=cost), "astar", "blind", engine="compiled")
        assert bf.solve(wide(2, cost=cost), "astar", "blind").engine == "python"
        with pytest.raises(bf.InputError, match="costs of the operators are too large"):
            bf.solve(wide(2, cost=cost), "astar", "lmcut", engine="compiled")


@pytest.mark.parametrize(
    ("arguments", "engines", "reason"),
    [
        (("astar", "lmcut"), ["reference", "compiled"], "runs the same search faster"),
        (("astar", towers(3).heuristics()["blind"]), ["reference"], "not given by a name that pddl offers"),
        (("astar", "max(blind, hmax)"), ["reference"], "the heuristic max"),
        (("beam", "hadd"), ["reference"], "beam has no compiled version for tasks"),
    ],
)
def test_a_plan_names_the_engines_that_can_run_a_search(arguments: Any, engines: list[str], reason: str) -> None:
    """Whatever is compiled already: the reference engine begins only if nothing is."""
    plan = bf.plan(towers(3), *arguments)
    assert [stage.engine for stage in plan.stages] == engines
    assert reason in plan.why["engine"]
    ending = "for 2,000 expansions, unless the next stage is compiled already" if len(engines) == 2 else "to the end"
    assert str(plan.stages[0]).endswith(ending)


@examples(15)
@given(task=random_tasks(), algorithm=st.sampled_from(["astar", "greedy"]))
def test_the_engines_agree_with_the_heuristics_that_tasks_search_with_by_default(task: Task, algorithm: str) -> None:
    """LM-cut, or hmax where effects have conditions."""
    assert_twins(task, algorithm, task.default_heuristic)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"algorithm": "beam"}, "beam has no compiled version for tasks"),
        ({"algorithm": "astar", "heuristic": "max(blind, goal-count)"}, "the heuristic max"),
        ({"algorithm": "astar", "heuristic": "blind", "threads": 2}, "have one thread"),
    ],
)
def test_searches_without_compiled_code_are_refused(arguments: dict[str, Any], message: str) -> None:
    """The error says what is missing."""
    with pytest.raises(bf.InputError, match=message):
        bf.solve(towers(3), engine="compiled", **arguments)


def test_a_search_goes_on_where_it_stopped() -> None:
    """A limit loses nothing."""
    task = towers(4)
    search = bf.Search(task, "astar", "blind", engine="compiled")
    search.run(limits=bf.Limits(expansions=10))
    whole = bf.solve(task, "astar", "blind", engine="compiled")
    assert search.run().stats.generated == whole.stats.generated


def test_a_search_of_a_task_cannot_be_saved(tmp_path: Any) -> None:
    """The error says what to do instead."""
    search = bf.Search(towers(4), "astar", "blind")
    with pytest.raises(bf.InputError, match="cannot be saved"):
        search.save(tmp_path / "search")


def test_limits_on_memory_and_time_stop_a_search() -> None:
    """The search stops with what it has."""
    stopped = bf.solve(towers(11), "uniform-cost", engine="compiled", limits=bf.Limits(memory=30_000_000, seconds=20))
    assert stopped.limit == "memory"
    assert bf.solve(towers(11), "uniform-cost", engine="compiled", limits=bf.Limits(seconds=0.2)).limit == "seconds"


PROGRAM = """
import bestfirst as bf
from planning_tasks import towers
print("ready", flush=True)
print(bf.solve(towers(11), "uniform-cost", engine="compiled").status)
"""


def test_ctrl_c_stops_a_search() -> None:
    """The solution says that it was interrupted."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            process.wait(1.5)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        assert process.stdout.read().strip() == "interrupted"


def test_a_heuristic_of_a_subclass_is_not_taken_for_the_one_of_tasks() -> None:
    """The reference engine runs it, and so does the search that names no engine."""

    class Own(Task):
        def heuristics(self) -> dict[str, bf.Heuristic]:
            return {"blind": bf.Heuristic(lambda _state: 7, "blind")}

        def heuristic_named(self, name: str) -> bf.Heuristic | None:
            return bf.Heuristic(lambda _state: 9, name) if name == "pdb:mine" else None

    task = Own(towers(4).variables, towers(4).operators, towers(4).initial, towers(4).goal)
    for name in ("blind", "pdb:mine"):
        unnamed, reference = (bf.solve(task, "astar", name, engine=engine) for engine in (None, "python"))
        assert (unnamed.engine, unnamed.stats.expanded) == ("python", reference.stats.expanded)
        with pytest.raises(bf.InputError, match=f"a heuristic {name} of its own"):
            bf.solve(task, "astar", name, engine="compiled")
