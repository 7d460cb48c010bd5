"""The agenda for any order: a four-way heap by (primary, secondary, node index).

Node indices ascend, so of equal nodes the lower index came in first.

A superseded node stays in the heap, and is skipped when popped. The field `open` of a record says whether the node
is open.

agenda: (primaries, secondaries, thirds, places, control), with entries from ROOT on; the four below entry e begin at 4e - 8,
so that they share a cache line. Keys are int64: floats >= 0 as the ints with the same bits, and so the same order; totals
(uint64) minus 2**63. Beyond the last entry the primaries are BEYOND_ALL. control is [entries, whether ties are last in first
out].

An order of ints is exact, as in Python. If the weight of the estimate is an int (WIDE), g + weight * h needs two words: the
primary is the upper one, the secondary the lower one, and h is the third key. Otherwise the heap has two keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.store.buckets import Wanted

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import FLOAT_KEYS, FLOATS, WIDE, open_of, set_open

RECORD_FIELDS = {"open": 1}
"""The fields of this agenda in a record, with their bits."""

PRIMARIES, SECONDARIES, THIRDS, PLACES, CONTROL = range(5)
ROOT = 3
BEYOND_ALL = 2**63 - 1
LEAST = -(2**63)
HALF = np.uint64(32)
LOWER = np.uint64(2**32 - 1)
entry = np.uint64
"""An index: unsigned, which saves the check for negative values."""


def in_order(number: Any) -> Any:
    """A float >= 0 as the int with the same bits."""
    return np.float64(number + 0.0).view(np.int64)  # -0.0 + 0.0 is 0.0


def sorted_total(total: Any) -> Any:
    """A total as an int64 with the same order."""
    return np.float64(total + 0.0).view(np.int64) if FLOATS else np.uint64(total).view(np.int64) ^ LEAST


def lowest_key(agenda: Any) -> Any:
    """The total that is the primary of the first entry, if made by sorted_total()."""
    key = agenda[PRIMARIES][ROOT]
    return np.int64(key).view(np.float64) if FLOATS else np.int64(key ^ LEAST).view(np.uint64)


def weighted(weight: Any, h: Any, g: Any) -> Any:
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


def keys_of(order: Any, g: Any, h: Any) -> Any:
    """The keys of a node."""
    g_first, h_first, h_second = order
    if FLOAT_KEYS:
        return in_order(g_first * g + h_first * h), in_order(h_second * h), 0
    if WIDE:
        upper, lower = weighted(h_first, h, g)
        return upper, lower, h
    return sorted_total(np.uint64(g_first * g) + np.uint64(h_first * h)), h_second * h, 0


def has_room(agenda: Any, _order: Any, _g: Any, _h: Any, children: Any) -> Any:
    """Whether `children` nodes can enter."""
    return agenda[CONTROL][0] + children + 2 * ROOT < len(agenda[PRIMARIES])


def is_waiting(nodes: Any, place: Any) -> Any:
    """Whether a node is on the agenda."""
    return open_of(nodes, place) != 0


def goes_before(agenda: Any, one: Any, primary: Any, secondary: Any, third: Any, place: Any) -> Any:
    """Whether an entry leaves before a node with these keys."""
    primaries, secondaries, thirds, places, control = agenda
    if primaries[entry(one)] != primary:
        return primaries[entry(one)] < primary
    if secondaries[entry(one)] != secondary:
        return secondaries[entry(one)] < secondary
    if WIDE and thirds[entry(one)] != third:
        return thirds[entry(one)] < third
    return (places[entry(one)] < place) != (control[1] != 0)


def move(agenda: Any, start: Any, end: Any) -> None:
    """Copy an entry."""
    primaries, secondaries, thirds, places, _control = agenda
    primaries[entry(end)] = primaries[entry(start)]
    secondaries[entry(end)] = secondaries[entry(start)]
    if WIDE:
        thirds[entry(end)] = thirds[entry(start)]
    places[entry(end)] = places[entry(start)]


def first_of_four(agenda: Any, start: Any) -> Any:
    """Of four adjacent entries, the one that leaves first."""
    primaries, secondaries, thirds, places, _control = agenda
    lowest = min(
        primaries[entry(start)], primaries[entry(start + 1)], primaries[entry(start + 2)], primaries[entry(start + 3)]
    )
    first, equals = start, 0
    for other in range(start, start + 4):
        if primaries[entry(other)] == lowest:
            first = other
            equals += 1
    if equals > 1:
        for other in range(start, start + 4):
            third = thirds[entry(first)] if WIDE else 0
            if goes_before(agenda, other, lowest, secondaries[entry(first)], third, places[entry(first)]):
                first = other
    return first


def drop(agenda: Any) -> None:
    """Pop the first entry of the heap: the best ones below move up, and the last entry fills the remaining hole."""
    primaries, secondaries, thirds, places, control = agenda
    control[0] -= 1
    last = control[0] + ROOT
    third = thirds[entry(last)] if WIDE else 0
    primary, secondary, place = primaries[entry(last)], secondaries[entry(last)], places[entry(last)]
    primaries[entry(last)] = BEYOND_ALL
    if last == ROOT:
        return
    hole = ROOT
    while 4 * hole - 8 < last:
        first = first_of_four(agenda, 4 * hole - 8)
        move(agenda, first, hole)
        hole = first
    settle(agenda, hole, primary, secondary, third, place)


def settle(agenda: Any, hole: Any, primary: Any, secondary: Any, third: Any, place: Any) -> None:
    """Put a node into a hole at the end of a branch, or move it up to its place."""
    primaries, secondaries, thirds, places, _control = agenda
    while hole > ROOT:
        above = hole // 4 + 2
        if goes_before(agenda, above, primary, secondary, third, place):
            break
        move(agenda, above, hole)
        hole = above
    primaries[entry(hole)] = primary
    secondaries[entry(hole)] = secondary
    if WIDE:
        thirds[entry(hole)] = third
    places[entry(hole)] = place


def next_waiting(nodes: Any, agenda: Any) -> Any:
    """The next node; the agenda must not be empty."""
    places = agenda[PLACES]
    while open_of(nodes, places[ROOT]) == 0:
        drop(agenda)
    return places[ROOT]


def upcoming(_agenda: Any, _number: Any) -> Any:
    """The node `number` places after the next one; -1, since a heap does not know it."""
    return -1


def enter(agenda: Any, order: Any, place: Any, g: Any, h: Any) -> None:
    """Put a node on the agenda and mark its record as open."""
    primary, secondary, third = keys_of(order, g, h)
    control = agenda[CONTROL]
    control[0] += 1
    settle(agenda, control[0] + ROOT - 1, primary, secondary, third, place)


def enter_by_total(agenda: Any, place: Any, total: Any) -> None:
    """Push an entry for a node with a total as its only key."""
    control = agenda[CONTROL]
    control[0] += 1
    settle(agenda, control[0] + ROOT - 1, sorted_total(total), 0, 0, place)


def leave(nodes: Any, place: Any) -> None:
    """Remove a node from the agenda, wherever it is."""
    set_open(nodes, place, 0)


PARTS = (
    in_order,
    sorted_total,
    lowest_key,
    weighted,
    keys_of,
    has_room,
    is_waiting,
    goes_before,
    move,
    first_of_four,
    settle,
    drop,
    next_waiting,
    upcoming,
    enter,
    enter_by_total,
    leave,
)
FIRST_ENTRIES = 1 << 12


class Heap:
    """The arrays of the agenda."""

    def __init__(self, lifo: bool, *, wide: bool = False, waiting: int = 0) -> None:
        """waiting: the number of nodes that enter initially."""
        self._wide = wide
        self.arrays = *_empty(FIRST_ENTRIES + 2 * waiting, wide), np.array([0, lifo], np.int64)

    def suits(self, _wanted: Wanted, _nodes: int) -> bool:
        """Whether a heap can take such nodes: always."""
        return True

    def bytes_to_grow(self, wanted: Wanted) -> int:
        """The bytes of the arrays after growing."""
        return (4 if self._wide else 3) * 8 * self._entries_for(wanted)

    def _entries_for(self, wanted: Wanted) -> int:
        return max(2 * len(self.arrays[PRIMARIES]), int(self.arrays[CONTROL][0]) + wanted.children + 2 * ROOT + 1)

    def grow(self, wanted: Wanted) -> None:
        """Make room for at least twice as many entries."""
        *arrays, control = self.arrays
        grown = _empty(self._entries_for(wanted), self._wide)
        for old, new in zip(arrays, grown, strict=True):
            new[: len(old)] = old
        self.arrays = *grown, control

    @property
    def bytes(self) -> int:
        """The bytes of the arrays."""
        return sum(array.nbytes for array in self.arrays)


def _empty(entries: int, wide: bool) -> tuple[Any, Any, Any, Any]:
    """Room for `entries` entries, with the primaries at the start of a cache line."""
    line = 64 // 8
    primaries = np.full(entries + line, BEYOND_ALL)
    skipped = -primaries.ctypes.data % 64 // 8
    thirds = np.zeros(entries if wide else 1, np.int64)
    return primaries[skipped : skipped + entries], np.zeros(entries, np.int64), thirds, np.zeros(entries, np.int64)
