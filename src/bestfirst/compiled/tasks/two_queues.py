"""Two queues that take turns: the twin of search/preferred.py. Parts of kernels.

A node waits in one or both of two heaps (store/heap.py). What waits is a number; waiting[number] is 1 until its turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bestfirst.compiled.store.heap import (
    COUNT,
    ROOT,
    first_in,
    first_of_four,
    goes_before,
    has_room,
    in_order,
    keys_of,
    move,
    precedes,
    put_entry,
    remove,
    settle,
    size_of,
    sorted_total,
    weighted,
)
from bestfirst.search.preferred import BOOST

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Flag, Int, Names, Number, OpenList, Order, Search

FIELDS = ("open", "turns", "preferred_turns", "lowest")


def fits(heaps: tuple[OpenList, OpenList], order: Order, children: Int) -> Flag:
    """Whether this many children can wait."""
    return has_room(heaps[0], order, 0, 0, children) and has_room(heaps[1], order, 0, 0, children)


def queue_up(heap: OpenList, order: Order, number: Int, g: Number, h: Number) -> None:
    """Put a number into a heap."""
    primary, secondary, third = keys_of(order, g, h)
    heap[COUNT][0] += 1
    settle(heap, heap[COUNT][0] + ROOT - 1, primary, secondary, third, number)


def push_number(
    search: Search,
    heaps: tuple[OpenList, OpenList],
    waiting: Array,
    order: Order,
    number: Int,
    g: Number,
    h: Number,
    is_preferred: Flag,
) -> None:
    """Let a number wait, with the keys of this g and h."""
    waiting[number] = 1
    search.open += 1
    queue_up(heaps[0], order, number, g, h)
    if is_preferred:
        queue_up(heaps[1], order, number, g, h)


def note(search: Search, h: Int) -> None:
    """Take note of an estimate: if none was as low, preferred numbers are next."""
    if h < search.lowest:
        search.lowest = h
        search.preferred_turns -= BOOST


def take(search: Search, heaps: tuple[OpenList, OpenList], waiting: Array) -> Int:
    """The number whose turn it is; there must be one."""
    while True:
        is_first = size_of(heaps[0]) > 0
        if size_of(heaps[1]) > 0 and (search.preferred_turns < search.turns or not is_first):
            search.preferred_turns += 1
            number = first_in(heaps[1])
            remove(heaps[1])
        else:
            search.turns += 1
            number = first_in(heaps[0])
            remove(heaps[0])
        if waiting[number] != 0:
            waiting[number] = 0
            search.open -= 1
            return number


def mark(names: Array, preferred: Array, marks: Array, stamp: Int) -> None:
    """Mark the names of the preferred operators with a stamp; as in Python, operators of one name are preferred together."""
    for at in range(1, preferred[0] + 1):
        marks[names[preferred[at]]] = stamp


HEAP = (
    in_order,
    sorted_total,
    weighted,
    keys_of,
    has_room,
    goes_before,
    precedes,
    first_of_four,
    move,
    put_entry,
    settle,
    remove,
    first_in,
    size_of,
)
PARTS = (*HEAP, fits, queue_up, push_number, note, take, mark)


def heap_constants(*, lifo: bool) -> Names:
    """What the functions of heaps read."""
    return {"FLOATS": True, "FLOAT_KEYS": True, "WIDE": False, "LIFO": lifo}
