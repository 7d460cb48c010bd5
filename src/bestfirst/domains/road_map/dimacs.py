"""Reads the road networks of the 9th DIMACS Implementation Challenge: arcs (.gr) and coordinates (.co), also with gzip.

    c a comment                          c a comment
    p sp 3 2        3 nodes, 2 arcs      p aux sp co 3
    a 1 2 803       from, to, cost       v 1 -73530767 41085396    node, longitude, latitude in millionths of a degree
    a 2 3 1500                           v 2 -73530538 41086098
                                         v 3 -73519366 41048796

Nodes are numbered from 1. An arc leads one way. Costs are lengths or travel times, in a unit that the file does not tell.

Source: Demetrescu, Goldberg & Johnson 2009, The Shortest Path Problem: Ninth DIMACS Implementation Challenge.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from contextlib import suppress
from math import isfinite
from pathlib import Path

import numpy as np

from bestfirst.domains.road_map.arrays import Array
from bestfirst.domains.road_map.distances import Distance, limits_of, wrong_place
from bestfirst.domains.road_map.roads import LARGEST_SUM
from bestfirst.domains.shared.zipped import unzipped
from bestfirst.errors import InputError, counted, shown

MILLIONTHS = 1e-6
"""A unit of the coordinates, in degrees."""


def read_arcs(path: Path) -> tuple[Array, Array, Array]:
    """The arrays first, target and cost of a .gr file, with nodes counted from 0; raises InputError with file and line."""
    lines = _lines(path)
    nodes, arcs = _sizes(path, lines, rb"p\s+sp\s+([0-9]+)\s+([0-9]+)", "p sp NODES ARCS")
    rows = _numbers(path, lines, b"a", "a FROM TO COST", 3)
    if len(rows) != arcs:
        raise InputError(
            f"{path} has {counted(len(rows), 'arc')}, but its line 'p sp' says {arcs}; the file may be truncated"
        )
    if not nodes:
        raise InputError(f"{path} has no nodes; a network needs at least one")
    ends = _nodes(rows[:, :2], nodes)
    wrong = np.flatnonzero(((ends < 1) | (ends > nodes) | (ends != rows[:, :2])).any(axis=1) | ~(rows[:, 2] >= 0))
    if wrong.size:
        where, line = _line_of(path, lines, b"a", int(wrong[0]))
        raise InputError(f"{where}the arc is {shown(line)}; nodes are 1 .. {nodes}, and a cost is a number >= 0")
    if rows.dtype.kind == "i" and rows[:, 2].sum(dtype=float) >= LARGEST_SUM:
        raise InputError(f"the sum of the costs in {path} exceeds 2**61; write costs with a decimal point, such as 803.0")
    origin = ends[:, 0] - 1
    order = np.argsort(origin, kind="stable")
    first = np.concatenate([[0], np.cumsum(np.bincount(origin, minlength=nodes))])
    return first, ends[order, 1] - 1, rows[order, 2]


def read_coordinates(path: Path, nodes: int, distance: Distance) -> Array:
    """The longitude and the latitude of each node in degrees, from a .co file; raises InputError with file and line.

    distance: what they must be fit for.
    """
    lines = _lines(path)
    (count,) = _sizes(path, lines, rb"p\s+aux\s+sp\s+co\s+([0-9]+)", "p aux sp co NODES")
    if count != nodes:
        raise InputError(
            f"{path} has the coordinates of {counted(count, 'node')}, but the network has {nodes}; use the file of this network"
        )
    rows = _numbers(path, lines, b"v", "v NODE X Y", 3)
    numbers = _nodes(rows[:, 0], nodes)
    wrong = np.flatnonzero((numbers < 1) | (numbers > nodes) | (numbers != rows[:, 0]))
    if wrong.size:
        where, line = _line_of(path, lines, b"v", int(wrong[0]))
        raise InputError(f"{where}the line is {shown(line)}; nodes are 1 .. {nodes}")
    given = np.bincount(numbers - 1, minlength=nodes)
    if (given != 1).any():
        node = int(np.flatnonzero(given != 1)[0])
        raise InputError(
            f"{path} has {given[node] or 'no'} lines with the coordinates of node {node + 1}; write one for each node"
        )
    places = rows[:, 1:] * MILLIONTHS
    too_far = np.flatnonzero((np.abs(places) > limits_of(distance)).any(axis=1))
    if too_far.size:
        row = int(too_far[0])
        x, y = places[row].tolist()
        where, _ = _line_of(path, lines, b"v", row)
        raise InputError(f"{where}{wrong_place(f'node {numbers[row]}', x, y, distance)}")
    coordinates = np.empty((nodes, 2))
    coordinates[numbers - 1] = places
    return coordinates


def _nodes(given: Array, nodes: int) -> Array:
    """The numbers of nodes as ints; one that is out of range stays so, though it may not fit into 64 bits."""
    return np.clip(given, 0, nodes + 1).astype(np.int64)


def coordinates_beside(path: Path) -> Path | None:
    """The .co file that belongs to a .gr file by its name, if there is one; that of the lengths serves the times too."""
    named = re.sub(r"\.gr(\.gz)?$", "", path.name)
    bases = dict.fromkeys((named, named.replace("-road-t.", "-road-d.")))
    places = [path.with_name(base + ending) for base in bases for ending in (".co", ".co.gz")]
    return next((place for place in places if place.is_file()), None)


def _lines(path: Path) -> list[bytes]:
    return unzipped(path).removeprefix(BOM_UTF8).split(b"\n")


def _sizes(path: Path, lines: list[bytes], pattern: bytes, form: str) -> list[int]:
    """The numbers of the problem line."""
    for number, line in enumerate(lines, start=1):
        if line[:1] == b"p":
            found = re.fullmatch(pattern, line.strip())
            if found is None or any(len(size) > 9 for size in found.groups()):
                raise InputError(f"{path}, line {number}: the line is {shown(_text(line))}; write {form!r}")
            return [int(size) for size in found.groups()]
    raise InputError(f"{path} has no line {form!r}; use a file of the 9th DIMACS challenge")


def _numbers(path: Path, lines: list[bytes], letter: bytes, form: str, columns: int) -> Array:
    """The numbers of the lines that begin with a letter, as rows of ints or floats."""
    own = [line[1:] for line in lines if line[:1] == letter]
    if not own:
        return np.zeros((0, columns), np.int64)
    if set(map(len, map(bytes.split, own))) == {columns}:  # each line, since a long one can make up for a short one
        for kind in (np.int64, np.float64):
            try:
                array = np.array(b" ".join(own).split(), kind)
            except ValueError:
                continue
            except OverflowError:
                break
            if np.isfinite(array).all():
                return array.reshape(-1, columns)
    raise InputError(_fault(path, lines, letter, form, columns))


def _fault(path: Path, lines: list[bytes], letter: bytes, form: str, columns: int) -> str:
    """What is wrong with the first wrong line of a kind."""
    for number, line in enumerate(lines, start=1):
        if line[:1] == letter:
            parts = line[1:].split()
            if len(parts) != columns or not all(_is_number(part) for part in parts):
                return (
                    f"{path}, line {number}: the line is {shown(_text(line))}; "
                    f"write {form!r}, with numbers that fit into 64 bits"
                )
    raise AssertionError(path)


def _is_number(text: bytes) -> bool:
    """Whether a text is a number that an array can hold: an int of 64 bits, or a finite float."""
    with suppress(ValueError):
        return -(2**63) <= int(text) < 2**63
    with suppress(ValueError):
        return isfinite(float(text))
    return False


def _line_of(path: Path, lines: list[bytes], letter: bytes, place: int) -> tuple[str, str]:
    """The place, for a message, and the text of the line of a kind with this number, from 0."""
    found = [(number, line) for number, line in enumerate(lines, start=1) if line[:1] == letter][place]
    return f"{path}, line {found[0]}: ", _text(found[1])


def _text(line: bytes) -> str:
    return line.strip().decode("utf-8", "replace")
