"""The hash table of states: where the search for one begins."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np
import pytest

from bestfirst.compiled.store import state_table
from bestfirst.words import hash_of


@pytest.mark.parametrize("shift", [0, 20, 40, 52])
def test_sets_that_differ_in_some_members_begin_in_different_slots(shift: int) -> None:
    """Wherever these members are: random numbers would give 1024 sets 906 slots of 4096."""
    names: dict[str, Any] = {**vars(state_table), "hash_of": lambda state: np.uint64(hash_of([state]))}
    first_slot = FunctionType(state_table.first_slot.__code__, names)
    table = np.zeros(1 << 12, np.int32)
    slots = {int(first_slot(table, number << shift)) for number in range(1 << 10)}
    assert len(slots) > 700
    assert all(0 <= slot < len(table) for slot in slots)
