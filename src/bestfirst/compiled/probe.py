"""The methods of a domain, compiled, one call at a time: to compare them with the interpreted ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.best_first import no_estimate
from bestfirst.compiled.specialise import specialise
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.problem import Domain

if TYPE_CHECKING:
    from bestfirst.compiled.names import as_self, estimate, is_goal, load, step, store


def probe(data: Any, rows: Any, action: int) -> Any:
    """For the state in place 0 of the rows: (goal, estimate, legal, cost); the state that the action leads to goes to place 1."""
    me = as_self(data)
    state = load(rows, 0)
    legal, following, cost = step(me, state, action)
    store(rows, 1, following)
    return is_goal(me, state), estimate(me, state), legal, cost


class CompiledMethods:
    """step, is_goal and a heuristic of a domain, compiled. Raises CompileError if they cannot be."""

    def __init__(self, domain: Domain, heuristic: Heuristic | None) -> None:
        self._domain = domain
        self._compiled = specialise(probe, domain, heuristic.function if heuristic else no_estimate)
        self._rows = tuple(np.zeros(2, np.int64) for _ in domain.State._fields)

    def _ask(self, state: Any, action: int) -> tuple[Any, ...]:
        for row, value in zip(self._rows, state, strict=True):
            row[0] = value
        answer: tuple[Any, ...] = self._compiled.run(self._compiled.data, self._rows, action)
        return answer

    def is_goal(self, state: Any) -> bool:
        """Domain.is_goal."""
        return bool(self._ask(state, 0)[0])

    def estimate(self, state: Any) -> Any:
        """The heuristic."""
        return self._ask(state, 0)[1]

    def step(self, state: Any, action: int) -> tuple[bool, Any, Any]:
        """Domain.step."""
        _goal, _h, legal, cost = self._ask(state, action)
        return bool(legal), self._domain.State(*(int(row[1]) for row in self._rows)), cost
