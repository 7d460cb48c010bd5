"""The viewer in a notebook: a widget where anywidget is installed, and a frame that needs no extension and stays in exports."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from bestfirst.cached import cached_property
from bestfirst.viewer.page import page_of

if TYPE_CHECKING:
    from bestfirst.viewer.widget import ViewerWidget

HEIGHT = 640
WIDGET = "application/vnd.jupyter.widget-view+json"

Bundle = dict[str, Any]


def has_widgets() -> bool:
    """Whether the packages of the extra `notebook` are installed."""
    return find_spec("anywidget") is not None


class View:
    """Recordings in the output of a notebook cell. summary: the line to show where HTML is not shown. height: in pixels."""

    def __init__(self, recordings: Sequence[dict[str, Any]], summary: str, height: int = HEIGHT) -> None:
        self._recordings, self.summary, self.height = recordings, summary, height

    @property
    def page(self) -> str:
        """The view as a page of its own."""
        return page_of(self._recordings)

    @cached_property
    def widget(self) -> ViewerWidget:
        """The view as a widget of ipywidgets, for layouts of several. Raises InputError if anywidget is not installed."""
        from bestfirst.viewer.widget import ViewerWidget  # noqa: PLC0415  (an extra)

        return ViewerWidget(self._recordings, height=self.height)

    def _repr_html_(self) -> str:
        style = f"width: 100%; height: {self.height}px; border: 1px solid #8884; border-radius: 6px"
        return f'<iframe srcdoc="{escape(self.page)}" sandbox="allow-scripts allow-downloads" style="{style}"></iframe>'

    def _repr_mimebundle_(self, **_wanted: Any) -> Bundle:
        bundle: Bundle = {"text/plain": self.summary, "text/html": self._repr_html_()}
        return {**bundle, **self.widget.view_data()} if has_widgets() else bundle

    def __repr__(self) -> str:
        return self.summary
