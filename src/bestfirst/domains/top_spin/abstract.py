"""TopSpin with some of its tokens: the abstract domain of its pattern databases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.domains.shared.placed_items import PlacedItems

if TYPE_CHECKING:
    from bestfirst.domains.top_spin.problem import TopSpin


class RingPattern(PlacedItems):
    """Tokens of a ring by their places, counted clockwise from token 1.

    item: the index of each token in the pattern, -1 for the others. home: its place in the goal. Both begin with token 1.
    """

    def __init__(self, ring: TopSpin, tokens: Sequence[int]) -> None:
        source = np.asarray(ring.compiled_value("source")) // 4
        start, goal = ring.ring(ring.initial), ring.ring(ring.goal_state())
        self._turnstile, self._goal_places = ring.turnstile, [goal.index(token) - 1 for token in tokens]
        super().__init__(
            np.argsort(source, axis=1),
            [start.index(token) - 1 for token in tokens],
            self._goal_places,
        )
        item = np.full(16, -1)
        item[np.array(tokens) - 1] = np.arange(len(tokens))
        self.item = item
        self.home = np.array([goal.index(token) - 1 for token in range(1, len(goal) + 1)])

    def parameters(self) -> Mapping[str, Any]:
        return {"tokens": self.max_actions, "turnstile": self._turnstile, "places": self._goal_places}

    def abstract(self, state: TopSpin.State) -> PlacedItems.State:
        """The places of the tokens of the pattern."""
        places = 0
        for place in range(self.all):
            item = self.item[(state.ring >> (4 * place)) & 15]
            if item >= 0:
                places |= place << (4 * item)
        return self.State(places)

    def dual(self, state: TopSpin.State) -> PlacedItems.State:
        """The dual lookup: for each goal place of the pattern, the goal place of the token now there."""
        places = 0
        for item in range(self.count):
            here = (self.goal >> (4 * item)) & 15
            places |= self.home[(state.ring >> (4 * here)) & 15] << (4 * item)
        return self.State(places)
