"""The table that finds nodes: where the search for a state begins."""

from __future__ import annotations

from types import FunctionType, MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pytest

from bestfirst.compiled.kernels import prefetch
from bestfirst.compiled.store import table
from bestfirst.compiled.store.records import layout_of
from bestfirst.domain import Domain


class Sets(Domain):
    """Sets of 60 members, all within reach."""

    class State(NamedTuple):
        left: int

    bits = MappingProxyType({"left": 60})
    max_actions = 60
    initial = State(0)

    def is_goal(self, state: State) -> bool:  # noqa: ARG002
        return False

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        return True, self.State(state.left ^ 1 << action), 1


@pytest.fixture(scope="module")
def mix_of() -> Any:
    """The hash of the records of these sets."""
    layout = layout_of(Sets(), {})
    names = layout.namespace() | {"State": Sets.State}
    exec(layout.source(), names)
    return names["mix_of"]


@pytest.mark.parametrize("shift", [0, 20, 40, 48])
@pytest.mark.parametrize("size", [12, 20])
@pytest.mark.filterwarnings("ignore:overflow")
def test_sets_that_differ_in_some_members_begin_in_different_slots(mix_of: Any, shift: int, size: int) -> None:
    """Wherever these members are: random numbers would give 1024 sets 906 slots of 4096, and 443 of 512 places in the index."""
    first_slot = FunctionType(table.first_slot.__code__, {**vars(table), "RANKED": False})
    hash_at = FunctionType(prefetch.hash_at.__code__, {**vars(prefetch), "mix_of": mix_of})
    states = [Sets.State(number << shift) for number in range(1 << 10)]
    slots = {int(first_slot(np.zeros(1 << size, table.ENTRY), int(mix_of(state)) & table.KEY_BITS)) for state in states}
    assert len(slots) > 700
    assert all(0 <= slot < 1 << size for slot in slots)
    assert len({int(hash_at(state)) for state in states}) > 300


def test_slots_of_the_largest_tables() -> None:
    """The highest key begins within a table of 2**32 entries, and no product exceeds 63 bits."""

    class Long:
        def __len__(self) -> int:
            return 1 << 32

    first_slot = FunctionType(table.first_slot.__code__, {**vars(table), "RANKED": False})
    assert 0 <= first_slot(Long(), table.KEY_BITS) < 1 << 32
    assert (table.KEY_BITS >> table.HIGH_SHIFT) << 32 < 1 << 63
