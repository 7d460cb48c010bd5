"""Loops over many states, with progress reports, that Ctrl-C ends early."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import TypeAlias, TypeVar

from bestfirst.system.interrupt import CtrlC

_T = TypeVar("_T")
Progress: TypeAlias = Callable[[str, int], None]
"""Called from time to time with the name of the step and the number of states processed."""

STATES_BETWEEN_REPORTS = 1_000
SECONDS_TO_JUDGE = 1.0
"""How long, after Ctrl-C, each judging step may take for the states found so far."""


class Watch:
    """Loops over states for one step of the work after another; interrupted: whether Ctrl-C has ended one of them early."""

    def __init__(self, progress: Progress | None = None, ctrl_c: CtrlC | None = None) -> None:
        self.interrupted = False
        self._progress = progress
        self._ctrl_c = ctrl_c or CtrlC()  # a CtrlC that is never entered is never pressed

    def over(
        self, states: Iterable[_T], doing: str, *, every: int = STATES_BETWEEN_REPORTS, judges: bool = False
    ) -> Iterator[_T]:
        """Yield the states until Ctrl-C, calling `progress` with the count after every `every` states.

        judges: whether the step judges states found earlier; such a step may run on briefly after a Ctrl-C that ended an
        earlier step. Other steps end immediately.
        """
        ctrl_c, progress = self._ctrl_c, self._progress
        may_go_on_until = monotonic() + SECONDS_TO_JUDGE if judges and self.interrupted else 0.0
        for number, state in enumerate(states):
            if ctrl_c.pressed and monotonic() >= may_go_on_until:
                self.interrupted = True
                return
            if progress is not None and number % every == 0:
                progress(doing, number)
            yield state
