"""Preparations: what is compiled, built or worked out for a search by another thread, and how long a run may wait for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any, TypeVar

from bestfirst.solution import Limits
from bestfirst.system.beside import Beside, OutOfTime

_Result = TypeVar("_Result")


class Preparations:
    """See the head of preparations.py. deadline: of the run that is under way, as perf_counter() tells it; None for none."""

    def __init__(self) -> None:
        self.deadline: float | None = None
        self._at_work: dict[tuple[str, Any], Beside[Any]] = {}

    def left_of(self, limits: Limits) -> Limits:
        """The limits with the seconds that are left of this run."""
        return limits if self.deadline is None else replace(limits, seconds=max(0.0, self.deadline - perf_counter()))

    def in_time(self, what: str, work: Callable[[], _Result], kind: Any = None) -> _Result:
        """What some work gives, which is done beside. Raises OutOfTime and KeyboardInterrupt; the next run waits for it again."""
        beside = self.beside(what, work, kind)
        if not beside.wait(self.deadline):
            raise OutOfTime(what)
        self._at_work.pop((what, kind))
        return beside.result()

    def beside(self, what: str, work: Callable[[], _Result], kind: Any = None) -> Beside[_Result]:
        """Some work, begun now or by an earlier run: a limit that passes ends the waiting for it, and not the work."""
        if (what, kind) not in self._at_work:
            self._at_work[what, kind] = Beside(work)
        return self._at_work[what, kind]

    def forget(self, what: str) -> None:
        """Some work has been used."""
        self._at_work.pop((what, None))

    def keep(self, what: str, beside: Beside[Any]) -> None:
        """Some work is of use to the next run too."""
        self._at_work[what, None] = beside
