"""Runs the cells of a page: in the browser, in Pyodide. The result of a cell is what a notebook would show.

run() returns a list of outputs, which are dicts with one of these: "text"; "error"; "html", a piece of a page; "page", a page
of its own, with its "height" in pixels; "file", a name, with its "content".
"""

from __future__ import annotations

import ast
import linecache
import sys
import traceback
import warnings
from pathlib import Path
from types import TracebackType
from typing import Any

import bestfirst

MOST_LETTERS = 20_000
"""Of the text of a result."""
MOST_FILES, MOST_BYTES = 8, 16 << 20
"""Of the files that a cell has written."""
_NAMES: dict[str, Any] = {"__name__": "__main__", "bf": bestfirst}
"""The variables of the page. A block that cannot run here may be the one that imports bestfirst."""

Output = dict[str, Any]


def run(source: str, cell: str) -> list[Output]:
    """Run a cell and return its outputs; what it prints goes to standard output meanwhile. cell: its name in errors."""
    linecache.cache[cell] = (len(source), None, source.splitlines(keepends=True), cell)
    before = _files()
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _warn
            value = _value_of(source, cell)
            outputs = shown(value)
    except BaseException as error:
        outputs = [{"error": _said_of(error)}]
    sys.stdout.flush()
    sys.stderr.flush()
    return [*outputs, *_written(before)]


def _value_of(source: str, cell: str) -> Any:
    """Run the statements of a cell; the value of the last one, if it is an expression."""
    tree = ast.parse(source, cell)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, cell, "exec"), _NAMES)
    if last is None:
        return None
    value = eval(compile(ast.Expression(last.value), cell, "eval"), _NAMES)  # type: ignore[attr-defined]
    if value is not None:
        _NAMES["_"] = value
    return value


def shown(value: Any) -> list[Output]:
    """How a value is shown: in the viewer, as a piece of a page, or as text."""
    if value is None:
        return []
    is_recorded = getattr(value, "events", None) or getattr(value, "rounds", None)
    view = value.view() if is_recorded and hasattr(value, "view") else value
    if hasattr(view, "page") and hasattr(view, "height"):
        return [{"page": view.page, "height": view.height}]
    bundle = value._repr_mimebundle_() if hasattr(value, "_repr_mimebundle_") else {}
    html = bundle.get("text/html") or (value._repr_html_() if hasattr(value, "_repr_html_") else None)
    if html:
        return [{"html": html}]
    text = bundle.get("text/plain") or repr(value)
    return [{"text": text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]} ..."}]


def _said_of(error: BaseException) -> str:
    """The error as Python shows it, from the page's own cells on: the lines of bestfirst help nobody here."""
    if isinstance(error, SyntaxError):
        return "".join(traceback.format_exception_only(error))
    own = _own_frames(error.__traceback__)
    lines = ["Traceback (most recent call last):\n", *traceback.format_list(own)] if own else []
    return "".join([*lines, *traceback.format_exception_only(error)])


def _own_frames(trace: TracebackType | None) -> list[traceback.FrameSummary]:
    return [frame for frame in traceback.extract_tb(trace) if frame.filename.startswith("cell ")]


def _warn(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    sys.stderr.write(f"{category.__name__}: {message}\n")


def _files() -> dict[Path, tuple[int, int]]:
    """The files of the current directory, with time and size."""
    found = {}
    for path in Path().iterdir():
        if path.is_file():
            status = path.stat()
            found[path] = status.st_mtime_ns, status.st_size
    return found


def _written(before: dict[Path, tuple[int, int]]) -> list[Output]:
    """The files that are new or have changed; a page is shown too."""
    outputs: list[Output] = []
    for path, known in sorted(_files().items())[:MOST_FILES]:
        if before.get(path) == known or known[1] > MOST_BYTES:
            continue
        content = path.read_bytes()
        if path.suffix == ".html":
            outputs.append({"page": content.decode("utf-8", "replace"), "height": 640})
        outputs.append({"file": path.name, "content": content})
    return outputs
