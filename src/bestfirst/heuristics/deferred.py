"""A heuristic that can be given before the problem is known, such as Additive([one, other]): it is made for the problem that
is searched."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from bestfirst.heuristics.heuristic import Heuristic

if TYPE_CHECKING:
    from bestfirst.problem import Problem


class DeferredHeuristic(ABC):
    """An object that makes a heuristic for whichever problem is searched."""

    @abstractmethod
    def of(self, problem: Problem) -> Heuristic:
        """The heuristic of a problem. Raises InputError, with the reason, if there is none."""
