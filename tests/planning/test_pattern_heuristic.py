"""pdb:... as a heuristic of planning tasks."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.cli.running import run
from bestfirst.compiled.compiler.specialise import built, digest_of
from bestfirst.compiled.store.aliases import Array, Arrays
from bestfirst.compiled.tasks.evaluation import DEAD_END, evaluation_of
from bestfirst.compiled.tasks.heuristics.projections import evaluate
from bestfirst.errors import DatabaseError, InputError
from bestfirst.heuristics.naming import find_heuristic
from bestfirst.patterns import Policy, database_policy
from bestfirst.patterns.building.progress import Progress
from bestfirst.planning import Effect, Fact, Operator, Task, Variable
from planning_tasks import switches, towers
from profiles import examples
from random_tasks import abstract_distances, states_of, tasks
from translated import needs_translator, translated

FILES = Path(__file__).parent.parent.parent / "examples" / "planning"
FAST_DOWNWARD = {
    "blocks": ((8, 25, 85), (8, 26, 89)),
    "depots": ((12, 27, 88), (10, 73, 264)),
    "gripper": ((15, 16, 73), (6, 645, 2420)),
    "logistics": ((15, 16, 93), (15, 32, 191)),
    "sokoban": ((1, 160, 448), (2, 67, 196)),
    "tiles": ((10, 152, 407), (14, 68, 184)),
}
"""What `downward --search "astar(pdb(greedy()))"` and `"astar(cpdbs(systematic(2)))"` print of the tasks in examples/planning: the
estimate for the start, and the nodes expanded and generated. It is the program of up-fast-downward 1.0.0."""


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test finds databases of another one."""
    monkeypatch.setenv("BESTFIRST_DATA", str(tmp_path))


@examples(20)
@given(tasks(), st.data())
def test_estimates_are_admissible_and_consistent(task: Task, data: st.DataObject) -> None:
    """In all states, for any patterns: infinite only at dead ends."""
    variables = st.integers(0, len(task.variables) - 1)
    some = st.lists(st.lists(variables, min_size=1, max_size=2, unique=True), min_size=1, max_size=3)
    name = "pdb:" + ",".join("-".join(map(str, one)) for one in data.draw(some))
    heuristic = find_heuristic(task, name)
    assert heuristic.admissible and heuristic.consistent
    true = abstract_distances(task, range(len(task.variables)))
    for state in states_of(task):
        assert heuristic(state) <= true[state]
        for _action, after, cost in task.successors(state):
            assert heuristic(state) <= cost + heuristic(after)


def estimates(states: Array, tables: Arrays, scratch: Arrays, found: Array) -> None:
    """A kernel that evaluates states."""
    for number in range(len(found)):
        found[number] = evaluate(states[number], tables, scratch)


@examples(15)
@given(tasks(most_cost=400), st.sampled_from(["pdb:auto", "pdb:systematic-2", "pdb:0,1,0-1"]))
def test_compiled_estimates_are_the_same(task: Task, name: str) -> None:
    """In all states; entries may have one byte or four."""
    evaluation = evaluation_of(name)
    parts = (*evaluation.parts, evaluation.evaluate)
    kernel = built(estimates, dict, f"estimates_{digest_of(estimates, parts, {})}", parts, "a test")
    states = states_of(task)
    found = np.zeros(len(states), np.int64)
    kernel(
        np.array([(*state, 0) for state in states], np.int32), evaluation.tables(task), evaluation.new_scratch(task), found
    )
    heuristic = find_heuristic(task, name)
    assert [math.inf if value == DEAD_END else value for value in found] == [heuristic(state) for state in states]


@examples(15)
@given(tasks(), st.sampled_from(["pdb", "pdb:auto", "pdb:systematic-2"]))
def test_searches_with_them_are_optimal(task: Task, name: str) -> None:
    """A* finds the cost that uniform-cost search finds."""
    solution = bf.solve(task, "astar", name, engine="python")
    assert solution.cost == bf.solve(task, "uniform-cost", engine="python").cost


def test_a_pattern_of_all_variables_is_perfect() -> None:
    """pdb stands for pdb:auto, whose pattern has all variables of a small task."""
    task = towers(4)
    heuristic = find_heuristic(task, "pdb")
    true = abstract_distances(task, range(8))
    assert heuristic.name == "pdb:auto"
    assert all(heuristic(state) == true[state] for state in states_of(task)[::7])


def test_distances_are_added_or_the_largest_is_taken() -> None:
    """Of pdb:0,1 the sum, since no move changes the places of two blocks; of pdb:0-1,1-2 the maximum."""
    task = towers(4)
    assert find_heuristic(task, "pdb:0,1,2")(task.initial) == 3
    assert find_heuristic(task, "pdb:0-1,1-2")(task.initial) == 2


def test_an_audit_confirms_what_is_declared() -> None:
    """Over the whole space of a small task."""
    for name in ("pdb:auto", "pdb:systematic-2", "pdb:1,0-4"):
        found = bf.audit(towers(3), name)
        assert found.exhaustive and found.admissible and found.consistent


