"""Single-machine total weighted tardiness: in which order to do jobs, so that late ones cost little."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bestfirst.domain import Domain
from bestfirst.errors import InputError, counted, shown
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.models.drawing import Bar, bars
from bestfirst.models.files import Lines, path_given
from bestfirst.models.numbers import in_one_order, names_of, row, set_bits, unions_of_sets, whole, words_of_sets
from bestfirst.models.results import states_of, write_csv
from bestfirst.number_sets import members

if TYPE_CHECKING:
    from bestfirst.solution import Solution

SCALE = 64
"""Multipliers are whole numbers of this part of a unit."""
ROUNDS = 300
PART, PARTS = 9, 7
"""Sums over a set of jobs are looked up for so many jobs at a time, so many times for each word of 63 bits."""
UNION, UNIONS = 7, 9
"""Unions of sets, likewise."""
_LARGEST = 1 << 62


class WeightedTardiness(Domain):
    """Weighted tardiness: one machine does jobs from time 0 on; a job costs its weight for each unit of time that it is late.

    times: how long each job takes, whole numbers >= 0. weights: the weight of each job. due: the due date of each job. names: the
    names of the jobs. Raises InputError for invalid numbers, or numbers so large that costs may not fit into 64 bits.

    An action is the next job. In states, jobs are numbered by due date; model.jobs names them.
    For some pairs of jobs, one can be proved to precede the other in some optimal order (Emmons 1969; Rinnooy Kan, Lageweg &
    Lenstra 1975). Actions that break this precedence are illegal.
    Source: Lawler 1977; as a state space: Kuroiwa & Beck 2023.
    """

    class State(NamedTuple):
        """waiting: a set of jobs. time and bound (see multipliers) follow from it."""

        waiting: int
        time: int
        bound: int

    identity = ("waiting",)
    fixed = ("words",)  # of sets: a constant
    unchecked = True  # __init__ refuses large numbers
    frozen_arrays = frozenset({"times", "weights", "due", "multiplier", "before", "prior", "sums", "blocked"})
    default_heuristic = "multipliers"

    def __init__(
        self, times: Sequence[int], weights: Sequence[int], due: Sequence[int], *, names: Sequence[Any] | None = None
    ) -> None:
        times, weights, due = in_one_order(times=times, weights=weights, due=due)
        given = row("times", times)
        count = self.max_actions = len(given)
        labels = names_of("jobs", names, range(count))
        of_jobs = list(
            zip(row("due", due, count).tolist(), given.tolist(), row("weights", weights, count).tolist(), strict=True)
        )
        order = sorted(range(count), key=lambda job: of_jobs[job][0])
        self.jobs = self.actions = tuple(labels[job] for job in order)
        ordered = [of_jobs[job] for job in order]
        self.due: Any = row("due", [deadline for deadline, _, _ in ordered])
        self.times: Any = row("times", [time for _, time, _ in ordered])
        self.weights: Any = row("weights", [weight for _, _, weight in ordered])
        total = sum(time for _, time, _ in ordered)
        if SCALE * sum(weight for _, _, weight in ordered) * (total + max([0, *self.due])) >= _LARGEST:
            raise InputError("the weighted tardiness could exceed 64 bits; use a larger unit of time, or smaller weights")
        self._set_tables(self.times.tolist(), self.weights.tolist(), self.due.tolist())
        self.bits = {"waiting": set_bits(count)}
        self.initial = self.State((1 << count) - 1, 0, self._bound)
        self._settle()

    def _set_tables(self, times: list[int], weights: list[int], due: list[int]) -> None:
        """The multipliers; as sets for each job, those that precede it and those of higher priority; and for each set of jobs of a
        part, the sums of their times and multipliers, in one number."""
        import numpy as np  # noqa: PLC0415  (listing models does not need it)

        multipliers = best_multipliers(times, weights, due)
        self.multiplier: Any = np.array(multipliers, np.int64)
        order = _by_priority(times, multipliers)
        prior, done = [0] * len(times), 0
        time, self._bound = 0, 0
        for job in order:
            prior[job], done = done, done | 1 << job
            time += times[job]
            self._bound += multipliers[job] * (time - due[job])
        self.bits_of_urgency = sum(multipliers).bit_length()  # both sums fit into 63 bits, since their product fits into 62
        self.parts = -(-len(times) // PART)
        pairs = np.zeros(self.parts * PART, np.int64)
        pairs[: len(times)] = [time << self.bits_of_urgency | price for time, price in zip(times, multipliers, strict=True)]
        chosen = np.arange(1 << PART) >> np.arange(PART)[:, np.newaxis] & 1
        self.sums: Any = pairs.reshape(-1, PART) @ chosen
        self.words = len(times) // 63 + 1
        before = precedence(times, weights, due)
        self.before: Any = words_of_sets(before, self.words)
        self.unions = -(-len(times) // UNION)
        after = [sum(1 << job for job, some in enumerate(before) if some >> one & 1) for one in range(len(times))]
        self.blocked: Any = unions_of_sets(after, UNION, self.words)
        self.prior: Any = words_of_sets(prior, self.words)

    @classmethod
    def from_file(cls, path: str | Path, *, number: int = 1, jobs: int | None = None) -> WeightedTardiness:
        """An instance of a file of the OR-Library: for each instance, the times, the weights and the due dates of its jobs.

        number: which instance of the file, counted from 1. jobs: how many each instance has; default: the number in the name
        of the file, such as wt40.txt. Raises InputError that names the file and the line.
        """
        words = Lines(path).words()
        in_name = re.search(r"\d+", Path(path).stem)
        if jobs is None and in_name is None:
            raise InputError(
                f"the name of {path} does not contain the number of jobs, as wt40.txt does; pass jobs (--jobs), or rename the file"
            )
        count = whole("jobs", int(in_name[0]) if jobs is None and in_name is not None else jobs, 1)
        of_each = 3 * count
        if words.left % of_each:
            raise InputError(
                f"{path} has {counted(words.left, 'number')}, not a multiple of {of_each} (a time, a weight and a due date for "
                "each job); complete the last instance, or correct the number of jobs"
            )
        if not 1 <= whole("number", number) <= words.left // of_each:
            raise InputError(
                f"number is {number}; use a number from 1 to {words.left // of_each}, the number of instances in {path}"
            )
        for _ in range((number - 1) * of_each):
            words.take("the instance")
        return cls(*(words.wholes(count, what) for what in ("processing time", "weight", "due date")))

    @classmethod
    def from_text(cls, text: str = "", *, file: str = "", number: str = "1", jobs: str | None = None) -> WeightedTardiness:
        """An instance from command-line arguments: the path of a file, and a number in it."""
        for what, given in (("number", number), ("jobs", jobs)):
            if given is not None and not given.isdecimal():
                raise InputError(f"{what} is {shown(given)}; write a whole number, such as 1")
        path = path_given(cls.name(), text, file)
        return cls.from_file(path, number=int(number), jobs=None if jobs is None else int(jobs))

    def prepare(self, state: State) -> int:
        """The jobs that may be next: no waiting job precedes them."""
        free = state.waiting
        for word in range(self.words):
            blocked = 0
            for other in range(self.words):
                waiting = state.waiting >> 63 * other & (1 << 63) - 1
                for part in range(other * UNIONS, min((other + 1) * UNIONS, self.unions)):
                    blocked |= self.blocked[part, waiting & (1 << UNION) - 1, word]
                    waiting >>= UNION
            free &= ~(blocked << 63 * word)
        return free

    def step(self, state: State, action: int, free: int) -> tuple[bool, State, int]:
        if free >> action & 1 == 0:
            return False, state, 0
        time, due = state.time + self.times[action], self.due[action]
        sums = 0
        for word in range(self.words):
            waiting = state.waiting >> 63 * word & (1 << 63) - 1
            prior = waiting & self.prior[action, word]
            for part in range(word * PARTS, min((word + 1) * PARTS, self.parts)):
                sums += self.sums[part, prior & (1 << PART) - 1]
                prior >>= PART
        earlier, urgency = sums >> self.bits_of_urgency, sums & (1 << self.bits_of_urgency) - 1
        bound = state.bound - self.multiplier[action] * (time - due + earlier) + self.times[action] * urgency
        late = max(0, time - due)
        return True, self.State(state.waiting & ~(1 << action), time, bound), late * self.weights[action]

    def is_goal(self, state: State) -> bool:
        return state.waiting == 0

    @heuristic(admissible=True, consistent=True)
    def multipliers(self, state: State) -> int:
        """A Lagrangian bound: lateness has a price of at most the weight, and jobs that are early reduce the cost.

        Source: Potts & Van Wassenhove 1985.
        """
        return max(0, -(-state.bound // SCALE))

    @heuristic(admissible=True, consistent=True)
    def overdue(self, state: State) -> int:
        """The sum, over all waiting jobs, of the cost of the job if it were next."""
        cost = 0
        for job in members(state.waiting):
            cost += max(0, state.time + self.times[job] - self.due[job]) * self.weights[job]
        return cost

    def format(self, state: State) -> str:
        return f"time {state.time}, {counted(state.waiting.bit_count(), 'job')} waiting"

    def schedule(self, solution: Solution | Sequence[Any]) -> Schedule:
        """The schedule of a solution, or of a list of actions."""
        steps = states_of(self, solution)
        order = [action for _, action, _ in steps]
        late = [max(0, after.time - self.due[job]) for _, job, after in steps]
        return Schedule(
            tuple(self.jobs[job] for job in order),
            tuple(state.time for state, _, _ in steps),
            tuple(after.time for _, _, after in steps),
            tuple(self.due[job] for job in order),
            tuple(late),
            sum(tardy * self.weights[job] for tardy, job in zip(late, order, strict=True)),
        )

    result = schedule

    def picture(self, state: State) -> str:
        """Each waiting job as if it were the next, red if it is late; a line marks its due date. Other jobs are grey."""
        content = []
        for job in range(self.max_actions):
            is_waiting, end = state.waiting >> job & 1, state.time + self.times[job]
            content.append(
                Bar(job, state.time, end, colour=int(end > self.due[job]))
                if is_waiting
                else Bar(job, 0, state.time, colour=-1)
            )
        return bars([str(name) for name in self.jobs], content, sum(self.times), marks=enumerate(self.due))


@dataclass(frozen=True)
class Schedule:
    """A schedule. jobs: the jobs in order. starts, ends, due: their times and due dates. tardiness: how late each is. cost: the
    weighted sum of the tardiness."""

    jobs: tuple[Any, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    due: tuple[int, ...]
    tardiness: tuple[int, ...]
    cost: int

    def to_csv(self, path: str | Path) -> None:
        """Write a row for each job: job, start, end, due, tardiness."""
        rows = zip(self.jobs, self.starts, self.ends, self.due, self.tardiness, strict=True)
        write_csv(path, ("job", "start", "end", "due", "tardiness"), rows)

    def picture(self) -> str:
        """A Gantt chart as an SVG document: late jobs are red, and a line marks each due date."""
        times = zip(self.starts, self.ends, self.tardiness, strict=True)
        content = [Bar(place, start, end, colour=int(late > 0)) for place, (start, end, late) in enumerate(times)]
        return bars([str(job) for job in self.jobs], content, max([1, *self.ends]), marks=enumerate(self.due))


def precedence(times: Sequence[int], weights: Sequence[int], due: Sequence[int]) -> list[int]:
    """For each job a set of jobs that precede it in some optimal order, by the first and the third theorem of Emmons 1969.

    One job precedes another one that takes no less, has no more weight, and is due no earlier, or cannot end earlier than the
    first one is due; and one that is on time even directly after the first one at its latest.
    """
    jobs, total = range(len(times)), sum(times)
    before, after = [0] * len(times), [0] * len(times)
    time_before, time_after = [0] * len(times), [0] * len(times)
    grows = True
    while grows:
        grows = False
        for one, other in permutations(jobs, 2):
            if before[one] >> other & 1 or before[other] >> one & 1:
                continue
            is_as_good = times[one] <= times[other] and weights[one] >= weights[other]
            is_due = is_as_good and due[one] <= max(due[other], time_before[other] + times[other])
            if not is_due and due[other] < total - time_after[one]:
                continue
            early, late = before[one] | 1 << one, after[other] | 1 << other
            for job in members(late):
                before[job] |= early
                time_before[job] = sum(times[earlier] for earlier in members(before[job]))
            for job in members(early):
                after[job] |= late
                time_after[job] = sum(times[later] for later in members(after[job]))
            grows = True
    return before


def best_multipliers(times: Sequence[int], weights: Sequence[int], due: Sequence[int]) -> list[int]:
    """Prices of lateness, in parts of SCALE and at most the weights, for which the bound is large, by subgradient steps in ints."""
    prices = best = [weight * SCALE // 2 for weight in weights]
    most, least, pace, failures = -1, None, 2 << 20, 0
    jobs = range(len(times))
    for _ in range(ROUNDS):
        lateness, time = [0] * len(times), 0
        for job in sorted(jobs, key=lambda job: (times[job] << 40) // (prices[job] + 1)):
            time += times[job]
            lateness[job] = time - due[job]
        value = sum(price * late for price, late in zip(prices, lateness, strict=True))
        cost = SCALE * sum(weight * max(0, late) for weight, late in zip(weights, lateness, strict=True))
        least = cost if least is None else min(least, cost)
        if value > most:
            most, best, failures = value, prices, 0
        else:
            failures += 1
            if failures == 15:
                prices, pace, failures = best, pace * 2 // 3, 0
                continue
        norm = sum(late * late for late in lateness) << 20
        if pace == 0 or norm == 0 or least <= most:
            break
        gap = least * 65 // 64 - value
        prices = [
            min(max(price + pace * gap * late // norm, 0), weight * SCALE)
            for price, late, weight in zip(prices, lateness, weights, strict=True)
        ]
    return best


def _by_priority(times: Sequence[int], prices: Sequence[int]) -> list[int]:
    """The jobs by price per unit of time, the highest first (Smith 1956)."""
    ratio = [Fraction(time, price) if price else None for time, price in zip(times, prices, strict=True)]
    return sorted(range(len(times)), key=lambda job: (ratio[job] is None, ratio[job] or 0, job))
