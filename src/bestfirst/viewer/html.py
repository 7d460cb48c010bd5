"""Shows traces of searches and of game searches: as a page, or in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from bestfirst.arguments import check_whole
from bestfirst.trace.recording import Trace
from bestfirst.viewer.notebook import View
from bestfirst.viewer.page import page_of
from bestfirst.viewer.recording import recording_of

if TYPE_CHECKING:
    from bestfirst.games.tracing.trace import GameTrace

    AnyTrace: TypeAlias = Trace | GameTrace


def to_html(trace: AnyTrace, other: AnyTrace | None = None) -> str:
    """A page that shows the search of a trace step by step, or two searches side by side.

    It needs no other file and no network, and may be mailed, put on a web server, or embedded as an iframe.
    """
    return page_of(_recordings_of(trace, other))


def view_of(trace: AnyTrace, other: AnyTrace | None, height: int) -> View:
    """One or two searches in the output of a notebook cell. Raises InputError for a wrong height, and if nothing was recorded."""
    check_whole("the height of a view", height, 100)
    return View(_recordings_of(trace, other), " and ".join(repr(one) for one in (trace, other) if one is not None), height)


def _recordings_of(*traces: AnyTrace | None) -> list[dict[str, Any]]:
    return [_recording_of(trace) for trace in traces if trace is not None]


def _recording_of(trace: AnyTrace) -> dict[str, Any]:
    if isinstance(trace, Trace):
        return recording_of(trace)
    from bestfirst.viewer.game_recording import game_recording_of  # noqa: PLC0415  (most searches are not of games)

    return game_recording_of(trace)
