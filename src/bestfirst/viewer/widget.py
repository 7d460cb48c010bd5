"""The viewer as a notebook widget, to which a running search can be streamed. It needs anywidget (the extra `notebook`)."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from bestfirst.errors import InputError

try:
    import anywidget
    import traitlets
except ImportError as error:
    raise InputError(
        f"the widget cannot be shown: {error}; install the extra `notebook`: pip install 'bestfirst[notebook]'"
    ) from error

_FILES = files("bestfirst.viewer")


class ViewerWidget(anywidget.AnyWidget):
    """Shows recordings, and what is added to the last one.

    What is shown is a sequence of pieces, each of which is sent once, as an attribute of its own: piece0, piece1, and so on.
    So a page that is opened later has all of them.
    """

    _esm = (_FILES / "viewer.js").read_text("utf-8") + "\nexport default bestfirstViewer.widget;"
    _css = (_FILES / "viewer.css").read_text("utf-8")
    height = traitlets.Int(640).tag(sync=True)
    pieces = traitlets.Int(0).tag(sync=True)

    def __init__(self, recordings: Sequence[dict[str, Any]] = (), *, height: int = 640) -> None:
        super().__init__(height=height)
        if recordings:
            self.show(recordings)

    def show(self, recordings: Sequence[dict[str, Any]], *, is_running: bool = False) -> None:
        """Show other recordings."""
        self._add_piece({"recordings": list(recordings), "running": is_running})

    def extend(self, chunk: dict[str, Any], *, dropped: int, is_running: bool) -> None:
        """Add a chunk to the recording that is shown."""
        self._add_piece({"chunk": chunk, "dropped": dropped, "running": is_running})

    def view_data(self) -> dict[str, Any]:
        """What a notebook shows as this widget, by media type."""
        return {
            "application/vnd.jupyter.widget-view+json": {"version_major": 2, "version_minor": 0, "model_id": self.model_id}
        }

    def _add_piece(self, piece: dict[str, Any]) -> None:
        packed = gzip.compress(json.dumps(piece, separators=(",", ":")).encode(), compresslevel=4, mtime=0)
        self.add_traits(**{f"piece{self.pieces}": traitlets.Bytes(packed).tag(sync=True)})
        self.pieces += 1
