"""The agenda for any order: a four-way heap by (primary, secondary, node index).

Node indices ascend, so of equal nodes the lower index came in first.

heap: (primaries, secondaries, thirds, places, count), with entries from ROOT on; the four below entry e begin at 4e - 8,
so that they share a cache line. Keys are int64: floats >= 0 as the ints with the same bits, and so the same order; totals
(uint64) minus 2**63. Beyond the last entry the primaries are BEYOND_ALL. count: the number of entries, and whether the first
one has left the agenda and is only a hole.

An order of ints is exact, as in Python. If the weight of the estimate is an int (WIDE), g + weight * h needs two words: the
primary is the upper one, the secondary the lower one, and h is the third key. Otherwise the heap has two keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.machine_code import Kept
from bestfirst.compiled.store.open_list import OpenNodes, Wanted

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import FLOAT_KEYS, FLOATS, LIFO, WIDE, open_of
    from bestfirst.compiled.store.aliases import Array, Arrays, Flag, Int, Names, Nodes, Number, OpenList, Order, Total

PRIMARIES, SECONDARIES, _THIRDS, PLACES, COUNT = range(5)
ROOT = 3
BEYOND_ALL = 2**63 - 1
LEAST = -(2**63)
HALF = np.uint64(32)
LOWER = np.uint64(2**32 - 1)
entry = np.uint64
"""An index: unsigned, which saves the check for negative values."""


def in_order(number: Number) -> Int:
    """A float >= 0 as the int with the same bits."""
    return np.float64(number + 0.0).view(np.int64)  # -0.0 + 0.0 is 0.0


def sorted_total(total: Total) -> Int:
    """A total as an int64 with the same order."""
    return np.float64(total + 0.0).view(np.int64) if FLOATS else np.uint64(total).view(np.int64) ^ LEAST


def lowest_key(heap: OpenList) -> Total:
    """The first entry's total, decoded from its sorted_total() primary key."""
    key = heap[PRIMARIES][ROOT]
    return np.int64(key).view(np.float64) if FLOATS else np.int64(key ^ LEAST).view(np.uint64)


def weighted(weight: Int, h: Int, g: Int) -> Int:
    """The upper and the lower word of g + weight * h, as int64 in the same order."""
    one, other, total = np.uint64(weight), np.uint64(h), np.uint64(g)
    low = (one & LOWER) * (other & LOWER)
    middle = (one >> HALF) * (other & LOWER) + (low >> HALF)
    more = (one & LOWER) * (other >> HALF) + (middle & LOWER)
    upper = (one >> HALF) * (other >> HALF) + (middle >> HALF) + (more >> HALF)
    lower = ((more & LOWER) << HALF) | (low & LOWER)
    lower += total
    if lower < total:
        upper += np.uint64(1)
    return np.uint64(upper).view(np.int64), np.uint64(lower).view(np.int64) ^ LEAST


def keys_of(order: Order, g: Number, h: Number) -> Int:
    """The keys of a node."""
    g_first, h_first, h_second = order
    if FLOAT_KEYS:  # by a float weight, even if the numbers are ints
        return in_order(g_first * g + h_first * h), in_order(h_second * h) if FLOATS else np.int64(h_second) * h, 0
    if WIDE:
        upper, lower = weighted(h_first, h, g)
        return upper, lower, h
    return sorted_total(np.uint64(g_first * g) + np.uint64(h_first * h)), h_second * h, 0


def has_room(heap: OpenList, _order: Order, _g: Number, _h: Number, children: Int) -> Flag:
    """Whether `children` nodes can enter."""
    return heap[COUNT][0] + children + 2 * ROOT < len(heap[PRIMARIES])


def goes_before(heap: OpenList, one: Int, primary: Int, secondary: Int, third: Int, place: Int) -> Flag:
    """Whether an entry leaves before a node with these keys: without branches, since no processor could predict them."""
    primaries, secondaries, thirds, places, _count = heap
    at = entry(one)
    is_first = (places[at] < place) != LIFO
    if WIDE:
        is_first = (thirds[at] < third) | ((thirds[at] == third) & is_first)
    is_first = (secondaries[at] < secondary) | ((secondaries[at] == secondary) & is_first)
    return (primaries[at] < primary) | ((primaries[at] == primary) & is_first)


