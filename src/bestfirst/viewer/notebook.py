"""The viewer in a notebook: a page in a frame of its own, which needs no extension and stays in exported notebooks."""

from __future__ import annotations

from html import escape

HEIGHT = 640


class View:
    """A page of the viewer, shown in the output of a notebook cell. page: the HTML; summary: the line where HTML is not shown.

    height: of the frame, in pixels.
    """

    def __init__(self, page: str, summary: str, height: int = HEIGHT) -> None:
        self.page, self.summary, self.height = page, summary, height

    def _repr_html_(self) -> str:
        style = f"width: 100%; height: {self.height}px; border: 1px solid #8884; border-radius: 6px"
        return f'<iframe srcdoc="{escape(self.page)}" sandbox="allow-scripts allow-downloads" style="{style}"></iframe>'

    def __repr__(self) -> str:
        return self.summary
