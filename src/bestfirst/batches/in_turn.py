"""Many tasks without workers: one after the other in this process, with errors that say which one it was."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any

from bestfirst.batches.progress import telling
from bestfirst.batches.work import Work
from bestfirst.errors import BestfirstError
from bestfirst.system.interrupt import presses


def in_turn(
    items: Iterable[Any],
    work: Work,
    noun: str,
    *,
    seconds: float | None,
    progress: bool | Callable[[Any], None] | None,
) -> list[Any]:
    """The results of the work on the items, until an error, the seconds of all together, or Ctrl-C. noun: for an item."""
    deadline = None if seconds is None else perf_counter() + seconds
    tell, close = telling(progress, items)
    before = presses()
    results: list[Any] = []
    try:
        for number, item in enumerate(items):
            left = None if deadline is None else deadline - perf_counter()
            if left is not None and left <= 0:
                break
            results.append(_done(work, item, left, f"{noun} {number}"))
            tell(results[-1])
            if work.is_interrupted(results[-1]) or presses() > before:
                break
    except KeyboardInterrupt:  # between two items
        pass
    finally:
        close()
    return results


def _done(work: Work, item: Any, seconds: float | None, name: str) -> Any:
    try:
        return work.do(item, seconds)
    except BestfirstError as error:
        error.args = (f"{name}: {error}", *error.args[1:])
        raise
    except Exception as error:  # raised by a method of the problem or game: its message stays
        error.add_note(name)
        raise
