"""The number of goal facts that do not hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bestfirst.planning.task import State, Task


class GoalCount:
    """How many facts of the goal of a task do not hold in a state."""

    def __init__(self, task: Task) -> None:
        self._goal = task.goal

    def __call__(self, state: State) -> int:
        return sum(state[variable] != value for variable, value in self._goal)
