"""Workers in this process, whose pace, interruptions and deaths are drawn at random: they take turns, so tests are quick."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest

from bestfirst.distributed import crews, driver, part_search
from bestfirst.distributed.crew import Answer, Crew, Event, Job, Joined, Lost, Work
from bestfirst.distributed.unpacking import unpacked


class InlineCrew(Crew):
    """A number of workers. deaths: the share of jobs that end their worker instead."""

    name = "inline"

    def __init__(self, workers: int, random: Random, deaths: float) -> None:
        self._size, self._random, self._deaths = workers, random, deaths
        self._numbers = 0
        self._work: Work | None = None
        self.lost = 0

    def count(self) -> int:
        return self._size

    def start(self, charge: bytes) -> None:
        self.is_started = True
        self._work = self._work or unpacked(charge)
        self._new = list(range(self._numbers, self._numbers + self._size))
        self._numbers += self._size
        self._jobs: dict[int, Job] = {}

    def give(self, worker: int, job: Job) -> None:
        assert worker not in self._jobs
        self._jobs[worker] = pickle.loads(pickle.dumps(job))

    def cut(self, worker: int) -> None:
        pass  # they are interrupted at random anyway

    def events(self, _seconds: float) -> list[Event]:
        if self._new and (not self._jobs or self._random.random() < 0.5):
            return [Joined(self._new.pop())]
        if not self._jobs:
            return []
        worker = self._random.choice(sorted(self._jobs))
        job = self._jobs.pop(worker)
        if self._random.random() < self._deaths:
            self.lost += 1
            self._numbers += 1
            self._new.append(self._numbers)
            return [Lost(worker)]
        assert self._work is not None
        result = self._work.do(job, lambda: self._random.random() < 0.3)
        return [Answer(worker, pickle.loads(pickle.dumps(result)))]

    def close(self) -> None:
        self.is_started = False


@contextmanager
def inline_workers(workers: int, seed: int = 0, deaths: float = 0.0, shared: int = 0) -> Iterator[list[InlineCrew]]:
    """Within this block, such workers take the place of processes, and the smallest iterations are shared."""
    made: list[InlineCrew] = []

    def crew(_on: str, _workers: int | None) -> InlineCrew:
        made.append(InlineCrew(workers, Random(seed + len(made)), deaths))
        return made[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(crews, "crew_of", crew)
        patch.setattr(driver, "FEWEST_SHARED", shared)
        patch.setattr(driver, "FIRST_QUANTUM", 3)
        patch.setattr(driver, "FEWEST_BEFORE_A_CUT", 3)
        patch.setattr("bestfirst.distributed.scheduler.LEAST_SHARE", 1)
        patch.setattr(driver, "SECONDS_PER_JOB", 0)
        patch.setattr(driver, "SECONDS_PER_JOB_AND_WORKER", 0)
        patch.setattr(driver, "MOST_LOSSES", 10**9)
        patch.setattr("bestfirst.distributed.scheduler.MOST_LOSSES", 10**9)
        patch.setattr(part_search, "FIRST_SLICE", 1)
        patch.setattr(part_search, "SECONDS_PER_SLICE", 0)
        yield made
