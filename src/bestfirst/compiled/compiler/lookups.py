"""The data that compiled code takes from a domain and its pattern databases: numbers and arrays, and lookup code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.guards import new_notes
from bestfirst.compiled.compiler.state_fields import MOST_WORDS, is_wide
from bestfirst.compiled.compiler.translate import Translation, translate
from bestfirst.compiled.compiler.values import MOST
from bestfirst.errors import NotCompilableError
from bestfirst.heuristics.table_lookup import TableEstimate
from bestfirst.state_packing import WORD
from bestfirst.words import signed

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Method
    from bestfirst.domain import Domain
    from bestfirst.games.domain import GameDomain


@dataclass(frozen=True)
class TableLookups:
    """An estimate that is looked up in pattern databases: the parts of their abstract domains that it needs.

    parts: the translations of abstract(), or of dual(), and for tables by rank, of rank() or entry(). data: for each, its
    domain's data, the table, and the keys of a hash table. is_packed: whether each table has 4 bits per entry.
    """

    parts: tuple[Translation, ...] = ()
    data: tuple[object, ...] = ()
    combination: str = ""
    is_packed: tuple[bool, ...] = ()

    @classmethod
    def of(cls, estimate: Method) -> TableLookups:
        """The lookups of an estimate; empty if it is a method of the domain."""
        if not isinstance(estimate, TableEstimate):
            return cls()
        parts, data = [], []
        tables = estimate.tables
        for table in tables:
            part = translate(table.domain, table.methods)
            parts.append(part)
            keys = np.int64(0) if table.keys is None else table.keys
            data += [read_data(table.domain, part.attributes), np.asarray(table.content), keys]
        return cls(tuple(parts), tuple(data), estimate.combination, tuple(table.is_packed for table in tables))

    @property
    def digest(self) -> str:
        """A hash of the lookup code."""
        if not self.parts:
            return ""
        return f"{self.combination} {self.is_packed} {' '.join(part.digest for part in self.parts)}"


def read_data(domain: Domain | GameDomain, attributes: Sequence[str]) -> tuple[object, ...]:
    """The data of a domain for compiled code: its notes (guards.py), and the numbers and arrays on self that it reads."""
    words = domain.greatest_int > MOST
    return (new_notes(), *(_as_data(domain, name, keeps_words=words) for name in attributes))


def _as_data(domain: Domain | GameDomain, name: str, *, keeps_words: bool) -> object:
    value: object = domain.compiled_value(name)
    if is_wide(domain, value):
        assert isinstance(value, int)
        return np.array([signed(value >> place * WORD) for place in range(MOST_WORDS + 1)], np.int64)
    if isinstance(value, bool | int):
        return np.int64(value if value <= MOST else value - (1 << 64))
    if isinstance(value, float):
        return np.float64(value)
    array = np.ascontiguousarray(np.array(value, np.int64) if isinstance(value, tuple) else value)
    if array.dtype != np.uint64 or keeps_words:
        return array
    if array.size and int(array.max()) > MOST:
        raise NotCompilableError(
            f"the array {name} of {type(domain).__name__} contains {int(array.max())}, which does not fit into a signed "
            "64-bit int; use smaller numbers, or split each number between two arrays"
        )
    return array.view(np.int64)
