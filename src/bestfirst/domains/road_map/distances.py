"""Distances between places, in the plane or on the earth, and how they bound the costs of roads.

A heuristic may estimate the cost from a place by its distance to the goal if no road costs less than the distance between its
ends. Costs may also be of another unit, such as seconds. So there is a second estimate, the distance times the least cost per
unit of distance of any road, which never exceeds the cost of a path either.

On the earth, a place is a point of a sphere in space, and the distance is that along the sphere. It is worked out from the
length c of the chord by the first terms of the series of 2 r arcsin(c / 2r), which uses no function whose rounding could differ
between interpreted and compiled code. What is left out makes it smaller: by less than 1 part in a million up to 3,000 km, by
18 % at the antipodes. It falls no faster than the distance itself, so it is as consistent.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, TypeAlias, get_args

from bestfirst.domains.road_map.roads import FARTHEST, NEAREST, City, Point, hypotenuse
from bestfirst.errors import InputError, cut, shown
from bestfirst.problem import Cost
from bestfirst.rounding import ROUNDED_DOWN

Distance: TypeAlias = Literal["straight", "great-circle"]
"""straight: the line in the plane, in the unit of the coordinates. great-circle: the way over the earth, in metres."""

Place: TypeAlias = tuple[float, ...]
"""(x, y) in the plane, or (x, y, z) in metres from the centre of the earth."""

EARTH_RADIUS = 6_371_008.8
"""The mean radius of the earth in metres (Moritz 2000, Geodetic Reference System 1980)."""
SHRUNK = 1 - 1e-9
"""The factor by which the scaled estimate is smaller, so that rounding cannot make it exceed a cost."""
LARGEST_EXACT_PLACE = 2.0**25
"""The squares of distances between places with whole coordinates up to this are exact: no whole cost is below such a distance
only by rounding."""
_LARGEST_LONGITUDE, _LARGEST_LATITUDE = 360, 90


class Bound(NamedTuple):
    """How distances bound the costs of some roads.

    shortcut: the road that is shorter than its distance by the largest amount, in words; None if none is, but for rounding.
    scale: the least cost of a road per unit of distance; infinite if no road leads anywhere.
    """

    shortcut: str | None
    scale: float


def check_distance(distance: object) -> None:
    """Raise InputError for anything but a Distance."""
    if not isinstance(distance, str) or distance not in get_args(Distance):
        raise InputError(f"distance is {shown(distance)}; use 'straight' or 'great-circle'")


def on_earth(city: City, point: Point) -> Place:
    """The place of a longitude and a latitude in degrees; raises InputError for others."""
    longitude, latitude = point
    if not (abs(longitude) <= _LARGEST_LONGITUDE and abs(latitude) <= _LARGEST_LATITUDE):
        raise InputError(wrong_place(repr(city), longitude, latitude, "great-circle"))
    east, north = math.radians(longitude), math.radians(latitude)
    level = EARTH_RADIUS * math.cos(north)
    return level * math.cos(east), level * math.sin(east), EARTH_RADIUS * math.sin(north)


def limits_of(distance: Distance) -> tuple[float, float]:
    """The largest absolute values of x and y."""
    return (FARTHEST, FARTHEST) if distance == "straight" else (_LARGEST_LONGITUDE, _LARGEST_LATITUDE)


def wrong_place(of: str, x: float, y: float, distance: Distance) -> str:
    """What is wrong with coordinates beyond limits_of(). of: the place to which they belong."""
    instead = (
        f"use numbers up to {FARTHEST:g}"
        if distance == "straight"
        else "for great-circle distances write the longitude and the latitude in degrees, at most "
        f"{_LARGEST_LONGITUDE} and {_LARGEST_LATITUDE}"
    )
    return f"the coordinates of {of} are {x:g}, {y:g}; {instead}"


def on_sphere(chord: float) -> float:
    """The distance along the earth of two places with a chord of this length, slightly rounded down; also for arrays."""
    ratio = chord / EARTH_RADIUS
    square = ratio * ratio
    return chord * (1.0 + square * (1.0 / 24.0 + square * (3.0 / 640.0 + square * (5.0 / 7168.0))))


def between_places(one: Place, other: Place) -> float:
    """The distance between two places, both in the plane or both on the earth."""
    if len(one) == 2:
        return hypotenuse(one[0] - other[0], one[1] - other[1])
    x, y, z = one[0] - other[0], one[1] - other[1], one[2] - other[2]
    return on_sphere(math.sqrt(x * x + y * y + z * z))


def bound_of(roads: Iterable[tuple[City, City, Cost]], places: Mapping[City, Place], distance: Distance) -> Bound:
    """How distances bound the costs of roads."""
    worst, shortfall, scale = None, -math.inf, math.inf
    for city, other, cost in roads:
        one, two = places[city], places[other]
        line = between_places(one, two)
        if line < NEAREST:
            if one != two:
                return Bound(too_near_in_words(city, other), 0.0)
            continue
        if cost < scale * line:
            scale = cost / line
        if line - cost > shortfall and cost < line * least_share(isinstance(cost, int), is_exact(one) and is_exact(two)):
            worst = shortcut_in_words(city, other, cost, line, distance)
            shortfall = line - cost
    return Bound(worst, scale)


def is_exact(place: Place) -> bool:
    """Whether the squares of distances to other such places are exact."""
    return all(part.is_integer() and abs(part) <= LARGEST_EXACT_PLACE for part in place)


def least_share(is_whole: bool, is_exact: bool) -> float:
    """What a road must cost at least, for each unit of the computed distance, so that the distance is a lower bound.

    is_whole: whether the cost is an int. A sum of whole costs has no rounding to which an excess of the distance could be due.
    is_exact: whether both places are exact; otherwise the distance can exceed such a sum by its own rounding.
    """
    if not is_whole:
        return ROUNDED_DOWN
    return 1.0 if is_exact else 1 / SHRUNK


def shortcut_in_words(city: City, other: City, cost: Cost, line: float, distance: Distance) -> str:
    """That a road is shorter than the distance between its ends, or could be, since the distance is rounded."""
    what = "straight line" if distance == "straight" else "great-circle distance"
    length, least = f"{cost:g}", f"{line:g}"
    if length == least:
        length, least = str(cost), str(line)
    rounded = "" if cost < line else ", rounded"
    return f"road {cut(city)}-{cut(other)} has length {length}, but the {what} is {least}{rounded}"


def too_near_in_words(city: City, other: City) -> str:
    """That the distance between the ends of a road cannot be computed."""
    return f"the ends of road {cut(city)}-{cut(other)} are less than {NEAREST:g} apart, so their distance is not exact"


def scale_used(bound: Bound) -> float:
    """The factor of the scaled estimate; 0 if it says nothing."""
    is_exact = sys.float_info.min <= bound.scale < math.inf  # smaller floats have fewer digits
    return bound.scale * SHRUNK if is_exact else 0.0


LINE, SCALED = "straight-line", "scaled-distance"


def alias_of(name: str, bound: Bound | None, distance: Distance) -> str:
    """The name under which a heuristic is offered: that of the scaled estimate says its scale."""
    if name == SCALED and bound is not None:
        return f"{SCALED}({scale_used(bound):.4g})"
    return distance if name == LINE and distance == "great-circle" else name


def default_of(distance: Distance, bound: Bound) -> str | None:
    """The default heuristic: the distance if it is a bound and of the same unit, otherwise the scaled one if it says anything."""
    if distance == "straight" and bound.shortcut is None:
        return LINE
    return SCALED if scale_used(bound) > 0 else None
