"""The travelling salesperson problem (TSP): the shortest tour through all places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bestfirst.domain import Domain
from bestfirst.errors import InputError, counted
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.models.drawing import routes
from bestfirst.models.files import path_given
from bestfirst.models.numbers import distances_of, names_of, nearest, number_bits, points_of, set_bits
from bestfirst.models.results import states_of, write_csv
from bestfirst.models.tsplib import read_tsplib

if TYPE_CHECKING:
    from bestfirst.solution import Solution


class TSP(Domain):
    """The travelling salesman problem: a tour from place 0 through all other places and back.

    distances: rows of whole numbers >= 0, symmetric or not; a NetworkX graph or a pandas DataFrame also names the places.
    names: the names of the places. points: the coordinates (x, y) of the places, for pictures. Raises InputError for invalid
    numbers.

    An action is the next place.
    Source: Held & Karp 1962; as a state space with this bound: Kuroiwa & Beck 2023.
    """

    class State(NamedTuple):
        """unvisited: a set of places. entering, leaving: what is left of the bounds, which follow from the other fields."""

        unvisited: int
        place: int
        entering: int
        leaving: int

    identity = ("unvisited", "place")
    unchecked = True  # numbers are at most 2**40
    frozen_arrays = frozenset({"distances", "nearest_to", "nearest_from"})
    default_heuristic = "nearest"

    def __init__(
        self, distances: Any, *, names: Sequence[Any] | None = None, points: Sequence[tuple[float, float]] | None = None
    ) -> None:
        given, labels = distances_of(distances)
        count = self.max_actions = len(given)
        self.places = self.actions = names_of("places", names, labels)
        self.points = points_of(points, count)
        self.distances: Any = given
        to, leaving = nearest(given)
        self.nearest_to: Any = to
        self.nearest_from: Any = leaving
        sums = {"entering": int(to.sum()), "leaving": int(leaving.sum())}
        self.bits = {"unvisited": set_bits(count), **number_bits(place=count, **sums)}
        self.initial = self.State((1 << count) - 2, 0, *sums.values())
        self._settle()

    @classmethod
    def from_file(cls, path: str | Path) -> TSP:
        """An instance from a file of the TSPLIB, with coordinates (EUC_2D, CEIL_2D, MAN_2D, ATT, GEO) or EXPLICIT distances.

        Raises InputError that names the file and the line or the missing part.
        """
        found = read_tsplib(path)
        return cls(found.distances, names=found.names, points=found.points)

    @classmethod
    def from_text(cls, text: str = "", *, file: str = "") -> TSP:
        """An instance from command-line arguments: the path of a file."""
        return cls.from_file(path_given(cls.name(), text, file))

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        if action == 0:
            if state.unvisited != 0 or state.place == 0:
                return False, state, 0
        elif state.unvisited >> action & 1 == 0:
            return False, state, 0
        entering = state.entering - self.nearest_to[action]
        leaving = state.leaving - self.nearest_from[state.place]
        distance = self.distances[state.place, action]
        return True, self.State(state.unvisited & ~(1 << action), action, entering, leaving), distance

    def is_goal(self, state: State) -> bool:
        return state.unvisited == 0 and state.place == 0

    @heuristic(admissible=True, consistent=True)
    def nearest(self, state: State) -> int:
        """The least total cost of entering all remaining places, or of leaving them, whichever is greater."""
        return max(state.entering, state.leaving)

    def format(self, state: State) -> str:
        return f"at {self.places[state.place]}, {counted(state.unvisited.bit_count(), 'place')} to visit"

    def routes(self, solution: Solution | Sequence[Any]) -> Routes:
        """The tour of a solution, or of a list of actions."""
        order = [0, *(action for _, action, _ in states_of(self, solution))]
        return Routes.of(self, [order] if len(order) > 1 else [])

    result = routes

    def picture(self, state: State) -> str | None:
        """The places, the visited ones black, and the present one red; None without points."""
        if self.points is None:
            return None
        visited = {place for place in range(self.max_actions) if not state.unvisited >> place & 1}
        return routes(self.points, [], [str(name) for name in self.places], visited, state.place)


@dataclass(frozen=True)
class Routes:
    """Routes that begin and end at place 0. routes: the names of their places. lengths: their lengths. loads: what each delivers.

    points: the coordinates of the places by name, if they are known.
    """

    routes: tuple[tuple[Any, ...], ...]
    lengths: tuple[int, ...]
    loads: tuple[int, ...] = ()
    points: tuple[tuple[Any, tuple[float, float]], ...] | None = None

    @classmethod
    def of(cls, model: Any, paths: Sequence[Sequence[int]], demands: Sequence[int] = ()) -> Routes:
        """The routes of a model along places by number."""
        lengths = tuple(sum(model.distances[place, following] for place, following in pairwise(path)) for path in paths)
        loads = tuple(sum(demands[place] for place in path) for path in paths) if len(demands) else ()
        points = None if model.points is None else tuple(zip(model.places, model.points, strict=True))
        return cls(tuple(tuple(model.places[place] for place in path) for path in paths), lengths, loads, points)

    @property
    def length(self) -> int:
        """The sum of the lengths."""
        return sum(self.lengths)

    def to_csv(self, path: str | Path) -> None:
        """Write a row for each stop: route (counted from 1), stop (from 0), place."""
        rows = [(number, stop, place) for number, route in enumerate(self.routes, 1) for stop, place in enumerate(route)]
        write_csv(path, ("route", "stop", "place"), rows)

    def picture(self) -> str:
        """The routes on a map, as an SVG document. Raises InputError if the model has no points."""
        if self.points is None:
            raise InputError("the places have no coordinates to draw; pass points= to the model")
        number = {name: place for place, (name, _) in enumerate(self.points)}
        paths = [[number[name] for name in route] for route in self.routes]
        return routes([point for _, point in self.points], paths, [str(name) for name in number], set(number.values()))
