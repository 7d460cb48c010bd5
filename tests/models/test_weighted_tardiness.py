"""Total weighted tardiness: optimal schedules, the bounds and rules, what a file may contain, and results."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.models import WeightedTardiness
from profiles import examples

INSTANCES = Path(__file__).parents[2] / "examples" / "instances"


@st.composite
def instances(draw: Any) -> tuple[list[int], list[int], list[int]]:
    """Times, weights and due dates of at most six jobs."""
    count = draw(st.integers(0, 6))
    times = draw(st.lists(st.integers(0, 6), min_size=count, max_size=count))
    weights = draw(st.lists(st.integers(0, 6), min_size=count, max_size=count))
    return times, weights, [draw(st.integers(0, 25)) for _ in range(count)]


def least_cost(times: list[int], weights: list[int], due: list[int]) -> int:
    """The cost of the best order, by trying all."""

    def cost(order: tuple[int, ...]) -> int:
        ends = [sum(times[job] for job in order[: place + 1]) for place in range(len(order))]
        return sum(weights[job] * max(0, end - due[job]) for job, end in zip(order, ends, strict=True))

    return min(cost(order) for order in permutations(range(len(times))))


@given(instances(), st.sampled_from(["astar", "anytime-beam"]), st.sampled_from(["multipliers", "overdue"]))
@examples(50)
def test_a_schedule_is_optimal(instance: tuple[Any, ...], algorithm: str, name: str) -> None:
    """No action that the rules forbid is needed, and no bound is too high."""
    problem = WeightedTardiness(*instance)
    solution = bf.solve(problem, algorithm, name, engine="python")
    assert solution.status == "optimal"
    assert solution.cost == least_cost(*instance) == problem.schedule(solution).cost


@given(instances())
@examples(20)
def test_heuristics_keep_their_promises(instance: tuple[Any, ...]) -> None:
    """No estimate exceeds the true cost, nor the cost of an action plus the estimate after it."""
    problem = WeightedTardiness(*instance)
    for name in problem.heuristics():
        audit = bf.audit(problem, name)
        assert audit.admissible and audit.consistent, audit


@given(st.sampled_from([1, 9, 10, 63, 64, 70]), st.randoms(use_true_random=False))
@examples(15)
def test_the_bound_of_a_state_is_that_of_its_jobs_in_order_of_priority(count: int, chance: Any) -> None:
    """Along a random path, for sets of several parts and words: the bound is updated, never computed anew."""
    times, weights = ([chance.randint(0, 9) for _ in range(count)] for _ in range(2))
    problem = WeightedTardiness(times, weights, [chance.randint(0, 4 * count) for _ in range(count)])
    prices = problem.multiplier.tolist()
    ranks = [sum(map(int.bit_count, row)) for row in problem.prior.tolist()]
    state, following = problem.initial, [problem.initial]
    while following:
        state = chance.choice(following)
        time, bound = state.time, 0
        for job in sorted(bf.members(state.waiting), key=ranks.__getitem__):
            time += int(problem.times[job])
            bound += prices[job] * (time - int(problem.due[job]))
        assert state.bound == bound
        following = [after for _, after, _ in problem.successors(state)]
    assert problem.is_goal(state)


def test_a_published_instance_has_its_published_optimum() -> None:
    """The first two instances of wt40 have the optima 913 and 1225."""
    for number, optimum in ((1, 913), (2, 1225)):
        problem = WeightedTardiness.from_file(INSTANCES / "wt40.txt", number=number)
        solution = bf.solve(problem, engine="compiled")
        assert (solution.status, solution.cost) == ("optimal", optimum)


def test_check_finds_no_fault() -> None:
    """The methods compile, and identity and pictures are sound, for sets of one word and of two."""
    large = [1 + 7 * job % 20 for job in range(70)], [1 + 3 * job % 10 for job in range(70)], [10 * job for job in range(70)]
    for problem in (WeightedTardiness.from_file(INSTANCES / "wt40.txt"), WeightedTardiness(*large)):
        report = bf.check(problem, states=50)
        assert report.ok and report.compiled, report


def test_a_set_of_jobs_may_take_two_words() -> None:
    """With 70 jobs of which each can be on time, the cost is 0."""
    problem = WeightedTardiness([2] * 70, [1] * 70, [2 * job + 2 for job in range(70)])
    solution = bf.solve(problem, "depth-first-branch-and-bound", engine="compiled")
    assert solution.cost == 0


def test_a_schedule_names_jobs_and_times(tmp_path: Path) -> None:
    """A schedule has starts, ends, due dates and tardiness of jobs, and can be written as CSV."""
    problem = WeightedTardiness([3, 2], [1, 5], [4, 2], names=["slow", "fast"])
    schedule = problem.schedule(bf.solve(problem, engine="python"))
    assert (schedule.jobs, schedule.starts, schedule.ends) == (("fast", "slow"), (0, 2), (2, 5))
    assert (schedule.due, schedule.tardiness, schedule.cost) == ((2, 4), (0, 1), 1)
    schedule.to_csv(tmp_path / "schedule.csv")
    assert (tmp_path / "schedule.csv").read_text().splitlines()[1] == "fast,0,2,2,0"
    assert schedule.picture().startswith("<svg")


@pytest.mark.parametrize(
    ("name", "text", "options", "message"),
    [
        ("wt2.txt", "1 2 3 4 5", {}, "5 numbers, not a multiple of 6"),
        ("wt2.txt", "1 2 3\n4 x 6", {}, "line 2: weight 1 of 2|line 2: due date 1 of 2|line 2: .*'x'"),
        ("wt.txt", "1 2 3", {}, "pass jobs"),
        ("wt1.txt", "1 2 3", {"number": 2}, "number is 2; use a number from 1 to 1"),
        ("wt1.txt", "1 2 3", {"jobs": 0}, "jobs is 0"),
        ("wt1.txt", "-1 2 3", {}, "line 1: processing time 1 of 1 is '-1'"),
    ],
)
def test_a_mistake_in_a_file_is_named(name: str, text: str, options: dict[str, Any], message: str, tmp_path: Path) -> None:
    """The error names the file, what is wrong, and what to write."""
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(bf.InputError, match=message) as caught:
        WeightedTardiness.from_file(path, **options)
    assert "wt" in str(caught.value) or "jobs" in str(caught.value)


def test_numbers_that_are_too_large_are_refused() -> None:
    """Costs must fit into 64 bits."""
    with pytest.raises(bf.InputError, match="could exceed 64 bits"):
        WeightedTardiness([1 << 39], [1 << 39], [0])
    with pytest.raises(bf.InputError, match="weights has 1 entry; it needs 2"):
        WeightedTardiness([1, 2], [1], [0, 0])


def test_a_weight_may_be_large() -> None:
    """As long as the weighted tardiness fits into 64 bits."""
    assert bf.solve(WeightedTardiness([0], [2**36], [0])).cost == 0
    assert bf.solve(WeightedTardiness([7, 7, 7], [1, 1, 2**36], [7, 7, 7])).cost == 7 + 14
