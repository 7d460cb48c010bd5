"""The heap of compiled searches: lowest first, of equals first in first out."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bestfirst.compiled.store import heap as heaps
from bestfirst.compiled.store.heap import PLAIN, Heap

KEYS = st.tuples(st.integers(0, 3), st.integers(0, 3))


CLOSED: set[int] = set()


def open_of(_nodes: object, place: int) -> int:
    """Whether a node is open, as the field of a record says."""
    return int(place not in CLOSED)


def interpreted(**constants: Any) -> dict[str, Any]:
    """The functions of the heap, in Python."""
    names: dict[str, Any] = {**vars(heaps), **PLAIN, "open_of": open_of, **constants}
    names |= {part.__name__: FunctionType(part.__code__, names) for part in heaps.PARTS}
    return names


OF_TOTALS = interpreted(FLOATS=False)
OF_FLOATS = interpreted(FLOATS=True, FLOAT_KEYS=True)


@given(st.lists(st.one_of(KEYS, st.none()), max_size=40))
def test_entries_leave_in_the_order_of_their_keys_and_then_of_their_numbers(turns: list[tuple[int, int] | None]) -> None:
    """Pushed (keys) and popped (None) in any order, as a sorted list would have it."""
    heap = Heap(entries=40)
    expected: list[tuple[int, int, int]] = []
    for place, keys in enumerate(turns):
        if keys is not None:
            OF_TOTALS["push"](heap.arrays, *keys, place)
            expected.append((*keys, place))
        elif expected:
            first = min(expected)
            assert OF_TOTALS["pop"](heap.arrays) == first[2]
            expected.remove(first)
        assert sorted(heap.places) == sorted(place for *_, place in expected)


COSTS = st.tuples(st.integers(0, 2), st.integers(0, 2))


@given(COSTS, st.lists(st.tuples(st.lists(COSTS, max_size=4), st.booleans()), max_size=20))
def test_nodes_leave_an_agenda_in_order_whether_or_not_a_child_enters_after_them(
    root: tuple[int, int], turns: list[tuple[list[tuple[int, int]], bool]]
) -> None:
    """In each turn the next node leaves, its children (g, h) enter, and another node may be closed: it is skipped."""
    CLOSED.clear()
    arrays, order = Heap(entries=100).arrays, (1.0, 1.0, 1)
    waiting = [(sum(root), root[1], 0)]
    OF_FLOATS["enter"](arrays, order, 0, *map(float, root))
    for children, closes in turns:
        if not waiting:
            return
        first = min(waiting)
        assert OF_FLOATS["next_waiting"](None, arrays) == first[2]
        waiting.remove(first)
        CLOSED.add(first[2])
        OF_FLOATS["drop"](arrays)
        for g, h in children:
            place = len(CLOSED) + len(waiting)
            OF_FLOATS["enter"](arrays, order, place, float(g), float(h))
            waiting.append((g + h, h, place))
        if closes and waiting:
            CLOSED.add(waiting.pop(0)[2])
