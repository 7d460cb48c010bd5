"""Road networks in the compilable form: a graph as three arrays, for maps of up to millions of places.

A state is one int, the index of a node. The roads of all nodes are stored node by node: those of node n are
first[n] .. first[n + 1] - 1, in the order in which they are tried; action k takes road first[n] + k.

    node      0          1     2       3
    first     0          3     4       6     6       one number more than there are nodes
              |          |     |       |
    target    1   2   3  0     0   3                 where each road leads
    cost      4   1   7  4     1   5                 how long it is

This format is called compressed sparse rows; scipy.sparse.csr_array has the same three arrays (indptr, indices, data).
"""

from __future__ import annotations

import copy
import math
import operator
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from itertools import accumulate
from math import inf
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from bestfirst.domain import Domain
from bestfirst.domains.road_map.distances import (
    LINE,
    SCALED,
    Bound,
    Distance,
    alias_of,
    check_distance,
    default_of,
    on_sphere,
    scale_used,
)
from bestfirst.domains.road_map.roads import City, checked_length, each_goal, each_road, hypotenuse
from bestfirst.errors import InputError, shown
from bestfirst.heuristics.heuristic import Heuristic, heuristic
from bestfirst.problem import Action, Cost, Problem
from bestfirst.tables import table

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from bestfirst.domains.road_map.arrays import Array
    from bestfirst.domains.road_map.problem import RoadMap


