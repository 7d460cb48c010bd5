"""Writing a trace to a file in the form that the file's name asks for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bestfirst.atomic import check_writable, write_atomically
from bestfirst.errors import InputError
from bestfirst.problem import Problem
from bestfirst.trace import SearchTree, Trace, to_dot, to_json_lines, to_posthoc, to_svg

_FORMS: dict[str, Callable[[Trace, Problem], str]] = {
    ".trace.yaml": to_posthoc,
    ".jsonl": to_json_lines,
    ".dot": lambda trace, problem: to_dot(SearchTree.from_trace(trace), problem),
    ".svg": lambda trace, problem: to_svg(SearchTree.from_trace(trace), problem),
    ".txt": lambda trace, problem: SearchTree.from_trace(trace).text(problem.label) + "\n",
}


def check_trace_file(path: Path) -> None:
    """Raise InputError for a file that could not be written, or whose name asks for no form that there is."""
    _form_of(path)
    check_writable(path)


def write_trace(path: Path, trace: Trace, problem: Problem) -> None:
    """Write a trace to a file, atomically, in the form that its name asks for."""
    write_atomically(path, _form_of(path)(trace, problem))


def _form_of(path: Path) -> Callable[[Trace, Problem], str]:
    for ending, form in _FORMS.items():
        if path.name.endswith(ending):
            return form
    raise InputError(f"trace file {str(path)!r} has no known ending; use one of {', '.join(_FORMS)}")