def precedes(heap: OpenList, one: Int, other: Int) -> Int:
    """1 if an entry leaves before another one, otherwise 0."""
    primaries, secondaries, thirds, places, _count = heap
    at = entry(other)
    third = thirds[at] if WIDE else 0
    return np.int64(goes_before(heap, one, primaries[at], secondaries[at], third, places[at]))


def first_of_four(heap: OpenList, start: Int) -> Int:
    """Of four adjacent entries, the one that leaves first."""
    low = start + precedes(heap, start + 1, start)
    high = start + 2 + precedes(heap, start + 3, start + 2)
    return low + (high - low) * precedes(heap, high, low)


def move(heap: OpenList, start: Int, end: Int) -> None:
    """Move an entry into a hole."""
    primaries, secondaries, thirds, places, _count = heap
    primaries[entry(end)], secondaries[entry(end)] = primaries[entry(start)], secondaries[entry(start)]
    if WIDE:
        thirds[entry(end)] = thirds[entry(start)]
    places[entry(end)] = places[entry(start)]


def put_entry(heap: OpenList, hole: Int, primary: Int, secondary: Int, third: Int, place: Int) -> None:
    """Put a node into a hole."""
    primaries, secondaries, thirds, places, _count = heap
    primaries[entry(hole)] = primary
    secondaries[entry(hole)] = secondary
    if WIDE:
        thirds[entry(hole)] = third
    places[entry(hole)] = place


def settle(heap: OpenList, hole: Int, primary: Int, secondary: Int, third: Int, place: Int) -> None:
    """Put a node into a hole at the end of a branch, or move it up to its place."""
    while hole > ROOT:
        above = hole // 4 + 2
        if goes_before(heap, above, primary, secondary, third, place):
            break
        move(heap, above, hole)
        hole = above
    put_entry(heap, hole, primary, secondary, third, place)


def sink(heap: OpenList, primary: Int, secondary: Int, third: Int, place: Int) -> None:
    """Put a node into the hole at the root, or let better ones move up, and put it where the last of them was."""
    last = heap[COUNT][0] + ROOT
    hole = ROOT
    while 4 * hole - 8 < last:
        first = first_of_four(heap, 4 * hole - 8)
        if not goes_before(heap, first, primary, secondary, third, place):
            break
        move(heap, first, hole)
        hole = first
    put_entry(heap, hole, primary, secondary, third, place)


def remove(heap: OpenList) -> None:
    """Pop the first entry of the heap: the best ones below move up, and the last entry fills the remaining hole."""
    primaries, secondaries, thirds, places, count = heap
    count[0] -= 1
    last = count[0] + ROOT
    third = thirds[entry(last)] if WIDE else 0
    primary, secondary, place = primaries[entry(last)], secondaries[entry(last)], places[entry(last)]
    primaries[entry(last)] = BEYOND_ALL
    if last == ROOT:
        return
    hole = ROOT
    while 4 * hole - 8 < last:
        first = first_of_four(heap, 4 * hole - 8)
        move(heap, first, hole)
        hole = first
    settle(heap, hole, primary, secondary, third, place)


def drop(heap: OpenList) -> None:
    """Pop the first entry, but leave a hole at the root: a child usually fills it, and often stays there."""
    heap[COUNT][1] = 1


def next_waiting(nodes: Nodes, heap: OpenList) -> Int:
    """The next node; the heap must not be empty."""
    places, count = heap[PLACES], heap[COUNT]
    while count[1] != 0 or open_of(nodes, places[ROOT]) == 0:
        count[1] = 0
        remove(heap)
    return places[ROOT]


def upcoming(_heap: OpenList, _number: Int) -> Int:
    """Always -1: a heap does not know which node comes `number` places after the next one."""
    return -1


def enter(heap: OpenList, order: Order, place: Int, g: Number, h: Number) -> None:
    """Put a node on the agenda."""
    count = heap[COUNT]
    primary, secondary, third = keys_of(order, g, h)
    if count[1] != 0:
        count[1] = 0
        sink(heap, primary, secondary, third, place)
    else:
        count[0] += 1
        settle(heap, count[0] + ROOT - 1, primary, secondary, third, place)


