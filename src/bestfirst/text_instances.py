"""Instances typed as text, maps included: without it, a map could only come from a file."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bestfirst.domains import DOMAINS, GridMap, RoadMap
from bestfirst.errors import InputError, reading_instance
from bestfirst.makers import Maker
from bestfirst.models import MODELS
from bestfirst.problem import Problem


def problem_from(maker: Maker, instance: str, options: Mapping[str, Any]) -> Problem[Any, Any]:
    """A problem from the text of its instance and of its options; an option without text is left out. Raises InputError."""
    given = {name: str(value).strip() for name, value in options.items() if str(value).strip()}
    if maker.is_own:
        return maker.make(instance if maker.reads_text else None, given)  # type: ignore[no-any-return]
    domain = class_of(maker.name)
    for parameter in options_of(domain):
        if parameter.default is inspect.Parameter.empty and parameter.name not in given:
            raise InputError(f"{maker.name} needs {_LABELS.get(parameter.name, parameter.name)}; enter one")
    if not instance.strip():
        raise InputError("the instance is empty; enter one, or choose an example")
    usual = partial(_model, domain) if maker.name in MODELS else domain.from_text
    read: Callable[..., Problem[Any, Any]] = _READERS.get(domain, usual)
    known = [parameter.name for parameter in options_of(domain)]
    for name in given:
        if name not in known:
            raise InputError(f"{maker.name} has no option {name!r}; it has {', '.join(known) or 'none'}")
    with reading_instance(TypeError):
        return read(instance, **given)


def class_of(name: str) -> type[Problem[Any, Any]]:
    """The problem with this name, which is one of TYPED."""
    return DOMAINS[name] if name in DOMAINS else MODELS[name]


def options_of(domain: type[Problem[Any, Any]]) -> list[inspect.Parameter]:
    """The options of a problem whose instance is typed: those of its from_text, except those about files."""
    parameters = inspect.signature(domain.from_text).parameters.values()
    is_model = domain.name() in MODELS
    return [
        parameter
        for parameter in parameters
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
        and parameter.name not in _ABOUT_FILES.get(domain, ())
        and not (is_model and parameter.name in _FILES_OF_MODELS)
    ]


TYPED = (*DOMAINS, *(name for name in MODELS if name != "multi-agent"))  # whose instance names the file of a map
"""The problems whose instances can be typed."""
_FILES_OF_MODELS = frozenset({"file", "costs", "scores"})
_ABOUT_FILES: dict[type[Problem[Any, Any]], tuple[str, ...]] = {
    GridMap: ("number", "maps"),
    RoadMap: ("coordinates", "attribute"),
}
"""The options of from_text about files."""
_LABELS = {"start": "a start", "goal": "a goal"}


def _grid(text: str, *, start: str = "", goal: str = "", jump_points: str = "no", **rules: str) -> Problem[Any, Any]:
    """A grid from its rows. Default: from the upper left to the lower right corner."""
    rows = text.replace("/", "\n").split()
    end = f"{len(rows[-1]) - 1},{len(rows) - 1}"
    grid = GridMap(rows, start or "0,0", goal or end, **GridMap.rules_written(**rules))
    return grid.with_jumps_written(jump_points)


def _roads(text: str, *, start: str, goal: str, distance: Any = "straight") -> RoadMap:
    """A road map from the text of a CSV file."""
    with _as_file(text, "map.csv", "the map") as path:
        return RoadMap.from_csv(path, start, goal, distance=distance)


def _model(model: type[Problem[Any, Any]], text: str, **options: str) -> Problem[Any, Any]:
    """A model from the text of its file."""
    with _as_file(text, "instance", "the instance") as path:
        return model.from_text(str(path), **options)  # type: ignore[no-any-return]


@contextmanager
def _as_file(text: str, name: str, called: str) -> Iterator[Path]:
    """A file that holds a text for a moment. called: what an InputError calls it."""
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_text(text, encoding="utf-8")
        try:
            yield path
        except InputError as error:
            raise InputError(str(error).replace(str(path), called)) from None


_READERS: dict[type[Problem[Any, Any]], Callable[..., Problem[Any, Any]]] = {GridMap: _grid, RoadMap: _roads}
"""The problems whose from_text reads a file, with functions that read the text of the file instead."""
