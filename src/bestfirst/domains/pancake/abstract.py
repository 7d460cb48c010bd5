"""The pancake puzzle with some of its pancakes: the abstract domain of its pattern databases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.domains.shared.placed_items import PlacedItems

if TYPE_CHECKING:
    from bestfirst.domains.pancake.packed import PackedPancake
    from bestfirst.domains.pancake.problem import Pancake


class PancakePattern(PlacedItems):
    """Pancakes of some sizes by their places, counted from the top. The others are indistinguishable.

    item: the index of each size in the pattern, -1 for the others. home: the place of each size in the goal.
    """

    def __init__(self, puzzle: Pancake, sizes: Sequence[int]) -> None:
        count = len(puzzle.goal)
        places = np.arange(count)
        moved = [np.where(places < top, top - 1 - places, places) for top in range(2, count + 1)]
        self._goal_places = [puzzle.goal.index(size) for size in sizes]
        super().__init__(
            np.array(moved).reshape(count - 1, count),
            [puzzle.initial.index(size) for size in sizes],
            self._goal_places,
        )
        item = np.full(count + 1, -1)
        item[np.array(sizes)] = np.arange(len(sizes))
        self.item = item
        self.home = np.array([0, *(puzzle.goal.index(size) for size in range(1, count + 1))])

    def parameters(self) -> Mapping[str, Any]:
        return {"pancakes": self.all, "places": self._goal_places}

    def abstract(self, state: PackedPancake.State) -> PlacedItems.State:
        """The places of the pancakes of the pattern."""
        places = 0
        for place in range(self.all):
            item = self.item[(state.stack >> (4 * place)) & 15]
            if item >= 0:
                places |= place << (4 * item)
        return self.State(places)

    def dual(self, state: PackedPancake.State) -> PlacedItems.State:
        """The goal places of the pancakes that are in the goal places of the pattern."""
        places = 0
        for item in range(self.count):
            here = (self.goal >> (4 * item)) & 15
            places |= self.home[(state.stack >> (4 * here)) & 15] << (4 * item)
        return self.State(places)
