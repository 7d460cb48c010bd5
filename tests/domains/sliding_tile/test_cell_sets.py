"""The numbers of sets of cells and of the orders of tiles."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.domains.sliding_tile.cell_sets import SetNumbers, shifted_orders


@given(cells=st.integers(1, 11), data=st.data())
def test_sets_are_numbered_without_gaps(cells: int, data: st.DataObject) -> None:
    """Ascending masks of a size have the numbers 0, 1, 2, ..., which give their cells back."""
    ones = data.draw(st.integers(0, cells))
    numbers = SetNumbers(cells, ones)
    masks = np.array([mask for mask in range(1 << cells) if mask.bit_count() == ones])
    assert numbers.numbers_of(masks).tolist() == list(range(numbers.count))
    assert [sum(1 << int(cell) for cell in row) for row in numbers.cells_of_sets()] == masks.tolist()


@given(count=st.integers(1, 5), data=st.data())
def test_a_tile_that_goes_to_another_slot_takes_the_others_along(count: int, data: st.DataObject) -> None:
    """The order after a move is what taking the tile out of the row and putting it in again makes of it."""
    orders = list(permutations(range(count)))
    slots = data.draw(st.sampled_from(orders))
    source, target = data.draw(st.integers(0, count - 1)), data.draw(st.integers(0, count - 1))
    row = sorted(range(count), key=slots.__getitem__)  # the tiles by slot
    row.insert(target, row.pop(source))
    after = tuple(row.index(tile) for tile in range(count))
    assert orders[shifted_orders(count)[source, target, orders.index(slots)]] == after
