"""Files of the TSPLIB: tours and vehicle routes, by coordinates or by explicit distances.

    NAME : three
    TYPE : TSP
    DIMENSION : 3
    EDGE_WEIGHT_TYPE : EUC_2D
    NODE_COORD_SECTION
    1 0 0
    2 3 4
    3 6 0
    EOF

Distances are computed in floats, as the definition does and as the published lengths assume: between decimal coordinates, a
distance of exactly 0.5 may be rounded down.

Source: Reinelt 1991, TSPLIB: a traveling salesman problem library; Reinelt 1995 for the distances.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bestfirst.errors import InputError, shown
from bestfirst.models.files import Lines, Words
from bestfirst.models.numbers import MOST_ITEMS

Point = tuple[float, float]
NO_ARC = -1
"""The distance where there is no way."""
MOST_COORDINATE = 1e15
"""The largest coordinate: distances fit into 64 bits."""


@dataclass
class TsplibInstance:
    """What a file says. distances: rows of ints. points: of the places, if the file has coordinates. demands, capacity: of routes.

    commodities: (from, to, amount), with indices of places.
    names: the numbers of the places in the file. depot: the index of the depot.
    """

    names: list[int]
    distances: list[list[int]]
    points: list[Point] | None = None
    capacity: int | None = None
    demands: list[int] | None = None
    commodities: list[tuple[int, int, int]] = field(default_factory=list)
    depot: int = 0


@dataclass
class _Parts:
    """The parts of a file: the values of keywords, and the words of sections, each with its line."""

    lines: Lines
    values: dict[str, tuple[int, str]] = field(default_factory=dict)
    sections: dict[str, tuple[int, list[tuple[int, str]]]] = field(default_factory=dict)

    def value(self, key: str) -> tuple[int, str]:
        if key not in self.values:
            raise InputError(f"{self.lines.path} has no line {key}; add it, such as {_EXAMPLES[key]}")
        return self.values[key]

    def whole(self, key: str, most: int) -> int:
        line, text = self.value(key)
        return Words(self.lines, [(line, text)]).whole(key, 1, most)

    def words(self, key: str, of: str) -> Words:
        if key not in self.sections:
            raise InputError(f"{self.lines.path} has no {key}, which {of} needs; add it")
        line, words = self.sections[key]
        return Words(self.lines, words or [(line, "")])


_EXAMPLES = {
    "DIMENSION": "DIMENSION : 17",
    "EDGE_WEIGHT_TYPE": "EDGE_WEIGHT_TYPE : EUC_2D",
    "EDGE_WEIGHT_FORMAT": "EDGE_WEIGHT_FORMAT : FULL_MATRIX",
    "CAPACITY": "CAPACITY : 100",
    "DEMAND_DIMENSION": "DEMAND_DIMENSION : 5",
}


_CONSTRAINTS = {"DISTANCE": "a limit on the length of routes", "VEHICLES": "a number of vehicles"}
_SECTIONS = {"NODE_COORD_SECTION", "DISPLAY_DATA_SECTION", "EDGE_WEIGHT_SECTION", "DEMAND_SECTION", "DEPOT_SECTION"}


def read_tsplib(path: str | Path, *, needs_demands: bool = False, needs_commodities: bool = False) -> TsplibInstance:
    """The instance of a file. needs_demands: whether it must have CAPACITY and DEMAND_SECTION. needs_commodities: the same with a
    column for each commodity; then a distance may be NO_ARC.

    Raises InputError that names the file and the line or the missing part.
    """
    parts = _parts(Lines(path))
    _check_constraints(parts)
    count = parts.whole("DIMENSION", MOST_ITEMS)
    line, kind = parts.value("EDGE_WEIGHT_TYPE")
    kind = kind.upper()
    names, points = list(range(1, count + 1)), None
    if kind == "EXPLICIT":
        distances = _explicit(parts, count, NO_ARC if needs_commodities else 0)
        if "DISPLAY_DATA_SECTION" in parts.sections:
            _, points = _coordinates(parts, count, "DISPLAY_DATA_SECTION", kind)
    elif kind in _DISTANCES:
        names, points = _coordinates(parts, count, "NODE_COORD_SECTION", kind)
        distance = _DISTANCES[kind]
        distances = [[0 if one is other else distance(one, other) for other in points] for one in points]
    else:
        parts.lines.fail(line, f"EDGE_WEIGHT_TYPE is {shown(kind)}; write EXPLICIT or one of {', '.join(_DISTANCES)}")
    instance = TsplibInstance(names, distances, points)
    if needs_demands:
        _read_demands(parts, instance)
    if needs_commodities:
        _read_commodities(parts, instance)
    return instance


def _parts(lines: Lines) -> _Parts:
    parts = _Parts(lines)
    current: list[tuple[int, str]] | None = None
    for number, line in lines:
        if line.upper() == "EOF":
            break
        if re.fullmatch(r"[A-Za-z_]+\s*:?", line) and (key := line.rstrip(": ").upper()).endswith("_SECTION"):
            current = []
            parts.sections[key] = number, current
        elif re.match(r"[A-Za-z_]+\s*:", line):
            key, _, text = line.partition(":")
            parts.values[key.strip().upper()] = number, text.strip()
            current = None
        elif current is None:
            lines.fail(number, f"{shown(line)} is neither KEYWORD : value nor the name of a section; correct it")
        else:
            current.extend((number, word) for word in line.split())
    else:
        if lines.ends_within_a_line:
            lines.fail(
                number, "the file ends within a line and has no EOF, so a part may be missing; complete it, and add EOF"
            )
    return parts


def _check_constraints(parts: _Parts) -> None:
    """Raise InputError for a constraint that the models do not have: without it, a solution might be none."""
    for key, what in _CONSTRAINTS.items():
        if key in parts.values:
            line, text = parts.values[key]
            parts.lines.fail(
                line, f"{key} is {shown(text)}, but {what} in a file is not supported; remove the line to ignore it"
            )
    for key in parts.sections.keys() - _SECTIONS:
        line, _ = parts.sections[key]
        parts.lines.fail(line, f"the constraints of {key} are not supported; remove the section to ignore them")


def _coordinates(parts: _Parts, count: int, key: str, kind: str) -> tuple[list[int], list[Point]]:
    words = parts.words(key, kind)
    most_x, most_y = (90.0, 180.0) if kind == "GEO" else (MOST_COORDINATE, MOST_COORDINATE)
    names, points = [], []
    for place in range(1, count + 1):
        names.append(words.whole(f"the number of place {place} of {count}"))
        if names[-1] in names[:-1]:
            words.fail(f"place {names[-1]} occurs twice; correct the number of one of the two")
        points.append((_number(words, "x", most_x), _number(words, "y", most_y)))
    words.end("the last place")
    return names, points


def _number(words: Words, what: str, most: float) -> float:
    word = words.take(f"the {what} coordinate")
    try:
        number = float(word)
    except ValueError:
        number = math.nan
    if not -most <= number <= most:
        words.fail(f"the {what} coordinate is {shown(word)}; write a number from {-most:g} to {most:g}")
    return number


def _explicit(parts: _Parts, count: int, least: int) -> list[list[int]]:
    line, form = parts.value("EDGE_WEIGHT_FORMAT")
    form = form.upper()
    if form not in _CELLS:
        parts.lines.fail(line, f"EDGE_WEIGHT_FORMAT is {shown(form)}; write one of {', '.join(_CELLS)}")
    words = parts.words("EDGE_WEIGHT_SECTION", "EXPLICIT")
    distances = [[0] * count for _ in range(count)]
    cells = list(_CELLS[form](count))
    if least == NO_ARC and words.left == len(cells) + 1:  # files of sequential ordering problems repeat the number of places
        words.whole("the number of places", count, count)
    for one, other in cells:
        distances[one][other] = words.whole(f"the distance from place {one + 1} to place {other + 1}", least)
        if form != "FULL_MATRIX":
            distances[other][one] = distances[one][other]
    words.end("the last distance")
    return distances


def _read_demands(parts: _Parts, instance: TsplibInstance) -> None:
    instance.capacity = parts.whole("CAPACITY", 1 << 40)
    rows = _demands(parts, instance, 1, 0)
    instance.demands = [demand for (demand,) in rows]
    number = {name: place for place, name in enumerate(instance.names)}
    depots = parts.words("DEPOT_SECTION", "a vehicle routing problem")
    name = depots.whole("the depot")
    if name not in number:
        depots.fail(f"the depot is {name}, which is not the number of a place; correct the number")
    if depots.left and (other := depots.take("-1")) != "-1":
        depots.fail(f"{shown(other)} follows the depot; write -1: only one depot is possible")
    instance.depot = number[name]


def _read_commodities(parts: _Parts, instance: TsplibInstance) -> None:
    instance.capacity = parts.whole("CAPACITY", 1 << 40)
    of_each = list(
        zip(*_demands(parts, instance, parts.whole("DEMAND_DIMENSION", MOST_ITEMS), -instance.capacity), strict=True)
    )
    for number, amounts in enumerate(of_each, 1):
        at = [place for place, amount in enumerate(amounts) if amount]
        if len(at) != 2 or sum(amounts) != 0:
            raise InputError(
                f"{parts.lines.path}: the nonzero amounts of commodity {number} are {shown([amounts[one] for one in at])}; write "
                "exactly two that add up to 0, such as 3 where it is picked up and -3 where it is delivered"
            )
        begin, end = sorted(at, key=lambda place: -amounts[place])
        instance.commodities.append((begin, end, amounts[begin]))


def _demands(parts: _Parts, instance: TsplibInstance, columns: int, least: int) -> list[list[int]]:
    """The rows of DEMAND_SECTION, in the order of the places."""
    words = parts.words("DEMAND_SECTION", "a vehicle routing problem")
    number = {name: place for place, name in enumerate(instance.names)}
    found: dict[int, list[int]] = {}
    for _ in instance.names:
        name = words.whole("the number of the place")
        if name not in number or number[name] in found:
            words.fail(f"place {name} is {'listed twice' if name in number else 'unknown'}; correct the number")
        most = parts.whole("CAPACITY", 1 << 40)
        found[number[name]] = [words.whole("its demand", least, most) for _ in range(columns)]
    words.end("the last demand")
    return [found[place] for place in range(len(instance.names))]


_CELLS: Mapping[str, Callable[[int], Iterator[tuple[int, int]]]] = {
    "FULL_MATRIX": lambda count: ((one, other) for one in range(count) for other in range(count)),
    "UPPER_ROW": lambda count: ((one, other) for one in range(count) for other in range(one + 1, count)),
    "LOWER_ROW": lambda count: ((one, other) for one in range(count) for other in range(one)),
    "UPPER_DIAG_ROW": lambda count: ((one, other) for one in range(count) for other in range(one, count)),
    "LOWER_DIAG_ROW": lambda count: ((one, other) for one in range(count) for other in range(one + 1)),
}
"""The places of the numbers in each format."""


def _euclidean(one: Point, other: Point) -> int:
    return int(math.hypot(one[0] - other[0], one[1] - other[1]) + 0.5)


def _rounded_up(one: Point, other: Point) -> int:
    return math.ceil(math.hypot(one[0] - other[0], one[1] - other[1]))


def _pseudo_euclidean(one: Point, other: Point) -> int:
    return math.ceil(math.sqrt(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) / 10))


def _manhattan(one: Point, other: Point) -> int:
    return int(abs(one[0] - other[0]) + abs(one[1] - other[1]) + 0.5)


def _on_earth(one: Point, other: Point) -> int:
    """Kilometres on an idealised sphere between points given as degrees.minutes, with the value of pi in the definition."""
    (latitude, longitude), (to_latitude, to_longitude) = (tuple(map(_radians, point)) for point in (one, other))
    across = math.cos(longitude - to_longitude)
    minus, plus = math.cos(latitude - to_latitude), math.cos(latitude + to_latitude)
    return int(6378.388 * math.acos(0.5 * ((1 + across) * minus - (1 - across) * plus)) + 1)


def _radians(degrees: float) -> float:
    whole = int(degrees)
    return 3.141592 * (whole + 5 * (degrees - whole) / 3) / 180


_DISTANCES: Mapping[str, Callable[[Point, Point], int]] = {
    "EUC_2D": _euclidean,
    "CEIL_2D": _rounded_up,
    "MAN_2D": _manhattan,
    "ATT": _pseudo_euclidean,
    "GEO": _on_earth,
}
"""The distance of two points by EDGE_WEIGHT_TYPE."""
