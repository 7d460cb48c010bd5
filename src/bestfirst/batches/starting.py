"""Starts a batch on this machine or on a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from bestfirst.arguments import check_number, check_whole
from bestfirst.batches.batch import Batch, Run, Team
from bestfirst.batches.local import LocalTeam, beginning_of
from bestfirst.batches.progress import telling
from bestfirst.batches.work import Work
from bestfirst.errors import InputError, UnknownNameError
from bestfirst.system import workers as threads
from bestfirst.system.threads import processors

LOCAL, RAY = "local", "ray"
PLACES = (LOCAL, RAY)
"""Where a batch can run."""
MOST_WORKERS = 4096


def check_place(on: object, workers: object) -> None:
    """Raise InputError unless these are a place and a number of workers."""
    if on not in PLACES:
        raise UnknownNameError("place of a batch", str(on), PLACES)
    check_whole("workers", workers, 1, MOST_WORKERS, otherwise="omit it")


def start(
    items: Iterable[Any],
    work: Work,
    *,
    on: str,
    workers: int | None,
    ordered: bool,
    seconds: float | None,
    progress: bool | Callable[[Any], None] | None,
) -> Batch[Any]:
    """A batch; its workers start when its first result is asked for. Raises InputError for an argument that is not one."""
    check_place(on, workers)
    check_number("seconds", seconds, 0, otherwise="omit it")
    if not threads.HAS_THREADS:
        raise InputError("a browser cannot start worker processes; omit on= and workers=")
    tell, close = telling(progress, items)

    def hire() -> Team:
        if on == RAY:
            from bestfirst.batches.cluster import RayTeam  # noqa: PLC0415  (an extra)

            return RayTeam(work, workers)
        count = workers or processors()
        return LocalTeam(beginning_of(work, count), work.seconds, work.memory, count)

    return Batch(Run(items, work, hire, seconds=seconds, tell=tell, close=close), ordered=ordered)
