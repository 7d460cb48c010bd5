"""The driver of a search for several goals: A* that stops at each goal, and then goes on."""

from __future__ import annotations

from collections.abc import Callable
from math import floor, inf
from typing import Any

from bestfirst.compiled.drivers.best_first import BestFirst
from bestfirst.compiled.drivers.paths import decoded_in_place
from bestfirst.compiled.kernels.best_first import OWN_FIELDS, OWN_TOTALS
from bestfirst.compiled.kernels.slices import TOO_FAR
from bestfirst.domain import Domain
from bestfirst.errors import NotCompilableError
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.solution import Limits

AT_GOAL, AT_MOST = "goal", "at_most"
"""What stops a run: a goal that was not found before, or a node with an f above the largest one."""
NO_GOAL = -1


class NearestGoals(BestFirst):
    """The twin of the search in several_goals.py. at_most: the largest f that is an int; farthest: that is a float."""

    _fields = (*OWN_FIELDS, "passed")
    _total_fields = (*OWN_TOTALS, "farthest")
    _several_goals = True

    def __init__(self, domain: Domain, heuristic: Heuristic | None, *, at_most: float = inf, farthest: float = inf) -> None:
        if domain.resources:
            raise NotCompilableError(
                f"{domain.name()} declares resources, which a compiled search for several goals does not support"
            )
        self._at_most, self._farthest = at_most, farthest
        self._found: set[Any] = set()
        self._last_goal = NO_GOAL
        super().__init__(domain, heuristic, order=(1, 1, 1))

    def _begin(self) -> None:
        super()._begin()
        farthest = self._farthest if self._floats else self._at_most
        if farthest < self._totals.beyond:
            self._search.farthest = farthest if self._floats else floor(farthest)

    def run(self, limits: Limits, progress: Callable[[], None] | None) -> None:
        """Search until the next goal, or until a limit or Ctrl-C stops it."""
        self._search.passed = self._last_goal + 1
        super().run(limits, progress)

    def _react(self, how: int) -> None:
        if how == TOO_FAR:
            self.stopped = AT_MOST
        else:
            super()._react(how)

    def _take_goal(self) -> None:
        self._last_goal = int(self._search.place)
        goal = self._encoded_node(self._last_goal)
        name = self._domain.key(goal.state)
        if name in self._found:  # the search was repeated with larger records, or h overestimates
            self._search.passed = self._last_goal + 1
            return
        self._found.add(name)
        self.goal, self.stopped = decoded_in_place(self._domain, goal), AT_GOAL
