"""The Towers of Hanoi with some of the discs: the abstract domain of their pattern databases.

Only the moves of these discs count, and the other discs block none of them. So the distances in disjoint patterns are
additive.
The discs of a pattern are renumbered from the smallest: patterns with the same number of discs and the same goals share a
table.
Source: Felner, Korf & Hanan 2004.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.domains.towers_of_hanoi.packed import PackedHanoi
from bestfirst.patterns.abstract_domain import AbstractDomain

if TYPE_CHECKING:
    from bestfirst.domains.towers_of_hanoi.problem import TowersOfHanoi


class HanoiPattern(PackedHanoi, AbstractDomain):
    """A puzzle with some of the discs of another one, by their numbers there, the smallest disc 0; the pegs are the same."""

    def __init__(self, part: TowersOfHanoi, discs: Sequence[int]) -> None:
        super().__init__(part)
        self.counted = tuple(discs)
        self.which = np.array(discs)

    def parameters(self) -> Mapping[str, Any]:
        return {"discs": self.discs, "pegs": self.pegs, "goal": self._puzzle.goal}

    def abstract(self, state: PackedHanoi.State) -> PackedHanoi.State:
        """The pegs of the discs of the pattern."""
        places = 0
        for disc in range(self.discs):
            places |= ((state.places >> (self.width * self.which[disc])) & self.mask) << (self.width * disc)
        return self.State(places)
