"""The FF heuristic: the cost of a plan of the delete relaxation, which need not be a cheapest one, and its first operators.

Sources: Hoffmann & Nebel, "The FF planning system", 2001; Keyder & Geffner, "Heuristics for planning with action costs
revisited", 2008 (relaxed plans from the cheapest rules of h_add).
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from bestfirst.planning.heuristics.exploration import explore
from bestfirst.planning.heuristics.relaxation import merged_relaxation

if TYPE_CHECKING:
    from bestfirst.planning.task import State, Task


class FF:
    """The cost of a relaxed plan: of the rules that make the goal facts true at the least cost by h_add, and their preconditions.

    Raises InputError if the costs of the operators are too large.
    """

    def __init__(self, task: Task) -> None:
        self._task, self._relaxation = task, merged_relaxation(task)
        self._costs = [rule.cost for rule in self._relaxation.rules]

    def __call__(self, state: State) -> float:
        plan = self.relaxed_plan(state)
        return inf if plan is None else sum(self._task.operators[number].cost for number in plan)

    def preferred(self, state: State) -> list[str]:
        """The names of the operators of the relaxed plan that can be applied in the state, each once."""
        operators = [self._task.operators[number] for number in self.relaxed_plan(state) or ()]
        return list(dict.fromkeys(operator.name for operator in operators if operator.applies(state)))

    def relaxed_plan(self, state: State) -> list[int] | None:
        """The numbers of the operators of the relaxed plan, ascending; None for a dead end."""
        relaxation = self._relaxation
        costs, supporters, _ = explore(relaxation, state, sum, self._costs)
        if any(costs[fact] == inf for fact in relaxation.goal):
            return None
        plan: set[int] = set()
        marked, waiting = set(relaxation.goal), list(relaxation.goal)
        while waiting:
            supporter = supporters[waiting.pop()]
            if supporter is not None:
                rule, operator = supporter
                plan.add(operator)
                new = set(relaxation.rules[rule].preconditions) - marked
                marked |= new
                waiting.extend(new)
        return sorted(plan)
