"""The page of one or two traces."""

from __future__ import annotations

from bestfirst.trace.recording import Trace
from bestfirst.viewer.page import page_of
from bestfirst.viewer.recording import recording_of


def to_html(trace: Trace, other: Trace | None = None) -> str:
    """A page that shows the search of a trace step by step, or two searches side by side.

    It needs no other file and no network, and may be mailed, put on a web server, or embedded as an iframe.
    """
    return page_of([recording_of(one) for one in (trace, other) if one is not None])
