"""An explicit game tree, as textbooks draw them.

A tree is written as nested lists; a number is a leaf, and says what the game is worth to the side that moves first:

    [[2, 7], [1, 8]]          max            /   \\
                              min          /  \\ /  \\
                                          2   7 1   8

A state is the way to a node from the root, the numbers of the branches taken, counted from 1; a move is such a number.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeAlias

from bestfirst.errors import InputError
from bestfirst.games.game import Game
from bestfirst.games.score import MOST_POINTS

Branches: TypeAlias = Any
"""An int, for a leaf, or a sequence of trees."""
Way: TypeAlias = tuple[int, ...]


class GameTree(Game):
    """A game whose tree is given; the leaves are points for the side that moves first, and the sides take turns.

    estimates: {way: points for the side that moves first}, for searches that stop at inner nodes.
    Raises InputError for a tree with a node that has no branches, or a leaf that is no int.
    """

    counts_points = True
    sides = ("max", "min")
    initial: Way = ()

    def __init__(self, tree: Branches | str, estimates: dict[Way, int] | None = None) -> None:
        if isinstance(tree, str):
            try:
                tree = json.loads(tree)
            except (ValueError, RecursionError):
                raise InputError(
                    f"the tree {tree!r} cannot be read; write nested lists of numbers, such as [[2,7],[1,8]]"
                ) from None
        self.tree = _checked(tree)
        self.estimates = estimates or {}

    @classmethod
    def from_options(cls, *, tree: str = "[[2,7],[1,8]]") -> GameTree:
        return cls(tree)

    def node(self, state: Way) -> Branches:
        """What a way leads to: an int, or the branches of an inner node."""
        node = self.tree
        for branch in state:
            node = node[branch - 1]
        return node

    def moves(self, state: Way) -> range:
        return range(1, len(self.node(state)) + 1)

    def play(self, state: Way, move: int) -> Way:
        return (*state, move)

    def is_over(self, state: Way) -> bool:
        return isinstance(self.node(state), int)

    def score(self, state: Way) -> int:
        leaf: int = self.node(state)
        return leaf if len(state) % 2 == 0 else -leaf

    def evaluate(self, state: Way) -> int:
        estimate = self.estimates.get(state, 0)
        return estimate if len(state) % 2 == 0 else -estimate

    def side_to_move(self, state: Way) -> int:
        return len(state) % 2

    def format(self, state: Way) -> str:
        return " ".join(map(str, state))

    def label(self, state: Way) -> str:
        node = self.node(state)
        return str(node) if isinstance(node, int) else self.sides[len(state) % 2]

    def draw(self, state: Way) -> str:
        return json.dumps(self.node(state))


def uniform_tree(branching: int, depth: int, leaves: Sequence[int]) -> GameTree:
    """A tree with the same number of branches everywhere and all leaves at one depth, given from left to right.

    Raises InputError unless there are branching**depth leaves.
    """
    if len(leaves) != branching**depth:
        raise InputError(
            f"there are {len(leaves)} leaves; a tree of branching {branching} and depth {depth} has {branching**depth}"
        )
    level: list[Any] = list(leaves)
    for _ in range(depth):
        level = [level[start : start + branching] for start in range(0, len(level), branching)]
    return GameTree(level[0])


def _checked(tree: Branches) -> Branches:
    if isinstance(tree, int) and not isinstance(tree, bool):
        if abs(tree) > MOST_POINTS:
            raise InputError(f"the leaf {tree} is too large; write at most {MOST_POINTS}")
        return tree
    if isinstance(tree, str) or not isinstance(tree, Sequence) or not tree:
        raise InputError(f"the tree has the node {tree!r}; a node is a whole number, or a list of nodes that is not empty")
    return tuple(_checked(branch) for branch in tree)
