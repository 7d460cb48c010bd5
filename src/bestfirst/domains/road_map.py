"""Paths on a map: cities, the roads between them with their lengths, a start and a goal.

A state is a city; an action is the city driven to. A map comes from a dict, from a list of roads, from a NetworkX graph, or
from a file in one of two formats, both UTF-8 text.

CSV: one or two tables, each under a header line, with a blank line between them. The table of roads is needed; its column
`oneway` can be left out, and a yes there makes a road that leads only from `from` to `to`. The table of cities can be left
out; if it is there, it gives the coordinates of every city.

    city,x,y
    A,0,0
    T,0,3

    from,to,length,oneway
    A,T,3,no

JSON: an object with the same facts. `cities` can be left out, and so can `directed`: true makes every road one-way.

    {"cities": {"A": [0, 0], "T": [0, 3]}, "roads": [["A", "T", 3]], "directed": false}

A length is a number >= 0; one that is written as a whole number is kept as one.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from bestfirst.errors import InputError, UnknownNameError
from bestfirst.heuristics.heuristic import Heuristic, heuristic
from bestfirst.numbers import exceeds
from bestfirst.problem import Cell, Cost, Problem, Successor

if TYPE_CHECKING:
    import networkx as nx

City: TypeAlias = Any
"""The name of a city in a file; any node of a NetworkX graph."""

Point: TypeAlias = tuple[int | float, int | float]


class Road(NamedTuple):
    """A road from a city to another, and back unless it is one-way; `where` says where it was read, for messages."""

    origin: City
    target: City
    length: Cost
    one_way: bool = False
    where: str = ""


class RoadMap(Problem):
    """A map with a start and a goal.

    roads: {city: {city: length, ...}, ...}, or an iterable of (from, to, length) or of Road. A two-way road can be given
        from one of its ends or from both. Of several roads from one city to another the shortest counts.
    coordinates: {city: (x, y), ...} for every city. With them the heuristic straight-line is offered.
    directed: whether every road is one-way.
    Raises InputError for a length that is no number >= 0, a two-way road whose lengths from its two ends differ, or
    coordinates that are missing or no numbers; UnknownNameError for a start or goal that is not on the map.

    The roads of a city are tried in the order in which they are given; one that is given from its other end only has the
    place where it is given there.
    """

    def __init__(
        self,
        roads: Mapping[City, Mapping[City, Cost]] | Iterable[Road | tuple[City, City, Cost]],
        start: City,
        goal: City,
        *,
        coordinates: Mapping[City, Sequence[float]] | None = None,
        directed: bool = False,
    ) -> None:
        given = [_checked_road(road, directed) for road in _each_road(roads)]
        mentioned = _mentioned(given)
        if isinstance(roads, Mapping):
            mentioned.update((city, "") for city in roads if city not in mentioned)
        self.coordinates = None if coordinates is None else _checked_coordinates(coordinates, mentioned)
        self.roads = _roads_by_city(given, [*mentioned, *(coordinates or ())])
        _check_city(start, self.roads, "the map")
        _check_city(goal, self.roads, "the map")
        self.initial = start
        self.goal = goal
        lengths = [length for roads_of_city in self.roads.values() for length in roads_of_city.values()]
        self.unit_cost = all(length == 1 for length in lengths)
        self.default_heuristic = None if coordinates is None else "straight-line"

    @classmethod
    def from_text(cls, text: str, *, start: str, goal: str) -> RoadMap:
        """A map from the words of a command line: the text is the path of a .csv or .json file."""
        path = Path(text)
        if path.suffix.lower() == ".csv":
            return cls.from_csv(path, start, goal)
        if path.suffix.lower() == ".json":
            return cls.from_json(path, start, goal)
        raise InputError(f"the map is {text!r}; give the path of a file whose name ends in .csv or .json")

    @classmethod
    def from_csv(cls, path: str | Path, start: str, goal: str) -> RoadMap:
        """A map from a CSV file in the format above; raises InputError that names the file and the line."""
        return cls._from_file(_read_csv, Path(path), start, goal)

    @classmethod
    def from_json(cls, path: str | Path, start: str, goal: str) -> RoadMap:
        """A map from a JSON file in the format above; raises InputError that names the file and the road or city."""
        return cls._from_file(_read_json, Path(path), start, goal)

    @classmethod
    def _from_file(cls, read: Callable[[Path], _Contents], path: Path, start: str, goal: str) -> RoadMap:
        contents = read(path)
        cities = [*_mentioned(contents.roads), *(contents.coordinates or ())]
        _check_city(start, cities, str(path))
        _check_city(goal, cities, str(path))
        return cls(contents.roads, start, goal, coordinates=contents.coordinates, directed=contents.directed)

    @classmethod
    def from_networkx(
        cls,
        graph: nx.Graph[Any],
        start: City,
        goal: City,
        *,
        weight: str | None = "length",
        coordinates: str | tuple[str, str] | Mapping[City, Sequence[float]] | None = None,
    ) -> RoadMap:
        """A map from a NetworkX graph, directed or not. Of parallel edges the shortest counts.

        weight: the attribute of an edge that holds its length; None makes every road 1 long.
        coordinates: the attribute of a node that holds its (x, y), the two attributes that hold its x and its y, or
            {node: (x, y), ...}, such as a layout.
        Raises UnknownNameError for an attribute that is missing; InputError for what is no graph, or no map.
        """
        try:
            import networkx  # noqa: PLC0415 - an extra that only this needs
        except ImportError:
            raise InputError("from_networkx needs NetworkX; install it with: pip install 'bestfirst[networkx]'") from None
        if not isinstance(graph, networkx.Graph):
            raise InputError(f"graph is {graph!r}; give a networkx.Graph or networkx.DiGraph")
        roads = {city: {other: _shortest(graph, city, other, weight) for other in graph.adj[city]} for city in graph}
        points = coordinates if coordinates is None or isinstance(coordinates, Mapping) else _points(graph, coordinates)
        return cls(roads, start, goal, coordinates=points, directed=True)  # graph.adj holds a two-way edge at both its ends

    def successors(self, state: City) -> Iterable[Successor]:
        return [(city, city, length) for city, length in self.roads[state].items()]

    def is_goal(self, state: City) -> bool:
        return bool(state == self.goal)

    def goal_state(self) -> City:
        return self.goal

    def backward(self) -> RoadMap:
        return _Backward(self)

    def unsolvable(self) -> str | None:
        """That no road leaves the start, or none leads to the goal; whatever lies between them is for a search to find."""
        if self.initial == self.goal:
            return None
        if not self.roads[self.initial].keys() - {self.initial}:
            return f"no road leaves {self.initial}"
        if not any(self.goal in roads for city, roads in self.roads.items() if city != self.goal):
            return f"no road leads to {self.goal}"
        return None

    def cells(self, state: City) -> Iterable[Cell] | None:
        if self.coordinates is None:
            return None
        x, y = self.coordinates[state]
        return [(-y, x, str(state))]

    @heuristic()
    def straight_line(self, state: City) -> float:
        """The length of the straight line to the goal, a lower bound where no road is shorter than its straight line.

        Raises InputError where the map has no coordinates.
        """
        if self.coordinates is None:
            raise InputError("heuristic 'straight-line' needs the coordinates of the cities, and this map has none")
        return math.dist(self.coordinates[state], self.coordinates[self.goal])

    def heuristics(self) -> Mapping[str, Heuristic]:
        """The heuristics on offer; straight-line only with coordinates, and with what this map's roads say about it.

        If no road is shorter than the straight line between its ends, then no path is either (so it is admissible), and the
        estimate falls along no road by more than its length (so it is consistent).
        """
        offered = dict(super().heuristics())
        straight_line = offered.pop("straight-line")
        if self.coordinates is not None:
            shortcut = self._shortcut
            offered[straight_line.name] = replace(
                straight_line, admissible=shortcut is None, consistent=shortcut is None, note=shortcut or ""
            )
        return offered

    @cached_property
    def _shortcut(self) -> str | None:
        """The road that falls short of its straight line by most, in words; None if none does."""
        assert self.coordinates is not None
        worst, shortfall = None, 0.0
        for city, roads in self.roads.items():
            for other, length in roads.items():
                line = math.dist(self.coordinates[city], self.coordinates[other])
                if line - length > shortfall and exceeds(line, length):
                    worst = f"road {city}-{other} has length {length:g}, but the straight line is {line:g}"
                    shortfall = line - length
        return worst


class _Backward(RoadMap):
    """The map with every road turned round, from the goal; an action is still the city that the road leads to on the map."""

    def __init__(self, forward: RoadMap) -> None:
        turned: dict[City, dict[City, Cost]] = {city: {} for city in forward.roads}
        for city, roads in forward.roads.items():
            for other, length in roads.items():
                turned[other][city] = length
        super().__init__(turned, forward.goal, forward.initial, coordinates=forward.coordinates, directed=True)
        self._forward = forward

    def successors(self, state: City) -> Iterable[Successor]:
        return [(state, city, length) for city, length in self.roads[state].items()]

    def backward(self) -> RoadMap:
        return self._forward


# Checking what is given.


def _each_road(roads: Mapping[City, Mapping[City, Cost]] | Iterable[Road | tuple[City, City, Cost]]) -> Iterator[Road]:
    if not isinstance(roads, Mapping):
        for road in roads:
            try:
                yield Road(*road)
            except TypeError:
                raise InputError(f"a road is {road!r}; write (from, to, length)") from None
        return
    for city, roads_of_city in roads.items():
        if not isinstance(roads_of_city, Mapping):
            raise InputError(f"the roads of {city!r} are {roads_of_city!r}; write {{city: length, ...}}")
        for other, length in roads_of_city.items():
            yield Road(city, other, length)


def _checked_road(road: Road, directed: bool) -> Road:
    try:
        hash((road.origin, road.target))
    except TypeError:
        raise InputError(f"{road.where}a road from {road.origin!r} to {road.target!r}; cities must be hashable") from None
    return road._replace(length=_checked_length(road), one_way=road.one_way or directed)


def _checked_length(road: Road) -> Cost:
    length = _finite(road.length)
    if length is None or length < 0:
        raise InputError(
            f"{road.where}the length of road {road.origin}-{road.target} is {road.length!r}; write a finite number >= 0"
        )
    return length


def _checked_coordinates(given: Mapping[City, Sequence[float]], mentioned: Mapping[City, str]) -> dict[City, Point]:
    """The coordinates of all cities; mentioned: the cities on the roads, each with the place where it was read."""
    for city, where in mentioned.items():
        if city not in given:
            raise InputError(f"{where}city {city!r} has no coordinates; give them for every city, or for none")
    return {city: _checked_point(city, point) for city, point in given.items()}


def _checked_point(city: City, point: object, where: str = "") -> Point:
    try:
        x, y = (_finite(part) for part in point)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        x = y = None
    if x is None or y is None:
        raise InputError(f"{where}the coordinates of {city!r} are {point!r}; write two finite numbers, (x, y)")
    return x, y


def _finite(value: object) -> int | float | None:
    """A number of any kind as an int or a float; None for what is no number, or none that a float can hold."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return None
    try:
        if not math.isfinite(value):
            return None
    except OverflowError:
        return None
    return int(value) if isinstance(value, Integral) else float(value)


