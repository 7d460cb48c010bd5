"""Values of a saved search, read with checks: nothing from a file is used before it is checked."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, isnan
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, NumberType, SavedState

MOST = 2**62
"""The exclusive maximum of whole numbers, so that compiled code can add to them."""


class SavedError(ValueError):
    """A saved search has an impossible value."""


def require(holds: object, what: str) -> None:
    """Raise SavedError unless something holds. what: the fault, in words."""
    if not holds:
        raise SavedError(what)


class Saved:
    """A mapping of a saved search. Each method returns the value of a name; raises SavedError if it has the wrong type."""

    def __init__(self, said: Any, what: str = "the search") -> None:
        require(isinstance(said, Mapping), f"{what} is not described by names")
        self._said = said
        self._what = what

    def _value(self, name: str, kinds: type | tuple[type, ...]) -> Any:
        require(name in self._said, f"{name} of {self._what} is missing")
        value = self._said[name]
        is_right = isinstance(value, kinds) and (not isinstance(value, bool) or kinds is bool)
        require(is_right, f"{name} of {self._what} is {_shown(value)}")
        return value

    def whole(self, name: str, least: int = 0, most: int = MOST) -> int:
        """A whole number in a range."""
        value: int = self._value(name, int)
        require(least <= value <= most, f"{name} of {self._what} is {value}")
        return value

    def number(self, name: str, least: float = 0) -> float:
        """A number >= least, possibly infinite, as it was written: an int or a float."""
        value: float = self._value(name, (int, float))
        require(not isnan(value) and value >= least, f"{name} of {self._what} is {value}")
        return value

    def flag(self, name: str) -> bool:
        """True or False."""
        return bool(self._value(name, bool))

    def text(self, name: str) -> str:
        """A string."""
        return str(self._value(name, str))

    def optional_text(self, name: str) -> str | None:
        """A string, or None."""
        return None if self.is_none(name) else self.text(name)

    def is_none(self, name: str) -> bool:
        """Whether the value exists and is None."""
        require(name in self._said, f"{name} of {self._what} is missing")
        return self._said[name] is None

    def part(self, name: str) -> Saved:
        """Another mapping."""
        return Saved(self._value(name, Mapping), name)

    def mapping(self, name: str) -> SavedState:
        """Another mapping, as a dict."""
        return dict(self._value(name, Mapping))

    def items(self, name: str, length: int | None = None) -> tuple[Any, ...]:
        """A sequence, with a length if given."""
        value = self._value(name, (list, tuple))
        require(length is None or len(value) == length, f"{name} of {self._what} has {len(value)} parts")
        return tuple(value)

    def parts(self, name: str, length: int | None = None) -> list[Saved]:
        """A sequence of mappings."""
        return [Saved(item, name) for item in self.items(name, length)]

    def wholes(self, name: str, most: int = MOST) -> list[int]:
        """A sequence of whole numbers in 0 .. most."""
        items = self.items(name)
        for item in items:
            require(type(item) is int and 0 <= item <= most, f"{name} of {self._what} contains {_shown(item)}")
        return list(items)

    def array(self, name: str, kind: NumberType, *shape: int, least: int | None = 0, most: int | None = None) -> Array:
        """An array of a type and a shape, whose ints are in a range; a writable copy."""
        value = self._value(name, np.ndarray)
        require(value.dtype == kind, f"{name} of {self._what} have the type {value.dtype}, not {np.dtype(kind)}")
        require(value.shape == shape, f"{name} of {self._what} have the shape {value.shape}, not {shape}")
        if value.size and least is not None:
            require(value.min() >= least, f"{name} of {self._what} contain {value.min()}")
        if value.size and most is not None:
            require(value.max() <= most, f"{name} of {self._what} contain {value.max()}")
        return value.copy()

    def length(self, name: str) -> int:
        """The length of a one-dimensional array."""
        value = self._value(name, np.ndarray)
        require(value.ndim == 1, f"{name} of {self._what} have the shape {value.shape}")
        return len(value)

    def rows(self, name: str) -> int:
        """The number of rows of a two-dimensional array."""
        value = self._value(name, np.ndarray)
        require(value.ndim == 2, f"{name} of {self._what} have the shape {value.shape}")
        return len(value)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) < 60 else f"{text[:57]}..."


def same_number(one: float, other: float) -> bool:
    """Whether two costs are equal up to rounding."""
    return one == other or (one < inf and other < inf and abs(one - other) <= max(1e-9 * max(abs(one), abs(other)), 1e-12))