def push(heap: OpenList, first: Total, second: Total, place: Int) -> None:
    """Push a node with two totals as its keys."""
    heap[COUNT][0] += 1
    settle(heap, heap[COUNT][0] + ROOT - 1, sorted_total(first), sorted_total(second), 0, place)


def first_in(heap: OpenList) -> Int:
    """The node that leaves next."""
    return heap[PLACES][ROOT]


def pop(heap: OpenList) -> Int:
    """Pop the first node."""
    place = first_in(heap)
    remove(heap)
    return place


def size_of(heap: OpenList) -> Int:
    """The number of entries."""
    return heap[COUNT][0]


PARTS = (
    in_order,
    sorted_total,
    lowest_key,
    weighted,
    keys_of,
    has_room,
    goes_before,
    precedes,
    first_of_four,
    move,
    put_entry,
    settle,
    sink,
    remove,
    drop,
    next_waiting,
    upcoming,
    enter,
    push,
    first_in,
    pop,
    size_of,
)
PLAIN: Names = {"WIDE": False, "LIFO": False}
"""The constants for a heap that is not an agenda of records."""
FIRST_ENTRIES = 1 << 12


class Heap(OpenNodes):
    """The arrays of the agenda."""

    def __init__(self, *, wide: bool = False, entries: int = FIRST_ENTRIES) -> None:
        self._wide = wide
        self.arrays = Kept((*_columns(entries + 2 * ROOT, wide), np.zeros(2, np.int64)))

    @property
    def is_wide(self) -> bool:
        """Whether it has three keys."""
        return self._wide

    def __len__(self) -> int:
        """The number of entries."""
        return int(self.arrays[COUNT][0])

    def suits(self, wanted: Wanted, nodes: int) -> bool:  # noqa: ARG002
        return True

    def bytes_to_grow(self, wanted: Wanted) -> int:
        return (4 if self._wide else 3) * 8 * self._size_for(wanted)

    def _size_for(self, wanted: Wanted) -> int:
        return max(2 * len(self.arrays[PRIMARIES]), len(self) + wanted.children + 2 * ROOT + 1)

    def grow(self, wanted: Wanted) -> None:
        """Make room for at least twice as many entries."""
        self._resize(self._size_for(wanted))

    def make_room(self, entries: int) -> None:
        """Make room for this many entries."""
        self._resize(entries + 2 * ROOT)

    def _resize(self, size: int) -> None:
        *columns, count = self.arrays
        larger = _columns(size, self._wide)
        for old, new in zip(columns, larger, strict=True):
            new[: len(old)] = old
        self.arrays = Kept((*larger, count))

    def clear(self) -> None:
        """Remove all entries."""
        self.arrays[PRIMARIES][: ROOT + len(self)] = BEYOND_ALL  # as all others are
        self.arrays[COUNT][:] = 0

    @property
    def places(self) -> Array:
        """The nodes of the entries."""
        return self.arrays[PLACES][ROOT : ROOT + len(self)].astype(np.int32)

    @property
    def seconds(self) -> Array:
        """The second keys of the entries, as ints in their order."""
        return np.argsort(np.argsort(self.arrays[SECONDARIES][ROOT : ROOT + len(self)]))

    def fill(self, firsts: Array, seconds: Array, places: Array) -> None:
        """Replace the entries by nodes with these keys, which are arrays of totals."""
        firsts, seconds = _sorted_totals(firsts), _sorted_totals(seconds)
        order = np.lexsort((places, seconds, firsts))
        primaries, secondaries, _thirds, own_places, count = self.arrays
        self.clear()
        for column, keys in ((primaries, firsts), (secondaries, seconds), (own_places, places)):
            column[ROOT : ROOT + len(order)] = keys[order]
        count[0] = len(order)


def _sorted_totals(totals: Array) -> Array:
    """What sorted_total() makes of each."""
    return (totals + 0.0).view(np.int64) if totals.dtype == np.float64 else totals.view(np.int64) ^ LEAST


def _columns(size: int, wide: bool) -> Arrays:
    """The columns of a heap, with the primaries at the start of a cache line."""
    line = 64 // 8
    primaries = np.full(size + line, BEYOND_ALL)
    skipped = -primaries.ctypes.data % 64 // 8
    thirds = np.zeros(size if wide else 1, np.int64)
    return primaries[skipped : skipped + size], np.zeros(size, np.int64), thirds, np.zeros(size, np.int64)
