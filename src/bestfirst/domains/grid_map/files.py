"""Moving AI Lab files: maps (.map) and scenarios on them (.scen).

A map has a head of four lines and then a line for each row, from the top:

    type octile
    height 3
    width 4
    map
    ...@
    .T..
    ....

Free cells: . (ground), G (also ground) and S (swamp); blocked cells: @ and O (out of bounds), T (trees) and W (water), unless
a legend says otherwise.

A scenario is a line of nine fields: a bucket (the path length divided by 4), the map, its width and its height, the start
and the goal as x and y, counted from 0 at the upper left, and the length of the cheapest path, where a diagonal step costs
the square root of 2 and must not cut corners.

    version 1
    0	arena.map	49	49	1	11	1	12	1
    0	arena.map	49	49	1	13	4	12	3.41421

Source: Sturtevant 2012, Benchmarks for grid-based pathfinding; movingai.com/benchmarks/formats.html.
"""

from __future__ import annotations

import math
import os
import re
from pathlib import Path
from typing import NamedTuple

from bestfirst.domains.grid_map.terrain import Legend, Terrain, terrain_of_rows
from bestfirst.domains.shared.files import bytes_of
from bestfirst.errors import InputError, counted, cut, shown

LARGEST_SIZE = 999_999_999
"""The largest height and width of a map."""
ROUNDING_OF_SUMS = 1e-5
"""The relative error of a published length: some were summed in single precision and written with six digits."""
_HEAD = 4
_FIELDS = 9


class Scenario(NamedTuple):
    """One line of a scenario file; `where` names its file and line, for messages.

    rounding: by how much rounding may have changed the length.
    """

    bucket: int
    map: Path
    width: int
    height: int
    start: tuple[int, int]
    goal: tuple[int, int]
    optimal: float
    rounding: float
    where: str


def read_map(path: Path, legend: Legend) -> Terrain:
    """The terrain of a .map file; legend: what its letters mean. Raises InputError that names the file and the line."""
    lines = _lines(path)
    head = " ".join(" ".join(lines[:_HEAD]).split())
    said = re.fullmatch(r"type octile height ([0-9]+) width ([0-9]+) map", head)
    if said is None:
        raise InputError(
            f"{path} begins with {shown(head)}; a map begins with the four lines 'type octile', 'height Y', 'width X' and 'map'"
        )
    height, width = _size(path, "height", said[1]), _size(path, "width", said[2])
    rows = lines[_HEAD:]
    while rows and not rows[-1]:
        rows.pop()
    if not height or not width:
        raise InputError(f"{path} has height {height} and width {width}; a map has at least one cell")
    if len(rows) != height:
        raise InputError(f"{path} has {counted(len(rows), 'row')}, but its header gives height {height} and width {width}")
    return terrain_of_rows(rows, width, legend, lambda row: f"{path}, line {row + _HEAD + 1}: ")


def read_scenarios(path: Path, maps: Path | None = None) -> list[Scenario]:
    """The scenarios of a .scen file, in order; raises InputError that names the file and the line.

    The map of a scenario is looked up in the directory `maps`, by default that of the file: by the given path, and then by
    its name. If `maps` is no directory, it is the map of all scenarios.
    """
    lines = _lines(path)
    if re.fullmatch(r"version 1(\.0*)?", " ".join(lines[0].split())) is None:
        raise InputError(f"{path} begins with {shown(lines[0])}; a scenario file begins with 'version 1'")
    return [
        _scenario(path.parent if maps is None else maps, f"{path}, line {number}: ", line)
        for number, line in enumerate(lines[1:], start=2)
        if line.strip()
    ]


def _scenario(maps: Path, where: str, line: str) -> Scenario:
    fields = line.split("\t") if "\t" in line else line.split()
    if len(fields) != _FIELDS:
        raise InputError(f"{where}the line has {counted(len(fields), 'field')}; write {_FIELDS}, separated by tabs")
    bucket, name, *places, length = fields
    try:
        number, width, height, *ends = (int(field) for field in (bucket, *places))
        optimal = float(length)
    except ValueError:
        raise InputError(
            f"{where}the line is {shown(line)}; the last field must be a number, and every other field except "
            "the map must be a whole number"
        ) from None
    if not 0 <= optimal < math.inf:
        raise InputError(f"{where}the length is {shown(length)}; use a finite number >= 0")
    start, goal = (ends[0], ends[1]), (ends[2], ends[3])
    return Scenario(
        number, _map_of(maps, where, name.strip()), width, height, start, goal, optimal, _rounding(length), where
    )


def _map_of(maps: Path, where: str, name: str) -> Path:
    if maps.suffix.lower() == ".map" and not maps.is_dir():
        return maps
    if os.path.exists(maps) and not os.path.isdir(maps):  # noqa: PTH110, PTH112  (Path raises errors for some names)
        raise InputError(
            f"{where}the maps should be in {maps}, which is not a directory; name a directory, or a file that ends in .map"
        )
    candidates = list(dict.fromkeys((maps / name, maps / Path(name).name)))
    for candidate in candidates:
        if os.path.isfile(candidate):  # noqa: PTH113  (Path.is_file raises an error for a name that is too long)
            return candidate
    named = " or ".join(map(str, candidates))
    raise InputError(f"{where}there is no map {named}; put the map there, or name the directory of the maps (--maps DIR)")


def _rounding(length: str) -> float:
    """By how much a length, as it is written, may differ from the exact one: it is rounded, and a sum of rounded steps."""
    digits = length.strip().partition(".")[2]
    last_place = 10.0 ** -len(digits) if digits.isdecimal() else 0.0
    return max(last_place, ROUNDING_OF_SUMS * max(1.0, float(length)))


def _size(path: Path, name: str, digits: str) -> int:
    """A size from the header of a map; raises InputError if it is too large."""
    number = digits.lstrip("0") or "0"
    if len(number) > len(str(LARGEST_SIZE)) or int(number) > LARGEST_SIZE:
        raise InputError(
            f"the header of {path} gives {name} {cut(number)}; a map has at most {LARGEST_SIZE} rows and columns"
        )
    return int(number)


def _lines(path: Path) -> list[str]:
    text = bytes_of(path).decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise InputError(f"{path} is empty; use a .map or .scen file of the Moving AI Lab")
    return text.split("\n")
