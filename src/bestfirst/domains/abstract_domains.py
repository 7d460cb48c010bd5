"""The library's abstract domains, recreated from the header of a pattern database."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from bestfirst.domain import Domain
from bestfirst.patterns.abstract_domain import as_abstract

Parameters: TypeAlias = Mapping[str, Any]


def _tiles(given: Parameters) -> Domain:
    from bestfirst.domains.sliding_tile.abstract import PatternTiles  # noqa: PLC0415  (they import NumPy)

    return PatternTiles(tuple(given["size"]), given["tiles"], given["blank"], regions=given["regions"])


def _pancakes(given: Parameters) -> Domain:
    from bestfirst.domains.pancake.problem import Pancake  # noqa: PLC0415

    return Pancake(range(1, given["pancakes"] + 1)).project([place + 1 for place in given["places"]])


def _ring(given: Parameters) -> Domain:
    from bestfirst.domains.top_spin.problem import TopSpin  # noqa: PLC0415

    ring = TopSpin(range(1, given["tokens"] + 1), turnstile=given["turnstile"])
    return ring.project([place + 2 for place in given["places"]])


def _discs(given: Parameters) -> Domain:
    from bestfirst.domains.towers_of_hanoi.problem import TowersOfHanoi  # noqa: PLC0415

    return TowersOfHanoi(given["discs"], given["pegs"], goal=given["goal"]).project(range(1, given["discs"] + 1))


def _pocket_cube(given: Parameters) -> Domain:
    from bestfirst.domains.pocket_cube import PocketCube  # noqa: PLC0415

    return PocketCube(given["goal"], given["goal"])


def _cube(given: Parameters) -> Domain:
    from bestfirst.domains.rubiks_cube.problem import SOLVED, RubiksCube  # noqa: PLC0415

    return RubiksCube(SOLVED).project(" ".join(given.get("edges", ["corners"])))


_MADE: Mapping[str, Callable[[Parameters], Domain]] = MappingProxyType(
    {
        "PatternTiles": _tiles,
        "PancakePattern": _pancakes,
        "RingPattern": _ring,
        "HanoiPattern": _discs,
        "PocketCube": _pocket_cube,
        "CubeCorners": _cube,
        "CubeEdges": _cube,
    }
)


def abstract_domain(name: str, parameters: Parameters) -> Domain | None:
    """The abstract domain with this class name and these parameters; None if it cannot be created."""
    make = _MADE.get(name)
    made = None if make is None else make(parameters)
    return made if made is not None and _as_json(as_abstract(made).parameters()) == _as_json(parameters) else None


def _as_json(value: Any) -> Any:
    """Tuples as lists, as in a header."""
    if isinstance(value, Mapping):
        return {name: _as_json(part) for name, part in value.items()}
    return [_as_json(part) for part in value] if isinstance(value, list | tuple) else value
