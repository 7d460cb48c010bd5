"""The levels of compiled beam searches: lowest first, of equals first in first out."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.compiled.store import levels as module
from bestfirst.compiled.store.levels import SHORT, LevelEntries
from profiles import examples

KEYS = st.tuples(st.integers(0, 3) | st.integers(0, 2**64 - 1), st.integers(0, 3) | st.integers(0, 2**64 - 1))
FLOAT_KEYS = st.tuples(st.floats(0, 3), st.floats(0, 1e300))


def _interpreted(*, floats: bool) -> dict[str, Any]:
    namespace: dict[str, Any] = {**vars(module), "FLOATS": floats}
    return namespace | {part.__name__: FunctionType(part.__code__, namespace) for part in module.PARTS}


@pytest.mark.parametrize("floats", [False, True])
@examples(20)
@given(st.data())
def test_nodes_leave_in_the_order_of_their_keys_and_then_of_their_numbers(floats: bool, data: st.DataObject) -> None:
    """Short levels and long ones, one after the other; what is left of a level leaves when it ends."""
    call = _interpreted(floats=floats)
    for name in [part.__name__ for part in module.PARTS]:
        call[name].__globals__.update(call)
    levels = LevelEntries(4 * SHORT)
    place = 0
    for _ in range(2):
        size = data.draw(st.integers(0, 2 * SHORT))
        keys = data.draw(st.lists(FLOAT_KEYS if floats else KEYS, min_size=size, max_size=size))
        entered = [(*pair, place + number) for number, pair in enumerate(keys)]
        place += size
        for first, second, number in entered:
            kind = np.float64 if floats else np.uint64
            call["append"](levels.arrays, kind(first), kind(second), number)
        assert call["entered_in"](levels.arrays) == size
        call["turn"](levels.arrays)
        expected = sorted(entered)
        assert list(levels.places[0]) == [number for *_, number in expected]
        for first, _, number in expected[: data.draw(st.integers(0, size))]:
            assert (call["first_total"](levels.arrays), call["next_in"](levels.arrays)) == (first, number)
            call["leave_level"](levels.arrays)


def test_growing_keeps_the_nodes() -> None:
    """Those of the level, and those of the next one."""
    levels = LevelEntries(3)
    levels.fill(np.array([1, 0]), np.array([2]), np.array([5, 4, 6], np.uint64), np.zeros(3, np.uint64))
    levels.make_room(6)
    assert [list(places) for places in levels.places] == [[1, 0], [2]]