class RoadNetwork(Domain):
    """A network of roads with a start and a goal, from arrays.

    first: ints, one more than there are nodes; target: ints, the node to which each road leads; cost: ints or floats >= 0,
        the length of each road. See the module docstring, or make them with scipy.sparse.
    start, goal: indices of nodes. goal may be a list of them: the nearest is the goal.
    coordinates: floats, one row (x, y) for each node. They enable the heuristics straight-line and scaled-distance.
    distance: "straight": the coordinates are in a plane; "great-circle": they are the longitude and the latitude in degrees,
        and distances are those on the earth, in metres.
    Raises InputError for arrays that are not a network, or a start or goal that is not a node.

    An action is the next node.
    """

    class State(NamedTuple):
        """See the module docstring."""

        node: int

    legal_first = True
    fixed = ("is_round",)
    frozen_arrays = frozenset({"first", "target", "cost", "x", "y", "z", "goals"})
    bits = MappingProxyType({"node": 31})  # fixed, so that all networks share compiled code

    _settled_for_good = frozenset({"distance", "max_actions"})

    def __init__(
        self,
        first: ArrayLike,
        target: ArrayLike,
        cost: ArrayLike,
        start: int,
        goal: int | Collection[int],
        coordinates: ArrayLike | None = None,
        *,
        distance: Distance = "straight",
    ) -> None:
        from bestfirst.domains.road_map.arrays import roads_of  # noqa: PLC0415  (it imports NumPy)

        check_distance(distance)
        starts, targets, costs = roads_of(first, target, cost)
        self.size = len(starts) - 1
        self._set_roads(starts, targets, costs)
        self._is_turned = False
        self._the_other_way: list[RoadNetwork] = []  # shared by all networks that differ in start and goal only
        self.unit_cost = bool((costs == 1).all())
        self.distance, self.is_round = distance, distance == "great-circle"
        self._bound: Bound | None = None
        self.scale = 0.0
        if coordinates is None:
            self.straight_line = _no_straight_line  # type: ignore[assignment,method-assign]
        else:
            self.x, self.y, *third = self._places(coordinates)
            self.z = third[0] if third else self.x[:1].copy()
            self._set_bound()
        self._set_ends(self._node("start", start), [self._node("goal", one) for one in each_goal(goal)])
        self._settle()

    def _set_roads(self, first: Array, target: Array, cost: Array) -> None:
        self.first, self.target, self.cost = first, target, cost
        self.max_actions = _rounded_up(int((first[1:] - first[:-1]).max()))

    @classmethod
    def from_dimacs(
        cls,
        path: str | Path,
        start: int,
        goal: int | Collection[int],
        *,
        coordinates: str | Path | None = None,
        distance: Distance = "great-circle",
    ) -> RoadNetwork:
        """A network from a .gr file of the 9th DIMACS challenge, also with gzip: see dimacs.py.

        start, goal: the numbers of nodes as in the file, from 1; the actions and states of solutions are written so too.
        coordinates: a .co file. Default: the one beside the file with the same name, if there is one.
        Raises InputError that names the file and the line.
        """
        from bestfirst.domains.road_map.dimacs import (  # noqa: PLC0415  (it imports NumPy)
            coordinates_beside,
            read_arcs,
            read_coordinates,
        )

        check_distance(distance)
        first, target, cost = read_arcs(Path(path))
        beside = coordinates_beside(Path(path)) if coordinates is None else Path(coordinates)
        points = None if beside is None else read_coordinates(beside, len(first) - 1, distance)
        return NumberedNetwork(first, target, cost, start, goal, points, distance=distance)

    def _places(self, coordinates: ArrayLike) -> tuple[Array, ...]:
        """The columns of the places of all nodes."""
        from bestfirst.domains.road_map.arrays import places_of  # noqa: PLC0415

        return places_of(coordinates, self.size, self.distance)

    def _set_bound(self) -> None:
        """Work out how distances bound the costs of the roads."""
        bound = self._bound_of_roads()
        self._bound, self.scale = bound, scale_used(bound)
        self.default_heuristic = default_of(self.distance, bound)

    def _bound_of_roads(self) -> Bound:
        from bestfirst.domains.road_map.arrays import bound_of_network  # noqa: PLC0415

        places = tuple(self.compiled_value(name) for name in (("x", "y", "z") if self.is_round else ("x", "y")))
        return bound_of_network(
            self.compiled_value("first"), self.compiled_value("target"), self.compiled_value("cost"), places, self.distance
        )

    def _set_ends(self, start: int, goals: Iterable[int]) -> None:
        self.initial = self.State(start)
        ends = dict.fromkeys(goals)
        self.goals: Any = table(ends)
        self.goal, self.goal_count = next(iter(ends)), len(ends)

    def _node(self, what: str, given: int) -> int:
        try:
            node = operator.index(given)
        except TypeError:
            node = -1
        if not 0 <= node < self.size:
            raise InputError(f"the {what} is {shown(given)}; the nodes are 0 .. {self.size - 1}")
        return node

    def between(self, start: int, goal: int | Collection[int]) -> RoadNetwork:
        """The same network with another start and goal, or several; it shares the arrays, so it is created quickly."""
        ends = [self._node("goal", one) for one in each_goal(goal)]
        return self._with_ends(self._node("start", start), *ends)

    def _with_ends(self, start: int, *goals: int) -> RoadNetwork:
        """The same network with other ends, given by their indices."""
        other = copy.copy(self)
        with other._unsettled():
            other._set_ends(start, goals)
        return other

    def backward(self) -> RoadNetwork | None:
        """The network with every road reversed, from the goal; None with several goals, or if a subclass changes steps."""
        if self.goal_count > 1 or any(
            getattr(type(self), name) is not getattr(RoadNetwork, name) for name in ("step", "is_goal", "goal_state")
        ):
            return None
        if not self._the_other_way:
            self._the_other_way.append(self._turned())
        return self._the_other_way[0]._with_ends(self.goal, self.initial.node)

    def _turned(self) -> RoadNetwork:
        from bestfirst.domains.road_map.arrays import turned  # noqa: PLC0415  (it imports NumPy)

        other = copy.copy(self)
        with other._unsettled():
            other._set_roads(
                *turned(self.compiled_value("first"), self.compiled_value("target"), self.compiled_value("cost"))
            )
            other._is_turned, other._the_other_way = not self._is_turned, [self]
        return other

    def with_roads(self, roads: Iterable[tuple[int, int, Cost]]) -> RoadNetwork:
        """The same problem on a network where these roads, (from, to, length), have other lengths; math.inf closes a road.

        This network stays as it is. A road leads one way; of several roads between two nodes, one remains. A road that the
        network did not have is added. Raises InputError for an unknown node, and for an invalid length.
        Time: that of copying the arrays.
        """
        from bestfirst.domains.road_map.arrays import replaced  # noqa: PLC0415  (it imports NumPy)

        now = {}
        for road in each_road(roads):
            ends = self._node("end of a road", road.origin), self._node("end of a road", road.target)
            is_closed = isinstance(road.length, float) and road.length == inf
            now[ends] = inf if is_closed else checked_length(road)
        first, target, cost = replaced(
            self.compiled_value("first"), self.compiled_value("target"), self.compiled_value("cost"), now
        )
        other = copy.copy(self)
        with other._unsettled():
            other._set_roads(first, target, cost)
            other._the_other_way = []
            other.unit_cost = bool((cost == 1).all())
            if self._bound is not None:
                other._set_bound()
        return other

    def _differing(self, before: object) -> list[str]:
        if not isinstance(before, RoadNetwork):
            return ["type"]
        return [] if before.size == self.size else ["number of nodes"]

    def changed_states(self, before: Problem[Any, Any]) -> list[State] | None:
        """The nodes whose roads differ from before; None if the other network has other nodes."""
        from bestfirst.domains.road_map.arrays import nodes_that_differ  # noqa: PLC0415

        if not isinstance(before, RoadNetwork) or self._differing(before):
            return None
        now, then = ([one.compiled_value(name) for name in ("first", "target", "cost")] for one in (self, before))
        return [self.State(node) for node in nodes_that_differ(now, then)]

    def step(self, state: State, action: int) -> tuple[bool, State, Cost]:
        road = self.first[state.node] + action
        legal = road < self.first[state.node + 1]
        if not legal:
            road = 0  # any road will do
        return legal, self.State(self.target[road]), self.cost[road]

    def is_goal(self, state: State) -> bool:
        return state.node == self.goal or (self.goal_count > 1 and state.node in self.goals)

    def rank(self, state: State) -> int:
        return state.node

    def unrank(self, number: int) -> State:
        return self.State(number)

    def action_name(self, state: State, action: int) -> Action:
        return state.node if self._is_turned else self.target[self.first[state.node] + action]

    def goal_state(self) -> State | Any:
        return self.State(self.goal) if self.goal_count == 1 else None

    def goal_states(self) -> list[State]:
        return [self.State(self.goal)] if self.goal_count == 1 else [self.State(int(node)) for node in self.goals]

    def unsolvable(self) -> str | None:
        """Checks whether any road leaves the start; longer obstacles are left to the search."""
        node = self.initial.node
        if not self.is_goal(self.initial) and self.first[node] == self.first[node + 1]:
            return f"no road leaves {self.format(self.initial)}"
        return None

    def format(self, state: State) -> str:
        return str(state.node)

    @heuristic()
    def straight_line(self, state: State) -> float:
        """The distance to the goal, a lower bound if no road is shorter than the distance between its ends."""
        if self.goal_count == 1:
            return self._line(state, self.goal)
        return min(self._line(state, goal) for goal in self.goals)

    @heuristic(admissible=True, consistent=True)
    def scaled_distance(self, state: State) -> float:
        """The distance to the goal times the least cost of a road for each unit of distance."""
        return self.scale * self.straight_line(state)

    def _line(self, state: State, goal: int) -> float:
        across, up = self.x[state.node] - self.x[goal], self.y[state.node] - self.y[goal]
        if not self.is_round:
            return hypotenuse(across, up)
        out = self.z[state.node] - self.z[goal]
        return on_sphere(math.sqrt(across * across + up * up + out * out))

    def heuristics(self) -> Mapping[str, Heuristic]:
        """The heuristics; those of distances only with coordinates, and "straight-line" admissible only if no road is too short.

        On the earth, it is called "great-circle". The name of "scaled-distance" is followed by the scale, as in
        "scaled-distance(0.8)".
        """
        return offered_with(dict(super().heuristics()), self._bound, self.distance)

    def heuristic_alias(self, name: str) -> str:
        return alias_of(name, self._bound, self.distance)


