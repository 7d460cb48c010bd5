"""0-1 knapsacks, with one capacity or several: choose items of the greatest value that fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from bestfirst.domain import MORE, Domain
from bestfirst.errors import InputError, counted, shown
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.models.drawing import Bar, bars
from bestfirst.models.files import Lines, path_given
from bestfirst.models.numbers import in_one_order, matrix, names_of, row, table_of, whole
from bestfirst.models.results import states_of, write_csv

if TYPE_CHECKING:
    from bestfirst.solution import Solution

MOST_CAPACITIES = 10
_UNIT = 1 << 30
_ROOMS = tuple(f"room{number}" for number in range(MOST_CAPACITIES))


class MultiKnapsack(Domain):
    """The multi-dimensional knapsack problem: take items so that no capacity is exceeded. The cost is the value left behind.

    values: the value of each item. weights: for each capacity, a row with the weight of each item. capacities: at most
    MOST_CAPACITIES. names: the names of the items.
    Raises InputError for invalid numbers, or numbers so large that the bound may not fit into 64 bits.

    The actions "take" and "leave" decide about the next item; items with a higher ratio of value to weight come first.
    With several capacities, few states dominate others, and finding them would take longer than searching them, so no state is
    dropped as dominated.
    Source: Dantzig 1957 (the bound); Glover 1968 (several capacities added up); as a state space: Kuroiwa & Beck 2023.
    """

    class State(NamedTuple):
        """item: the next one. room0, room1, ...: what is left of each capacity."""

        item: int
        room0: int
        room1: int
        room2: int
        room3: int
        room4: int
        room5: int
        room6: int
        room7: int
        room8: int
        room9: int

    actions = ("take", "leave")
    max_actions = 2
    unchecked = True  # __init__ refuses large numbers
    frozen_arrays = frozenset({"values", "weights", "price", "value_before", "weight_before"})
    default_heuristic = "fractional"

    def __init__(
        self, values: Sequence[int], weights: Any, capacities: Sequence[int], *, names: Sequence[Any] | None = None
    ) -> None:
        values, weights = in_one_order(values=values, weights=weights)
        given = row("values", values).tolist()
        limits = row("capacities", capacities).tolist()
        if not 1 <= len(limits) <= MOST_CAPACITIES:
            raise InputError(f"there are {len(limits)} capacities; use 1 to {MOST_CAPACITIES}")
        rows = matrix("weights", weights, len(given)).tolist()
        if len(rows) != len(limits):
            raise InputError(
                f"weights has {counted(len(rows), 'row')}, but capacities has {counted(len(limits), 'entry', 'entries')}; write "
                "a row of weights for each capacity"
            )
        labels = names_of("items", names, range(len(given)))
        price = [1] if len(limits) == 1 else [_UNIT // max(limit, 1) for limit in limits]
        added = [sum(one * of_row[item] for one, of_row in zip(price, rows, strict=True)) for item in range(len(given))]
        if (sum(given) + 1) * (
            sum(one * limit for one, limit in zip(price, limits, strict=True)) + sum(added) + 1
        ) >= 1 << 62:
            raise InputError("the estimates could exceed 64 bits; use larger units of value or weight")
        worth = [Fraction(value, weight) if weight else None for value, weight in zip(given, added, strict=True)]
        order = sorted(range(len(given)), key=lambda item: (worth[item] is not None, -(worth[item] or 0), item))
        self.items = tuple(labels[item] for item in order)
        self.count = len(order)
        self.capacities = tuple(limits)
        rows += [[0] * len(given)] * (MOST_CAPACITIES - len(limits))
        self.values: Any = table_of([given[item] for item in order])
        self.weights: Any = matrix("weights", [[of_row[item] for item in order] for of_row in rows], len(order))
        self.price: Any = table_of(price + [0] * (MOST_CAPACITIES - len(limits)))
        self.value_before: Any = table_of([0, *accumulate(given[item] for item in order)])
        self.weight_before: Any = table_of([0, *accumulate(added[item] for item in order)])
        self.bits = {"item": 32} | dict.fromkeys(_ROOMS[len(limits) :], 0)
        self.initial = self.State(0, *limits, *[0] * (MOST_CAPACITIES - len(limits)))
        self._settle()

    @classmethod
    def from_file(cls, path: str | Path, *, number: int = 1) -> MultiKnapsack:
        """An instance of a file of the OR-Library: the number of instances; for each, the numbers of items and of capacities, the
        best known value, the values, a row of weights for each capacity, and the capacities.

        number: which instance of the file, counted from 1. Raises InputError that names the file and the line.
        """
        words = Lines(path).words()
        there = words.whole("the number of instances", 1)
        if not 1 <= whole("number", number) <= there:
            raise InputError(f"number is {number}; use a number from 1 to {there}, the number of instances in {path}")
        for _ in range(number):
            count, capacities = (
                words.whole("the number of items"),
                words.whole("the number of capacities", 1, MOST_CAPACITIES),
            )
            words.take("the best known value")
            values = words.wholes(count, "value")
            weights = [words.wholes(count, f"row {place} of the weights, number") for place in range(1, capacities + 1)]
            limits = words.wholes(capacities, "capacity")
        if number == there:
            words.end("the last capacity")
        elif not words.left:
            words.fail(
                f"the file ends before instance {number + 1} of {there}; complete it, or correct the number of instances"
            )
        return cls(values, weights, limits)

    @classmethod
    def from_text(cls, text: str = "", *, file: str = "", number: str = "1") -> MultiKnapsack:
        """An instance from command-line arguments: the path of a file, and a number in it."""
        if not number.isdecimal():
            raise InputError(f"number is {shown(number)}; write a whole number, such as 1")
        return cls.from_file(path_given(cls.name(), text, file), number=int(number))

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        if state.item == self.count:
            return False, state, 0
        item = state.item
        if action == 1:
            return True, state._replace(item=item + 1), self.values[item]
        following = self.State(
            item + 1,
            state.room0 - self.weights[0, item],
            state.room1 - self.weights[1, item],
            state.room2 - self.weights[2, item],
            state.room3 - self.weights[3, item],
            state.room4 - self.weights[4, item],
            state.room5 - self.weights[5, item],
            state.room6 - self.weights[6, item],
            state.room7 - self.weights[7, item],
            state.room8 - self.weights[8, item],
            state.room9 - self.weights[9, item],
        )
        few = min(following.room0, following.room1, following.room2, following.room3, following.room4)
        fits = min(few, following.room5, following.room6, following.room7, following.room8, following.room9) >= 0
        return fits, following if fits else state, 0

    def is_goal(self, state: State) -> bool:
        return state.item == self.count

    @heuristic(admissible=True, consistent=True)
    def fractional(self, state: State) -> int:
        """The value left behind if items may be divided and all capacities are added up, each as a fraction of its total."""
        room = self.price[0] * state.room0 + self.price[1] * state.room1 + self.price[2] * state.room2
        room += self.price[3] * state.room3 + self.price[4] * state.room4 + self.price[5] * state.room5
        room += self.price[6] * state.room6 + self.price[7] * state.room7 + self.price[8] * state.room8
        room += self.price[9] * state.room9 + self.weight_before[state.item]
        low, high = state.item, self.count  # the items before low fit
        while low < high:
            middle = (low + high + 1) // 2
            if self.weight_before[middle] <= room:
                low = middle
            else:
                high = middle - 1
        left = self.value_before[self.count] - self.value_before[low]
        if low == self.count:
            return 0
        weight = self.weight_before[low + 1] - self.weight_before[low]
        part: int = self.values[low] * (room - self.weight_before[low]) // weight
        return left - part  # type: ignore[no-any-return]

    def format(self, state: State) -> str:
        rooms = ", ".join(str(room) for room in state[1 : len(self.capacities) + 1])
        return f"{counted(self.count - state.item, 'item')} to decide, room {rooms}"

    def selection(self, solution: Solution | Sequence[Any]) -> Selection:
        """The items that a solution, or a list of actions, takes."""
        taken = [state.item for state, action, _ in states_of(self, solution) if action == 0]
        values = tuple(self.values[item] for item in taken)
        weights = tuple(tuple(self.weights[capacity, item] for item in taken) for capacity in range(len(self.capacities)))
        return Selection(tuple(self.items[item] for item in taken), values, weights, self.capacities)

    result = selection

    def picture(self, state: State) -> str:
        """How full each capacity is."""
        content = [
            Bar(place, 0, (limit - room) / max(limit, 1))
            for place, (limit, room) in enumerate(zip(self.capacities, state[1:], strict=False))
        ]
        return bars([f"{limit}" for limit in self.capacities], content, 1)


class Knapsack(MultiKnapsack):
    """The knapsack problem: take items whose total weight fits the capacity. The cost is the value of the items left behind.

    values, weights: the value and the weight of each item. names: the names of the items. Everything else is as in MultiKnapsack.
    Of two states with the same next item, the one with more capacity left dominates the other.
    """

    resources = MappingProxyType({"room0": MORE})

    def __init__(
        self, values: Sequence[int], weights: Sequence[int], capacity: int, *, names: Sequence[Any] | None = None
    ) -> None:
        values, weights = in_one_order(values=values, weights=weights)
        super().__init__(values, [row("weights", weights).tolist()], [whole("capacity", capacity)], names=names)

    @classmethod
    def from_file(cls, path: str | Path) -> Knapsack:  # type: ignore[override]
        """An instance from a file: the number of items, the capacity, and for each item its value and its weight.

        Raises InputError that names the file and the line.
        """
        words = Lines(path).words()
        count, capacity = words.whole("the number of items"), words.whole("the capacity")
        pairs = [
            (words.whole(f"the value of item {item}"), words.whole(f"the weight of item {item}"))
            for item in range(1, count + 1)
        ]
        words.end("the last item")
        return cls([value for value, _ in pairs], [weight for _, weight in pairs], capacity)

    @classmethod
    def from_text(cls, text: str = "", *, file: str = "") -> Knapsack:  # type: ignore[override]
        """An instance from command-line arguments: the path of a file."""
        return cls.from_file(path_given(cls.name(), text, file))


@dataclass(frozen=True)
class Selection:
    """The items that are taken. items: their names. values: their values. weights: for each capacity, their weights.
    capacities: all capacities."""

    items: tuple[Any, ...]
    values: tuple[int, ...]
    weights: tuple[tuple[int, ...], ...]
    capacities: tuple[int, ...]

    @property
    def value(self) -> int:
        """The sum of the values."""
        return sum(self.values)

    def to_csv(self, path: str | Path) -> None:
        """Write a row for each item: item, value, and its weight for each capacity."""
        heads = ["weight"] if len(self.weights) == 1 else [f"weight{number}" for number in range(1, len(self.weights) + 1)]
        write_csv(path, ("item", "value", *heads), zip(self.items, self.values, *self.weights, strict=True))

    def picture(self) -> str:
        """The items in each capacity, in parts of the whole, as an SVG document."""
        content = []
        for place, (weights, limit) in enumerate(zip(self.weights, self.capacities, strict=True)):
            ends = accumulate(weights)
            for number, (name, weight, end) in enumerate(zip(self.items, weights, ends, strict=True)):
                bar = Bar(place, (end - weight) / max(limit, 1), end / max(limit, 1), str(name), colour=number % 2)
                content.append(bar)
        return bars([str(limit) for limit in self.capacities], content, 1)
