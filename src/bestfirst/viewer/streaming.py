"""The events of a search that still runs, in chunks for a viewer in a notebook or in the studio."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any, Protocol

from bestfirst.trace.recording import Trace
from bestfirst.viewer.recording import Recorder

SOONEST = 0.25
"""Seconds between two chunks."""
SHARE = 0.1
"""This interval as a fraction of the time since the start: a search of an hour sends about a hundred chunks."""


class Viewer(Protocol):
    """Something that shows a recording while it grows."""

    def show(self, recordings: Sequence[dict[str, Any]], *, is_running: bool = False) -> None:
        """Replace the recordings that are shown."""

    def extend(self, chunk: dict[str, Any], *, dropped: int, is_running: bool) -> None:
        """Add a chunk to the recording that is shown."""


class TraceStream:
    """The events of a trace on their way to a viewer. recording: all of them so far."""

    def __init__(self, trace: Trace, viewer: Viewer) -> None:
        self.recording: dict[str, Any] = {}
        self._trace, self._viewer = trace, viewer
        self._recorder: Recorder | None = None
        self._subject: object = None
        self._started = self._sent = perf_counter()

    def send_if_due(self) -> None:
        """Send what is new, unless the last chunk was sent a moment ago."""
        now = perf_counter()
        if now - self._sent >= max(SOONEST, SHARE * (now - self._started)):
            self.send(is_running=True)

    def send(self, *, is_running: bool) -> None:
        """Send what is new."""
        trace, chunk = self._trace, None
        if not trace.events and is_running:
            return
        if self._recorder is not None and self._subject is trace.subject:
            chunk = self._recorder.next_chunk()
        if chunk is None:  # the first, of another stage of the plan, or with a state that the picture so far does not fit
            self._recorder, self._subject = Recorder(trace), trace.subject
            self.recording = self._recorder.recording()
            self._viewer.show([self.recording], is_running=is_running)
        else:
            self.recording["chunks"].append(chunk)
            self.recording["dropped"] = trace.dropped
            self._viewer.extend(chunk, dropped=trace.dropped, is_running=is_running)
        self._sent = perf_counter()
