"""Enumeration: the result of enumerate_states(): how many states are reachable from a start, and how far away they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bestfirst.errors import counted
from bestfirst.problem import Problem
from bestfirst.written import text_of

ANTIPODES = 100
"""At most this many of the farthest states are kept."""


@dataclass
class Enumeration:
    """The states reachable from a start, each at the smallest number of actions.

    levels: the number of states at each number of actions, from 0. antipodes: at most 100 expanded states of the last level:
    the farthest states, if the enumeration is complete.
    complete: whether these are all states; otherwise limit names what ended the enumeration ("seconds", "memory" or
    "interrupted"), and the last level may be incomplete (not on disk).
    bytes: the memory that the states took; None if unknown. disk: the most bytes that files may take; None without files.
    warnings: one sentence each, such as why the compiled engine could not be used.
    """

    problem: Problem
    engine: str
    levels: list[int] = field(default_factory=lambda: [1])
    antipodes: list[Any] = field(default_factory=list)
    complete: bool = False
    limit: str | None = None
    seconds: float = 0.0
    bytes: int | None = None
    disk: int | None = None
    warnings: list[str] = field(default_factory=list)

    @property
    def states(self) -> int:
        """The number of states."""
        return sum(self.levels)

    @property
    def radius(self) -> int:
        """The number of actions to the farthest state found."""
        return len(self.levels) - 1

    @property
    def mean(self) -> float:
        """The mean number of actions over all states."""
        return sum(depth * count for depth, count in enumerate(self.levels)) / self.states

    def to_dict(self) -> dict[str, Any]:
        """The result as a JSON object, with states as strings."""
        return {
            "states": self.states,
            "radius": self.radius,
            "mean": self.mean,
            "levels": self.levels,
            "antipodes": [text_of(self.problem, "format", state) for state in self.antipodes],
            "complete": self.complete,
            "limit": self.limit,
            "engine": self.engine,
            "seconds": self.seconds,
            "bytes": self.bytes,
            "disk": self.disk,
            "warnings": self.warnings,
        }

    def __str__(self) -> str:
        stopped = self.limit if self.limit in (None, "interrupted") else f"stopped by the limit on {self.limit}"
        ended_by = "" if stopped is None else f" ({stopped})"  # None while it is under way
        extent = "" if self.complete else f" so far{ended_by}"
        rate = f", {self.states / self.seconds / 1e6:.3g} M states/s" if self.seconds else ""
        return f"{counted(self.states, 'state')}{extent}, radius {self.radius}, mean {self.mean:.4f}: {self.seconds:.3g} s{rate}"
