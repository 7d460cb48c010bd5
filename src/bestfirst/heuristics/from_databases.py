"""Pattern databases as a heuristic of the searched problem: heuristic=Additive([one, other])."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bestfirst.heuristics.deferred import DeferredHeuristic
from bestfirst.heuristics.heuristic import Heuristic

if TYPE_CHECKING:
    from bestfirst.patterns.database import PatternDatabase
    from bestfirst.problem import Problem


@dataclass(frozen=True)
class FromDatabases(DeferredHeuristic):
    """Several pattern databases, and how to combine them into an estimate."""

    databases: Sequence[PatternDatabase]


class Additive(FromDatabases):
    """The sum of the distances; no action may be counted in two of the databases: see patterns.additive."""

    def of(self, problem: Problem) -> Heuristic:
        from bestfirst.patterns.combination import additive  # noqa: PLC0415  (it imports NumPy)

        return additive(problem, self.databases)


@dataclass(frozen=True)
class Largest(FromDatabases):
    """The largest of the distances. dual: also use the dual of each state: see patterns.largest."""

    dual: bool = False

    def of(self, problem: Problem) -> Heuristic:
        from bestfirst.patterns.combination import largest  # noqa: PLC0415  (it imports NumPy)

        return largest(problem, self.databases, dual=self.dual)
