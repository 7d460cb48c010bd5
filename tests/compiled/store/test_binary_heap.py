"""The heap of compiled searches: lowest first, of equals first in first out."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.compiled.store.binary_heap import empty_heap, pop, push

KEYS = st.tuples(st.integers(0, 3), st.integers(0, 3))


@given(st.lists(st.one_of(KEYS, st.none()), max_size=40))
def test_entries_leave_in_the_order_of_their_keys_and_then_of_their_numbers(turns: list[tuple[int, int] | None]) -> None:
    """Pushed (keys) and popped (None) in any order, as a sorted list would have it."""
    heap = empty_heap(40, np.int64)
    expected: list[tuple[int, int, int]] = []
    for serial, keys in enumerate(turns):
        if keys is not None:
            push(heap, len(expected), *keys, serial)
            expected.append((*keys, serial))
        elif expected:
            first = min(expected)
            assert pop(heap, len(expected)) == first[2]
            expected.remove(first)
