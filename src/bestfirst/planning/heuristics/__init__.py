"""The heuristics of planning tasks, in readable Python: each is a class, made from a task and called with a state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from bestfirst.heuristics.heuristic import Heuristic

if TYPE_CHECKING:
    from bestfirst.planning.task import State, Task


class _Offer(NamedTuple):
    """A heuristic. place: its module in this room, and its class. prefers: whether it has preferred operators."""

    place: str
    admissible: bool
    consistent: bool
    prefers: bool = False


OFFERED = {
    "blind": _Offer("blind.Blind", admissible=True, consistent=True),
    "goal-count": _Offer("goal_count.GoalCount", admissible=False, consistent=False),
    "hmax": _Offer("hmax.HMax", admissible=True, consistent=True),
    "hadd": _Offer("hadd.HAdd", admissible=False, consistent=False),
    "ff": _Offer("ff.FF", admissible=False, consistent=False, prefers=True),
    "lmcut": _Offer("landmark_cut.LandmarkCut", admissible=True, consistent=False),
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
            self._made = _class_at(self._place)(self._task)
        return self._made

    def __call__(self, state: State) -> float:
        estimate: float = self.made(state)
        return estimate

    def preferred(self, state: State) -> Sequence[str]:
        """The names of its preferred operators in a state."""
        names: Sequence[str] = self.made.preferred(state)
        return names


def offered_by(task: Task) -> Mapping[str, Heuristic]:
    """The heuristics of a task, by name."""
    return {name: _heuristic(task, name, offer) for name, offer in OFFERED.items()}


def all_offered() -> Mapping[str, Heuristic]:
    """The heuristics of every task, each with its class as the function, for lists."""
    return {
        name: Heuristic(_class_at(offer.place), name, offer.admissible, offer.consistent) for name, offer in OFFERED.items()
    }


def _class_at(place: str) -> Any:
    module, _, name = place.partition(".")
    return getattr(import_module(f"{__name__}.{module}"), name)


def _heuristic(task: Task, name: str, offer: _Offer) -> Heuristic:
    function = MadeLater(task, offer.place)
    preferred = function.preferred if offer.prefers else None
    return Heuristic(function, name, offer.admissible, offer.consistent, preferred=preferred, safe=True)
