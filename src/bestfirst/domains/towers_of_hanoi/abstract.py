"""The Towers of Hanoi with some of the discs: the abstract domain of their pattern databases.

Only the moves of these discs count, and without the others none of them is in the way of a move. So the distances in patterns that
have no disc in common can be added up. The discs of a pattern are numbered anew, from the smallest: patterns of as many discs whose
goals are the same share a table.
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
    """A puzzle of some of the discs of another one, by their numbers there, the smallest disc 0; the pegs are the same."""

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
