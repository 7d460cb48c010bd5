"""The heap of compiled searches: lowest first, of equals first in first out."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bestfirst.compiled.store import heap as heaps
from bestfirst.compiled.store.heap import PLAIN, Heap

KEYS = st.tuples(st.integers(0, 3), st.integers(0, 3))


INTERPRETED: dict[str, Any] = {**vars(heaps), **PLAIN, "FLOATS": False}
INTERPRETED |= {part.__name__: FunctionType(part.__code__, INTERPRETED) for part in heaps.PARTS}


@given(st.lists(st.one_of(KEYS, st.none()), max_size=40))
def test_entries_leave_in_the_order_of_their_keys_and_then_of_their_numbers(turns: list[tuple[int, int] | None]) -> None:
    """Pushed (keys) and popped (None) in any order, as a sorted list would have it."""
    heap = Heap(entries=40)
    expected: list[tuple[int, int, int]] = []
    for place, keys in enumerate(turns):
        if keys is not None:
            INTERPRETED["push"](heap.arrays, *keys, place)
            expected.append((*keys, place))
        elif expected:
            first = min(expected)
            assert INTERPRETED["pop"](heap.arrays) == first[2]
            expected.remove(first)
        assert sorted(heap.places) == sorted(place for *_, place in expected)
