"""Watches a search while it runs, in a notebook: its events are streamed to a widget in chunks."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any

from bestfirst.arguments import check_kind, check_whole
from bestfirst.errors import InputError
from bestfirst.trace.recording import Trace
from bestfirst.viewer.notebook import View
from bestfirst.viewer.streaming import TraceStream
from bestfirst.viewer.widget import ViewerWidget

if TYPE_CHECKING:
    from bestfirst.resumable_search import Search
    from bestfirst.solution import Limits, Solution


def watched(search: Search[Any, Any], limits: Limits | None, *, height: int, per_second: float | None) -> Solution[Any, Any]:
    """Run a search, and show it in the output of the cell meanwhile (see Search.watch)."""
    check_whole("the height of a view", height, 100)
    if search.trace is None:
        raise InputError("the search records no events; create it with trace=True: bf.Search(problem, trace=True)")
    if per_second is not None:
        check_kind("per_second", per_second, int | float, "a number of expansions")
        if not per_second > 0:
            raise InputError(f"per_second is {per_second!r}; use a number > 0")
    stream = Stream(search.trace, height)
    handle = _displayed(stream.widget)
    started, expanded = perf_counter(), search.stats.expanded

    def follow(search: Search[Any, Any]) -> None:
        stream.send_if_due()
        if per_second is not None:
            sleep(max(0.0, started + (search.stats.expanded - expanded) / per_second - perf_counter()))

    try:
        solution = search.run(limits, progress=follow)
    except BaseException:
        stream.send(is_running=False)
        raise
    with suppress(KeyboardInterrupt):  # the solution is worth more than the end of the picture
        stream.send(is_running=False)
        _keep(handle, View([stream.recording], repr(search.trace), height), stream.widget)
    return solution


class Stream(TraceStream):
    """The events of a trace on their way to a widget."""

    def __init__(self, trace: Trace, height: int) -> None:
        self.widget = ViewerWidget(height=height)
        super().__init__(trace, self.widget)


def _displayed(widget: ViewerWidget) -> Any:
    show: Any = import_module("IPython.display").display  # it comes with anywidget
    return show(widget.view_data() | {"text/plain": "a search, as it runs"}, raw=True, display_id=True)


def _keep(handle: Any, view: View, widget: ViewerWidget) -> None:
    """Add to the output the frame that stays in exported notebooks."""
    if handle is not None:
        handle.update({"text/plain": view.summary, "text/html": view._repr_html_(), **widget.view_data()}, raw=True)
