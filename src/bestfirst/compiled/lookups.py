"""What compiled code takes of a domain and of its pattern databases: numbers and arrays, and the code that looks in tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.translate import Translation, translate
from bestfirst.patterns.combination import Lookups

if TYPE_CHECKING:
    from bestfirst.games.domain import GameDomain
    from bestfirst.problem import Domain


@dataclass(frozen=True)
class TableLookups:
    """The estimate where that is looked up in pattern databases: what it takes of their abstract domains.

    parts: the translations of abstract() and of rank() or entry(). data: for each its domain's data, and the table.
    """

    parts: tuple[Translation, ...] = ()
    data: tuple[Any, ...] = ()
    combination: str = ""

    @classmethod
    def of(cls, estimate: Callable[..., Any]) -> TableLookups:
        """Of an estimate; nothing at all where it is a method of the domain."""
        if not isinstance(estimate, Lookups):
            return cls()
        parts, data = [], []
        for database in estimate.databases:
            domain = database.domain
            methods = {"abstract": type(domain).abstract, "number": getattr(type(domain), number_of(domain))}
            part = translate(domain, methods)
            parts.append(part)
            data += [read_data(domain, sorted(part.reads)), np.asarray(database.table)]
        return cls(tuple(parts), tuple(data), estimate.combination)

    @property
    def digest(self) -> str:
        """A hash of the code that looks up."""
        return "" if not self.parts else f"{self.combination} {' '.join(part.digest for part in self.parts)}"


def number_of(domain: Domain) -> str:
    """The method of an abstract domain that finds the entry of a state in its table."""
    return "entry" if domain.defines("entry") else "rank"


def read_data(domain: Domain | GameDomain, attributes: Sequence[str]) -> tuple[Any, ...]:
    """The numbers and arrays on self that compiled code reads, as it takes them; a tuple that is not empty."""
    return tuple(_as_data(domain.data(name)) for name in attributes) or (np.int64(0),)


def _as_data(value: Any) -> Any:
    if isinstance(value, bool | int):
        return np.int64(value if value < 1 << 63 else value - (1 << 64))
    if isinstance(value, float):
        return np.float64(value)
    array = np.ascontiguousarray(value)
    return array.view(np.int64) if array.dtype == np.uint64 else array  # ints with a sign and without do not mix
