"""Pauses, steps and resumes a search while its process goes on reading requests."""

from __future__ import annotations

import _thread
from collections.abc import Callable
from dataclasses import replace
from math import inf
from threading import Condition
from typing import Any

from bestfirst.resumable_search import Search
from bestfirst.solution import Limits, Solution, Status

PAUSE, GO, STEP, STOP = "pause", "go", "step", "stop"
ACTIONS = (PAUSE, GO, STEP, STOP)


class Control:
    """What the page wants the current search to do. ask() is called from the thread that reads requests."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._wish = GO
        self._is_running = False  # whether a search that handles interrupts is running
        self.is_in_charge = False
        """Whether a search that it can pause is under way."""

    def ask(self, action: str) -> None:
        """Take note of what the page wants."""
        with self._changed:
            if self._wish == STOP:
                return
            self._wish = action
            self._changed.notify_all()
            if action in (PAUSE, STOP) and self._is_running:
                _thread.interrupt_main()

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
            is_step = wish == STEP
            slice_ = replace(left, expansions=1) if is_step and (left.expansions or inf) >= 1 else left
            self._is_running = True
            try:
                solution = search.run(slice_, progress=progress)
            finally:
                self._is_running = False
            if search.ended or self._wish == STOP or (is_step and solution.limit not in ("expansions", "interrupted")):
                return solution
            if is_step and (left.expansions is None or left.expansions > 1):
                continue
            if self._wish != PAUSE:
                return solution

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
