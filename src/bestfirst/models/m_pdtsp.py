"""The multi-commodity pickup-and-delivery travelling salesperson problem (m-PDTSP): each commodity from one place to another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bestfirst.domain import Domain
from bestfirst.errors import InputError, counted, needing_numpy
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.models.drawing import Bar, bars
from bestfirst.models.files import path_given
from bestfirst.models.numbers import (
    distances_of,
    listed,
    names_of,
    number_bits,
    row,
    set_bits,
    table_of,
    whole,
    words_of_sets,
)
from bestfirst.models.results import states_of, write_csv
from bestfirst.models.tsplib import NO_ARC, read_tsplib

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bestfirst.solution import Solution

_FEWEST = 2


class MPDTSP(Domain):
    """Pickup and delivery: a vehicle drives from the first place to the last through all others, and transports commodities.

    distances: rows of whole numbers >= 0, or -1 where one place cannot directly follow the other; a NetworkX graph or a pandas
    DataFrame also names the places. commodities: a triple (from, to, amount) for each, with the places as numbers from 0.
    capacity: the maximum load. names: the names of the places.
    Raises InputError for invalid numbers, for a commodity that exceeds the capacity, and for commodities that require a place to
    be visited before itself.

    An action is the next place. A place is legal once all places that deliver to it are visited, and if the load then fits.
    Source: Hernandez-Perez & Salazar-Gonzalez 2009; as a state space with these bounds: Kuroiwa & Beck 2023.
    """

    class State(NamedTuple):
        """left: a set of places. load, entering, leaving: what is carried, and the bounds; all three follow from the others."""

        left: int
        place: int
        load: int
        entering: int
        leaving: int

    identity = ("left", "place")
    unchecked = True  # numbers are at most 2**40
    frozen_arrays = frozenset({"distances", "demands", "before", "nearest_to", "nearest_from", "impossible"})
    fixed = ("words",)  # of sets: a constant
    default_heuristic = "nearest"

    def __init__(
        self,
        distances: Any,
        commodities: Iterable[tuple[int, int, int]],
        capacity: int,
        *,
        names: Sequence[Any] | None = None,
    ) -> None:
        given, labels = distances_of(distances, least=NO_ARC)
        count = len(given)
        if count < _FEWEST:
            raise InputError(f"the number of places is {count}; use at least two, the first and the last")
        self.places = names_of("places", names, labels)
        self.actions = self.places[1:]
        self.max_actions = count - 1
        self.last = count - 1
        self.capacity = whole("capacity", capacity)
        given_all = listed("commodities", commodities, "commodities")
        self.commodities = tuple(self._commodity(number, one) for number, one in enumerate(given_all))
        demands = [0] * count
        for begin, end, amount in self.commodities:
            demands[begin] += amount
            demands[end] -= amount
        self.demands: Any = table_of(demands)
        before = self._places_before()
        possible = self._possible(given, before)
        self.distances: Any = possible
        self._set_nearest(possible)
        self.words = count // 63 + 1
        no_way = [sum(1 << action for action, way in enumerate(ways[1:]) if way < 0) for ways in possible.tolist()]
        self.impossible: Any = words_of_sets([*no_way[:-1], (1 << self.last) - 1], self.words)  # by place: a set of actions
        inner = (1 << self.last) - 2
        self.before: Any = words_of_sets([some & inner for some in before], self.words)  # by place: those to visit before
        sums = {"entering": sum(self.nearest_to[1:].tolist()), "leaving": sum(self.nearest_from[:-1].tolist())}
        self.bits = {"left": set_bits(count), **number_bits(place=count, **sums)}
        self.initial = self.State(inner, 0, demands[0], *sums.values())
        self._settle()

    def _commodity(self, number: int, given: tuple[int, int, int]) -> tuple[int, int, int]:
        begin, end, amount = row(f"commodity {number}", given, 3).tolist()
        if not (begin != end and begin < self.last and 0 < end <= self.last):
            raise InputError(
                f"commodity {number} goes from place {begin} to place {end}; write two different places, the first "
                f"from 0 to {self.last - 1}, the second from 1 to {self.last}"
            )
        if amount > self.capacity:
            raise InputError(
                f"the amount of commodity {number} is {amount}, more than the capacity {self.capacity}; correct one of the two "
                "numbers"
            )
        return begin, end, amount

    def _places_before(self) -> list[int]:
        """For each place a set, those that must be visited before."""
        before = [0] * len(self.places)
        for begin, end, _ in self.commodities:
            before[end] |= 1 << begin
        for middle, _ in enumerate(before):
            for place, some in enumerate(before):
                if some >> middle & 1:
                    before[place] = some | before[middle]
        for place, some in enumerate(before):
            if some >> place & 1:
                raise InputError(
                    f"the commodities require that place {self.places[place]} be visited before itself; correct one of them"
                )
            before[place] |= int(place > 0)
        before[-1] |= (1 << self.last) - 1
        return before

    def _possible(self, distances: NDArray[Any], before: Sequence[int]) -> NDArray[Any]:
        """The distances, with NO_ARC for ways that are impossible in each solution."""
        found = distances.copy()
        after = [sum(1 << other for other, some in enumerate(before) if some >> place & 1) for place in range(len(before))]
        for one, row_of_one in enumerate(found):
            for other in range(len(row_of_one)):
                is_ordered = not before[one] >> other & 1 and not after[one] & before[other]
                if one == other or not is_ordered or self._least_load(one, other) > self.capacity:
                    row_of_one[other] = NO_ARC
        return found

    def _least_load(self, one: int, other: int) -> int:
        """What is carried at least at some time if one place is visited directly before another one."""
        pair = one, other
        arriving = sum(amount for begin, end, amount in self.commodities if end in pair and begin not in pair)
        between = sum(amount for begin, end, amount in self.commodities if begin == one or end == other)
        departing = sum(amount for begin, end, amount in self.commodities if begin in pair and end not in pair)
        return max(arriving, between, departing)

    def _set_nearest(self, distances: NDArray[Any]) -> None:
        with needing_numpy("a model"):
            import numpy as np  # noqa: PLC0415  (listing models does not need it)

        most = distances.max(initial=0)
        known = np.where(distances == NO_ARC, most, distances)
        self.nearest_to: Any = known.min(axis=0)
        self.nearest_from: Any = known.min(axis=1)

    @classmethod
    def name(cls) -> str:
        """The name of the model on the command line."""
        return "m-pdtsp"

    @classmethod
    def from_file(cls, path: str | Path) -> MPDTSP:
        """An instance from a file in the format of the TSPLIB with CAPACITY, DEMAND_DIMENSION, and in DEMAND_SECTION for each place
        its number and for each commodity the amount that is picked up there, negative if it is delivered.

        Raises InputError that names the file and the line or the missing part.
        """
        instance = read_tsplib(path, needs_commodities=True)
        assert instance.capacity is not None
        try:
            return cls(instance.distances, instance.commodities, instance.capacity, names=instance.names)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None

    @classmethod
    def from_text(cls, text: str = "", *, file: str = "") -> MPDTSP:
        """An instance from command-line arguments: the path of a file."""
        return cls.from_file(path_given(cls.name(), text, file))

    def prepare(self, state: State) -> int:
        """The actions that lead to a place that is left, in ways that some solution may use; the last place is left at the end."""
        left = state.left if state.left != 0 else 1 << self.last
        free = left >> 1
        for word in range(self.words):
            free &= ~(self.impossible[state.place, word] << 63 * word)
        return free

    def step(self, state: State, action: int, free: int) -> tuple[bool, State, int]:
        if free >> action & 1 == 0:
            return False, state, 0
        to = action + 1
        distance = self.distances[state.place, to]
        for word in range(self.words):
            if state.left >> 63 * word & self.before[to, word] != 0:
                return False, state, 0
        load = state.load + self.demands[to]
        if load > self.capacity:
            return False, state, 0
        entering, leaving = state.entering - self.nearest_to[to], state.leaving - self.nearest_from[state.place]
        return True, self.State(state.left & ~(1 << to), to, load, entering, leaving), distance

    def is_goal(self, state: State) -> bool:
        return state.place == self.last

    @heuristic(admissible=True, consistent=True)
    def nearest(self, state: State) -> int:
        """The least total cost of entering all remaining places by possible steps, or of leaving them, whichever is greater."""
        return max(state.entering, state.leaving)

    def unsolvable(self) -> str | None:
        """Checks whether some place cannot be entered or left, or the start is too heavy."""
        if self.demands[0] > self.capacity:
            return f"{self.demands[0]} must be carried from place {self.places[0]}, more than the capacity {self.capacity}"
        for place, name in enumerate(self.places):
            if place > 0 and not any(self.distances[other, place] >= 0 for other in range(len(self.places))):
                return f"no tour can visit place {name}, which no place can precede"
            if place < self.last and not any(self.distances[place, other] >= 0 for other in range(len(self.places))):
                return f"no tour can visit place {name}, which no place can follow"
        return None

    def format(self, state: State) -> str:
        return f"at {self.places[state.place]} with load {state.load}, {counted(state.left.bit_count(), 'place')} to visit"

    def tour(self, solution: Solution | Sequence[Any]) -> LoadedTour:
        """The tour of a solution, or of a list of actions."""
        order = (0, *(action + 1 for _, action, _ in states_of(self, solution)))
        names = tuple(self.places[place] for place in order)
        loads = tuple(accumulate(self.demands[place] for place in order))
        return LoadedTour(names, loads, sum(self.distances[one, other] for one, other in pairwise(order)), self.capacity)

    result = tour

    def picture(self, state: State) -> str:
        """The changes of the load: grey for places that are visited, red where it grows, blue where it shrinks; first the load."""
        changes = [
            Bar(place, 0, abs(demand), colour=int(demand > 0) if state.left >> place & 1 else -1)
            for place, demand in enumerate(self.demands)
            if place and demand
        ]
        rows = ["load", *map(str, self.places[1:])]
        return bars(rows, [Bar(0, 0, state.load, colour=2), *changes], self.capacity)


@dataclass(frozen=True)
class LoadedTour:
    """A tour with loads. order: the places. loads: the load after each place. length: the sum of the distances. capacity: the
    maximum load."""

    order: tuple[Any, ...]
    loads: tuple[int, ...]
    length: int
    capacity: int

    def to_csv(self, path: str | Path) -> None:
        """Write a row for each stop: place, load."""
        write_csv(path, ("place", "load"), zip(self.order, self.loads, strict=True))

    def picture(self) -> str:
        """The load after each place, as an SVG document."""
        content = [Bar(stop, 0, load) for stop, load in enumerate(self.loads) if load]
        return bars([str(name) for name in self.order], content, self.capacity)
