"""The instances of a problem in a spec: written there, or lines of a file, rows of a table, files, or random ones."""

from __future__ import annotations

import csv
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from math import isfinite
from pathlib import Path
from typing import Any

from bestfirst.errors import BestfirstError, InputError, UnknownNameError, counted, shown
from bestfirst.experiments.document import Table, name_of_class
from bestfirst.experiments.task import code_of
from bestfirst.makers import Kind, is_own_name, maker_named, place_of

PUBLISHED = ("cost", "expanded", "generated")
"""Columns of the ledger that can be compared with figures from the literature."""

MOST_RANDOM = 100_000
"""Random instances of one table."""


@dataclass(frozen=True)
class Instance:
    """An instance. text: as on the command line, None for none; name: what tables call it; place: where it is written.

    published: see Task.
    """

    text: str | None
    name: str
    place: str
    options: Mapping[str, str] = field(default_factory=dict)
    published: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Problems:
    """The instances of one domain or game. table: where they are in the spec. depth: plies, for a game."""

    name: str
    maker: str
    code: str
    options: Mapping[str, str]
    instances: Sequence[Instance]
    table: Table
    depth: int | None = None


def problems_of(table: Table, kind: Kind) -> Problems:
    """The instances that a table [[problems]] or [[games]] describes. Its key limits is left to the caller."""
    key = "domain" if kind is Kind.PROBLEM else "game"
    maker, called, code = _maker(table, key, kind)
    made = maker_named(maker, kind)
    options = _options(table, made.options)
    name = table.text("name", "a name for the report") or called
    depth = table.whole("depth", 1, "a number of plies; omit it to search to the end of the game") if key == "game" else None
    sources = _SOURCES if kind is Kind.PROBLEM else {"positions": _written, "lines": _lines}
    given = [source for source in sources if source in table]
    if len(given) > 1:
        table.fail(given[1], f"{' and '.join(given)} are both given; write one of {', '.join(sources)}")
    needed = made.instance is not None and made.instance.is_needed and made.instance.name not in options
    if needed and not given:
        table.fail(None, f"{called} needs instances; write one of {', '.join(sources)}")
    instances = list(sources[given[0]](table, given[0])) if given else [Instance(None, name, table.place())]
    for source in sources:
        table.take(source, object, "")  # known, even if another one is given
    first = table.whole("first", 1, "a whole number of at least 1: how many instances, from the first one")
    return Problems(name, maker, code, options, instances[:first], table, depth)


def _maker(table: Table, key: str, kind: Kind) -> tuple[str, str, str]:
    """The domain or game as a worker can make it, its short name, and its code. The path of a file begins at the spec."""
    wants = f"the name of a {key}, such as {'sliding-tile' if key == 'domain' else 'connect-four'}, or FILE.py:Class"
    given: Any = table.need(key, str | type, wants)  # type: ignore[arg-type]
    try:
        if isinstance(given, type):
            given = name_of_class(given)
        place = place_of(given)
        path = table.document.directory / place
        if is_own_name(given) and path.is_file():
            given = str(path.resolve()) + given[len(place) :]
        return given, maker_named(given, kind).short_name, code_of(given)
    except BestfirstError as error:
        table.fail(key, str(error))


def _options(table: Table, known: Iterable[str]) -> dict[str, str]:
    """The options of a domain or game, as text. A path in quotes that begins at the spec becomes a whole path."""
    options = table.table("options", "a table, such as {goal = '1 2 3'}")
    if options is None:
        return {}
    given = dict(options.items())
    for key in given:
        if key not in known:
            options.fail(key, str(UnknownNameError("option", key, known)))
    return {key: _text(options, key, value) for key, value in given.items()}


def _text(table: Table, key: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list):
        return " ".join(_text(table, key, one) for one in value)
    if not isinstance(value, str):
        table.fail(key, f"{key} is {shown(value)}; write a string, a number, true or false, or a list")
    return _whole_path(table, value)


def _whole_path(table: Table, text: str) -> str:
    """A text, or a whole path if it is that of a file, seen from the spec."""
    try:
        path = table.document.directory / text
        return str(path.resolve()) if text and "\n" not in text and path.is_file() else text
    except (OSError, ValueError):
        return text


def _whole_paths(table: Table, text: str) -> str:
    """The same for a text of several paths, such as those of a domain and a problem of PDDL."""
    try:
        words = shlex.split(text)
    except ValueError:  # such as a quotation mark that is not closed
        words = []
    paths = [_whole_path(table, word) for word in words]
    are_files = len(words) > 1 and all(Path(path).is_absolute() for path in paths)
    return shlex.join(paths) if are_files else _whole_path(table, text)


def _written(table: Table, key: str) -> Iterator[Instance]:
    texts = table.several(key, str, "a list of strings, such as ['2 8 3 / 1 6 4 / 7 _ 5']")
    for number, text in enumerate(texts or [], 1):
        yield Instance(_whole_paths(table, text), str(number), table.place(key))


