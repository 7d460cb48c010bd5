"""Paths on a map: cities, the roads between them with their lengths, a start and a goal.

A state is a city; an action is the next city. A map comes from a dict, a list of roads, a NetworkX graph, or
from a file (see files.py).
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from bestfirst.arguments import check_bool, check_kind
from bestfirst.cached import cached_property
from bestfirst.domains.road_map.distances import (
    Bound,
    Distance,
    Place,
    alias_of,
    between_places,
    bound_of,
    check_distance,
    default_of,
    on_earth,
    scale_used,
)
from bestfirst.domains.road_map.files import Contents, read_csv, read_json
from bestfirst.domains.road_map.packed import CityNetwork, RoadNetwork, offered_with
from bestfirst.domains.road_map.roads import (
    City,
    Road,
    checked_coordinates,
    checked_length,
    checked_road,
    copied_if_plain,
    each_goal,
    each_road,
    fit_into_64_bits,
    mentioned_cities,
    roads_by_city,
)
from bestfirst.errors import InputError, UnknownNameError, shown
from bestfirst.frozen import FrozenDict, frozen
from bestfirst.heuristics.heuristic import Heuristic, heuristic
from bestfirst.problem import Background, Cell, Cost, Problem, Successor

if TYPE_CHECKING:
    import networkx as nx


_OF_ROADS = "_turned", "_bound", "_places", "_networks"
"""Cached properties that do not depend on start and goal."""


class _PropertyOfObjects(property):
    """A property that is None for the class itself, as an attribute set in __init__ would be."""

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        return None if owner is None else super().__get__(owner, kind)


class RoadMap(Problem[City, City]):
    """A map with a start and a goal.

    goal: a city, or a list or set of cities: the nearest is the goal, and straight-line estimates the cost to the nearest.
    roads: {city: {city: length, ...}, ...}, or an iterable of (from, to, length) or of Road. A two-way road can be given
        from one of its ends or from both. Of several roads from one city to another, the shortest is used.
    coordinates: {city: (x, y), ...} for every city. They enable the heuristics straight-line and scaled-distance.
    distance: "straight": the coordinates are in a plane; "great-circle": they are the longitude and the latitude in degrees,
        and distances are those on the earth, in metres.
    directed: whether every road is one-way.
    Raises InputError for a length that is not a number >= 0, a two-way road whose lengths from its two ends differ, or
    missing or invalid coordinates; UnknownNameError for a start or goal that is not on the map.

    The roads of a city are tried in the given order; a two-way road given from its other end has its place
    in that order.
    """

    _has_named_places = True
    _settled_for_good = frozenset({"goal", "start", "directed", "distance"})

    def __init__(
        self,
        roads: Mapping[City, Mapping[City, Cost]] | Iterable[Road | tuple[City, City, Cost]],
        start: City,
        goal: City | list[City] | set[City],
        *,
        coordinates: Mapping[City, Sequence[float]] | None = None,
        directed: bool = False,
        distance: Distance = "straight",
    ) -> None:
        check_bool("directed", directed)
        check_distance(distance)
        self.distance = distance
        plain = copied_if_plain(roads) if directed else None
        if plain is not None:
            self.coordinates = None if coordinates is None else checked_coordinates(coordinates, dict.fromkeys(plain, ""))
            self.roads = plain | {city: {} for city in coordinates or () if city not in plain}
        else:
            given = [checked_road(road, directed) for road in each_road(roads)]
            mentioned = mentioned_cities(given)
            if isinstance(roads, Mapping):
                mentioned.update((city, "") for city in roads if city not in mentioned)
            self.coordinates = None if coordinates is None else checked_coordinates(coordinates, mentioned)
            self.roads = roads_by_city(given, [*mentioned, *(coordinates or ())])
        _check_city(start, self.roads, "the map")
        self.initial = start
        self._set_goals(goal)
        self.unit_cost = all(length == 1 for of_city in self.roads.values() for length in of_city.values())
        if distance == "great-circle":
            self._places  # noqa: B018  (which checks the coordinates)
        self._settle()

    def _set_goals(self, goal: City | list[City] | set[City]) -> None:
        goals = each_goal(goal)
        for city in goals:
            _check_city(city, self.roads, "the map")
        self.goal, *more_goals = dict.fromkeys(goals)
        self.more_goals = tuple(more_goals)

    @property
    def goals(self) -> tuple[City, ...]:
        """All goals."""
        return (self.goal, *self.more_goals)

    def __setattr__(self, name: str, value: Any) -> None:
        of_roads = (
            {} if name in ("roads", "coordinates") else {one: vars(self)[one] for one in _OF_ROADS if one in vars(self)}
        )
        super().__setattr__(name, frozen(value) if name in ("roads", "coordinates") else value)
        vars(self).update(of_roads)

    def _default(self) -> str | None:
        """The straight line if it is a lower bound, otherwise the scaled distance if it says anything; can be set."""
        own = vars(self)
        if "_own_default" in own:
            chosen: str | None = own["_own_default"]
            return chosen
        return None if self._bound is None else default_of(self.distance, self._bound)

    def _set_default(self, name: str | None) -> None:
        vars(self)["_own_default"] = name

    default_heuristic: str | None = _PropertyOfObjects(_default, _set_default)  # type: ignore[assignment]

    def between(self, start: City, goal: City | list[City] | set[City]) -> RoadMap:
        """The same map with another start and goal, or several; it shares the roads, so it is created quickly.

        Raises UnknownNameError for a city that is not on the map.
        """
        _check_city(start, self.roads, "the map")
        other = copy.copy(self)
        own = vars(other)
        own.pop("_network", None)
        own["_networks"] = self._networks
        with other._unsettled():
            other.initial = start
            other._set_goals(goal)
        return other

    def with_roads(
        self,
        roads: Mapping[City, Mapping[City, Cost]] | Iterable[Road | tuple[City, City, Cost]],
        *,
        directed: bool = False,
    ) -> RoadMap:
        """The same problem on a map where these roads have other lengths; math.inf closes a road. This map does not change.

        roads, directed: as in RoadMap: unless directed, each road leads both ways. A road that the map did not have is added.
        Raises UnknownNameError for a city that is not on the map, and InputError for an invalid length.
        """
        check_bool("directed", directed)
        now = self._both_ways(roads, directed)
        other = copy.copy(self)
        with other._unsettled():
            other.roads = _changed(self.roads, now)
            other.unit_cost = all(length == 1 for of_city in other.roads.values() for length in of_city.values())
            derived = vars(other)
            for name in ("_network", "_networks", "_turned", "_bound"):
                derived.pop(name, None)
            if "_turned" in vars(self):
                derived["_turned"] = _changed(
                    self._turned, {(target, origin): length for (origin, target), length in now.items()}
                )
            known = vars(self).get("_bound")
            if known is not None and known.shortcut is None:
                assert self._places is not None
                roads_now = ((*ends, length) for ends, length in now.items() if length < inf)
                added = bound_of(roads_now, self._places, self.distance)
                derived["_bound"] = Bound(added.shortcut, min(known.scale, added.scale))
        return other

    def _both_ways(
        self, roads: Mapping[City, Mapping[City, Cost]] | Iterable[Road | tuple[City, City, Cost]], directed: bool
    ) -> dict[tuple[City, City], Cost]:
        """The lengths of roads by their two ends, checked; infinite for a closed one."""
        given: list[Road] = []
        for road in each_road(roads):
            is_closed = isinstance(road.length, float) and road.length == inf
            checked = checked_road(road._replace(length=0) if is_closed else road, directed)
            for city in (road.origin, road.target):
                _check_city(city, self.roads, "the map")
            given.append(checked._replace(length=inf) if is_closed else checked)
        by_city = roads_by_city(given, mentioned_cities(given))
        return {(city, other): length for city, of_city in by_city.items() for other, length in of_city.items()}

    def _differing(self, before: object) -> list[str]:
        if not isinstance(before, RoadMap):
            return ["type"]
        return [] if self.roads.keys() == before.roads.keys() else ["cities"]

    def changed_states(self, before: Problem[Any, Any]) -> list[City] | None:
        """The cities whose roads differ from before; None if the other map has other cities."""
        if not isinstance(before, RoadMap) or self._differing(before):
            return None
        then = before.roads
        return [city for city, roads in self.roads.items() if roads is not then[city] and roads != then[city]]

    @classmethod
    def from_text(
        cls,
        text: str,
        *,
        start: str,
        goal: str | list[str],
        distance: str | None = None,
        coordinates: str | None = None,
        attribute: str | None = None,
    ) -> RoadMap | RoadNetwork:
        """A map from command-line arguments: `text` is the path of a .csv, .json, .graphml or .gr file, the last two also with
        .gz.

        distance: straight or great-circle. coordinates: the .co file of a .gr file. attribute: the edge
        attribute of a .graphml file that contains the cost.
        """
        path = Path(text)
        kind = path.with_suffix("").suffix.lower() if path.suffix.lower() == ".gz" else path.suffix.lower()
        if coordinates is not None and kind != ".gr":
            raise InputError(
                f"a separate file of coordinates can be used only with a .gr file, but the map is {shown(text)}; omit --coordinates"
            )
        if attribute is not None and kind != ".graphml":
            raise InputError(
                f"an attribute can be named only for a .graphml file, but the map is {shown(text)}; omit --attribute"
            )
        given: Any = {} if distance is None else {"distance": distance}
        if kind == ".gr":
            goals = [_numbered("goal", city) for city in each_goal(goal)]
            return RoadNetwork.from_dimacs(path, _numbered("start", start), goals, coordinates=coordinates, **given)
        if kind == ".graphml":
            return cls.from_graphml(path, start, goal, weight=attribute, **given)
        if path.suffix.lower() == ".csv":
            return cls.from_csv(path, start, goal, **given)
        if path.suffix.lower() == ".json":
            return cls.from_json(path, start, goal, **given)
        raise InputError(f"the map is {shown(text)}; use the path of a file whose name ends in .csv, .json, .graphml or .gr")

    @classmethod
    def from_csv(
        cls, path: str | Path, start: str, goal: str | list[str] | set[str], *, distance: Distance = "straight"
    ) -> RoadMap:
        """A map from a CSV file in the format of files.py; raises InputError that names the file and the line."""
        return cls._from_file(read_csv, Path(path), start, goal, distance)

    @classmethod
    def from_json(
        cls, path: str | Path, start: str, goal: str | list[str] | set[str], *, distance: Distance = "straight"
    ) -> RoadMap:
        """A map from a JSON file in the format of files.py; raises InputError that names the file and the road or city."""
        return cls._from_file(read_json, Path(path), start, goal, distance)

    @classmethod
    def from_graphml(
        cls,
        path: str | Path,
        start: str,
        goal: str | list[str] | set[str],
        *,
        weight: str | None = None,
        coordinates: tuple[str, str] | None = None,
        distance: Distance = "straight",
    ) -> RoadMap:
        """A map from a GraphML file, also with gzip; cities are the ids of nodes. Of parallel edges, the cheapest is used.

        weight: the edge attribute that contains the cost. Default: weight, or else length.
        coordinates: the node attributes that contain x and y. Default: x and y, if there are such attributes.
        Raises InputError that names the file and the line or the edge, and UnknownNameError for an unknown attribute.
        """
        from bestfirst.domains.road_map.graphml import read_graphml  # noqa: PLC0415  (it imports an XML parser)

        graph = read_graphml(Path(path), weight, coordinates)
        for city in (start, *each_goal(goal)):
            _check_city(city, graph.roads, str(path))
        try:
            return cls(graph.roads, start, goal, coordinates=graph.coordinates, directed=True, distance=distance)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None

    @classmethod
    def _from_file(
        cls,
        read: Callable[[Path], Contents],
        path: Path,
        start: str,
        goal: str | list[str] | set[str],
        distance: Distance,
    ) -> RoadMap:
        contents = read(path)
        cities = dict.fromkeys([*mentioned_cities(contents.roads), *(contents.coordinates or ())])
        for city in (start, *each_goal(goal)):
            _check_city(city, cities, str(path))
        return cls(
            contents.roads, start, goal, coordinates=contents.coordinates, directed=contents.directed, distance=distance
        )

    @classmethod
    def from_networkx(
        cls,
        graph: nx.Graph[Any],
        start: City,
        goal: City,
        *,
        weight: str | Callable[[City, City, Any], Cost | None] | None = "weight",
        coordinates: str | tuple[str, str] | Mapping[City, Sequence[float]] | None = None,
        distance: Distance = "straight",
    ) -> RoadMap:
        """A map from a NetworkX graph, directed or not. Of parallel edges, the shortest is used.

        weight: the edge attribute with the length, which every edge needs (NetworkX takes 1 for edges without it); or, as in
        NetworkX, a function of both nodes and the data of the edge (of a multigraph: of all edges by key), which returns None
        for a closed road; None: every road has length 1.
        coordinates: the node attribute with (x, y), the two node attributes with x and y, or
        {node: (x, y), ...}, such as a layout.
        Raises UnknownNameError for a missing attribute; InputError for anything but a graph, or an invalid map.
        """
        try:
            import networkx  # noqa: PLC0415 - an extra that only this needs
        except ImportError:
            raise InputError("from_networkx needs NetworkX; install it with: pip install 'bestfirst[networkx]'") from None
        if not isinstance(graph, networkx.Graph):
            raise InputError(f"graph is {shown(graph)}; pass a networkx.Graph or networkx.DiGraph")
        roads = _roads_of(graph, weight)
        points = coordinates if coordinates is None or isinstance(coordinates, Mapping) else _points(graph, coordinates)
        # graph.adj has a two-way edge at both its ends
        return cls(roads, start, goal, coordinates=points, directed=True, distance=distance)

    def successors(self, state: City) -> Iterable[Successor]:
        return [(city, city, length) for city, length in self.roads[state].items()]

    def is_goal(self, state: City) -> bool:
        return bool(state == self.goal) or state in self.more_goals

    def goal_state(self) -> City:
        return None if self.more_goals else self.goal

    def goal_states(self) -> Sequence[City]:
        return self.goals

    def backward(self) -> RoadMap | Any:
        """The map with every road reversed, from the goal; None with several goals."""
        return None if self.more_goals else _Backward(self)

    @cached_property
    def _turned(self) -> dict[City, dict[City, Cost]]:
        """The reversed roads, for all backward maps of this one."""
        turned: dict[City, dict[City, Cost]] = {city: {} for city in self.roads}
        for city, roads in self.roads.items():
            for other, length in roads.items():
                turned[other][city] = length
        reversed_roads: dict[City, dict[City, Cost]] = frozen(turned)  # once: each backward map keeps these
        return reversed_roads

    def domain(self) -> RoadNetwork | None:
        return self._network

    @cached_property
    def _network(self) -> RoadNetwork | None:
        if not self._networks:
            lengths = (length for roads in self.roads.values() for length in roads.values())
            self._networks.append(CityNetwork(self) if fit_into_64_bits(lengths) else None)
        shared = self._networks[0]
        return None if shared is None else shared.with_ends_of(self)

    @cached_property
    def _networks(self) -> list[CityNetwork | None]:
        """The network of the roads, once it is made, for all maps that differ in start and goal only."""
        return []

    @cached_property
    def _places(self) -> Mapping[City, Place] | None:
        """The places of all cities."""
        if self.coordinates is None:
            return None
        if self.distance == "straight":
            return {city: (float(x), float(y)) for city, (x, y) in self.coordinates.items()}
        return {city: on_earth(city, point) for city, point in self.coordinates.items()}

    @cached_property
    def _bound(self) -> Bound | None:
        """How distances bound the costs of the roads; None without coordinates."""
        if self._places is None:
            return None
        roads = ((city, other, length) for city, roads in self.roads.items() for other, length in roads.items())
        return bound_of(roads, self._places, self.distance)

    def unsolvable(self) -> str | None:
        """Checks whether any road leaves the start or leads to the goal; longer obstacles are left to the search."""
        if self.is_goal(self.initial):
            return None
        if not self.roads[self.initial].keys() - {self.initial}:
            return f"no road leaves {self.initial}"
        if not any(goal in roads for city, roads in self.roads.items() for goal in self.goals if city != goal):
            return f"no road leads to {' or '.join(map(str, self.goals))}"
        return None

    def cells(self, state: City) -> Iterable[Cell] | None:
        if self.coordinates is None:
            return None
        x, y = self.coordinates[state]
        return [(-y, x, str(state))]

    def background(self) -> Background:
        points = self.coordinates or {}
        ends = [(points[city], points[other]) for city, roads in self.roads.items() for other in roads if points]
        return Background(lines=list(dict.fromkeys((-y, x, -other_y, other_x) for (x, y), (other_x, other_y) in ends)))

    @heuristic()
    def straight_line(self, state: City) -> float:
        """The distance to the goal, a lower bound if no road is shorter than the distance between its ends.

        Raises InputError if the map has no coordinates.
        """
        places = self._places
        if places is None:
            raise InputError(
                "heuristic 'straight-line' needs the coordinates of the cities, but this map has none; add "
                "coordinates, or use another heuristic"
            )
        return min(between_places(places[state], places[goal]) for goal in self.goals)

    @heuristic(admissible=True, consistent=True)
    def scaled_distance(self, state: City) -> float:
        """The distance to the goal times the least cost of a road for each unit of distance."""
        line = self.straight_line(state)
        assert self._bound is not None
        return scale_used(self._bound) * line

    def heuristics(self) -> Mapping[str, Heuristic]:
        """The heuristics; those of distances only with coordinates, and "straight-line" admissible only if no road is too short.

        If no road is shorter than the distance between its ends, then no path is either (so it is admissible), and the
        estimate falls along no road by more than the road's length (so it is consistent). On the earth, it is called
        "great-circle". The name of "scaled-distance" is followed by the scale, as in "scaled-distance(0.8)".
        """
        return offered_with(dict(super().heuristics()), self._bound, self.distance)

    def heuristic_alias(self, name: str) -> str:
        return alias_of(name, self._bound, self.distance)


class _Backward(RoadMap):
    """The map with every road reversed, from the goal; an action is still the city that the road leads to on the map."""

    def __init__(self, forward: RoadMap) -> None:
        self.roads, self.coordinates = forward._turned, forward.coordinates  # already checked
        self.initial, self.goal, self.more_goals = forward.goal, forward.initial, ()
        self.unit_cost, self.distance = forward.unit_cost, forward.distance
        self._forward = forward

    def successors(self, state: City) -> Iterable[Successor]:
        return [(state, city, length) for city, length in self.roads[state].items()]

    def backward(self) -> RoadMap:
        return self._forward

    def between(self, start: City, goal: City | list[City] | set[City]) -> RoadMap:
        goals = each_goal(goal)
        if len(goals) > 1:
            raise InputError(
                "this map is the reverse of another map, so it can have only one goal; call between() of that other map"
            )
        return _Backward(self._forward.between(goals[0], start))

    def with_roads(self, *_roads: Any, **_options: Any) -> NoReturn:
        raise InputError(
            "this map is the reverse of another map; change the roads of that other map, and call its backward()"
        )

    def domain(self) -> RoadNetwork | None:
        network = self._forward.domain()
        return None if network is None else network.backward()

    @property
    def _bound(self) -> Bound | None:  # computed once, for both directions
        return self._forward._bound

    @property
    def _places(self) -> Mapping[City, Place] | None:
        return self._forward._places


# Changing roads.


def _changed(
    roads: Mapping[City, Mapping[City, Cost]], now: Mapping[tuple[City, City], Cost]
) -> dict[City, dict[City, Cost]]:
    """The roads with other lengths; cities whose roads do not change keep theirs."""
    changed: dict[City, Any] = dict(roads)
    own = {city: dict(roads[city]) for city, _ in now}
    for (city, target), length in now.items():
        if length < inf:
            own[city][target] = length
        else:
            own[city].pop(target, None)
    changed.update((city, FrozenDict(of_city)) for city, of_city in own.items())
    return FrozenDict(changed)


# Checking what is given.


def _numbered(what: str, text: str) -> int:
    """The number of a node of a DIMACS file from text."""
    if not (text.isascii() and text.isdigit()):
        raise InputError(f"the {what} is {shown(text)}; a .gr file numbers its nodes 1, 2, 3, ...")
    return int(text)


def _check_city(city: City, cities: Mapping[City, Any], place: str) -> None:
    check_kind("city", city, Hashable, "one of the cities of the map")
    if city not in cities:
        raise UnknownNameError(f"city of {place}", str(city), map(str, cities))


# Reading NetworkX graphs.


def _roads_of(
    graph: nx.Graph[Any], weight: str | Callable[[City, City, Any], Cost | None] | None
) -> dict[City, dict[City, Cost]]:
    """The lengths of the edges by their two nodes, unchecked."""
    if weight is None:
        return {city: dict.fromkeys(edges, 1) for city, edges in graph.adjacency()}
    if callable(weight):
        found = {
            city: {other: weight(city, other, data) for other, data in edges.items()} for city, edges in graph.adjacency()
        }
        return {city: {other: cost for other, cost in roads.items() if cost is not None} for city, roads in found.items()}
    if not graph.is_multigraph():
        try:
            return {city: {other: edge[weight] for other, edge in edges.items()} for city, edges in graph.adjacency()}
        except KeyError:
            pass  # the edge without it is reported below
    return {city: {other: _shortest(graph, city, other, weight) for other in edges} for city, edges in graph.adjacency()}


def _shortest(graph: nx.Graph[Any], city: City, other: City, weight: str) -> Cost:
    """The length of the shortest edge between two nodes."""
    between = graph.adj[city][other]
    edges = list(between.values()) if graph.is_multigraph() else [between]
    return min(checked_length(Road(city, other, _attribute(edge, weight, f"edge {city}-{other}"))) for edge in edges)


def _points(graph: nx.Graph[Any], attributes: str | tuple[str, str]) -> dict[City, Any]:
    """The coordinates in one or two node attributes."""
    if isinstance(attributes, str):
        return {city: _attribute(facts, attributes, f"node {city}") for city, facts in graph.nodes(data=True)}
    try:
        return {city: tuple([facts[attribute] for attribute in attributes]) for city, facts in graph.nodes(data=True)}
    except KeyError:
        return {
            city: tuple(_attribute(facts, attribute, f"node {city}") for attribute in attributes)
            for city, facts in graph.nodes(data=True)
        }


def _attribute(facts: Mapping[Any, Any], name: str, owner: str) -> Any:
    if name not in facts:
        raise UnknownNameError(f"attribute of {owner}", name, map(str, facts))
    return facts[name]
