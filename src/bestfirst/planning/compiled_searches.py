"""Which searches of tasks compiled code can run: a plan says so, without NumPy, before any code is loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from bestfirst.own_engine import OwnEngine
from bestfirst.planning.heuristics import MadeLater

if TYPE_CHECKING:
    from bestfirst.compiled.tasks.driver import TaskSearch
    from bestfirst.planning.task import Task

ALGORITHMS: Mapping[str, tuple[str, frozenset[str]]] = {
    "astar": ("best_first_driver.astar", frozenset({"ties"})),
    "idastar": ("idastar_driver.TaskIDAStar", frozenset({"order"})),
    "uniform-cost": ("best_first_driver.uniform_cost", frozenset({"ties"})),
    "greedy": ("preferring_driver.greedy", frozenset({"ties", "preferred"})),
    "lazy-greedy": ("preferring_driver.LazyGreedy", frozenset({"preferred"})),
    "lazy-anytime": ("preferring_driver.LazyAnytime", frozenset({"weights", "preferred", "incumbent", "upper_bound"})),
    "weighted-astar": ("best_first_driver.weighted_astar", frozenset({"ties", "weight"})),
}
"""The driver in compiled/tasks/ for each algorithm, and the options that it has."""
TASK_MODULE = "bestfirst.planning.task"
"""Where the heuristics that are not listed get their names."""
NO_HEURISTIC = "zero"
"""The heuristic of a search without one, which is 0 everywhere."""
HEURISTICS = {
    NO_HEURISTIC: "zero",
    "blind": "blind",
    "goal-count": "goal_count",
    "pdb": "projections",
    "hmax": "hmax",
    "hadd": "hadd",
    "ff": "ff",
    "lmcut": "landmark_cut",
}
"""The module in compiled/tasks/heuristics/ for each heuristic; of a name with a colon, for the part before it."""


def module_of(heuristic: str) -> str | None:
    """The module of a heuristic, by name; None if it has no compiled code."""
    return HEURISTICS.get(heuristic.partition(":")[0])


class TaskEngine(OwnEngine):
    """The compiled engine of a task."""

    def __init__(self, task: Task) -> None:
        self._task = task

    def why_not(self, algorithm: str, heuristic: str | None, options: Mapping[str, Any]) -> str | None:
        if algorithm not in ALGORITHMS:
            return f"{algorithm} has no compiled version for tasks; choose one of {', '.join(ALGORITHMS)}"
        for option in options:
            if option not in ALGORITHMS[algorithm][1]:
                return f"it has the option {option}"
        if heuristic is not None and module_of(heuristic) is None:
            return f"the heuristic {heuristic} of a task has no compiled version"
        if heuristic is not None and self._is_own(heuristic):
            return f"{type(self._task).__name__} has a heuristic {heuristic} of its own"
        return None

    def _is_own(self, heuristic: str) -> bool:
        """Whether a subclass gives the name of a heuristic another meaning."""
        offered = self._task.heuristics().get(heuristic)
        if offered is not None:
            return not isinstance(offered.function, MadeLater)
        finds = getattr(self._task.heuristic_named, "__func__", None)
        return heuristic != NO_HEURISTIC and getattr(finds, "__module__", None) != TASK_MODULE

    def driver(self, algorithm: str, heuristic: str | None, options: Mapping[str, Any]) -> TaskSearch:
        module, _, name = ALGORITHMS[algorithm][0].partition(".")
        make: Callable[..., TaskSearch] = getattr(import_module(f"bestfirst.compiled.tasks.{module}"), name)
        return make(self._task, heuristic, **options)

    def is_ready(self, driver: TaskSearch) -> bool:
        return driver.is_ready

    def prepare(self, driver: TaskSearch) -> None:
        driver.prepare()
