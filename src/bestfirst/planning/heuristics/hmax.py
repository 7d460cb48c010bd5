"""h_max: the cost of the most expensive goal fact, in the delete relaxation.

Source: Bonet & Geffner, "Planning as heuristic search", 2001.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bestfirst.planning.heuristics.exploration import explore
from bestfirst.planning.heuristics.relaxation import merged_relaxation

if TYPE_CHECKING:
    from bestfirst.planning.task import State, Task


class HMax:
    """The greatest cost of a goal fact; several preconditions cost as much as the most expensive of them.

    Raises InputError if the costs of the operators are too large.
    """

    def __init__(self, task: Task) -> None:
        self._relaxation = merged_relaxation(task)
        self._costs = [rule.cost for rule in self._relaxation.rules]

    def __call__(self, state: State) -> float:
        costs, *_ = explore(self._relaxation, state, max, self._costs)
        return max((costs[fact] for fact in self._relaxation.goal), default=0)
