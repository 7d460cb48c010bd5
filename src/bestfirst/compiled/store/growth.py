"""Arrays of records, and arrays that grow: the number of nodes of a search need not be known in advance."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, NumberType


@cache
def record_type(*fields: tuple[str, NumberType]) -> np.dtype[np.void]:
    """The type of records whose fields have names, in compiled code and in Python.

    It is made once: calls of compiled code compare the types of arrays, which takes long for others that are equal.
    """
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


def grown(array: Array, size: int) -> Array:
    """A longer array that begins with the content of the given one, which is returned if it is long enough."""
    if len(array) >= size:
        return array
    longer = np.zeros(size, array.dtype)
    longer[: len(array)] = array
    return longer


def doubled(size: int, least: int) -> int:
    """A size doubled until it has at least a value."""
    while size < least:
        size *= 2
    return size