def _check_city(city: City, cities: Iterable[City], place: str) -> None:
    known = set(cities)
    if city not in known:
        raise UnknownNameError(f"city of {place}", str(city), map(str, known))


def _mentioned(roads: Iterable[Road]) -> dict[City, str]:
    """The cities on the roads, each with the place where it was read first."""
    mentioned: dict[City, str] = {}
    for road in roads:
        mentioned.setdefault(road.origin, road.where)
        mentioned.setdefault(road.target, road.where)
    return mentioned


def _roads_by_city(roads: list[Road], cities: Iterable[City]) -> dict[City, dict[City, Cost]]:
    """For each city, the cities to which a road leads from it, and the length of the shortest."""
    two_way: dict[tuple[City, City], Road] = {}  # the shortest given from this end
    for road in roads:
        ends = road.origin, road.target
        if not road.one_way and (ends not in two_way or road.length < two_way[ends].length):
            two_way[ends] = road
    for (origin, target), road in two_way.items():
        twin = two_way.get((target, origin), road)
        if twin.length != road.length:
            raise InputError(
                f"{twin.where}the road {target}-{origin} has length {twin.length}, but given as {origin}-{target} it has "
                f"{road.length}; a two-way road has one length (give two one-way roads if that is what they are)"
            )
    by_city: dict[City, dict[City, Cost]] = {city: {} for city in cities}
    for road in roads:
        _add_if_shorter(by_city[road.origin], road.target, road.length)
        if not road.one_way and (road.target, road.origin) not in two_way:
            _add_if_shorter(by_city[road.target], road.origin, road.length)
    return by_city


