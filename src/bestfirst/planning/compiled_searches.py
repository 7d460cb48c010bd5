"""The compiled engine of tasks: which searches it can run, and their drivers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from bestfirst.compiled.tasks.driver import TaskSearch
from bestfirst.compiled.tasks.evaluation import is_compiled
from bestfirst.own_engine import OwnEngine

if TYPE_CHECKING:
    from bestfirst.compiled.drivers.driver import CompiledDriver
    from bestfirst.planning.task import Task

_DRIVERS = {
    "astar": ("best_first_driver.astar", {"ties"}),
    "idastar": ("idastar_driver.TaskIDAStar", {"order"}),
    "uniform-cost": ("best_first_driver.uniform_cost", {"ties"}),
    "greedy": ("preferring_driver.greedy", {"ties", "preferred"}),
    "lazy-greedy": ("preferring_driver.LazyGreedy", {"preferred"}),
    "lazy-anytime": ("preferring_driver.LazyAnytime", {"weights", "preferred", "incumbent", "upper_bound"}),
    "weighted-astar": ("best_first_driver.weighted_astar", {"ties", "weight"}),
}
"""The driver in this room for each algorithm, and the options that it has."""


class TaskEngine(OwnEngine):
    """The compiled engine of a task."""

    def __init__(self, task: Task) -> None:
        self._task = task

    def why_not(self, algorithm: str, heuristic: str | None, options: Mapping[str, Any]) -> str | None:
        if algorithm not in _DRIVERS:
            return f"{algorithm} has no compiled version for tasks; choose one of {', '.join(_DRIVERS)}"
        for option in options:
            if option not in _DRIVERS[algorithm][1]:
                return f"it has the option {option}"
        if heuristic is not None and not is_compiled(heuristic):
            return f"the heuristic {heuristic} of a task has no compiled version"
        return None

    def driver(self, algorithm: str, heuristic: str | None, options: Mapping[str, Any]) -> CompiledDriver:
        module, _, name = _DRIVERS[algorithm][0].partition(".")
        make: Callable[..., CompiledDriver] = getattr(import_module(f"bestfirst.compiled.tasks.{module}"), name)
        return make(self._task, heuristic, **options)

    def is_ready(self, driver: CompiledDriver) -> bool:
        return isinstance(driver, TaskSearch) and driver.is_ready

    def prepare(self, driver: CompiledDriver) -> None:
        assert isinstance(driver, TaskSearch)
        driver.prepare()
