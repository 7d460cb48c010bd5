"""Roads between cities: the parts of a road map, with checks."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, NamedTuple, TypeAlias

from bestfirst.arguments import check_bool, check_kind
from bestfirst.errors import InputError, cut, shown
from bestfirst.problem import Cost

City: TypeAlias = Any
"""The name of a city in a file; or any node of a NetworkX graph."""

Point: TypeAlias = tuple[int | float, int | float]

FARTHEST = 1e150
"""The largest coordinate: the square of a distance must fit into a float too."""
NEAREST = 1e-140
"""The least distance of places that is computed exactly but for rounding: the squares of smaller ones lose digits."""

LARGEST_SUM = 2**61
LARGEST_EXACT = 2**53
"""Floats represent all whole numbers up to this one."""

_PLAIN = {int, float}
_LARGEST = sys.float_info.max


class Road(NamedTuple):
    """A road from one city to another, and back unless it is one-way; `where` names its file and place, for messages."""

    origin: City
    target: City
    length: Cost
    one_way: bool = False
    where: str = ""


def each_road(roads: Mapping[City, Mapping[City, Cost]] | Iterable[Road | tuple[City, City, Cost]]) -> Iterator[Road]:
    """The given roads, one by one; raises InputError for anything else."""
    check_kind("roads", roads, Iterable, "a list of (from, to, length), or {city: {city: length, ...}, ...}")
    if not isinstance(roads, Mapping):
        for road in roads:
            try:
                yield Road(*road)
            except TypeError:
                raise InputError(f"a road is {shown(road)}; write (from, to, length)") from None
        return
    for city, roads_of_city in roads.items():
        if not isinstance(roads_of_city, Mapping):
            raise InputError(f"the roads of {shown(city)} are {shown(roads_of_city)}; write {{city: length, ...}}")
        for other, length in roads_of_city.items():
            yield Road(city, other, length)


def checked_road(road: Road, directed: bool) -> Road:
    """The road with its length as an int or a float, one-way if `directed`; raises InputError for an invalid road."""
    try:
        hash((road.origin, road.target))
    except TypeError:
        raise InputError(
            f"{road.where}a road leads from {shown(road.origin)} to {shown(road.target)}; cities must be hashable"
        ) from None
    check_bool(f"{road.where}one_way of road {road.origin}-{road.target}", road.one_way)
    return road._replace(length=checked_length(road), one_way=road.one_way or directed)


def checked_length(road: Road) -> Cost:
    """The length of a road as an int or a float; raises InputError unless it is a finite number >= 0."""
    length = _finite(road.length)
    if length is None or length < 0:
        raise InputError(
            f"{road.where}the length of road {cut(road.origin)}-{cut(road.target)} is {shown(road.length)}; "
            "use a finite number >= 0"
        )
    return length


def checked_coordinates(given: Mapping[City, Sequence[float]], mentioned: Mapping[City, str]) -> dict[City, Point]:
    """The coordinates of all cities; mentioned: the cities on the roads, each with its place in the file."""
    check_kind("coordinates", given, Mapping, "{city: (x, y), ...}")
    for city, where in mentioned.items():
        if city not in given:
            raise InputError(f"{where}city {shown(city)} has no coordinates; give coordinates for every city, or for none")
    return {city: checked_point(city, point) for city, point in given.items()}


def checked_point(city: City, point: object, where: str = "") -> Point:
    """The coordinates of a city as ints or floats; raises InputError for invalid ones."""
    if isinstance(point, tuple) and len(point) == 2:
        x, y = point
        if {type(x), type(y)} <= _PLAIN and -FARTHEST <= x <= FARTHEST and -FARTHEST <= y <= FARTHEST:
            return x, y
    try:
        x, y = (_finite(part) for part in point)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        x = y = None
    if x is None or y is None:
        raise InputError(f"{where}the coordinates of {shown(city)} are {shown(point)}; write two finite numbers, (x, y)")
    if max(abs(x), abs(y)) > FARTHEST:
        raise InputError(f"{where}the coordinates of {shown(city)} are {shown(point)}; use numbers up to {FARTHEST:g}")
    return x, y


def each_goal(goal: Any) -> list[Any]:
    """The goals, given as one or as a list, a set or an array of them, none of which can be a city, because it cannot be hashed."""
    if not (isinstance(goal, list | set) or getattr(goal, "ndim", False)):
        return [goal]
    if len(goal) == 0:
        raise InputError("the goal is an empty list; pass at least one city")
    return list(goal)


def hypotenuse(x: float, y: float) -> float:
    """The length of the line from (0, 0) to (x, y); unlike math.hypot, it gives the same bits interpreted and compiled."""
    return math.sqrt(x * x + y * y)


def fit_into_64_bits(lengths: Iterable[Cost]) -> bool:
    """Whether sums of these lengths fit into 64 bits, so that they are as in Python."""
    given = list(lengths)
    whole = [length for length in given if isinstance(length, int)]
    return sum(whole) < (LARGEST_SUM if len(whole) == len(given) else LARGEST_EXACT)


def _finite(value: object) -> int | float | None:
    """A number of any type as an int or a float; None if it is not a number, or does not fit into a float."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return None
    try:
        if not math.isfinite(value):
            return None
    except OverflowError:
        return None
    return int(value) if isinstance(value, Integral) else float(value)


def copied_if_plain(roads: Any) -> dict[City, dict[City, Cost]] | None:
    """One-way roads as roads_by_city() returns them, if {city: {city: length, ...}, ...} needs no conversion and has no
    errors.

    None if it may. A map of a million roads is checked in a tenth of the time of checking each road by itself.
    """
    if not isinstance(roads, Mapping) or not all(isinstance(of_city, Mapping) for of_city in roads.values()):
        return None
    copied: dict[City, dict[City, Any]] = {city: dict(of_city) for city, of_city in roads.items()}
    for of_city in list(copied.values()):
        for other, length in of_city.items():
            if not (type(length) in _PLAIN and 0 <= length <= _LARGEST):
                return None
            if other not in copied:
                copied[other] = {}
    return copied


def mentioned_cities(roads: Iterable[Road]) -> dict[City, str]:
    """The cities on the roads, each with the place where it first occurs."""
    mentioned: dict[City, str] = {}
    for road in roads:
        mentioned.setdefault(road.origin, road.where)
        mentioned.setdefault(road.target, road.where)
    return mentioned


def roads_by_city(roads: list[Road], cities: Iterable[City]) -> dict[City, dict[City, Cost]]:
    """For each city, the cities to which a road leads from it, with the length of the shortest."""
    two_way: dict[tuple[City, City], Road] = {}  # the shortest one from this end
    for road in roads:
        ends = road.origin, road.target
        if not road.one_way and (ends not in two_way or road.length < two_way[ends].length):
            two_way[ends] = road
    for (origin, target), road in two_way.items():
        twin = two_way.get((target, origin), road)
        if twin.length != road.length:
            raise InputError(
                f"{twin.where}the road {target}-{origin} has length {twin.length}, but the road {origin}-{target} has "
                f"{road.length}; write the same length for both, or two one-way roads"
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
