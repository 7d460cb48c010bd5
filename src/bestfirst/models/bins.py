"""What assembly lines and bins share: a state fills one bin after the other, and three bounds count those that are needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from bestfirst.domain import Domain
from bestfirst.errors import InputError, shown
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.models.drawing import Bar, bars
from bestfirst.models.numbers import set_bits, table_of
from bestfirst.models.results import states_of, write_csv
from bestfirst.number_sets import members

if TYPE_CHECKING:
    from bestfirst.solution import Solution

HALVES, THIRDS = 2, 6


class Bins(Domain):
    """Items that fill one bin after the other; each bin costs 1. Subclasses name what they stand for.

    An action puts an item into the present bin, or opens the next bin, if no item that may be next fits.
    """

    class State(NamedTuple):
        """left: a set of items. room: in the present bin. size, halves, thirds: of the items left (see weight_*)."""

        left: int
        room: int
        size: int
        halves: int
        thirds: int

    resources = MappingProxyType({"room": "more"})
    identity = ("left", "room")
    unchecked = True  # numbers are at most 2**40
    frozen_arrays = frozenset({"sizes", "halves", "thirds", "first", "before"})
    default_heuristic = "fractions"
    opening: Any = "open"
    """The name of the action that opens a bin."""
    thing = "item"
    """What is put into a bin, for messages."""

    def __init__(self, names: Sequence[Any], sizes: Sequence[int], capacity: int, before: Sequence[Sequence[int]]) -> None:
        """before: for each item, those that must be in the same bin or an earlier one."""
        count = len(sizes)
        for name, size in zip(names, sizes, strict=True):
            if size > capacity:
                raise InputError(
                    f"{self.thing} {shown(name)} has size {size}, but the capacity is {capacity}; correct one of the two numbers"
                )
        self.items = tuple(names)
        self.actions = (*names, self.opening)
        self.capacity = capacity
        self.max_actions = count + 1
        self.is_free = int(not any(before))
        self.sizes: Any = table_of(sizes)
        self.halves: Any = table_of([weight_in_halves(size, capacity) for size in sizes])
        self.thirds: Any = table_of([weight_in_thirds(size, capacity) for size in sizes])
        self.first: Any = table_of([0, *accumulate(map(len, before))])
        self.before: Any = table_of([item for some in before for item in some])
        self.bits = {"left": set_bits(count)}
        totals = (sum(sizes), sum(self.halves), sum(self.thirds))
        self.initial = self.State((1 << count) - 1, 0, *totals)
        self._settle()

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        if action == self.max_actions - 1:
            if state.left == 0 or state.room == self.capacity:
                return False, state, 0
            for item in members(state.left):
                if self.sizes[item] <= state.room and self.may_be_next(state.left, item):
                    return False, state, 0
            return True, self.State(state.left, self.capacity, state.size, state.halves, state.thirds), 1
        room = state.room - self.sizes[action]
        if state.left >> action & 1 == 0 or room < 0 or not self.may_be_next(state.left, action):
            return False, state, 0
        if self.is_free and state.room == self.capacity and state.left & ((1 << action) - 1) != 0:
            return False, state, 0  # some bin holds the first item that is left: let it be this one
        left = state.left & ~(1 << action)
        halves, thirds = state.halves - self.halves[action], state.thirds - self.thirds[action]
        return True, self.State(left, room, state.size - self.sizes[action], halves, thirds), 0

    def may_be_next(self, left: int, item: int) -> bool:
        """Whether no item that must be earlier is left."""
        for place in range(self.first[item], self.first[item + 1]):  # noqa: SIM110  (a loop compiles to less code)
            if left >> self.before[place] & 1:
                return False
        return True

    def is_goal(self, state: State) -> bool:
        return state.left == 0

    @heuristic(admissible=True, consistent=True)
    def fractions(self, state: State) -> int:
        """The maximum of three bounds: by size, by items of half a bin and more, and by items of a third and more.

        An item of more than half a bin counts 1, one of a half 1/2; of more than two thirds 1, of two thirds 2/3, of more
        than a third 1/2, of a third 1/3. The room of the present bin counts as an item that fills it.
        Source: Scholl & Klein 1997 (as used by Kuroiwa & Beck 2023).
        """
        most = -((state.room - state.size) // self.capacity)
        most = max(most, -((weight_in_halves(state.room, self.capacity) - state.halves) // HALVES))
        return max(0, most, -((weight_in_thirds(state.room, self.capacity) - state.thirds) // THIRDS))

    @heuristic(admissible=True, consistent=True)
    def volume(self, state: State) -> int:
        """The number of bins that the items fill if they may be cut."""
        return max(0, -((state.room - state.size) // self.capacity))

    def format(self, state: State) -> str:
        return f"{state.left.bit_count()} left, room {state.room}"

    def packed(self, solution: Solution | Sequence[Any]) -> list[list[int]]:
        """The numbers of the items in each bin."""
        bins: list[list[int]] = []
        for _, action, _ in states_of(self, solution):
            if action == self.max_actions - 1:
                bins.append([])
            else:
                bins[-1].append(action)
        return bins

    def picture(self, state: State) -> str:
        """The present bin, and the items that are left, as bars."""
        left = list(members(state.left))
        rows = ["now", *(str(self.items[item]) for item in left)]
        content = [Bar(place, 0, self.sizes[item]) for place, item in enumerate(left, 1)]
        return bars(rows, [Bar(0, 0, self.capacity - state.room, colour=-1), *content], self.capacity)


def weight_in_halves(size: int, capacity: int) -> int:
    """How many halves of a bin an item is counted as: superadditive, so that no bin holds items of more than 2."""
    return 2 if 2 * size > capacity else 1 if 2 * size == capacity else 0


def weight_in_thirds(size: int, capacity: int) -> int:
    """How many sixths of a bin an item is counted as, by thirds of the capacity: superadditive, so a bin holds at most 6."""
    if 3 * size > capacity:
        return 6 if 3 * size > 2 * capacity else 4 if 3 * size == 2 * capacity else 3
    return 2 if 3 * size == capacity else 0


@dataclass(frozen=True)
class Packing:
    """What is in each bin. bins: the names of its items. sizes: their sizes. capacity: the capacity of a bin."""

    bins: tuple[tuple[Any, ...], ...]
    sizes: tuple[tuple[int, ...], ...]
    capacity: int

    @classmethod
    def of(cls, model: Bins, solution: Solution | Sequence[Any]) -> Packing:
        """The packing of a solution."""
        packed = model.packed(solution)
        names = tuple(tuple(model.items[item] for item in one) for one in packed)
        return cls(names, tuple(tuple(model.sizes[item] for item in one) for one in packed), model.capacity)

    @property
    def loads(self) -> tuple[int, ...]:
        """The sum of the sizes in each bin."""
        return tuple(map(sum, self.sizes))

    def to_csv(self, path: str | Path) -> None:
        """Write a row for each item: bin (counted from 1), item, size."""
        content = zip(self.bins, self.sizes, strict=True)
        rows = [(number, name, size) for number, of_bin in enumerate(content, 1) for name, size in zip(*of_bin, strict=True)]
        write_csv(path, ("bin", "item", "size"), rows)

    def picture(self) -> str:
        """A row for each bin, as an SVG document."""
        content = []
        for number, (names, sizes) in enumerate(zip(self.bins, self.sizes, strict=True)):
            ends = list(accumulate(sizes))
            for place, (name, size, end) in enumerate(zip(names, sizes, ends, strict=True)):
                content.append(Bar(number, end - size, end, str(name), colour=place % 2))
        return bars([str(number) for number in range(1, len(self.bins) + 1)], content, self.capacity)
