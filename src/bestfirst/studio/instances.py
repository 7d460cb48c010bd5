"""From what is typed on the page to a problem. Only files that were named at the start are read."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from bestfirst.domains import DOMAINS, GridMap, RoadMap
from bestfirst.errors import InputError
from bestfirst.makers import Kind
from bestfirst.problem import Problem
from bestfirst.studio.own import maker_of

Options: TypeAlias = Mapping[str, str]


def problem_of(request: Mapping[str, Any]) -> Problem[Any, Any]:
    """The problem of a request: its fields problem, instance and options. Raises InputError."""
    name = str(request.get("problem", ""))
    maker = maker_of(name, Kind.PROBLEM, request)
    typed = str(request.get("instance", ""))
    given = request.get("options") or {}
    options = {str(option): str(value).strip() for option, value in dict(given).items() if str(value).strip()}
    if maker.is_own:
        return maker.make(typed if maker.reads_text else None, options)  # type: ignore[no-any-return]
    domain = DOMAINS[name]
    for parameter in options_of(domain):
        if parameter.default is inspect.Parameter.empty and parameter.name not in options:
            raise InputError(f"{name} needs {label_of(parameter.name)}")
    if not typed.strip():
        raise InputError("the instance is empty; write one, or choose an example")
    read: Callable[..., Problem[Any, Any]] = _READERS.get(domain, domain.from_text)
    try:
        return read(typed, **options)
    except InputError:
        raise
    except (ValueError, OverflowError, RecursionError, TypeError) as error:  # such as a number of thousands of digits
        raise InputError(f"the instance cannot be read: {error}") from None


def options_of(domain: type[Problem[Any, Any]]) -> list[inspect.Parameter]:
    """The options that a problem has on the page: those of its from_text, but for one that is about files."""
    parameters = inspect.signature(domain.from_text).parameters.values()
    return [
        parameter
        for parameter in parameters
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not (domain is GridMap and parameter.name == "number")
    ]


def label_of(option: str) -> str:
    """The name of an option on the page."""
    return {"start": "a start", "goal": "a goal"}.get(option, option)


def _grid(text: str, *, start: str = "", goal: str = "", neighbours: str = "8") -> GridMap:
    """A grid from its rows. Default: from the upper left to the lower right corner."""
    if neighbours not in ("4", "8"):
        raise InputError(f"neighbours is {neighbours!r}; write 4 or 8")
    rows = text.replace("/", "\n").split()
    end = f"{len(rows[-1]) - 1},{len(rows) - 1}"
    return GridMap(rows, start or "0,0", goal or end, neighbours=int(neighbours))


def _roads(text: str, *, start: str, goal: str) -> RoadMap:
    """A road map from the text of a CSV file."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "map.csv")
        path.write_text(text, encoding="utf-8")
        try:
            return RoadMap.from_csv(path, start, goal)
        except InputError as error:
            raise InputError(str(error).replace(str(path), "the map")) from None


_READERS: dict[type[Problem[Any, Any]], Callable[..., Problem[Any, Any]]] = {GridMap: _grid, RoadMap: _roads}
"""The problems whose from_text reads a file: on the page the text of the file is typed."""
