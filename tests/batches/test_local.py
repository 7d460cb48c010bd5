"""solve_many(on="local"): the solutions of solve(), in order or as they come, read as they are needed, on two processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.batches import batch
from bestfirst.batches.batch import MOST_AHEAD, Run
from bestfirst.batches.parcels import packed
from bestfirst.batches.process import Chunk, Ended, Event
from bestfirst.batches.solving import Solving
from misbehaving import Count, Endless, Forks, SlowToRead, WhereSolved
from test_solve_many import MAPS, assert_equal, pairs_on

WORKERS = 2
pytestmark = pytest.mark.slow


def test_solutions_are_those_of_solve_in_order() -> None:
    """With the same counts, and each with the very problem that was given."""
    problems = [*pairs_on(MAPS[4], 40), *pairs_on(MAPS[8], 40), bf.WaterJugs((3, 5), 4)]
    solutions = list(bf.solve_many(problems, on="local", workers=WORKERS, engine="python"))
    assert len(solutions) == len(problems)
    for problem, solution in zip(problems, solutions, strict=True):
        assert solution.problem is problem
        assert_equal(solution, bf.solve(problem, engine="python"))
        solution.verify()


def test_solutions_come_with_their_numbers_as_they_are_found() -> None:
    """A search that takes long does not hold back the others, and each number is that of its problem."""
    problems: list[Count] = [Endless(), *(Count(number) for number in range(1, 30))]
    limits = bf.Limits(expansions=2000)
    pairs = list(bf.solve_many(problems, on="local", workers=WORKERS, ordered=False, limits=limits))
    assert sorted(number for number, _ in pairs) == list(range(30))
    assert all(solution.problem is problems[number] for number, solution in pairs)
    numbers = [number for number, _ in pairs]
    assert numbers.index(1) < numbers.index(0)


def test_several_processes_work() -> None:
    """Each on its own problems, and not this one."""
    batch = bf.solve_many((WhereSolved(0.03) for _ in range(100)), on="local", workers=WORKERS, verify=False)
    pids = {solution.actions[0] for solution in batch}
    assert len(pids) == WORKERS
    assert os.getpid() not in pids


def test_more_tasks_are_sent_together_if_their_parcel_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as a map, which each parcel contains again: two tasks of 10 ms otherwise, twenty if it is large."""
    chunks = []
    for is_large in (False, True):
        clock = count(step=0.01)
        monkeypatch.setattr(batch, "perf_counter", lambda clock=clock: next(clock))
        pace = batch._Pace()
        pace.is_large = is_large
        for _ in range(1000):
            pace.count(1)
        chunks.append(pace.chunk)
    assert chunks[0] in (1, 2)
    assert chunks[1] in (19, 20)


