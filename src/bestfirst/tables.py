"""Tables: the look-ups of a domain as NumPy arrays, which compiled methods read; without NumPy, as tuples that are read alike."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import getitem
from typing import Any


def table(values: Iterable[Any], kind: str = "int64") -> Any:
    """The values, or rows of values, as an array of this type; where NumPy is not installed, as a PlainTable."""
    try:
        import numpy as np  # noqa: PLC0415  (so that importing bestfirst does not)
    except ImportError:
        return PlainTable(values)
    return np.array(list(values), kind)


def byte_table(content: bytes | list[bytes], kind: str) -> Any:
    """The bytes, or rows of bytes, as an array of this type, "uint8" or "bool", or as a PlainTable."""
    try:
        import numpy as np  # noqa: PLC0415
    except ImportError:
        values = PlainTable([content] if isinstance(content, bytes) else content)
        return values[0] if isinstance(content, bytes) else values
    if isinstance(content, bytes):
        return np.frombuffer(content, kind).copy()  # compiled code takes writable arrays
    return np.frombuffer(b"".join(content), kind).reshape(len(content), -1).copy()


class PlainTable(tuple[Any, ...]):
    """Values, or rows of them, that are read like those of an array: table[row, column], or table[row][column]."""

    __slots__ = ()

    def __new__(cls, values: Iterable[Any]) -> PlainTable:
        return super().__new__(cls, (cls(value) if isinstance(value, list | tuple | bytes) else value for value in values))

    def __getitem__(self, index: Any) -> Any:
        return reduce(getitem, index, self) if isinstance(index, tuple) else super().__getitem__(index)

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of values, or of rows and of values in each."""
        first = self[0] if self else None
        return (len(self), *(first.shape if isinstance(first, PlainTable) else ()))

    def tolist(self) -> list[Any]:
        """The values as a list, or as a list of lists."""
        return [value.tolist() if isinstance(value, PlainTable) else value for value in self]
