"""The job shop: jobs that go from machine to machine, each in its own order, so that all are done early."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from bestfirst.domain import Domain
from bestfirst.errors import InputError, counted, needing_numpy, shown
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.models.drawing import Bar, bars
from bestfirst.models.files import Lines, Words, path_given
from bestfirst.models.numbers import listed, names_of, whole
from bestfirst.models.results import states_of, write_csv

if TYPE_CHECKING:
    from bestfirst.solution import Solution

MOST = 32
"""The most jobs, and the most machines."""
_FEWEST = 8
_TIME_BITS = 20
_HEADING = "instance "
_MOST_DRAWN = 250
"""The most operations in the picture of a state."""


class JobShop(Domain):
    """Job-shop scheduling: the operations of each job are done in order, each on a machine that does one operation at a time.

    jobs: for each job its operations in order, pairs (machine, time); a job visits a machine at most once. Machines are numbered
    from 0, and times are whole numbers. names: the names of the jobs. machines: the names of the machines. Defaults: 0, 1, ...
    The cost is the makespan, the time at which the last operation ends. Raises InputError for invalid numbers, and for times whose
    sum is too large.

    An action is the job whose next operation is scheduled, as early as possible. Only jobs that compete for the machine that could
    end an operation first are tried (Giffler & Thompson 1960). This generates the active schedules, one of which is optimal.
    Source: Giffler & Thompson 1960; Carlier & Pinson 1989 (the bound); Jackson 1955.
    """

    class State(NamedTuple):
        """done: how many operations of each job are fixed. ready: when its next one can start; free: since when each machine is
        free; both are 0 if nothing is left. end: when the last fixed operation ends.
        """

        done: tuple[int, ...]
        ready: tuple[int, ...]
        free: tuple[int, ...]
        end: int

    bits = MappingProxyType({"done": 6, "ready": _TIME_BITS, "free": _TIME_BITS, "end": 32})
    resources = MappingProxyType({"ready": "less", "free": "less", "end": "less"})
    unchecked = True  # __init__ refuses large numbers
    frozen_arrays = frozenset({"counts", "machine_of", "time_of", "place_on", "time_on", "before", "after"})
    default_heuristic = "one_machine"

    def __init__(
        self,
        jobs: Sequence[Sequence[tuple[int, int]]],
        *,
        names: Sequence[Any] | None = None,
        machines: Sequence[Any] | None = None,
    ) -> None:
        given = _checked(jobs)
        there = max((machine for job in given for machine, _ in job), default=0) + 1
        called = None if machines is None else listed("the names of machines", machines, "names")
        self.machines = names_of("machines", called, range(max(there, len(called or ()))))
        count = self.max_actions = len(given)
        self.names = self.actions = names_of("jobs", names, range(count))
        if max(count, len(self.machines)) > MOST:
            raise InputError(
                f"there are {counted(count, 'job')} and {counted(len(self.machines), 'machine')}; at most {MOST} of each are "
                "possible"
            )
        total = sum(time for job in given for _, time in job)
        if total >> _TIME_BITS:
            raise InputError(f"the times add up to {total}, more than {(1 << _TIME_BITS) - 1}; use a larger unit of time")
        self.machine_count = len(self.machines)
        self._set_tables(given)
        width = max(_FEWEST, 1 << (max(count, self.machine_count) - 1).bit_length())  # a few widths share compiled code
        nothing = (0,) * width
        self.initial = self.State(nothing, nothing, nothing, 0)
        self._settle()

    def _set_tables(self, jobs: list[list[tuple[int, int]]]) -> None:
        with needing_numpy("a model"):
            import numpy as np  # noqa: PLC0415  (listing models does not need it)

        longest = max([1, *map(len, jobs)])
        by_place = np.zeros((2, len(jobs), longest), np.int64)
        on_machine = np.full((len(jobs), self.machine_count), -1, np.int64)
        times = np.zeros((3, len(jobs), self.machine_count), np.int64)
        for number, job in enumerate(jobs):
            for place, (machine, time) in enumerate(job):
                by_place[:, number, place] = machine, time
                on_machine[number, machine] = place
                before = sum(one for _, one in job[:place])
                times[:, number, machine] = time, before, sum(one for _, one in job[place + 1 :])
        self.counts: Any = np.array([len(job) for job in jobs], np.int64)
        self.machine_of, self.time_of = by_place
        self.place_on: Any = on_machine  # by job and machine: which operation of the job it is; -1: none
        self.time_on, self.before, self.after = times  # its time, and those of the job before and after it

    @classmethod
    def from_file(cls, path: str | Path, *, named: str = "") -> JobShop:
        """An instance from a file: the numbers of jobs and machines, and for each job its operations, machine and time in turn.

        Text after # is a comment. A file of the OR-Library has many instances; named: the name of one, such as "ft06".
        Raises InputError that names the file and the line.
        """
        words = _words(path, named)
        count = words.whole("the number of jobs", 1, MOST)
        machines = words.whole("the number of machines", 1, MOST)
        jobs = []
        for job in range(count):
            row: list[tuple[int, int]] = []
            for number in range(machines):
                machine = words.whole(f"the machine of operation {number} of job {job}", 0, machines - 1)
                if machine in (other for other, _ in row):
                    words.fail(f"job {job} visits machine {machine} twice; name each machine once")
                row.append((machine, words.whole(f"the time of operation {number} of job {job}")))
            jobs.append(row)
        words.end("the last operation")
        return cls(jobs)

    @classmethod
    def from_text(cls, text: str = "", *, file: str = "", named: str = "") -> JobShop:
        """An instance from command-line arguments: the path of a file, and the name of an instance in it."""
        return cls.from_file(path_given(cls.name(), text, file), named=named)

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        place = state.done[action]
        if place == self.counts[action]:
            return False, state, 0
        first, earliest = action, state.ready[action] + self.time_of[action, place]
        for job in range(self.max_actions):
            if state.done[job] < self.counts[job]:
                ends = state.ready[job] + self.time_of[job, state.done[job]]
                if ends < earliest or (ends == earliest and job < first):
                    first, earliest = job, ends
        machine = self.machine_of[action, place]
        if action != first and (machine != self.machine_of[first, state.done[first]] or state.ready[action] >= earliest):
            return False, state, 0
        end = state.ready[action] + self.time_of[action, place]
        done, ready, free = list(state.done), list(state.ready), list(state.free)
        done[action] = place + 1
        is_needed = False
        for job in range(self.max_actions):
            if done[job] <= self.place_on[job, machine]:
                is_needed = True
                if done[job] == self.place_on[job, machine]:
                    ready[job] = max(ready[job], end)
        free[machine] = end if is_needed else 0
        ready[action] = 0
        if place + 1 < self.counts[action]:
            ready[action] = max(end, free[self.machine_of[action, place + 1]])
        last = max(state.end, end)
        return True, self.State(tuple(done), tuple(ready), tuple(free), last), last - state.end

    def is_goal(self, state: State) -> bool:
        return all(state.done[job] >= self.counts[job] for job in range(self.max_actions))

    @heuristic(admissible=True, consistent=True)
    def one_machine(self, state: State) -> int:
        """The most, over all machines, that all jobs take if this machine may interrupt operations and no other is ever busy.

        Then it is best to work on the operation that most work follows, among those that can start (Jackson 1955).
        """
        bound = state.end
        for machine in range(self.machine_count):
            starts, left = list(state.ready), list(state.ready)
            now, most = 0, 0
            for job in range(self.max_actions):
                left[job] = 0
                if state.done[job] <= self.place_on[job, machine]:
                    passed = self.before[job, self.machine_of[job, state.done[job]]]
                    starts[job] = max(state.free[machine], state.ready[job] + self.before[job, machine] - passed)
                    left[job] = self.time_on[job, machine]
                    most += left[job]
                    bound = max(bound, starts[job] + left[job] + self.after[job, machine])
            while most > 0:
                chosen, following = -1, 1 << _TIME_BITS
                for job in range(self.max_actions):
                    if left[job] > 0:
                        if starts[job] > now:
                            following = min(following, starts[job])
                        elif chosen < 0 or self.after[job, machine] > self.after[chosen, machine]:
                            chosen = job
                if chosen < 0:
                    now = following
                else:
                    takes = min(left[chosen], following - now)
                    now += takes
                    most -= takes
                    left[chosen] -= takes
                    if left[chosen] == 0:
                        bound = max(bound, now + self.after[chosen, machine])
        return bound - state.end

    def format(self, state: State) -> str:
        left = sum(self.counts.tolist()) - sum(state.done[: self.max_actions])
        return f"{counted(left, 'operation')} left, time {state.end}"

    def schedule(self, solution: Solution | Sequence[Any]) -> ShopSchedule:
        """The schedule of a solution, or of a list of actions."""
        operations = []
        for state, job, _ in states_of(self, solution):
            place, start = state.done[job], state.ready[job]
            machine = self.machines[self.machine_of[job, place]]
            operations.append(Operation(self.names[job], machine, start, start + self.time_of[job, place]))
        operations.sort(key=lambda one: (self.names.index(one.job), one.start, one.end))
        return ShopSchedule(self.names, self.machines, tuple(operations))

    result = schedule

    def picture(self, state: State) -> str | None:
        """For each job the operations that are left, each as early as the job allows, in the colours of their machines; None if
        they are many.
        """
        if sum(self.counts.tolist()) - sum(state.done) > _MOST_DRAWN:
            return None
        content, end = [], state.end
        for job in range(self.max_actions):
            time = state.ready[job]
            for place in range(state.done[job], self.counts[job]):
                machine, takes = self.machine_of[job, place], self.time_of[job, place]
                content.append(Bar(job, time, time + takes, str(self.machines[machine]), machine))
                time += takes
            end = max(end, time)
        return bars([str(name) for name in self.names], content, max(1, end))


class Operation(NamedTuple):
    """A part of a job on a machine."""

    job: Any
    machine: Any
    start: int
    end: int


@dataclass(frozen=True)
class ShopSchedule:
    """When each operation takes place. jobs, machines: their names. operations: the operations, job by job."""

    jobs: tuple[Any, ...]
    machines: tuple[Any, ...]
    operations: tuple[Operation, ...]

    @property
    def makespan(self) -> int:
        """When the last operation ends."""
        return max((one.end for one in self.operations), default=0)

    def to_csv(self, path: str | Path) -> None:
        """Write a row for each operation: job, machine, start, end."""
        write_csv(path, Operation._fields, self.operations)

    def picture(self) -> str:
        """A row for each machine with the jobs in their colours (a Gantt chart), as an SVG document."""
        row = {machine: number for number, machine in enumerate(self.machines)}
        number = {job: place for place, job in enumerate(self.jobs)}
        content = [Bar(row[one.machine], one.start, one.end, str(one.job), number[one.job]) for one in self.operations]
        return bars([str(machine) for machine in self.machines], content, max(1, self.makespan))


def _words(path: str | Path, named: str) -> Words:
    """The numbers of a file, or of the section of the OR-Library with an instance."""
    lines = Lines(path, "#")
    names = [line.removeprefix(_HEADING).strip() for _, line in lines if line.startswith(_HEADING)]
    if not names:
        if named:
            raise InputError(f"{path} has one instance, without a name; omit the name {shown(named)}")
        return lines.words()
    if named not in names:
        wrong = f"instance {shown(named)} is not in {path}" if named else f"{path} has {len(names)} instances"
        raise InputError(f"{wrong}; choose one by its name: {', '.join(names)}")
    section: list[tuple[int, str]] = []
    is_inside = False
    for number, line in lines:
        if line.startswith(_HEADING):
            is_inside = line.removeprefix(_HEADING).strip() == named
        elif is_inside and (section or line.split()[0].isdecimal()) and not line.startswith("+"):
            section += ((number, word) for word in line.split())
    return Words(lines, section)


def _checked(jobs: Any) -> list[list[tuple[int, int]]]:
    """The operations of jobs, if they are that."""
    found = []
    for number, job in enumerate(listed("jobs", jobs, "jobs")):
        operations: list[tuple[int, int]] = []
        for place, pair in enumerate(listed(f"job {number}", job, "pairs (machine, time)")):
            if not hasattr(pair, "__len__") or len(pair) != 2:
                raise InputError(f"operation {place} of job {number} is {shown(pair)}; write a pair (machine, time)")
            machine = whole(f"the machine of operation {place} of job {number}", pair[0], 0, MOST - 1)
            if machine in (other for other, _ in operations):
                raise InputError(f"job {number} visits machine {machine} twice; name each machine at most once")
            operations.append((machine, whole(f"the time of operation {place} of job {number}", pair[1])))
        found.append(operations)
    if not found:
        raise InputError("there are no jobs; pass at least one")
    return found
