"""The exact distance of every state of a domain to the nearest goal, a byte each, by rank: what pattern databases are made of.

Level by level: the states at distance d are found in the table, and what they come from is given d + cost, where it had more.
In an undirected domain what a state comes from is what it leads to (relaxed_backward). Elsewhere each state without a distance
looks whether what it leads to gives it one (relaxed_forward), which takes a look at all of them for every level.

States of a level may lead to others at no cost; then the level is gone through again until nothing changes.
Source: Dial 1969; Culberson & Schaeffer 1998.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.best_first import no_estimate
from bestfirst.compiled.faults import check_rank
from bestfirst.compiled.side_by_side import side_by_side
from bestfirst.compiled.specialise import specialise
from bestfirst.errors import InputError, ProblemError
from bestfirst.problem import Domain

if TYPE_CHECKING:
    from bestfirst.compiled.names import MAX_ACTIONS, as_self, entry, is_goal, rank, step, unrank

UNKNOWN = 255
"""In the table: no distance is known."""
FARTHEST = 254

# The places of the control array: the level; counts of its states, and of those that a distance was given; whether one of this
# level was; the state that something is wrong with.
LEVEL, FOUND, GIVEN, AGAIN, CULPRIT = range(5)

# How a slice ended.
DONE, FAULTY, TOO_FAR = range(3)

ONES = np.uint64(0x0101_0101_0101_0101)
HIGHS = np.uint64(0x8080_8080_8080_8080)
NOTHING = np.uint64(0)

CHUNK = 1 << 20
"""Bytes of the table that a slice looks through: a multiple of 8."""
PADDING = 8
TRIAL, TRIAL_STEP = 1 << 13, 7919
"""A trial looks at so many ranks at a time, and goes on so many such pieces farther on."""


def goals_slice(
    data: Any,
    table: Any,
    words: Any,  # noqa: ARG001  (as relaxed_backward takes them)
    control: Any,
    size: int,
    start: int,
    end: int,
) -> int:
    """Give the goals among these ranks the distance 0."""
    me = as_self(data)
    for number in range(start, min(end, size)):
        state = unrank(me, number)
        if is_goal(me, state) and rank(me, state) == number:
            table[number] = 0
            control[GIVEN] += 1
    return DONE


def relaxed_backward(data: Any, table: Any, words: Any, control: Any, size: int, start: int, end: int) -> int:
    """Go from the states of the level among these ranks to what they come from, which is what they lead to.

    words: the table as 64-bit words: one without a byte of the level is passed over whole.
    """
    me = as_self(data)
    level = control[LEVEL]
    wanted = np.uint64(level) * ONES
    found = 0
    given = 0
    for at in range(start // 8, end // 8):
        differing = words[at] ^ wanted
        if (differing - ONES) & ~differing & HIGHS == NOTHING:
            continue
        for number in range(8 * at, 8 * at + 8):
            if table[number] != level:
                continue
            found += 1
            state = unrank(me, number)
            for action in range(MAX_ACTIONS):
                legal, other, cost = step(me, state, action)
                if not legal:
                    continue
                source = rank(me, other)
                if not 0 <= source < size or cost < 0:
                    control[CULPRIT] = number
                    return FAULTY
                distance = level + cost
                if distance < table[source]:
                    if distance > FARTHEST:
                        control[CULPRIT] = number
                        return TOO_FAR
                    table[source] = distance
                    given += 1
                    if cost == 0:
                        control[AGAIN] = 1
    control[FOUND] += found
    control[GIVEN] += given
    return DONE


def relaxed_forward(
    data: Any,
    table: Any,
    words: Any,  # noqa: ARG001  (as relaxed_backward takes them)
    control: Any,
    size: int,
    start: int,
    end: int,
) -> int:
    """Give the level to those among these ranks that an action takes to where the goal is nearer by its cost."""
    me = as_self(data)
    level = control[LEVEL]
    found = 0
    for number in range(start, min(end, size)):
        if table[number] == level:
            found += 1
        if table[number] != UNKNOWN:
            continue
        state = unrank(me, number)
        if rank(me, state) != number:
            continue
        for action in range(MAX_ACTIONS):
            legal, other, cost = step(me, state, action)
            if not legal:
                continue
            target = rank(me, other)
            if not 0 <= target < size or cost < 0:
                control[CULPRIT] = number
                return FAULTY
            if table[target] == UNKNOWN:
                continue
            distance = np.int64(table[target]) + cost
            if distance == level:
                table[number] = level
                found += 1
                control[AGAIN] = 1
                break
            if distance > level:
                if distance > FARTHEST:
                    control[CULPRIT] = number
                    return TOO_FAR
                control[GIVEN] += 1
    control[FOUND] += found
    return DONE


def entries_slice(data: Any, table: Any, least: Any, size: int, start: int, end: int) -> None:
    """For the states of these ranks: give each entry the least of the distances of the states that share it."""
    me = as_self(data)
    for number in range(start, min(end, size)):
        if table[number] != UNKNOWN:
            place = entry(me, unrank(me, number))
            least[place] = min(least[place], table[number])


class Distances:
    """The table at work, level by level.

    table: a byte for each rank, and some more up to a multiple of 8; all UNKNOWN, or from a build that was stopped.
    levels: how many states each finished level has. A build that goes on has those that were finished then: what the table held
    beyond them is done again, with the same result.
    """

    def __init__(self, domain: Domain, table: Any, *, threads: int = 1, levels: list[int] | None = None) -> None:
        self._domain = domain
        self.table = table
        self._words = table.view(np.uint64)
        self.levels = list(levels or [])
        self.complete = False
        self._forward = not is_undirected(domain)
        self._threads = threads if domain.unit_cost and not self._forward else 1
        self._states = self._slice(relaxed_forward if self._forward else relaxed_backward)
        if not self.levels:
            self._mark_goals()

    def _slice(self, template: Callable[..., Any]) -> Callable[..., int]:
        compiled = specialise(template, self._domain, no_estimate, optional=("rank", "unrank"))
        return partial(compiled.run, compiled.data, self.table, self._words)

    def _mark_goals(self) -> None:
        goal = self._domain.goal_state()
        if goal is not None:
            self.table[self._domain.rank(goal)] = 0
            return
        control = np.zeros(5, np.int64)
        self._slice(goals_slice)(control, self._domain.size, 0, len(self.table))
        if control[GIVEN] == 0:
            raise InputError(f"no state of {self._domain.name()} is a goal, so there are no distances to one")

    def next_level(self) -> Iterator[int]:
        """Do a level, giving now and then how many ranks have been looked at; complete says whether it was the last one."""
        level = len(self.levels)
        while True:
            looked, found, given, again = 0, 0, 0, 0
            starts = list(range(0, len(self.table), CHUNK))
            bounds = list(pairwise([*starts, len(self.table)]))
            for first in range(0, len(bounds), self._threads):
                part = bounds[first : first + self._threads]
                controls = [np.zeros(5, np.int64) for _ in part]
                for control in controls:
                    control[LEVEL] = level
                self._do(part, controls)
                found += sum(int(control[FOUND]) for control in controls)
                given += sum(int(control[GIVEN]) for control in controls)
                again += sum(int(control[AGAIN]) for control in controls)
                looked = part[-1][1]
                yield looked
            if not again:
                break
        self.levels.append(found)
        self.complete = not self._goes_on(given)

    def _goes_on(self, given: int) -> bool:
        """Whether there is a further level: something was given a greater distance, or has had one."""
        if given:
            return True
        return bool(histogram(self.table)[len(self.levels) : UNKNOWN].any())

    def _do(self, bounds: list[tuple[int, int]], controls: list[Any]) -> None:
        size = self._domain.size
        tasks = [
            partial(self._states, control, size, start, end) for (start, end), control in zip(bounds, controls, strict=True)
        ]
        ends = side_by_side(tasks)
        for how, control in zip(ends, controls, strict=True):
            if how != DONE:
                self._complain(how, self._domain.unrank(int(control[CULPRIT])))

    def _complain(self, how: int, state: Any) -> None:
        if how == TOO_FAR:
            raise InputError(
                f"{self._domain.name()} has states farther than {FARTHEST} from the goal, such as {state!r}; "
                "a table has a byte for each: give a smaller pattern"
            )
        for _action, other, cost in self._domain.successors(state):
            check_rank(self._domain, other)
            if not isinstance(cost, int) or cost < 0:
                raise ProblemError(f"an action in {state!r} costs {cost!r}; distances in a table need whole numbers >= 0")
        raise ProblemError(
            f"step({state!r}, ...) gives another result compiled than interpreted; bestfirst.check(domain) finds the reason"
        )

    def try_out(self, start: int, end: int) -> int:
        """Go on from the states of level 0 among these ranks; how many there are."""
        control = np.zeros(5, np.int64)
        self._do([(start, end)], [control])
        return int(control[FOUND]) or end - start

    def entries(self, least: Any) -> Iterator[float]:
        """Put into an array of UNKNOWN, by entry, the least of the distances of the states that share it; how much is done."""
        compiled = specialise(entries_slice, self._domain, no_estimate, optional=("unrank", "entry"))
        size = self._domain.size
        for start in range(0, size, CHUNK):
            compiled.run(compiled.data, self.table, least, size, start, start + CHUNK)
            yield min(1.0, (start + CHUNK) / size)


def expansion_rate(domain: Domain, seconds: float) -> float:
    """How many states a second are gone on from, as a trial on states spread over the domain tells.

    In a table of zeros all states are of level 0, and none is given a smaller distance; so nothing is written, and the memory
    that the table would take is not touched.
    """
    table = np.zeros(rounded_up(domain.size), np.uint8)
    if not is_undirected(domain):
        table[:] = UNKNOWN  # there, those without a distance are looked at
    distances = Distances(domain, table, levels=[0])
    distances.try_out(0, PADDING)  # compiles
    started, looked, number = perf_counter(), 0, 0
    pieces = max(1, len(distances.table) // TRIAL)
    while number < pieces and (number == 0 or perf_counter() - started < seconds):
        start = TRIAL * (number * TRIAL_STEP % pieces)
        looked += distances.try_out(start, min(start + TRIAL, len(distances.table)))
        number += 1
    return looked / (perf_counter() - started)


def histogram(table: Any) -> Any:
    """How often each byte is in a table; piece by piece, since NumPy counts 64-bit numbers."""
    return sum(np.bincount(table[start : start + CHUNK], minlength=256) for start in range(0, len(table), CHUNK))


def is_undirected(domain: Domain) -> bool:
    """Whether each action can be undone by one of the same cost: the domain says so, or names the inverses."""
    return domain.undirected or all(domain.inverse(action) >= 0 for action in range(domain.max_actions))


def rounded_up(size: int) -> int:
    """The length of a table for so many ranks: whole words."""
    return -(-size // PADDING) * PADDING