def _add_if_shorter(roads: dict[City, Cost], city: City, length: Cost) -> None:
    if city not in roads or length < roads[city]:
        roads[city] = length


# Reading NetworkX graphs.


def _shortest(graph: nx.Graph[Any], city: City, other: City, weight: str | None) -> Cost:
    """The length of the shortest edge from a node to another."""
    between = graph.adj[city][other]
    edges = list(between.values()) if graph.is_multigraph() else [between]
    if weight is None:
        return 1
    return min(_checked_length(Road(city, other, _attribute(edge, weight, f"edge {city}-{other}"))) for edge in edges)


def _points(graph: nx.Graph[Any], attributes: str | tuple[str, str]) -> dict[City, Any]:
    """The coordinates that the nodes hold in one attribute or in two."""
    if isinstance(attributes, str):
        return {city: _attribute(facts, attributes, f"node {city}") for city, facts in graph.nodes(data=True)}
    return {
        city: tuple(_attribute(facts, attribute, f"node {city}") for attribute in attributes)
        for city, facts in graph.nodes(data=True)
    }


def _attribute(facts: Mapping[Any, Any], name: str, owner: str) -> Any:
    if name not in facts:
        raise UnknownNameError(f"attribute of {owner}", name, map(str, facts))
    return facts[name]


