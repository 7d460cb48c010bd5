"""h_add: the sum of the costs of the goal's facts, in the delete relaxation.

Source: Bonet & Geffner, "Planning as heuristic search", 2001.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bestfirst.planning.heuristics.exploration import capped, explore
from bestfirst.planning.heuristics.relaxation import merged_relaxation

if TYPE_CHECKING:
    from bestfirst.planning.task import State, Task


class HAdd:
    """The sum of the costs of the goal facts; several preconditions cost as much as all of them together.

    An estimate of 2**31 - 2 stands for this cost and all greater ones. Raises InputError if the costs of the operators are too
    large.
    """

    def __init__(self, task: Task) -> None:
        self._relaxation = merged_relaxation(task)
        self._costs = [rule.cost for rule in self._relaxation.rules]

    def __call__(self, state: State) -> float:
        costs, *_ = explore(self._relaxation, state, sum, self._costs)
        return capped(sum(costs[fact] for fact in self._relaxation.goal))