def _lines(table: Table, key: str) -> Iterator[Instance]:
    path, text = _read(table, key)
    lines = ((number, line.strip()) for number, line in enumerate(text.split("\n"), 1))
    found = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not found:
        table.fail(key, f"{path} contains no instance; write one on each line")
    for number, (at, line) in enumerate(found, 1):
        yield Instance(line, str(number), f"{path}, line {at}")


def _table(table: Table, key: str) -> Iterator[Instance]:
    """The rows of a CSV file, whose first row names its columns; lines that begin with # are left out, except within a cell."""
    path, text = _read(table, key)
    rows = _rows(table, key, path, text)
    _, columns = next(rows, (0, []))
    column = table.need("column", str, f"the column of {path} that contains the instances: one of {', '.join(columns)}")
    named = table.text("name_column", "the column with the names of the instances")
    given = table.table("published", "a table, such as {cost = 'optimal'}: columns with published figures")
    published = {} if given is None else dict(given.items())
    for place, wanted in (("column", column), ("name_column", named), *(("published", one) for one in published.values())):
        if wanted is not None and wanted not in columns:
            table.fail(place, str(UnknownNameError(f"column of {path}", str(wanted), columns)))
    for what in published:
        if what not in PUBLISHED:
            table.fail("published", str(UnknownNameError("published figure", what, PUBLISHED)))
    for number, (line, cells) in enumerate(rows, 1):
        place = f"{path}, line {line}"
        if len(cells) < len(columns) or "".join(cells[len(columns) :]).strip():
            table.fail(
                key,
                f"{place}: the line has {counted(len(cells), 'cell')}, but the table has {counted(len(columns), 'column')}; "
                "write a cell for each column, in quotes if it contains commas",
            )
        row = dict(zip(columns, cells, strict=False))  # there may be empty cells behind the last column
        try:
            figures = {what: _figure(row[one]) for what, one in published.items() if row[one].strip()}
        except ValueError as error:
            table.fail(key, f"{place}: {error}; write numbers in {', '.join(published.values())}")
        yield Instance(row[column], row[named] if named else str(number), place, published=figures)


def _rows(table: Table, key: str, path: Path, text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV file that are not empty, each with the line at which it begins; csv takes the lines of a row one by one."""
    begins = at = 0

    def lines() -> Iterator[str]:
        nonlocal begins, at
        for at, line in enumerate(StringIO(text), 1):
            if not begins and line.startswith("#"):
                continue
            begins = begins or at
            yield line

    try:
        for cells in csv.reader(lines(), strict=True):
            if len(cells) > 1 or "".join(cells).strip():
                yield begins, cells
            begins = 0
    except csv.Error as error:
        table.fail(
            key,
            f"{path}, line {begins or at}: {error}; within a cell in quotes, write each quote twice; put long instances into "
            "files of their own",
        )


def _figure(cell: str) -> float:
    figure = float(cell)
    if not isfinite(figure):
        raise ValueError(f"{cell.strip()} is not a number")
    return figure


def _files(table: Table, key: str) -> Iterator[Instance]:
    pattern = table.need(key, str, "the path of files, such as 'instances/*.tsp'")
    try:
        found = sorted(path for path in table.document.directory.glob(pattern) if path.is_file())
    except (NotImplementedError, ValueError, OSError) as error:
        why = getattr(error, "strerror", None) or error
        table.fail(key, f"{key} is {shown(pattern)}: {why}; write a path relative to the directory of the spec")
    if not found:
        table.fail(
            key, f"no file matches {shown(pattern)} in {table.document.directory}; write a path such as 'instances/*.tsp'"
        )
    for path in found:
        yield Instance(str(path.resolve()), path.stem, str(path))


def _random(table: Table, key: str) -> Iterator[Instance]:
    """Random instances of a size, each from its number and a seed."""
    from bestfirst.studio.random_instances import random_instance  # noqa: PLC0415

    given = table.table(key, "a table, such as {size = '4x4', count = 100, seed = 0}")
    assert given is not None
    size = str(given.need("size", str | int, "a size, such as '4x4'"))  # type: ignore[arg-type]
    count = given.whole("count", 1, "how many instances", most=MOST_RANDOM) or 1
    seed = given.whole("seed", 0, "a whole number of at least 0") or 0
    given.done("random instances")
    domain = table.need("domain", str, "the name of a domain")
    if domain in ("grid-map", "road-map"):
        table.fail(key, f"the instances of {domain} are files; write files = 'maps/*' instead")
    for number in range(count):
        try:
            text, options = random_instance(domain, size, seed * 1_000_000 + number)
        except InputError as error:
            table.fail(key, str(error))
        yield Instance(text, str(number + 1), table.place(key), options)


def _read(table: Table, key: str) -> tuple[Path, str]:
    given = table.need(key, str, "the path of a text file")
    path = table.document.directory / given
    try:
        return path, path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        table.fail(key, f"{path} is not text: {error}; save it as UTF-8")
    except OSError as error:
        table.fail(key, f"{str(path)!r} cannot be read: {error.strerror or error}; write the path of a text file")


_SOURCES: Mapping[str, Callable[[Table, str], Iterator[Instance]]] = {
    "instances": _written,
    "lines": _lines,
    "table": _table,
    "files": _files,
    "random": _random,
}
"""Where instances come from, by the key of the spec."""
