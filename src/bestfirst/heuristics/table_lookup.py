"""What the compiled engine must know about an estimate from tables, such as pattern databases, to read them itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bestfirst.domain import Domain

Combination = Literal["sum", "max"]


@dataclass(frozen=True)
class Table:
    """A table of distances, and how a state is found in it.

    domain: the domain whose distances they are. methods: "abstract" is the method of its class that returns its state for a
    state of the problem; "number", unless the table is by hash, is the one that returns the entry. content: the distances,
    255 if no goal can be reached.
    keys: the states of a table by hash. is_packed: whether each entry has 4 bits, 15 if no goal can be reached.
    """

    domain: Domain
    methods: Mapping[str, Callable[..., Any]]
    content: Any
    keys: Any = None
    is_packed: bool = False


class TableEstimate(ABC):
    """An estimate that is looked up in tables. combination: how their values are combined."""

    combination: Combination

    @abstractmethod
    def __call__(self, state: Any) -> int:
        """The estimate for a state."""

    @property
    @abstractmethod
    def tables(self) -> Sequence[Table]:
        """The tables, in the order in which values are combined."""

    @property
    @abstractmethod
    def identity(self) -> str:
        """What the estimate depends on: the same in each process, and different for different tables."""
