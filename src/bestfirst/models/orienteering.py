"""The orienteering problem with time windows: which places to visit, and in which order, for the most profit."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from bestfirst.domain import LESS, Domain
from bestfirst.errors import InputError, counted, needing_numpy, shown
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.models.drawing import routes
from bestfirst.models.files import Lines, Words, path_given
from bestfirst.models.numbers import distances_of, names_of, nearest, points_of, row, set_bits, table_of, whole
from bestfirst.models.results import states_of, write_csv
from bestfirst.models.tsptw import Tour
from bestfirst.number_sets import members

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bestfirst.solution import Solution

_LARGEST = 1 << 62
MOST_DECIMALS = 3
_NUMBERS = 6
"""The numbers of a place in a file: x, y, service, profit, opening, closing."""


class OrienteeringTW(Domain):
    """Orienteering: a tour from place 0 and back visits some places within their time windows; the cost is the profit left out.

    distances: travel times, rows of whole numbers >= 0; a NetworkX graph or a pandas DataFrame also names the places. profits: the
    profit of each place, 0 for place 0. opens, closes: the time window in which a visit to each place must begin; the vehicle waits
    if it arrives early. It leaves place 0 at time 0, and must return by closes[0]. services: how long each visit takes; default: no
    time. names: the names of the places. points: the coordinates (x, y) of the places, for pictures.
    Raises InputError for invalid numbers.

    An action is the next place, or "return" at the end. Places that can no longer be visited in time are left out at once. Of two
    states with the same places to visit and the same current place, the earlier one dominates the other.
    Source: Kantor & Rosenwein 1992; as a state space with these bounds: Kuroiwa & Beck 2023.
    """

    class State(NamedTuple):
        """left: the set of places that may still be visited. profit: theirs. entered, departed: the rank of the best of them by
        profit for the time that it takes at least to enter it, or to depart from it. These three fields follow from left.
        """

        left: int
        place: int
        time: int
        profit: int
        entered: int
        departed: int

    identity = ("left", "place", "time")
    resources = MappingProxyType({"time": LESS})
    unchecked = True  # __init__ refuses large numbers
    frozen_arrays = frozenset(
        {
            *("travel", "profits", "opens", "last", "last_before_return", "latest", "nearest_to", "nearest_from"),
            *("rank_entered", "rank_departed", "by_entered", "by_departed"),
        }
    )
    default_heuristic = "rates"

    def __init__(
        self,
        distances: Any,
        profits: Sequence[int],
        opens: Sequence[int],
        closes: Sequence[int],
        *,
        services: Sequence[int] | None = None,
        names: Sequence[Any] | None = None,
        points: Sequence[tuple[float, float]] | None = None,
    ) -> None:
        given, labels = distances_of(distances)
        count = self.max_actions = len(given)
        self.places = names_of("places", names, labels)
        self.actions = ("return", *self.places[1:])
        self.points = points_of(points, count)
        self.profits: Any = row("profits", profits, count, labels=self.places)
        self.opens: Any = row("opens", opens, count, labels=self.places)
        self.closes = tuple(row("closes", closes, count, labels=self.places).tolist())
        self.services = tuple(
            row("services", [0] * count if services is None else services, count, labels=self.places).tolist()
        )
        if self.profits[0] != 0:
            raise InputError(
                f"the profit of place {self.places[0]} is {self.profits[0]}; write 0, because the tour begins there"
            )
        for place, begin, end in zip(self.places, self.opens, self.closes, strict=True):
            if begin > end:
                raise InputError(
                    f"the window of place {place} closes at {end}, before it opens at {begin}; correct one of the two times"
                )
        self.end = self.closes[0]
        if self.end * (1 + max(self.profits)) >= _LARGEST:
            raise InputError("the products of profits and times do not fit into 64 bits; use larger units of profit or time")
        self._set_tables(given, self.closes)
        self.bits = {"left": set_bits(count)}
        left = sum(1 << place for place in range(1, count) if self.opens[place] <= self.last[place])
        self.initial = self._on_arrival(left, 0, 0, sum(self.profits[place] for place in members(left)))
        self._settle()

    def _set_tables(self, distances: NDArray[Any], closes: tuple[int, ...]) -> None:
        with needing_numpy("a model"):
            import numpy as np  # noqa: PLC0415  (listing models does not need it)

        count = len(distances)
        others = 1 - np.eye(count, dtype=np.int64)  # nobody travels from a place to itself
        travel = (distances + np.array(self.services)[:, None]) * others
        shortest = travel.copy()
        for place in range(1, count):
            np.minimum(shortest, shortest[:, place, None] + shortest[place], out=shortest)
        self.travel: Any = travel  # from the begin of a visit to the arrival at another place
        last = np.minimum(closes, self.end - shortest[:, 0])
        self.last: Any = last  # when a visit must begin, so that some way home is not too late
        before_return = np.minimum(closes, self.end - travel[:, 0])
        self.last_before_return: Any = np.where(self.opens.array <= before_return, before_return, -1)
        self.latest: Any = last - shortest  # when a visit must begin, so that another place is not too late
        to, leaving = nearest(travel)
        self.nearest_to: Any = to
        self.nearest_from: Any = leaving
        profits = self.profits.tolist()
        by_entered, by_departed = _by_rate(profits, to.tolist()), _by_rate(profits, leaving.tolist())
        self.by_entered: Any = table_of(by_entered)
        self.by_departed: Any = table_of(by_departed)
        self.rank_entered: Any = np.argsort(by_entered)
        self.rank_departed: Any = np.argsort(by_departed)

    @classmethod
    def name(cls) -> str:
        """The name of the model on the command line."""
        return "orienteering"

    @classmethod
    def from_file(cls, path: str | Path, *, customers: int | None = None, decimals: int = 1) -> OrienteeringTW:
        """An instance from a file of Righini & Salani 2009 or Vansteenwegen et al. 2009.

        Its first line has four numbers, of which the third is that of places without place 0, and its second line two. Each other
        line has the number of a place, x, y, the time that a visit takes, the profit, and at the end when the window opens and
        closes. customers: how many of the places to read; None for all. decimals: distances and times are rounded down to so many,
        and all times are whole numbers of tenths, hundredths, ... Raises InputError that names the file and the line.
        """
        lines = Lines(path)
        scale = 10 ** whole("decimals", decimals, 0, MOST_DECIMALS)
        rows = [Words(lines, [(number, word) for word in line.split()]) for number, line in lines]
        for _ in range(2):
            rows[0].take("four numbers, of which the third is the number of places")
        there = rows[0].whole("the number of places")
        if len(rows) - 2 != there + 1:
            rows[0].fail(
                f"the number of places is {there}, but the number of lines after that of place 0 is {max(0, len(rows) - 3)}; "
                "correct the number, or add or remove lines"
            )
        count = there if customers is None else whole("customers", customers, 0, there)
        places = [_place(words, number) for number, words in enumerate(rows[2 : count + 3])]
        times = [[math.floor(scale * of_place[item]) for of_place in places] for item in (2, 4, 5)]
        try:
            return cls(
                [[_distance(one, other, scale) for other in places] for one in places],
                [math.floor(of_place[3]) for of_place in places],
                *times[1:],
                services=times[0],
                points=[(float(of_place[0]), float(of_place[1])) for of_place in places],
            )
        except InputError as error:
            raise InputError(f"{path}: {error}") from None

    @classmethod
    def from_text(
        cls, text: str = "", *, file: str = "", customers: str | None = None, decimals: str = "1"
    ) -> OrienteeringTW:
        """An instance from command-line arguments: the path of a file, how many places to read, and decimals of times."""
        for what, given in (("customers", customers), ("decimals", decimals)):
            if given is not None and not given.isdecimal():
                raise InputError(f"{what} is {shown(given)}; write a whole number, such as 1")
        many = None if customers is None else int(customers)
        return cls.from_file(path_given(cls.name(), text, file), customers=many, decimals=int(decimals))

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        if action == 0:
            return self._back(state)
        time = state.time + self.travel[state.place, action]
        if state.left >> action & 1 == 0 or time > self.last[action]:
            return False, state, 0
        profit = state.profit - self.profits[action]
        after = self._on_arrival(state.left & ~(1 << action), action, max(time, self.opens[action]), profit)
        return True, after, profit - after.profit

    def _on_arrival(self, left: int, place: int, time: int, profit: int) -> State:
        """The state at a place, without the places that are too late now. left, profit: those before."""
        entered = departed = self.max_actions - 1
        remaining = left
        for other in members(left):
            if time > self.latest[place, other]:
                remaining &= ~(1 << other)
                profit -= self.profits[other]
            else:
                entered = min(entered, self.rank_entered[other])
                departed = min(departed, self.rank_departed[other])
        return self.State(remaining, place, time, profit, entered, departed)

    def _back(self, state: State) -> tuple[bool, State, int]:
        """The return, if no place can be visited before: such a visit would cost nothing."""
        time = state.time + self.travel[state.place, 0]
        if time > self.end:
            return False, state, 0
        for other in members(state.left):
            if state.time + self.travel[state.place, other] <= self.last_before_return[other]:
                return False, state, 0
        last = self.max_actions - 1
        return True, self.State(0, 0, time, 0, last, last), state.profit

    def is_goal(self, state: State) -> bool:
        return state.left == 0 and state.place == 0

    @heuristic(admissible=True, consistent=True)
    def rates(self, state: State) -> int:
        """The profit that would still be lost if the remaining time earned profit at the best rate of any place.

        The rate of a place is its profit divided by the least time that it takes to reach the place, or to leave it.
        """
        if state.left == 0:
            return 0
        most: int = state.profit
        time = self.end - state.time
        best = self.by_entered[state.entered]
        if self.nearest_to[best] > 0:
            most = min(most, (time - self.nearest_to[0]) * self.profits[best] // self.nearest_to[best])
        best = self.by_departed[state.departed]
        if self.nearest_from[best] > 0:
            most = min(most, (time - self.nearest_from[state.place]) * self.profits[best] // self.nearest_from[best])
        return state.profit - most

    def format(self, state: State) -> str:
        return (
            f"at {self.places[state.place]} at time {state.time}, {counted(state.left.bit_count(), 'place')} may be visited"
        )

    def tour(self, solution: Solution | Sequence[Any]) -> ProfitTour:
        """The tour of a solution, or of a list of actions."""
        steps = states_of(self, solution)
        order = (0, *(action for _, action, _ in steps))
        arrivals = (0, *(state.time + self.travel[state.place, action] for state, action, _ in steps))
        starts = (0, *(state.time for _, _, state in steps))
        windows = tuple((self.opens[place], self.closes[place]) for place in order)
        stays = sum(self.services[place] for place in order[:-1])
        length = sum(self.travel[one, other] for one, other in pairwise(order)) - stays
        names = tuple(self.places[place] for place in order)
        profits = tuple(self.profits[place] for place in order)
        path = None if self.points is None else (order, self.points, tuple(map(str, self.places)))
        return ProfitTour(names, arrivals, starts, windows, length, profits, path)

    result = tour

    def picture(self, state: State) -> str | None:
        """The places, black if they are visited or left out, and the present one red; None without points."""
        if self.points is None:
            return None
        done = {place for place in range(self.max_actions) if not state.left >> place & 1}
        return routes(self.points, [], [str(name) for name in self.places], done, state.place)


@dataclass(frozen=True)
class ProfitTour(Tour):
    """A tour that visits some places. profits: the profits of the places in `order`. path: their numbers, and all points and names,
    if known."""

    profits: tuple[int, ...]
    path: tuple[tuple[int, ...], tuple[tuple[float, float], ...], tuple[str, ...]] | None = None

    @property
    def profit(self) -> int:
        """The sum of the profits."""
        return sum(self.profits)

    def to_csv(self, path: str | Path) -> None:
        """Write a row for each stop: place, arrival, start, profit."""
        rows = zip(self.order, self.arrivals, self.starts, self.profits, strict=True)
        write_csv(path, ("place", "arrival", "start", "profit"), rows)

    def picture(self) -> str:
        """The tour on the map, with the visited places black, as an SVG document; without points, the windows in their order."""
        if self.path is None:
            return super().picture()
        order, points, names = self.path
        return routes(points, [order], names, set(order))


def _place(words: Words, number: int) -> list[Fraction]:
    """x, y, service, profit, opening and closing of a place, from its line."""
    if words.whole("the number of the place") != number:
        words.fail(f"this is the line of place {number}; begin it with {number}")
    numbers = []
    while words.left:
        word = words.take("the place")
        if not re.fullmatch(r"[+-]?\d{1,12}(\.\d{0,12})?", word):
            words.fail(f"place {number} has {shown(word)}; write numbers, such as 12.5")
        numbers.append(Fraction(word))
    if len(numbers) < _NUMBERS:
        words.fail(
            f"place {number} has {counted(len(numbers), 'number')}; write x, y, service, profit, ..., opening, closing"
        )
    opens, closes = numbers[-2:]
    for what, value in zip(("time of a visit", "profit", "opening", "closing"), (*numbers[2:4], opens, closes), strict=True):
        if value < 0:
            words.fail(f"the {what} of place {number} is {float(value):g}; write a number >= 0")
    if opens > closes:
        words.fail(f"the window of place {number} closes at {float(closes):g}, before it opens at {float(opens):g}")
    return [*numbers[:4], opens, closes]


def _distance(one: Sequence[Fraction], other: Sequence[Fraction], scale: int) -> int:
    """The distance of two points, x and y first, times `scale` and rounded down."""
    return math.isqrt(math.floor(scale**2 * ((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2)))


def _by_rate(profits: Sequence[int], times: Sequence[int]) -> list[int]:
    """The places by profit for a unit of time, the highest first, and place 0 last."""
    customers = range(1, len(profits))
    free = [place for place in customers if not times[place]]
    others = [place for place in customers if times[place]]
    return [*free, *sorted(others, key=lambda place: Fraction(-profits[place], times[place])), 0]
