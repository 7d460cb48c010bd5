"""An explicit game tree, as in textbooks.

A tree is written as nested lists; a number is a leaf, the value for the side that moves first:

    [[2, 7], [1, 8]]          max            /   \\
                              min          /  \\ /  \\
                                          2   7 1   8

In a string, an estimate for the side that moves first can precede an inner node, for searches that stop there:

    [2:[9,1],5:[3,4]]         to depth 1 the second branch looks best, with 5; to the end its value is 3, and the first has 1

A state is the path from the root to a node, the numbers of its branches from 1; a move is such a number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from bestfirst.arguments import check_whole
from bestfirst.errors import InputError, shown
from bestfirst.games.game import Game
from bestfirst.games.score import MOST_POINTS

Branches: TypeAlias = Any
"""An int for a leaf, or a sequence of trees."""
Way: TypeAlias = tuple[int, ...]


class GameTree(Game):
    """A game with a given tree. The leaves are points for the side that moves first, and the sides take turns.

    estimates: {path: points for the side that moves first}, for searches that stop at inner nodes, in addition to those in a
    string. Raises InputError for a node without branches, a leaf that is not an int, or an estimate for anything but an
    inner node.
    """

    counts_points = True
    sides = ("max", "min")
    initial: Way = ()

    def __init__(self, tree: Branches | str, estimates: dict[Way, int] | None = None) -> None:
        read: dict[Way, int] = {}
        if isinstance(tree, str):
            try:
                tree, read = _read(tree)
            except (ValueError, RecursionError):
                raise InputError(
                    f"the tree {shown(tree)} cannot be read; write nested lists of numbers, such as [[2,7],[1,8]], "
                    "optionally with estimates, such as [5:[2,7],3:[1,8]]"
                ) from None
        self.tree = _checked(tree)
        self.estimates = read | (estimates or {})
        for way, estimate in self.estimates.items():
            self._check_estimate(way, estimate)

    def _check_estimate(self, way: Way, estimate: int) -> None:
        check_whole("an estimate", estimate, -MOST_POINTS, MOST_POINTS)
        node = self.tree
        for branch in way:
            node = node[branch - 1] if isinstance(node, tuple) and 1 <= branch <= len(node) else 0
        if isinstance(node, int):
            raise InputError(
                f"the path {shown(way)} of an estimate does not lead to an inner node; give estimates for inner nodes only"
            )

    @classmethod
    def from_options(cls, *, tree: str = "[[2,7],[1,8]]") -> GameTree:
        return cls(tree)

    def node(self, state: Way) -> Branches:
        """The node at a path: an int, or the branches of an inner node."""
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
        if isinstance(node, int):
            return str(node)
        estimate = f" about {self.estimates[state]}" if state in self.estimates else ""
        return self.sides[len(state) % 2] + estimate

    def draw(self, state: Way) -> str:
        """The tree below a node, as it is written."""
        node = self.node(state)
        if isinstance(node, int) or not self.estimates:
            return json.dumps(node)
        estimate = f"{self.estimates[state]}:" if state in self.estimates else ""
        return f"{estimate}[{', '.join(self.draw((*state, move)) for move in self.moves(state))}]"


def uniform_tree(branching: int, depth: int, leaves: Sequence[int]) -> GameTree:
    """A tree with a uniform branching factor and all leaves, given from left to right, at one depth.

    Raises InputError unless there are branching**depth leaves.
    """
    if len(leaves) != branching**depth:
        raise InputError(
            f"the number of leaves is {len(leaves)}; a tree with branching factor {branching} and depth {depth} needs "
            f"{branching**depth}"
        )
    level: list[Any] = list(leaves)
    for _ in range(depth):
        level = [level[start : start + branching] for start in range(0, len(level), branching)]
    return GameTree(level[0])


def _read(text: str) -> tuple[Branches, dict[Way, int]]:
    """A tree and the estimates of its inner nodes. Raises ValueError, or RecursionError."""
    # An estimate becomes the first branch of its node, as a JSON object, which has no other use here.
    tree = json.loads(re.sub(r"(-?\d+)\s*:\s*\[", r'[{"estimate":\1},', text))
    estimates: dict[Way, int] = {}

    def without_estimates(node: Branches, way: Way) -> Branches:
        if not isinstance(node, list):
            return node
        if node and isinstance(node[0], dict):
            estimates[way] = node[0]["estimate"]
            node = node[1:]
        return [without_estimates(branch, (*way, number)) for number, branch in enumerate(node, start=1)]

    return without_estimates(tree, ()), estimates


def _checked(tree: Branches) -> Branches:
    if isinstance(tree, int) and not isinstance(tree, bool):
        if abs(tree) > MOST_POINTS:
            raise InputError(f"the leaf is {tree}; use a value from {-MOST_POINTS} to {MOST_POINTS}")
        return tree
    if isinstance(tree, str) or not isinstance(tree, Sequence) or not tree:
        raise InputError(f"the tree has the node {shown(tree)}; write a whole number, or a non-empty list of nodes")
    return tuple(_checked(branch) for branch in tree)
