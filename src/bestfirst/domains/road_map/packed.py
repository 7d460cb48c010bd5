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
import operator
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from itertools import accumulate
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from bestfirst.domain import Domain
from bestfirst.domains.road_map.roads import City, checked_length, each_goal, each_road, hypotenuse
from bestfirst.errors import InputError
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
    coordinates: floats, one row (x, y) for each node. They enable the heuristic straight-line.
    Raises InputError for arrays that are not a network, or a start or goal that is not a node.

    An action is the next node.
    """

    class State(NamedTuple):
        """See the module docstring."""

        node: int

    legal_first = True
    frozen_arrays = frozenset({"first", "target", "cost", "x", "y", "goals"})
    bits = MappingProxyType({"node": 31})  # fixed, so that all networks share compiled code

    def __init__(
        self,
        first: ArrayLike,
        target: ArrayLike,
        cost: ArrayLike,
        start: int,
        goal: int | Collection[int],
        coordinates: ArrayLike | None = None,
    ) -> None:
        from bestfirst.domains.road_map.arrays import columns_of, roads_of, shortcut  # noqa: PLC0415  (it imports NumPy)

        starts, targets, costs = roads_of(first, target, cost)
        self.size = len(starts) - 1
        self._set_roads(starts, targets, costs)
        self._is_turned = False
        self._the_other_way: list[RoadNetwork] = []  # shared by all networks that differ in start and goal only
        self.unit_cost = bool((costs == 1).all())
        self._shortcut: str | None = None
        if coordinates is None:
            self.straight_line = _no_straight_line  # type: ignore[assignment,method-assign]
        else:
            x, y = columns_of(coordinates, self.size)
            self.x, self.y = x, y
            self.default_heuristic = "straight-line"
            self._shortcut = shortcut(starts, targets, costs, x, y)
        self._set_ends(start, goal)
        self._settle()

    def _set_roads(self, first: Array, target: Array, cost: Array) -> None:
        self.first, self.target, self.cost = first, target, cost
        self.max_actions = _rounded_up(int((first[1:] - first[:-1]).max()))

    def _set_ends(self, start: int, goal: int | Collection[int]) -> None:
        self.initial = self.State(self._node("start", start))
        ends = dict.fromkeys(self._node("goal", one) for one in each_goal(goal))
        self.goals: Any = table(ends)
        self.goal, self.goal_count = next(iter(ends)), len(ends)

    def _node(self, what: str, given: int) -> int:
        try:
            node = operator.index(given)
        except TypeError:
            node = -1
        if not 0 <= node < self.size:
            raise InputError(f"the {what} is {given!r}; the nodes are 0 .. {self.size - 1}")
        return node

    def between(self, start: int, goal: int | Collection[int]) -> RoadNetwork:
        """The same network with another start and goal, or several; it shares the arrays, so it is created quickly."""
        other = copy.copy(self)
        with other._unsettled():
            other._set_ends(start, goal)
        return other

    def backward(self) -> RoadNetwork | None:
        """The network with every road reversed, from the goal; None with several goals, or if a subclass changes steps."""
        if self.goal_count > 1 or any(
            getattr(type(self), name) is not getattr(RoadNetwork, name) for name in ("step", "is_goal", "goal_state")
        ):
            return None
        if not self._the_other_way:
            self._the_other_way.append(self._turned())
        return self._the_other_way[0].between(self.goal, self.initial.node)

    def _turned(self) -> RoadNetwork:
        from bestfirst.domains.road_map.arrays import turned  # noqa: PLC0415  (it imports NumPy)

        other = copy.copy(self)
        with other._unsettled():
            other._set_roads(*turned(self.data("first"), self.data("target"), self.data("cost")))
            other._is_turned, other._the_other_way = not self._is_turned, [self]
        return other

    def with_roads(self, roads: Iterable[tuple[int, int, Cost]]) -> RoadNetwork:
        """The same problem on a network where these roads, (from, to, length), have other lengths; math.inf closes a road.

        This network stays as it is. A road leads one way; of several roads between two nodes, one remains. A road that the
        network did not have is added. Raises InputError for an unknown node, and for an invalid length.
        Time: that of copying the arrays.
        """
        from bestfirst.domains.road_map.arrays import replaced, shortcut  # noqa: PLC0415  (it imports NumPy)

        now = {}
        for road in each_road(roads):
            ends = self._node("end of a road", road.origin), self._node("end of a road", road.target)
            is_closed = isinstance(road.length, float) and road.length == inf
            now[ends] = inf if is_closed else checked_length(road)
        first, target, cost = replaced(self.data("first"), self.data("target"), self.data("cost"), now)
        other = copy.copy(self)
        with other._unsettled():
            other._set_roads(first, target, cost)
            other._the_other_way = []
            other.unit_cost = bool((cost == 1).all())
            if self.default_heuristic is not None:
                other._shortcut = shortcut(first, target, cost, self.data("x"), self.data("y"))
        return other

    def changed_states(self, before: Problem[Any, Any]) -> list[State] | None:
        """The nodes whose roads differ from before; None if the other network has other nodes."""
        from bestfirst.domains.road_map.arrays import nodes_that_differ  # noqa: PLC0415

        if not isinstance(before, RoadNetwork) or before.size != self.size:
            return None
        now, then = ([one.data(name) for name in ("first", "target", "cost")] for one in (self, before))
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
        """The length of the straight line to the goal, a lower bound if no road is shorter than its straight line."""
        if self.goal_count == 1:
            return self._line(state, self.goal)
        return min(self._line(state, goal) for goal in self.goals)

    def _line(self, state: State, goal: int) -> float:
        return hypotenuse(self.x[state.node] - self.x[goal], self.y[state.node] - self.y[goal])

    def heuristics(self) -> Mapping[str, Heuristic]:
        """The heuristics; "straight-line" only with coordinates, and admissible only if no road is too short."""
        offered = dict(super().heuristics())
        straight_line = offered.pop("straight-line")
        if self.default_heuristic is not None:
            is_bound = self._shortcut is None
            offered[straight_line.name] = replace(
                straight_line, admissible=is_bound, consistent=is_bound, note=self._shortcut or ""
            )
        return offered


class CityNetwork(RoadNetwork):
    """The network of a RoadMap: node n is the map's n-th city, and action k the k-th of the map's successors."""

    def __init__(self, cities: RoadMap) -> None:
        self._cities: list[City] = list(cities.roads)
        number = {city: node for node, city in enumerate(self._cities)}
        points = cities.coordinates
        super().__init__(
            list(accumulate(map(len, cities.roads.values()), initial=0)),
            [number[city] for roads in cities.roads.values() for city in roads],
            [length for roads in cities.roads.values() for length in roads.values()],
            number[cities.initial],
            [number[goal] for goal in cities.goals],
            None if points is None else [list(map(float, points[city])) for city in self._cities],
        )

    def action_name(self, state: RoadNetwork.State, action: int) -> Action:
        return self._cities[super().action_name(state, action)]

    def decode(self, state: RoadNetwork.State) -> City:
        return self._cities[state.node]

    def format(self, state: RoadNetwork.State) -> str:
        return str(self.decode(state))


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
