"""The progress of a batch: a line on the terminal if it is asked for, or the caller's own function."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sized
from time import monotonic
from typing import Any

SECONDS_BETWEEN_UPDATES = 0.2


class ProgressLine:
    """A line on standard error that counts results; nothing if that is not a terminal. total: their number, if it is known."""

    def __init__(self, total: int | None) -> None:
        self._total, self._done, self._failed = total, 0, 0
        self._started = monotonic()
        self._next = self._started
        self._is_shown = False

    def tell(self, result: Any) -> None:
        """Count a result."""
        self._done += 1
        self._failed += getattr(result, "status", None) == "failed"
        if monotonic() >= self._next and sys.stderr.isatty():
            self._show()

    def _show(self) -> None:
        print(f"\r\x1b[K{self}", end="", file=sys.stderr, flush=True)  # noqa: T201
        self._next, self._is_shown = monotonic() + SECONDS_BETWEEN_UPDATES, True

    def __str__(self) -> str:
        spent = monotonic() - self._started
        rate = self._done / spent if spent else 0.0
        parts = [f"{self._done:,}" + (f" of {self._total:,}" if self._total is not None else "") + " done"]
        if self._failed:
            parts.append(f"{self._failed:,} failed")
        parts.append(f"{rate:,.0f} per second" if rate >= 10 else f"{rate:.2g} per second")
        if self._total is not None and rate and self._done < self._total:
            parts.append(f"{_clock((self._total - self._done) / rate)} left")
        return ", ".join(parts)

    def close(self) -> None:
        """Show the last state, and end the line."""
        if self._is_shown:
            self._show()
            print(file=sys.stderr, flush=True)  # noqa: T201


def telling(
    progress: bool | Callable[[Any], None] | None, items: Iterable[Any]
) -> tuple[Callable[[Any], None], Callable[[], None]]:
    """What to call with each result, and at the end."""
    if progress is True:
        line = ProgressLine(len(items) if isinstance(items, Sized) else None)
        return line.tell, line.close
    return (progress if callable(progress) else _nothing), _nothing


def _nothing(*_results: Any) -> None:
    """Show nothing."""


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
