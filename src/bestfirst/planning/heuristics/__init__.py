"""The heuristics of planning tasks, in readable Python: each is a class, made from a task and called with a state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from bestfirst.heuristics.heuristic import Heuristic

if TYPE_CHECKING:
    from bestfirst.planning.task import State, Task


class _Offer(NamedTuple):
    """A heuristic. place: its module in this room, and its class."""

    place: str
    admissible: bool
    consistent: bool


OFFERED = {
    "blind": _Offer("blind.Blind", admissible=True, consistent=True),
    "goal-count": _Offer("goal_count.GoalCount", admissible=False, consistent=False),
}
"""The heuristics of every task, by name."""


class MadeLater:
    """A heuristic of a task that is made when it is first called: making it can take longer than a small search."""

    def __init__(self, task: Task, place: str) -> None:
        self._task, self._place = task, place
        self._made: Callable[[State], float] | None = None

    @property
    def made(self) -> Any:
        """The heuristic: an object of the class at the place."""
        if self._made is None:
            module, _, name = self._place.partition(".")
            self._made = getattr(import_module(f"{__name__}.{module}"), name)(self._task)
        return self._made

    def __call__(self, state: State) -> float:
        estimate: float = self.made(state)
        return estimate


def offered_by(task: Task) -> Mapping[str, Heuristic]:
    """The heuristics of a task, by name."""
    return {
        name: Heuristic(MadeLater(task, offer.place), name, admissible=offer.admissible, consistent=offer.consistent)
        for name, offer in OFFERED.items()
    }