# Reading files.


class _Contents(NamedTuple):
    """What a file says."""

    roads: list[Road]
    coordinates: dict[str, Point] | None
    directed: bool = False


def _text_of(path: Path) -> str:
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(f"the map {path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}, line {line}: this is not UTF-8 text; save the file as UTF-8") from None
    if not text.strip():
        raise InputError(f"{path} is empty; a map needs roads (see the module bestfirst.domains.road_map for the format)")
    return text


@dataclass
class _Table:
    """A table of a CSV file: its columns, and its rows as {column: cell}, each with the place where it was read."""

    where: str
    columns: list[str]
    rows: list[tuple[str, dict[str, str]]]


_CITIES = ("city", "x", "y")
_ROADS = ("from", "to", "length")
_ONE_WAY = {"yes": True, "no": False, "": False}


def _read_csv(path: Path) -> _Contents:
    tables: dict[str, _Table] = {}
    for table in _tables(path):
        first = _kind(table)
        if first in tables:
            raise InputError(f"{table.where}a second table of {'roads' if first == 'from' else 'cities'}; write them in one")
        tables[first] = table
    if "from" not in tables:
        raise InputError(f"{path} has no table of roads; write one under the header from,to,length")
    roads = [_road_of_row(where, row) for where, row in tables["from"].rows]
    return _Contents(roads, _points_of_rows(tables["city"].rows) if "city" in tables else None)