def test_dead_ends_are_infinite() -> None:
    """A state from which the projection has no path to the goal has no path in the task either."""
    task = switches(3)
    broken = Task(task.variables, task.operators[:1], task.initial, task.goal)
    assert find_heuristic(broken, "pdb:auto")(broken.initial) == math.inf
    assert bf.solve(broken, "astar", "pdb:auto", engine="python").status == "unsolvable"


def test_building_can_be_forbidden_or_has_too_little_room() -> None:
    """The message names the pattern."""
    with database_policy(Policy(may_build=False)), pytest.raises(DatabaseError, match="of 0-2 does not exist"):
        find_heuristic(switches(3), "pdb:0-2")
    with (
        database_policy(Policy(memory=50)),
        pytest.raises(DatabaseError, match=r"of 0-2-4 takes 96 bytes of memory .* the limit is 50 bytes"),
    ):
        find_heuristic(switches(5), "pdb:0-2-4")


def test_a_stored_database_is_used() -> None:
    """Even if building is forbidden."""
    task = switches(5)
    bf.PatternDatabase.build(task, [0, 2, 4])
    with database_policy(Policy(may_build=False)):
        assert find_heuristic(task, "pdb:0-2-4")(task.initial) == 1 + 3 + 5


def test_tables_in_memory_need_no_directory(tmp_path: Path) -> None:
    """A file in the place of the directory of the databases is no obstacle."""
    (tmp_path / "file").write_text("")
    with database_policy(Policy(data=tmp_path / "file")):
        assert find_heuristic(switches(4), "pdb:0,1")(switches(4).initial) == 1 + 2


def test_a_build_can_be_stopped() -> None:
    """Ctrl-C and time limits come through the progress of the policy; then nothing is kept."""
    calls = []

    def stop(progress: Progress) -> None:
        calls.append(progress.part)
        raise KeyboardInterrupt

    task = switches(17)
    with database_policy(Policy(progress=stop)), pytest.raises(KeyboardInterrupt):
        find_heuristic(task, "pdb:auto")
    assert calls == [0.25]
    with pytest.raises(InputError, match="was not ready within the limit"):
        bf.solve(task, "astar", "pdb:auto", limits=bf.Limits(seconds=1e-9), engine="python")


@needs_translator
@pytest.mark.parametrize("name", FAST_DOWNWARD)
def test_estimates_and_counts_are_those_of_fast_downward(name: str) -> None:
    """It also counts the goal as expanded, and does not count the start as generated."""
    task = translated(FILES / name / "domain.pddl", FILES / name / "problem.pddl")
    for heuristic, expected in zip(("pdb:auto", "pdb:systematic-2"), FAST_DOWNWARD[name], strict=True):
        stats = bf.solve(task, "astar", heuristic, engine="python").stats
        assert (find_heuristic(task, heuristic)(task.initial), stats.expanded + 1, stats.generated - 1) == expected


@needs_translator
def test_databases_are_built_on_the_command_line(capfd: pytest.CaptureFixture[str]) -> None:
    """For any problem of a domain, by the names that a search takes."""
    files = [str(FILES / "ferry" / f"{name}.pddl") for name in ("domain", "problem")]
    assert run(["pdb", "build", "pddl", *files, "--pattern", "1-3,2"]) == 0
    assert "8 entries" in capfd.readouterr().out
    assert run(["solve", "pddl", *files, "-H", "pdb:1-3,2", "--no-build", "--engine", "python"]) == 0
    assert "optimal" in capfd.readouterr().out
    assert run(["pdb", "build", "pddl", "--pattern", "auto"]) == 2
    assert "DOMAIN.pddl PROBLEM.pddl" in capfd.readouterr().err


@pytest.mark.parametrize("name", ["pdb", "pdb:systematic-2", "pdb:0"])
def test_a_task_without_variables_has_none(name: str) -> None:
    """The error says what to use instead."""
    with pytest.raises(bf.InputError, match="the task has no variables"):
        bf.solve(Task([], [], (), []), "astar", name)


def test_an_unknown_name_is_answered_with_theirs() -> None:
    """Among the choices of an error is pdb:auto."""
    with pytest.raises(bf.InputError, match=r"choose from: .*pdb:auto"):
        bf.solve(switches(2), "astar", "nope")


def test_a_distance_that_does_not_fit_into_31_bits_is_refused() -> None:
    """The error names a heuristic that takes any costs."""

    def one_step(cost: int) -> Task:
        step = Operator("go", (Fact(0, 0),), (Effect(Fact(0, 1)),), cost)
        return Task([Variable("x", ("no", "yes"))], [step], (0,), [Fact(0, 1)])

    assert bf.solve(one_step(2**31 - 2), "astar", "pdb:auto", engine="python").cost == 2**31 - 2
    with pytest.raises(InputError, match=r"an abstract distance is 2,147,483,647 or more; .* or use the heuristic 'blind'"):
        bf.solve(one_step(2**31 - 1), "astar", "pdb:auto", engine="python")
    assert bf.solve(one_step(2**31 - 1), "astar", "blind", engine="python").status == "optimal"
