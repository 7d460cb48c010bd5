"""Preparations: work for a search in another thread (compiling, building, loading), and how long a run may wait for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any, TypeVar

from bestfirst.solution import Limits
from bestfirst.system.beside import Beside, OutOfTime

_Result = TypeVar("_Result")


class Preparations:
    """See the docstring of preparations.py. deadline: the deadline of the current run in perf_counter() time, or None."""

    def __init__(self) -> None:
        self.deadline: float | None = None
        self._at_work: dict[tuple[str, Any], Beside[Any]] = {}

    def left_of(self, limits: Limits) -> Limits:
        """The limits with the seconds that are left of this run."""
        return limits if self.deadline is None else replace(limits, seconds=max(0.0, self.deadline - perf_counter()))

    def in_time(self, what: str, work: Callable[[], _Result], kind: Any = None) -> _Result:
        """The result of work in another thread. Raises OutOfTime and KeyboardInterrupt; the next run waits for it
        again."""
        beside = self.beside(what, work, kind)
        if not beside.wait(self.deadline):
            raise OutOfTime(what)
        self._at_work.pop((what, kind))
        return beside.result()

    def beside(self, what: str, work: Callable[[], _Result], kind: Any = None) -> Beside[_Result]:
        """Work started now or by an earlier run: when a limit expires, the waiting ends, but not the work."""
        if (what, kind) not in self._at_work:
            self._at_work[what, kind] = Beside(work)
        return self._at_work[what, kind]

    def forget(self, what: str) -> None:
        """Drop work whose result has been used."""
        self._at_work.pop((what, None))

    def keep(self, what: str, beside: Beside[Any]) -> None:
        """Keep work for the next run."""
        self._at_work[what, None] = beside
