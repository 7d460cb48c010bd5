"""Which worker searches what: events in, commands out."""

from __future__ import annotations

from math import inf

from hypothesis import given
from hypothesis import strategies as st

from bestfirst.distributed.jobs import Counts, Job, Outcome, Part, Result, Searched, total
from bestfirst.distributed.scheduler import MOST_LOSSES, Assign, Command, Cut, Scheduler
from profiles import examples

PARTS = [Part((number,), 1, (number,)) for number in range(4)]


def counts(expanded: int, longest: int = 0) -> Counts:
    return (expanded, 0, 0, longest, 0, 0)


def answer(job: Job, expanded: int = 1, outcome: Outcome = Outcome.RETURNED, rest: tuple[Part, ...] = ()) -> Result:
    """The answer to a job of one part."""
    return Result(job.number, outcome, (Searched(job.parts[0].place, counts(expanded)),), rest, inf, is_worthwhile=True)


def begun(workers: int, parts: list[Part]) -> tuple[Scheduler, list[Job]]:
    """A scheduler whose workers have the first parts."""
    scheduler = Scheduler(quantum=100)
    scheduler.begin(1, parts)
    commands: list[Command] = scheduler.go_on(inf)
    for worker in range(workers):
        commands += scheduler.joined(worker)
    return scheduler, [command.job for command in commands if isinstance(command, Assign)]


def test_parts_are_handed_out_in_order() -> None:
    """Each worker has the first part that waits."""
    _scheduler, jobs = begun(3, PARTS)
    assert [job.parts for job in jobs] == [(part,) for part in PARTS[:3]]


def test_an_idle_worker_makes_another_one_return_what_is_left() -> None:
    """It is asked once, and the idle worker gets a piece."""
    scheduler, [job] = begun(1, PARTS[:1])
    assert scheduler.joined(1) == [Cut(0)]
    assert scheduler.joined(2) == []
    pieces = tuple(Part((0, number), 1, (0, number)) for number in range(3))
    commands = scheduler.finished(0, answer(job, rest=pieces))
    assert sorted(command.worker for command in commands if isinstance(command, Assign)) == [0, 1, 2]


def test_a_lost_job_is_as_if_it_had_not_been_given() -> None:
    """Its part is the next one, and a late answer is ignored."""
    scheduler, jobs = begun(2, PARTS)
    scheduler.lost(0)
    assert scheduler.finished(0, answer(jobs[0])) == []
    assert scheduler.losses == 1
    [command] = scheduler.joined(5)
    assert isinstance(command, Assign)
    assert command.job.parts == jobs[0].parts


def test_a_part_that_ends_all_its_workers_is_hopeless() -> None:
    """Only then."""
    scheduler, _jobs = begun(0, PARTS[:1])
    for worker in range(MOST_LOSSES):
        assert scheduler.hopeless is None
        scheduler.joined(worker)
        scheduler.lost(worker)
    assert scheduler.hopeless == PARTS[0]


def test_the_first_goal_in_order_ends_the_iteration() -> None:
    """Later parts are dropped with their counts; earlier ones are still searched, and may have an earlier goal."""
    scheduler, jobs = begun(3, PARTS)
    assert scheduler.finished(1, answer(jobs[1], 5, Outcome.FOUND)) == [Cut(2)]
    scheduler.finished(2, answer(jobs[2], 7))
    assert not scheduler.is_over
    scheduler.finished(0, answer(jobs[0], 3))
    assert scheduler.is_over
    assert scheduler.counts == counts(8)


def test_no_more_is_given_than_is_allowed() -> None:
    """What workers have not used is given again."""
    scheduler = Scheduler(quantum=100)
    scheduler.begin(1, PARTS)
    [first] = [*scheduler.go_on(120), *scheduler.joined(0)]
    [second] = scheduler.joined(1)
    assert isinstance(first, Assign)
    assert isinstance(second, Assign)
    assert (first.job.budget, second.job.budget) == (100, 20)
    assert scheduler.joined(2) == []
    again = scheduler.finished(0, answer(first.job, 70))
    assert [command.job.budget for command in again if isinstance(command, Assign)] == [30]


@examples(50)
@given(order=st.permutations(range(6)), goal=st.integers(0, 5))
def test_settled_counts_are_those_before_the_end(order: list[int], goal: int) -> None:
    """In whatever order workers answer, and however often counts are added up on the way."""
    parts = [Part((number,), 1, (number,)) for number in range(6)]
    scheduler, jobs = begun(6, parts)
    for number in order:
        outcome = Outcome.FOUND if number == goal else Outcome.RETURNED
        scheduler.finished(number, answer(jobs[number], 10**number, outcome))
        assert total(one.counts for one in scheduler.searched)[0] >= scheduler.counts[0]
    assert scheduler.counts == counts(sum(10**number for number in range(goal + 1)))
