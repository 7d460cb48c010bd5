"""The agenda for any order: a heap of four-way branches, by (primary, secondary, serial).

A node that a cheaper path has made useless stays in the heap: it is skipped when its turn comes. The field `open` of a record says
whether the node waits.

agenda: (keys, tags, control). Entry e is keys[2e], keys[2e + 1]: its order; tags[2e]: its serial, negative where equal nodes leave
last in first out; tags[2e + 1]: the place of its node. control is [entries, serials given out, whether last in first out].
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from bestfirst.compiled.names import MAX_ACTIONS, open_of, set_open

RECORD_FIELDS = {"open": 1}
"""What this agenda keeps in a record, in bits."""

KEYS, TAGS, CONTROL = range(3)


def has_room(agenda: Any, _primary: Any, _secondary: Any) -> Any:
    """Whether all children of a node can enter."""
    return agenda[CONTROL][0] + MAX_ACTIONS < len(agenda[KEYS]) // 2


def is_waiting(nodes: Any, place: Any) -> Any:
    """Whether a node is on the agenda."""
    return open_of(nodes, place) != 0


def goes_before(keys: Any, tags: Any, entry: Any, primary: Any, secondary: Any, serial: Any) -> Any:
    """Whether an entry leaves before another one of this order."""
    if keys[2 * entry] != primary:
        return keys[2 * entry] < primary
    if keys[2 * entry + 1] != secondary:
        return keys[2 * entry + 1] < secondary
    return tags[2 * entry] < serial


def move(keys: Any, tags: Any, start: Any, end: Any) -> None:
    """Copy an entry."""
    keys[2 * end] = keys[2 * start]
    keys[2 * end + 1] = keys[2 * start + 1]
    tags[2 * end] = tags[2 * start]
    tags[2 * end + 1] = tags[2 * start + 1]


def drop(agenda: Any) -> None:
    """Take the first entry off the heap."""
    keys, tags, control = agenda
    size = control[0] - 1
    control[0] = size
    if size == 0:
        return
    primary, secondary, serial = keys[2 * size], keys[2 * size + 1], tags[2 * size]
    hole = 0
    while True:
        child = 4 * hole + 1
        if child >= size:
            break
        best = child
        for other in range(child + 1, min(child + 4, size)):
            if goes_before(keys, tags, other, keys[2 * best], keys[2 * best + 1], tags[2 * best]):
                best = other
        if not goes_before(keys, tags, best, primary, secondary, serial):
            break
        move(keys, tags, best, hole)
        hole = best
    move(keys, tags, size, hole)


def next_waiting(nodes: Any, agenda: Any) -> Any:
    """The node that leaves next, of those there are."""
    tags = agenda[TAGS]
    while open_of(nodes, tags[1]) == 0:
        drop(agenda)
    return tags[1]


def upcoming(_agenda: Any, _number: Any) -> Any:
    """The node that leaves so many places after the next one; -1, since a heap does not know."""
    return -1


def push(agenda: Any, place: Any, primary: Any, secondary: Any, serial: Any) -> None:
    """Make an entry for a node."""
    keys, tags, control = agenda
    hole = control[0]
    control[0] += 1
    while hole > 0:
        above = (hole - 1) // 4
        if goes_before(keys, tags, above, primary, secondary, serial):
            break
        move(keys, tags, above, hole)
        hole = above
    keys[2 * hole] = primary
    keys[2 * hole + 1] = secondary
    tags[2 * hole] = serial
    tags[2 * hole + 1] = place


def enter(agenda: Any, place: Any, primary: Any, secondary: Any) -> None:
    """Put a node on the agenda. Its record says that it waits."""
    control = agenda[CONTROL]
    control[1] += 1
    push(agenda, place, primary, secondary, -control[1] if control[2] != 0 else control[1])


def leave(nodes: Any, place: Any) -> None:
    """Let a node wait no longer, wherever it is."""
    set_open(nodes, place, 0)


PARTS = (has_room, is_waiting, goes_before, move, drop, next_waiting, upcoming, push, enter, leave)
FIRST_ENTRIES = 1 << 10


class Heap:
    """The arrays of the agenda."""

    def __init__(self, lifo: bool, max_actions: int) -> None:
        entries = FIRST_ENTRIES + 2 * max_actions
        self.arrays = np.zeros(2 * entries), np.zeros(2 * entries, np.int64), np.array([0, 0, lifo], np.int64)

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
        keys, tags, control = self.arrays
        grown = np.zeros(2 * len(keys)), np.zeros(2 * len(tags), np.int64)
        used = 2 * int(control[0])
        grown[KEYS][:used], grown[TAGS][:used] = keys[:used], tags[:used]
        self.arrays = (*grown, control)

    @property
    def bytes(self) -> int:
        """What the arrays take."""
        return sum(array.nbytes for array in self.arrays)
