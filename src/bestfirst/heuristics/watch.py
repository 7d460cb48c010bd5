"""Loops over many states, with progress reports, that Ctrl-C ends early, even inside a call that does not return."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from itertools import count
from time import monotonic
from typing import Any, TypeAlias, TypeVar

from bestfirst.errors import shown
from bestfirst.system.ended_calls import CallEnded, CtrlCInCalls

_T = TypeVar("_T")
Progress: TypeAlias = Callable[[str, int], None]
"""Called from time to time with the name of the step and the number of states processed."""

STATES_BETWEEN_REPORTS = 1_000
SECONDS_TO_JUDGE = 1.0
"""How long, after Ctrl-C, each judging step may take for the states found so far."""
SECONDS_OF_A_LONG_CALL = 1.0


class Watch:
    """Loops over states for one step of the work after another.

    interrupted: whether Ctrl-C has ended one of them early. warnings: a sentence about the call that it ended, if that was long.
    """

    def __init__(self, progress: Progress | None = None, ctrl_c: CtrlCInCalls | None = None) -> None:
        self.interrupted = False
        self.warnings: list[str] = []
        self._progress = progress
        self._ctrl_c = ctrl_c or CtrlCInCalls()  # one that is never entered is never pressed

    def over(
        self,
        results: Iterable[_T],
        doing: str,
        *,
        of: Sequence[Any] | None = None,
        every: int = STATES_BETWEEN_REPORTS,
        judges: bool = False,
    ) -> Iterator[_T]:
        """Yield the results, calling `progress` with their number after every `every`, until Ctrl-C.

        It also ends a call of the problem's code by which the iterator makes a result; that result is left out.
        of: the state of each result, for the warning about a long call.
        judges: whether the step judges states found earlier; such a step may run on briefly after a Ctrl-C that ended an
        earlier step. Other steps end immediately.
        """
        ctrl_c, progress, iterator = self._ctrl_c, self._progress, iter(results)
        with ctrl_c.going_on(SECONDS_TO_JUDGE) if judges and self.interrupted else nullcontext():
            for number in count():
                if progress is not None and number % every == 0 and not self._is_told(progress, doing, number):
                    return
                began = monotonic()
                try:
                    result = ctrl_c.call(next, iterator)
                except StopIteration:
                    return
                except CallEnded:
                    if not self.interrupted:
                        self._warn(doing, monotonic() - began, None if of is None else of[number])
                    self.interrupted = True
                    return
                yield result

    def _is_told(self, progress: Progress, doing: str, number: int) -> bool:
        """Call progress; return whether the work goes on: an interrupt in it is like Ctrl-C between two calls."""
        try:
            progress(doing, number)
        except KeyboardInterrupt:
            self._ctrl_c.end()
            self.interrupted = True
            return False
        return True

    def _warn(self, doing: str, seconds: float, state: Any) -> None:
        if seconds >= SECONDS_OF_A_LONG_CALL:
            which = "" if state is None else f" {shown(state)}"
            self.warnings.append(
                f"Ctrl-C ended a call to the problem's code ({doing}{which}) that had not returned after {seconds:.1f} s"
            )
