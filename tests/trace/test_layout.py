"""Trees are laid out tidily."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.trace.layout import place
from profiles import examples

GAP = 2.0


@st.composite
def forests(draw: st.DrawFn) -> tuple[list[list[int]], list[float]]:
    """The children of each node, and the widths; about one node in five is a root."""
    size = draw(st.integers(0, 25))
    children: list[list[int]] = [[] for _ in range(size)]
    for node in range(1, size):
        if draw(st.integers(0, 4)):
            children[draw(st.integers(0, node - 1))].append(node)
    return children, draw(st.lists(st.floats(1, 30), min_size=size, max_size=size))


def levels_of(children: list[list[int]]) -> list[list[int]]:
    """The nodes of each level, from left to right."""
    inner = {child for below in children for child in below}
    level, levels = [node for node in range(len(children)) if node not in inner], []
    while level:
        levels.append(level)
        level = [child for node in level for child in children[node]]
    return levels


def test_a_parent_is_centred_above_its_children() -> None:
    """Three leaves side by side, and their parent above the middle one."""
    assert place([[1, 2, 3], [], [], []], [4, 10, 10, 10], GAP) == [17, 5, 17, 29]


def test_a_narrow_subtree_moves_beneath_its_neighbour() -> None:
    """Subtrees are pushed together as far as their outlines allow, not as far as their widest levels."""
    wide_below, single = [1, 2], [3, 4, 5]
    centres = place([wide_below, single, [], [], [], []], [4, 4, 4, 4, 4, 4], GAP)
    assert centres[2] - centres[1] == 6  # though the children of 1 reach further to the right
    assert centres[5] == centres[2]


def test_no_nodes_need_no_place() -> None:
    """An empty forest is fine."""
    assert place([], [], GAP) == []


@examples(150)
@given(forests())
def test_levels_do_not_overlap_and_parents_are_centred(forest: tuple[list[list[int]], list[float]]) -> None:
    """On each level the nodes keep their order and the gap; each parent is midway between its first and last child."""
    children, widths = forest
    centres = place(children, widths, GAP)
    for level in levels_of(children):
        for left, right in pairwise(level):
            assert centres[right] - widths[right] / 2 >= centres[left] + widths[left] / 2 + GAP - 1e-6
    for node, below in enumerate(children):
        if below:
            assert centres[node] == pytest.approx((centres[below[0]] + centres[below[-1]]) / 2)
    if centres:
        assert min(x - width / 2 for x, width in zip(centres, widths, strict=True)) == pytest.approx(0)
