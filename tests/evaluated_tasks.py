"""Compiled heuristics of tasks, for tests: the estimates of many states by one kernel."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.specialise import built, digest_of
from bestfirst.compiled.tasks.evaluation import DEAD_END, evaluation_of

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, Int
    from bestfirst.planning import State, Task


def evaluate_all(rows: Array, tables: Arrays, scratch: Arrays, estimates: Array, values: Array) -> Int:
    """Evaluate each row of values; returns the number of rows."""
    width = len(values)
    for row in range(len(estimates)):
        for variable in range(width):
            values[variable] = rows[row * width + variable]
        estimates[row] = evaluate(values, tables, scratch)  # type: ignore[name-defined]  # noqa: F821
    return len(estimates)


class Evaluated:
    """A compiled heuristic of a task."""

    def __init__(self, task: Task, name: str) -> None:
        self.task, found = task, evaluation_of(name)
        parts = (*found.parts, found.evaluate)
        tag = f"{evaluate_all.__name__}_{name}_{digest_of(evaluate_all, parts, {})}"
        self._run = built(evaluate_all, dict, tag, parts, name)
        self._tables, self._scratch = found.tables(task), found.new_scratch(task)

    def estimates(self, states: Sequence[State]) -> list[float]:
        """The estimates of some states."""
        rows = np.array([number for state in states for number in (*state, 0)], np.int32)
        found = np.zeros(len(states), np.int64)
        self._run(rows, self._tables, self._scratch, found, np.zeros(len(states[0]) + 1, np.int32))
        return [inf if estimate == DEAD_END else int(estimate) for estimate in found]

    def preferred(self, state: State) -> list[str]:
        """The names of the preferred operators in a state."""
        self.estimates([state])
        count, *numbers = self._scratch[0].tolist()
        return list(dict.fromkeys(self.task.operators[number].name for number in numbers[:count]))
