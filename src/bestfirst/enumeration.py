"""enumerate_states: all states that a start reaches, level by level: how many there are, and how far away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from bestfirst.arguments import check_function, check_kind
from bestfirst.claims import why_not
from bestfirst.errors import InputError, NotCompilableError, UnknownNameError
from bestfirst.interrupt import CtrlC
from bestfirst.memory import resident_bytes
from bestfirst.problem import Problem
from bestfirst.solution import Limits

ANTIPODES = 100
"""How many of the farthest states are given."""
BETWEEN_LOOKS = 1000
"""Expansions between two looks at limits."""
HEAD_START_OVER = "head start"
HEAD_START = 20_000
"""States that the reference engine enumerates before the compiled one is called in, unless an engine is asked for."""


@dataclass
class Enumeration:
    """The states that a start reaches, by the fewest actions that lead there.

    levels: how many states there are at each number of actions, 0 first. antipodes: states of the last level whose states were
        expanded, at most 100 of them: when the enumeration is complete, the farthest ones.
    complete: whether these are all states; otherwise limit names what ended the enumeration ("seconds", "memory" or
        "interrupted"), and the last level may have more states.
    bytes: what the states took in memory; None where that is not known.
    """

    problem: Problem
    engine: str
    levels: list[int] = field(default_factory=lambda: [1])
    antipodes: list[Any] = field(default_factory=list)
    complete: bool = False
    limit: str | None = None
    seconds: float = 0.0
    bytes: int | None = None

    @property
    def states(self) -> int:
        """How many states there are."""
        return sum(self.levels)

    @property
    def radius(self) -> int:
        """The number of actions to the farthest state met."""
        return len(self.levels) - 1

    @property
    def mean(self) -> float:
        """The mean number of actions, over all states."""
        return sum(depth * count for depth, count in enumerate(self.levels)) / self.states

    def to_dict(self) -> dict[str, Any]:
        """What was found as JSON takes it, with states as texts."""
        return {
            "states": self.states,
            "radius": self.radius,
            "mean": self.mean,
            "levels": self.levels,
            "antipodes": [self.problem.format(state) for state in self.antipodes],
            "complete": self.complete,
            "limit": self.limit,
            "engine": self.engine,
            "seconds": self.seconds,
            "bytes": self.bytes,
        }

    def __str__(self) -> str:
        extent = "" if self.complete else f" so far (stopped: {self.limit})"
        rate = f", {self.states / self.seconds / 1e6:.3g} M states/s" if self.seconds else ""
        return f"{self.states:,} states{extent}, radius {self.radius}, mean {self.mean:.4f}: {self.seconds:.3g} s{rate}"


def enumerate_states(
    problem: Problem,
    *,
    limits: Limits | None = None,
    progress: Callable[[Enumeration], None] | None = None,
    engine: str | None = None,
) -> Enumeration:
    """Enumerate the states that a problem's start reaches, breadth-first; goals have successors like other states.

    Actions count, not their costs. limits: on seconds and memory. progress: is called with the Enumeration now and
    then. engine: "python" or "compiled"; unless given, the compiled one is called in where a space turns out to be large.

    In the compiled engine a Domain that has rank() and unrank() takes 2 bits for each of its `size` states, others some 20
    bytes for each state that there is.
    Raises InputError for limits or an engine that there are not, and ProblemError for a problem that is at fault.
    """
    check_kind("problem", problem, Problem, "an instance of a Problem")
    check_kind("limits", limits, Limits | None, "Limits(seconds=..., memory=...)")
    check_function("progress", progress, "the Enumeration")
    if engine not in (None, "python", "compiled"):
        raise UnknownNameError("engine", str(engine), ("python", "compiled"))
    limits = limits or Limits()
    if limits.depth is not None or limits.expansions is not None:
        raise InputError(f"limits is {limits}; an enumeration has limits on seconds and memory only")
    if engine == "python":
        return _enumerate(problem, limits, progress, most=None)
    domain = problem.domain()
    if domain is None:
        if engine == "compiled":
            why = why_not(problem, "domain") or f"{type(problem).__name__} is not stated as a Domain"
            raise NotCompilableError(f"{why}; leave out engine='compiled'")
        return _enumerate(problem, limits, progress, most=None)
    if engine is None:
        small = _enumerate(problem, limits, None, most=HEAD_START)
        if small.limit != HEAD_START_OVER:
            return small
    from bestfirst.compiled.enumeration import enumerate_compiled  # noqa: PLC0415  (it imports NumPy)

    try:
        return enumerate_compiled(problem, domain, limits, progress)
    except NotCompilableError:
        if engine == "compiled":
            raise
        return _enumerate(problem, limits, progress, most=None)


def _enumerate(
    problem: Problem, limits: Limits, progress: Callable[[Enumeration], None] | None, most: int | None
) -> Enumeration:
    """Enumerate in plain Python, at most so many states."""
    found = Enumeration(problem, "python")
    started = perf_counter()
    memory = 0 if limits.memory is None else resident_bytes()
    level, met = [problem.initial], {problem.initial}
    expanded = 0
    with CtrlC() as ctrl_c:
        while level and found.limit is None:
            found.antipodes = level[:ANTIPODES]
            following: list[Any] = []
            for state in level:
                if expanded % BETWEEN_LOOKS == 0:
                    found.seconds = perf_counter() - started
                    found.limit = _limit_reached(limits, found.seconds, memory, ctrl_c.pressed)
                    if most is not None and len(met) > most:
                        found.limit = HEAD_START_OVER
                    if found.limit is not None:
                        break
                    if progress is not None:
                        progress(found)
                expanded += 1
                for _action, child, _cost in problem.successors(state):
                    if child not in met:
                        met.add(child)
                        following.append(child)
            if following:
                found.levels.append(len(following))
            level = following
    found.complete = found.limit is None
    found.seconds = perf_counter() - started
    return found


def _limit_reached(limits: Limits, seconds: float, memory_before: int, interrupted: bool) -> str | None:
    if interrupted:
        return "interrupted"
    if limits.seconds is not None and seconds >= limits.seconds:
        return "seconds"
    if isinstance(limits.memory, int) and resident_bytes() - memory_before > limits.memory:
        return "memory"
    return None
