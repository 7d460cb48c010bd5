"""What a batch does with each item, such as to solve a problem: one interface, so that searches and games share all the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

INTERRUPTED = "interrupted"
"""In place of a limit: Ctrl-C."""


@dataclass(frozen=True)
class Failure:
    """Why a task has no result. limit: the limit that it ignored, "seconds" or "memory", or INTERRUPTED; None if it was none."""

    why: str
    limit: str | None = None


class Work(Protocol):
    """Work on items, which is sent to every worker. seconds, memory: the limits of each task; None: unlimited."""

    @property
    def seconds(self) -> float | None: ...

    @property
    def memory(self) -> int | None: ...

    def check(self, item: Any) -> None:
        """Raise InputError for arguments that no item could be used with; called for the first item, before any worker
        starts."""

    def do(self, item: Any, seconds: float | None) -> Any:
        """Called in a worker: the result, or a Failure. seconds: the time limit."""

    def known(self, item: Any) -> Sequence[Any]:
        """What a result need not bring back, because both sides have it: the item, and parts of the work.

        Both sides must have the same code for it."""

    def fault(self, item: Any, result: Any) -> str | None:
        """Why a result of a worker is wrong by what this process has; None if nothing shows that."""

    def is_interrupted(self, result: Any) -> bool:
        """Whether Ctrl-C ended the work on an item."""

    def failed(self, item: Any, failure: Failure) -> Any:
        """What the caller gets for an item without a result."""
