"""Bounded best-first tree search (Bratko): best-first search that keeps its candidates as a tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import Any

from bestfirst.problem import Problem
from bestfirst.search.node import Node, StatesOnPath, expand, root_of, total_of
from bestfirst.search.steps import DEAD_END, GENERATE, ON_PATH, End, Expand, Goal, Made, Step


class _Tree:
    """A candidate path and all the paths below it; f is backed up from the best of them. A leaf has no subtrees yet."""

    __slots__ = ("f", "node", "subtrees")

    def __init__(self, node: Node) -> None:
        self.node = node
        self.f = node.f
        self.subtrees: list[_Tree] | None = None


class _Leaves:
    """The number of leaves of the tree, which stand for its agenda."""

    def __init__(self) -> None:
        self.count = 1

    def __len__(self) -> int:
        return self.count


def best_first_tree(problem: Problem, h: Callable[[Any], float]) -> Iterator[Step]:
    """Expand the best subtree while its f is within the bound given by its best rival; then return to the rival.

    The f of a subtree is backed up from its best leaf; a subtree whose f exceeds its bound is suspended, and resumed
    when it becomes the best again. A path is not extended by a state already on it.
    Guarantee: the cheapest solution, if h is admissible. Terminates on every finite problem.
    Time and memory: the whole tree of explored paths is kept. (rbfs runs the same search in linear memory.)
    Ties: among equal f, the most recent subtree, then the problem's order.
    Source: Bratko, Prolog Programming for Artificial Intelligence, chapter 12.
    """
    root = root_of(problem, h)
    made: Made = [(GENERATE, root)]
    leaves = _Leaves()
    states_on_path = StatesOnPath()
    if root.h == inf:
        yield End(made, leaves, inf)
        return
    spine: list[tuple[_Tree, float]] = [(_Tree(root), inf)]  # the current subtree and its ancestors, with bounds
    proved = root.f
    while spine:
        tree, bound = spine[-1]
        if tree.f > bound or tree.f == inf:
            _back_up(spine)
            continue
        proved = max(proved, tree.f)
        if tree.subtrees is None:
            node = tree.node
            if problem.is_goal(node.state):
                yield Goal(node, made, leaves, node.g)
                return
            yield Expand(node, made, leaves, proved)
            made = []
            tree.subtrees = _grow(problem, h, node, states_on_path.to(node), made)
            leaves.count += len(tree.subtrees) - 1
            tree.f = tree.subtrees[0].f if tree.subtrees else inf
        else:
            best, *rivals = tree.subtrees
            spine.append((best, min(bound, rivals[0].f) if rivals else bound))
    yield End(made, leaves, inf)


def _grow(problem: Problem, h: Callable[[Any], float], node: Node, on_path: set[Any], made: Made) -> list[_Tree]:
    """The leaves below a node, lowest f first; on_path: the states on its path."""
    grown = []
    for child in expand(problem, node):
        child.h = h(child.state)
        child.f = total_of(child.g, child.h)
        if child.state in on_path:
            made.append((ON_PATH, child))
        elif child.h == inf:
            made.append((DEAD_END, child))
        else:
            made.append((GENERATE, child))
            grown.append(_Tree(child))
    return sorted(grown, key=lambda tree: tree.f)


def _back_up(spine: list[tuple[_Tree, float]]) -> None:
    """Leave the subtree at the end of the spine: sort it among its rivals, and update its parent's f."""
    tree, _bound = spine.pop()
    if not spine:
        return
    parent, _bound = spine[-1]
    assert parent.subtrees is not None
    rivals = parent.subtrees[1:]
    place = sum(rival.f < tree.f for rival in rivals)
    if tree.f < inf:
        rivals.insert(place, tree)
    parent.subtrees = rivals
    parent.f = rivals[0].f if rivals else inf
