"""The scheduler on a virtual clock: how busy it would keep workers that are not there.

A simulated subtree has a size, the number of its expansions. Where it is interrupted, it is divided as subtrees of a similar size
were divided in a recorded search (Divisions); so what a worker returns has the sizes that real searches have.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from math import inf
from random import Random
from typing import Any, NamedTuple

from bestfirst.distributed.jobs import MOST_PIECES, Job, Outcome, Part, Result, Searched
from bestfirst.distributed.scheduler import Assign, Command, Scheduler

SMALLEST = 1_000
"""Smaller subtrees are not divided."""


class Divisions:
    """How subtrees are divided among their children. recorded: for each inner node of a search, the sizes of its children, in
    order."""

    def __init__(self, recorded: Sequence[Sequence[int]]) -> None:
        self._by_size = sorted((sum(sizes), tuple(sizes)) for sizes in recorded if len(sizes) > 1)
        self._sizes = [size for size, _sizes in self._by_size]
        self._near = max(1, len(self._by_size) // 10)

    def of(self, size: int, random: Random) -> list[int]:
        """The sizes of the children of a node whose subtree has this size: in the proportions of one of the recorded nodes of
        about that size."""
        place = bisect_right(self._sizes, size)
        first = max(0, min(place - self._near // 2, len(self._by_size) - self._near))
        whole, sizes = self._by_size[random.randrange(first, min(first + self._near, len(self._by_size)))]
        return [max(1, round(part / whole * (size - 1))) for part in sizes if part]


class Subtree(NamedTuple):
    """A subtree that waits on a stack."""

    depth: int
    size: int


@dataclass(frozen=True)
class Setting:
    """What a simulation assumes.

    workers: their number. rate: the expansions of one of them in a second. seconds_per_job: the longest time of a job.
    latency: seconds until a message arrives. seconds_per_message: the time of the driver for each answer.
    seconds_per_part: the time of a worker to go to a part. slice_: how often it looks for messages.
    seconds_between_failures: of one worker, on average. seconds_to_replace: a worker that has failed.
    """

    workers: int
    rate: float = 5e6
    seconds_per_job: float = 10.0
    latency: float = 0.001
    seconds_per_message: float = 0.001
    seconds_per_part: float = 0.002
    slice_: float = 0.01
    seconds_between_failures: float = inf
    seconds_to_replace: float = 10.0


@dataclass(frozen=True)
class Outcomes:
    """What a simulation shows. efficiency: the share of the workers' time in which they expanded nodes that count.

    seconds: until the iteration is searched. jobs: their number. losses: of jobs. driver: the share of its time in which the driver
    was busy.
    """

    efficiency: float
    seconds: float
    jobs: int
    losses: int
    driver: float


class _Work(NamedTuple):
    """A job at work. started: when its worker began."""

    worker: int
    job: Job
    started: float


class Simulation:
    """An iteration with a number of expansions."""

    def __init__(self, size: int, divisions: Divisions, setting: Setting, seed: int = 0) -> None:
        self._size, self._divisions, self._setting = size, divisions, setting
        self._random = Random(seed)
        self._scheduler = Scheduler(int(setting.rate * setting.seconds_per_job))
        self._stacks: dict[Part, list[Subtree]] = {}
        self._events: list[tuple[float, int, Any]] = []
        self._order = 0
        self._at_work: dict[int, _Work] = {}
        self._driver_free = self._driver_busy = 0.0
        self._jobs = 0

    def run(self) -> Outcomes:
        """Simulate until the iteration is searched."""
        setting, scheduler = self._setting, self._scheduler
        scheduler.begin(0, [self._part((), [Subtree(0, self._size)])])
        scheduler.go_on(inf)
        for worker in range(setting.workers):
            self._at(0.0, ("joined", worker))
        now = 0.0
        while not scheduler.is_over:
            now, _order, (what, *details) = heappop(self._events)
            getattr(self, f"_{what}")(now, *details)
        now = self._driver_free
        assert scheduler.counts[0] == self._size, "every expansion counts once"
        return Outcomes(
            self._size / setting.rate / (setting.workers * now), now, self._jobs, scheduler.losses, self._driver_busy / now
        )

    # Events, at the driver.

    def _at(self, time: float, event: tuple[Any, ...]) -> None:
        self._order += 1
        heappush(self._events, (time, self._order, event))

    def _joined(self, now: float, worker: int) -> None:
        self._answer(now, self._scheduler.joined(worker))
        if self._setting.seconds_between_failures < inf:
            self._at(now + self._random.expovariate(1 / self._setting.seconds_between_failures), ("failed", worker))

    def _finished(self, now: float, worker: int, result: Result) -> None:
        self._answer(now, self._scheduler.finished(worker, result))

    def _failed(self, now: float, worker: int) -> None:
        self._at_work.pop(worker, None)
        self._answer(now, self._scheduler.lost(worker))
        self._at(now + self._setting.seconds_to_replace, ("joined", worker + self._setting.workers))

    def _answer(self, now: float, commands: Sequence[Command]) -> None:
        """The driver answers an event, after those before it."""
        self._driver_free = max(now, self._driver_free) + self._setting.seconds_per_message
        self._driver_busy += self._setting.seconds_per_message
        for command in commands:
            what = "begun" if isinstance(command, Assign) else "cut"
            self._at(self._driver_free + self._setting.latency, (what, command))

    # Events, at a worker.

    def _begun(self, now: float, command: Assign) -> None:
        worker, job = command
        self._jobs += 1
        self._at_work[worker] = _Work(worker, job, now)
        size = min(job.budget, sum(self._size_of(part) for part in job.parts))
        self._at(now + self._seconds(job, size), ("ended", worker, job.number, size))

    def _cut(self, now: float, command: Any) -> None:
        work = self._at_work.get(command.worker)
        if work is None:
            return
        setting, job = self._setting, work.job
        size = int((now + setting.slice_ - work.started - len(job.parts) * setting.seconds_per_part) * setting.rate)
        size = max(size, job.least)
        if size < min(job.budget, sum(self._size_of(part) for part in job.parts)):
            self._at(work.started + self._seconds(job, size), ("ended", work.worker, job.number, size))

    def _ended(self, now: float, worker: int, number: int, size: int) -> None:
        """A worker ends a job after a number of expansions, unless it ended it before."""
        work = self._at_work.get(worker)
        if work is not None and work.job.number == number:
            del self._at_work[worker]
            self._at(now + self._setting.latency, ("finished", worker, self._result(work.job, size)))

    def _seconds(self, job: Job, size: int) -> float:
        return len(job.parts) * self._setting.seconds_per_part + size / self._setting.rate

    # Parts.

    def _size_of(self, part: Part) -> int:
        return sum(subtree.size for subtree in self._stacks[part])

    def _part(self, place: tuple[float, ...], stack: list[Subtree]) -> Part:
        part = Part((), stack[0].depth, place)
        self._stacks[part] = stack
        return part

    def _result(self, job: Job, size: int) -> Result:
        """The answer to a job after a number of expansions."""
        searched: list[Searched] = []
        rest: list[Part] = []
        for part in job.parts:
            whole = self._size_of(part)
            used = min(size, whole)
            size -= used
            if used:
                searched.append(Searched(part.place, (used, 0, 0, 0, 0, 0)))
            if used == whole:
                continue
            rest += [part] if used == 0 else self._pieces(part, used)
        return Result(job.number, Outcome.RETURNED, tuple(searched), tuple(rest), inf, is_worthwhile=True)

    def _pieces(self, part: Part, used: int) -> list[Part]:
        """What is left of a part after a number of expansions: see pieces_of() of part_search.py."""
        stack = self._left(self._stacks[part], used)
        depths = sorted({subtree.depth for subtree in stack[1:]})[: MOST_PIECES - 1]
        groups = [[subtree for subtree in stack[1:] if subtree.depth == depth] for depth in reversed(depths)]
        here = [stack[0], *(subtree for subtree in stack[1:] if subtree.depth not in depths)]
        return [self._part((*part.place, number), group) for number, group in enumerate([here, *groups])]

    def _left(self, stack: Sequence[Subtree], used: int) -> list[Subtree]:
        """The subtrees that are left of those on a stack, in order."""
        place = 0
        while used >= stack[place].size:
            used -= stack[place].size
            place += 1
        current, later = stack[place], list(stack[place + 1 :])
        while used > 0 and current.size > SMALLEST:
            used -= 1  # the node itself
            children = self._children(current)
            number = 0
            while number < len(children) - 1 and used >= children[number].size:
                used -= children[number].size
                number += 1
            later = [*children[number + 1 :], *later]
            current = children[number]
        return [Subtree(current.depth, current.size - used), *later]

    def _children(self, node: Subtree) -> list[Subtree]:
        """The children of a node, whose sizes add up to that of its subtree without the node."""
        sizes = self._divisions.of(node.size, self._random)
        sizes[-1] += node.size - 1 - sum(sizes)
        if sizes[-1] < 1:
            sizes = [node.size - 1]
        return [Subtree(node.depth + 1, size) for size in sizes]
