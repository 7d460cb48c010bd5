"""The patterns of a board, and what is alike by symmetry."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.domains.sliding_tile.partitions import mirrored, partition, standing_for, symmetries, usual_counts

SIZES = st.tuples(st.integers(1, 5), st.integers(2, 5))


@given(size=SIZES, data=st.data())
def test_every_tile_is_in_one_pattern(size: tuple[int, int], data: st.DataObject) -> None:
    """Whatever the board, the goal cell of the blank and the numbers of tiles; mirrored patterns keep the blank in its cell."""
    cells = size[0] * size[1]
    blank = data.draw(st.integers(0, cells - 1))
    counts = usual_counts(size, data.draw(st.integers(1, 8)))
    patterns = partition(size, blank, counts)
    assert [len(pattern) for pattern in patterns] == list(counts)
    others = mirrored(size, blank, patterns) or patterns
    for some in (patterns, others):
        assert sorted([blank, *(cell for pattern in some for cell in pattern)]) == list(range(cells))


def test_patterns_that_are_alike_share_a_shape() -> None:
    """All eight positions of a pattern stand for the same, and the symmetry leads there."""
    pattern, blank = (1, 2, 5), 0
    shape, symmetry = standing_for((3, 4), pattern, blank)
    assert symmetry.of(pattern) == shape.tiles
    found = {standing_for(one.size, one.of(pattern), one.cells[blank])[0] for one in symmetries((3, 4))}
    assert found == {shape}


def test_the_patterns_of_the_literature_are_turned_with_the_goal() -> None:
    """Blank first or last, 7-8 is the upper and the lower half of the board."""
    assert set(partition((4, 4), 0, (7, 8))) == {tuple(range(1, 8)), tuple(range(8, 16))}
    assert set(partition((4, 4), 15, (7, 8))) == {tuple(range(8, 15)), tuple(range(8))}


def test_numbers_that_are_not_those_of_the_board_are_refused() -> None:
    """With others that are."""
    with pytest.raises(
        bf.InputError,
        match=r"5-5 tiles do not add up to the 15 tiles of a 4x4 board; write positive numbers .* such as 5-5-5",
    ):
        partition((4, 4), 15, (5, 5))
