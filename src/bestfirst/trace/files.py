"""Writes a trace to a file in the format of its suffix."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TypeAlias, TypeVar

from bestfirst.errors import InputError
from bestfirst.system.atomic import check_writable, write_atomically
from bestfirst.trace import SearchTree, Trace, to_dot, to_html, to_json_lines, to_posthoc, to_svg
from bestfirst.trace.tree_drawing import ALL_ON_A_PAGE
from bestfirst.written import text_of

NODES_DRAWN = 60
"""The nodes of a drawing: those of a larger one can no longer be read on a screen. A page shows any number."""
DRAWINGS = (".dot", ".svg")

Form: TypeAlias = Callable[[Trace], str]
_AnyForm = TypeVar("_AnyForm")

FORMS: dict[str, Form] = {
    ".html": to_html,
    ".trace.yaml": lambda trace: to_posthoc(trace, trace.subject.problem),
    ".jsonl": lambda trace: to_json_lines(trace, trace.subject.problem, trace.subject.algorithm),
    ".dot": lambda trace: to_dot(SearchTree.from_trace(trace), trace.subject.problem, limit=NODES_DRAWN),
    ".svg": lambda trace: to_svg(SearchTree.from_trace(trace), trace.subject.problem, limit=NODES_DRAWN),
    ".txt": lambda trace: SearchTree.from_trace(trace).text(partial(text_of, trace.subject.problem, "label")) + "\n",
}


def check_trace_file(path: Path, suffixes: Iterable[str] = FORMS) -> None:
    """Raise InputError for a file that cannot be written, or without one of these suffixes."""
    if not path.name.endswith(tuple(suffixes)):
        known = tuple(suffixes)
        raise InputError(
            f"cannot write {str(path)!r}: end the name with {known[0] if len(known) == 1 else 'one of ' + ', '.join(known)}"
        )
    check_writable(path)


def write_trace(path: Path, trace: Trace) -> None:
    """Write a trace to a file, atomically, in the format of its suffix."""
    check_trace_file(path)
    write_atomically(path, form_of(path, FORMS)(trace))


def what_is_left_out(path: Path, trace: Trace) -> str | None:
    """The nodes that a drawing of this trace leaves out, and the file that shows them; None for a file with all of them."""
    if not path.name.endswith(DRAWINGS):
        return None
    nodes = len(SearchTree.from_trace(trace).nodes)
    return None if nodes <= NODES_DRAWN else f"{NODES_DRAWN} of {nodes:,} nodes; {ALL_ON_A_PAGE}"


def form_of(path: Path, forms: dict[str, _AnyForm]) -> _AnyForm:
    """The form of a suffix, which must be known."""
    return next(form for suffix, form in forms.items() if path.name.endswith(suffix))
