"""Two domains share a table only if all that their methods read is the same."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.patterns.identity import Identity


class Base(bf.Domain):
    """Three places in a row, at costs that a subclass has."""

    class State(NamedTuple):
        """A place."""

        place: int

    max_actions = 1
    size = 3
    initial = State(0)
    costs: Any

    def step(self, state: Any, _action: int) -> Any:
        return state.place < 2, self.State(state.place + 1), self.costs[state.place]


class Private(Base):
    """The costs are private data."""

    def __init__(self, costs: Any) -> None:
        self._costs = np.array(costs)

    def step(self, state: Any, _action: int) -> Any:
        return state.place < 2, self.State(state.place + 1), self._costs[state.place]


class Cached(Base):
    """The costs are worked out when they are read first."""

    def __init__(self, costs: Any) -> None:
        self.text = " ".join(map(str, costs))

    @cached_property
    def costs(self) -> Any:
        return np.array([int(word) for word in self.text.split()])


def of_class(costs: Any) -> Any:
    """A domain whose costs are those of a class."""
    return type("OfClass", (Base,), {"costs": np.array(costs)})()


class Shaped(Base):
    """The costs have any shape and type."""

    def __init__(self, costs: Any) -> None:
        self.costs = costs


@pytest.mark.parametrize("kind", [Private, Cached, of_class])
def test_other_data_are_another_table(kind: Any) -> None:
    """Wherever they are kept; the same data are the same one."""
    one = Identity.of(kind([1, 2])).key
    assert Identity.of(kind([1, 3])).key != one
    assert Identity.of(kind([1, 2])).key == one


def test_arrays_of_another_shape_or_type_are_other_data() -> None:
    """Though their bytes are the same."""
    flat = np.arange(6)
    kinds = [flat, flat.reshape(2, 3), flat.reshape(3, 2), flat.view(np.uint64)]
    assert len({Identity.of(Shaped(array)).key for array in kinds}) == len(kinds)
