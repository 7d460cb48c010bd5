"""Threads: tasks done side by side. Compiled code does not hold Python's lock, so they use as many processors as there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Thread
from typing import TypeVar

_Result = TypeVar("_Result")


def side_by_side(tasks: Sequence[Callable[[], _Result]]) -> list[_Result]:
    """The results of the tasks, each done by a thread of its own; threads that never end do not keep the process alive.

    A single one is done by the caller's.
    """
    if len(tasks) == 1:
        return [tasks[0]()]
    results: dict[int, _Result] = {}
    errors: list[BaseException] = []

    def do(number: int) -> None:
        try:
            results[number] = tasks[number]()
        except BaseException as error:
            errors.append(error)

    threads = [Thread(target=do, args=(number,), daemon=True) for number in range(len(tasks))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return [results[number] for number in range(len(tasks))]
