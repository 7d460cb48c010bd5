"""The file formats of road maps, CSV and JSON, both in UTF-8.

CSV: one or two tables, each under a header line, separated by a blank line. The table of roads is required; its optional
column `oneway` is yes for a road that leads only from `from` to `to`. The table of cities is optional; if present, it must
give the coordinates of every city.

    city,x,y
    A,0,0
    T,0,3

    from,to,length,oneway
    A,T,3,no

JSON: an object with the same facts. `cities` and `directed` are optional; if `directed` is true, every road is one-way.

    {"cities": {"A": [0, 0], "T": [0, 3]}, "roads": [["A", "T", 3]], "directed": false}

A length is a number >= 0; whole numbers stay ints.
"""

from __future__ import annotations

import csv
import io
import json
from contextlib import suppress
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from bestfirst.domains.road_map.roads import Point, Road, checked_point
from bestfirst.domains.shared.files import bytes_of
from bestfirst.errors import InputError, UnknownNameError, counted, shown


class Contents(NamedTuple):
    """The content of a file."""

    roads: list[Road]
    coordinates: dict[str, Point] | None
    directed: bool = False


def _text_of(path: Path) -> str:
    data = bytes_of(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}, line {line}: this is not UTF-8 text; save the file as UTF-8") from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InputError(f"{path}, line {line}: this line contains a NUL character; remove it")
    if not text.strip():
        raise InputError(
            f"{path} is empty; a map needs roads (see the module bestfirst.domains.road_map.files for the format)"
        )
    return text


@dataclass
class _Table:
    """A table of a CSV file: its columns, and its rows as {column: cell}, each with its place in the file."""

    where: str
    columns: list[str]
    rows: list[tuple[str, dict[str, str]]]


_CITIES = ("city", "x", "y")
_ROADS = ("from", "to", "length")
_ONE_WAY = {"yes": True, "no": False, "": False}


def read_csv(path: Path) -> Contents:
    tables: dict[str, _Table] = {}
    for table in _tables(path):
        first = _kind(table)
        if first in tables:
            raise InputError(
                f"{table.where}this is a second table of {'roads' if first == 'from' else 'cities'}; write all rows in one table"
            )
        tables[first] = table
    if "from" not in tables:
        raise InputError(f"{path} has no table of roads; write one under the header 'from,to,length'")
    roads = [_road_of_row(where, row) for where, row in tables["from"].rows]
    return Contents(roads, _points_of_rows(tables["city"].rows) if "city" in tables else None)


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
                    raise InputError(
                        f"{where}this row has {counted(len(cells), 'cell')}, but the table has the columns {','.join(columns)}"
                    )
                tables[-1].rows.append((where, dict(zip(columns, cells, strict=False))))
            else:
                header = ",".join(cells).rstrip(",").lower()  # spreadsheets pad short rows with empty cells
                tables.append(_Table(where, header.split(","), []))
                inside = True
    except csv.Error as error:
        raise InputError(
            f"{path}, line {reader.line_num}: this is not valid CSV ({error}); correct the quotes, or remove them"
        ) from None
    return tables


def _kind(table: _Table) -> str:
    """The first column of a table, which tells its kind; raises InputError for unknown columns."""
    needed, optional = (_CITIES, set()) if "city" in table.columns else (_ROADS, {"oneway"})
    columns = set(table.columns)
    if not set(needed) <= columns <= {*needed, *optional} or len(columns) < len(table.columns):
        raise InputError(
            f"{table.where}the header is {shown(','.join(table.columns))}; write 'city,x,y' above a table of cities, "
            "and 'from,to,length' or 'from,to,length,oneway' above a table of roads"
        )
    return needed[0]


def _road_of_row(where: str, row: dict[str, str]) -> Road:
    answer = row.get("oneway", "").lower()
    if answer not in _ONE_WAY:
        raise InputError(f"{where}oneway is {shown(row['oneway'])}; use yes or no, or leave it empty")
    if not (row["from"] and row["to"]):
        raise InputError(f"{where}a road needs a city in both columns, from and to")
    return Road(row["from"], row["to"], _number(row["length"]), _ONE_WAY[answer], where)


def _points_of_rows(rows: list[tuple[str, dict[str, str]]]) -> dict[str, Point]:
    points: dict[str, Point] = {}
    for where, row in rows:
        city = row["city"]
        if not city or city in points:
            raise InputError(
                f"{where}city {shown(city)} is given twice; remove one of the two rows"
                if city
                else f"{where}a city needs a name"
            )
        points[city] = checked_point(city, (_number(row["x"]), _number(row["y"])), where)
    return points


def _number(text: str) -> Any:
    """The number in a string, an int if it is written as one; the string itself if it is not a finite number."""
    for kind in (int, float):
        with suppress(ValueError):
            number = kind(text)
            return number if isinstance(number, int) or isfinite(number) else text
    return text


def read_json(path: Path) -> Contents:
    data = _json_of(path)
    known = ("cities", "roads", "directed")
    if not isinstance(data, dict) or not isinstance(data.get("roads"), list):
        raise InputError(f'{path} has no list of roads; write {{"roads": [["A", "T", 3], ...]}}')
    for entry in data:
        if entry not in known:
            raise UnknownNameError(f"key of the format of {path}", entry, known)
    directed = data.get("directed", False)
    if not isinstance(directed, bool):
        raise InputError(f"{path}: directed is {shown(directed)}; write true or false")
    roads = [_road_of_item(f"{path}, road {number}: ", item) for number, item in enumerate(data["roads"], start=1)]
    cities = data.get("cities")
    if cities is None:
        return Contents(roads, None, directed)
    if not isinstance(cities, dict):
        raise InputError(f'{path}: cities is {shown(cities)}; write {{"A": [0, 0], ...}}')
    return Contents(roads, {city: checked_point(city, point, f"{path}: ") for city, point in cities.items()}, directed)


def _json_of(path: Path) -> object:
    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        entries: dict[str, object] = {}
        for name, value in pairs:
            if name in entries:
                raise InputError(f"{path}: {shown(name)} is given twice; remove one of the two")
            entries[name] = value
        return entries

    text = _text_of(path)
    try:
        return json.loads(text, object_pairs_hook=unique)
    except InputError:
        raise
    except json.JSONDecodeError as error:
        raise InputError(f"{path}, line {error.lineno}: this is not valid JSON ({error.msg})") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} cannot be read as JSON ({error})") from None


def _road_of_item(where: str, item: Any) -> Road:
    match item:
        case [str(origin), str(target), length] if origin and target:
            return Road(origin, target, length, where=where)
    raise InputError(f'{where}this is {shown(item)}; write ["A", "T", 3]')
