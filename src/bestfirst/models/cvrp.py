"""The capacitated vehicle routing problem (CVRP): the shortest routes from a depot that deliver to all customers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from bestfirst.domain import LESS, Domain
from bestfirst.errors import InputError, counted, shown
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.models.drawing import routes
from bestfirst.models.files import path_given
from bestfirst.models.numbers import distances_of, names_of, nearest, number_bits, points_of, row, set_bits, whole
from bestfirst.models.results import states_of
from bestfirst.models.tsp import Routes
from bestfirst.models.tsplib import read_tsplib

if TYPE_CHECKING:
    from bestfirst.solution import Solution


class CVRP(Domain):
    """Vehicle routing: routes from the depot, place 0, visit each customer once, and no route delivers more than the capacity.

    distances: rows of whole numbers >= 0; a NetworkX graph or a pandas DataFrame also names the places. demands: the demand of
    each place, 0 for the depot. vehicles: the maximum number of routes; None for any number. names: the names of the places.
    points: the coordinates (x, y) of the places, for pictures.
    Raises InputError for invalid numbers, and for a demand above the capacity.

    An action is the next customer, "depot, CUSTOMER" for the first customer of another route, or "return" at the end.
    Of two states with the same unvisited customers and the same current place, one dominates the other if it has no greater load
    and no more routes.
    Source: Dantzig & Ramser 1959; as a state space: Kuroiwa & Beck 2023.
    """

    class State(NamedTuple):
        """load: of the present route. vehicles: the routes so far. The last three fields follow from the others."""

        unvisited: int
        place: int
        load: int
        vehicles: int
        demand: int
        entering: int
        leaving: int

    identity = ("unvisited", "place", "load", "vehicles")
    resources = MappingProxyType({"load": LESS, "vehicles": LESS})
    unchecked = True  # numbers are at most 2**40
    frozen_arrays = frozenset({"distances", "demands", "nearest_to", "nearest_from"})
    default_heuristic = "nearest"

    def __init__(
        self,
        distances: Any,
        demands: Sequence[int],
        capacity: int,
        *,
        vehicles: int | None = None,
        names: Sequence[Any] | None = None,
        points: Sequence[tuple[float, float]] | None = None,
    ) -> None:
        given, labels = distances_of(distances)
        self.count = len(given)
        self.places = names_of("places", names, labels)
        self.points = points_of(points, self.count)
        self.capacity = whole("capacity", capacity, 1)
        self.demands: Any = row("demands", demands, self.count, labels=self.places)
        if self.demands[0] != 0:
            raise InputError(f"the demand of the depot, place {self.places[0]}, is {self.demands[0]}; write 0")
        for place, demand in zip(self.places, self.demands, strict=True):
            if demand > self.capacity:
                raise InputError(
                    f"the demand of place {place} is {demand}, more than the capacity {self.capacity}; correct one of the two "
                    "numbers"
                )
        self.counts_vehicles = int(vehicles is not None)
        self.vehicles = self.count if vehicles is None else min(whole("vehicles", vehicles, 1), self.count)
        customers = self.places[1:]
        self.max_actions = 2 * self.count
        self.actions = ("return", *customers, "", *(f"depot, {name}" for name in customers))
        self.distances: Any = given
        to, leaving = nearest(given)
        self.nearest_to: Any = to
        self.nearest_from: Any = leaving
        sums = {"demand": sum(self.demands), "entering": int(to.sum()), "leaving": int(leaving.sum())}
        others = number_bits(place=self.count, load=self.capacity, **sums)
        self.bits = {"unvisited": set_bits(self.count), **others}
        self.initial = self.State((1 << self.count) - 2, 0, 0, self.counts_vehicles, *sums.values())
        self._settle()

    @classmethod
    def from_file(cls, path: str | Path, *, vehicles: int | None = None) -> CVRP:
        """An instance from a .vrp file of the TSPLIB, with CAPACITY, DEMAND_SECTION and DEPOT_SECTION.

        Raises InputError that names the file and the line or the missing part.
        """
        found = read_tsplib(path, needs_demands=True)
        assert found.demands is not None and found.capacity is not None
        order = [found.depot, *(place for place in range(len(found.names)) if place != found.depot)]
        try:
            return cls(
                [[found.distances[one][other] for other in order] for one in order],
                [found.demands[place] for place in order],
                found.capacity,
                vehicles=vehicles,
                names=[found.names[place] for place in order],
                points=None if found.points is None else [found.points[place] for place in order],
            )
        except InputError as error:
            raise InputError(f"{path}: {error}") from None

    @classmethod
    def from_text(cls, text: str = "", *, file: str = "", vehicles: str | None = None) -> CVRP:
        """An instance from command-line arguments: the path of a file."""
        if vehicles is not None and not vehicles.isdecimal():
            raise InputError(f"vehicles is {shown(vehicles)}; write a whole number, such as 3")
        return cls.from_file(path_given(cls.name(), text, file), vehicles=None if vehicles is None else int(vehicles))

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        begins = action > self.count
        to = action - self.count if begins else action
        if action == self.count:
            return False, state, 0
        if to == 0:
            if state.unvisited != 0 or state.place == 0:
                return False, state, 0
        elif state.unvisited >> to & 1 == 0:
            return False, state, 0
        load, vehicles, cost = state.load + self.demands[to], state.vehicles, self.distances[state.place, to]
        if begins:
            if state.place == 0:
                return False, state, 0
            load, vehicles = self.demands[to], vehicles + self.counts_vehicles
            cost = self.distances[state.place, 0] + self.distances[0, to]
        demand = state.demand - self.demands[to]
        room = (self.vehicles - vehicles + 1) * self.capacity - load
        if load > self.capacity or vehicles > self.vehicles or (self.counts_vehicles and room < demand):
            return False, state, 0
        entering = state.entering - self.nearest_to[to]
        leaving = state.leaving - self.nearest_from[state.place]
        return True, self.State(state.unvisited & ~(1 << to), to, load, vehicles, demand, entering, leaving), cost

    def is_goal(self, state: State) -> bool:
        return state.unvisited == 0 and state.place == 0

    @heuristic(admissible=True, consistent=True)
    def nearest(self, state: State) -> int:
        """The least total cost of entering or leaving all customers, and the depot once for each route that the demand requires."""
        more = max(0, -((self.capacity - state.load - state.demand) // self.capacity))
        entering: int = state.entering + more * self.nearest_to[0]
        leaving: int = state.leaving + more * self.nearest_from[0]
        return max(entering, leaving)

    def format(self, state: State) -> str:
        return f"at {self.places[state.place]} with load {state.load}, {counted(state.unvisited.bit_count(), 'customer')} to visit"

    def routes(self, solution: Solution | Sequence[Any]) -> Routes:
        """The routes of a solution, or of a list of actions."""
        paths: list[list[int]] = []
        for state, action, _ in states_of(self, solution):
            if action > self.count or state.place == 0:
                paths.append([0])
            if action > self.count and len(paths) > 1:
                paths[-2].append(0)
            paths[-1].append(action % self.count)
        return Routes.of(self, paths, self.demands.tolist())

    result = routes

    def picture(self, state: State) -> str | None:
        """The places, the visited ones black, and the present one red; None without points."""
        if self.points is None:
            return None
        visited = {place for place in range(self.count) if not state.unvisited >> place & 1}
        return routes(self.points, [], [str(name) for name in self.places], visited, state.place)
