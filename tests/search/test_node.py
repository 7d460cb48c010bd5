"""Nodes, and the states on their paths."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bestfirst.search.node import Node, StatesOnPath


@given(parents=st.lists(st.integers(0, 10**6), max_size=30), visits=st.lists(st.integers(0, 10**6), max_size=30))
def test_the_states_on_a_path_are_those_of_its_nodes(parents: list[int], visits: list[int]) -> None:
    """Wherever in a tree one goes from one node to another, also where states come again on other paths."""
    nodes = [Node(0, None, None, 0, 0)]
    for number, choice in enumerate(parents, start=1):
        parent = nodes[choice % len(nodes)]
        state = number % 5 if number % 5 not in {step.state for step in parent.path()} else 5 + number
        nodes.append(Node(state, parent, None, 0, parent.depth + 1))
    on_path = StatesOnPath()
    for choice in visits:
        node = nodes[choice % len(nodes)]
        assert on_path.to(node) == {step.state for step in node.path()}


def test_going_along_a_path_takes_one_step_each() -> None:
    """A child's path is its parent's and one more: no state of 100,000 is taken out or put in twice."""
    on_path, node = StatesOnPath(), Node(0, None, None, 0, 0)
    first = on_path.to(node)
    for depth in range(1, 100_000):
        node = Node(depth, node, None, 0, depth)
        assert on_path.to(node) is first
    assert len(first) == 100_000
