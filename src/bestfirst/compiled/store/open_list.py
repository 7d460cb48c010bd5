"""What both kinds of open lists have in common: buckets (buckets.py) and a heap (heap.py).

Each module has the same functions for kernels (names.py): has_room, enter, next_waiting, drop and upcoming. A superseded
node stays where it is, and is skipped when popped: the field `open` of a record says whether the node is open.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import open_of, set_open
    from bestfirst.compiled.store.aliases import Arrays, Flag, Int, Nodes

RECORD_FIELDS = {"open": 1}
"""The fields of an open list in a record, with their bits."""


def is_waiting(nodes: Nodes, place: Int) -> Flag:
    """Whether a node is open."""
    return open_of(nodes, place) != 0


def leave(nodes: Nodes, place: Int) -> None:
    """Close a node, wherever on the agenda it is."""
    set_open(nodes, place, 0)


PARTS = (is_waiting, leave)


class Wanted(NamedTuple):
    """The room that an agenda still needs: for this many children, whose keys are at most these."""

    primary: int
    secondary: int
    children: int


class OpenNodes(ABC):
    """The arrays of an open list."""

    arrays: Arrays

    @abstractmethod
    def suits(self, wanted: Wanted, nodes: int) -> bool:
        """Whether the wanted room does not take much more memory than this many nodes."""

    @abstractmethod
    def bytes_to_grow(self, wanted: Wanted) -> int:
        """The bytes of the arrays after growing."""

    @abstractmethod
    def grow(self, wanted: Wanted) -> None:
        """Make room for the wanted children."""

    @property
    def bytes(self) -> int:
        """The bytes of the arrays."""
        return sum(array.nbytes for array in self.arrays)
