"""Noted data: a search that goes on with a changed problem is refused, since compiled code and stored nodes have the old data."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from bestfirst.errors import changed

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array
    from bestfirst.domain import Domain
    from bestfirst.games.domain import GameDomain
    from bestfirst.games.game import Game
    from bestfirst.problem import Problem

_RULES = ("unit_cost", "actions", "bits", "identity", "resources")
"""What else compiled code takes for granted."""
FEW_BYTES = 1 << 12
"""The size of arrays that are noted at once."""
_UNCHANGING = (int, float, bool, str, type(None))
"""The types of values that need not be copied when they are noted, since they never change."""


class NotedData:
    """What the numbers and arrays of a domain were when compiled code got them.

    domain: the domain with the attributes of the given names. data: as compiled code has them. An array that compiled code
    shares with the domain may change until the search first stops; from then on its elements are noted, too.
    """

    def __init__(self, domain: Domain | GameDomain, names: Sequence[str], data: Sequence[object]) -> None:
        self._domain = domain
        self._read = {name: domain.compiled_value(name) for name in names}
        self._read |= {name: domain.compiled_value(name) for name in _RULES if hasattr(domain, name)}
        self._notes = {
            name: note_of(value)
            for (name, value), given in zip_longest(self._read.items(), data)
            if type(value) not in _UNCHANGING
            and not (isinstance(value, np.ndarray) and value.nbytes > FEW_BYTES and _are_shared(value, given))
        }

    def complete(self) -> None:
        """Note the arrays that are not yet noted."""
        for name, value in self._read.items():
            if name not in self._notes and name not in self._domain.frozen_arrays:
                self._notes[name] = note_of(value)

    def check(self, domain: Domain | GameDomain, problem: Problem | Game) -> None:
        """Raise InputError if a number or an array is no longer what it was.

        domain: the compilable form of the problem as it is now, which the message names.
        """
        for name, was in self._read.items():
            now = domain.compiled_value(name) if hasattr(domain, name) else None
            if now is was and (name in domain.frozen_arrays or name not in self._notes):
                continue
            if note_of(now) != (self._notes[name] if name in self._notes else note_of(was)):
                raise changed(f"the attribute {name}", problem)


def _are_shared(array: Array, given: object) -> bool:
    return array is given or (isinstance(given, np.ndarray) and np.may_share_memory(array, given))


def note_of(value: object) -> object:
    """What tells a value from others: a checksum of an array, with its type and shape; the text of anything else."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape, crc32(np.ascontiguousarray(value).data)
    return repr(value)  # in which NaN is NaN, and 1 is not 1.0