class NumberedNetwork(RoadNetwork):
    """A network whose nodes are numbered from 1 outside, as in its file."""

    def _node(self, what: str, given: int) -> int:
        try:
            number = operator.index(given)
        except TypeError:
            number = 0
        if not 1 <= number <= self.size:
            raise InputError(f"the {what} is {shown(given)}; the nodes are 1 .. {self.size}")
        return number - 1

    @classmethod
    def name(cls) -> str:
        return RoadNetwork.name()

    def action_name(self, state: RoadNetwork.State, action: int) -> Action:
        return super().action_name(state, action) + 1

    def format(self, state: RoadNetwork.State) -> str:
        return str(state.node + 1)


class CityNetwork(RoadNetwork):
    """The network of a RoadMap: node n is the map's n-th city, and action k the k-th of the map's successors."""

    def __init__(self, cities: RoadMap) -> None:
        self._cities: list[City] = list(cities.roads)
        self._of_map = cities._bound
        self._number = number = {city: node for node, city in enumerate(self._cities)}
        places = cities._places
        super().__init__(
            list(accumulate(map(len, cities.roads.values()), initial=0)),
            [number[city] for roads in cities.roads.values() for city in roads],
            [length for roads in cities.roads.values() for length in roads.values()],
            number[cities.initial],
            [number[goal] for goal in cities.goals],
            None if places is None else [places[city] for city in self._cities],
            distance=cities.distance,
        )

    def _places(self, coordinates: ArrayLike) -> tuple[Array, ...]:
        import numpy as np  # noqa: PLC0415

        return tuple(np.array(coordinates, np.float64).T.copy())

    def with_ends_of(self, cities: RoadMap) -> RoadNetwork:
        """The network of a map with the same roads."""
        return self._with_ends(self._number[cities.initial], *(self._number[goal] for goal in cities.goals))

    def _bound_of_roads(self) -> Bound:
        assert self._of_map is not None
        return self._of_map

    def action_name(self, state: RoadNetwork.State, action: int) -> Action:
        return self._cities[super().action_name(state, action)]

    def decode(self, state: RoadNetwork.State) -> City:
        return self._cities[state.node]

    def format(self, state: RoadNetwork.State) -> str:
        return str(self.decode(state))


def offered_with(offered: dict[str, Heuristic], bound: Bound | None, distance: Distance) -> dict[str, Heuristic]:
    """The heuristics of a class, of which those of distances are left out, or say what a bound says."""
    line, scaled = offered.pop(LINE), offered.pop(SCALED)
    if bound is None:
        return offered
    is_bound, scale = bound.shortcut is None, scale_used(bound)
    of_line, of_scaled = alias_of(LINE, bound, distance), alias_of(SCALED, bound, distance)
    offered[of_line] = replace(line, name=of_line, admissible=is_bound, consistent=is_bound, note=bound.shortcut or "")
    note = f"no road costs less than {scale:.4g} for each unit of distance"
    offered[of_scaled] = replace(scaled, name=of_scaled, note=note)
    return offered


def _no_straight_line(_state: object) -> float:
    raise InputError(
        "heuristic 'straight-line' needs the coordinates of the nodes, but this network has none; pass "
        "coordinates=..., or use another heuristic"
    )


def _rounded_up(degree: int) -> int:
    """A number of actions for the largest degree; rounded, so that many networks share compiled code."""
    actions = 8 if degree else 0
    while actions < degree:
        actions *= 2
    return actions
