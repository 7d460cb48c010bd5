"""Some items of a permutation puzzle and their places: the abstract domain of its pattern databases.

In such a puzzle each action moves whatever is in one place to another place: so the items of a pattern can be
followed without the others. A state is one int with 4 bits for each item of the pattern, its place. Its rank is that of the
arrangement in lexicographic order.
Source: Culberson & Schaeffer 1998.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import perm
from typing import Any, NamedTuple

from bestfirst.errors import InputError, counted
from bestfirst.patterns.abstract_domain import AbstractDomain

MOST_PLACES = 16


class PlacedItems(AbstractDomain):
    """Items and their places. A subclass says in abstract() how to find them in a state of its puzzle.

    moved: for each action and place, the new place of what is there. start, goal: the places of the items.
    Raises InputError for more than 16 places, no item, or one item twice.
    """

    class State(NamedTuple):
        """See the module docstring."""

        places: int

    unit_cost = True
    undirected = True

    def __init__(self, moved: Any, start: Sequence[int], goal: Sequence[int]) -> None:
        self.max_actions, self.all = moved.shape
        if not goal or len(set(goal)) < len(goal) or self.all > MOST_PLACES:
            raise InputError(
                f"{counted(len(goal), 'item')} in {counted(self.all, 'place')} cannot form a pattern; use one or more distinct "
                f"items in at most {MOST_PLACES} places"
            )
        self.count = len(goal)
        self.moved = moved.ravel()
        self.size = perm(self.all, self.count)
        self.initial, self.goal = self._state(start), self._state(goal).places

    def _state(self, places: Sequence[int]) -> State:
        return self.State(sum(place << 4 * item for item, place in enumerate(places)))

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        places = 0
        for item in range(self.count):
            places |= self.moved[action * self.all + ((state.places >> (4 * item)) & 15)] << (4 * item)
        return True, self.State(places), 1

    def is_goal(self, state: State) -> bool:
        return state.places == self.goal

    def goal_state(self) -> State:
        return self.State(self.goal)

    def rank(self, state: State) -> int:
        number = 0
        used = 0
        for item in range(self.count):
            place = (state.places >> (4 * item)) & 15
            number = number * (self.all - item) + place - (used & ((1 << place) - 1)).bit_count()
            used |= 1 << place
        return number

    def unrank(self, number: int) -> State:
        digits = 0
        for turn in range(self.count):
            left = self.all - self.count + 1 + turn
            digits |= (number % left) << (4 * (self.count - 1 - turn))
            number //= left
        places = 0
        used = 0
        for item in range(self.count):
            free = (digits >> (4 * item)) & 15
            place = 0
            while (used >> place) & 1 != 0 or free > 0:
                free -= (used >> place) & 1 == 0
                place += 1
            places |= place << (4 * item)
            used |= 1 << place
        return self.State(places)
