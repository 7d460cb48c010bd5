"""The job shop: optimal schedules, the bound, what a file may contain, and results."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.models import JobShop
from profiles import examples
from twins import assert_twins

INSTANCES = Path(__file__).parents[2] / "examples" / "instances"
FILE = "# two jobs\n2 2\n0 3 1 2\n1 4 0 1\n"
LIBRARY = """ These are test problems.
 instance one
 ++++++++++
 Somebody 2x1
 2 1
 0 3
 0 4
 ++++++++++
 instance two

 ++++++++++
 1 1
 0 5
 ++++++++++
"""

Jobs = list[list[tuple[int, int]]]


@st.composite
def shops(draw: Any) -> Jobs:
    """Up to three jobs, each on some of three machines in some order."""
    times = st.integers(0, 6)
    orders = st.lists(st.permutations(range(3)).map(lambda order: order[: draw(st.integers(0, 3))]), min_size=1, max_size=3)
    return [[(machine, draw(times)) for machine in order] for order in draw(orders)]


def least_makespan(jobs: Jobs) -> int:
    """The best makespan, by fixing the next operation of any job, as early as possible, in all orders."""

    def best(done: tuple[int, ...], ready: tuple[int, ...], free: tuple[int, ...]) -> int:
        ends = []
        for number, job in enumerate(jobs):
            if done[number] < len(job):
                machine, time = job[done[number]]
                end = max(ready[number], free[machine]) + time
                ends.append(
                    best(
                        (*done[:number], done[number] + 1, *done[number + 1 :]),
                        (*ready[:number], end, *ready[number + 1 :]),
                        (*free[:machine], end, *free[machine + 1 :]),
                    )
                )
        return min(ends) if ends else max(ready)

    nothing = (0,) * len(jobs)
    return best(nothing, nothing, (0, 0, 0))


@given(shops())
@examples(30)
def test_a_schedule_is_optimal_and_possible(jobs: Jobs) -> None:
    """The makespan is the least one; operations of a job, or on a machine, do not overlap."""
    problem = JobShop(jobs)
    solution = bf.solve(problem, engine="python")
    schedule = problem.schedule(solution)
    assert solution.status == "optimal"
    assert solution.cost == schedule.makespan == least_makespan(jobs)
    assert [(one.machine, one.end - one.start) for one in schedule.operations] == [one for job in jobs for one in job]
    for one, other in combinations(schedule.operations, 2):
        if one.job == other.job or one.machine == other.machine:
            assert one.end <= other.start or other.end <= one.start


@given(shops())
@examples(20)
def test_the_heuristic_keeps_its_promises(jobs: Jobs) -> None:
    """No estimate exceeds the true cost, nor the cost of an action plus the estimate after it."""
    audit = bf.audit(JobShop(jobs), "one-machine")
    assert audit.admissible and audit.consistent, audit


@given(shops())
@examples(8)
def test_both_engines_run_the_same_search(jobs: Jobs) -> None:
    """One compilation serves all small shops."""
    assert_twins(JobShop(jobs), "depth-first-branch-and-bound", "one-machine")


def test_a_published_instance_has_its_published_optimum() -> None:
    """ft06 takes 55 time units (Fisher & Thompson 1963), and that is proved."""
    problem = JobShop.from_file(INSTANCES / "ft06.txt")
    solution = bf.solve(problem, engine="python")
    assert (solution.status, solution.cost, problem.schedule(solution).makespan) == ("optimal", 55, 55)


def test_check_finds_no_fault() -> None:
    """The methods compile, and pictures are sound."""
    report = bf.check(JobShop.from_file(INSTANCES / "ft06.txt"), states=50)
    assert report.ok and report.compiled, report


def test_a_schedule_names_jobs_and_machines(tmp_path: Path) -> None:
    """It can be written as CSV and drawn; a list of actions has a schedule, too."""
    problem = JobShop([[(0, 3), (1, 2)], [(0, 2)]], names=["table", "chair"], machines=["saw", "drill"])
    best = problem.schedule(bf.solve(problem, engine="python"))
    assert best.makespan == 5
    best.to_csv(tmp_path / "schedule.csv")
    assert (tmp_path / "schedule.csv").read_text().splitlines() == [
        "job,machine,start,end",
        "table,saw,0,3",
        "table,drill,3,5",
        "chair,saw,3,5",
    ]
    assert best.picture().startswith("<svg")
    assert problem.schedule(["chair", "table", "table"]).makespan == 7


def test_a_file_may_have_several_instances(tmp_path: Path) -> None:
    """Those of the OR-Library are named; other text is no part of them."""
    path = tmp_path / "jobshop1.txt"
    path.write_text(LIBRARY)
    assert bf.solve(JobShop.from_file(path, named="one"), engine="python").cost == 7
    assert bf.solve(JobShop.from_text(str(path), named="two"), engine="python").cost == 5
    with pytest.raises(bf.InputError, match="has 2 instances; choose one by its name: one, two"):
        JobShop.from_file(path)
    with pytest.raises(bf.InputError, match=r"instance 'three' is not in .*: one, two"):
        JobShop.from_file(path, named="three")
    with pytest.raises(bf.InputError, match="without a name; omit the name 'ft06'"):
        JobShop.from_file(INSTANCES / "ft06.txt", named="ft06")
    path.write_text(LIBRARY.replace(" 0 4\n", " 0 x\n"))
    with pytest.raises(bf.InputError, match=r"line 7: .*'x'; write a whole number"):
        JobShop.from_file(path, named="one")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("2 2", "33 2", "line 2: the number of jobs is '33'; write a whole number from 1 to 32"),
        ("0 3 1 2", "2 3 1 2", "line 3: the machine of operation 0 of job 0 is '2'; write a whole number from 0 to 1"),
        ("1 4 0 1", "1 4 1 1", "line 4: job 1 visits machine 1 twice"),
        ("1 4 0 1", "1 4 0", "line 4: the file ends before the time of operation 1 of job 1"),
        ("1 4 0 1", "1 4 0 1 2", "line 4: '2' follows the last operation"),
        ("0 3", "0 3.0000000000000000001", "line 3: .* is '3.0000000000000000001'; write whole numbers"),
        ("0 3", "0 3.5", "line 3: the time of operation 0 of job 0 is '3.5'; write whole numbers: multiply"),
    ],
)
def test_a_mistake_in_a_file_is_named(old: str, new: str, message: str, tmp_path: Path) -> None:
    """The error names the file, the line, what is wrong, and what to write."""
    path = tmp_path / "wrong.txt"
    path.write_text(FILE.replace(old, new))
    with pytest.raises(bf.InputError, match=message) as caught:
        JobShop.from_file(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("jobs", "message"),
    [
        ([], "there are no jobs"),
        ([[(0, 1)]] * 33, "33 jobs and 1 machine; at most 32"),
        ([[(0, 1), (0, 2)]], "job 0 visits machine 0 twice"),
        ([[(0, -1)]], "the time of operation 0 of job 0 is -1; write a whole number from 0"),
        ([[5]], "operation 0 of job 0 is 5; write a pair"),
        ([[(40, 1)]], "the machine of operation 0 of job 0 is 40; write a whole number from 0 to 31"),
        ([[(0, 1 << 19)]] * 2, "the times add up to 1048576"),
    ],
)
def test_a_mistake_in_an_argument_is_named(jobs: Any, message: str) -> None:
    """The error says what is wrong, and what to write."""
    with pytest.raises(bf.InputError, match=message):
        JobShop(jobs)