FORKS = """
import bestfirst as bf, os, sys
batch = bf.solve_many([bf.SlidingTile("8 6 7 2 5 4 3 _ 1")] * 4, on="local", workers=2, engine="python")
costs = [next(batch).cost]
if os.fork() == 0:
    try:
        next(batch)
    except bf.InputError as error:
        print(error, file=sys.stderr)
    batch.close()
    del batch
    sys.exit(0)
os.wait()
print(costs + [solution.cost for solution in batch])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_copy_of_the_process_leaves_the_batch_alone() -> None:
    """It gets no result and ends no worker, and what is made by os.fork() does not wait for ever."""
    ran = subprocess.run([sys.executable, "-c", FORKS], capture_output=True, text=True, check=True, timeout=120)
    assert "os.fork" in ran.stderr
    assert ran.stdout == f"{[31] * 4}\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("raises", [False, True])
def test_a_copy_of_a_worker_answers_nothing(*, raises: bool) -> None:
    """A rule calls os.fork(), and its copy goes on or raises: each problem has its own solution."""
    problems = [Forks(number, raises=raises) if number % 4 == 3 else Count(number) for number in range(30)]
    solutions = list(bf.solve_many(problems, on="local", workers=WORKERS, verify=False))
    assert [(solution.status, solution.cost) for solution in solutions] == [("optimal", number) for number in range(30)]


def test_a_task_that_is_recalled_while_it_is_read_is_done() -> None:
    """An idle worker takes the task behind it, and it keeps its solution."""
    problems = [SlowToRead(3), Count(1), Count(2)]
    assert [solution.cost for solution in bf.solve_many(problems, on="local", workers=WORKERS)] == [3, 1, 2]


@pytest.mark.parametrize("ordered", [True, False])
def test_a_generator_is_never_read_far_ahead(*, ordered: bool) -> None:
    """Of a million problems, not more are read than a few for each worker beyond the solution that was taken last."""
    read = 0

    def problems() -> Iterator[Count]:
        nonlocal read
        for _ in range(10**6):
            read += 1
            yield Count(1)

    batch: Any = bf.solve_many(problems(), on="local", workers=WORKERS, ordered=ordered)  # type: ignore[call-overload]
    for taken in range(400):
        next(batch)
        assert read - taken <= MOST_AHEAD * WORKERS + 1
    batch.close()
    assert list(batch) == []


def test_one_long_search_holds_back_what_is_read() -> None:
    """In order, the solutions after it wait for it: no more are kept than a few for each worker."""
    read = []

    def problems() -> Iterator[Count]:
        for number in range(10**6):
            read.append(number)
            yield Count(1) if number else Endless()

    with bf.solve_many(problems(), on="local", workers=WORKERS, limits=bf.Limits(expansions=2500)) as batch:
        assert next(batch).status == "limit"
        assert MOST_AHEAD < len(read) <= MOST_AHEAD * WORKERS


@pytest.mark.parametrize("error", [OSError("the disk is gone"), SystemExit("the disk is gone")])
def test_an_error_of_the_input_comes_after_what_was_read(error: BaseException) -> None:
    """No solution is lost, even if the program is to end."""

    def problems() -> Iterator[Count]:
        yield Count(1)
        yield Count(2)
        raise error

    solutions: list[bf.Solution] = []
    with pytest.raises(type(error), match="disk"):
        solutions.extend(bf.solve_many(problems(), on="local", workers=WORKERS))
    assert [solution.cost for solution in solutions] == [1, 2]


def test_seconds_are_those_of_all() -> None:
    """Searches that are running then end with the status limit, and the rest is left out."""
    problems = [Endless() for _ in range(100)]
    solutions = list(bf.solve_many(problems, on="local", workers=WORKERS, seconds=2.5))
    assert 1 <= len(solutions) <= 2 * WORKERS
    assert all((solution.status, solution.limit) == ("limit", "seconds") for solution in solutions)


def test_a_problem_that_was_not_begun_keeps_its_place() -> None:
    """If the time of the batch is over before a problem is begun, but not before a later one is, its solution says so."""

    class Team:
        """Has solved 0 and 2 of 0 to 3."""

        size = 2
        has_idle = False
        is_idle = False

        def __init__(self) -> None:
            self.given: list[int] = []

        def takes(self, _length: int) -> bool:
            return True

        def give(self, chunk: Chunk) -> None:
            self.given += chunk.numbers

        def wait(self, seconds: float | None) -> list[Event]:
            del seconds
            if len(self.given) < 4:
                return []
            return [Ended(number, None if number % 2 else packed(solution)) for number in reversed(self.given)]

        def recall(self) -> list[int]:
            return []

        def interrupt(self) -> None:
            """Nothing."""

        def close(self) -> None:
            """Nothing."""

    solution = bf.solve(Count())
    problems = [Count(number) for number in range(4)]
    work = Solving(None, None, bf.Limits(), {})
    run = Run(problems, work, Team, seconds=None, tell=lambda _: None, close=lambda: None)
    solutions = list(run.results(ordered=True))
    assert [(found.status, found.limit) for found in solutions] == [
        ("optimal", None),
        ("limit", "seconds"),
        ("optimal", None),
    ]
    assert solutions[1].problem is problems[1]
    run = Run(problems, work, Team, seconds=None, tell=lambda _: None, close=lambda: None)
    assert [number for number, _ in run.results(ordered=False)] == [0, 2]


def test_nothing_to_do_starts_nothing() -> None:
    """An empty batch has no results."""
    assert list(bf.solve_many([], on="local")) == []


def test_bad_arguments() -> None:
    """They are raised at once, or, if they depend on the problem, for the first result, before a process starts."""
    with pytest.raises(bf.UnknownNameError, match="local"):
        bf.solve_many([Count()], on="lokal")
    with pytest.raises(bf.InputError, match="workers"):
        bf.solve_many([Count()], on="local", workers=0)
    with pytest.raises(bf.InputError, match="on='local'"):
        bf.solve_many([Count()], workers=2)  # type: ignore[call-overload]
    with pytest.raises(bf.InputError, match="seconds"):
        bf.solve_many([Count()], on="local", seconds=-1)
    with pytest.raises(bf.InputError, match="True or False"):
        bf.solve_many([Count()], on="local", ordered=1)  # type: ignore[call-overload]
    with pytest.raises(bf.InputError, match="astr"):
        bf.solve_many([], "astr", on="local")
    with pytest.raises(bf.InputError, match="heuristic"):
        next(bf.solve_many([Count()], heuristic="none such", on="local"))
    with pytest.raises(bf.InputError, match="problem is"):
        next(bf.solve_many(["no problem"], on="local"))  # type: ignore[list-item]
