"""Pauses, steps and resumes a search while its process goes on reading requests."""

from __future__ import annotations

import _thread
from collections.abc import Callable
from dataclasses import replace
from threading import Condition
from time import sleep
from typing import Any

from bestfirst.resumable_search import Search
from bestfirst.solution import Limits, Solution, Status

PAUSE, GO, STEP, STOP = "pause", "go", "step", "stop"
ACTIONS = (PAUSE, GO, STEP, STOP)


class Control:
    """What the page wants the current search to do. ask() is called from the thread that reads requests.

    The search runs in slices. A pause or a stop interrupts a slice, once: a second interrupt would end the search without its
    results. When the slice has ended, what is wanted then decides how the search goes on.
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._wish = GO
        self._is_running = False  # whether a slice may be interrupted
        self._is_interrupted = False  # whether it was
        self._is_asking = False  # whether ask() may be about to interrupt it
        self.is_in_charge = False
        """Whether a search that it can pause is under way."""

    def ask(self, action: str) -> None:
        """Take note of what the page wants."""
        with self._changed:
            if self._wish == STOP:
                return
            self._is_asking, self._wish = True, action
            self._changed.notify_all()
            if action in (PAUSE, STOP) and self._is_running and not self._is_interrupted:
                self._is_interrupted = True
                _thread.interrupt_main()
            self._is_asking = False

    def run(
        self,
        search: Search[Any, Any],
        limits: Limits,
        progress: Callable[[Search[Any, Any]], None],
        on_pause: Callable[[], None],
        *,
        begins_paused: bool = False,
    ) -> Solution[Any, Any]:
        """Run a search within limits; pauses do not count against them. on_pause: called when it begins to wait."""
        self._wish, self.is_in_charge = PAUSE if begins_paused else GO, True
        try:
            return self._run(search, limits, progress, on_pause)
        finally:
            self.is_in_charge = False

    def _run(
        self,
        search: Search[Any, Any],
        limits: Limits,
        progress: Callable[[Search[Any, Any]], None],
        on_pause: Callable[[], None],
    ) -> Solution[Any, Any]:
        begun = search.stats.expanded, search.stats.seconds
        while True:
            wish = self._next(on_pause)
            if wish == STOP:
                found = search.solution  # a step ended its last slice, but the page ends the search
                stopped = found.status is Status.LIMIT
                return replace(found, status=Status.INTERRUPTED, limit=None) if stopped else found
            left = _left(limits, search, *begun)
            is_one = wish == STEP and (left.expansions is None or left.expansions > 1)  # else the limit ends the search
            is_cut = self._slice(search, replace(left, expansions=1) if is_one else left, progress, is_step=wish == STEP)
            if search.ended or not (is_cut or (is_one and search.solution.limit == "expansions")):
                return search.solution
            if search.trace is not None:
                search.trace.forget_limit()  # the end of a slice is not an event of the search

    def _slice(
        self,
        search: Search[Any, Any],
        limits: Limits,
        progress: Callable[[Search[Any, Any]], None],
        *,
        is_step: bool,
    ) -> bool:
        """Run the search to a limit; return whether a wish of the page ended that, or came before it began.

        There is no lock: an interrupt could come while it is taken, and leave it locked.
        """
        self._is_interrupted = is_kept = False
        try:
            try:
                self._is_running = True
                is_kept = self._wish == STOP or (self._wish == PAUSE and not is_step)
                if not is_kept:
                    search.run(limits, progress=progress)
            finally:
                self._is_running = False
                while self._is_asking:
                    sleep(0.001)
                sleep(0)  # the last moment for an interrupt
        except KeyboardInterrupt:  # where the search does not handle it: before its first step, or after the last one
            if not self._is_interrupted:
                raise
            self._is_running = False
        return is_kept or self._is_interrupted

    def _next(self, on_pause: Callable[[], None]) -> str:
        """Wait for the end of a pause; return what is wanted then. A step is taken once."""
        with self._changed:
            if self._wish == PAUSE:
                on_pause()
            while self._wish == PAUSE:
                self._changed.wait()
            wish = self._wish
            if wish == STEP:
                self._wish = PAUSE
            return wish


def _left(limits: Limits, search: Search[Any, Any], expanded: int, seconds: float) -> Limits:
    """What is left of the limits after what was spent."""
    stats = search.stats
    left_seconds = None if limits.seconds is None else max(0.0, limits.seconds - (stats.seconds - seconds))
    left_expansions = None if limits.expansions is None else max(0, limits.expansions - (stats.expanded - expanded))
    return replace(limits, seconds=left_seconds, expansions=left_expansions)


CONTROL = Control()
"""The control of this process, which does one thing at a time."""
