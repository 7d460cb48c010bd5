"""The agenda."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.errors import UnknownNameError
from bestfirst.search.node import Node
from bestfirst.search.open_list import Agenda, by_cost, by_estimate, by_total, by_weighted_total


def node(name: str, g: float = 0, h: float = 0) -> Node:
    made = Node(name, None, None, g, 0)
    made.h, made.f = h, g + h
    return made


@given(st.lists(st.integers(0, 3)))
def test_equal_nodes_leave_first_in_first_out(costs: list[int]) -> None:
    """The agenda is a stable sort: a new node comes in front of the first one that is strictly greater."""
    nodes = [node(str(place), g) for place, g in enumerate(costs)]
    agenda = Agenda(by_cost)
    for one in nodes:
        agenda.push(one)
    assert list(agenda) == sorted(nodes, key=lambda one: one.g)
    assert [agenda.pop() for _ in nodes] == sorted(nodes, key=lambda one: one.g)


@given(st.lists(st.integers(0, 3)))
def test_equal_nodes_leave_last_in_first_out_if_told(costs: list[int]) -> None:
    """With ties="lifo" the last of equal nodes leaves first."""
    nodes = [node(str(place), g) for place, g in enumerate(costs)]
    agenda = Agenda(by_cost, "lifo")
    for one in nodes:
        agenda.push(one)
    latest_first = list(reversed(nodes))
    assert [agenda.pop() for _ in nodes] == sorted(latest_first, key=lambda one: one.g)


def test_a_discarded_node_never_leaves() -> None:
    """It is counted no more, nor shown, nor given."""
    agenda = Agenda(by_cost)
    first, second = node("first", 1), node("second", 2)
    agenda.push(first)
    agenda.push(second)
    agenda.discard(first)
    assert (len(agenda), list(agenda), agenda.peek()) == (1, [second], second)
    assert agenda.pop() is second
    assert not agenda and agenda.peek() is None
    with pytest.raises(IndexError):
        agenda.pop()


def test_each_order_sorts_by_what_its_name_says() -> None:
    """A* prefers the node nearer to the goal of two with equal f."""
    near, far, dear = node("near", 3, 1), node("far", 1, 3), node("dear", 3, 2)
    assert sorted([dear, far, near], key=by_total) == [near, far, dear]
    assert sorted([far, near], key=by_estimate) == [near, far]
    assert sorted([near, far], key=by_cost) == [far, near]
    assert by_weighted_total(2)(dear) == (7, 2)


def test_a_way_to_break_ties_that_is_not_known_is_refused() -> None:
    """The error lists what there is."""
    with pytest.raises(UnknownNameError, match="fifo, lifo"):
        Agenda(by_cost, "random")  # type: ignore[arg-type]
