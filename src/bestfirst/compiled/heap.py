"""The agenda for any order: a heap of four-way branches, by (primary, secondary, place).

Places of nodes are given out in turn, so of equal nodes the lower place is the one that came in first.

A node that a cheaper path has made useless stays in the heap: it is skipped when its turn comes. The field `open` of a record says
whether the node waits.

agenda: (primaries, secondaries, places, control), of entries from ROOT on; the four below entry e begin at 4e - 8, so that they
share a cache line. Primaries and secondaries are floats >= 0 as the ints that have the same bits, and so the same order: ints are
compared faster, since none of them is NaN. Beyond the last entry the primaries are infinite. control is [entries, whether equal
nodes leave last in first out].
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from bestfirst.compiled.names import MAX_ACTIONS, open_of, set_open

RECORD_FIELDS = {"open": 1}
"""What this agenda keeps in a record, in bits."""

PRIMARIES, SECONDARIES, PLACES, CONTROL = range(4)
ROOT = 3
BEYOND_ALL = int(np.float64(inf).view(np.int64))
entry = np.uint64
"""An index: an unsigned one spares the test whether it is negative."""


def in_order(number: Any) -> Any:
    """A float >= 0 as the int that has its bits."""
    return np.float64(number + 0.0).view(np.int64)  # -0.0 + 0.0 is 0.0


def has_room(agenda: Any, _primary: Any, _secondary: Any) -> Any:
    """Whether all children of a node can enter."""
    return agenda[CONTROL][0] + MAX_ACTIONS + 2 * ROOT < len(agenda[PRIMARIES])


def is_waiting(nodes: Any, place: Any) -> Any:
    """Whether a node is on the agenda."""
    return open_of(nodes, place) != 0


def goes_before(agenda: Any, one: Any, primary: Any, secondary: Any, place: Any) -> Any:
    """Whether an entry leaves before a node of this order."""
    primaries, secondaries, places, control = agenda
    if primaries[entry(one)] != primary:
        return primaries[entry(one)] < primary
    if secondaries[entry(one)] != secondary:
        return secondaries[entry(one)] < secondary
    return (places[entry(one)] < place) != (control[1] != 0)


def move(agenda: Any, start: Any, end: Any) -> None:
    """Copy an entry."""
    primaries, secondaries, places, _control = agenda
    primaries[entry(end)] = primaries[entry(start)]
    secondaries[entry(end)] = secondaries[entry(start)]
    places[entry(end)] = places[entry(start)]


def first_of_four(agenda: Any, start: Any) -> Any:
    """Of four entries side by side, the one that leaves first."""
    primaries, secondaries, places, _control = agenda
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
            if goes_before(agenda, other, lowest, secondaries[entry(first)], places[entry(first)]):
                first = other
    return first


def drop(agenda: Any) -> None:
    """Take the first entry off the heap: the better ones below move up, and the last one fills the hole that is left."""
    primaries, secondaries, places, control = agenda
    control[0] -= 1
    last = control[0] + ROOT
    primary, secondary, place = primaries[entry(last)], secondaries[entry(last)], places[entry(last)]
    primaries[entry(last)] = BEYOND_ALL
    if last == ROOT:
        return
    hole = ROOT
    while 4 * hole - 8 < last:
        first = first_of_four(agenda, 4 * hole - 8)
        move(agenda, first, hole)
        hole = first
    settle(agenda, hole, primary, secondary, place)


def settle(agenda: Any, hole: Any, primary: Any, secondary: Any, place: Any) -> None:
    """Put a node into a hole at the end of a branch, or further up where it belongs."""
    primaries, secondaries, places, _control = agenda
    while hole > ROOT:
        above = hole // 4 + 2
        if goes_before(agenda, above, primary, secondary, place):
            break
        move(agenda, above, hole)
        hole = above
    primaries[entry(hole)] = primary
    secondaries[entry(hole)] = secondary
    places[entry(hole)] = place


def next_waiting(nodes: Any, agenda: Any) -> Any:
    """The node that leaves next, of those there are."""
    places = agenda[PLACES]
    while open_of(nodes, places[ROOT]) == 0:
        drop(agenda)
    return places[ROOT]


def upcoming(_agenda: Any, _number: Any) -> Any:
    """The node that leaves so many places after the next one; -1, since a heap does not know."""
    return -1


def enter(agenda: Any, place: Any, primary: Any, secondary: Any) -> None:
    """Put a node on the agenda. Its record says that it waits."""
    control = agenda[CONTROL]
    control[0] += 1
    settle(agenda, control[0] + ROOT - 1, in_order(primary), in_order(secondary), place)


def leave(nodes: Any, place: Any) -> None:
    """Let a node wait no longer, wherever it is."""
    set_open(nodes, place, 0)


PARTS = (
    in_order,
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
    leave,
)
FIRST_ENTRIES = 1 << 12


class Heap:
    """The arrays of the agenda."""

    def __init__(self, lifo: bool, max_actions: int) -> None:
        self.arrays = *_empty(FIRST_ENTRIES + 2 * max_actions), np.array([0, lifo], np.int64)

    def has_room(self, _primary: float, _secondary: float) -> bool:
        """Whether an entry of this order can enter an empty heap."""
        return True

    def suits(self, _primary: int, _secondary: int) -> bool:
        """Whether a heap takes such an order: any."""
        return True

    def bytes_to_grow(self, _primary: int, _secondary: int) -> int:
        """What the larger arrays will take."""
        return 2 * self.bytes

    def grow(self, _primary: int, _secondary: int) -> None:
        """Make room for twice as many entries."""
        *arrays, control = self.arrays
        grown = _empty(2 * len(arrays[PRIMARIES]))
        for old, new in zip(arrays, grown, strict=True):
            new[: len(old)] = old
        self.arrays = *grown, control

    @property
    def bytes(self) -> int:
        """What the arrays take."""
        return sum(array.nbytes for array in self.arrays)


def _empty(entries: int) -> tuple[Any, Any, Any]:
    """Room for so many entries, the primaries at the start of a cache line."""
    line = 64 // 8
    primaries = np.full(entries + line, BEYOND_ALL)
    skipped = -primaries.ctypes.data % 64 // 8
    return primaries[skipped : skipped + entries], np.zeros(entries, np.int64), np.zeros(entries, np.int64)
