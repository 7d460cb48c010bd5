"""Regressions: operators over variables, from which distances are computed backward, though no action can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

Facts: TypeAlias = tuple[tuple[int, int], ...]
"""Pairs of a variable and its value, ascending, one for each variable."""


class Rule(NamedTuple):
    """An operator: what must hold before, what it makes true, and its cost, an int >= 0."""

    before: Facts
    effects: Facts
    cost: int

    def after(self) -> Facts:
        """What is true after it."""
        return tuple(sorted({**dict(self.before), **dict(self.effects)}.items()))

    def free(self) -> list[int]:
        """The variables that may have any value before, though it sets them."""
        known = dict(self.before)
        return [variable for variable, _ in self.effects if variable not in known]


@dataclass(frozen=True)
class Regressions:
    """A state space by rank: the sum over the variables of value * (product of the sizes of the variables before it).

    sizes: the number of values of each variable. goal: the facts that all goals have, and no other state. rules: the operators.
    """

    sizes: Sequence[int]
    goal: Sequence[tuple[int, int]]
    rules: Sequence[Rule]
