"""The agenda of a best-first search: buckets as long as they suit it, then a heap."""

from __future__ import annotations

from math import inf
from types import ModuleType
from typing import TYPE_CHECKING

from bestfirst.compiled.store import buckets, heap
from bestfirst.compiled.store.buckets import GREATEST, GREATEST_WEIGHT, Buckets, suit_at_first
from bestfirst.compiled.store.heap import FIRST_ENTRIES, Heap
from bestfirst.compiled.store.open_list import OpenNodes, Wanted
from bestfirst.compiled.store.totals import GREATEST_COST
from bestfirst.recycled import Recycled

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Number

Order = tuple[float, float, int]
"""(g_first, h_first, h_second): nodes leave in order of g_first * g + h_first * h, ties in order of h_second * h."""


class Agenda:
    """The open nodes of a search, in an order.

    order: for the kernel. has_buckets: whether it consists of buckets. open: its arrays; clear() makes new ones.
    """

    open: OpenNodes

    def __init__(self, order: Order, *, lifo: bool, floats: bool, h: float) -> None:
        """lifo: whether further ties are last in, first out. floats: whether costs are. h: of the root."""
        self._order = order
        self._lifo = lifo
        self._float_keys = floats or isinstance(order[1], float)
        self._h = h
        is_small = not floats and h < inf and order[1] <= GREATEST_WEIGHT and float(order[1]).is_integer()
        self.has_buckets = is_small and h <= GREATEST and suit_at_first(self._wanted(0, int(h), 1))

    @property
    def module(self) -> ModuleType:
        """The module with its functions for kernels."""
        return buckets if self.has_buckets else heap

    @property
    def constants(self) -> dict[str, bool]:
        """The constants that the functions of `module` read; buckets have one kind of keys, whatever the weight is."""
        if self.has_buckets:
            return {"FLOAT_KEYS": False, "WIDE": False, "LIFO": self._lifo}
        return {"FLOAT_KEYS": self._float_keys, "WIDE": self._is_wide, "LIFO": self._lifo}

    @property
    def _is_wide(self) -> bool:
        """Whether the order of a heap needs more than 64 bits."""
        return not self._float_keys and self._order[1] > 1

    @property
    def order(self) -> tuple[float, ...]:
        """The order as the kernel takes it. A weight above all costs is replaced by their maximum, which orders equally."""
        if self.has_buckets:
            return tuple(map(int, self._order))
        return tuple(as_float(part) if self._float_keys else int(min(part, GREATEST_COST)) for part in self._order)

    def clear(self, recycled: Recycled | None = None) -> None:
        """Remove all nodes. recycled: the arrays of an earlier search."""
        used = None if recycled is None or self.has_buckets else recycled.heap(wide=self._is_wide)
        self.open = used if used is not None else Buckets() if self.has_buckets else self.new_heap()
        if self.has_buckets and self._h < inf:
            self.open.grow(self._wanted(0, int(self._h), 1))

    def new_heap(self, nodes: int = 0) -> Heap:
        """An empty heap that suits the order, with room for more than these nodes."""
        return Heap(wide=self._is_wide, entries=FIRST_ENTRIES + 2 * nodes)

    def change_to_heap(self, nodes: int) -> None:
        """Continue with a heap, which has no nodes yet but room for these."""
        self.has_buckets = False
        self.open = self.new_heap(nodes)

    def _wanted(self, g: int, h: int, children: int) -> Wanted:
        g_first, h_first, h_second = map(int, self._order)
        return Wanted(g_first * g + h_first * h, h_second * h, children)

    def wanted(self, g: int, h: int, children: int, nodes: int) -> Wanted | None:
        """The requirements for this many children with at most this g and h; None if they suit no buckets for these nodes."""
        if not self.has_buckets:
            return Wanted(0, 0, children)
        if g > GREATEST or h > GREATEST:
            return None
        wanted = self._wanted(g, h, children)
        return wanted if self.open.suits(wanted, nodes) else None


def as_float(number: Number) -> float:
    """A number as a float; infinite if it is an int beyond all floats."""
    try:
        return float(number)
    except OverflowError:
        return inf
