"""Classes by name, each imported when it is looked up: to list the names of all problems must not load them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from bestfirst.problem import Problem


class LateClasses(Mapping[str, type[Problem[Any, Any]]]):
    """Problems by name. places: where each is, such as "package.module:Class"."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = places

    def __getitem__(self, name: str) -> type[Problem[Any, Any]]:
        module, _, attribute = self._places[name].partition(":")
        found: type[Problem[Any, Any]] = getattr(import_module(module), attribute)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