def _tables(path: Path) -> list[_Table]:
    tables: list[_Table] = []
    inside = False
    reader = csv.reader(io.StringIO(_text_of(path), newline=""), skipinitialspace=True, strict=True)
    try:
        for row in reader:
            where = f"{path}, line {reader.line_num}: "
            cells = [cell.strip() for cell in row]
            if not any(cells):
                inside = False
            elif inside:
                columns = tables[-1].columns
                if len(cells) < len(columns) or any(cells[len(columns) :]):
                    raise InputError(f"{where}{len(cells)} cells, but the table has the columns {','.join(columns)}")
                tables[-1].rows.append((where, dict(zip(columns, cells, strict=False))))
            else:
                header = ",".join(cells).rstrip(",").lower()  # spreadsheets pad short rows with empty cells
                tables.append(_Table(where, header.split(","), []))
                inside = True
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: this is not CSV ({error})") from None
    return tables


def _kind(table: _Table) -> str:
    """The first column that a table must have, which tells what it is; raises InputError for columns that are not right."""
    needed, optional = (_CITIES, set()) if "city" in table.columns else (_ROADS, {"oneway"})
    columns = set(table.columns)
    if not set(needed) <= columns <= {*needed, *optional} or len(columns) < len(table.columns):
        raise InputError(
            f"{table.where}the header is {','.join(table.columns)!r}; write city,x,y over a table of cities, "
            "and from,to,length or from,to,length,oneway over one of roads"
        )
    return needed[0]


def _road_of_row(where: str, row: dict[str, str]) -> Road:
    answer = row.get("oneway", "").lower()
    if answer not in _ONE_WAY:
        raise InputError(f"{where}oneway is {row['oneway']!r}; write yes or no, or leave it empty")
    if not (row["from"] and row["to"]):
        raise InputError(f"{where}a road needs a name in both from and to")
    return Road(row["from"], row["to"], _number(row["length"]), _ONE_WAY[answer], where)


def _points_of_rows(rows: list[tuple[str, dict[str, str]]]) -> dict[str, Point]:
    points: dict[str, Point] = {}
    for where, row in rows:
        city = row["city"]
        if not city or city in points:
            raise InputError(f"{where}city {city!r} is given twice" if city else f"{where}a city needs a name")
        points[city] = _checked_point(city, (_number(row["x"]), _number(row["y"])), where)
    return points


def _number(text: str) -> Any:
    """The number that a text says, an int if it is written as one; the text itself if it is no number."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _read_json(path: Path) -> _Contents:
    data = _json_of(path)
    known = ("cities", "roads", "directed")
    if not isinstance(data, dict) or not isinstance(data.get("roads"), list):
        raise InputError(f'{path} has no list of roads; write {{"roads": [["A", "T", 3], ...]}}')
    for entry in data:
        if entry not in known:
            raise UnknownNameError(f"entry of {path}", entry, known)
    directed = data.get("directed", False)
    if not isinstance(directed, bool):
        raise InputError(f"{path}: directed is {directed!r}; write true or false")
    roads = [_road_of_item(f"{path}, road {number}: ", item) for number, item in enumerate(data["roads"], start=1)]
    cities = data.get("cities")
    if cities is None:
        return _Contents(roads, None, directed)
    if not isinstance(cities, dict):
        raise InputError(f'{path}: cities is {cities!r}; write {{"A": [0, 0], ...}}')
    return _Contents(roads, {city: _checked_point(city, point, f"{path}: ") for city, point in cities.items()}, directed)


def _json_of(path: Path) -> object:
    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        entries: dict[str, object] = {}
        for name, value in pairs:
            if name in entries:
                raise InputError(f"{path}: {name!r} is given twice")
            entries[name] = value
        return entries

    text = _text_of(path)
    try:
        return json.loads(text, object_pairs_hook=unique)
    except InputError:
        raise
    except json.JSONDecodeError as error:
        raise InputError(f"{path}, line {error.lineno}: this is not JSON ({error.msg})") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON that can be read ({error})") from None


def _road_of_item(where: str, item: Any) -> Road:
    match item:
        case [str(origin), str(target), length] if origin and target:
            return Road(origin, target, length, where=where)
    raise InputError(f'{where}this is {item!r}; write ["A", "T", 3]')
