"""The blind heuristic: what the cheapest operator costs, unless the state is a goal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bestfirst.planning.task import State, Task


class Blind:
    """The cost of the cheapest operator of a task; 0 for a goal."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._cheapest = cheapest(task)

    def __call__(self, state: State) -> int:
        return 0 if self._task.is_goal(state) else self._cheapest


def cheapest(task: Task) -> int:
    """The cost of the cheapest operator of a task; 0 if it has none."""
    return min((operator.cost for operator in task.operators), default=0)
