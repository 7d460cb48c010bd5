"""Workers on partitions that are in this process, and whose deaths are drawn at random: so tests are quick."""

from __future__ import annotations

import pickle
from random import Random
from typing import Any

from bestfirst.distributed.crew import Answer, Crew, Event, Job, Joined, Lost
from bestfirst.distributed.unpacking import unpacked


class PartitionCrew(Crew):
    """Workers in this process. deaths: the share of jobs after or before which a worker ends without an answer."""

    name = "inline"

    def __init__(self, workers: int, random: Random, deaths: float) -> None:
        self._size, self._random, self._deaths = workers, random, deaths
        self._works: dict[int, Any] = {}
        self._jobs: dict[int, Job] = {}
        self._numbers = 0
        self._new: list[int] = []

    def count(self) -> int:
        return self._size

    def start(self, charge: bytes) -> None:
        self.is_started, self._charge = True, charge
        for _ in range(self._size):
            self._start_one()

    def _start_one(self) -> None:
        self._numbers += 1
        self._works[self._numbers] = unpacked(self._charge)
        self._new.append(self._numbers)

    def give(self, worker: int, job: Job) -> None:
        assert worker not in self._jobs
        self._jobs[worker] = pickle.loads(pickle.dumps(job))

    def cut(self, worker: int) -> None: ...

    def events(self, _seconds: float) -> list[Event]:
        if self._new:
            return [Joined(self._new.pop())]
        if not self._jobs:
            return []
        worker = self._random.choice(sorted(self._jobs))
        job, work = self._jobs.pop(worker), self._works[worker]
        dies = self._random.random() < self._deaths
        if not (dies and self._random.random() < 0.5):
            result = work.do(job, lambda: self._random.random() < 0.3)
        if not dies:
            return [Answer(worker, pickle.loads(pickle.dumps(result)))]
        self._works.pop(worker).place.close()
        self._start_one()
        return [Lost(worker)]

    def close(self) -> None:
        self.is_started = False
        for work in self._works.values():
            work.place.close()
        self._works.clear()
